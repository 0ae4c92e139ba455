//! Resources of the designs' blocks, by the papers and by the repository's own synthesis (`make synth`; docs/hardware.md has the
//! table). Nothing is placed.
//!
//! ```
//! use bucketwheel_hardware::boards::Family;
//! use bucketwheel_hardware::resources::{multiplier, Density};
//!
//! let [papers, ours] = Density::ALL.map(|density| multiplier(density, 377));
//! assert_eq!((papers.luts, ours.luts), (43_144, 40_267));
//! assert_eq!((ours.dsps(Family::Versal), ours.source), (324, "synth.py montgomery-377; six DSPs a leaf (CycloneMSM 4.1)"));
//! let reclaimer = bucketwheel_hardware::reclaimer::Parameters::default();
//! assert_eq!(reclaimer.demand(Density::Papers, Family::UltraScalePlus)?.urams, 1056);
//! let cyclone = bucketwheel_hardware::cyclone::Parameters::default().demand(Density::Papers, Family::UltraScalePlus)?;
//! assert_eq!((cyclone.dsps, cyclone.channels), (2_268, 4));
//! let msmac = bucketwheel_hardware::msmac::Parameters::default().demand(Density::Papers, Family::Versal)?;
//! assert_eq!(msmac.dsps % 1_620, 0);
//! let gypsophila = bucketwheel_hardware::gypsophila::Parameters::default().demand(Density::Papers, Family::UltraScalePlus)?;
//! assert!(gypsophila.luts > 692_000 && gypsophila.dsps > 3_000);
//! assert_eq!((Density::Ours.name(), Density::Papers.about()), ("ours", "LUTs and DSPs as the designs' papers state them"));
//! # Ok::<(), bucketwheel_hardware::Error>(())
//! ```

use serde::Serialize;

use crate::boards::Family;
use crate::{cyclone, gypsophila, msmac, reclaimer, Curve, Error};

/// The source of the LUTs and DSPs of large blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Density {
    /// The papers' figures, placed by Vivado. Blocks without a figure in a paper are as in `Ours`.
    Papers,
    /// The repository's RTL, mapped by yosys.
    Ours,
}

impl Density {
    /// All densities.
    pub const ALL: [Density; 2] = [Density::Papers, Density::Ours];

    /// Returns the name on the command line. The [example](crate::resources) uses it.
    pub fn name(self) -> &'static str {
        match self {
            Density::Papers => "papers",
            Density::Ours => "ours",
        }
    }

    /// Returns a description in one line. The [example](crate::resources) uses it.
    pub fn about(self) -> &'static str {
        match self {
            Density::Papers => "LUTs and DSPs as the designs' papers state them",
            Density::Ours => "LUTs and DSPs as yosys maps the RTL of this repository",
        }
    }
}

/// Resources of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// LUTs.
    pub luts: u64,
    /// DSPs on UltraScale+ and on Versal.
    dsps: [u64; 2],
    /// Table of a paper, or rows of `hdl/syn/synth.py`.
    pub source: &'static str,
}

impl Block {
    /// Returns the number of DSPs. The [example](crate::resources) uses it.
    pub fn dsps(&self, family: Family) -> u64 {
        match family {
            Family::UltraScalePlus => self.dsps[0],
            Family::Versal => self.dsps[1],
        }
    }
}

const fn block(luts: u64, dsps: [u64; 2], source: &'static str) -> Block {
    Block { luts, dsps, source }
}

/// Returns a modular multiplier: for 254 bits, or for 377 bits, which also serves coordinates of up to 384 bits.
///
/// The [example](crate::resources) uses it.
pub const fn multiplier(density: Density, bits: u32) -> Block {
    match (density, bits <= 256) {
        (Density::Papers, false) => block(43_144, [324; 2], "CycloneMSM, Table 2, mul"),
        (Density::Ours, false) => {
            block(40_267, [324; 2], "synth.py montgomery-377; six DSPs a leaf (CycloneMSM 4.1)")
        }
        // A leaf of 21 to 24 bits is one DSP58 or two DSP48E2.
        (Density::Papers, true) => {
            block(1_290_000 / 48, [2 * 135, 135], "MSMAC, Table 2, over the 48 multipliers of four elements")
        }
        (Density::Ours, true) => block(31_037, [280, 147], "synth.py montgomery-254"),
    }
}

/// Resources of a machine on a card.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Demand {
    /// LUTs.
    pub luts: u64,
    /// DSPs.
    pub dsps: u64,
    /// UltraRAMs of the buckets.
    pub urams: u64,
    /// Bandwidth of the card's memory while points come, in 10^9 bytes a second.
    pub gigabytes_per_second: f64,
    /// Channels of the memory that only this machine uses.
    pub channels: u32,
    /// Bytes of a point in the memory.
    #[serde(skip)]
    pub point_bytes: u64,
}

impl Demand {
    /// Returns the demand of several machines, each with its own part of the points.
    pub(crate) fn times(self, copies: u32) -> Self {
        let number = u64::from(copies);
        Demand {
            luts: number * self.luts,
            dsps: number * self.dsps,
            urams: number * self.urams,
            gigabytes_per_second: f64::from(copies) * self.gigabytes_per_second,
            channels: copies * self.channels,
            ..self
        }
    }
}

/// Returns the UltraRAMs of a number of words, 4096 of 72 bits each.
fn urams(words: u64, bits: u32) -> u64 {
    words.div_ceil(4096) * u64::from(bits.div_ceil(72))
}

/// Returns 10^9 bytes a second.
fn gigabytes(bytes_per_cycle: f64, clock_mhz: f64) -> f64 {
    bytes_per_cycle * clock_mhz * 1e-3
}

impl cyclone::Parameters {
    /// Returns the resources of the machine. The [example](crate::resources) uses it.
    ///
    /// # Errors
    /// As [`Model::simulate`](crate::Model::simulate) for the parameters.
    pub fn demand(&self, density: Density, _: Family) -> Result<Demand, Error> {
        self.check(0)?;
        // CycloneMSM, Table 2, MixedAdd, with 2,268 DSPs; synth.py te_madd, whose 378 leaves take six DSPs each.
        let adder = match density {
            Density::Papers => 310_717,
            Density::Ours => 293_524,
        };
        // synth.py cyclone_top-32-buckets without te_madd.
        let beside = 320_510 - 293_524;
        Ok(Demand {
            luts: adder + beside,
            dsps: 2_268,
            urams: urams(1 << (self.window - 1), 4 * 377),
            gigabytes_per_second: gigabytes(3.0 * self.coordinate_bytes as f64, self.clock_mhz),
            // One for each coordinate, and one for conflicts.
            channels: 4,
            point_bytes: 4 * self.coordinate_bytes,
        })
    }
}

impl msmac::Parameters {
    /// Returns the resources of a card's processing elements. The [example](crate::resources) uses it.
    ///
    /// # Errors
    /// As [`Model::simulate`](crate::Model::simulate) for the parameters.
    pub fn demand(&self, density: Density, family: Family) -> Result<Demand, Error> {
        let windows = self.check(0)?.count();
        // MSMAC, Table 2, a quarter of four elements; synth.py msmac_pe-5.
        let luts = match density {
            Density::Papers => 1_290_000 / 4,
            Density::Ours => 417_104,
        };
        let points = f64::from(self.point_bytes as u32) / f64::from(windows);
        let element = Demand {
            luts,
            dsps: 12 * multiplier(density, 254).dsps(family),
            urams: urams(u64::from(windows) << (self.window - 1), 3 * 254),
            // The host writes each point, and an element reads it.
            gigabytes_per_second: gigabytes(2.0 * points, self.clock_mhz),
            channels: 0,
            point_bytes: self.point_bytes,
        };
        Ok(element.times(self.pes))
    }
}

impl gypsophila::Parameters {
    /// Returns the resources of one processing element with its shared adder. The [example](crate::resources) uses it.
    ///
    /// # Errors
    /// As [`Model::simulate`](crate::Model::simulate) for the parameters.
    pub fn demand(&self, density: Density, family: Family) -> Result<Demand, Error> {
        self.windows(0)?;
        let bits = self.curve.coordinate_bits();
        let product = multiplier(density, bits);
        // synth.py: pairing_scheduler and gypsophila_input.
        let beside = 866 + 3_321;
        let (luts, dsps, coordinates) = match (self.curve, density) {
            // Gypsophila 4.1 and Table 1, PE-1; the shared adder's LUTs are of synth.py gypsophila_lane.
            (Curve::Bls12_377, Density::Papers) => (692_000 + 30_166, 3_684, 4),
            // synth.py: te_add, whose nine multipliers are montgomery-377 (REDUCTION = MONTGOMERY) instead of barrett-377, and
            // gypsophila_lane, whose nine leaves take six DSPs each.
            (Curve::Bls12_377, Density::Ours) => {
                let sums = 665_345 - 9 * 72_716;
                (9 * product.luts + sums + beside + 30_166, 9 * product.dsps(family) + 54, 4)
            }
            // synth.py: rcb_add without its twelve multipliers, and apadd_rcb. Gypsophila, Table 1: a quarter of PE-4's DSPs.
            (_, density) => {
                let sums = 408_843 - 12 * 31_037;
                let dsps = match density {
                    Density::Papers => 6_858 / 4,
                    Density::Ours => 12 * product.dsps(family) + 36,
                };
                (12 * product.luts + sums + beside + 45_662, dsps, 3)
            }
        };
        Ok(Demand {
            luts,
            dsps,
            // The buckets, and the buckets of the window before in front of the shared adder.
            urams: 2 * urams(1 << (self.window - 1), coordinates * bits),
            gigabytes_per_second: gigabytes(self.point_bytes as f64, self.clock_mhz),
            channels: 0,
            point_bytes: self.point_bytes,
        })
    }
}

impl reclaimer::Parameters {
    /// Returns the resources of the machine. The [example](crate::resources) uses it.
    ///
    /// # Errors
    /// As [`Model::simulate`](crate::Model::simulate) for the parameters.
    pub fn demand(&self, density: Density, family: Family) -> Result<Demand, Error> {
        self.check(0)?;
        let bits = self.curve.coordinate_bits();
        let product = multiplier(density, bits);
        let lanes = u64::from(self.adders);
        let products = 6 * (lanes + 1) + 2;
        // synth.py over 377 bits: affine_batch_add without its six multipliers, batch_root without its two. Other fields in
        // proportion to their bits.
        let scaled = |luts: u64| luts * u64::from(bits) / 377;
        let adder = scaled(273_204 - 6 * 40_267);
        let root = scaled(85_777 - 2 * 40_267);
        // synth.py: two sets of pairing_scheduler and reclaimer_halving for each lane, reclaimer_input.
        let lane = 2 * 866 + 1_038;
        Ok(Demand {
            luts: products * product.luts + (lanes + 1) * adder + root + lanes * lane + 921,
            dsps: products * product.dsps(family),
            urams: 2 * lanes * urams(1 << (self.window - 1), 2 * bits),
            gigabytes_per_second: gigabytes(
                (self.point_bytes + reclaimer::SCALAR_BYTES) as f64,
                self.clock_mhz,
            ),
            channels: 0,
            point_bytes: self.point_bytes + reclaimer::SCALAR_BYTES,
        })
    }
}
