// SPDX-License-Identifier: MIT OR Apache-2.0
// The kinds of memory of crates/hardware/src/memory/timing.rs, written by its tests of vectors (README.md).
constexpr Kind KINDS[] = {
    {"ddr4-2133", {1066667, 4, 4, 128, 1, 4, 15, 11, 15, 15, 36, 6, 4, 6, 16, 3, 8, 16, 8, 374, 8320, 60}},
    {"ddr4-2400", {1200000, 4, 4, 128, 1, 4, 17, 12, 17, 17, 39, 6, 4, 6, 16, 3, 9, 18, 9, 420, 9360, 67}},
    {"ddr4-2666", {1333333, 4, 4, 128, 1, 4, 19, 14, 19, 19, 43, 7, 4, 7, 16, 4, 10, 20, 10, 467, 10400, 75}},
    {"hbm2", {900000, 4, 4, 32, 2, 2, 13, 4, 13, 13, 31, 4, 4, 6, 27, 6, 8, 15, 6, 234, 3510, 79}},
};
