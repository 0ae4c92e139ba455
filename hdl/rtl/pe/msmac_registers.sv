// SPDX-License-Identifier: MIT OR Apache-2.0
// MSMAC's registers for the host, by AXI4-Lite: control, status, program memory, counters (docs/hardware.md has the
// addresses).
//
// Contract: start_o and reset_o are high in the cycle of the write. While a task is under way (not idle_i), only a
// reset may be written. Any other write, and a write that is never allowed, gets SLVERR and has no effect. A reset by
// the host leaves the program, its length and the size unchanged. Counters restart with a task and keep their values
// after it.
module msmac_registers #(
    parameter int PROGRAM = 64,
    parameter int COUNTERS = 10,
    // Properties of the element, read only, from word 4 on.
    parameter logic [31:0] SHAPE = '0,
    parameter logic [31:0] LATENCY = '0,
    parameter logic [31:0] CONFLICTS = '0,
    parameter logic [31:0] MEMORY = '0,
    localparam int ADDRESS = $clog2(PROGRAM)
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  axi_lite_pkg::request_t  axi_i,
    output axi_lite_pkg::response_t axi_o,
    output logic                    start_o,
    output logic                    reset_o,
    output logic [            31:0] size_o,
    output logic [            12:0] length_o,
    output logic                    program_write_o,
    output logic [     ADDRESS+1:0] program_address_o,
    output logic [            31:0] program_data_o,
    input  logic                    idle_i,
    input  logic                    done_i,
    input  logic [             3:0] error_i,
    input  logic [            12:0] error_pc_i,
    input  logic [ COUNTERS*32-1:0] counters_i
);
  if (PROGRAM < 2 || PROGRAM > 4096) begin : g_invalid
    $error("msmac_registers: PROGRAM is from 2 to 4096");
  end

  logic write, write_ok, read_ok;
  logic [14:0] write_address, read_address;
  logic [31:0] write_data, read_data;
  axi_lite_slave #(.ADDRESS_WIDTH(17)) u_bus (
      .clk_i, .rst_i, .axi_i, .axi_o,
      .write_o(write), .write_address_o(write_address), .write_data_o(write_data), .write_ok_i(write_ok),
      .read_address_o(read_address), .read_wait_i(1'b0), .read_data_i(read_data), .read_ok_i(read_ok)
  );

  // The upper half of the addresses belongs to the program.
  logic program_ok, control_ok, size_ok, length_ok;
  assign program_ok = write_address[14] && 15'(write_address[13:0]) < 15'(4 * PROGRAM) && idle_i;
  assign control_ok = write_address == 0 && write_data[31:2] == 0 && (!write_data[0] || (idle_i && !write_data[1]));
  assign size_ok = write_address == 2 && idle_i;
  assign length_ok = write_address == 3 && idle_i && write_data <= PROGRAM;
  assign write_ok = program_ok || control_ok || size_ok || length_ok;
  assign start_o = write && control_ok && write_data[0];
  assign reset_o = write && control_ok && write_data[1];
  assign program_write_o = write && program_ok;
  assign program_address_o = write_address[ADDRESS+1:0];
  assign program_data_o = write_data;
  always_ff @(posedge clk_i) begin
    if (write && size_ok) size_o <= write_data;
    if (write && length_ok) length_o <= write_data[12:0];
    if (rst_i) begin
      size_o <= '0;
      length_o <= '0;
    end
  end

  logic [31:0] status;
  logic [(8+COUNTERS)*32-1:0] words;
  assign status = {3'b0, error_pc_i, 8'b0, error_i, 1'b0, error_i != 0, done_i, !idle_i && error_i == 0};
  assign words = {counters_i, MEMORY, CONFLICTS, LATENCY, SHAPE, 19'b0, length_o, size_o, status, 32'b0};
  assign read_ok = read_address != 0 && read_address < 15'(8 + COUNTERS);
  assign read_data = read_ok ? words[32*read_address+:32] : '0;
endmodule
