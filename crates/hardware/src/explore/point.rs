//! A point of the front.

use serde::{Serialize, Serializer};

use super::lack::Resource;
use super::machine::Machine;
use super::request::Request;
use crate::resources::Demand;
use crate::Design;

/// An amount of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Amount {
    /// The amount.
    pub used: f64,
    /// The amount in percent of the board's.
    pub percent: f64,
}

/// A machine, or several copies of it, on the board.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// The design.
    #[serde(serialize_with = "name")]
    pub design: Design,
    /// Number of machines, each with an equal part of the points.
    pub copies: u32,
    /// Adders or processing elements of a machine.
    pub elements: u32,
    /// Bits of a window.
    pub window: u32,
    /// Stages of the adder; the reclaimer's are of its multipliers.
    pub stages: u32,
    /// Segments of the aggregation, where the design has them.
    pub segments: Option<u32>,
    /// The clock in MHz.
    pub clock_mhz: f64,
    /// Milliseconds of the sum, in closed form.
    pub ms: f64,
    /// LUTs.
    pub luts: Amount,
    /// DSPs.
    pub dsps: Amount,
    /// UltraRAMs.
    pub urams: Amount,
    /// Bandwidth of the memory while points come, in 10^9 bytes a second.
    pub gigabytes_per_second: f64,
    /// The bandwidth in percent of the memory's, if that is known.
    pub bandwidth_percent: Option<f64>,
    /// The resource with the largest share.
    pub binds: Resource,
    /// The machine's parameters that differ from the defaults: names and values for `simulate --set`.
    pub settings: Vec<(String, String)>,
}

fn name<S: Serializer>(design: &Design, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(design.name())
}

impl Point {
    pub(super) fn new(request: &Request, machine: &Machine, copies: u32, demand: &Demand, ms: f64) -> Self {
        let board = &request.board;
        let amount =
            |used: u64, of: u64| Amount { used: used as f64, percent: 100.0 * used as f64 / of as f64 };
        let [luts, dsps, urams] = [
            amount(demand.luts, board.luts.value),
            amount(demand.dsps, board.dsps.value),
            amount(demand.urams, board.urams.value),
        ];
        let gigabytes_per_second = demand.gigabytes_per_second;
        let bandwidth_percent = board.gigabytes_per_second().map(|of| 100.0 * gigabytes_per_second / of);
        let shares = [
            (Resource::Luts, luts.percent),
            (Resource::Dsps, dsps.percent),
            (Resource::Urams, urams.percent),
            (Resource::Bandwidth, bandwidth_percent.unwrap_or(0.0)),
        ];
        let binds =
            shares.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(Resource::Luts, |most| most.0);
        Point {
            design: machine.design,
            copies,
            elements: machine.elements,
            window: machine.window,
            stages: machine.stages,
            segments: machine.segments,
            clock_mhz: machine.clock_mhz,
            ms,
            luts,
            dsps,
            urams,
            gigabytes_per_second,
            bandwidth_percent,
            binds,
            settings: machine.settings.clone(),
        }
    }

    /// Returns time, LUTs, DSPs, UltraRAMs and bandwidth. Less is better.
    /// The [example](crate::explore) uses it.
    pub fn costs(&self) -> [f64; 5] {
        [self.ms, self.luts.used, self.dsps.used, self.urams.used, self.gigabytes_per_second]
    }

    /// Returns true if this point is at least as good as the other in everything, and better in something.
    /// The [example](crate::explore) uses it.
    pub fn dominates(&self, other: &Point) -> bool {
        let (own, others) = (self.costs(), other.costs());
        own.iter().zip(&others).all(|(own, other)| own <= other) && own != others
    }
}
