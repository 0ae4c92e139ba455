// SPDX-License-Identifier: MIT OR Apache-2.0
// A card's registers for the host, by AXI4-Lite: the task, start and reset, status and counters; from 0x1000 on, the machine's registers,
// to be read (docs/hardware.md has the addresses). A task has points, windows, a number that depends on the machine, and the ADDRESSES
// addresses of its memory, at most six.
//
// Contract: start_o and reset_o are high in the cycle of the write. The task may be written, and started, only while idle_i is high. A
// refused write gets SLVERR and has no effect. Addresses of memory have no bits below a beat of 64 bytes. The ports of the machine's
// registers are register_fetch's.
module card_registers #(
    // The machine's name, and the parameters of its shape that a host needs.
    parameter logic [31:0] MACHINE = "NONE",
    parameter logic [31:0] SHAPE = '0,
    parameter int ADDRESSES = 6,
    parameter int COUNTERS = 9
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  axi_lite_pkg::request_t  axi_i,
    output axi_lite_pkg::response_t axi_o,
    output logic                    start_o,
    output logic                    reset_o,
    output logic [            31:0] points_o,
    output logic [            31:0] windows_o,
    output logic [            31:0] number_o,
    output logic [58*ADDRESSES-1:0] addresses_o,
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
  // Numbers of words: the task, its addresses, the counters.
  localparam int TASK = 4, PLACES = 8, COUNTS = 20;
  localparam int WORDS = COUNTS + 2 * COUNTERS;
  if (ADDRESSES < 1 || ADDRESSES > 6) begin : g_invalid
    $error("card_registers: ADDRESSES is from 1 to 6");
  end
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
  assign task_ok = idle_i && ((write_address >= 11'(TASK) && write_address < 11'(TASK + 3))
      || (write_address >= 11'(PLACES) && write_address < 11'(PLACES + 2 * ADDRESSES)));
  assign start_o = write && control_ok && write_data[0];
  assign reset_o = write && control_ok && write_data[1];
  assign of_machine = read_address[10];
  assign read_data = of_machine ? machine_i : own_ok ? words[32*read_address[INDEX-1:0]+:32] : '0;
  assign own_ok = read_address < 11'(WORDS) && (read_address < 11'(PLACES + 2 * ADDRESSES) || read_address >= 11'(COUNTS));
  assign machine_wanted_o = axi_i.arvalid && of_machine;
  assign machine_address_o = read_address[9:0];
  assign machine_taken_o = axi_i.arvalid && axi_o.arready;

  // The numbers of the task, then its addresses, the lower half first.
  localparam int LAST = PLACES + 2 * ADDRESSES;
  logic [32*(LAST-TASK)-1:0] task_words;
  for (genvar i = TASK; i < LAST; i++) begin : g_task
    logic [31:0] word;
    if (i == TASK + 3) begin : g_shape
      assign word = SHAPE;
    end else begin : g_word
      localparam logic [31:0] KEPT = i >= PLACES && i % 2 == 0 ? 32'hffff_ffc0 : '1;
      always_ff @(posedge clk_i) begin
        if (write && task_ok && write_address == 11'(i)) word <= write_data & KEPT;
        if (rst_i) word <= '0;
      end
    end
    assign task_words[32*(i-TASK)+:32] = word;
  end
  assign {number_o, windows_o, points_o} = task_words[95:0];
  for (genvar i = 0; i < ADDRESSES; i++) begin : g_address
    assign addresses_o[58*i+:58] = task_words[32*(PLACES-TASK)+64*i+6+:58];
  end
  assign words = {counters_i, (32 * (COUNTS - TASK))'(task_words), status_i, 32'b0, MACHINE, IDENTITY};
endmodule
