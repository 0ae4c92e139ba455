//! CycloneMSM on a card (`hdl/rtl/card/msm_card.sv`): whole MSMs through the card's memory, between two clocks.

use ark_bls12_377::g1::Config;
use ark_bls12_377::{Fq, Fr, G1Affine, G1Projective, G1TEAffine, G1TEProjective};
use ark_ec::{CurveGroup, PrimeGroup};
use ark_ff::{BigInt, PrimeField, UniformRand};
use bucketwheel::{msm, TwistedEdwards};
use bucketwheel_hardware::cyclone::{Commands, Parameters};
use bucketwheel_rtl::cyclone::Cyclone;
use bucketwheel_rtl::{Bench, Inputs};
use rand::Rng;

use crate::numbers::random;

// Registers (docs/hardware.md).
const IDENTITY: u32 = 0x0;
const CONTROL: u32 = 0x8;
const STATUS: u32 = 0xc;
const POINTS: u32 = 0x10;
const WINDOWS: u32 = 0x14;
const BLOCKS: u32 = 0x18;
const BLOCK_SHAPE: u32 = 0x1c;
const ADDRESSES: u32 = 0x20;
const COUNTERS: u32 = 0x50;
const MACHINE: u32 = 0x1000;
const START: u32 = 1;
const RESET: u32 = 2;

// Bits of the status.
const RUNNING: u32 = 1;
const DRAINING: u32 = 2;
const DONE: u32 = 4;
const ERROR: u32 = 8;
/// First bit of the causes of an error: host port, points, spill, machine, something outstanding, refused.
const CAUSE: u32 = 8;

/// Beats of each of the bench's memories, and the places of a task in them.
const MEMORY: u64 = 1 << 16;
const COMMANDS: u64 = 5;
const RESULTS: u64 = 40_001;
/// First beats of the commands, x, y, u, the spill and the results.
const PLACES: [u64; 6] = [COMMANDS, 3, 1000, 77, 14, RESULTS];
/// Number of the memory of the commands and the results in the bench.
const HOST: u32 = 0;

/// A card with its host, and both clocks.
struct Card {
    bench: Bench,
    input: [u32; 19],
    /// Half periods of the shell's and of the core's clock, and the times of their next edges.
    half: [u64; 2],
    next: [u64; 2],
    places: [u64; 6],
}

impl Card {
    fn new(bench: &str, half: [u64; 2]) -> Self {
        let bench = Bench::new(bench);
        let mut card = Card { bench, input: [0; 19], half, next: half, places: PLACES };
        card.input[0] |= 1 << 2;
        card.steps(100);
        card.input[0] &= !(1 << 2);
        // The core is reset after the shell.
        assert_eq!(card.wait(), 0);
        card
    }

    /// Advances to the next edge of a clock. Returns the bench's output before it.
    fn step(&mut self) -> Vec<u32> {
        let now = self.next[0].min(self.next[1]);
        for clock in 0..2 {
            if self.next[clock] == now {
                self.input[0] ^= 1 << clock;
                self.next[clock] += self.half[clock];
            }
        }
        let inputs = Inputs { reset: false, ready: true, data: Some(&self.input) };
        let output = self.bench.cycle(inputs).data.expect("all cycles are valid");
        assert!(!self.bench.failed(), "an assertion of the bench or of the RTL failed");
        output
    }

    fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| drop(self.step()));
    }

    /// Accesses a register; returns the word that was read, or nothing for SLVERR.
    fn access(&mut self, write: bool, address: u32, word: u32) -> Option<u32> {
        self.input[0] = (self.input[0] ^ 1 << 3) & !(1 << 4) | u32::from(write) << 4;
        [self.input[1], self.input[2]] = [address, word];
        let began = self.input[0] >> 3 & 1;
        let ended = (0..10_000).map(|_| self.step()).find(|output| output[0] & 1 == began);
        let output = ended.expect("the card answers");
        match output[0] >> 1 & 3 {
            0 => Some(output[1]),
            2 => None,
            other => panic!("response {other}"),
        }
    }

    fn read(&mut self, address: u32) -> u32 {
        self.access(false, address, 0).expect("a register")
    }

    fn write(&mut self, address: u32, word: u32) {
        assert!(self.access(true, address, word).is_some(), "register {address:#x} is refused");
    }

    fn counter(&mut self, number: u32) -> u64 {
        let [low, high] = [0, 4].map(|half| u64::from(self.read(COUNTERS + 8 * number + half)));
        low | high << 32
    }

    /// Copies words to a memory, from a beat on.
    fn copy_to(&mut self, memory: u32, first: u64, words: &[u32]) {
        for (beat, words) in words.chunks(16).enumerate() {
            self.input[1] = (first + beat as u64) as u32;
            self.input[3..].fill(0);
            self.input[3..3 + words.len()].copy_from_slice(words);
            let clocks = self.input[0];
            self.input[0] |= 1 << 5 | memory << 8;
            // The clocks stand still.
            self.bench.cycle(Inputs { reset: false, ready: true, data: Some(&self.input) });
            self.input[0] = clocks;
        }
    }

    fn copy_from(&mut self, memory: u32, beat: u64) -> Vec<u32> {
        let clocks = self.input[0];
        self.input[1] = beat as u32;
        self.input[0] |= 1 << 6 | memory << 8;
        self.bench.cycle(Inputs { reset: false, ready: true, data: Some(&self.input) });
        self.input[0] = clocks;
        let output = self.bench.cycle(Inputs { reset: false, ready: true, data: Some(&self.input) });
        output.data.expect("all cycles are valid")[2..].to_vec()
    }

    /// Writes points and the digits of windows to memory and the task to the registers.
    fn prepare(&mut self, points: &[G1TEAffine], windows: &[Vec<i32>]) {
        let encoded: Vec<_> = points.iter().map(|&point| Cyclone::point(point)).collect();
        let mut at = self.places[0];
        for digits in windows {
            let batches = Commands::batches(digits.iter().copied());
            let words: Vec<_> =
                batches.iter().flatten().flat_map(|&c| [c as u32, (c >> 32) as u32]).collect();
            self.copy_to(HOST, at, &words);
            at += batches.len() as u64;
        }
        for channel in 0..3 {
            let words: Vec<_> = encoded.iter().flat_map(|point| point[channel]).collect();
            self.copy_to(1 + channel as u32, self.places[1 + channel], &words);
        }
        self.write(POINTS, points.len() as u32);
        self.write(WINDOWS, windows.len() as u32);
        let words_of_block = self.read(BLOCK_SHAPE) & 0xffff;
        self.write(BLOCKS, (points.len() as u32).div_ceil(words_of_block) + 1);
        for (place, address) in self.places.into_iter().zip((ADDRESSES..).step_by(8)) {
            let byte = 64 * place;
            self.write(address, byte as u32);
            self.write(address + 4, (byte >> 32) as u32);
        }
    }

    /// Waits until the card is idle; returns the status.
    fn wait(&mut self) -> u32 {
        for _ in 0..20_000 {
            let status = self.read(STATUS);
            if status & (RUNNING | DRAINING) == 0 {
                let open = self.step()[0] >> 8 & 0xff;
                assert_eq!(open, 0, "bursts are outstanding, but the card is idle");
                return status;
            }
            self.steps(100);
        }
        panic!("the card is stuck, status {:#x}", self.read(STATUS));
    }

    /// Returns the windows' sums from memory.
    fn results(&mut self, windows: usize) -> Vec<G1TEProjective> {
        (0..windows as u64)
            .map(|window| {
                let [x, y, z, t] = [0, 1, 2, 3].map(|beat| {
                    let words = self.copy_from(HOST, self.places[5] + 4 * window + beat);
                    let limbs =
                        std::array::from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32);
                    Fq::new_unchecked(BigInt::new(limbs))
                });
                G1TEProjective::new_unchecked(x, y, t, z)
            })
            .collect()
    }

    /// Runs a task; returns the windows' sums.
    fn run(&mut self, points: &[G1TEAffine], windows: &[Vec<i32>]) -> Vec<G1TEProjective> {
        self.prepare(points, windows);
        self.write(CONTROL, START);
        assert_eq!(self.wait(), DONE);
        self.results(windows.len())
    }

    /// Runs few windows, and compares the sums.
    fn check(&mut self, points: &[G1TEAffine], windows: &[Vec<i32>]) {
        let sums = self.run(points, windows);
        for (window, (sum, digits)) in sums.iter().zip(windows).enumerate() {
            let expected: G1TEProjective =
                points.iter().zip(digits).map(|(&point, &digit)| point * Fr::from(digit)).sum();
            assert_eq!(*sum, expected, "window {window} of {} points", points.len());
        }
        // Every beat of the task was read or written once, and the ring gave back all of its beats.
        let count = points.len() as u64;
        let all = windows.len() as u64;
        let beats = [all * count.div_ceil(8).max(1), all * (3 * count).div_ceil(4), 4 * all];
        assert_eq!([1, 2, 5].map(|number| self.counter(number)), beats);
        assert_eq!(self.counter(3), self.counter(4));
    }
}

/// Points with their Edwards coordinates.
fn points(count: usize, rng: &mut impl Rng) -> (Vec<G1Affine>, Vec<G1TEAffine>) {
    let points: Vec<_> = (0..count).map(|_| G1Projective::rand(rng)).collect();
    let points = G1Projective::normalize_batch(&points);
    let form = form();
    let edwards = points.iter().map(|point| {
        let [x, y] = form.to_edwards(point).expect("a point of the subgroup");
        G1TEAffine::new_unchecked(x, y)
    });
    let edwards = edwards.collect();
    (points, edwards)
}

fn form() -> TwistedEdwards<Fq> {
    TwistedEdwards::of_montgomery::<Config>().expect("the curve has this form")
}

/// Windows of four bits.
fn parameters() -> Parameters {
    Parameters { window: 4, ..Parameters::default() }
}

/// Windows whose digits are all equal, so that most points of each are conflicts, and windows of random digits.
fn hostile(count: usize, rng: &mut impl Rng) -> Vec<Vec<i32>> {
    let random = (0..count).map(|_| rng.gen_range(-8..=8)).collect();
    vec![vec![-8; count], random, vec![3; count]]
}

/// The benches have DDR4, and HBM2 that pauses. The clocks: a faster shell, and a faster core.
const CARDS: [(&str, [u64; 2]); 4] = [
    ("card_cyclone", [4, 5]),
    ("card_cyclone", [7, 3]),
    ("card_cyclone_hbm", [3, 8]),
    ("card_cyclone_hbm", [9, 8]),
];

/// A whole MSM equals the engine's, whose points and sums cross the map between both forms of the curve.
#[test]
fn whole_sum() {
    let rng = &mut random();
    let count = 40;
    let (points, edwards) = points(count, rng);
    for (scalars, (bench, half)) in
        [(0..count).map(|_| Fr::rand(rng)).collect::<Vec<_>>(), vec![Fr::rand(rng); count]]
            .into_iter()
            .zip([CARDS[0], CARDS[2]])
    {
        let integers: Vec<_> = scalars.iter().map(|scalar| scalar.into_bigint().0).collect();
        let commands = Commands::new(&parameters(), &integers).expect("scalars");
        let windows: Vec<Vec<i32>> =
            (0..commands.windows().count()).map(|window| commands.digits(window).collect()).collect();
        let mut card = Card::new(bench, half);
        let sum: G1TEProjective = commands.combine(&card.run(&edwards, &windows));
        let sum = sum.into_affine();
        let sum = form().from_edwards::<Config>([sum.x, sum.y]).expect("a point");
        assert_eq!(G1Projective::from(sum), msm(&points, &scalars).expect("a sum"));
    }
}

/// Conflicts go through memory and back, on all kinds of memory and for all clocks. Numbers of points fill beats of commands and of
/// coordinates in all ways.
#[test]
fn conflicts_go_through_memory() {
    let rng = &mut random();
    for (bench, half) in CARDS {
        println!("{bench}, {half:?}");
        let mut card = Card::new(bench, half);
        assert_eq!(card.read(IDENTITY), u32::from_be_bytes(*b"CARD"));
        assert_eq!(card.read(MACHINE), u32::from_be_bytes(*b"CYCL"));
        let (_, edwards) = points(90, rng);
        card.check(&edwards, &hostile(90, rng));
        // 170 conflicts and their later passes; blocks of four conflicts have nine beats.
        let spilled = card.read(MACHINE + 0x70);
        let written = card.counter(4);
        assert!(
            spilled > 100 && written.is_multiple_of(9) && written >= u64::from(spilled) * 9 / 4,
            "{spilled}, {written}"
        );
        for count in [0, 1, 2, 3, 7, 8, 9] {
            card.check(&edwards[..count], &hostile(count, rng));
        }
    }
}

/// A reset at any moment lets all bursts end, and the card works again.
#[test]
fn reset_drains() {
    let rng = &mut random();
    let (_, edwards) = points(50, rng);
    let windows = hostile(50, rng);
    for (bench, half) in [CARDS[1], CARDS[2]] {
        let mut card = Card::new(bench, half);
        card.prepare(&edwards, &windows);
        let mut moment = 0;
        let mut outstanding = 0;
        for trial in 0..12 {
            card.write(CONTROL, START);
            moment += rng.gen_range(0..400);
            card.steps(moment);
            outstanding += u32::from(card.step()[0] >> 8 & 0xff != 0);
            card.write(CONTROL, RESET);
            assert_eq!(card.access(true, CONTROL, START), None, "a start while the card drains");
            assert_eq!(card.wait(), 0, "trial {trial}");
            assert_eq!(card.read(MACHINE + 0x60), 0, "the core's counters are reset");
        }
        assert!(outstanding > 3, "bursts waited in {outstanding} trials");
        card.check(&edwards, &windows);
    }
}

/// Each error ends the task with its cause, and the next task is right.
#[test]
fn errors_end_the_task() {
    let rng = &mut random();
    let (_, edwards) = points(50, rng);
    let windows = hostile(50, rng);
    let mut card = Card::new(CARDS[0].0, CARDS[0].1);
    let ends = |card: &mut Card, cause: u32| {
        card.write(CONTROL, START);
        assert_eq!(card.wait(), ERROR | 1 << (CAUSE + cause));
    };
    // Places behind the end of memory, or partly: the ring has its first block inside, and the results their first.
    for (place, first, cause) in [
        (0, MEMORY + 9, 0),
        (1, MEMORY - 2, 1),
        (2, MEMORY << 20, 1),
        (3, MEMORY, 1),
        (4, MEMORY - 9, 2),
        (5, MEMORY - 4, 0),
    ] {
        card.prepare(&edwards, &windows);
        card.write(ADDRESSES + 8 * place, (64 * first) as u32);
        card.write(ADDRESSES + 8 * place + 4, ((64 * first) >> 32) as u32);
        ends(&mut card, cause);
        card.check(&edwards, &windows);
    }
    // A digit without a bucket, and commands that are missing.
    for digits in [vec![9; 50], vec![1; 43]] {
        card.prepare(&edwards, &[digits]);
        ends(&mut card, 3);
        card.check(&edwards, &windows);
    }
    // Nothing but an end: points are left over.
    card.prepare(&edwards, &windows[..1]);
    card.copy_to(HOST, COMMANDS, &[0; 7 * 16]);
    card.write(POINTS, 3000);
    card.write(BLOCKS, 1000);
    card.copy_to(HOST, COMMANDS, &[0; 375 * 16]);
    ends(&mut card, 4);
    card.check(&edwards, &windows);
    // Lengths that are refused.
    card.write(WINDOWS, 0);
    ends(&mut card, 5);
    card.prepare(&edwards, &windows);
    card.write(BLOCKS, 13);
    ends(&mut card, 5);
    card.check(&edwards, &windows);
}

#[test]
fn registers() {
    let mut card = Card::new(CARDS[3].0, CARDS[3].1);
    for address in [IDENTITY, 0x4, STATUS, BLOCK_SHAPE, COUNTERS, 0x98, 0xffc, MACHINE, MACHINE + 8] {
        assert_eq!(card.access(true, address, 0), None, "{address:#x}");
    }
    for address in [0x98, 0x2, 0xffc, MACHINE + 0x98, MACHINE + 0xffc] {
        assert_eq!(card.access(false, address, 0), None, "{address:#x}");
    }
    assert_eq!(card.access(true, CONTROL, START | RESET), None);
    assert_eq!(card.access(true, CONTROL, 4), None);
    card.write(ADDRESSES, !0);
    assert_eq!(card.read(ADDRESSES), !63, "an address is a beat's");
    // The machine's registers answer while the core is in reset.
    card.write(CONTROL, RESET);
    let answers: Vec<_> = (0..20).map(|_| card.access(false, MACHINE, 0)).collect();
    assert!(answers.iter().any(Option::is_some), "{answers:?}");
    let generator = G1TEAffine::from(G1TEProjective::generator());
    card.check(&[generator; 5], &[vec![1, -1, 7, 0, 2]]);
    card.write(CONTROL, START);
    assert_eq!(card.access(true, POINTS, 4), None, "a task under way has fixed lengths");
    card.wait();
}
