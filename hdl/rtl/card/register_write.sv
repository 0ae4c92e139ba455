// SPDX-License-Identifier: MIT OR Apache-2.0
// Writes registers on an AXI4-Lite bus, one at a time.
//
// Contract: a word and its address, in words, are offered with valid_i until done_o, which is high in the cycle in which the bus answers.
// Address and data stay on the bus until the bus has taken both. The bus must not refuse a word; simulation reports it.
module register_write #(
    parameter int ADDRESS = 10
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    valid_i,
    input  logic [     ADDRESS-1:0] address_i,
    input  logic [            31:0] data_i,
    output logic                    done_o,
    output axi_lite_pkg::request_t  request_o,
    input  axi_lite_pkg::response_t response_i
);
  logic address_taken, data_taken;
  assign done_o = address_taken && data_taken && response_i.bvalid;
  always_ff @(posedge clk_i) begin
    address_taken <= !done_o && (address_taken || (request_o.awvalid && response_i.awready));
    data_taken <= !done_o && (data_taken || (request_o.wvalid && response_i.wready));
    if (rst_i) {address_taken, data_taken} <= '0;
  end
  always_comb begin
    request_o = '0;
    request_o.awvalid = valid_i && !address_taken;
    request_o.awaddr = {(30 - ADDRESS)'(0), address_i, 2'b00};
    request_o.wvalid = valid_i && !data_taken;
    request_o.wdata = data_i;
    request_o.wstrb = '1;
    request_o.bready = address_taken && data_taken;
  end

  unread u_unread (.d_i(^{response_i.bresp, response_i.arready, response_i.rvalid, response_i.rdata, response_i.rresp}));

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && done_o && response_i.bresp[1]) $error("register_write: a word is refused");
  end
`endif
endmodule
