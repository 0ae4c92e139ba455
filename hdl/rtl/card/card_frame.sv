// SPDX-License-Identifier: MIT OR Apache-2.0
// The common part of all cards: the map of registers, the order of the work, the core's reset, the bus to the core's registers, and
// the counters.
//
// Contract: as card_registers' and card_control's. In the core's clock, core_reset_o resets the core, core_fault_i says that its status has
// an error, and the bus reads its registers (register_fetch); core_reset_o may come at any time. errors_i has the errors at the ports
// of memory: from the lowest bit, the host's port, the points' ports, the spill's port. begins_o is high in the cycle in which a task
// begins. stop_o, busy_i and clear_o are card_control's. events_i has an event for each counter of the map behind `cycles`.
module card_frame #(
    parameter logic [31:0] MACHINE = "NONE",
    parameter int ADDRESSES = 5,
    parameter int EVENTS = 6,
    parameter logic [31:0] SHAPE = '0
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  axi_lite_pkg::request_t  axi_i,
    output axi_lite_pkg::response_t axi_o,
    output logic [            31:0] points_o,
    output logic [            31:0] windows_o,
    output logic [            31:0] number_o,
    output logic [58*ADDRESSES-1:0] addresses_o,
    input  logic                    refused_i,
    input  logic [            31:0] results_i,
    input  logic                    written_i,
    input  logic                    busy_i,
    input  logic [             2:0] errors_i,
    input  logic [      EVENTS-1:0] events_i,
    output logic                    begins_o,
    output logic                    stop_o,
    output logic                    clear_o,
    input  logic                    core_clk_i,
    output logic                    core_reset_o,
    input  logic                    core_fault_i,
    output axi_lite_pkg::request_t  core_axi_o,
    input  axi_lite_pkg::response_t core_axi_i
);
  logic start, reset, idle, running, done, core_request, core_in_reset, fault;
  logic [5:0] causes;
  logic [64*(EVENTS+1)-1:0] counters;
  logic wanted, taken, there, ok;
  logic [9:0] address;
  logic [31:0] word;
  card_registers #(.MACHINE(MACHINE), .ADDRESSES(ADDRESSES), .COUNTERS(EVENTS + 1), .SHAPE(SHAPE)) u_registers (
      .clk_i, .rst_i, .axi_i, .axi_o, .start_o(start), .reset_o(reset), .points_o, .windows_o, .number_o, .addresses_o,
      .idle_i(idle), .status_i({18'b0, causes, 4'b0, causes != 0, done, stop_o, running}), .counters_i(counters),
      .machine_wanted_o(wanted), .machine_address_o(address), .machine_taken_o(taken), .machine_there_i(there),
      .machine_i(word), .machine_ok_i(ok)
  );
  card_control #(.ERRORS(4)) u_control (
      .clk_i, .rst_i, .start_i(start), .reset_i(reset), .results_i, .refused_i, .written_i, .busy_i,
      .error_i({fault, errors_i}), .core_in_reset_i(core_in_reset), .start_o(begins_o), .stop_o, .clear_o,
      .core_reset_o(core_request), .idle_o(idle), .running_o(running), .done_o(done), .causes_o(causes)
  );
  event_counters #(.EVENTS(EVENTS + 1)) u_counters (
      .clk_i, .rst_i(rst_i || begins_o), .events_i({events_i, running}), .counts_o(counters));

  reset_crossing u_reset (
      .clk_i, .request_i(core_request), .acknowledged_o(core_in_reset), .other_clk_i(core_clk_i), .reset_o(core_reset_o)
  );
  register_fetch u_fetch (
      .clk_i, .rst_i, .open_i(!clear_o), .wanted_i(wanted), .address_i(address), .taken_i(taken), .there_o(there),
      .data_o(word), .ok_o(ok), .other_clk_i(core_clk_i), .other_rst_i(core_reset_o), .request_o(core_axi_o),
      .response_i(core_axi_i)
  );
  (* async_reg = "true" *) logic fault_meta;
  logic fault_held;
  always_ff @(posedge core_clk_i) fault_held <= core_fault_i && !core_reset_o;
  always_ff @(posedge clk_i) {fault, fault_meta} <= {fault_meta, fault_held};
endmodule
