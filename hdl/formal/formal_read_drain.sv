// SPDX-License-Identifier: MIT OR Apache-2.0
// axi_read_master that is asked to drain at any time, with the memory of formal_axi_read. A request stays until it is taken. While the
// master drains, it makes no further request and offers no beat. The master says that it is busy exactly if the bus, the memory or
// its two places have something of a burst. Each beat inside is dropped in its cycle, so that the drain ends with the memory's answers.
module formal_read_drain #(
    parameter int BURST = 4,
    parameter int OUTSTANDING = 2,
    parameter int COUNT = 4,
    parameter int ADDRESS = 13
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             valid_i,
    input logic [ADDRESS-2:0] address_i,
    input logic [COUNT-1:0] beats_i,
    input logic             stop_i,
    input logic             data_ready_i,
    input logic             arready_i,
    input logic             rvalid_i
);
  initial assume (rst_i);
  logic ready, data_valid, data_last, busy, error, arvalid, rready, open, last;
  logic [15:0] data;
  logic [ADDRESS-1:0] araddr;
  logic [7:0] arlen, len, beat;
  axi_read_master #(.BURST(BURST), .OUTSTANDING(OUTSTANDING), .COUNT(COUNT), .ADDRESS(ADDRESS), .DATA(16)) u_dut (
      .clk_i, .rst_i, .valid_i, .ready_o(ready), .address_i, .beats_i, .stop_i, .data_valid_o(data_valid), .data_ready_i,
      .data_o(data), .data_last_o(data_last), .busy_o(busy), .error_o(error), .m_axi_arvalid(arvalid),
      .m_axi_arready(arready_i), .m_axi_araddr(araddr), .m_axi_arlen(arlen), .m_axi_rvalid(rvalid_i),
      .m_axi_rready(rready), .m_axi_rdata(16'd0), .m_axi_rresp(2'd0), .m_axi_rlast(last)
  );

  // The memory's bursts without all of their beats.
  logic room, almost_full, comes;
  logic [2:0] count;
  fifo #(.WIDTH(8), .DEPTH(4)) u_bursts (
      .clk_i, .rst_i, .valid_i(arvalid && arready_i), .ready_o(room), .data_i(arlen), .valid_o(open),
      .ready_i(comes && last), .data_o(len), .count_o(count), .almost_full_o(almost_full)
  );
  assign comes = rvalid_i && rready;
  assign last = beat == len;
  logic live, waits, waited, stopped, came, offered;
  logic [ADDRESS-1:0] waiting_address;
  logic [7:0] waiting_len;
  logic [1:0] held, held_before;
  initial live = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    waits <= arvalid && !arready_i;
    {waiting_address, waiting_len} <= {araddr, arlen};
    waited <= rvalid_i && !rready;
    stopped <= stop_i;
    offered <= arvalid;
    came <= comes;
    held_before <= held;
    held <= held + 2'(comes) - 2'(held != 0 && (stop_i || data_ready_i));
    if (comes) beat <= last ? '0 : beat + 1'b1;
    if (rst_i) begin
      {waits, waited, stopped, came, offered} <= '0;
      beat <= '0;
      {held, held_before} <= '0;
    end
  end
  always @* begin
    if (valid_i) assume (beats_i != 0);
    if (rvalid_i) assume (open);
    if (waited) assume (rvalid_i);
  end
  always @* if (live && !rst_i) begin
    if (waits) assert (arvalid && araddr == waiting_address && arlen == waiting_len);
    if (stopped && !waits) assert (!arvalid);
    if (stop_i) assert (!data_valid);
    if (stopped) begin
      assert (busy == (arvalid || open || held != 0));
      assert (held_before == 0 || held == held_before - 1'b1 + 2'(came));
    end
    // A core's reset meets nothing outstanding.
    if (!busy) assert (!arvalid && !open && held == 0);
  end
endmodule
