# SPDX-License-Identifier: MIT OR Apache-2.0
# Packages a card as a Vitis kernel, for a card's package.tcl, which describes the kernel. Not run in Vivado.
#
#   vivado -mode batch -source hdl/vitis/CARD/package.tcl -tclargs PART KERNEL.xo [NAME=VALUE...]
#
# NAME=VALUE sets a parameter of the card. The project and the packaged IP are in a folder beside KERNEL.xo, without `.xo`.
# After UG1118, Creating and Packaging Custom IP, and UG1393, Packaging RTL Kernels.

proc fail {text} {
    puts stderr "hdl/vitis/package.tcl: $text"
    exit 1
}

if {[llength $argv] < 2 || [file extension [lindex $argv 1]] ne ".xo"} { fail "expected PART KERNEL.xo \[NAME=VALUE...\]" }
set settings [lassign $argv part xo]
set xo [file normalize $xo]
set folder [file rootname $xo]
set hdl [file dirname [file dirname [file normalize [info script]]]]
lassign $vlnv vendor library kernel version

proc read_text {path} {
    set channel [open $path]
    set text [read $channel]
    close $channel
    return $text
}

# The wrapper's own defaults become the kernel's parameters, because v++ sets none.
set wrapper [read_text $hdl/vitis/$card/$kernel.v]
foreach setting $settings {
    if {![regexp {^(\w+)=(\d+)$} $setting all name value]} { fail "expected NAME=VALUE with a number, got `$setting`" }
    if {![regsub "(parameter integer $name = )\\d+" $wrapper "\\1$value" wrapper]} { fail "$card has no parameter $name" }
}
file delete -force $folder $xo
file mkdir $folder
set channel [open $folder/$kernel.v w]
puts -nonewline $channel $wrapper
close $channel

# The card's files, in their order.
set sources {}
set headers {}
foreach line [split [read_text $hdl/$card.f] \n] {
    if {[regexp {^\+incdir\+(.*)} $line all include]} {
        lappend headers {*}[glob $hdl/$include/*.svh]
    } elseif {[regexp {^\w.*\.sv$} $line]} {
        lappend sources $hdl/$line
    }
}
create_project -force $kernel $folder/project -part $part
add_files -norecurse [concat $headers $sources [list $folder/$kernel.v]]
set_property file_type {Verilog Header} [get_files $headers]
set_property include_dirs [lsort -unique [lmap header $headers {file dirname $header}]] [current_fileset]
set_property top $kernel [current_fileset]
update_compile_order -fileset sources_1
ipx::package_project -root_dir $folder/ip -vendor $vendor -library $library -taxonomy /KernelIP -import_files
set core [ipx::current_core]
set_property name $kernel $core
set_property version $version $core

# Clocks, the reset, and the clock of each bus. The core's clock has no bus. Vitis sets the frequencies.
foreach {name kind} {ap_clk clock_rtl ap_clk_2 clock_rtl ap_rst_n reset_rtl} {
    if {[llength [ipx::get_bus_interfaces -quiet $name -of_objects $core]] == 0} {
        ipx::infer_bus_interface $name xilinx.com:signal:$kind:1.0 $core
    }
}
foreach bus [concat s_axi_control $masters] {
    if {[llength [ipx::get_bus_interfaces -quiet $bus -of_objects $core]] == 0} { fail "Vivado has not inferred the bus $bus of $kernel" }
    ipx::associate_bus_interfaces -busif $bus -clock ap_clk $core
}
ipx::associate_bus_interfaces -clock ap_clk -reset ap_rst_n $core
# Bursts increment and use all bytes of the bus.
foreach bus $masters {
    foreach name {HAS_BURST SUPPORTS_NARROW_BURST} {
        set_property value 0 [ipx::add_bus_parameter -quiet $name [ipx::get_bus_interfaces $bus -of_objects $core]]
    }
}

# The registers that are arguments. An address names its port of memory.
set block [ipx::add_address_block -quiet reg0 [ipx::add_memory_map -quiet s_axi_control $core]]
set_property range [expr {$map}] $block
foreach argument $registers {
    lassign $argument name address bits port
    set register [ipx::add_register $name $block]
    set_property address_offset $address $register
    set_property size $bits $register
    if {$port ne "s_axi_control"} { set_property value $port [ipx::add_register_parameter ASSOCIATED_BUSIF $register] }
}
set_property slave_memory_map_ref s_axi_control [ipx::get_bus_interfaces s_axi_control -of_objects $core]

set_property sdx_kernel true $core
set_property sdx_kernel_type rtl $core
set_property vitis_drc {ctrl_protocol user_managed} $core
set_property ipi_drc {ignore_freq_hz true} $core
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity -kernel $core
ipx::save_core $core
close_project

package_xo -xo_path $xo -kernel_name $kernel -ip_directory $folder/ip -kernel_xml $hdl/vitis/$card/kernel.xml -ctrl_protocol user_managed
