// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties of clock_crossing: the code of a pointer changes in at most one bit at a time, so that a register of the other clock
// sees the old pointer or the new one, whichever bits it sees early.
logic f_writes, f_reads;
logic [POINTER:0] f_tail, f_head, f_tail_step, f_head_step;
initial {f_writes, f_reads} = 2'b00;
always @(posedge write_clk_i) {f_writes, f_tail} <= {!write_rst_i, tail_gray};
always @(posedge read_clk_i) {f_reads, f_head} <= {!read_rst_i, head_gray};
assign f_tail_step = tail_gray ^ f_tail;
assign f_head_step = head_gray ^ f_head;
always @* begin
  if (f_writes) assert ((f_tail_step & (f_tail_step - 1'b1)) == 0);
  if (f_reads) assert ((f_head_step & (f_head_step - 1'b1)) == 0);
end
