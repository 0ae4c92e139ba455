// SPDX-License-Identifier: MIT OR Apache-2.0
// AXI4-Lite on one side, words that are written and read on the other. No burst, one access of each kind at a time.
//
// Its outputs on the bus are registers, as AXI4 asks: no wire goes from the host through to the host.
//
// Contract: the address and the data of a write are taken in the same cycle, at least one cycle after both are there
// and the previous answer has been taken; the address of a read is taken at least one cycle after it is there and the
// previous answer has been taken. write_ok_i says in the same cycle whether write_data_o may go to write_address_o.
// write_ok_i must not depend on write_o, which says that the write happens. If write_ok_i is low, or if the write has
// only a part of a word, the answer is SLVERR. read_data_i and read_ok_i are for read_address_o in the same cycle.
// Addresses count words. A bus address that is not a multiple of four is an error.
module axi_lite_slave #(
    parameter int ADDRESS_WIDTH = 8
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  axi_lite_pkg::request_t   axi_i,
    output axi_lite_pkg::response_t  axi_o,
    output logic                     write_o,
    output logic [ADDRESS_WIDTH-3:0] write_address_o,
    output logic [             31:0] write_data_o,
    input  logic                     write_ok_i,
    output logic [ADDRESS_WIDTH-3:0] read_address_o,
    input  logic                     read_wait_i,
    input  logic [             31:0] read_data_i,
    input  logic                     read_ok_i
);
  if (ADDRESS_WIDTH < 3 || ADDRESS_WIDTH > 32) begin : g_invalid
    $error("axi_lite_slave: ADDRESS_WIDTH is from 3 to 32");
  end

  logic write_ready, read_ready, write, read, whole, bvalid, rvalid;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata;
  assign write = write_ready && axi_i.awvalid && axi_i.wvalid;
  assign whole = axi_i.wstrb == '1 && axi_i.awaddr[1:0] == 0;
  assign write_o = write && whole && write_ok_i;
  assign write_address_o = axi_i.awaddr[ADDRESS_WIDTH-1:2];
  assign write_data_o = axi_i.wdata;
  assign read = read_ready && axi_i.arvalid;
  assign read_address_o = axi_i.araddr[ADDRESS_WIDTH-1:2];
  assign axi_o = {write_ready, write_ready, bvalid, bresp, read_ready, rvalid, rdata, rresp};

  always_ff @(posedge clk_i) begin
    write_ready <= axi_i.awvalid && axi_i.wvalid && !write_ready && !bvalid;
    if (axi_i.bready) bvalid <= 1'b0;
    if (write) begin
      bvalid <= 1'b1;
      bresp <= whole && write_ok_i ? axi_lite_pkg::OKAY : axi_lite_pkg::SLVERR;
    end
    read_ready <= axi_i.arvalid && !read_ready && !rvalid && !read_wait_i;
    if (axi_i.rready) rvalid <= 1'b0;
    if (read) begin
      rvalid <= 1'b1;
      rdata <= read_data_i;
      rresp <= read_ok_i && axi_i.araddr[1:0] == 0 ? axi_lite_pkg::OKAY : axi_lite_pkg::SLVERR;
    end
    if (rst_i) {write_ready, bvalid, read_ready, rvalid} <= '0;
  end

  unread u_unread (.d_i(^{axi_i.awaddr, axi_i.araddr}));
endmodule
