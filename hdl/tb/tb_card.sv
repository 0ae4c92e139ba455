// SPDX-License-Identifier: MIT OR Apache-2.0
// The masters of rtl/card with a card's memory: words of WIDTH bits are packed, written, read back and unpacked. Words of in_i and
// out_o are filled up to 32 bits.
//
//   in_i: the word; then a word of 32 bits: bit 0: a word comes, 1: it is the last one of its packet, 2: a stretch to write,
//         3: a stretch to read, 4: the word that is offered is taken; then 32 bits of its first beat, and 32 bits of its beats
//   out_o: the word; then a word of 32 bits: bit 0: the input word is taken, 1: the stretch to write is taken, 2: the stretch to
//          read is taken, 3: a word is offered, 4: it is the last one of its packet, 5: a stretch is written, 6 and 7: an error of
//          writing, of reading, 8: something is outstanding; bits 16 to 23 and 24 to 31: bursts without answers of either master
//
// All outputs belong to the current cycle; valid_o is always high.
`include "ports.svh"
module tb_card #(
    parameter int WIDTH = 1152,
    parameter int BURST = 16,
    parameter int OUTSTANDING = 4,
    parameter int KIND = 1,
    parameter int PAUSES = 0,
    localparam int WORDS = (WIDTH + 31) / 32
) (
    input  logic                      clk_i,
    input  logic                      rst_i,
    input  logic                      valid_i,
    output logic                      ready_o,
    input  logic [(WORDS+3)*32-1:0]   in_i,
    output logic                      valid_o,
    input  logic                      ready_i,
    output logic [(WORDS+1)*32-1:0]   out_o,
    output logic [             31:0]  latency_o
);
  assign latency_o = '0;
  assign ready_o = 1'b1;
  assign valid_o = 1'b1;
  `AXI_READ_WIRES(axi)
  `AXI_WRITE_WIRES(axi)

  logic [31:0] asks, address, beats;
  logic word_ready, write_ready, read_ready, word_valid, word_last, done, write_error, read_error, write_busy, read_busy;
  logic [WIDTH-1:0] word;
  assign {beats, address, asks} = in_i[WORDS*32+:96];
  assign out_o = {
    8'(writes), 8'(reads), 7'b0, write_busy || read_busy, read_error, write_error, done, word_last, word_valid, read_ready,
    write_ready, word_ready, (WORDS * 32)'(word)
  };

  logic pack_valid, pack_ready, unused_pack_last, data_valid, data_ready, data_last;
  logic [511:0] pack, data;
  gearbox #(.IN(WIDTH), .OUT(512)) u_pack (
      .clk_i, .rst_i, .valid_i(valid_i && asks[0]), .ready_o(word_ready), .data_i(in_i[WIDTH-1:0]), .last_i(asks[1]),
      .valid_o(pack_valid), .ready_i(pack_ready), .data_o(pack), .last_o(unused_pack_last)
  );
  axi_write_master #(.BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_write (
      .clk_i, .rst_i, .valid_i(valid_i && asks[2]), .ready_o(write_ready), .address_i(58'(address)), .beats_i(beats),
      .data_valid_i(pack_valid), .data_ready_o(pack_ready), .data_i(pack), .done_o(done), .busy_o(write_busy),
      .error_o(write_error), `AXI_WRITE_CONNECT(m_axi, axi)
  );
  axi_read_master #(.BURST(BURST), .OUTSTANDING(OUTSTANDING)) u_read (
      .clk_i, .rst_i, .valid_i(valid_i && asks[3]), .ready_o(read_ready), .address_i(58'(address)), .beats_i(beats), .stop_i(1'b0),
      .data_valid_o(data_valid), .data_ready_i(data_ready), .data_o(data), .data_last_o(data_last), .busy_o(read_busy),
      .error_o(read_error), `AXI_READ_CONNECT(m_axi, axi)
  );
  gearbox #(.IN(512), .OUT(WIDTH), .PAD(0)) u_unpack (
      .clk_i, .rst_i, .valid_i(data_valid), .ready_o(data_ready), .data_i(data), .last_i(data_last), .valid_o(word_valid),
      .ready_i(asks[4]), .data_o(word), .last_o(word_last)
  );
  tb_axi_memory #(.KIND(KIND), .PAUSES(PAUSES), .BEATS(1 << 16)) u_memory (
      .clk_i, .rst_i, `AXI_READ_CONNECT(s_axi, axi), `AXI_WRITE_CONNECT(s_axi, axi));

  // Bursts that wait on the bus, counted there; AXI's rule of stability.
  logic [7:0] reads, writes;
  logic ar_waits, aw_waits, w_waits;
  logic [71:0] ar, aw;
  logic [512:0] w;
  always_ff @(posedge clk_i) begin
    reads <= reads + 8'(axi_arvalid && axi_arready) - 8'(axi_rvalid && axi_rready && axi_rlast);
    writes <= writes + 8'(axi_awvalid && axi_awready) - 8'(axi_bvalid && axi_bready);
    {ar_waits, aw_waits, w_waits} <= {
      axi_arvalid && !axi_arready, axi_awvalid && !axi_awready, axi_wvalid && !axi_wready
    };
    ar <= {axi_araddr, axi_arlen};
    aw <= {axi_awaddr, axi_awlen};
    w <= {axi_wdata, axi_wlast};
    if (rst_i) begin
      {reads, writes} <= '0;
      {ar_waits, aw_waits, w_waits} <= '0;
    end else begin
      if (ar_waits && (!axi_arvalid || ar != {axi_araddr, axi_arlen})) $error("tb_card: a read changed while it waited");
      if (aw_waits && (!axi_awvalid || aw != {axi_awaddr, axi_awlen})) $error("tb_card: a write changed while it waited");
      if (w_waits && (!axi_wvalid || w != {axi_wdata, axi_wlast})) $error("tb_card: a beat changed while it waited");
      if (axi_arvalid && 32'(axi_arlen) >= BURST || axi_awvalid && 32'(axi_awlen) >= BURST) $error("tb_card: a burst is too long");
    end
  end

  unread u_unread (.d_i(^{ready_i, in_i, asks}));
endmodule
