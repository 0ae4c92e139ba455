//! CycloneMSM (`hdl/rtl/pe/cyclone_top.sv`) and its surroundings: the host, and the memory of the points. [`F1`] is the
//! machine for its authors' host.

mod device;
mod f1;
mod registers;

use ark_bls12_377::g1::Config;
use ark_bls12_377::{Fq, G1TEAffine, G1TEProjective};
use ark_ec::twisted_edwards::TECurveConfig;
use ark_ec::CurveGroup;
use ark_ff::AdditiveGroup;
use bucketwheel_hardware::cyclone::{Commands, Parameters};
use bucketwheel_hardware::runtime::Element;
use bucketwheel_hardware::Scalar;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub use self::f1::F1;
pub use self::registers::COUNTERS;
use crate::coordinates::{reduced, words};
use crate::stream::Sender;
use crate::{Bench, Bus, Fault, Inputs, Watch};

/// A coordinate of 384 bits in Montgomery form.
type Coordinate = [u32; 12];

/// A point in the form of the memories: x, y and u = 2 d x y.
pub type Point = [Coordinate; 3];

/// Share of the cycles in which the partner of each stream offers or takes a word.
#[derive(Clone, Copy, Debug)]
pub struct Links {
    /// The host has a batch of commands.
    pub commands: f64,
    /// A memory channel has a coordinate.
    pub points: f64,
    /// The host takes a coordinate of a sum.
    pub results: f64,
    /// The memory takes and gives conflicts.
    pub spill: f64,
    /// The host sends a batch in eight cycles, and pauses for a number of cycles after a number of commands of a
    /// window.
    pub pace: Option<(usize, u64)>,
    /// A channel (x, y, u) marks one of its beats as the last although it is not; both are given by number.
    pub false_last: Option<(usize, usize)>,
}

impl Links {
    /// Returns the pace at which nobody ever waits.
    pub const FAST: Links =
        Links { commands: 1.0, points: 1.0, results: 1.0, spill: 1.0, pace: None, false_last: None };
}

/// The bench's outputs.
struct Seen {
    flags: u32,
    rdata: u32,
    result: Coordinate,
}

impl Seen {
    fn flag(&self, bit: usize) -> bool {
        self.flags >> bit & 1 == 1
    }
}

// Places in the bench's input (hdl/tb/tb_cyclone.sv), in words.
const COMMAND: usize = 0;
const POINT: usize = 16;
const ADDRESS: usize = 52;
const WDATA: usize = 53;
const FLAGS: usize = 54;

/// A simulated CycloneMSM with its host and its memories.
pub struct Cyclone {
    bench: Bench,
    input: [u32; 55],
    rng: ChaCha8Rng,
    /// Conflicts of the first window since the last reset.
    first_window_conflicts: Option<u32>,
    /// Behaviour of the machine's partners.
    pub links: Links,
    /// Cancellation and progress.
    pub watch: Watch,
}

impl Cyclone {
    /// Opens a bench of `tb_cyclone` by its name in `benches.rs`.
    ///
    /// # Panics
    /// Panics if the bench does not exist.
    pub fn new(bench: &str) -> Self {
        Cyclone {
            bench: Bench::new(bench),
            input: [0; 55],
            rng: ChaCha8Rng::seed_from_u64(1),
            first_window_conflicts: None,
            links: Links::FAST,
            watch: Watch::default(),
        }
    }

    /// Returns the bench, to reset it or to see its failures.
    pub fn bench(&mut self) -> &mut Bench {
        &mut self.bench
    }

    /// Returns the cycle model of the same hardware on a link without pauses: parameters come from the registers,
    /// with the three cycles of the aggregation beside an addition.
    pub fn model(&mut self) -> Parameters {
        let configuration = self.read(registers::CONFIGURATION).expect("the register is there");
        let [buckets, multiplier, pipeline, control] = configuration.to_le_bytes().map(u32::from);
        let variant = self.read(registers::CONTROL).expect("the register is there");
        let [segment_width, greedy_queue, overlap, _] = variant.to_le_bytes().map(u32::from);
        Parameters {
            window: buckets + 1,
            multiplier_stages: multiplier,
            pipeline_stages: pipeline,
            control_stages: control,
            link_efficiency: 1.0,
            memory: None,
            aggregation_gap: 3,
            segments: 1 << segment_width,
            greedy_queue,
            overlap_aggregation: overlap & 1 == 1,
            ..Parameters::default()
        }
    }

    /// Returns a point in the form of the memories.
    pub fn point(point: G1TEAffine) -> Point {
        let u = <Config as TECurveConfig>::COEFF_D.double() * point.x * point.y;
        [point.x, point.y, u].map(|x| {
            let mut coordinate = [0; 12];
            coordinate.iter_mut().zip(words(&x.0 .0)).for_each(|(to, word)| *to = word);
            coordinate
        })
    }

    /// Computes `sum scalar * point`, window by window.
    ///
    /// # Errors
    /// [`Fault::Input`] for scalars that are too long; other faults if the hardware is broken.
    pub fn msm(&mut self, scalars: &[Scalar], points: &[Point]) -> Result<G1TEProjective, Fault> {
        let sums = self.msms(&[scalars], points)?;
        Ok(sums[0])
    }

    /// Computes sums for several vectors of scalars over the same points, in sequence. If a window is aggregated while
    /// the next window is accumulated, all vectors are sent as soon as the machine takes them; otherwise each vector
    /// waits for the previous sum.
    ///
    /// # Errors
    /// As [`msm`](Self::msm).
    pub fn msms(&mut self, tasks: &[&[Scalar]], points: &[Point]) -> Result<Vec<G1TEProjective>, Fault> {
        let model = self.model();
        let tasks =
            tasks.iter().map(|scalars| Commands::new(&model, scalars)).collect::<Result<Vec<_>, _>>()?;
        let windows: Vec<_> = tasks
            .iter()
            .flat_map(|task| (0..task.windows().count()).map(|w| Commands::batches(task.digits(w))))
            .collect();
        let sums = if model.overlap_aggregation {
            self.windows(&windows, points)?
        } else {
            windows.iter().map(|batches| self.window(batches, points)).collect::<Result<_, _>>()?
        };
        let each = sums.len() / tasks.len().max(1);
        Ok(tasks.iter().zip(sums.chunks(each.max(1))).map(|(task, sums)| task.combine(sums)).collect())
    }

    /// Returns the hardware as a processing element of the runtime.
    pub fn element(mut self) -> Element<G1TEProjective> {
        Box::new(move |part| {
            let points: Vec<_> =
                G1TEProjective::normalize_batch(part.points).into_iter().map(Self::point).collect();
            let sum = self.msm(part.scalars, &points);
            if sum.is_err() {
                self.reset();
            }
            sum.map_err(|fault| fault.to_string())
        })
    }

    /// Sends a window's commands and all points, and waits for the sum.
    ///
    /// # Errors
    /// [`Fault::Misaligned`] if the numbers of points and commands differ, [`Fault::Digit`]; other faults if the
    /// hardware is broken.
    pub fn window(
        &mut self,
        batches: &[[u64; Commands::BATCH]],
        points: &[Point],
    ) -> Result<G1TEProjective, Fault> {
        let model = self.model();
        let cycles = self.limit(&model, points.len());
        let sum = self.drive(batches, points, cycles)?;
        if self.first_window_conflicts.is_none() {
            self.first_window_conflicts = Some(self.read(registers::CONFLICTS)?);
        }
        self.check()?;
        sum.ok_or(Fault::Stuck { cycles })
    }

    /// Sends the commands and points of windows that follow each other without a pause, and waits for their sums.
    ///
    /// # Errors
    /// As [`window`](Self::window).
    pub fn windows(
        &mut self,
        windows: &[Vec<[u64; Commands::BATCH]>],
        points: &[Point],
    ) -> Result<Vec<G1TEProjective>, Fault> {
        let model = self.model();
        let cycles = self.limit(&model, points.len()) * windows.len() as u64;
        let windows: Vec<_> = windows.iter().map(Vec::as_slice).collect();
        let sums = self.send(&windows, points, cycles)?;
        self.check()?;
        if sums.len() < windows.len() {
            return Err(Fault::Stuck { cycles });
        }
        Ok(sums)
    }

    /// Returns the machine's errors about its inputs.
    fn check(&mut self) -> Result<(), Fault> {
        match self.read(registers::STATUS)? >> 1 & 3 {
            0 => Ok(()),
            1 => Err(Fault::Misaligned { what: "commands" }),
            _ => Err(Fault::Digit { most: 1 << (self.model().window - 1) }),
        }
    }

    /// Runs a window for this number of cycles, or until the sum arrives.
    ///
    /// # Errors
    /// [`Fault::NotReduced`], [`Fault::Input`] if cancelled.
    pub fn drive(
        &mut self,
        batches: &[[u64; Commands::BATCH]],
        points: &[Point],
        cycles: u64,
    ) -> Result<Option<G1TEProjective>, Fault> {
        Ok(self.send(&[batches], points, cycles)?.pop())
    }

    /// Runs windows for this number of cycles, or until all sums arrive; returns the sums that arrived.
    ///
    /// # Errors
    /// [`Fault::NotReduced`], [`Fault::Input`] if cancelled.
    pub fn send(
        &mut self,
        windows: &[&[[u64; Commands::BATCH]]],
        points: &[Point],
        cycles: u64,
    ) -> Result<Vec<G1TEProjective>, Fault> {
        let beats: Vec<_> = windows
            .iter()
            .flat_map(|batches| (1..=batches.len()).map(|beat| (&batches[beat - 1], beat == batches.len())))
            .collect();
        let mut commands = Sender::new(beats.len());
        let mut channels: [Sender; 3] = std::array::from_fn(|_| Sender::new(windows.len() * points.len()));
        let (mut sums, mut sum) = (Vec::new(), Vec::new());
        let (mut in_window, mut on_time, mut told) = (0, 0, 0);
        for cycle in 0..cycles {
            if cycle % Watch::PERIOD == 0 {
                self.watch.advance(channels[0].next - told)?;
                told = channels[0].next;
            }
            let mut flags = u32::from(self.rng.gen_bool(self.links.results)) << 8;
            if commands.offer(cycle >= on_time && self.rng.gen_bool(self.links.commands)) {
                let (batch, last) = beats[commands.next];
                flags |= 1 | u32::from(last) << 1;
                let batch = words(batch);
                self.input[COMMAND..POINT].iter_mut().zip(batch).for_each(|(to, word)| *to = word);
            }
            for (i, channel) in channels.iter_mut().enumerate() {
                if channel.offer(self.rng.gen_bool(self.links.points)) {
                    let last =
                        channel.is_last(points.len()) || self.links.false_last == Some((i, channel.next));
                    flags |= (1 << 2 | u32::from(last) << 5) << i;
                    self.input[POINT + 12 * i..][..12]
                        .copy_from_slice(&points[channel.next % points.len()][i]);
                }
            }
            let seen = self.cycle(flags);
            if commands.step(seen.flag(0)) {
                in_window = if beats[commands.next - 1].1 { 0 } else { in_window + Commands::BATCH };
                if let Some((burst, pause)) = self.links.pace {
                    let pause = if in_window > 0 && in_window.is_multiple_of(burst) { pause } else { 0 };
                    on_time = cycle + Commands::BATCH as u64 + pause;
                }
            }
            for (i, channel) in channels.iter_mut().enumerate() {
                channel.step(seen.flag(1 + i));
            }
            if seen.flag(4) && flags >> 8 & 1 == 1 {
                let [coordinate] = reduced::<Fq, 6, 1>(&seen.result)?;
                sum.push(Fq::new_unchecked(coordinate));
                if let (true, &[x, y, z, t]) = (seen.flag(5), sum.as_slice()) {
                    sums.push(G1TEProjective::new_unchecked(x, y, t, z));
                    sum.clear();
                    if sums.len() == windows.len() {
                        self.watch.advance(channels[0].next - told)?;
                        break;
                    }
                }
            }
        }
        Ok(sums)
    }

    /// Returns a number of cycles that no window ever takes: every point alone in the pipeline, twice.
    fn limit(&self, model: &Parameters, points: usize) -> u64 {
        let latency = u64::from(model.pipeline_stages + model.multiplier_stages + model.control_stages) + 16;
        let slowest = [self.links.commands, self.links.points, self.links.results, self.links.spill]
            .into_iter()
            .fold(1.0, f64::min);
        let pauses = self.links.pace.map_or(0, |(burst, cycles)| points as u64 / burst as u64 * cycles);
        let cycles = 2 * latency * (points as u64 + (1 << model.window) + 16) + pauses;
        (cycles as f64 / slowest.max(1e-3)) as u64
    }

    /// Runs cycles in which nothing arrives and nothing is taken.
    pub fn idle(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.cycle(0);
        }
    }

    fn cycle(&mut self, flags: u32) -> Seen {
        let stalls = [9, 10].map(|bit| u32::from(!self.rng.gen_bool(self.links.spill)) << bit);
        self.input[FLAGS] = flags | stalls[0] | stalls[1];
        let data = self.bench.cycle(Inputs { reset: false, ready: true, data: Some(&self.input) }).data;
        let data = data.expect("all cycles are valid");
        Seen { flags: data[13], rdata: data[12], result: std::array::from_fn(|i| data[i]) }
    }
}
