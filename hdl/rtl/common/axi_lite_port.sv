// An AXI4-Lite port in front of registers of 32 bits.
//
// Contract: the bus as the standard has it, one access at a time, writes beside reads. write_o is high for one cycle
// with address and data; read_data_i is what read_address_o has in the same cycle. A write of less than a word answers
// SLVERR and does nothing.
module axi_lite_port #(
    parameter int ADDRESS_WIDTH = 12
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     awvalid_i,
    output logic                     awready_o,
    input  logic [ADDRESS_WIDTH-1:0] awaddr_i,
    input  logic                     wvalid_i,
    output logic                     wready_o,
    input  logic [             31:0] wdata_i,
    input  logic [              3:0] wstrb_i,
    output logic                     bvalid_o,
    input  logic                     bready_i,
    output logic [              1:0] bresp_o,
    input  logic                     arvalid_i,
    output logic                     arready_o,
    input  logic [ADDRESS_WIDTH-1:0] araddr_i,
    output logic                     rvalid_o,
    input  logic                     rready_i,
    output logic [             31:0] rdata_o,
    output logic [              1:0] rresp_o,
    output logic                     write_o,
    output logic [ADDRESS_WIDTH-1:0] write_address_o,
    output logic [             31:0] write_data_o,
    output logic [ADDRESS_WIDTH-1:0] read_address_o,
    input  logic [             31:0] read_data_i
);
  localparam logic [1:0] OKAY = 2'b00, SLVERR = 2'b10;
  // Address and data are taken together.
  logic writes, whole;
  assign writes = awvalid_i && wvalid_i && !bvalid_o;
  assign whole = &wstrb_i;
  assign awready_o = writes;
  assign wready_o = writes;
  assign write_o = writes && whole;
  assign write_address_o = awaddr_i;
  assign write_data_o = wdata_i;

  assign arready_o = !rvalid_o;
  assign read_address_o = araddr_i;
  assign rresp_o = OKAY;

  always_ff @(posedge clk_i) begin
    if (writes) begin
      bvalid_o <= 1'b1;
      bresp_o <= whole ? OKAY : SLVERR;
    end else if (bready_i) begin
      bvalid_o <= 1'b0;
    end
    if (arvalid_i && arready_o) begin
      rvalid_o <= 1'b1;
      rdata_o <= read_data_i;
    end else if (rready_i) begin
      rvalid_o <= 1'b0;
    end
    if (rst_i) begin
      bvalid_o <= 1'b0;
      rvalid_o <= 1'b0;
    end
  end
endmodule
