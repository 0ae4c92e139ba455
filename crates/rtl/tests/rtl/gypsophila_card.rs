//! Gypsophila on a card (`hdl/rtl/card/gypsophila_card.sv`): whole MSMs of several elements through the card's memory, between two
//! clocks.

use std::marker::PhantomData;

use ark_bls12_377::g1::Config;
use ark_bls12_377::{Fq, Fr, G1Affine, G1Projective, G1TEAffine, G1TEProjective};
use ark_bn254::G1Projective as Bn254;
use ark_ec::CurveGroup;
use ark_ff::UniformRand;
use bucketwheel::{msm, TwistedEdwards};
use bucketwheel_hardware::Curve;
use rand::Rng;

use crate::gypsophila::{indexes, sum, Points};
use crate::host::{
    Host, ADDRESSES, COUNTERS, HOST, IDENTITY, MACHINE, MEMORY, NAME, NUMBER, POINTS, SHAPE, STATUS, WINDOWS,
};
use crate::numbers::random;

/// Parameters of the benches.
const WINDOW: usize = 3;
/// Windows of a task. Its scalars have eight bits.
const COUNT: usize = 3;
/// First beats of the indexes, x, y, z and the sums in their memories.
const PLACES: [u64; 5] = [5, 3, 1000, 77, 40_001];

struct Card<G> {
    host: Host,
    /// Number of elements.
    pes: usize,
    curve: PhantomData<G>,
}

impl<G: Points> Card<G> {
    fn new(bench: &str, half: [u64; 2]) -> Self {
        let mut host = Host::new(bench, half);
        let [pes, _, window, curve] = host.read(SHAPE).to_le_bytes();
        assert_eq!((usize::from(window), curve == 0), (WINDOW, G::CURVE == Curve::Bls12_377));
        Card { host, pes: pes.into(), curve: PhantomData }
    }

    /// Writes points and the indexes of each task's windows to memory, and the task to the registers.
    fn prepare(&mut self, points: &[G], tasks: &[Vec<u32>]) {
        for window in 0..COUNT {
            let rows = (0..points.len()).flat_map(|point| {
                // An element without a task ignores its indexes.
                (0..self.pes).map(move |pe| {
                    tasks.get(pe).map_or(0xff, |indexes| indexes[window * points.len() + point] as u8)
                })
            });
            let bytes: Vec<u8> = rows.collect();
            let words: Vec<u32> = bytes
                .chunks(4)
                .map(|bytes| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)))
                .collect();
            self.host.copy_to(HOST, PLACES[0] + (window * bytes.len().div_ceil(64)) as u64, &words);
        }
        let encoded = G::encode(points);
        for coordinate in 0..3 {
            let words: Vec<u32> = encoded
                .iter()
                .flat_map(|point| point.chunks(point.len() / 3).nth(coordinate).expect("three coordinates"))
                .copied()
                .collect();
            self.host.copy_to(1 + coordinate as u32, PLACES[1 + coordinate], &words);
        }
        self.host.write(POINTS, points.len() as u32);
        self.host.write(WINDOWS, COUNT as u32);
        self.host.write(NUMBER, tasks.len() as u32);
        for (number, beat) in PLACES.into_iter().enumerate() {
            self.host.place(number, beat);
        }
    }

    /// Returns the sums from memory, in the form of the machine's stream.
    fn results(&mut self, tasks: usize) -> Vec<Vec<u32>> {
        let words = G::CURVE.coordinate_bytes() as usize / 4;
        let coordinates = coordinates::<G>();
        let mut coordinate = |task: usize, number: usize| {
            let beat = self.host.copy_from(HOST, PLACES[4] + (coordinates * task + number) as u64);
            assert!(beat[words..].iter().all(|&word| word == 0));
            beat[..words].to_vec()
        };
        (0..tasks)
            .map(|task| (0..coordinates).flat_map(|number| coordinate(task, number)).collect())
            .collect()
    }

    /// Runs a task for each vector of scalars; returns the sums.
    fn run(&mut self, points: &[G], tasks: &[Vec<G::ScalarField>]) -> Vec<Vec<u32>> {
        let indexes: Vec<_> = tasks.iter().map(|scalars| indexes(scalars, WINDOW, COUNT)).collect();
        self.prepare(points, &indexes);
        self.host.run();
        self.results(tasks.len())
    }

    /// Runs tasks, and compares the sums.
    fn check(&mut self, points: &[G], tasks: &[Vec<G::ScalarField>]) {
        let sums = self.run(points, tasks);
        for (task, (found, scalars)) in sums.iter().zip(tasks).enumerate() {
            let judged = G::judge(found, sum(points, scalars));
            assert!(judged.is_ok(), "task {task} of {} points: {judged:?}", points.len());
        }
        // Every beat of the task was read or written once.
        let beats = |bytes: usize| (COUNT * bytes.div_ceil(64)) as u64;
        let point = G::CURVE.coordinate_bytes() as usize;
        let expected = [
            beats(points.len() * self.pes),
            beats(points.len() * point),
            (coordinates::<G>() * tasks.len()) as u64,
        ];
        assert_eq!([1, 2, 3].map(|number| self.host.counter(number)), expected);
        // The machine's registers have the task.
        let registers = [0x0, 0x4, 0x8, 0xc].map(|address| self.host.read(MACHINE + address));
        assert_eq!(registers, [2, points.len() as u32, COUNT as u32, tasks.len() as u32]);
    }
}

/// Returns the number of a sum's coordinates.
fn coordinates<G: Points>() -> usize {
    if G::CURVE == Curve::Bls12_377 {
        4
    } else {
        3
    }
}

type Edwards = G1TEProjective;

/// Returns scalars for each element: equal ones, so that all points meet in a bucket of each window, and random ones.
fn hostile<G: Points>(count: usize, pes: usize, rng: &mut impl Rng) -> Vec<Vec<G::ScalarField>> {
    let mut tasks = vec![vec![G::ScalarField::from(0xdbu64); count]];
    tasks.extend((1..pes).map(|_| short::<G>(count, rng)));
    tasks
}

/// Returns scalars that the windows hold.
fn short<G: Points>(count: usize, rng: &mut impl Rng) -> Vec<G::ScalarField> {
    (0..count).map(|_| G::ScalarField::from(rng.gen_range(0..1u64 << (COUNT * WINDOW - 1)))).collect()
}

/// The benches: two elements on BLS12-377 with DDR4; three on BN254 with HBM2 that pauses. Clocks: a faster shell, and a faster core.
const EDWARDS: (&str, [[u64; 2]; 2]) = ("card_gypsophila", [[4, 5], [7, 3]]);
const WEIERSTRASS: (&str, [[u64; 2]; 2]) = ("card_gypsophila_hbm", [[3, 8], [9, 8]]);

/// Whole MSMs equal the engine's, whose points and sums cross the map between both forms of the curve.
#[test]
fn whole_sums() {
    let rng = &mut random();
    let points: Vec<G1Affine> = (0..40).map(|_| G1Projective::rand(rng).into_affine()).collect();
    let form = TwistedEdwards::<Fq>::of_montgomery::<Config>().expect("the curve has this form");
    let edwards: Vec<Edwards> = points
        .iter()
        .map(|point| {
            let [x, y] = form.to_edwards(point).expect("a point of the subgroup");
            G1TEAffine::new_unchecked(x, y).into()
        })
        .collect();
    let tasks = hostile::<Edwards>(points.len(), 2, rng);
    let mut card = Card::<Edwards>::new(EDWARDS.0, EDWARDS.1[0]);
    for (words, scalars) in card.run(&edwards, &tasks).iter().zip(&tasks) {
        let sum =
            <Edwards as bucketwheel_rtl::gypsophila::Streamed>::decode(words).expect("a sum").into_affine();
        let sum = form.from_edwards::<Config>([sum.x, sum.y]).expect("a point");
        assert_eq!(G1Projective::from(sum), msm(&points, scalars).expect("a sum"));
    }
}

fn all_lengths<G: Points>((bench, ratios): (&str, [[u64; 2]; 2])) {
    let rng = &mut random();
    let points: Vec<G> = (0..90).map(|_| G::rand(rng)).collect();
    for half in ratios {
        println!("{bench}, {half:?}");
        let mut card = Card::<G>::new(bench, half);
        // Rows of indexes, and coordinates, fill beats in several ways.
        for count in [90, 0, 1] {
            let tasks = hostile::<G>(count, card.pes, rng);
            card.check(&points[..count], &tasks);
        }
        // All indexes of all elements are equal, and then fewer tasks than elements.
        let equal = vec![vec![G::ScalarField::from(0x49u64); 65]; card.pes];
        card.check(&points[..65], &equal);
        card.check(&points[..22], &[short::<G>(22, rng)]);
    }
}

/// Sums are right for all kinds of memory, clocks and lengths.
#[test]
fn all_clocks_with_ddr4() {
    all_lengths::<Edwards>(EDWARDS);
}

#[test]
fn all_clocks_with_hbm2() {
    all_lengths::<Bn254>(WEIERSTRASS);
}

/// If no point waits for a bucket, the memory gives almost a point in each cycle, with both clocks equal.
#[test]
fn a_point_a_cycle() {
    let rng = &mut random();
    let point = Edwards::rand(rng);
    let mut card = Card::<Edwards>::new(EDWARDS.0, [4, 4]);
    let count = 1000;
    card.check(&vec![point; count], &vec![vec![Fr::from(0u64); count]; 2]);
    let [stalls, no_point] = [0x38, 0x3c].map(|address| card.host.read(MACHINE + address));
    println!("of {} points, {no_point} cycles without a point, {stalls} stalls", COUNT * count);
    assert!((no_point as usize) < COUNT * count / 10, "{no_point} cycles without a point");
}

fn resets<G: Points>(bench: &str, half: [u64; 2]) {
    let rng = &mut random();
    let points: Vec<G> = (0..90).map(|_| G::rand(rng)).collect();
    let mut card = Card::<G>::new(bench, half);
    let tasks = hostile::<G>(90, card.pes, rng);
    let all: Vec<_> = tasks.iter().map(|scalars| indexes(scalars, WINDOW, COUNT)).collect();
    card.prepare(&points, &all);
    let mut outstanding = 0;
    for trial in 0..12 {
        // Most of the task's reads come at its beginning.
        let moment = rng.gen_range(0..if trial % 4 == 0 { 8000 } else { 400 });
        outstanding += u32::from(card.host.interrupt(moment));
        assert_eq!(card.host.read(MACHINE), 0, "the machine is idle");
        if trial == 4 {
            card.check(&points, &tasks);
            card.prepare(&points, &all);
        }
    }
    assert!(outstanding > 3, "bursts waited in {outstanding} trials");
    card.check(&points, &tasks);
}

/// A reset at any moment lets all bursts end, and the card works again.
#[test]
fn reset_drains() {
    resets::<Edwards>(EDWARDS.0, EDWARDS.1[1]);
    resets::<Bn254>(WEIERSTRASS.0, WEIERSTRASS.1[0]);
}

/// Each error ends the task with its cause, and the next task is right.
#[test]
fn errors_end_the_task() {
    type G = Edwards;
    let rng = &mut random();
    let points: Vec<G> = (0..90).map(|_| G::rand(rng)).collect();
    let tasks: Vec<Vec<Fr>> = hostile::<G>(90, 2, rng);
    let few = [tasks[1][..9].to_vec()];
    let all: Vec<_> = tasks.iter().map(|scalars| indexes(scalars, WINDOW, COUNT)).collect();
    let mut card = Card::<G>::new(EDWARDS.0, EDWARDS.1[0]);
    // Places behind the end of memory, or partly.
    for (place, first, cause) in
        [(0, MEMORY - 4, 0), (1, MEMORY - 2, 1), (2, MEMORY << 20, 1), (3, MEMORY, 1), (4, MEMORY - 4, 0)]
    {
        card.prepare(&points, &all);
        card.host.place(place, first);
        card.host.fail(cause);
        card.check(&points[..9], &few);
    }
    // An index of the topmost window without a bucket.
    let mut beyond = all.clone();
    beyond[1][7] = 5;
    card.prepare(&points, &beyond);
    card.host.fail(3);
    card.check(&points[..9], &few);
    // Lengths that are refused.
    for (register, number) in [(WINDOWS, 0), (WINDOWS, 256), (NUMBER, 0), (NUMBER, 3)] {
        card.prepare(&points, &all);
        card.host.write(register, number);
        card.host.fail(5);
    }
    card.check(&points, &tasks);
}

#[test]
fn registers() {
    let mut card = Card::<Bn254>::new(WEIERSTRASS.0, WEIERSTRASS.1[1]);
    assert_eq!(
        [IDENTITY, NAME].map(|address| card.host.read(address)),
        [*b"CARD", *b"GYPS"].map(u32::from_be_bytes)
    );
    assert_eq!(card.host.read(SHAPE), 3 | 2 << 8 | (WINDOW as u32) << 16 | 1 << 24);
    // The machine's registers are the card's to write.
    card.host.refuse(true, &[IDENTITY, NAME, STATUS, SHAPE, 0x48, 0x4c, COUNTERS, 0x88, 0xffc]);
    card.host.refuse(true, &[MACHINE, MACHINE + 4, MACHINE + 0xc]);
    card.host.refuse(false, &[0x48, 0x4c, 0x88, 0x2, 0xffc, MACHINE + 0x14, MACHINE + 0xffc]);
    assert_eq!(card.host.read(COUNTERS + 0x34), 0);
    card.host.write(ADDRESSES + 0x20, !0);
    assert_eq!(card.host.read(ADDRESSES + 0x20), !63, "an address is a beat's");
    let rng = &mut random();
    let points: Vec<Bn254> = (0..5).map(|_| Bn254::rand(rng)).collect();
    let tasks = hostile::<Bn254>(5, 3, rng);
    card.check(&points, &tasks);
    card.host.hold();
}
