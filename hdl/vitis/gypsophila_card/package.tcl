# SPDX-License-Identifier: MIT OR Apache-2.0
# Packages gypsophila_card as a Vitis kernel (../package.tcl). Written by lists.py.
set card gypsophila_card
set vlnv {bucketwheel msm vitis_gypsophila_card 1.0}
set map 0x2000
set masters {m_axi_host m_axi_x m_axi_y m_axi_z}
# Name, address, bits, and the port of memory of an address.
set registers {
    {points 0x010 32 s_axi_control}
    {windows 0x014 32 s_axi_control}
    {tasks 0x018 32 s_axi_control}
    {indexes 0x020 64 m_axi_host}
    {x 0x028 64 m_axi_x}
    {y 0x030 64 m_axi_y}
    {z 0x038 64 m_axi_z}
    {sums 0x040 64 m_axi_host}
}
source [file join [file dirname [info script]] .. package.tcl]
