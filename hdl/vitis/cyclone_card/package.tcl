# SPDX-License-Identifier: MIT OR Apache-2.0
# Packages cyclone_card as a Vitis kernel (../package.tcl). Written by lists.py.
set card cyclone_card
set vlnv {bucketwheel msm vitis_cyclone_card 1.0}
set map 0x2000
set masters {m_axi_host m_axi_x m_axi_y m_axi_u m_axi_spill}
# Name, address, bits, and the port of memory of an address.
set registers {
    {points 0x010 32 s_axi_control}
    {windows 0x014 32 s_axi_control}
    {blocks 0x018 32 s_axi_control}
    {commands 0x020 64 m_axi_host}
    {x 0x028 64 m_axi_x}
    {y 0x030 64 m_axi_y}
    {u 0x038 64 m_axi_u}
    {sums 0x040 64 m_axi_host}
    {ring 0x048 64 m_axi_spill}
}
source [file join [file dirname [info script]] .. package.tcl]
