//! MSMAC's processing element (`hdl/rtl/pe/msmac_pe.sv`) and its surroundings: its host and its streams.

mod device;
mod registers;

use ark_bn254::{Fq, G1Affine, G1Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::AdditiveGroup;
use bucketwheel_hardware::msmac::{Hardware, Instruction, Parameters};
use bucketwheel_hardware::runtime::Element;
use bucketwheel_hardware::{combine, Scalar};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub use self::registers::{
    CONFLICTS, CONTROL, LATENCY, LENGTH, MEMORY, PROGRAM, RESET, SHAPE, SIZE, START, STATUS,
};
use crate::coordinates::{reduced, words};
use crate::stream::Sender;
use crate::{Bench, Bus, Fault, Inputs, Watch};

// Places in the bench's input and output (hdl/tb/tb_msmac.sv), in words.
const POINT: usize = 0;
const SCALAR: usize = 16;
const AWADDR: usize = 24;
const WDATA: usize = 25;
const ARADDR: usize = 26;
const INPUTS: usize = 27;
const RDATA: usize = 24;
const OUTPUTS: usize = 25;

/// A point in the form of the stream: x and y in Montgomery form, zeros for infinity.
pub type Point = [u32; 16];

/// Pace of the streams.
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    /// The probability of a point in each cycle.
    pub points: f64,
    /// The probability of a scalar in each cycle.
    pub scalars: f64,
    /// The probability in each cycle that a sum is taken.
    pub sums: f64,
    /// Point i comes this number of cycles after the first point.
    pub point_cycles: u32,
}

impl Flow {
    /// Returns the pace at which nobody ever waits.
    pub const FULL: Flow = Flow { points: 1.0, scalars: 1.0, sums: 1.0, point_cycles: 0 };
}

/// A stream into the element, and its queued words.
#[derive(Debug, Default)]
struct Stream {
    entries: Vec<(Vec<u32>, bool)>,
    sender: Sender,
}

impl Stream {
    fn push(&mut self, entry: &[u32], last: bool) {
        self.entries.push((entry.to_vec(), last));
        self.sender.len = self.entries.len();
    }

    fn is_done(&self) -> bool {
        self.sender.next == self.sender.len
    }

    /// Returns the entry that is offered in this cycle, and true if it is the last one.
    fn offer(&mut self, willing: bool) -> Option<&(Vec<u32>, bool)> {
        self.sender.offer(willing).then(|| &self.entries[self.sender.next])
    }
}

/// End of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Ended with all sums.
    Done,
    /// Ended with an error: its code, and the number of the instruction.
    Error(u32, u32),
    /// Did not end within this number of cycles.
    Busy,
}

/// A simulated processing element with its host.
pub struct Msmac {
    bench: Bench,
    /// Parameters that concern programs.
    pub hardware: Hardware,
    /// Pace of the element's streams.
    pub flow: Flow,
    /// The loaded program.
    pub program: Vec<Instruction>,
    /// Cancellation and progress.
    pub watch: Watch,
    rng: ChaCha8Rng,
    now: u64,
    /// Cycle in which the first point comes, unless it comes at once.
    first_point: u64,
    /// Number of points taken before the task began.
    taken_before: usize,
    /// Cycle in which the sweep after the last reset ended, and number of starts since then.
    swept: u64,
    starts: u32,
    points: Stream,
    scalars: Stream,
    /// The sums that arrived, each with a flag for the last one of its batch.
    sums: Vec<(Vec<u32>, bool)>,
}

impl Msmac {
    /// Opens a bench of `tb_msmac` by its name in `benches.rs`. Asks for its parameters and loads Pippenger's program
    /// for them.
    ///
    /// # Errors
    /// If the element's registers do not answer.
    ///
    /// # Panics
    /// Panics if the bench does not exist.
    pub fn new(bench: &str) -> Result<Self, Fault> {
        let usual = Parameters { card_buckets: u64::MAX, ..Parameters::default() };
        let mut this = Msmac {
            bench: Bench::new(bench),
            hardware: usual.hardware(0)?,
            flow: Flow::FULL,
            program: Vec::new(),
            watch: Watch::default(),
            rng: ChaCha8Rng::seed_from_u64(1),
            now: 0,
            first_point: 0,
            taken_before: 0,
            swept: 0,
            starts: 0,
            points: Stream::default(),
            scalars: Stream::default(),
            sums: Vec::new(),
        };
        let own = Parameters { card_buckets: u64::MAX, point_cycles: 1, ..this.model()? };
        let (hardware, program) = own.programmed(1 << 20)?;
        this.hardware = hardware;
        this.swept = this.now + this.buckets();
        this.load(&program)?;
        Ok(this)
    }

    /// Returns the bench, to reset it or to see its failures.
    pub fn bench(&mut self) -> &mut Bench {
        &mut self.bench
    }

    /// Returns the bits of a window.
    pub fn window(&self) -> u32 {
        self.hardware.windows.width()
    }

    /// Returns the number of places of the RAM of buckets, which is also the number of cycles of its sweep.
    fn buckets(&self) -> u64 {
        u64::from(self.hardware.windows.count()) * self.hardware.windows.buckets() as u64
    }

    /// Returns the cycle model of the same hardware, from the registers.
    ///
    /// # Errors
    /// If the registers do not answer.
    pub fn model(&mut self) -> Result<Parameters, Fault> {
        Ok(Self::model_of([self.read(SHAPE)?, self.read(LATENCY)?, self.read(CONFLICTS)?]))
    }

    /// Returns the cycle model of an element whose registers [`SHAPE`], [`LATENCY`] and [`CONFLICTS`] have these words.
    pub fn model_of([shape, latency, conflicts]: [u32; 3]) -> Parameters {
        let windows = shape >> 16;
        Parameters {
            window: shape & 0xffff,
            latency: latency & 0xffff,
            segments: (latency >> 16) / (2 * windows),
            conflict_threshold: conflicts & 0xffff,
            conflict_depth: conflicts >> 16,
            ..Parameters::default()
        }
    }

    /// Returns a point in the form of the stream.
    pub fn point(point: G1Affine) -> Point {
        let mut all = [0; 16];
        if let Some((x, y)) = point.xy() {
            let coordinates = words(&x.0 .0).chain(words(&y.0 .0)).collect::<Vec<_>>();
            all.copy_from_slice(&coordinates);
        }
        all
    }

    /// Computes `sum scalar * point` with the loaded program, which must be Pippenger's. After a fault the element is
    /// reset.
    ///
    /// # Errors
    /// [`Fault::Program`] for scalars that are too long, [`Fault::Input`] if cancelled; other faults if the hardware is
    /// broken.
    pub fn msm(&mut self, scalars: &[Scalar], points: &[Point]) -> Result<G1Projective, Fault> {
        let sum = self.task(scalars, points);
        if sum.is_err() {
            self.reset()?;
        }
        sum
    }

    fn task(&mut self, scalars: &[Scalar], points: &[Point]) -> Result<G1Projective, Fault> {
        if points.len() != scalars.len() {
            return Err(Fault::Misaligned { what: "scalars" });
        }
        self.offer(points, scalars);
        self.start(points.len())?;
        let limit = self.limit(points.len());
        match self.wait(limit)? {
            End::Done => {}
            End::Error(code, instruction) => return Err(Fault::Program { code, instruction }),
            End::Busy => return Err(Fault::Stuck { cycles: limit }),
        }
        let sums = self.sums()?;
        match sums.len() == self.hardware.windows.count() as usize {
            true => Ok(combine(&sums, self.window())),
            false => Err(Fault::Misaligned { what: "sums" }),
        }
    }

    /// Returns the hardware as a processing element of the runtime.
    pub fn element(mut self) -> Element<G1Projective> {
        Box::new(move |part| {
            let points: Vec<_> =
                G1Projective::normalize_batch(part.points).into_iter().map(Self::point).collect();
            self.msm(part.scalars, &points).map_err(|fault| fault.to_string())
        })
    }

    /// Returns a number of cycles that Pippenger's program never takes: every addition waits for the previous one,
    /// and streams are slow.
    fn limit(&self, points: usize) -> u64 {
        let Hardware { windows, latency, .. } = self.hardware;
        let additions = u64::from(windows.count()) * (points as u64 + 2 * windows.buckets() as u64 + 1000);
        let Flow { points: coming, scalars, sums, point_cycles } = self.flow;
        let slowest = [coming, scalars, sums].into_iter().fold(1.0, f64::min).max(1e-3);
        let cycles = 2 * u64::from(latency + 16) * additions + points as u64 * u64::from(point_cycles);
        (cycles as f64 / slowest) as u64
    }

    /// Queues the points and scalars of a task, with `last` at the end. Points with a pace wait for the start.
    pub fn offer(&mut self, points: &[Point], scalars: &[Scalar]) {
        self.first_point = if self.flow.point_cycles > 0 { u64::MAX } else { 0 };
        if self.points.is_done() && self.scalars.is_done() {
            [self.points, self.scalars] = [Stream::default(), Stream::default()];
            self.taken_before = 0;
        }
        for (i, (point, scalar)) in points.iter().zip(scalars).enumerate() {
            let scalar: Vec<u32> = words(scalar).collect();
            self.offer_words(point, &scalar, i + 1 == points.len());
        }
    }

    /// Queues raw words in the same way: 16 words of a point, 8 of a scalar.
    pub fn offer_words(&mut self, point: &[u32], scalar: &[u32], last: bool) {
        self.points.push(point, last);
        self.scalars.push(scalar, last);
    }

    /// Returns the sums that arrived since the start; they are on the curve.
    ///
    /// # Errors
    /// [`Fault::NotReduced`], [`Fault::NotOnCurve`].
    pub fn sums(&self) -> Result<Vec<G1Projective>, Fault> {
        self.sums.iter().map(|(words, _)| Self::sum(words)).collect()
    }

    /// Returns the indexes of the last sums of batches.
    pub fn lasts(&self) -> Vec<usize> {
        (0..self.sums.len()).filter(|&i| self.sums[i].1).collect()
    }

    /// Runs cycles without an access of the host.
    pub fn idle(&mut self, cycles: u32) {
        for _ in 0..cycles {
            self.cycle(0, [0; 3]);
        }
    }

    /// Runs a cycle with these bits and words of the host on the bus, and returns the bench's output.
    fn cycle(&mut self, control: u32, [awaddr, wdata, araddr]: [u32; 3]) -> Vec<u32> {
        let Flow { points, scalars, sums, point_cycles } = self.flow;
        let mut data = [0; INPUTS + 1];
        data[INPUTS] = control;
        let sent = (self.points.sender.next - self.taken_before) as u64;
        let due = self.first_point.saturating_add(sent * u64::from(point_cycles));
        if let Some((point, last)) = self.points.offer(self.now >= due && self.rng.gen_bool(points)) {
            data[POINT..SCALAR].copy_from_slice(point);
            data[INPUTS] |= 1 | u32::from(*last) << 1;
        }
        if let Some((scalar, last)) = self.scalars.offer(self.rng.gen_bool(scalars)) {
            data[SCALAR..AWADDR].copy_from_slice(scalar);
            data[INPUTS] |= 1 << 2 | u32::from(*last) << 3;
        }
        let ready = self.rng.gen_bool(sums);
        data[INPUTS] |= u32::from(ready) << 4;
        [data[AWADDR], data[WDATA], data[ARADDR]] = [awaddr, wdata, araddr];
        let outputs = self.bench.cycle(Inputs { reset: false, ready: true, data: Some(&data) });
        let found = outputs.data.expect("all ports in every cycle");
        self.now += 1;
        let has = |bit: u32| found[OUTPUTS] >> bit & 1 != 0;
        self.points.sender.step(has(0));
        self.scalars.sender.step(has(1));
        if ready && has(2) {
            self.sums.push((found[..RDATA].to_vec(), has(3)));
        }
        found
    }

    /// Returns a sum of the stream, (X : Y : Z) with x = X / Z and y = Y / Z, in arkworks' coordinates.
    ///
    /// # Errors
    /// [`Fault::NotReduced`], [`Fault::NotOnCurve`].
    pub fn sum(words: &[u32]) -> Result<G1Projective, Fault> {
        let [x, y, z] = reduced::<Fq, 4, 3>(words)?.map(Fq::new_unchecked);
        let on_curve = y * y * z == x * x * x + Fq::from(3u32) * z * z * z;
        match on_curve && (z != Fq::ZERO || y != Fq::ZERO) {
            true => Ok(G1Projective::new_unchecked(x * z, y * z * z, z)),
            false => Err(Fault::NotOnCurve),
        }
    }
}
