// SPDX-License-Identifier: MIT OR Apache-2.0
// All of hdl/rtl, for simulators: the packages in their order, and the folders in which a module has the file of its name.
// Paths are from here: verilator -F hdl/rtl.f, and likewise with others (-F of Questa and VCS, -F of Xcelium).
// What a design is made of, file by file, is in cyclone.f, cyclone_card.f, gypsophila.f, gypsophila_card.f,
// msmac.f, msmac_card.f, reclaimer.f and reclaimer_card.f.
rtl/common/axi_lite_pkg.sv
rtl/field/field_pkg.sv
rtl/field/bls12_377_pkg.sv
rtl/field/bn254_pkg.sv
rtl/field/bls12_381_pkg.sv
rtl/pe/gypsophila_pkg.sv
rtl/pe/reclaimer_pkg.sv
rtl/card/msmac_card_pkg.sv
+libext+.sv
+incdir+rtl/common
-y rtl/common
-y rtl/field
-y rtl/curve
-y rtl/schedule
-y rtl/pe
-y rtl/card
