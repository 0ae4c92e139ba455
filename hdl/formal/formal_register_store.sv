// SPDX-License-Identifier: MIT OR Apache-2.0
// register_store with one clock on both sides, any list of two registers with words of two bits, and any bus that keeps to AXI4-Lite. The registers of the list are
// written in their order, once each; a request stays until it is taken, and the next one begins after the answer. Nothing is written before a
// start. While the bus does not wait, the list goes on within the crossing's cycles. The crossing between two clocks is proved apart.
module formal_register_store (
    input logic clk_i,
    input logic start_i,
    input logic awready_i,
    input logic wready_i,
    input logic bvalid_i
);
  localparam int CROSSING = 10;
  (* anyconst *) logic [7:0] chosen;
  logic [2*34-1:0] words;
  assign words = {chosen[7:6], 30'd0, chosen[5:4], chosen[3:2], 30'd0, chosen[1:0]};
  logic reset;
  logic [2:0] cycle;
  initial cycle = '0;
  always @(posedge clk_i) if (cycle != 5) cycle <= cycle + 1'b1;
  assign reset = cycle < 4;

  axi_lite_pkg::request_t request;
  axi_lite_pkg::response_t response;
  register_store #(.WORDS(2), .ADDRESS(2)) u_dut (
      .clk_i, .rst_i(reset), .start_i, .words_i(words), .other_clk_i(clk_i), .other_rst_i(reset), .request_o(request),
      .response_i(response)
  );
  assign response = {awready_i, wready_i, bvalid_i, 2'b00, 1'b0, 1'b0, 32'd0, 2'b00};

  // Requests and answers of the list that has begun; 2 of each at its end.
  logic begun, address_waits, data_waits, takes_address, takes_data, takes_answer;
  logic [1:0] addresses, data, answers;
  logic [3:0] idle;
  assign takes_address = request.awvalid && awready_i;
  assign takes_data = request.wvalid && wready_i;
  assign takes_answer = bvalid_i && request.bready;
  always @(posedge clk_i) begin
    address_waits <= request.awvalid && !awready_i;
    data_waits <= request.wvalid && !wready_i;
    addresses <= addresses + 2'(takes_address);
    data <= data + 2'(takes_data);
    answers <= answers + 2'(takes_answer);
    idle <= !begun || answers == 2 || request.awvalid || request.wvalid || addresses != answers ? '0 : idle + 1'b1;
    if (start_i) begun <= 1'b1;
    if (reset) {address_waits, data_waits, addresses, data, answers, begun, idle} <= '0;
  end
  always @* begin
    // One list.
    if (reset || begun) assume (!start_i);
    if (bvalid_i) assume (addresses != answers && data != answers);
  end
  always @* if (!reset) begin
    if (request.awvalid) assert (begun && addresses < 2 && addresses == answers && request.awaddr == 4 * words[addresses*34+32+:2]);
    if (request.wvalid) assert (begun && data < 2 && data == answers && request.wdata == words[data*34+:32] && request.wstrb == '1);
    if (address_waits) assert (request.awvalid);
    if (data_waits) assert (request.wvalid);
    assert (request.bready == (addresses != answers && data != answers));
    assert (idle < CROSSING && !request.arvalid);
  end
endmodule
