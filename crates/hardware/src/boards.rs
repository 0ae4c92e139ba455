//! Cards and their resources, each number with its source.
//!
//! ```
//! use bucketwheel_hardware::boards::{Board, Family};
//!
//! let board = Board::named("u250").unwrap();
//! assert_eq!((board.name, board.chip, board.family), ("U250", "XCU250", Family::UltraScalePlus));
//! assert!(board.luts.value > 1_700_000 && board.luts.source.contains("DS962"));
//! assert!(board.memory().unwrap().channels == 4 && board.gigabytes_per_second().unwrap() > 76.0);
//! assert!(Board::named("VP1802").unwrap().memory().is_none(), "a chip on boards with different memories");
//! ```

use serde::Serialize;

use crate::memory;

/// A family of chips, which decides how many bits a DSP multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// DSP48E2: 27 bits by 18.
    UltraScalePlus,
    /// DSP58: 27 bits by 24.
    Versal,
}

/// A number and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Figure {
    /// The number.
    pub value: u64,
    /// Document and place, or command.
    pub source: &'static str,
}

/// A card, or a chip that several cards have.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Board {
    /// The name on the command line, in any case.
    pub name: &'static str,
    /// The chip.
    pub chip: &'static str,
    /// The chip's family.
    pub family: Family,
    /// LUTs of six inputs.
    pub luts: Figure,
    /// DSPs.
    pub dsps: Figure,
    /// UltraRAMs of 4096 words of 72 bits.
    pub urams: Figure,
}

/// Returns a figure.
const fn figure(value: u64, source: &'static str) -> Figure {
    Figure { value, source }
}

/// All boards.
pub const BOARDS: [Board; 7] = [
    Board {
        name: "U250",
        chip: "XCU250",
        family: Family::UltraScalePlus,
        luts: figure(1_728_000, "Vivado, part xcu250-figd2104-2L-e; AMD DS962: 1,728K"),
        dsps: figure(12_288, "AMD DS962, Alveo Product Details"),
        urams: figure(1_280, "AMD DS962, Alveo Product Details"),
    },
    Board {
        name: "U280",
        chip: "XCU280",
        family: Family::UltraScalePlus,
        luts: figure(1_303_680, "Vivado, part xcu280-fsvh2892-2L-e; AMD DS963: 1.3M"),
        dsps: figure(9_024, "AMD DS963, Alveo Product Details"),
        urams: figure(960, "AMD DS963, Alveo Product Details: 270 Mb"),
    },
    Board {
        name: "U55C",
        chip: "XCU55C",
        family: Family::UltraScalePlus,
        luts: figure(1_303_680, "Vivado, report_utilization of part xcu55c-fsvh2892-2L-e; AMD DS978: 1.3M"),
        dsps: figure(9_024, "AMD DS978, Product Details"),
        urams: figure(960, "AMD DS978, Product Details: 270 Mb"),
    },
    Board {
        name: "VU47P",
        chip: "XCVU47P of AWS F2",
        family: Family::UltraScalePlus,
        luts: figure(1_304_000, "AMD DS890, Virtex UltraScale+ HBM: 1,304K"),
        dsps: figure(9_024, "AMD DS890, Virtex UltraScale+ HBM"),
        urams: figure(960, "AMD DS890, Virtex UltraScale+ HBM"),
    },
    Board {
        name: "VU9P",
        chip: "XCVU9P of AWS F1",
        family: Family::UltraScalePlus,
        luts: figure(1_182_000, "AMD DS890, Virtex UltraScale+: 1,182K"),
        dsps: figure(6_840, "AMD DS890, Virtex UltraScale+"),
        urams: figure(960, "AMD DS890, Virtex UltraScale+"),
    },
    Board {
        name: "VP1502",
        chip: "XCVP1502",
        family: Family::Versal,
        luts: figure(1_720_000, "MSMAC, Table 2: 1,720k"),
        dsps: figure(7_440, "MSMAC, Table 2"),
        urams: figure(1_301, "MSMAC, Table 2"),
    },
    Board {
        name: "VP1802",
        chip: "XCVP1802",
        family: Family::Versal,
        luts: figure(3_360_896, "Vivado, report_utilization of part xcvp1802"),
        dsps: figure(14_352, "Vivado, report_utilization of part xcvp1802"),
        urams: figure(2_549, "Vivado, report_utilization of part xcvp1802"),
    },
];

impl Board {
    /// Returns the board of this name, in any case. The [example](self) uses it.
    pub fn named(name: &str) -> Option<Board> {
        BOARDS.into_iter().find(|board| board.name.eq_ignore_ascii_case(name))
    }

    /// Returns the memory, unless the chip is on boards with different memories. The [example](self) uses it.
    pub fn memory(&self) -> Option<memory::Board> {
        let card = match self.name {
            "VU9P" => "AWS F1",
            "VU47P" => "AWS F2",
            name => name,
        };
        memory::BOARDS.into_iter().find(|board| board.name == card)
    }

    /// Returns the bandwidth of the memory's pins in 10^9 bytes a second. The [example](self) uses it.
    pub fn gigabytes_per_second(&self) -> Option<f64> {
        let memory = self.memory()?;
        Some(f64::from(memory.channels) * memory.kind.timing().peak_gigabytes())
    }
}
