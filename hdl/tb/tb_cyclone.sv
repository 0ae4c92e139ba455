// SPDX-License-Identifier: MIT OR Apache-2.0
// CycloneMSM with the ports of every bench, and memory for its conflicts. Every cycle is valid, because the streams
// have their own valid and ready.
//
//   in_i = {flags, wdata, address, u, y, x, command}: coordinates of 384 bits
//     flags: 0 command valid, 1 its last; 4..2 points valid, 7..5 their last; 8 result ready; 9 and 10 the memory does not
//     take, or give; 11 awvalid and wvalid, 12 bready, 13 arvalid, 14 rready
//   out_o = {flags, rdata, result}
//     flags: 0 command ready; 3..1 points ready; 4 result valid, 5 its last; 6 awready and wready; 7 bvalid, 9..8 bresp;
//     10 arready; 11 rvalid, 13..12 rresp
module tb_cyclone #(
    parameter int BUCKET_WIDTH = 5,
    parameter int QUEUE = 64,
    parameter int MEMORY = 1 << 12,
    parameter int MEMORY_LATENCY = 40,
    parameter int KIND = field_pkg::BEHAVIOURAL,
    parameter int MUL_LATENCY = 39,
    parameter int LATENCY = 96,
    parameter int CONTROL = 18,
    parameter int SEGMENT_WIDTH = 0,
    parameter int GREEDY = 0,
    parameter int OVERLAP = 0
) (
    input  logic          clk_i,
    input  logic          rst_i,
    input  logic          valid_i,
    output logic          ready_o,
    input  logic [1759:0] in_i,
    output logic          valid_o,
    input  logic          ready_i,
    output logic [ 447:0] out_o,
    output logic [  31:0] latency_o
);
  localparam int SPILL = (BUCKET_WIDTH + 3 * bls12_377_pkg::WIDTH + 8) / 8 * 8;
  logic [31:0] flags, wdata, address, rdata;
  logic [383:0] x, y, u;
  logic [511:0] command, result;
  assign {flags, wdata, address, u, y, x, command} = in_i;
  assign ready_o = 1'b1;
  assign valid_o = 1'b1;
  assign latency_o = 32'(LATENCY);

  logic [2:0] point_ready;
  logic unused_fault, command_ready, result_valid, result_last, awready, wready, bvalid, arready, rvalid, reset;
  logic [1:0] bresp, rresp;
  assign out_o = {
    18'b0, rresp, rvalid, arready, bresp, bvalid, awready && wready, result_last, result_valid, point_ready,
    command_ready, rdata, result[383:0]
  };

  logic out_valid, out_ready, in_valid, in_ready;
  logic [SPILL-1:0] out_data, in_data;
  cyclone_top #(
      .BUCKET_WIDTH(BUCKET_WIDTH), .QUEUE(QUEUE), .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LATENCY(LATENCY),
      .CONTROL(CONTROL), .SEGMENT_WIDTH(SEGMENT_WIDTH), .GREEDY(GREEDY), .OVERLAP(OVERLAP)
  ) u_dut (
      .clk_i, .rst_i, .reset_o(reset), .fault_o(unused_fault),
      .s_axis_command_tvalid(valid_i && flags[0]), .s_axis_command_tready(command_ready),
      .s_axis_command_tdata(command), .s_axis_command_tlast(flags[1]),
      .s_axis_x_tvalid(valid_i && flags[2]), .s_axis_x_tready(point_ready[0]), .s_axis_x_tdata(512'(x)),
      .s_axis_x_tlast(flags[5]),
      .s_axis_y_tvalid(valid_i && flags[3]), .s_axis_y_tready(point_ready[1]), .s_axis_y_tdata(512'(y)),
      .s_axis_y_tlast(flags[6]),
      .s_axis_u_tvalid(valid_i && flags[4]), .s_axis_u_tready(point_ready[2]), .s_axis_u_tdata(512'(u)),
      .s_axis_u_tlast(flags[7]),
      .m_axis_spill_tvalid(out_valid), .m_axis_spill_tready(out_ready), .m_axis_spill_tdata(out_data),
      .s_axis_spill_tvalid(in_valid), .s_axis_spill_tready(in_ready), .s_axis_spill_tdata(in_data),
      .m_axis_result_tvalid(result_valid), .m_axis_result_tready(flags[8]), .m_axis_result_tdata(result),
      .m_axis_result_tlast(result_last),
      .s_axi_awvalid(flags[11]), .s_axi_awready(awready), .s_axi_awaddr(address[7:0]), .s_axi_wvalid(flags[11]),
      .s_axi_wready(wready), .s_axi_wdata(wdata), .s_axi_wstrb(4'b1111), .s_axi_bvalid(bvalid),
      .s_axi_bready(flags[12]), .s_axi_bresp(bresp), .s_axi_arvalid(flags[13]), .s_axi_arready(arready),
      .s_axi_araddr(address[7:0]), .s_axi_rvalid(rvalid), .s_axi_rready(flags[14]), .s_axi_rdata(rdata),
      .s_axi_rresp(rresp)
  );
  tb_memory #(.WIDTH(SPILL), .DEPTH(MEMORY), .LATENCY(MEMORY_LATENCY)) u_memory (
      .clk_i, .rst_i(rst_i || reset), .stall_write_i(flags[9]), .stall_read_i(flags[10]),
      .valid_i(out_valid), .ready_o(out_ready), .data_i(out_data),
      .valid_o(in_valid), .ready_i(in_ready), .data_o(in_data)
  );

  // The machine's inputs and outputs keep to AXI. A host that resets forgets its requests.
  stream_check #(.WIDTH(513)) u_command_check (
      .clk_i, .rst_i(reset || !valid_i), .valid_i(flags[0]), .ready_i(command_ready), .data_i({flags[1], command}));
  for (genvar i = 0; i < 3; i++) begin : g_point_check
    logic [383:0] coordinate;
    assign coordinate = i == 0 ? x : i == 1 ? y : u;
    stream_check #(.WIDTH(385)) u_check (
        .clk_i, .rst_i(reset || !valid_i), .valid_i(flags[2+i]), .ready_i(point_ready[i]),
        .data_i({flags[5+i], coordinate}));
  end
  stream_check #(.WIDTH(SPILL)) u_back_check (
      .clk_i, .rst_i(reset), .valid_i(in_valid), .ready_i(in_ready), .data_i(in_data));
  stream_check #(.WIDTH(64)) u_write_check (
      .clk_i, .rst_i, .valid_i(flags[11]), .ready_i(awready && wready), .data_i({address, wdata}));
  stream_check #(.WIDTH(32)) u_address_check (
      .clk_i, .rst_i, .valid_i(flags[13]), .ready_i(arready), .data_i(address));
  stream_check #(.WIDTH(SPILL)) u_spill_check (
      .clk_i, .rst_i(reset), .valid_i(out_valid), .ready_i(out_ready), .data_i(out_data));
  stream_check #(.WIDTH(513)) u_result_check (
      .clk_i, .rst_i(reset), .valid_i(result_valid), .ready_i(flags[8]), .data_i({result_last, result}));
  stream_check #(.WIDTH(2)) u_written_check (
      .clk_i, .rst_i, .valid_i(bvalid), .ready_i(flags[12]), .data_i(bresp));
  stream_check #(.WIDTH(34)) u_read_check (
      .clk_i, .rst_i, .valid_i(rvalid), .ready_i(flags[14]), .data_i({rresp, rdata}));

  unread u_unread (.d_i(^{ready_i, flags[31:15], address[31:8], result[511:384]}));
endmodule
