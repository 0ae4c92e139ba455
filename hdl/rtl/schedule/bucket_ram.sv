// SPDX-License-Identifier: MIT OR Apache-2.0
// A bucket per address, empty until written, and all empty again in one cycle: each has the number of the epoch in which
// it was written beside it.
//
// The buckets are in banks of BANK, as deep as UltraRAM, which they are where one is full; all are read, and behind their outputs
// is a register, before which one of them is chosen.
//
// Contract: occupied_o and data_o in cycle t + 2 are of the bucket at read_address_i in cycle t, before a write of the
// same cycle; data_o means something only where it is occupied. clear_i empties all buckets, with nothing on the way.
// After a reset, and after 2^EPOCH_WIDTH - 1 clears, the epochs themselves are swept: ready_o is low for BUCKETS cycles,
// in which nothing may be read, written or cleared.
module bucket_ram #(
    parameter int WIDTH = 1,
    parameter int BUCKETS = 2,
    parameter int EPOCH_WIDTH = 4,
    parameter int BANK = 4096,
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
  if (BUCKETS < 2 || EPOCH_WIDTH < 1 || BANK < 2 || BANK != 1 << $clog2(BANK)) begin : g_invalid
    $error("bucket_ram: BUCKETS is at least 2, EPOCH_WIDTH at least 1, BANK a power of two");
  end

  // Epoch 0 is of empty buckets.
  logic [EPOCH_WIDTH-1:0] epoch;
  logic sweeping;
  logic [ADDRESS-1:0] sweep;
  assign ready_o = !sweeping;

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

  // A bank's address has the lowest bits.
  localparam int BANKS = (BUCKETS + BANK - 1) / BANK;
  localparam int ROW = BANKS == 1 ? ADDRESS : $clog2(BANK);
  logic [ADDRESS-1:0] epoch_address;
  assign epoch_address = sweeping ? sweep : write_address_i;
  logic [BANKS*WIDTH-1:0] read;
  logic [BANKS-1:0] of_epoch, chosen;
  for (genvar bank = 0; bank < BANKS; bank++) begin : g_bank
    localparam int DEPTH = BANKS == 1 ? BUCKETS : BANK;
    logic [EPOCH_WIDTH-1:0] found;
    logic here, epoch_here;
    if (BANKS == 1) begin : g_one
      assign {here, epoch_here} = '1;
      assign chosen[bank] = 1'b1;
    end else begin : g_many
      assign here = write_address_i[ADDRESS-1:ROW] == (ADDRESS - ROW)'(bank);
      assign epoch_here = epoch_address[ADDRESS-1:ROW] == (ADDRESS - ROW)'(bank);
      always_ff @(posedge clk_i) chosen[bank] <= read_address_i[ADDRESS-1:ROW] == (ADDRESS - ROW)'(bank);
    end
    ram_sdp #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ULTRA(DEPTH >= BANK)) u_data (
        .clk_i, .write_i(write_i && here), .write_address_i(write_address_i[ROW-1:0]), .data_i,
        .read_address_i(read_address_i[ROW-1:0]), .data_o(read[bank*WIDTH+:WIDTH]));
    ram_sdp #(.WIDTH(EPOCH_WIDTH), .DEPTH(DEPTH)) u_epochs (
        .clk_i,
        .write_i((write_i || sweeping) && epoch_here),
        .write_address_i(epoch_address[ROW-1:0]),
        .data_i(sweeping ? '0 : epoch),
        .read_address_i(read_address_i[ROW-1:0]),
        .data_o(found)
    );
    assign of_epoch[bank] = found == epoch;
  end

  logic [WIDTH-1:0] data;
  always_comb begin
    data = '0;
    for (int bank = 0; bank < BANKS; bank++) data = data | (read[bank*WIDTH+:WIDTH] & {WIDTH{chosen[bank]}});
  end
  always_ff @(posedge clk_i) begin
    occupied_o <= |(of_epoch & chosen);
    data_o <= data;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && sweeping && (write_i || clear_i)) $error("bucket_ram: used while it is swept");
  end
`endif
endmodule
