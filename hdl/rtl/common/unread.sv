// SPDX-License-Identifier: MIT OR Apache-2.0
// A sink for bits that nothing else reads, which tells lint that they are unread on purpose. It makes no hardware.
//
// An output without any read bit needs no sink: it goes to a wire whose name begins with `unused_`.
module unread (
    /* verilator lint_off UNUSEDSIGNAL */
    input logic d_i
);
endmodule
