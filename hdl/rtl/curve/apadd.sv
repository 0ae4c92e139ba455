// SPDX-License-Identifier: MIT OR Apache-2.0
// Full addition on a twisted Edwards curve with a = -1 and one multiplier of half the width: Gypsophila's
// area-efficient aPADD (3.3), for the aggregation of buckets, where each addition waits for the previous one.
//
// The formula is te_add's. Its nine modular multiplications start at least nine cycles apart (apadd_rounds), and their
// dependencies make 17 rounds of nine cycles:
//
//   round 0: T1 T2   1: Z1 Z2   2: A   3: B   5: C = T1 T2 k   8: T = E H   10: X = E F   11: Y = G H   12: Z = F G
//
// Each Montgomery product lacks a factor 2^WORD, and the product by k lacks it twice. So E, F, G and H all lack the
// same factor, and X, Y, Z and T do, too: the sum is a representative of the right point, for coordinates in any form.
//
// Contract: an addition is taken in a cycle with valid_i and ready_o; valid_o, tag_o and the sum come LATENCY cycles
// later, and until then ready_o is low. Coordinates are below PRIME. k = 2 d is not in Montgomery form.
`include "ports.svh"
module apadd #(
    parameter int WORD = 380,
    parameter int KIND = field_pkg::KARATSUBA,
    parameter int TAG_WIDTH = 1,
    localparam int LATENCY = 17 * 9 + 7
) (
    `WAITING_ADDER_PORTS(bls12_377_pkg::extended_t)
);
  localparam int WIDTH = bls12_377_pkg::WIDTH;
  localparam logic [WIDTH-1:0] PRIME = bls12_377_pkg::PRIME;
  localparam logic [field_pkg::WIDE-1:0] K_FORM = field_pkg::shifted(
      field_pkg::WIDE'(bls12_377_pkg::K), field_pkg::WIDE'(PRIME), WORD
  );
  logic there;
  logic [4:0] round;
  bls12_377_pkg::extended_t first, second;
  logic [WIDTH-1:0] tt, zz, a, b, c, d, product;
  logic [WIDTH:0] e, f, g, h, left, right;
  mod_add #(.WIDTH(WIDTH), .PRIME(PRIME)) u_d (.clk_i, .a_i(zz), .b_i(zz), .s_o(d));
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME)) u_e (.clk_i, .a_i(b), .b_i(a), .s_o(e));
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME)) u_f (.clk_i, .a_i(d), .b_i(c), .s_o(f));
  lazy_add #(.WIDTH(WIDTH)) u_g (.clk_i, .a_i(d), .b_i(c), .s_o(g));
  lazy_add #(.WIDTH(WIDTH)) u_h (.clk_i, .a_i(b), .b_i(a), .s_o(h));
  logic [WIDTH:0] y1_minus_x1, y2_minus_x2, y1_plus_x1, y2_plus_x2;
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME)) u_minus_1 (.clk_i, .a_i(first.y), .b_i(first.x), .s_o(y1_minus_x1));
  lazy_sub #(.WIDTH(WIDTH), .PRIME(PRIME)) u_minus_2 (.clk_i, .a_i(second.y), .b_i(second.x), .s_o(y2_minus_x2));
  lazy_add #(.WIDTH(WIDTH)) u_plus_1 (.clk_i, .a_i(first.y), .b_i(first.x), .s_o(y1_plus_x1));
  lazy_add #(.WIDTH(WIDTH)) u_plus_2 (.clk_i, .a_i(second.y), .b_i(second.x), .s_o(y2_plus_x2));

  // The factors of the multiplication that starts at the end of a round.
  always_comb begin
    case (round)
      5'd0: {left, right} = {1'b0, first.t, 1'b0, second.t};
      5'd1: {left, right} = {1'b0, first.z, 1'b0, second.z};
      5'd2: {left, right} = {y1_minus_x1, y2_minus_x2};
      5'd3: {left, right} = {y1_plus_x1, y2_plus_x2};
      5'd5: {left, right} = {1'b0, tt, 1'b0, K_FORM[WIDTH-1:0]};
      5'd8: {left, right} = {e, h};
      5'd10: {left, right} = {e, f};
      5'd11: {left, right} = {g, h};
      default: {left, right} = {f, g};
    endcase
  end
  apadd_rounds #(.WIDTH(WIDTH), .PRIME(PRIME), .WORD(WORD), .KIND(KIND), .LATENCY(LATENCY)) u_rounds (
      .clk_i, .rst_i, .valid_i, .ready_o, .round_o(round), .left_i(left), .right_i(right), .there_o(there),
      .product_o(product), .valid_o);

  // A product is ready five rounds after its multiplication started.
  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      first <= left_i;
      second <= right_i;
      tag_o <= tag_i;
    end
    if (there) begin
      case (round)
        5'd5: tt <= product;
        5'd6: zz <= product;
        5'd7: a <= product;
        5'd8: b <= product;
        5'd10: c <= product;
        5'd13: sum_o.t <= product;
        5'd15: sum_o.x <= product;
        5'd16: sum_o.y <= product;
        5'd17: sum_o.z <= product;
        default: ;
      endcase
    end
  end
endmodule
