//! MSMAC's simulated processing element with a host: its streams, its registers, its programs.

use std::collections::VecDeque;

use ark_bn254::{Fq, Fr, G1Affine, G1Projective};
use ark_ec::{AffineRepr, VariableBaseMSM};
use ark_ff::{AdditiveGroup, PrimeField};
use bucketwheel::Cancel;
use bucketwheel_hardware::msmac::{pippenger, Counts, Hardware, Instruction, Parameters, Pe};
use bucketwheel_hardware::Scalar;
use bucketwheel_rtl::{Bench, Inputs};
use num_bigint::BigUint;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::curve::Form;
use crate::pipeline::{random, words};

/// Addresses (docs/hardware.md).
pub const CONTROL: u32 = 0x00;
pub const STATUS: u32 = 0x04;
pub const SIZE: u32 = 0x08;
pub const LENGTH: u32 = 0x0c;
pub const SHAPE: u32 = 0x10;
pub const LATENCY: u32 = 0x14;
pub const CONFLICTS: u32 = 0x18;
pub const MEMORY: u32 = 0x1c;
const COUNTERS: u32 = 0x20;
pub const PROGRAM: u32 = 0x10000;
pub const START: u32 = 1;
pub const RESET: u32 = 2;

/// Words of the bench (hdl/tb/tb_msmac.sv).
const POINT: usize = 0;
const SCALAR: usize = 16;
const AWADDR: usize = 24;
const WDATA: usize = 25;
const ARADDR: usize = 26;
const INPUTS: usize = 27;
const RDATA: usize = 24;
const OUTPUTS: usize = 25;

/// An access of the host: its bits in the bench's control word.
const WRITE: u32 = 0b11 << 5;
const BREADY: u32 = 1 << 7;
const READ: u32 = 1 << 8;
const RREADY: u32 = 1 << 9;
const STROBES: u32 = 0b1111 << 10;

/// How an entry of a stream is offered or taken.
#[derive(Clone, Copy)]
pub struct Flow {
    /// The probability of it in each cycle.
    pub points: f64,
    pub scalars: f64,
    pub sums: f64,
    /// Point i comes as many cycles behind the first one.
    pub point_cycles: u32,
}

impl Flow {
    pub const FULL: Flow = Flow { points: 1.0, scalars: 1.0, sums: 1.0, point_cycles: 0 };
}

/// A stream into the bench: what is left of it, and whether its first entry is offered, which it then stays.
#[derive(Default)]
struct Stream {
    left: VecDeque<(Vec<u32>, bool)>,
    sent: u64,
    offered: bool,
}

impl Stream {
    /// The entry that is offered in this cycle.
    fn offer(&mut self, starts: bool) -> Option<&(Vec<u32>, bool)> {
        self.offered |= starts && !self.left.is_empty();
        self.left.front().filter(|_| self.offered)
    }

    fn taken(&mut self, ready: bool) {
        if self.offered && ready {
            self.left.pop_front();
            self.sent += 1;
            self.offered = false;
        }
    }
}

/// How a task ended.
#[derive(Debug, PartialEq)]
pub enum End {
    Done,
    /// The error's code, and the instruction's number.
    Error(u32, u32),
    /// Not within so many cycles.
    Busy,
}

pub struct Element {
    pub bench: Bench,
    pub hardware: Hardware,
    pub flow: Flow,
    pub program: Vec<Instruction>,
    pub sums: Vec<G1Projective>,
    /// Sums with `last`, by their number.
    pub lasts: Vec<usize>,
    rng: ChaCha8Rng,
    now: u64,
    /// When the first point comes, if it does not come at once.
    first_point: u64,
    points: Stream,
    scalars: Stream,
}

impl Element {
    /// An element with Pippenger's program for its own parameters, which it is asked for.
    pub fn new(name: &str) -> Self {
        let parameters = Parameters { card_buckets: u64::MAX, ..Parameters::default() };
        let mut this = Self {
            bench: Bench::new(name),
            hardware: parameters.hardware(0).unwrap(),
            flow: Flow::FULL,
            program: Vec::new(),
            sums: Vec::new(),
            lasts: Vec::new(),
            rng: random(),
            now: 0,
            first_point: 0,
            points: Stream::default(),
            scalars: Stream::default(),
        };
        let [shape, latency, conflicts] = [SHAPE, LATENCY, CONFLICTS].map(|address| this.read(address));
        let parameters = Parameters {
            window: shape & 0xffff,
            latency,
            conflict_threshold: conflicts & 0xffff,
            conflict_depth: conflicts >> 16,
            point_cycles: 1,
            ..parameters
        };
        this.hardware = parameters.hardware(1 << 20).unwrap();
        assert_eq!(shape >> 16, this.hardware.windows.count());
        this.load(&pippenger(&this.hardware).unwrap());
        this
    }

    pub fn window(&self) -> u32 {
        self.hardware.windows.width()
    }

    /// A cycle with this access of the host: what the bench shows.
    fn cycle(&mut self, access: u32, awaddr: u32, wdata: u32, araddr: u32) -> Vec<u32> {
        let Flow { points, scalars, sums, point_cycles } = self.flow;
        let mut data = [0; INPUTS + 1];
        data[INPUTS] = access ^ STROBES;
        let due = self.first_point.saturating_add(self.points.sent * u64::from(point_cycles));
        if let Some((point, last)) = self.points.offer(self.now >= due && self.rng.gen_bool(points)) {
            data[POINT..POINT + 16].copy_from_slice(point);
            data[INPUTS] |= 1 | u32::from(*last) << 1;
        }
        if let Some((scalar, last)) = self.scalars.offer(self.rng.gen_bool(scalars)) {
            data[SCALAR..SCALAR + 8].copy_from_slice(scalar);
            data[INPUTS] |= 1 << 2 | u32::from(*last) << 3;
        }
        let ready = self.rng.gen_bool(sums);
        data[INPUTS] |= u32::from(ready) << 4;
        [data[AWADDR], data[WDATA], data[ARADDR]] = [awaddr, wdata, araddr];
        let outputs = self.bench.cycle(Inputs { reset: false, ready: true, data: Some(&data) });
        let found = outputs.data.expect("all ports in every cycle");
        self.now += 1;
        self.points.taken(found[OUTPUTS] & 1 != 0);
        self.scalars.taken(found[OUTPUTS] >> 1 & 1 != 0);
        if ready && found[OUTPUTS] >> 2 & 1 != 0 {
            self.sums.push(projective(&found));
            if found[OUTPUTS] >> 3 & 1 != 0 {
                self.lasts.push(self.sums.len() - 1);
            }
        }
        found
    }

    pub fn idle(&mut self, cycles: u32) {
        for _ in 0..cycles {
            self.cycle(0, 0, 0, 0);
        }
    }

    /// Writes a register; whether that was answered with OKAY.
    pub fn write(&mut self, address: u32, value: u32) -> bool {
        self.write_masked(address, value, 0)
    }

    /// As [`write`](Self::write), without some strobes.
    pub fn write_masked(&mut self, address: u32, value: u32, strobes: u32) -> bool {
        let found = self.cycle(WRITE | strobes << 10, address, value, 0);
        assert_eq!(found[OUTPUTS] >> 4 & 0b11, 0b11, "a write with nothing before it is taken");
        // The answer waits.
        for _ in 0..self.rng.gen_range(0..3) {
            let found = self.cycle(WRITE, address ^ 8, !value, 0);
            assert_eq!(found[OUTPUTS] >> 4 & 0b111, 0b100, "an answer, and no write before it is taken");
        }
        let found = self.cycle(BREADY, 0, 0, 0);
        assert!(found[OUTPUTS] >> 6 & 1 != 0);
        found[OUTPUTS] >> 7 & 0b11 == 0
    }

    /// Reads a word; none if that was answered with an error.
    pub fn try_read(&mut self, address: u32) -> Option<u32> {
        let found = self.cycle(READ, 0, 0, address);
        assert!(found[OUTPUTS] >> 9 & 1 != 0, "a read with nothing before it is taken");
        for _ in 0..self.rng.gen_range(0..3) {
            self.cycle(0, 0, 0, address ^ 4);
        }
        let found = self.cycle(RREADY, 0, 0, 0);
        assert!(found[OUTPUTS] >> 10 & 1 != 0);
        (found[OUTPUTS] >> 11 & 0b11 == 0).then_some(found[RDATA])
    }

    pub fn read(&mut self, address: u32) -> u32 {
        self.try_read(address).unwrap_or_else(|| panic!("{address:#x} cannot be read"))
    }

    pub fn load(&mut self, program: &[Instruction]) {
        self.load_words(&program.iter().map(|instruction| instruction.encode()).collect::<Vec<_>>());
        self.program = program.to_vec();
    }

    pub fn load_words(&mut self, program: &[u128]) {
        for (i, instruction) in program.iter().enumerate() {
            for w in 0..4 {
                let address = PROGRAM + 16 * i as u32 + 4 * w;
                assert!(self.write(address, (instruction >> (32 * w)) as u32));
            }
        }
        assert!(self.write(LENGTH, program.len() as u32));
    }

    /// What the streams are to carry for a task; `last` where it belongs. Points that have a pace wait for the start.
    pub fn offer(&mut self, points: &[G1Affine], scalars: &[Fr]) {
        self.first_point = if self.flow.point_cycles > 0 { u64::MAX } else { 0 };
        for (i, (point, scalar)) in points.iter().zip(scalars).enumerate() {
            let [x, y] =
                point.xy().map_or([Fq::ZERO; 2], |(x, y)| [x, y]).map(|x| Form::Montgomery.encode(x));
            let scalar = BigUint::from(scalar.into_bigint());
            self.offer_words(&(x + (y << 256)), &scalar, i + 1 == points.len());
        }
    }

    pub fn offer_words(&mut self, point: &BigUint, scalar: &BigUint, last: bool) {
        self.points.left.push_back((words(point, 512), last));
        self.scalars.left.push_back((words(scalar, 256), last));
    }

    pub fn start(&mut self, size: usize) {
        assert!(self.write(SIZE, size as u32));
        self.sums.clear();
        self.lasts.clear();
        [self.points.sent, self.scalars.sent] = [0; 2];
        // One that is taken now can begin in the program's first cycle.
        self.first_point = self.now + 1;
        assert!(self.write(CONTROL, START));
    }

    /// Runs until the task has ended, or so many cycles.
    pub fn wait(&mut self, cycles: u64) -> End {
        let until = self.now + cycles;
        while self.now < until {
            let status = self.read(STATUS);
            match status & 0b111 {
                0b001 => self.idle(16),
                0b010 => return End::Done,
                0b100 => return End::Error(status >> 4 & 0xf, status >> 16),
                other => panic!("status {other:#b}"),
            }
        }
        End::Busy
    }

    /// Drops everything, by the host's reset.
    pub fn reset(&mut self) {
        [self.points, self.scalars] = [Stream::default(), Stream::default()];
        assert!(self.write(CONTROL, RESET));
        assert_eq!(self.read(STATUS), 0);
    }

    /// The counters, as the cycle model has them, and the cycles that waited for the output.
    pub fn counts(&mut self) -> (Counts, u32) {
        let words: [u32; 10] = std::array::from_fn(|i| self.read(COUNTERS + 4 * i as u32));
        let [cycles, instructions, additions, bubbles, conflicts] = std::array::from_fn(|i| words[i].into());
        let [repeated, input_stalls, _, high_water, step_1] = std::array::from_fn(|i| words[5 + i].into());
        let counts = Counts {
            cycles,
            step_1_cycles: step_1,
            additions,
            bubbles,
            conflicts,
            repeated_conflicts: repeated,
            conflict_high_water: high_water,
            input_stalls,
            instructions,
        };
        (counts, words[7])
    }

    /// What the cycle model has for the program that is loaded.
    pub fn model(
        &self,
        points: &[G1Affine],
        scalars: &[Fr],
    ) -> Result<(Vec<G1Projective>, Counts), bucketwheel_hardware::Error> {
        let points: Vec<G1Projective> = points.iter().map(|&point| point.into()).collect();
        let scalars: Vec<Scalar> = scalars.iter().map(|scalar| scalar.into_bigint().0).collect();
        let hardware = Hardware { point_cycles: self.flow.point_cycles.max(1), ..self.hardware.clone() };
        Pe::new(&hardware, &self.program, &points, &scalars, &Cancel::new()).run()
    }

    /// A task from its start to its end. The windows' sums and the whole one are right.
    pub fn msm(&mut self, points: &[G1Affine], scalars: &[Fr]) {
        self.offer(points, scalars);
        self.start(points.len());
        assert_eq!(self.wait(1 << 26), End::Done);
        let windows = self.hardware.windows.count() as usize;
        assert_eq!((self.sums.len(), &self.lasts[..]), (windows, &[windows - 1][..]));
        let total = self.sums.iter().rev().fold(G1Projective::ZERO, |total, sum| {
            (0..self.window()).fold(total, |total, _| total.double()) + sum
        });
        assert_eq!(total, G1Projective::msm(points, scalars).unwrap());
    }

    /// As [`msm`](Self::msm), and each window's sum and each counter is the cycle model's.
    pub fn msm_as_modelled(&mut self, points: &[G1Affine], scalars: &[Fr]) -> Counts {
        self.msm(points, scalars);
        let (sums, expected) = self.model(points, scalars).unwrap();
        assert_eq!(self.sums, sums);
        assert_eq!(self.counts(), (expected, 0));
        expected
    }

    pub fn check_assertions(&self) {
        assert!(!self.bench.failed(), "an assertion of the RTL failed");
    }
}

/// A sum as it comes, (X : Y : Z) with x = X / Z and y = Y / Z, in arkworks' coordinates. It is on the curve.
fn projective(data: &[u32]) -> G1Projective {
    let [x, y, z]: [Fq; 3] =
        std::array::from_fn(|i| Form::Montgomery.decode(&BigUint::from_slice(&data[8 * i..8 * i + 8])));
    assert_eq!(y * y * z, x * x * x + Fq::from(3u32) * z * z * z, "a sum that is not on the curve");
    assert!(z != Fq::ZERO || y != Fq::ZERO, "(0 : 0 : 0)");
    G1Projective::new_unchecked(x * z, y * z * z, z)
}
