# SPDX-License-Identifier: MIT OR Apache-2.0
# The one clock of a design, and what is known of its ports, for Vivado. The period in ns is a variable: 4.000 is
# CycloneMSM's 250 MHz, 8.000 its 125, 5.000 Gypsophila's 200; set it before this file is read.
if {![info exists bucketwheel_period]} { set bucketwheel_period 4.000 }
create_clock -name clk -period $bucketwheel_period [get_ports clk_i]

# Streams and buses come from registers at the same clock, and go to such: a third of the period is theirs.
set_input_delay  -clock clk [expr {$bucketwheel_period / 3}] [get_ports -filter {DIRECTION == IN && NAME != clk_i}]
set_output_delay -clock clk [expr {$bucketwheel_period / 3}] [get_ports -filter {DIRECTION == OUT}]
