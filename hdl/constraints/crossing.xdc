# SPDX-License-Identifier: MIT OR Apache-2.0
# The ways between the clocks of each clock_crossing, for Vivado: a pointer's bits arrive within a cycle of each other, and an
# entry arrives before its pointer. Not run here, because this needs Vivado.
foreach crossing [get_cells -hierarchical -filter {REF_NAME =~ clock_crossing*}] {
    foreach {from to clock} {tail_gray tail_meta read_clk_i head_gray head_meta write_clk_i} {
        set sources [get_cells $crossing/${from}_reg[*]]
        set targets [get_cells $crossing/${to}_reg[*]]
        set period [get_property PERIOD [get_clocks -of_objects [get_pins $crossing/$clock]]]
        set_max_delay -datapath_only -from $sources -to $targets $period
        set_bus_skew -from $sources -to $targets $period
    }
    # Two registers delay the pointer, so an entry has as long as a cycle of the reader.
    set period [get_property PERIOD [get_clocks -of_objects [get_pins $crossing/read_clk_i]]]
    set_max_delay -datapath_only -from [get_cells $crossing/ring_reg*] -to [get_clocks -of_objects [get_pins $crossing/read_clk_i]] $period
}
# Levels that stay until they are answered: the first of their two registers may see them in any cycle.
set_false_path -to [get_cells -hierarchical -filter {NAME =~ *asked_meta_reg || NAME =~ *held_meta_reg || NAME =~ *fault_meta_reg || NAME =~ *wanted_meta_reg* || NAME =~ *ready_meta_reg*}]
