// SPDX-License-Identifier: MIT OR Apache-2.0
// axi_lite_registers, and axi_lite_slave in it, with any host that keeps to AXI4-Lite. Each access gets exactly one
// answer, which stays until it is taken. The answer is OKAY, and a write changes the register, exactly if the address
// has a register and the whole word is written. A read gives the value of the cycle in which the address was taken. No
// output depends on an input of its own cycle.
module formal_axi_lite #(
    parameter int WORDS = 3
) (
    input logic                   clk_i,
    input logic                   rst_i,
    input axi_lite_pkg::request_t axi_i,
    input logic [3*32-1:0]        values_i
);
  initial assume (rst_i);
  axi_lite_pkg::response_t axi;
  logic write;
  logic [1:0] index;
  logic [31:0] data;
  axi_lite_registers #(.WORDS(WORDS), .WRITABLE(3'b010)) u_dut (
      .clk_i, .rst_i, .axi_i, .axi_o(axi), .values_i, .write_o(write), .write_index_o(index), .write_data_o(data));

  logic live, takes_write, takes_read, may_write, may_read, write_open, read_open, write_ok, read_ok;
  logic write_asked, read_asked;
  logic [31:0] expected, value;
  initial live = 1'b0;
  assign takes_write = axi_i.awvalid && axi.awready;
  assign takes_read = axi_i.arvalid && axi.arready;
  assign may_write = axi_i.awaddr[3:0] == 4 && axi_i.wstrb == 4'hf;
  assign may_read = axi_i.araddr[1:0] == 0 && axi_i.araddr[3:2] < WORDS;
  always @* case (axi_i.araddr[3:2])
    0: value = values_i[31:0];
    1: value = values_i[63:32];
    2: value = values_i[95:64];
    default: value = '0;
  endcase
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    // A host keeps a request until it is taken.
    write_asked <= axi_i.awvalid && axi_i.wvalid && !takes_write && !write_open;
    read_asked <= axi_i.arvalid && !takes_read && !read_open;
    if (takes_write) {write_open, write_ok} <= {1'b1, may_write};
    else if (axi_i.bready) write_open <= 1'b0;
    if (takes_read) {read_open, read_ok, expected} <= {1'b1, may_read, value};
    else if (axi_i.rready) read_open <= 1'b0;
    if (rst_i) {write_open, read_open, write_asked, read_asked} <= '0;
  end
  always @* begin
    if (write_asked) assume (axi_i.awvalid && axi_i.wvalid);
    if (read_asked) assume (axi_i.arvalid);
  end
  always @* if (live && !rst_i) begin
    // These outputs depend on registers of this module only, not on inputs. And no request waits for ever.
    assert (axi.awready == write_asked && axi.wready == write_asked && axi.arready == read_asked);
    assert (takes_write == (axi_i.wvalid && axi.wready));
    assert (write == (takes_write && may_write));
    if (write) assert (index == 1 && data == axi_i.wdata);
    assert (axi.bvalid == write_open && axi.rvalid == read_open);
    // An answer waits for the host: until then, no access is taken whose answer would replace it.
    if (write_open && !axi_i.bready) assert (!takes_write);
    if (read_open && !axi_i.rready) assert (!takes_read);
    if (write_open) assert (axi.bresp == (write_ok ? 2'b00 : 2'b10));
    if (read_open) assert (axi.rresp == (read_ok ? 2'b00 : 2'b10));
    if (read_open && (read_ok || expected == 0)) assert (axi.rdata == expected);
  end
endmodule
