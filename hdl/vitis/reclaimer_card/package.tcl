# SPDX-License-Identifier: MIT OR Apache-2.0
# Packages reclaimer_card as a Vitis kernel (../package.tcl). Written by lists.py.
set card reclaimer_card
set vlnv {bucketwheel msm vitis_reclaimer_card 1.0}
set map 0x2000
set masters {m_axi_host m_axi_x m_axi_y}
# Name, address, bits, and the port of memory of an address.
set registers {
    {points 0x010 32 s_axi_control}
    {windows 0x014 32 s_axi_control}
    {scalars 0x020 64 m_axi_host}
    {x 0x028 64 m_axi_x}
    {y 0x030 64 m_axi_y}
    {parts 0x040 64 m_axi_host}
}
source [file join [file dirname [info script]] .. package.tcl]
