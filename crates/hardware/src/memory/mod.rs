//! The memory of a card: DDR4 or HBM2 behind AXI4, cycle by cycle.
//!
//! A [`Port`] is a slave of AXI4 with 512 bits of data on the core's clock, in front of one channel: banks with open rows, two
//! queues of accesses, refreshes, turnarounds of the data bus. Ports carry no data, only their times. `hdl/tb/axi_memory.h` is
//! the same port in C++ with data, for the benches of `hdl/tb`; tests compare all outputs of both in each cycle.
//!
//! ```
//! use bucketwheel_hardware::memory::{both_ways, streams, Inputs, Kind, Port, BOARDS};
//!
//! let timing = Kind::Ddr4At2400.timing();
//! assert_eq!((Kind::Ddr4At2400.name(), timing.numbers()[0]), ("ddr4-2400", 1_200_000));
//!
//! // Reads a burst of two beats, and waits for them.
//! let mut port = Port::new(timing, 250_000, 255, 0);
//! let (mut cycles, mut beats) = (0, Vec::new());
//! let mut read = Some((64, 2));
//! while beats.len() < 2 {
//!     let outputs = port.outputs();
//!     port.cycle(Inputs { read, takes_data: true, ..Inputs::default() });
//!     if outputs.takes_read {
//!         read = None;
//!     }
//!     beats.extend(outputs.data);
//!     cycles += 1;
//! }
//! assert_eq!(beats, [(64, false), (65, true)]);
//! assert!((20..40).contains(&cycles), "about a hundred nanoseconds");
//!
//! // A channel reads almost as fast as its pins. If three channels have to deliver in the same cycles, each waits for the
//! // refreshes of all.
//! let share = both_ways(Kind::Ddr4At2400, 300_000) * 300e6 * 64e-9 / timing.peak_gigabytes();
//! assert!((0.5..0.95).contains(&share));
//! assert!(streams(Kind::Ddr4At2400, 250_000, 3, 32) < streams(Kind::Ddr4At2400, 250_000, 1, 32));
//! assert!(BOARDS.iter().any(|board| board.name == "U250" && board.channels == 4));
//! ```

mod channel;
mod port;
mod streams;
mod timing;

pub use port::{Inputs, Outputs, Port};
pub(crate) use streams::{Layout, Ports, Streams, Traffic, BEAT, CROSSING};
pub use timing::{Kind, Timing};

/// The memory of a card.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// Name of the card.
    pub name: &'static str,
    /// Kind of its memory.
    pub kind: Kind,
    /// Number of channels or pseudo channels.
    pub channels: u32,
    /// Bytes of all channels.
    pub bytes: u64,
    /// Source of these numbers.
    pub source: &'static str,
}

/// Cards with their memory.
pub const BOARDS: [Board; 5] = [
    Board {
        name: "AWS F1",
        kind: Kind::Ddr4At2133,
        channels: 4,
        bytes: 64 << 30,
        source: "CycloneMSM 5.1, four channels of 16 GB; DDR4-2133 by the HDK of AWS F1",
    },
    Board {
        name: "U250",
        kind: Kind::Ddr4At2400,
        channels: 4,
        bytes: 64 << 30,
        source: "AMD DS962: four DIMMs of 16 GB, 77 GB/s",
    },
    Board {
        name: "U280",
        kind: Kind::Hbm2,
        channels: 32,
        bytes: 8 << 30,
        source: "AMD DS963: 8 GB of HBM2, 460 GB/s; its two DIMMs of DDR4 are left out",
    },
    Board {
        name: "U55C",
        kind: Kind::Hbm2,
        channels: 32,
        bytes: 16 << 30,
        source: "AMD DS978: 16 GB of HBM2, 460 GB/s",
    },
    Board {
        name: "AWS F2",
        kind: Kind::Hbm2,
        channels: 32,
        bytes: 16 << 30,
        source: "AWS EC2 F2 FPGA Development Kit: 16 GiB of HBM, 460 GB/s; its 64 GiB of DDR4 are left out",
    },
];

/// Beats of a burst of the streams below: 4 KiB.
const BURST: u32 = 64;
/// Bursts that a stream requests ahead.
const AHEAD: u32 = 4;
/// Intervals between refreshes over which streams are measured.
const INTERVALS: u64 = 16;

/// Returns the cycles of the core in [`INTERVALS`].
fn measured_cycles(timing: Timing, core_khz: u32) -> u64 {
    INTERVALS * u64::from(timing.refi) * u64::from(core_khz) / u64::from(timing.clock_khz)
}

/// A master that reads one beat after the other.
#[derive(Debug, Default)]
struct Reader {
    requested: u32,
    read: u32,
}

impl Reader {
    fn request(&self) -> Option<(u64, u32)> {
        (self.requested - self.read <= (AHEAD - 1) * BURST).then_some((self.requested.into(), BURST))
    }
}

/// Returns the share of the core's cycles in which each of `channels` channels delivers a beat of 512 bits, if all read
/// sequentially, a queue of `places` beats waits for each of them, and a beat leaves all queues in the same cycle. Refreshes
/// are spread evenly over the channels. The [example](self) uses it.
pub fn streams(kind: Kind, core_khz: u32, channels: u32, places: usize) -> f64 {
    let timing = kind.timing();
    let mut ports: Vec<_> = (1..=channels)
        .map(|i| (Port::new(timing, core_khz, (256 * i / channels - 1) as u8, 0), Reader::default(), 0))
        .collect();
    let cycles = measured_cycles(timing, core_khz);
    let mut taken = 0;
    for _ in 0..cycles {
        let leaves = ports.iter().all(|(_, _, queued)| *queued > 0);
        taken += u64::from(leaves);
        for (port, reader, queued) in &mut ports {
            let inputs = Inputs { read: reader.request(), takes_data: *queued < places, ..Inputs::default() };
            let outputs = port.outputs();
            port.cycle(inputs);
            let (asked, came) =
                (inputs.read.is_some() && outputs.takes_read, inputs.takes_data && outputs.data.is_some());
            reader.requested += if asked { BURST } else { 0 };
            reader.read += u32::from(came);
            *queued = *queued + usize::from(came) - usize::from(leaves);
        }
    }
    taken as f64 / cycles as f64
}

/// Returns the beats in a cycle of the core that a channel takes and gives together, if beats are written sequentially and read
/// back in their order. The [example](self) uses it.
pub fn both_ways(kind: Kind, core_khz: u32) -> f64 {
    let timing = kind.timing();
    let mut port = Port::new(timing, core_khz, 255, 0);
    let mut reader = Reader::default();
    // Beats of bursts that were requested, of bursts that were answered, and beats that were sent.
    let (mut requested, mut answered, mut sent) = (0, 0, 0);
    let cycles = measured_cycles(timing, core_khz);
    for _ in 0..cycles {
        let inputs = Inputs {
            read: reader.request().filter(|_| reader.requested < answered),
            write: (requested - answered < AHEAD * BURST).then_some((requested.into(), BURST)),
            data: sent < requested,
            takes_data: true,
            takes_response: true,
        };
        let outputs = port.outputs();
        port.cycle(inputs);
        let on = |happens: bool| if happens { BURST } else { 0 };
        reader.requested += on(inputs.read.is_some() && outputs.takes_read);
        reader.read += u32::from(outputs.data.is_some());
        requested += on(inputs.write.is_some() && outputs.takes_write);
        sent += u32::from(inputs.data && outputs.takes_data);
        answered += on(outputs.response);
    }
    f64::from(reader.read + sent) / cycles as f64
}
