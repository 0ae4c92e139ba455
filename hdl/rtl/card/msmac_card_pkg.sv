// SPDX-License-Identifier: MIT OR Apache-2.0
// Packets of the network in msmac_card, from the card to the elements, and words from the elements to the card.
package msmac_card_pkg;
  // The most sums of a task, and instructions in fours, have numbers of these widths.
  /* verilator lint_off UNUSEDPARAM */
  localparam int NUMBER_WIDTH = 20;
  localparam int FOURS_WIDTH = 10;
  // The widths of the structures below, because yosys 0.23 has no $bits of a type.
  localparam int PACKET_WIDTH = 770;
  localparam int SHARE_WIDTH = NUMBER_WIDTH + 61;
  localparam int RESULT_WIDTH = NUMBER_WIDTH + 768;
  /* verilator lint_on UNUSEDPARAM */

  // The content of a packet, from bit 0 on: four instructions and, above their 512 bits, their number in fours; a share of the task; a
  // point with its scalar above.
  typedef enum logic [1:0] {PROGRAM, SHARE, POINT} kind_e;

  typedef struct packed {
    kind_e        kind;
    logic [767:0] content;
  } packet_t;

  // An element's part of a task: the number of its first sum, and its numbers of sums, instructions and points.
  typedef struct packed {
    logic [NUMBER_WIDTH-1:0] first;
    logic [15:0]             sums;
    logic [12:0]             length;
    logic [31:0]             size;
  } share_t;

  // A sum of the machine's stream, with its number in the task.
  typedef struct packed {
    logic [NUMBER_WIDTH-1:0] number;
    logic [767:0]            sum;
  } result_t;
endpackage
