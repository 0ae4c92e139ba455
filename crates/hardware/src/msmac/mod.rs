//! MSMAC: processors with four instructions, all windows of a point in one batch, cards and a runtime.
//!
//! The model runs the program ([`pippenger`]) on every processing element, cycle by cycle, for each sub-task, and puts
//! these together on a timeline of transfers and computations.

mod assembly;
mod cards;
mod isa;
mod pe;
mod program;
mod summary;

use std::fmt;
use std::ops::Range;

use bucketwheel::Control;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::assembly::{assemble, disassemble, from_bytes, to_bytes, AssemblyError, MAX_INSTRUCTIONS};
pub(crate) use self::cards::split;
pub use self::isa::{Address, Condition, Instruction, InvalidInstruction, Operand, Padd, INSTRUCTION_BYTES};
pub use self::pe::{Counts, Pe};
pub use self::program::{pippenger, pippenger_text};
use crate::digits::{Scalar, Windows};
use crate::group::combine;
use crate::model::{check_cancelled, check_inputs, check_segments, in_range, windows};
use crate::report::milliseconds;
use crate::{Curve, Error, Group, Model, Outcome};

/// MSMAC's parameters. Sections and tables are the paper's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// The curve: BN254, which the paper calls BN128.
    pub curve: Curve,
    /// The clock in MHz: 250 (5.1).
    pub clock_mhz: f64,
    /// Bits of a window, s: 13, the best from 2^17 points on (3.3).
    pub window: u32,
    /// Cards: 1, 2 or 4 in the paper (5.2).
    pub cards: u32,
    /// Processing elements of a card: 4 (3.3).
    pub pes: u32,
    /// Stages of the adder, with the write-back: 100. Fitted to Table 3; unsaid.
    pub latency: u32,
    /// Entries of the conflict FIFO from which on it is almost full: 256. Inferred.
    pub conflict_threshold: u32,
    /// Entries that it has room for: 512. Inferred.
    pub conflict_depth: u32,
    /// Segments of a window's buckets, a power of two, which the program aggregates side by side: 1, the paper's. More are
    /// ours, and take as many more places for temporaries; with 4 the adder waits for nothing.
    pub segments: u32,
    /// Cycles of the front end for a jump: 2, fetch and decode. Inferred.
    pub jump_cycles: u32,
    /// Cycles between points from the card's memory: 4. Inferred; at least one batch apart, they matter little.
    pub point_cycles: u32,
    /// Buckets that a card has room for: those of four elements with s = 13 (3.3).
    pub card_buckets: u64,
    /// Points of a sub-task, or 0 for the size of least time by search (5.2).
    pub sub_task: usize,
    /// Bytes of a point and its scalar: 96. Inferred: affine coordinates.
    pub point_bytes: u64,
    /// 10^9 bytes a second of a card's link: 8. Fitted to Table 3.
    pub card_gigabytes: f64,
    /// 10^9 bytes a second of the host, all cards together: 30. Fitted to Table 3.
    pub host_gigabytes: f64,
    /// Microseconds of the host for each sub-task: 100. Fitted to Table 3.
    pub sub_task_us: f64,
    /// Microseconds of the host for a task, its last sums included: 1000. Fitted to Table 3.
    pub host_us: f64,
    /// Bytes of a processing element's buffers on the card, two of them: 2 GiB. Inferred.
    pub buffer_bytes: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            curve: Curve::Bn254,
            clock_mhz: 250.0,
            window: 13,
            cards: 1,
            pes: 4,
            latency: 100,
            conflict_threshold: 256,
            conflict_depth: 512,
            segments: 1,
            jump_cycles: 2,
            point_cycles: 4,
            card_buckets: 4 * 20 * 4096,
            sub_task: 0,
            point_bytes: 96,
            card_gigabytes: 8.0,
            host_gigabytes: 30.0,
            sub_task_us: 100.0,
            host_us: 1000.0,
            buffer_bytes: 2 << 30,
        }
    }
}

/// Parameters of a processing element that matter to its programs.
#[derive(Clone, Debug)]
pub struct Hardware {
    /// The windows of a scalar: as many buckets has the bucket RAM.
    pub windows: Windows,
    /// Cycles from an addition's beginning until its sum can be read.
    pub latency: u32,
    /// Places of the RAM for intermediate results.
    pub temps: u32,
    /// Segments of a window's buckets, each with a sum and a total in that RAM.
    pub segments: u32,
    /// Entries of the conflict FIFO from which on it is almost full.
    pub conflict_threshold: u32,
    /// Entries that it has room for.
    pub conflict_depth: u32,
    /// Cycles of the front end for a `jmp`.
    pub jump_cycles: u32,
    /// Cycles between the arrivals of two points.
    pub point_cycles: u32,
    /// A program that takes longer has no end.
    pub cycle_limit: u64,
}

impl Hardware {
    /// The buckets of the processing element.
    fn buckets(&self) -> usize {
        self.windows.count() as usize * self.windows.buckets()
    }
}

/// Fault of a program: something that the hardware cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// It read what the adder has not written yet.
    Hazard {
        /// The RAM.
        ram: &'static str,
        /// The place.
        address: usize,
        /// From which cycle on it can be read.
        ready: u64,
    },
    /// An address behind the end.
    Address {
        /// The RAM.
        ram: &'static str,
        /// The place.
        address: usize,
    },
    /// It waits for a point after the last one.
    NoInput,
    /// The conflict FIFO was full.
    Overflow,
    /// It does not end.
    NoEnd,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Hazard { ram, address, ready } => {
                write!(
                    f,
                    "{ram}[{address}] is read before its sum is there: expected cycle {ready}, insert a nop"
                )
            }
            Fault::Address { ram, address } => {
                write!(f, "{ram}[{address}] does not exist: expected an address of the RAM")
            }
            Fault::NoInput => f.write_str("no point is left to come: expected a `jmp input` before"),
            Fault::Overflow => f.write_str("the conflict FIFO is full: expected a `jmp almost_full` before"),
            Fault::NoEnd => f.write_str("the program does not end: expected it to leave its loops"),
        }
    }
}

/// Table 3: milliseconds on one card and on four.
const TABLE_3: [(u32, [f64; 2]); 9] = [
    (18, [10.65, 6.30]),
    (19, [19.45, 9.79]),
    (20, [34.15, 14.39]),
    (21, [58.87, 22.56]),
    (22, [114.48, 31.43]),
    (23, [200.65, 54.49]),
    (24, [373.77, 101.02]),
    (25, [736.68, 192.34]),
    (26, [1420.0, 369.30]),
];

/// Equation 6: additions of an MSM of `points` points with windows of s bits, for scalars of `bits` bits.
pub fn additions(points: f64, window: u32, bits: u32) -> f64 {
    let windows = f64::from(bits) / f64::from(window);
    windows * points + 2.0 * windows * (f64::from(window).exp2() - 1.0)
}

/// Figure 9: the window of the fewest additions by Equation 6, of those that fit a card (s up to 13).
pub fn best_window(points: f64, bits: u32) -> u32 {
    let cost = |window: &u32| additions(points, *window, bits);
    (2..=13).min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(13)
}

impl Parameters {
    fn check(&self, points: usize) -> Result<Windows, Error> {
        if self.curve != Curve::Bn254 {
            return Err(Error::Curve { design: Self::NAME, curve: self.curve, expected: "bn254" });
        }
        in_range("clock_mhz", self.clock_mhz, 1.0..=10_000.0)?;
        in_range("cards", self.cards, 1..=256)?;
        in_range("pes", self.pes, 1..=256)?;
        in_range("latency", self.latency, 1..=10_000)?;
        in_range("jump_cycles", self.jump_cycles, 1..=100)?;
        in_range("point_cycles", self.point_cycles, 1..=10_000)?;
        in_range("conflict_threshold", self.conflict_threshold, 1..=4095)?;
        in_range("point_bytes", self.point_bytes, 1..=4096)?;
        in_range("buffer_bytes", self.buffer_bytes, self.point_bytes..=1 << 50)?;
        in_range("card_gigabytes", self.card_gigabytes, 1e-3..=1e6)?;
        in_range("host_gigabytes", self.host_gigabytes, 1e-3..=1e6)?;
        in_range("sub_task_us", self.sub_task_us, 0.0..=1e9)?;
        in_range("host_us", self.host_us, 0.0..=1e9)?;
        let windows = windows(self.window, self.curve)?;
        // Two batches may begin before a jump sees that it is almost full.
        let least = self.conflict_threshold + 2 * windows.count();
        in_range("conflict_depth", self.conflict_depth, least..=1 << 20)?;
        check_segments(self.segments, windows)?;
        let buckets = u64::from(self.pes) * u64::from(windows.count()) * windows.buckets() as u64;
        if buckets > self.card_buckets {
            let expected = format!(
                "{} processing elements to have no more than {} buckets",
                self.pes, self.card_buckets
            );
            return Err(Error::Parameter { name: "window", value: self.window.to_string(), expected });
        }
        let most = self.buffered_points();
        if self.sub_task as u64 > most {
            return Err(Error::Size {
                points: self.sub_task,
                most,
                limit: "a buffer of a processing element",
            });
        }
        let most = self.most_points();
        if points as u64 > most {
            let limit = "the sub-tasks of all processing elements, 1024 of each";
            return Err(Error::Size { points, most, limit });
        }
        Ok(windows)
    }

    /// The processing element of these parameters, for sub-tasks of at most `points` points.
    ///
    /// # Errors
    /// As [`Model::simulate`].
    pub fn hardware(&self, points: usize) -> Result<Hardware, Error> {
        let windows = self.check(points)?;
        Ok(Hardware {
            windows,
            latency: self.latency,
            temps: 2 * self.segments * windows.count(),
            segments: self.segments,
            conflict_threshold: self.conflict_threshold,
            conflict_depth: self.conflict_depth,
            jump_cycles: self.jump_cycles,
            point_cycles: self.point_cycles,
            // As if every addition waited for the one before, and as much again.
            cycle_limit: 2
                * (u64::from(self.latency) + 16)
                * u64::from(windows.count())
                * (points as u64 + 2 * windows.buckets() as u64 + 1000)
                + points as u64 * u64::from(self.point_cycles),
        })
    }
}

impl Parameters {
    /// The processing element, and Pippenger's program for it.
    ///
    /// # Errors
    /// As [`hardware`](Self::hardware), and [`Error::Parameter`] for a window that instructions cannot address.
    pub fn programmed(&self, points: usize) -> Result<(Hardware, Vec<Instruction>), Error> {
        let hardware = self.hardware(points)?;
        let program = pippenger(&hardware).map_err(|error| Error::Parameter {
            name: "window",
            value: self.window.to_string(),
            expected: format!("a program that fits the instructions ({error})"),
        })?;
        Ok((hardware, program))
    }

    /// Points of a sub-task: as set, or the size of least time.
    ///
    /// # Errors
    /// As [`programmed`](Self::programmed).
    pub fn sub_task_size(&self, points: usize, tasks: usize) -> Result<usize, Error> {
        if self.sub_task > 0 {
            return Ok(self.sub_task);
        }
        let (hardware, program) = self.programmed(points)?;
        // What a sub-task takes beside its points is the same for all.
        let fixed =
            Pe::<()>::new(&hardware, &program, &[], &[], &Control::new(None, None, None))?.run()?.1.cycles;
        let ms = |cycles: u64| milliseconds(cycles, self.clock_mhz);
        let point = hardware.windows.count().max(self.point_cycles);
        let most = self.buffered_points() as usize;
        Ok(cards::best_size(self, points, tasks, ms(fixed), ms(point.into())).min(most))
    }

    /// Points that a buffer of a processing element holds.
    fn buffered_points(&self) -> u64 {
        self.buffer_bytes / self.point_bytes.max(1)
    }
}

/// The most sub-tasks of a processing element, each a filling of a buffer: their size is searched below that.
const MAX_ROUNDS: u64 = 1 << 10;

impl Model for Parameters {
    const NAME: &'static str = "msmac";

    fn curve(&self) -> Curve {
        self.curve
    }

    fn most_points(&self) -> u64 {
        let filled = if self.sub_task > 0 { self.sub_task as u64 } else { self.buffered_points() };
        filled
            .saturating_mul(u64::from(self.cards))
            .saturating_mul(u64::from(self.pes))
            .saturating_mul(MAX_ROUNDS)
    }

    fn bucket_bytes<G: Group>(&self) -> usize {
        let buckets =
            |hardware: Hardware| hardware.buckets().saturating_mul(size_of::<G>() + size_of::<u64>());
        self.hardware(0).map_or(usize::MAX, |hardware| buckets(hardware) * rayon::current_num_threads())
    }

    fn simulate<G: Group>(
        &self,
        points: &[G],
        tasks: &[&[Scalar]],
        control: &Control<'_>,
    ) -> Result<Outcome<G>, Error> {
        check_inputs(points.len(), tasks, self.curve)?;
        let (hardware, program) = self.programmed(points.len())?;
        let size = self.sub_task_size(points.len(), tasks.len())?;
        let sub_tasks: Vec<(usize, Range<usize>)> = (0..tasks.len())
            .flat_map(|task| cards::split(points.len(), size).map(move |range| (task, range)))
            .collect();
        let run = |(task, range): &(usize, Range<usize>)| {
            let (points, scalars) = (&points[range.clone()], &tasks[*task][range.clone()]);
            let result = Pe::new(&hardware, &program, points, scalars, control)?.run()?;
            control.advance(range.len());
            Ok(result)
        };
        control.expect(points.len() * tasks.len());
        let results: Vec<(Vec<G>, Counts)> = sub_tasks.par_iter().map(run).collect::<Result<_, Error>>()?;
        check_cancelled(control)?;
        let mut sums = vec![G::ZERO; tasks.len()];
        for ((task, _), (windows, _)) in sub_tasks.iter().zip(&results) {
            sums[*task] = sums[*task].plus(combine(windows, self.window));
        }
        let counts = results.iter().map(|(_, counts)| *counts).collect();
        Ok(Outcome { sums, report: self.report(points.len(), tasks.len(), size, counts) })
    }
}
