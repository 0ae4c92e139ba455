// SPDX-License-Identifier: MIT OR Apache-2.0
// msmac_dealer with any task and any streams. Packets are the program's words for all elements, with their numbers; then a share for each
// element, in order, with the number of its first sum (msmac_shares is proved apart); then each point with its scalar, for the element
// whose turn it is; and no others. A packet that is offered stays, and each input is taken with its packet. A word of a stream is its
// number.
module formal_dealer #(
    parameter int PES = 3,
    parameter int BLOCK = 2,
    parameter int COUNT = 3
) (
    input logic clk_i,
    input logic rst_i,
    input logic task_i,
    input logic program_i,
    input logic point_i,
    input logic scalar_i,
    input logic ready_i
);
  initial assume (rst_i);
  (* anyconst *) logic [COUNT-1:0] points;
  (* anyconst *) logic [1:0] elements;
  (* anyconst *) logic [1:0] length;
  (* anyconst *) logic [1:0] sums;
  logic task_ready, program_ready, point_ready, scalar_ready, valid;
  logic [1:0] to;
  msmac_card_pkg::packet_t packet;
  // Taken of the task under way: words of the program, shares, points; and where its packets are.
  logic [1:0] words, shares;
  logic [COUNT-1:0] dealt;
  logic in_program, in_shares, in_points;
  msmac_dealer #(.PES(PES), .BLOCK(BLOCK), .COUNT(COUNT)) u_dut (
      .clk_i, .rst_i, .task_valid_i(task_i), .task_ready_o(task_ready), .points_i(points), .elements_i(elements),
      .length_i(13'(length)), .sums_i(16'(sums)), .program_valid_i(program_i), .program_ready_o(program_ready),
      .program_i({510'd0, words}), .program_last_i(words == 1), .point_valid_i(point_i), .point_ready_o(point_ready),
      .point_i(512'(dealt)), .point_last_i(dealt + 1'b1 == points), .scalar_valid_i(scalar_i), .scalar_ready_o(scalar_ready),
      .scalar_i(256'(~dealt)), .packet_valid_o(valid), .packet_ready_i(ready_i), .to_o(to), .packet_o(packet)
  );

  logic live, takes, waits, last_share;
  logic [2:0] streams;
  assign takes = valid && ready_i;
  assign in_program = words != 2;
  assign in_shares = !in_program && shares != elements;
  assign in_points = !in_program && !in_shares;
  initial live = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    waits <= valid && !ready_i && !rst_i;
    streams <= rst_i ? '0 : {program_i && !program_ready, point_i && !point_ready, scalar_i && !scalar_ready};
    if (takes && in_program) words <= words + 1'b1;
    if (takes && in_shares) shares <= shares + 1'b1;
    if (takes && in_points) dealt <= dealt + 1'b1;
    if (rst_i || task_ready) {words, shares, dealt} <= '0;
  end
  always @* begin
    assume (elements != 0 && points > BLOCK * (elements - 1));
    if (live) assume (!rst_i && task_i);
    if (streams[2]) assume (program_i);
    if (streams[1]) assume (point_i);
    if (streams[0]) assume (scalar_i);
  end
  always @* if (live && !rst_i) begin
    if (waits) assert (valid);
    assert (program_ready == (in_program && ready_i));
    assert (point_ready == (in_points && takes) && scalar_ready == point_ready);
    assert (task_ready == (point_ready && dealt + 1'b1 == points));
    if (in_program) assert (valid == program_i);
    if (in_points) assert (valid == (point_i && scalar_i));
    if (valid && in_program) begin
      assert (to == PES && packet.kind == msmac_card_pkg::PROGRAM && packet.content[513:0] == {words, 510'd0, words});
    end
    if (valid && in_shares) begin
      assert (to == shares && packet.kind == msmac_card_pkg::SHARE && packet.content[80:61] == shares * sums);
      assert (packet.content[60:45] == sums && packet.content[44:32] == length);
    end
    if (valid && in_points) begin
      assert (to == (dealt / BLOCK) % elements && packet.kind == msmac_card_pkg::POINT);
      assert (packet.content[COUNT-1:0] == dealt && packet.content[512+:COUNT] == COUNT'(~dealt));
    end
  end
endmodule
