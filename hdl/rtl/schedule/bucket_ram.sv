// SPDX-License-Identifier: MIT OR Apache-2.0
// A bucket per address, empty until written, and all empty again in one cycle: each has the number of the epoch in which
// it was written beside it.
//
// Contract: occupied_o and data_o in cycle t + 1 are of the bucket at read_address_i in cycle t, before a write of the
// same cycle; data_o means something only where it is occupied. clear_i empties all buckets, with nothing on the way.
// After a reset, and after 2^EPOCH_WIDTH - 1 clears, the epochs themselves are swept: ready_o is low for BUCKETS cycles,
// in which nothing may be read, written or cleared.
module bucket_ram #(
    parameter int WIDTH = 1,
    parameter int BUCKETS = 2,
    parameter int EPOCH_WIDTH = 4,
    localparam int ADDRESS = $clog2(BUCKETS)
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               clear_i,
    output logic               ready_o,
    input  logic [ADDRESS-1:0] read_address_i,
    output logic               occupied_o,
    output logic [  WIDTH-1:0] data_o,
    input  logic               write_i,
    input  logic [ADDRESS-1:0] write_address_i,
    input  logic [  WIDTH-1:0] data_i
);
  if (BUCKETS < 2 || EPOCH_WIDTH < 1) begin : g_invalid
    $error("bucket_ram: BUCKETS is at least 2, EPOCH_WIDTH at least 1");
  end

  // Epoch 0 is of empty buckets.
  logic [EPOCH_WIDTH-1:0] epoch, found;
  logic sweeping;
  logic [ADDRESS-1:0] sweep;
  assign ready_o = !sweeping;
  assign occupied_o = found == epoch;

  always_ff @(posedge clk_i) begin
    if (sweeping) begin
      sweep <= sweep + 1'b1;
      sweeping <= sweep != ADDRESS'(BUCKETS - 1);
    end
    if (clear_i) begin
      epoch <= epoch + 1'b1;
      if (&epoch) begin
        epoch <= EPOCH_WIDTH'(1);
        sweeping <= 1'b1;
        sweep <= '0;
      end
    end
    if (rst_i) begin
      epoch <= EPOCH_WIDTH'(1);
      sweeping <= 1'b1;
      sweep <= '0;
    end
  end

  ram_sdp #(.WIDTH(WIDTH), .DEPTH(BUCKETS)) u_data (
      .clk_i, .write_i, .write_address_i, .data_i, .read_address_i, .data_o);
  ram_sdp #(.WIDTH(EPOCH_WIDTH), .DEPTH(BUCKETS)) u_epochs (
      .clk_i,
      .write_i(write_i || sweeping),
      .write_address_i(sweeping ? sweep : write_address_i),
      .data_i(sweeping ? '0 : epoch),
      .read_address_i,
      .data_o(found)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && sweeping && (write_i || clear_i)) $error("bucket_ram: used while it is swept");
  end
`endif
endmodule
