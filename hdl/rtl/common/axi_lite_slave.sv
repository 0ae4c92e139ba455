// AXI4-Lite on one side, words that are written and read on the other. Protection bits are left out; no burst, one access
// of each kind at a time.
//
// Contract: write_ok_i says in the same cycle whether write_data_o may go to write_address_o, and does not depend on
// write_o, which says that it does; if not, or for a part of a word, the answer is SLVERR. read_data_i and read_ok_i are
// for read_address_o in the same cycle. Addresses are of words; one that is no multiple of four is an error.
module axi_lite_slave #(
    parameter int ADDRESS_WIDTH = 8
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
    output logic [ADDRESS_WIDTH-3:0] write_address_o,
    output logic [             31:0] write_data_o,
    input  logic                     write_ok_i,
    output logic [ADDRESS_WIDTH-3:0] read_address_o,
    input  logic [             31:0] read_data_i,
    input  logic                     read_ok_i
);
  localparam logic [1:0] OKAY = 2'b00;
  localparam logic [1:0] SLVERR = 2'b10;

  // Address and data of a write are taken together.
  logic write, read, whole;
  assign write = awvalid_i && wvalid_i && (!bvalid_o || bready_i);
  assign {awready_o, wready_o} = {write, write};
  assign whole = wstrb_i == '1 && awaddr_i[1:0] == 0;
  assign write_o = write && whole && write_ok_i;
  assign write_address_o = awaddr_i[ADDRESS_WIDTH-1:2];
  assign write_data_o = wdata_i;
  assign read = arvalid_i && arready_o;
  assign arready_o = !rvalid_o || rready_i;
  assign read_address_o = araddr_i[ADDRESS_WIDTH-1:2];

  always_ff @(posedge clk_i) begin
    if (bready_i) bvalid_o <= 1'b0;
    if (write) begin
      bvalid_o <= 1'b1;
      bresp_o <= whole && write_ok_i ? OKAY : SLVERR;
    end
    if (rready_i) rvalid_o <= 1'b0;
    if (read) begin
      rvalid_o <= 1'b1;
      rdata_o <= read_data_i;
      rresp_o <= read_ok_i && araddr_i[1:0] == 0 ? OKAY : SLVERR;
    end
    if (rst_i) begin
      bvalid_o <= 1'b0;
      rvalid_o <= 1'b0;
    end
  end
endmodule
