// MSMAC's processing element with all of its ports side by side: in_i = {control, araddr, wdata, awaddr, scalar, point}
// with control = {wstrb, rready, arvalid, bready, wvalid, awvalid, sum_ready, scalar_last, scalar_valid, point_last,
// point_valid}; out_o = {control, rdata, sum} with control = {rresp, rvalid, arready, bresp, bvalid, wready, awready,
// sum_last, sum_valid, scalar_ready, point_ready}. Both are there in every cycle.
module tb_msmac #(
    parameter int WINDOW = 8,
    parameter int KIND = field_pkg::BEHAVIOURAL,
    parameter int THRESHOLD = 256,
    parameter int CONFLICTS = 512
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic [895:0] in_i,
    output logic         valid_o,
    input  logic         ready_i,
    output logic [831:0] out_o,
    output logic [ 31:0] latency_o
);
  assign ready_o = 1'b1;
  assign valid_o = 1'b1;
  assign latency_o = 32'd100;
  logic [31:0] control, araddr, wdata, awaddr, rdata, flags;
  logic [255:0] scalar;
  logic [511:0] point;
  logic [767:0] sum;
  assign {control, araddr, wdata, awaddr, scalar, point} = in_i;
  assign out_o = {flags, rdata, sum};
  assign flags[31:13] = '0;
  msmac_pe #(.WINDOW(WINDOW), .KIND(KIND), .THRESHOLD(THRESHOLD), .CONFLICTS(CONFLICTS)) u_dut (
      .clk_i, .rst_i,
      .point_valid_i(control[0]), .point_ready_o(flags[0]), .point_data_i(point), .point_last_i(control[1]),
      .scalar_valid_i(control[2]), .scalar_ready_o(flags[1]), .scalar_data_i(scalar), .scalar_last_i(control[3]),
      .sum_valid_o(flags[2]), .sum_ready_i(control[4]), .sum_data_o(sum), .sum_last_o(flags[3]),
      .awvalid_i(control[5]), .awready_o(flags[4]), .awaddr_i(awaddr[16:0]),
      .wvalid_i(control[6]), .wready_o(flags[5]), .wdata_i(wdata), .wstrb_i(control[13:10]),
      .bvalid_o(flags[6]), .bready_i(control[7]), .bresp_o(flags[8:7]),
      .arvalid_i(control[8]), .arready_o(flags[9]), .araddr_i(araddr[16:0]),
      .rvalid_o(flags[10]), .rready_i(control[9]), .rdata_o(rdata), .rresp_o(flags[12:11])
  );

  logic unused;
  assign unused = ^{valid_i, ready_i, control[31:14], araddr[31:17], awaddr[31:17]};
endmodule
