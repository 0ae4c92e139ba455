// SPDX-License-Identifier: MIT OR Apache-2.0
// An element of MSMAC at the network: writes the element's registers, keeps its points in two buffers of BLOCK points, and numbers its sums.
//
// Contract: packets come as msmac_dealer sends them. A program and a share wait until idle_i says that the element is idle, because then it
// may be written; a share starts the element. Points and their scalars are streams with the same `last`, which is with the last point of
// the share. A buffer can be read when it is full or has the last point. Sums behind the last one of the share are dropped, and
// surplus_o is high until a reset. request_o only writes.
module msmac_port #(
    parameter int BLOCK = 16
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    packet_valid_i,
    output logic                    packet_ready_o,
    input  msmac_card_pkg::packet_t packet_i,
    input  logic                    idle_i,
    output axi_lite_pkg::request_t  request_o,
    input  axi_lite_pkg::response_t response_i,
    output logic                    point_valid_o,
    input  logic                    point_ready_i,
    output logic [           511:0] point_o,
    output logic                    scalar_valid_o,
    input  logic                    scalar_ready_i,
    output logic [           255:0] scalar_o,
    output logic                    last_o,
    input  logic                    sum_valid_i,
    output logic                    sum_ready_o,
    input  logic [           767:0] sum_i,
    output logic                    result_valid_o,
    input  logic                    result_ready_i,
    output msmac_card_pkg::result_t result_o,
    output logic                    surplus_o
);
  // The element's registers that a share writes are neighbours, by their lowest two bits: SIZE, LENGTH, CONTROL with the start.
  localparam logic [3:0] SIZE = 4'd2;
  localparam logic [31:0] START = 32'd1;
  msmac_card_pkg::share_t share;
  assign share = packet_i.content[msmac_card_pkg::SHARE_WIDTH-1:0];
  logic is_point, writes, takes, starts, of_program, done, buffer_ready, both_valid, both_ready, final_point;
  logic [4:0] left;
  logic [3:0] word;
  logic [511:0] words;
  logic [msmac_card_pkg::FOURS_WIDTH-1:0] fours;
  assign is_point = packet_i.kind == msmac_card_pkg::POINT;
  assign writes = left != 0;
  assign takes = packet_valid_i && packet_ready_o;
  assign packet_ready_o = is_point ? buffer_ready : idle_i && !writes;
  register_write #(.ADDRESS(15)) u_write (
      .clk_i, .rst_i, .valid_i(writes), .address_i(of_program ? {1'b1, fours, word} : {13'b0, word[1:0]}),
      .data_i(words[31:0]), .done_o(done), .request_o, .response_i
  );

  logic [31:0] points_left;
  logic [15:0] sums_left;
  logic [msmac_card_pkg::NUMBER_WIDTH-1:0] number;
  assign starts = takes && packet_i.kind == msmac_card_pkg::SHARE;
  assign final_point = points_left == 1;
  ping_pong #(.WIDTH(768), .DEPTH(BLOCK)) u_points (
      .clk_i, .rst_i, .valid_i(packet_valid_i && is_point), .ready_o(buffer_ready), .data_i(packet_i.content),
      .last_i(final_point), .valid_o(both_valid), .ready_i(both_ready), .data_o({scalar_o, point_o}), .last_o
  );
  stream_fork #(.RECEIVERS(2)) u_fork (
      .clk_i, .rst_i, .wanted_i('1), .valid_i(both_valid), .ready_o(both_ready), .valid_o({scalar_valid_o, point_valid_o}),
      .ready_i({scalar_ready_i, point_ready_i})
  );

  assign result_valid_o = sum_valid_i && sums_left != 0;
  assign sum_ready_o = result_ready_i || sums_left == 0;
  assign result_o = {number, sum_i};

  always_ff @(posedge clk_i) begin
    if (done) begin
      left <= left - 1'b1;
      word <= word + 1'b1;
      words <= words >> 32;
    end
    if (takes && is_point) points_left <= points_left - 1'b1;
    if (takes && packet_i.kind == msmac_card_pkg::PROGRAM) begin
      of_program <= 1'b1;
      {fours, words} <= packet_i.content[msmac_card_pkg::FOURS_WIDTH+511:0];
      word <= '0;
      left <= 5'd16;
    end
    if (result_valid_o && result_ready_i) begin
      sums_left <= sums_left - 1'b1;
      number <= number + 1'b1;
    end
    if (sum_valid_i && sums_left == 0) surplus_o <= 1'b1;
    if (starts) begin
      of_program <= 1'b0;
      words <= 512'({START, 19'b0, share.length, share.size});
      word <= SIZE;
      left <= 5'd3;
      points_left <= share.size;
      sums_left <= share.sums;
      number <= share.first;
    end
    if (rst_i) begin
      left <= '0;
      sums_left <= '0;
      surplus_o <= 1'b0;
    end
  end
endmodule
