//! Gypsophila (`hdl/rtl/pe/gypsophila_top.sv`) and its surroundings: the host and its streams, with or without
//! pauses.

mod curve;
mod device;
mod registers;

use bucketwheel_hardware::gypsophila::Parameters;
use bucketwheel_hardware::{check_inputs, Curve, Scalar, Windows};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub use self::curve::Streamed;
pub use self::registers::{
    BUSY, CONTROL, CYCLES, DONE, MISFRAMED, REFUSED, RESTART, SHAPE, SIZE, START, TASKS, WINDOWS,
};
use crate::bus::Access;
use crate::stream::Sender;
use crate::{Bench, Bus, Fault, Inputs, Reply, Request, Watch};

/// Number of indexes that a ping-pong buffer holds, in all benches (`hdl/tb/tb_gypsophila.sv`).
const INDEXES: usize = 16;

/// Packets of a stream, one per window.
#[derive(Debug, Default)]
struct Stream {
    words: Vec<Vec<u32>>,
    packet: usize,
    sender: Sender,
}

impl Stream {
    fn is_last(&self) -> bool {
        self.sender.is_last(self.packet)
    }
}

/// State of the reset wire in a cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wire {
    Reset,
    Released,
}

/// A simulated Gypsophila with its host.
pub struct Gypsophila {
    bench: Bench,
    curve: Curve,
    /// Bits of a window.
    window: u32,
    /// Number of words of 32 bits of a coordinate.
    limbs: usize,
    points: Stream,
    indexes: Vec<Stream>,
    /// The sums that arrived, each with a flag for the last one.
    pub sums: Vec<(Vec<u32>, bool)>,
    /// Share of the cycles in which the host offers or takes a word.
    pub pace: f64,
    /// Cancellation and progress.
    pub watch: Watch,
    rng: ChaCha8Rng,
    input: Vec<u32>,
}

impl Gypsophila {
    /// Opens a bench of `tb_gypsophila` by its name in `benches.rs`.
    ///
    /// # Errors
    /// If the machine's registers do not answer.
    ///
    /// # Panics
    /// Panics if the bench does not exist.
    pub fn new(bench: &str) -> Result<Self, Fault> {
        let mut this = Gypsophila {
            bench: Bench::new(bench),
            curve: Curve::Bls12_377,
            window: 0,
            limbs: 0,
            points: Stream::default(),
            indexes: Vec::new(),
            sums: Vec::new(),
            pace: 1.0,
            watch: Watch::default(),
            rng: ChaCha8Rng::seed_from_u64(1),
            // Enough cycles for the bus.
            input: vec![0; 3],
        };
        let [pes, _, window, curve] = this.read(SHAPE)?.to_le_bytes();
        this.window = window.into();
        this.curve = if curve == 0 { Curve::Bls12_377 } else { Curve::Bn254 };
        this.limbs = this.curve.coordinate_bytes() as usize / 4;
        this.indexes = (0..pes).map(|_| Stream::default()).collect();
        this.input = vec![0; 5 + 3 * this.limbs + usize::from(pes)];
        Ok(this)
    }

    /// Returns the bench, to see its latency or its failures.
    pub fn bench(&mut self) -> &mut Bench {
        &mut self.bench
    }

    /// Returns the cycle model of the same hardware, from the registers and the benches' queues.
    ///
    /// # Errors
    /// If the registers do not answer.
    pub fn model(&mut self) -> Result<Parameters, Fault> {
        let [pes, adders, window, _] = self.read(SHAPE)?.to_le_bytes().map(u32::from);
        Ok(Parameters {
            curve: self.curve,
            window,
            pes,
            pipeline_stages: self.bench.latency() as u32,
            banks: 4,
            pairing_queue: 16,
            collision_queue: 16,
            point_buffer: 8,
            shared_adders: adders,
            shared_adder_cycles: if self.curve == Curve::Bn254 { 164 } else { 161 },
            count_aggregation: true,
            ..Parameters::default()
        })
    }

    /// Computes `sum scalar * point` for each task; there may be one task per element.
    ///
    /// # Errors
    /// [`Fault::Refused`] for more tasks, [`Fault::Input`] for scalars that do not fit, or if cancelled; other faults if
    /// the hardware is broken. After an error, the machine is restarted.
    ///
    /// # Panics
    /// Panics if `G` is not the bench's curve.
    pub fn msm<G: Streamed>(&mut self, tasks: &[&[Scalar]], points: &[G]) -> Result<Vec<G>, Fault> {
        assert_eq!(G::CURVE, self.curve, "the curve of the bench");
        check_inputs(points.len(), tasks, self.curve)?;
        let windows = self.model()?.windows(points.len())?;
        let indexes: Vec<_> = tasks.iter().map(|scalars| indexes(scalars, windows)).collect();
        self.compute(G::encode(points), &indexes, windows.count() as usize)?;
        self.sums.iter().map(|(words, _)| G::decode(words)).collect()
    }

    /// Computes sums from the words of points, and from each task's indexes of all windows, the topmost window first.
    ///
    /// # Errors
    /// As [`msm`](Self::msm).
    pub fn compute(
        &mut self,
        points: Vec<Vec<u32>>,
        indexes: &[Vec<u32>],
        windows: usize,
    ) -> Result<(), Fault> {
        let done = self.round(points, indexes, windows);
        if done.is_err() {
            self.restart()?;
        }
        done
    }

    fn round(&mut self, points: Vec<Vec<u32>>, indexes: &[Vec<u32>], windows: usize) -> Result<(), Fault> {
        let (size, tasks) = (points.len(), indexes.len());
        self.load(points, indexes, windows);
        // The number of indexes that the machine takes before it starts.
        self.idle(2 * INDEXES + 4);
        self.start(size, windows, tasks)?;
        if self.read(CONTROL)? & REFUSED != 0 {
            return Err(Fault::Refused { windows, tasks, pes: self.indexes.len() });
        }
        self.finish(tasks, self.limit(size, windows, tasks))?;
        match self.read(CONTROL)? & MISFRAMED {
            0 => Ok(()),
            _ => Err(Fault::Misaligned { what: "indexes" }),
        }
    }

    /// Returns a number of cycles that no sum ever takes: one shared adder has all buckets, and a point waits for every
    /// addition.
    fn limit(&self, size: usize, windows: usize, tasks: usize) -> u64 {
        /// Most cycles of an addition, with a margin.
        const ADDITION: u64 = 200;
        let additions = size as u64 + 4 * (tasks as u64) * (1 << self.window) + 100;
        (ADDITION * additions * windows as u64) * (1.0 / self.pace.max(1e-3)).ceil() as u64
    }

    /// Fills the streams: points, once a window, and each element's indexes of all windows.
    pub fn load(&mut self, points: Vec<Vec<u32>>, indexes: &[Vec<u32>], windows: usize) {
        let packet = points.len();
        self.points = Stream { words: points, packet, sender: Sender::new(packet * windows) };
        for (pe, stream) in self.indexes.iter_mut().enumerate() {
            let words: Vec<_> = indexes.get(pe).into_iter().flatten().map(|&index| vec![index]).collect();
            *stream = Stream { sender: Sender::new(words.len()), words, packet };
        }
        self.sums.clear();
    }

    /// Runs a cycle with the wire's reset, with nothing to send.
    pub fn reset(&mut self) {
        self.load(Vec::new(), &[], 0);
        self.cycle(Request::Idle, Wire::Reset);
    }

    /// Runs cycles without an access of the host.
    pub fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.cycle(Request::Idle, Wire::Released);
        }
    }

    fn cycle(&mut self, request: Request, wire: Wire) -> Reply {
        let reset = wire == Wire::Reset;
        let pace = self.pace;
        let mut chance = || pace >= 1.0 || self.rng.gen_bool(pace);
        let access = Access::new(request, &mut chance);
        let mut flags = access.flags;
        let takes = chance();
        flags |= u32::from(takes) << 7;
        self.input.fill(0);
        let (indexes_at, point_at) = (3 + 3 * self.limbs, 3);
        let willing = chance();
        if self.points.sender.offer(willing) {
            flags |= 1 << 5 | u32::from(self.points.is_last()) << 6;
            let point = &self.points.words[self.points.sender.next % self.points.packet];
            self.input[point_at..point_at + point.len()].copy_from_slice(point);
        }
        for (pe, stream) in self.indexes.iter_mut().enumerate() {
            let willing = chance();
            if stream.sender.offer(willing) {
                self.input[indexes_at] |= 1 << pe;
                self.input[indexes_at + 1] |= u32::from(stream.is_last()) << pe;
                self.input[indexes_at + 2 + pe] = stream.words[stream.sender.next][0];
            }
        }
        self.input[..3].copy_from_slice(&[access.address, access.data, flags]);

        let outputs = self.bench.cycle(Inputs { reset, ready: true, data: Some(&self.input) });
        let outputs = outputs.data.expect("this bench always answers");
        let has = |bit: u32| outputs[1] >> bit & 1 == 1;
        self.points.sender.step(has(5));
        for (pe, stream) in self.indexes.iter_mut().enumerate() {
            stream.sender.step(outputs[2] >> pe & 1 == 1);
        }
        if takes && has(6) && !reset {
            self.sums.push((outputs[3..].to_vec(), has(7)));
        }
        access.reply(outputs[0], outputs[1])
    }
}

/// Returns the indexes of all windows, the topmost window first.
fn indexes(scalars: &[Scalar], windows: Windows) -> Vec<u32> {
    let biased: Vec<Scalar> = scalars.iter().map(|scalar| windows.biased(scalar)).collect();
    let of_window = |window| biased.iter().map(move |scalar| windows.field(scalar, window));
    (0..windows.count()).rev().flat_map(of_window).collect()
}
