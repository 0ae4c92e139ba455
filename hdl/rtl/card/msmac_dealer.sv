// SPDX-License-Identifier: MIT OR Apache-2.0
// Makes packets of a task for MSMAC's elements: the program for all elements, a share for each element of the task, then the points with
// their scalars, dealt out in blocks of BLOCK points. So memory is read in its order.
//
// Contract: all inputs are streams. A task is taken with its last point. It has points_i points, elements_i elements from 1 to PES, each
// with a point, a program of length_i instructions, and sums_i sums of each element. program_last_i marks the program's last word, and
// point_last_i the last point. to_o is PES for all elements.
module msmac_dealer #(
    parameter int PES = 4,
    parameter int BLOCK = 16,
    parameter int COUNT = 32,
    localparam int TO = $clog2(PES + 1)
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    task_valid_i,
    output logic                    task_ready_o,
    input  logic [       COUNT-1:0] points_i,
    input  logic [          TO-1:0] elements_i,
    input  logic [            12:0] length_i,
    input  logic [            15:0] sums_i,
    input  logic                    program_valid_i,
    output logic                    program_ready_o,
    input  logic [           511:0] program_i,
    input  logic                    program_last_i,
    input  logic                    point_valid_i,
    output logic                    point_ready_o,
    input  logic [           511:0] point_i,
    input  logic                    point_last_i,
    input  logic                    scalar_valid_i,
    output logic                    scalar_ready_o,
    input  logic [           255:0] scalar_i,
    output logic                    packet_valid_o,
    input  logic                    packet_ready_i,
    output logic [          TO-1:0] to_o,
    output msmac_card_pkg::packet_t packet_o
);
  localparam int OFFSET = $clog2(BLOCK);
  typedef enum logic [1:0] {PROGRAM, SHARES, POINTS} state_e;
  state_e state;
  logic takes, share_valid, share_last;
  logic [TO-1:0] share_number, element;
  logic [COUNT-1:0] size;
  logic [msmac_card_pkg::FOURS_WIDTH-1:0] fours;
  logic [msmac_card_pkg::NUMBER_WIDTH-1:0] first;
  logic [OFFSET-1:0] place;
  msmac_card_pkg::share_t share;
  assign takes = packet_valid_o && packet_ready_i;
  msmac_shares #(.PES(PES), .BLOCK(BLOCK), .COUNT(COUNT)) u_shares (
      .clk_i, .rst_i, .start_i(state == PROGRAM && takes && program_last_i), .points_i, .elements_i, .valid_o(share_valid),
      .ready_i(state == SHARES && packet_ready_i), .number_o(share_number), .size_o(size), .last_o(share_last)
  );
  assign share = {first, sums_i, length_i, 32'(size)};

  always_comb begin
    case (state)
      PROGRAM: begin
        packet_valid_o = task_valid_i && program_valid_i;
        to_o = TO'(PES);
        packet_o = {msmac_card_pkg::PROGRAM, 768'({fours, program_i})};
      end
      SHARES: begin
        packet_valid_o = share_valid;
        to_o = share_number;
        packet_o = {msmac_card_pkg::SHARE, 768'(share)};
      end
      default: begin
        packet_valid_o = point_valid_i && scalar_valid_i;
        to_o = element;
        packet_o = {msmac_card_pkg::POINT, scalar_i, point_i};
      end
    endcase
  end
  assign program_ready_o = state == PROGRAM && task_valid_i && packet_ready_i;
  assign point_ready_o = state == POINTS && takes;
  assign scalar_ready_o = state == POINTS && takes;
  assign task_ready_o = state == POINTS && takes && point_last_i;

  always_ff @(posedge clk_i) begin
    if (takes) begin
      case (state)
        PROGRAM: begin
          fours <= fours + 1'b1;
          first <= '0;
          {element, place} <= '0;
          if (program_last_i) state <= SHARES;
        end
        SHARES: begin
          fours <= '0;
          first <= first + msmac_card_pkg::NUMBER_WIDTH'(sums_i);
          if (share_last) state <= POINTS;
        end
        default: begin
          place <= place + 1'b1;
          if (place == '1) element <= element == elements_i - 1'b1 ? '0 : element + 1'b1;
          if (point_last_i) state <= PROGRAM;
        end
      endcase
    end
    if (rst_i) begin
      state <= PROGRAM;
      fours <= '0;
    end
  end
endmodule
