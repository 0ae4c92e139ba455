# SPDX-License-Identifier: MIT OR Apache-2.0
# Packages msmac_card as a Vitis kernel (../package.tcl). Written by lists.py.
set card msmac_card
set vlnv {bucketwheel msm vitis_msmac_card 1.0}
set map 0x2000
set masters {m_axi_host m_axi_point m_axi_scalar}
# Name, address, bits, and the port of memory of an address.
set registers {
    {points 0x010 32 s_axi_control}
    {windows 0x014 32 s_axi_control}
    {length_elements 0x018 32 s_axi_control}
    {program 0x020 64 m_axi_host}
    {point 0x028 64 m_axi_point}
    {scalar 0x030 64 m_axi_scalar}
    {sums 0x038 64 m_axi_host}
}
source [file join [file dirname [info script]] .. package.tcl]
