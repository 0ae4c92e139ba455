// SPDX-License-Identifier: MIT OR Apache-2.0
// card_control with any host, any errors and any core. Masters begin nothing while they drain (formal_read_drain): after a cycle with
// stop_o in which nothing was outstanding, nothing is; and in reset nothing is. Then the core's reset and the reset of the ways to it
// begin only when nothing is outstanding, and nothing begins until both have ended. A task is done when all of its results are written. Every state can
// be left: a drain ends when nothing is outstanding.
module formal_card_control (
    input logic       clk_i,
    input logic       rst_i,
    input logic       start_i,
    input logic       reset_i,
    input logic [1:0] results_i,
    input logic       refused_i,
    input logic       written_i,
    input logic       busy_i,
    input logic       error_i,
    input logic       core_in_reset_i
);
  initial assume (rst_i);
  logic start, stop, clear, core_reset, idle, running, done;
  logic [2:0] causes;
  card_control #(.ERRORS(1)) u_dut (
      .clk_i, .rst_i, .start_i, .reset_i, .results_i(32'(results_i)), .refused_i, .written_i, .busy_i, .error_i,
      .core_in_reset_i, .start_o(start), .stop_o(stop), .clear_o(clear), .core_reset_o(core_reset), .idle_o(idle),
      .running_o(running), .done_o(done), .causes_o(causes)
  );

  logic live, was_reset, quiet, cleared, asked, in_reset, drained, was_done, was_busy, was_start, was_refused, was_idle, was_error,
      was_running;
  logic [31:0] expected, written;
  initial live = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) live <= 1'b1;
    was_reset <= rst_i;
    quiet <= stop && !busy_i;
    cleared <= clear;
    asked <= core_reset;
    in_reset <= core_in_reset_i;
    drained <= stop && !clear && !busy_i;
    was_done <= done;
    was_busy <= busy_i;
    {was_start, was_refused, was_idle, was_error, was_running} <= {start_i, refused_i, idle, error_i, running};
    written <= start ? '0 : written + 32'(written_i);
    if (start) expected <= 32'(results_i);
  end
  always @* begin
    if (quiet || cleared) assume (!busy_i);
    // The core's answer follows the request.
    if (in_reset == asked) assume (core_in_reset_i == asked);
    if (running) assume (written + 32'(written_i) <= expected);
    if (start_i && !refused_i) assume (results_i != 0);
  end
  always @* if (live && !rst_i && !was_reset) begin
    // The bus is at rest when a reset begins, and stays at rest.
    if (clear && !cleared) assert (quiet);
    if (clear || core_reset) assert (stop && !start && !busy_i);
    // The core's reset lies inside of the reset of the ways to it.
    if (core_reset) assert (clear);
    if (cleared && !clear) assert (!in_reset && !asked && idle);
    if (drained) assert (clear);
    assert (!(running && idle) && (stop == !(running || idle)));
    if (done && !was_done) assert (written == expected && !was_busy);
    // A task that is not refused begins, and an error ends it.
    if (was_idle && was_start && was_refused && idle) assert (causes[2]);
    if (was_running && was_error) assert (!running && !idle);
  end
endmodule
