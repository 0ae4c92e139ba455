// SPDX-License-Identifier: MIT OR Apache-2.0
// A bucket per address, empty until written. One cycle empties all buckets, because each bucket stores the number of
// the epoch in which it was written.
//
// The buckets are in banks of BANK, the depth of UltraRAM; a full bank is an UltraRAM. Each bank has its own register
// for the address, and is enabled if it has the bucket. One register follows the banks. With LATENCY 4 or 5, another
// register is at the output of each bank; with LATENCY 5, one more register is between the two halves of the tree that
// joins the banks:
//
//   1  address and enable of each bank    2  RAM    [3  output of each bank    [4  banks in groups]]    LATENCY  all banks
//
// Contract: occupied_o and data_o in cycle t + LATENCY belong to the bucket at read_address_i in cycle t, if read_i,
// before a write of cycle t + 1; data_o is valid only if the bucket is occupied. clear_i empties all buckets, while no
// read or write is under way. After a reset, and after 2^EPOCH_WIDTH - 1 clears, the epochs themselves are swept:
// ready_o is low for BUCKETS cycles, in which no bucket may be read, written or cleared.
module bucket_ram #(
    parameter int WIDTH = 1,
    parameter int BUCKETS = 2,
    parameter int EPOCH_WIDTH = 4,
    parameter int BANK = 4096,
    parameter int LATENCY = 3,
    localparam int ADDRESS = $clog2(BUCKETS)
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               clear_i,
    output logic               ready_o,
    input  logic               read_i,
    input  logic [ADDRESS-1:0] read_address_i,
    output logic               occupied_o,
    output logic [  WIDTH-1:0] data_o,
    input  logic               write_i,
    input  logic [ADDRESS-1:0] write_address_i,
    input  logic [  WIDTH-1:0] data_i
);
  if (BUCKETS < 2 || EPOCH_WIDTH < 1 || BANK < 2 || BANK != 1 << $clog2(BANK) || LATENCY < 3 || LATENCY > 5) begin : g_invalid
    $error("bucket_ram: BUCKETS is at least 2, EPOCH_WIDTH at least 1, BANK a power of two, LATENCY 3 to 5");
  end

  // Epoch 0 marks empty buckets.
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

  // The lowest bits are the address within a bank.
  localparam int BANKS = (BUCKETS + BANK - 1) / BANK;
  localparam int ROW = BANKS == 1 ? ADDRESS : $clog2(BANK);
  logic [ADDRESS-1:0] epoch_address;
  assign epoch_address = sweeping ? sweep : write_address_i;
  // The word of a bank, after a bit that says whether the word is of this epoch; zeros if the bank was not read.
  localparam int ENTRY = WIDTH + 1;
  logic [BANKS*ENTRY-1:0] read;
  for (genvar bank = 0; bank < BANKS; bank++) begin : g_bank
    localparam int DEPTH = BANKS == 1 ? BUCKETS : BANK;
    (* keep *) logic [ROW-1:0] row;
    logic [EPOCH_WIDTH-1:0] found;
    logic [WIDTH-1:0] data;
    logic of_bank, here, epoch_here, enable, there;
    if (BANKS == 1) begin : g_one
      assign {of_bank, here, epoch_here} = '1;
    end else begin : g_many
      assign of_bank = read_address_i[ADDRESS-1:ROW] == (ADDRESS - ROW)'(bank);
      assign here = write_address_i[ADDRESS-1:ROW] == (ADDRESS - ROW)'(bank);
      assign epoch_here = epoch_address[ADDRESS-1:ROW] == (ADDRESS - ROW)'(bank);
    end
    always_ff @(posedge clk_i) begin
      row <= read_address_i[ROW-1:0];
      enable <= read_i && of_bank;
      there <= enable;
    end
    ram_sdp #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ULTRA(DEPTH >= BANK)) u_data (
        .clk_i, .write_i(write_i && here), .write_address_i(write_address_i[ROW-1:0]), .data_i,
        .read_i(enable), .read_address_i(row), .data_o(data));
    ram_sdp #(.WIDTH(EPOCH_WIDTH), .DEPTH(DEPTH)) u_epochs (
        .clk_i,
        .write_i((write_i || sweeping) && epoch_here),
        .write_address_i(epoch_address[ROW-1:0]),
        .data_i(sweeping ? '0 : epoch),
        .read_i(enable),
        .read_address_i(row),
        .data_o(found)
    );
    logic [ENTRY-1:0] entry;
    assign entry = {found == epoch, data} & {ENTRY{there}};
    delay_line #(.WIDTH(ENTRY), .DEPTH(LATENCY > 3 ? 1 : 0)) u_entry (
        .clk_i, .d_i(entry), .q_o(read[bank*ENTRY+:ENTRY]));
  end

  // The banks, of which at most one is not zero, joined in groups, and then the groups.
  localparam int GROUP = LATENCY == 5 ? 5 : 1;
  localparam int GROUPS = (BANKS + GROUP - 1) / GROUP;
  logic [GROUPS*ENTRY-1:0] groups, joined;
  logic [ENTRY-1:0] all;
  for (genvar i = 0; i < GROUPS; i++) begin : g_group
    logic [ENTRY-1:0] group;
    always_comb begin
      group = '0;
      for (int bank = i * GROUP; bank < (i + 1) * GROUP && bank < BANKS; bank++) begin
        group = group | read[bank*ENTRY+:ENTRY];
      end
    end
    assign groups[i*ENTRY+:ENTRY] = group;
  end
  always_comb begin
    all = '0;
    for (int i = 0; i < GROUPS; i++) all = all | joined[i*ENTRY+:ENTRY];
  end
  delay_line #(.WIDTH(GROUPS * ENTRY), .DEPTH(LATENCY == 5 ? 1 : 0)) u_groups (.clk_i, .d_i(groups), .q_o(joined));
  always_ff @(posedge clk_i) {occupied_o, data_o} <= all;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && sweeping && (write_i || clear_i)) $error("bucket_ram: used while it is swept");
  end
`endif
endmodule
