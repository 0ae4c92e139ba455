//! Reasons why a board has no room for a machine.

use serde::Serialize;

use super::machine::Machine;
use super::request::Request;
use crate::resources::Demand;
use crate::Error;

/// A resource of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Resource {
    /// LUTs.
    Luts,
    /// DSPs.
    Dsps,
    /// UltraRAMs.
    Urams,
    /// Bandwidth of the memory.
    Bandwidth,
    /// Channels of the memory.
    Channels,
    /// Bytes of the memory.
    Memory,
    /// None: the parameters make no hardware.
    Parameters,
}

impl Resource {
    /// Returns the name of an amount of the resource. The [example](Infeasible) uses it.
    pub fn name(self) -> &'static str {
        match self {
            Resource::Luts => "LUTs",
            Resource::Dsps => "DSPs",
            Resource::Urams => "UltraRAMs",
            Resource::Bandwidth => "GB/s of memory",
            Resource::Channels => "channels of memory",
            Resource::Memory => "bytes of memory",
            Resource::Parameters => "valid parameters",
        }
    }
}

/// A resource that a board lacks.
#[derive(Clone, Copy, Debug)]
pub struct Lack {
    resource: Resource,
    needed: f64,
    there: f64,
}

/// A machine that the board has no room for.
///
/// ```
/// use bucketwheel_hardware::explore::Resource;
///
/// assert_eq!(Resource::Urams.name(), "UltraRAMs");
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Infeasible {
    /// The name of the design.
    pub design: &'static str,
    /// Number of machines.
    pub copies: u32,
    /// Adders or processing elements of a machine.
    pub elements: u32,
    /// Bits of a window.
    pub window: u32,
    /// Segments of the aggregation, where the design has them.
    pub segments: Option<u32>,
    /// The clock in MHz.
    pub clock_mhz: f64,
    /// The resource that lacks the most.
    pub lacks: Resource,
    /// The reason in words.
    pub reason: String,
}

impl Infeasible {
    pub(super) fn new(request: &Request, machine: &Machine, copies: u32, lack: Lack) -> Self {
        let Lack { resource, needed, there } = lack;
        let subject = match (copies, machine.elements) {
            (1, 1) => "a machine needs".to_owned(),
            (1, elements) => format!("{elements} {} need", machine.design.elements()),
            (copies, 1) => format!("{copies} machines need"),
            (copies, elements) => {
                format!("{copies} machines of {elements} {} need", machine.design.elements())
            }
        };
        let of = match resource {
            Resource::Luts | Resource::Dsps | Resource::Urams if request.fill < 1.0 => {
                format!("{} % of {}", 100.0 * request.fill, request.board.name)
            }
            _ => request.board.name.to_owned(),
        };
        let [needed, there] = [needed, there].map(amount);
        let reason = format!("{subject} {needed} {}, but {of} has {there}", resource.name());
        Self::because(machine, copies, resource, reason)
    }

    pub(super) fn impossible(machine: &Machine, copies: u32, error: &Error) -> Self {
        Self::because(machine, copies, Resource::Parameters, error.to_string())
    }

    fn because(machine: &Machine, copies: u32, lacks: Resource, reason: String) -> Self {
        let Machine { design, elements, window, segments, clock_mhz, .. } = *machine;
        Infeasible { design: design.name(), copies, elements, window, segments, clock_mhz, lacks, reason }
    }
}

/// Returns the resource that lacks the most, if the board lacks any.
pub fn largest(request: &Request, demand: &Demand) -> Option<Lack> {
    let Request { board, fill, points, .. } = request;
    let memory = board.memory();
    let logic = |resource, needed: u64, there: u64| {
        Some(Lack { resource, needed: needed as f64, there: (there as f64 * fill).floor() })
    };
    let bytes = points.saturating_mul(demand.point_bytes) as f64;
    let lacks = [
        logic(Resource::Luts, demand.luts, board.luts.value),
        logic(Resource::Dsps, demand.dsps, board.dsps.value),
        logic(Resource::Urams, demand.urams, board.urams.value),
        board.gigabytes_per_second().map(|there| Lack {
            resource: Resource::Bandwidth,
            needed: demand.gigabytes_per_second,
            there,
        }),
        memory.map(|memory| Lack {
            resource: Resource::Channels,
            needed: demand.channels.into(),
            there: memory.channels.into(),
        }),
        memory.map(|memory| Lack { resource: Resource::Memory, needed: bytes, there: memory.bytes as f64 }),
    ];
    let lacking = lacks.into_iter().flatten().filter(|lack| lack.needed > lack.there);
    lacking.max_by(|a, b| (a.needed / a.there).total_cmp(&(b.needed / b.there)))
}

/// Returns an amount with four digits or a few more.
fn amount(value: f64) -> String {
    match value {
        value if value >= 1e9 => format!("{:.1}G", value / 1e9),
        value if value >= 1e6 => format!("{:.3}M", value / 1e6),
        value if value >= 1e5 => format!("{:.0}k", value / 1e3),
        value => format!("{}", (10.0 * value).round() / 10.0),
    }
}
