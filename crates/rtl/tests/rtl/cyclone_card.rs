//! CycloneMSM on a card (`hdl/rtl/card/cyclone_card.sv`): whole MSMs through the card's memory, between two clocks.

use ark_bls12_377::g1::Config;
use ark_bls12_377::{Fq, Fr, G1Affine, G1Projective, G1TEAffine, G1TEProjective};
use ark_ec::{CurveGroup, PrimeGroup};
use ark_ff::{BigInt, PrimeField, UniformRand};
use bucketwheel::{msm, TwistedEdwards};
use bucketwheel_hardware::cyclone::{Commands, Parameters};
use bucketwheel_rtl::cyclone::Cyclone;
use rand::Rng;

use crate::host::{
    Host, ADDRESSES, CONTROL, COUNTERS, HOST, IDENTITY, MACHINE, MEMORY, NAME, NUMBER, POINTS, RESET, SHAPE,
    START, STATUS, WINDOWS,
};
use crate::numbers::random;

/// First beats of the commands, x, y, u, the results and the spill in their memories.
const PLACES: [u64; 6] = [5, 3, 1000, 77, 40_001, 14];

struct Card {
    host: Host,
}

impl Card {
    fn new(bench: &str, half: [u64; 2]) -> Self {
        Card { host: Host::new(bench, half) }
    }

    /// Writes points and the digits of windows to memory and the task to the registers.
    fn prepare(&mut self, points: &[G1TEAffine], windows: &[Vec<i32>]) {
        let encoded: Vec<_> = points.iter().map(|&point| Cyclone::point(point)).collect();
        let mut at = PLACES[0];
        for digits in windows {
            let batches = Commands::batches(digits.iter().copied());
            let words: Vec<_> =
                batches.iter().flatten().flat_map(|&c| [c as u32, (c >> 32) as u32]).collect();
            self.host.copy_to(HOST, at, &words);
            at += batches.len() as u64;
        }
        for channel in 0..3 {
            let words: Vec<_> = encoded.iter().flat_map(|point| point[channel]).collect();
            self.host.copy_to(1 + channel as u32, PLACES[1 + channel], &words);
        }
        self.host.write(POINTS, points.len() as u32);
        self.host.write(WINDOWS, windows.len() as u32);
        let words_of_block = self.host.read(SHAPE) & 0xffff;
        self.host.write(NUMBER, (points.len() as u32).div_ceil(words_of_block) + 1);
        for (number, beat) in PLACES.into_iter().enumerate() {
            self.host.place(number, beat);
        }
    }

    /// Returns the windows' sums from memory.
    fn results(&mut self, windows: usize) -> Vec<G1TEProjective> {
        (0..windows as u64)
            .map(|window| {
                let [x, y, z, t] = [0, 1, 2, 3].map(|beat| {
                    let words = self.host.copy_from(HOST, PLACES[4] + 4 * window + beat);
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
        self.host.run();
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
        assert_eq!([1, 2, 3].map(|number| self.host.counter(number)), beats);
        assert_eq!(self.host.counter(7), self.host.counter(8));
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
        assert_eq!(card.host.read(IDENTITY), u32::from_be_bytes(*b"CARD"));
        for address in [NAME, MACHINE] {
            assert_eq!(card.host.read(address), u32::from_be_bytes(*b"CYCL"));
        }
        let (_, edwards) = points(90, rng);
        card.check(&edwards, &hostile(90, rng));
        // 170 conflicts and their later passes; blocks of four conflicts have nine beats.
        let spilled = card.host.read(MACHINE + 0x70);
        let written = card.host.counter(8);
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
        for _ in 0..12 {
            moment += rng.gen_range(0..400);
            outstanding += u32::from(card.host.interrupt(moment));
            assert_eq!(card.host.read(MACHINE + 0x60), 0, "the core's counters are reset");
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
    // Places behind the end of memory, or partly: the ring has its first block inside, and the results their first.
    for (place, first, cause) in [
        (0, MEMORY + 9, 0),
        (1, MEMORY - 2, 1),
        (2, MEMORY << 20, 1),
        (3, MEMORY, 1),
        (4, MEMORY - 4, 0),
        (5, MEMORY - 9, 2),
    ] {
        card.prepare(&edwards, &windows);
        card.host.place(place, first);
        card.host.fail(cause);
        card.check(&edwards, &windows);
    }
    // A digit without a bucket, and commands that are missing.
    for digits in [vec![9; 50], vec![1; 43]] {
        card.prepare(&edwards, &[digits]);
        card.host.fail(3);
        card.check(&edwards, &windows);
    }
    // Nothing but an end: points are left over.
    card.prepare(&edwards, &windows[..1]);
    card.host.write(POINTS, 3000);
    card.host.write(NUMBER, 1000);
    card.host.copy_to(HOST, PLACES[0], &[0; 375 * 16]);
    card.host.fail(4);
    card.check(&edwards, &windows);
    // Lengths that are refused.
    card.host.write(WINDOWS, 0);
    card.host.fail(5);
    card.prepare(&edwards, &windows);
    card.host.write(NUMBER, 13);
    card.host.fail(5);
    card.check(&edwards, &windows);
}

#[test]
fn registers() {
    let mut card = Card::new(CARDS[3].0, CARDS[3].1);
    card.host.refuse(true, &[IDENTITY, NAME, STATUS, SHAPE, COUNTERS, 0x98, 0xffc, MACHINE, MACHINE + 8]);
    card.host.refuse(false, &[0x98, 0x2, 0xffc, MACHINE + 0x98, MACHINE + 0xffc]);
    assert_eq!(card.host.access(true, CONTROL, START | RESET), None);
    assert_eq!(card.host.access(true, CONTROL, 4), None);
    card.host.write(ADDRESSES, !0);
    assert_eq!(card.host.read(ADDRESSES), !63, "an address is a beat's");
    // The machine's registers answer while the core is in reset.
    card.host.write(CONTROL, RESET);
    let answers: Vec<_> = (0..20).map(|_| card.host.access(false, MACHINE, 0)).collect();
    assert!(answers.iter().any(Option::is_some), "{answers:?}");
    let generator = G1TEAffine::from(G1TEProjective::generator());
    card.check(&[generator; 5], &[vec![1, -1, 7, 0, 2]]);
    card.host.hold();
}
