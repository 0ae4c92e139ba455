// CycloneMSM with the ports of every bench, and memory for its conflicts. Every cycle is valid: the streams have valid
// and ready of their own.
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
    parameter int CONTROL = 1
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
  localparam int ENTRY = BUCKET_WIDTH + 3 * bls12_377_pkg::WIDTH + 1;
  logic [31:0] flags, wdata, address, rdata;
  logic [383:0] x, y, u;
  logic [511:0] command, result;
  assign {flags, wdata, address, u, y, x, command} = in_i;
  assign ready_o = 1'b1;
  assign valid_o = 1'b1;
  assign latency_o = 32'(LATENCY);

  logic [2:0] point_ready;
  logic command_ready, result_valid, result_last, awready, wready, bvalid, arready, rvalid, reset;
  logic [1:0] bresp, rresp;
  assign out_o = {
    18'b0, rresp, rvalid, arready, bresp, bvalid, awready && wready, result_last, result_valid, point_ready,
    command_ready, rdata, result[383:0]
  };

  logic out_valid, out_ready, in_valid, in_ready;
  logic [ENTRY-1:0] out_data, in_data;
  cyclone_top #(
      .BUCKET_WIDTH(BUCKET_WIDTH), .QUEUE(QUEUE), .KIND(KIND), .MUL_LATENCY(MUL_LATENCY), .LATENCY(LATENCY),
      .CONTROL(CONTROL)
  ) u_dut (
      .clk_i, .rst_i, .reset_o(reset),
      .command_valid_i(valid_i && flags[0]), .command_ready_o(command_ready), .command_data_i(command),
      .command_last_i(flags[1]), .point_valid_i(valid_i ? flags[4:2] : 3'b0), .point_ready_o(point_ready),
      .point_data_i({512'(u), 512'(y), 512'(x)}), .point_last_i(flags[7:5]),
      .spill_valid_o(out_valid), .spill_ready_i(out_ready), .spill_data_o(out_data), .spill_valid_i(in_valid),
      .spill_ready_o(in_ready), .spill_data_i(in_data),
      .result_valid_o(result_valid), .result_ready_i(flags[8]), .result_data_o(result), .result_last_o(result_last),
      .awvalid_i(flags[11]), .awready_o(awready), .awaddr_i(address[7:0]), .wvalid_i(flags[11]), .wready_o(wready),
      .wdata_i(wdata), .wstrb_i(4'b1111), .bvalid_o(bvalid), .bready_i(flags[12]), .bresp_o(bresp),
      .arvalid_i(flags[13]), .arready_o(arready), .araddr_i(address[7:0]), .rvalid_o(rvalid), .rready_i(flags[14]),
      .rdata_o(rdata), .rresp_o(rresp)
  );
  tb_memory #(.WIDTH(ENTRY), .DEPTH(MEMORY), .LATENCY(MEMORY_LATENCY)) u_memory (
      .clk_i, .rst_i(rst_i || reset), .stall_write_i(flags[9]), .stall_read_i(flags[10]),
      .valid_i(out_valid), .ready_o(out_ready), .data_i(out_data),
      .valid_o(in_valid), .ready_i(in_ready), .data_o(in_data)
  );

  logic unused;
  assign unused = ^{ready_i, flags[31:15], address[31:8], result[511:384]};
endmodule
