# SPDX-License-Identifier: MIT OR Apache-2.0
# The same as clock.xdc for tools that read SDC: Quartus, OpenSTA. The period is in ns.
if {![info exists bucketwheel_period]} { set bucketwheel_period 4.000 }
create_clock -name clk -period $bucketwheel_period [get_ports clk_i]
set_input_delay  -clock clk [expr {$bucketwheel_period / 3}] [remove_from_collection [all_inputs] [get_ports clk_i]]
set_output_delay -clock clk [expr {$bucketwheel_period / 3}] [all_outputs]
