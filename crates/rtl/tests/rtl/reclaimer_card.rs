//! The reclaimer on a card (`hdl/rtl/card/reclaimer_card.sv`): whole MSMs through the card's memory, between two clocks.

use std::marker::PhantomData;

use ark_ec::short_weierstrass::{Projective, SWCurveConfig};
use ark_ec::{CurveGroup, VariableBaseMSM};
use ark_ff::{BigInt, PrimeField};
use bucketwheel::Control;
use bucketwheel_hardware::config::{Bls12_377, Bn254};
use bucketwheel_hardware::memory::Kind;
use bucketwheel_hardware::reclaimer::Parameters;
use bucketwheel_hardware::Model;
use bucketwheel_rtl::reclaimer::{combine_parts, decode, encode, named, COUNTS};
use rand::Rng;

use crate::host::{
    Host, ADDRESSES, COUNTERS, HOST, IDENTITY, MACHINE, MEMORY, NAME, NUMBER, POINTS, SHAPE, STATUS, WINDOWS,
};
use crate::numbers::random;
use crate::reclaimer::{exceptional, progression};

type Bls = Bls12_377::g1::Config;
type Bn = Bn254::g1::Config;

/// Bits of a window in the benches.
const WINDOW: u32 = 3;
/// First beats of the scalars, x, y and the parts in their memories; no third coordinate has the fourth address.
const PLACES: [u64; 5] = [5, 3, 1000, 0, 40_001];

struct Card<C> {
    host: Host,
    /// Windows of a pass.
    adders: u32,
    /// Windows of a task: two passes, and in the second pass one window.
    windows: u32,
    curve: PhantomData<C>,
}

impl<C: SWCurveConfig<BaseField: PrimeField, ScalarField: PrimeField<BigInt = BigInt<4>>>> Card<C> {
    fn new(bench: &str, half: [u64; 2]) -> Self {
        let mut host = Host::new(bench, half);
        let [adders, _, window, _] = host.read(SHAPE).to_le_bytes();
        assert_eq!(u32::from(window), WINDOW);
        let adders = u32::from(adders);
        Card { host, adders, windows: adders + 1, curve: PhantomData }
    }

    /// Returns half of the range of each window except the topmost one, which the host adds to scalars.
    fn bias(&self) -> u64 {
        (1..self.windows).map(|window| 1 << (window * WINDOW - 1)).sum()
    }

    /// Returns a scalar that the windows hold.
    fn scalar(&self, rng: &mut impl Rng) -> u64 {
        rng.gen_range(0..1 << (self.windows * WINDOW - 1))
    }

    fn scalars(&self, count: usize, rng: &mut impl Rng) -> Vec<u64> {
        (0..count).map(|_| self.scalar(rng)).collect()
    }

    /// Writes points and scalars to memory, and the task to the registers.
    fn prepare(&mut self, points: &[Projective<C>], scalars: &[u64]) {
        let bias = self.bias();
        let beats = encode(points, scalars.iter().map(|scalar| [scalar + bias, 0, 0, 0]));
        let limbs = coordinate_bytes::<C>() / 4;
        let stream = |words: std::ops::Range<usize>| -> Vec<u32> {
            beats.iter().flat_map(|beat| beat[words.clone()].iter().copied()).collect()
        };
        self.host.copy_to(HOST, PLACES[0], &stream(2 * limbs..2 * limbs + 8));
        for (memory, coordinate) in (1..).zip([0..limbs, limbs..2 * limbs]) {
            self.host.copy_to(memory, PLACES[memory as usize], &stream(coordinate));
        }
        self.host.write(POINTS, points.len() as u32);
        self.host.write(WINDOWS, self.windows);
        for (number, beat) in PLACES.into_iter().enumerate() {
            self.host.place(number, beat);
        }
    }

    /// Runs a task; returns its sum from the parts in memory.
    fn run(&mut self, points: &[Projective<C>], scalars: &[u64]) -> Projective<C> {
        self.prepare(points, scalars);
        self.host.run();
        let limbs = coordinate_bytes::<C>() / 4;
        let parts: Vec<_> = (0..u64::from(self.windows * WINDOW))
            .map(|part| {
                let words = [0, 1].map(|coordinate| {
                    let beat = self.host.copy_from(HOST, PLACES[4] + 2 * part + coordinate);
                    assert!(beat[limbs..].iter().all(|&word| word == 0));
                    beat[..limbs].to_vec()
                });
                decode(&words.concat()).expect("a point")
            })
            .collect();
        combine_parts(&parts, WINDOW)
    }

    /// Runs a task, and compares its sum, its beats and its registers.
    fn check(&mut self, points: &[Projective<C>], scalars: &[u64]) {
        let found = self.run(points, scalars);
        let integers: Vec<_> = scalars.iter().map(|&scalar| BigInt::from(scalar)).collect();
        let expected = Projective::<C>::msm_bigint(&Projective::normalize_batch(points), &integers);
        assert_eq!(found, expected, "{} points", points.len());
        println!("{} points: {} cycles", points.len(), self.host.counter(0));
        // Every beat of a pass was read once, and every part was written once.
        let beats = |bytes: usize| u64::from(self.windows.div_ceil(self.adders)) * bytes.div_ceil(64) as u64;
        let expected = [
            beats(32 * points.len()),
            beats(coordinate_bytes::<C>() * points.len()),
            u64::from(2 * self.windows * WINDOW),
        ];
        assert_eq!([1, 2, 3].map(|number| self.host.counter(number)), expected);
        // The machine's registers have the task.
        let registers = [0x0, 0x4, 0x8].map(|address| self.host.read(MACHINE + address));
        assert_eq!(registers, [2, points.len() as u32, self.windows]);
    }
}

/// Returns the bytes of a coordinate in memory.
fn coordinate_bytes<C: SWCurveConfig<BaseField: PrimeField>>() -> usize {
    C::BaseField::MODULUS_BIT_SIZE.next_multiple_of(64) as usize / 8
}

/// The benches: one adder on BLS12-377 with DDR4; three on BN254 with HBM2 that pauses. Clocks: a faster shell, and a faster core.
const DDR4: (&str, [[u64; 2]; 2]) = ("card_reclaimer", [[4, 5], [7, 3]]);
const HBM2: (&str, [[u64; 2]; 2]) = ("card_reclaimer_hbm", [[3, 8], [9, 8]]);

/// Sums equal the engine's, for points whose neighbours are equal, opposite or infinity: if digits are random, and if all points
/// meet in a bucket of each window.
#[test]
fn whole_sums() {
    let rng = &mut random();
    let points = exceptional(&progression::<Bls>(24, rng));
    let affine = Projective::normalize_batch(&points);
    let mut card = Card::<Bls>::new(DDR4.0, DDR4.1[0]);
    for scalars in [card.scalars(points.len(), rng), vec![0x1b; points.len()]] {
        let elements: Vec<_> = scalars.iter().map(|&scalar| scalar.into()).collect();
        let expected = bucketwheel::msm(&affine, &elements).expect("a sum");
        assert_eq!(card.run(&points, &scalars), expected);
    }
}

fn all_lengths<C: SWCurveConfig<BaseField: PrimeField, ScalarField: PrimeField<BigInt = BigInt<4>>>>(
    (bench, ratios): (&str, [[u64; 2]; 2]),
) {
    let rng = &mut random();
    let points = progression::<C>(30, rng);
    for half in ratios {
        println!("{bench}, {half:?}");
        let mut card = Card::<C>::new(bench, half);
        // Scalars and coordinates fill beats in several ways.
        for count in [30, 0, 1] {
            let scalars = card.scalars(count, rng);
            card.check(&points[..count], &scalars);
        }
    }
}

/// Sums are right for all kinds of memory, clocks and lengths.
#[test]
fn all_clocks_with_ddr4() {
    all_lengths::<Bls>(DDR4);
}

#[test]
fn all_clocks_with_hbm2() {
    all_lengths::<Bn>(HBM2);
}

/// Equal, opposite and infinite points, with equal digits and with digits that cancel.
#[test]
fn hostile_points() {
    let rng = &mut random();
    let count = 14;
    let points = exceptional(&progression::<Bn>(count, rng));
    let mut card = Card::<Bn>::new(HBM2.0, HBM2.1[1]);
    card.check(&points, &vec![card.scalar(rng); count]);
    card.check(&vec![points[0]; count], &card.scalars(count, rng));
    let opposite: Vec<_> = (0..count).map(|i| if i % 2 == 0 { points[0] } else { -points[0] }).collect();
    card.check(&opposite, &vec![0x92; count]);
    card.check(&vec![Projective::default(); count], &card.scalars(count, rng));
}

/// If no point waits for a bucket, the memory gives almost a point in each cycle, with both clocks equal.
#[test]
fn a_point_a_cycle() {
    let mut card = Card::<Bls>::new(DDR4.0, [4, 4]);
    let count = 1000;
    let point = progression::<Bls>(1, &mut random())[0];
    card.check(&vec![point; count], &vec![0; count]);
    let no_point = card.host.read(MACHINE + 0x170);
    let taken = 2 * count as u32;
    assert_eq!(card.host.read(MACHINE + 0x128), taken);
    println!("{no_point} cycles without a point for {taken} points");
    assert!(no_point < taken / 10, "{no_point} cycles without a point");
}

/// The cycle model with the same memory has the card's pace: the card waits longer by at most two hundredths of a pass. Its registers make
/// the way of each request longer, and with four bursts a refresh shows it.
#[test]
fn the_model_has_the_cards_pace() {
    const COUNT: usize = 1500;
    let mut card = Card::<Bls>::new(DDR4.0, [4, 4]);
    // The windows of a scalar of 64 bits, a pass each.
    card.windows = 63 / WINDOW;
    let point = progression::<Bls>(1, &mut random())[0];
    card.check(&vec![point; COUNT], &[0; COUNT]);
    let found: [u64; COUNTS] =
        std::array::from_fn(|number| card.host.long(MACHINE + 0x100 + 8 * number as u32));
    let found = named(found);
    let model = Parameters {
        window: WINDOW,
        adders: 1,
        chains: 8,
        multiplier_stages: 5,
        banks: 2,
        memory: Some(Kind::Ddr4At2400),
        // The bench's.
        outstanding_bursts: 4,
        ..Parameters::default()
    };
    let control = Control::new(None, None, None);
    let report = model.simulate(&[(); COUNT], &[&[[0; 4]; COUNT]], &control).expect("a machine").report;
    let passes = [u64::from(card.windows), report.counters["windows"]].map(|passes| passes as f64);
    let [card, model] =
        [found.starved_cycles as f64 / passes[0], report.counters["starved_cycles"] as f64 / passes[1]];
    println!("{card:.1} waits for {COUNT} points, {model:.1} in the model");
    assert!(model > 0.01 * COUNT as f64 && card > model && card - model < 0.02 * COUNT as f64);
}

fn resets<C: SWCurveConfig<BaseField: PrimeField, ScalarField: PrimeField<BigInt = BigInt<4>>>>(
    bench: &str,
    half: [u64; 2],
) {
    let rng = &mut random();
    let points = progression::<C>(20, rng);
    let mut card = Card::<C>::new(bench, half);
    let scalars = card.scalars(points.len(), rng);
    card.check(&points, &scalars);
    // Edges of both clocks in the time of the task, after the shell's counter of cycles.
    let cycles = card.host.counter(0);
    let edges = (2 * cycles * (half[0] + half[1]) / half[1]) as usize;
    card.prepare(&points, &scalars);
    let mut outstanding = 0;
    for trial in 0..9 {
        // Reads come at the beginning of a pass, writes at the end of the task.
        let moment = match trial {
            0 => rng.gen_range(0..edges),
            1 => edges - rng.gen_range(1..300),
            _ => rng.gen_range(0..400),
        };
        outstanding += u32::from(card.host.interrupt(moment));
        assert_eq!(card.host.read(MACHINE), 0, "the machine is idle");
    }
    println!("bursts waited in {outstanding} trials");
    assert!(outstanding > 3, "bursts waited in {outstanding} trials");
    card.check(&points, &scalars);
}

/// A reset at any moment lets all bursts end, and the card works again.
#[test]
fn reset_drains() {
    resets::<Bls>(DDR4.0, DDR4.1[1]);
    resets::<Bn>(HBM2.0, HBM2.1[0]);
}

/// Each error ends the task with its cause, and the next task is right.
#[test]
fn errors_end_the_task() {
    let rng = &mut random();
    let points = progression::<Bls>(20, rng);
    let mut card = Card::<Bls>::new(DDR4.0, DDR4.1[0]);
    let scalars = card.scalars(points.len(), rng);
    let (few, their) = (&points[..3], &scalars[..3]);
    // Places behind the end of memory, or partly.
    for (place, first, cause) in
        [(0, MEMORY - 4, 0), (1, MEMORY - 2, 1), (2, MEMORY << 20, 1), (2, MEMORY, 1), (4, MEMORY - 4, 0)]
    {
        card.prepare(&points, &scalars);
        card.host.place(place, first);
        card.host.fail(cause);
        card.check(few, their);
    }
    // A digit of the topmost window without a bucket.
    let mut beyond = scalars.clone();
    beyond[7] = 5 << WINDOW;
    card.prepare(&points, &beyond);
    card.host.fail(3);
    card.check(few, their);
    // Windows of three bits that are below bit 256: 86.
    for windows in [0, 87, 256, 1 << 31] {
        card.prepare(&points, &scalars);
        card.host.write(WINDOWS, windows);
        card.host.fail(5);
    }
    card.check(&points, &scalars);
}

#[test]
fn registers() {
    let mut card = Card::<Bn>::new(HBM2.0, HBM2.1[1]);
    assert_eq!(
        [IDENTITY, NAME].map(|address| card.host.read(address)),
        [*b"CARD", *b"RECL"].map(u32::from_be_bytes)
    );
    assert_eq!(card.host.read(SHAPE), 3 | 1 << 8 | WINDOW << 16 | 1 << 24);
    assert_eq!(card.host.read(SHAPE), card.host.read(MACHINE + 0xc));
    // The machine's registers are the card's to write.
    card.host.refuse(true, &[IDENTITY, NAME, STATUS, SHAPE, 0x48, 0x4c, COUNTERS, 0x88, 0xffc]);
    card.host.refuse(true, &[MACHINE, MACHINE + 4, MACHINE + 8]);
    card.host.refuse(false, &[0x48, 0x4c, 0x88, 0x2, 0xffc, MACHINE + 0x14, MACHINE + 0xffc]);
    card.host.write(ADDRESSES + 0x20, !0);
    assert_eq!(card.host.read(ADDRESSES + 0x20), !63, "an address is a beat's");
    // The task's number is for other machines.
    card.host.write(NUMBER, 7);
    let rng = &mut random();
    let points = progression::<Bn>(5, rng);
    let scalars = card.scalars(5, rng);
    card.check(&points, &scalars);
    card.host.hold();
}
