// SPDX-License-Identifier: MIT OR Apache-2.0
// A sink for bits that nothing else reads, which tells lint that they are left unread on purpose. It makes no hardware.
//
// Outputs of which nobody reads any bit have no sink: they go to a wire whose name begins with `unused_`.
module unread (
    /* verilator lint_off UNUSEDSIGNAL */
    input logic d_i
);
endmodule
