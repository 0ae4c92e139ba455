// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties of delayed_scheduler without SPILL, inductive. A point that is taken, from the input or from the queue, is
// issued or queued two cycles later. A pass never runs out of entries. The first point of a pass after a drain is
// issued, so passes come to an end. fifo's own proof shows that the queue loses no entry.
if (!SPILL) begin : g_formal
  logic f_live, f_first;
  logic [AHEAD-1:0] f_judged;
  initial f_live = 1'b0;
  initial f_first = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) f_live <= 1'b1;
    f_first <= !rst_i && ((empty && waiting != 0) || (f_first && !candidate));
    f_judged <= rst_i ? '0 : AHEAD'({f_judged, f_first && candidate});
  end
  always @* if (f_live && !rst_i) begin
    assert (left <= waiting);
    assert (32'(waiting) + $countones(under_way) <= QUEUE);
    assert (offered ? issue_o != queued : !issue_o && !queued);
    assert (((valid_i && ready_o) || (again && !hold_i)) == candidate);
    assert (!again || queue_valid);
    assert (!f_first || again);
    assert (!hold_i || !candidate);
    assert (!f_judged[AHEAD-1] || issue_o);
    assert (!done_o || (waiting == 0 && !again && under_way == 0));
  end
end
