// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties of fifo, inductive. One arbitrary entry is watched from the cycle in which it is taken. It leaves
// unchanged, behind exactly the entries that were there before it. So no entry is lost, invented or out of order.
logic f_live, f_watched;
initial f_live = 1'b0;
initial f_watched = 1'b0;
(* anyseq *) logic f_watch;
logic [COUNT-1:0] f_ahead;
logic [WIDTH-1:0] f_data;

// Positions in the ring, without a division.
function automatic logic [POINTER:0] f_place(input logic [POINTER-1:0] from, input logic [COUNT-1:0] steps);
  f_place = (POINTER + 1)'(from) + (POINTER + 1)'(steps);
  if (f_place >= (POINTER + 1)'(DEPTH)) f_place = f_place - (POINTER + 1)'(DEPTH);
endfunction

always @(posedge clk_i) begin
  if (rst_i) begin
    f_live <= 1'b1;
    f_watched <= 1'b0;
  end else if (!f_watched) begin
    f_watched <= take && f_watch;
    f_ahead <= count_o - COUNT'(leave);
    f_data <= data_i;
  end else if (leave) begin
    f_watched <= f_ahead != 0;
    f_ahead <= f_ahead - 1'b1;
  end
end

always @* if (f_live) begin
  assert (count_o <= COUNT'(DEPTH));
  assert (head < DEPTH && tail < DEPTH);
  assert (f_place(head, count_o) == (POINTER + 1)'(tail));
  assert (almost_full_o == (DEPTH - 32'(count_o) <= HEADROOM));
  assert (valid_o == (count_o != 0));
  if (f_watched) begin
    assert (f_ahead < count_o);
    assert (ring[f_place(head, f_ahead)] == f_data);
    assert (f_ahead != 0 || data_o == f_data);
  end
  // With MUST_TAKE, an entry that comes to a full queue is lost.
  if (MUST_TAKE && !rst_i) assert (!valid_i || ready_o);
end
