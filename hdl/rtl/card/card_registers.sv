// SPDX-License-Identifier: MIT OR Apache-2.0
// A card's registers for the host, by AXI4-Lite: the task, start and reset, status and counters; from 0x1000 on, the machine's registers,
// to be read (docs/hardware.md has the addresses).
//
// Contract: start_o and reset_o are high in the cycle of the write. The task may be written, and started, only while idle_i is high. A
// refused write gets SLVERR and has no effect. Addresses of memory have no bits below a beat of 64 bytes. The ports of the machine's
// registers are register_fetch's.
module card_registers #(
    parameter int COUNTERS = 9,
    // Conflicts in a block of memory, and its beats.
    parameter int BLOCK_WORDS = 16,
    parameter int BLOCK_BEATS = 36,
    localparam int TASK = 16
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  axi_lite_pkg::request_t  axi_i,
    output axi_lite_pkg::response_t axi_o,
    output logic                    start_o,
    output logic                    reset_o,
    output logic [            31:0] points_o,
    output logic [            31:0] windows_o,
    output logic [            31:0] blocks_o,
    output logic [        6*58-1:0] addresses_o,
    input  logic                    idle_i,
    input  logic [            31:0] status_i,
    input  logic [ 64*COUNTERS-1:0] counters_i,
    output logic                    machine_wanted_o,
    output logic [             9:0] machine_address_o,
    output logic                    machine_taken_o,
    input  logic                    machine_there_i,
    input  logic [            31:0] machine_i,
    input  logic                    machine_ok_i
);
  localparam logic [31:0] IDENTITY = "CARD";
  localparam logic [31:0] VERSION = 1;
  localparam int WORDS = 4 + TASK + 2 * COUNTERS;
  localparam int INDEX = $clog2(WORDS);

  logic write, control_ok, task_ok, of_machine, own_ok;
  logic [10:0] write_address, read_address;
  logic [31:0] write_data;
  logic [31:0] read_data;
  logic [32*WORDS-1:0] words;
  axi_lite_slave #(.ADDRESS_WIDTH(13)) u_bus (
      .clk_i, .rst_i, .axi_i, .axi_o, .write_o(write), .write_address_o(write_address), .write_data_o(write_data),
      .write_ok_i(control_ok || task_ok), .read_address_o(read_address), .read_wait_i(of_machine && !machine_there_i),
      .read_data_i(read_data),
      .read_ok_i(of_machine ? machine_ok_i : own_ok)
  );
  assign control_ok = write_address == 2 && write_data[31:2] == 0 && (!write_data[0] || (idle_i && !write_data[1]));
  assign task_ok = write_address >= 4 && write_address < 11'(4 + TASK) && write_address != 7 && idle_i;
  assign start_o = write && control_ok && write_data[0];
  assign reset_o = write && control_ok && write_data[1];
  assign of_machine = read_address[10];
  assign read_data = of_machine ? machine_i : own_ok ? words[32*read_address[INDEX-1:0]+:32] : '0;
  assign own_ok = read_address < 11'(WORDS);
  assign machine_wanted_o = axi_i.arvalid && of_machine;
  assign machine_address_o = read_address[9:0];
  assign machine_taken_o = axi_i.arvalid && axi_o.arready;

  // The task: points, windows, blocks, a block's shape, then six addresses, the lower half first.
  logic [32*TASK-1:0] task_words;
  for (genvar i = 0; i < TASK; i++) begin : g_task
    logic [31:0] word;
    if (i == 3) begin : g_shape
      assign word = {16'(BLOCK_BEATS), 16'(BLOCK_WORDS)};
    end else begin : g_word
      localparam logic [31:0] KEPT = i >= 4 && i % 2 == 0 ? 32'hffff_ffc0 : '1;
      always_ff @(posedge clk_i) begin
        if (write && task_ok && write_address == 11'(4 + i)) word <= write_data & KEPT;
        if (rst_i) word <= '0;
      end
    end
    assign task_words[32*i+:32] = word;
  end
  assign {blocks_o, windows_o, points_o} = task_words[95:0];
  for (genvar i = 0; i < 6; i++) begin : g_address
    assign addresses_o[58*i+:58] = task_words[32*4+64*i+6+:58];
  end
  assign words = {counters_i, task_words, status_i, 32'b0, VERSION, IDENTITY};
endmodule
