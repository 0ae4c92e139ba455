// SPDX-License-Identifier: MIT OR Apache-2.0
// The reclaimer with the ports of every bench. All of its ports are within the wide ports: valid_i and ready_i are ignored, valid_o
// is always high.
//
//   in_i = {point, flags, wdata, awaddr | araddr << 16}
//   out_o = {part, flags, rdata}
module tb_reclaimer #(
    parameter int CURVE = reclaimer_pkg::BLS12_377,
    parameter int ADDERS = 1,
    parameter int WINDOW = 5,
    parameter int PAIRS = 64,
    parameter int COLLISIONS = 64,
    parameter int BATCH = 1024,
    parameter int CHAINS = 64,
    parameter int KIND = field_pkg::BEHAVIOURAL,
    parameter int MUL_LATENCY = 39,
    localparam int WORD = reclaimer_pkg::word(CURVE)
) (
    input  logic                      clk_i,
    input  logic                      rst_i,
    input  logic                      valid_i,
    output logic                      ready_o,
    input  logic [96+256+2*WORD-1:0]  in_i,
    output logic                      valid_o,
    input  logic                      ready_i,
    output logic [    64+2*WORD-1:0]  out_o,
    output logic [              31:0] latency_o
);
  assign latency_o = 32'(MUL_LATENCY);
  assign ready_o = 1'b1;
  assign valid_o = 1'b1;

  logic [31:0] addresses, wdata, flags, rdata, answers;
  logic [256+2*WORD-1:0] point;
  logic [2*WORD-1:0] part;
  assign {point, flags, wdata, addresses} = in_i;
  logic awready, wready, bvalid, arready, rvalid, point_ready, part_valid, part_last, unused_fault;
  logic [1:0] bresp, rresp;
  assign answers = {20'b0, rresp, bresp, part_last, part_valid, point_ready, rvalid, arready, bvalid, wready, awready};
  assign out_o = {part, answers, rdata};
  reclaimer_top #(
      .CURVE(CURVE), .ADDERS(ADDERS), .WINDOW(WINDOW), .PAIRS(PAIRS), .COLLISIONS(COLLISIONS), .BATCH(BATCH),
      .CHAINS(CHAINS), .KIND(KIND), .MUL_LATENCY(MUL_LATENCY)
  ) u_dut (
      .clk_i, .rst_i, .fault_o(unused_fault),
      .s_axi_awvalid(flags[0]), .s_axi_awready(awready), .s_axi_awaddr(addresses[11:0]),
      .s_axi_wvalid(flags[1]), .s_axi_wready(wready), .s_axi_wdata(wdata), .s_axi_wstrb(flags[11:8]),
      .s_axi_bvalid(bvalid), .s_axi_bready(flags[2]), .s_axi_bresp(bresp),
      .s_axi_arvalid(flags[3]), .s_axi_arready(arready), .s_axi_araddr(addresses[27:16]),
      .s_axi_rvalid(rvalid), .s_axi_rready(flags[4]), .s_axi_rdata(rdata), .s_axi_rresp(rresp),
      .s_axis_point_tvalid(flags[5]), .s_axis_point_tready(point_ready), .s_axis_point_tdata(point),
      .s_axis_point_tlast(flags[6]),
      .m_axis_part_tvalid(part_valid), .m_axis_part_tready(flags[7]), .m_axis_part_tdata(part),
      .m_axis_part_tlast(part_last)
  );

  // The machine's inputs and outputs keep to AXI. A host that resets forgets its words on streams.
  stream_check #(.WIDTH(256 + 2 * WORD + 1)) u_point_check (
      .clk_i, .rst_i(u_dut.reset), .valid_i(flags[5]), .ready_i(point_ready), .data_i({flags[6], point}));
  stream_check #(.WIDTH(12)) u_write_address_check (
      .clk_i, .rst_i, .valid_i(flags[0]), .ready_i(awready), .data_i(addresses[11:0]));
  stream_check #(.WIDTH(36)) u_write_data_check (
      .clk_i, .rst_i, .valid_i(flags[1]), .ready_i(wready), .data_i({flags[11:8], wdata}));
  stream_check #(.WIDTH(12)) u_read_address_check (
      .clk_i, .rst_i, .valid_i(flags[3]), .ready_i(arready), .data_i(addresses[27:16]));
  stream_check #(.WIDTH(2 * WORD + 1)) u_part_check (
      .clk_i, .rst_i(u_dut.reset), .valid_i(part_valid), .ready_i(flags[7]), .data_i({part_last, part}));
  stream_check #(.WIDTH(2)) u_written_check (
      .clk_i, .rst_i, .valid_i(bvalid), .ready_i(flags[2]), .data_i(bresp));
  stream_check #(.WIDTH(34)) u_read_check (
      .clk_i, .rst_i, .valid_i(rvalid), .ready_i(flags[4]), .data_i({rresp, rdata}));

  unread u_unread (.d_i(^{valid_i, ready_i, addresses, flags}));
endmodule
