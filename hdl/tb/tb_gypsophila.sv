// SPDX-License-Identifier: MIT OR Apache-2.0
// Gypsophila with the ports of every bench. All of its ports are within the wide ports: valid_i and ready_i are
// ignored, valid_o is always high. A stream's data are a whole number of words of 32 bits here, and an index has one
// word.
//
//   in_i = {indexes, index valids, index lasts, point, flags, wdata, awaddr | araddr << 16}
//   out_o = {sum, index readies, flags, rdata}
module tb_gypsophila #(
    parameter int PES = 1,
    parameter int ADDERS = 1,
    parameter int CURVE = gypsophila_pkg::BLS12_377,
    parameter int WINDOW = 4,
    parameter int PAIRS = 16,
    parameter int COLLISIONS = 16,
    parameter int POINTS = 8,
    parameter int INDEXES = 16,
    parameter int KIND = field_pkg::BEHAVIOURAL,
    localparam int WORD = gypsophila_pkg::word(CURVE),
    localparam int COORDINATES = gypsophila_pkg::coordinates(CURVE),
    localparam int INDEX_WORD = (WINDOW + 7) / 8 * 8
) (
    input  logic                           clk_i,
    input  logic                           rst_i,
    input  logic                           valid_i,
    output logic                           ready_o,
    input  logic [160+3*WORD+32*PES-1:0]   in_i,
    output logic                           valid_o,
    input  logic                           ready_i,
    output logic [96+COORDINATES*WORD-1:0] out_o,
    output logic [31:0]                    latency_o
);
  localparam int LATENCY = gypsophila_pkg::padd_latency(CURVE, 39);
  assign latency_o = 32'(LATENCY);
  assign ready_o = 1'b1;
  assign valid_o = 1'b1;

  logic [31:0] addresses, wdata, flags, index_valid, index_last;
  logic [3*WORD-1:0] point;
  logic [32*PES-1:0] indexes;
  assign {indexes, index_last, index_valid, point, flags, wdata, addresses} = in_i;
  logic [PES*INDEX_WORD-1:0] index;
  for (genvar pe = 0; pe < PES; pe++) begin : g_index
    assign index[pe*INDEX_WORD+:INDEX_WORD] = indexes[pe*32+:INDEX_WORD];
  end

  logic [31:0] rdata, index_ready, answers;
  logic awready, wready, bvalid, arready, rvalid, point_ready, sum_valid, sum_last, unused_fault;
  logic [1:0] bresp, rresp;
  logic [PES-1:0] readies;
  logic [COORDINATES*WORD-1:0] sum;
  assign index_ready = 32'(readies);
  assign answers = {20'b0, rresp, bresp, sum_last, sum_valid, point_ready, rvalid, arready, bvalid, wready, awready};
  assign out_o = {sum, index_ready, answers, rdata};
  gypsophila_top #(
      .PES(PES), .ADDERS(ADDERS), .CURVE(CURVE), .WINDOW(WINDOW), .PAIRS(PAIRS), .COLLISIONS(COLLISIONS),
      .POINTS(POINTS), .INDEXES(INDEXES), .KIND(KIND)
  ) u_dut (
      .clk_i, .rst_i, .fault_o(unused_fault),
      .s_axi_awvalid(flags[0]), .s_axi_awready(awready), .s_axi_awaddr(addresses[11:0]),
      .s_axi_wvalid(flags[1]), .s_axi_wready(wready), .s_axi_wdata(wdata), .s_axi_wstrb(flags[11:8]),
      .s_axi_bvalid(bvalid), .s_axi_bready(flags[2]), .s_axi_bresp(bresp),
      .s_axi_arvalid(flags[3]), .s_axi_arready(arready), .s_axi_araddr(addresses[27:16]),
      .s_axi_rvalid(rvalid), .s_axi_rready(flags[4]), .s_axi_rdata(rdata), .s_axi_rresp(rresp),
      .s_axis_point_tvalid(flags[5]), .s_axis_point_tready(point_ready), .s_axis_point_tdata(point),
      .s_axis_point_tlast(flags[6]),
      .s_axis_index_tvalid(index_valid[PES-1:0]), .s_axis_index_tready(readies), .s_axis_index_tdata(index),
      .s_axis_index_tlast(index_last[PES-1:0]),
      .m_axis_sum_tvalid(sum_valid), .m_axis_sum_tready(flags[7]), .m_axis_sum_tdata(sum), .m_axis_sum_tlast(sum_last)
  );

  // The machine's inputs and outputs keep to AXI. A host that resets forgets its words on streams.
  stream_check #(.WIDTH(3 * WORD + 1)) u_point_check (
      .clk_i, .rst_i(u_dut.reset), .valid_i(flags[5]), .ready_i(point_ready), .data_i({flags[6], point}));
  for (genvar pe = 0; pe < PES; pe++) begin : g_index_check
    stream_check #(.WIDTH(INDEX_WORD + 1)) u_check (
        .clk_i, .rst_i(u_dut.reset), .valid_i(index_valid[pe]), .ready_i(readies[pe]),
        .data_i({index_last[pe], index[pe*INDEX_WORD+:INDEX_WORD]}));
  end
  stream_check #(.WIDTH(12)) u_write_address_check (
      .clk_i, .rst_i, .valid_i(flags[0]), .ready_i(awready), .data_i(addresses[11:0]));
  stream_check #(.WIDTH(36)) u_write_data_check (
      .clk_i, .rst_i, .valid_i(flags[1]), .ready_i(wready), .data_i({flags[11:8], wdata}));
  stream_check #(.WIDTH(12)) u_read_address_check (
      .clk_i, .rst_i, .valid_i(flags[3]), .ready_i(arready), .data_i(addresses[27:16]));
  stream_check #(.WIDTH(COORDINATES * WORD + 1)) u_sum_check (
      .clk_i, .rst_i(u_dut.reset), .valid_i(sum_valid), .ready_i(flags[7]), .data_i({sum_last, sum}));
  stream_check #(.WIDTH(2)) u_written_check (
      .clk_i, .rst_i, .valid_i(bvalid), .ready_i(flags[2]), .data_i(bresp));
  stream_check #(.WIDTH(34)) u_read_check (
      .clk_i, .rst_i, .valid_i(rvalid), .ready_i(flags[4]), .data_i({rresp, rdata}));

  unread u_unread (.d_i(^{valid_i, ready_i, addresses, flags, index_valid, index_last, indexes}));
endmodule
