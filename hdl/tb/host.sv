// SPDX-License-Identifier: MIT OR Apache-2.0
// A host on AXI4-Lite that runs the lines of a file (word_file) one after the other: an operation, then address, data
// and mask of 32 bits.
//
//   1 writes data; 2 reads, and data must match where mask has ones; 3 reads until data matches; 4 makes streams begin
//   (go_o); 5 waits for a number of cycles; 6 waits until all words have come (received_i)
module host #(
    parameter string NAME = ""
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    output axi_lite_pkg::request_t  axi_o,
    input  axi_lite_pkg::response_t axi_i,
    output logic                    go_o,
    input  logic                    received_i,
    output logic                    done_o,
    output int                      wrong_o
);
  localparam logic [3:0] WRITE = 4'd1, EXPECT = 4'd2, WAIT_FOR = 4'd3, SEND = 4'd4, IDLE = 4'd5, RECEIVE = 4'd6;
  int line, idle, count;
  logic [3:0] operation;
  logic [31:0] address, data, mask;
  word_file #(.NAME(NAME), .WIDTH(96)) u_lines (
      .line_i(line), .digit_o(operation), .word_o({address, data, mask}), .count_o(count));
  assign done_o = line == count;

  // An access under way: requests that have not been taken yet, and the answer that is to come.
  logic awvalid, wvalid, arvalid, waiting, answered, right;
  assign axi_o = {awvalid, address, wvalid, data, 4'hf, 1'b1, arvalid, address, 1'b1};
  assign answered = waiting && (operation == WRITE ? axi_i.bvalid : axi_i.rvalid);
  assign right = operation == WRITE ? axi_i.bresp == 0 : axi_i.rresp == 0 && (axi_i.rdata & mask) == data;
  initial begin
    line = 0;
    idle = 0;
    wrong_o = 0;
    {awvalid, wvalid, arvalid, waiting, go_o} = '0;
  end
  always @(posedge clk_i) begin
    if (axi_i.awready) awvalid <= 1'b0;
    if (axi_i.wready) wvalid <= 1'b0;
    if (axi_i.arready) arvalid <= 1'b0;
    if (!rst_i && !done_o) begin
      case (operation)
        WRITE, EXPECT, WAIT_FOR: begin
          if (!waiting) begin
            waiting <= 1'b1;
            awvalid <= operation == WRITE;
            wvalid <= operation == WRITE;
            arvalid <= operation != WRITE;
          end
          if (answered) begin
            waiting <= 1'b0;
            if (right || operation != WAIT_FOR) line <= line + 1;
            if (!right && operation != WAIT_FOR) begin
              $display("%s: line %0d: register %h is %0d instead of %0d", NAME, line + 1, address, axi_i.rdata, data);
              wrong_o <= wrong_o + 1;
            end
          end
        end
        SEND: begin
          go_o <= 1'b1;
          line <= line + 1;
        end
        IDLE: begin
          idle <= idle == data ? 0 : idle + 1;
          if (idle == data) line <= line + 1;
        end
        RECEIVE: if (received_i) line <= line + 1;
        default: $fatal(1, "%s: line %0d: there is no operation %0d", NAME, line + 1, operation);
      endcase
    end
  end
endmodule
