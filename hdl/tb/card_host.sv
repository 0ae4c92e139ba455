// SPDX-License-Identifier: MIT OR Apache-2.0
// A host's accesses to a card's registers, one at a time, for benches that a program drives.
//
// Contract: an access begins when toggle_i changes, to address_i, and writes word_i if write_i is high. It has ended when ended_o is
// toggle_i again: then resp_o and read_o are its answer. toggle_i and the access stay until then.
module card_host (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    toggle_i,
    input  logic                    write_i,
    input  logic [            31:0] address_i,
    input  logic [            31:0] word_i,
    output logic                    ended_o,
    output logic [             1:0] resp_o,
    output logic [            31:0] read_o,
    output axi_lite_pkg::request_t  request_o,
    input  axi_lite_pkg::response_t response_i
);
  logic began, under_way;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      request_o <= '0;
      {began, ended_o, under_way, resp_o} <= '0;
    end else if (!under_way) begin
      if (toggle_i != began) begin
        {began, under_way} <= {toggle_i, 1'b1};
        request_o.awvalid <= write_i;
        request_o.wvalid <= write_i;
        request_o.arvalid <= !write_i;
        {request_o.awaddr, request_o.araddr, request_o.wdata, request_o.wstrb} <= {address_i, address_i, word_i, 4'b1111};
        {request_o.bready, request_o.rready} <= 2'b11;
      end
    end else begin
      if (response_i.awready) request_o.awvalid <= 1'b0;
      if (response_i.wready) request_o.wvalid <= 1'b0;
      if (response_i.arready) request_o.arvalid <= 1'b0;
      if (response_i.bvalid || response_i.rvalid) begin
        resp_o <= response_i.bvalid ? response_i.bresp : response_i.rresp;
        read_o <= response_i.rdata;
        {ended_o, under_way} <= {began, 1'b0};
      end
    end
  end
endmodule
