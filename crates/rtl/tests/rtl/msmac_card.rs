//! MSMAC on a card (`hdl/rtl/card/msmac_card.sv`): whole MSMs of several elements through the card's memory, between two clocks.

use ark_bn254::{Fq, Fr, G1Affine, G1Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{PrimeField, UniformRand};
use bucketwheel::msm;
use bucketwheel_hardware::combine;
use bucketwheel_hardware::msmac::Parameters;
use bucketwheel_rtl::msmac::{Msmac, CONFLICTS, LATENCY, SIZE};
use rand::Rng;

use crate::host::{
    Host, ADDRESSES, CONTROL, COUNTERS, HOST, IDENTITY, MACHINE, MEMORY, NAME, NUMBER, POINTS, RESET,
    RUNNING, SHAPE, START, STATUS, WINDOWS,
};
use crate::numbers::random;

/// Numbers of the other memories in the benches.
const POINT: u32 = 1;
const SCALAR: u32 = 2;
/// First beats of the program, the points, the scalars and the sums in their memories.
const PLACES: [u64; 4] = [5, 1000, 77, 40_001];
/// Bytes of the registers of an element.
const ELEMENT: u32 = 0x100;
/// Registers of an element.
const ELEMENT_STATUS: u32 = bucketwheel_rtl::msmac::STATUS;
const ELEMENT_SHAPE: u32 = bucketwheel_rtl::msmac::SHAPE;
const INPUT_STALLS: u32 = 0x38;

/// The benches: four elements with DDR4; three with HBM2 that pauses. Clocks: a faster shell, and a faster core.
const DDR: (&str, [[u64; 2]; 2]) = ("card_msmac", [[4, 5], [7, 3]]);
const HBM: (&str, [[u64; 2]; 2]) = ("card_msmac_hbm", [[3, 8], [9, 8]]);

struct Card {
    host: Host,
    pes: usize,
    /// Points that an element gets at a time.
    block: usize,
    window: u32,
    windows: usize,
    program: Vec<u128>,
}

impl Card {
    fn new(bench: &str, half: [u64; 2]) -> Self {
        let mut host = Host::new(bench, half);
        let [pes, window, block, zero] = host.read(SHAPE).to_le_bytes();
        let model =
            Msmac::model_of([ELEMENT_SHAPE, LATENCY, CONFLICTS].map(|address| host.read(MACHINE + address)));
        assert_eq!((u32::from(window), zero), (model.window, 0));
        let own = Parameters { card_buckets: u64::MAX, point_cycles: 1, ..model };
        let (hardware, program) = own.programmed(1 << 20).expect("a program");
        Card {
            host,
            pes: pes.into(),
            block: block.into(),
            window: window.into(),
            windows: hardware.windows.count() as usize,
            program: program.iter().map(|instruction| instruction.encode()).collect(),
        }
    }

    /// Writes points, scalars and the program to memory, and the task to the registers.
    fn prepare(&mut self, points: &[G1Affine], scalars: &[Fr], elements: usize) {
        let quarters = |value: u128| (0..4).map(move |i| (value >> (32 * i)) as u32);
        let program: Vec<u32> = self.program.iter().flat_map(|&instruction| quarters(instruction)).collect();
        let encoded: Vec<u32> = points.iter().flat_map(|&point| Msmac::point(point)).collect();
        let halves = |limb: u64| [limb as u32, (limb >> 32) as u32];
        let digits: Vec<u32> =
            scalars.iter().flat_map(|scalar| scalar.into_bigint().0).flat_map(halves).collect();
        for ((memory, place), words) in
            [HOST, POINT, SCALAR].into_iter().zip(PLACES).zip([program, encoded, digits])
        {
            self.host.copy_to(memory, place, &words);
        }
        self.host.write(POINTS, points.len() as u32);
        self.host.write(WINDOWS, self.windows as u32);
        self.host.write(NUMBER, (elements << 16 | self.program.len()) as u32);
        for (number, beat) in PLACES.into_iter().enumerate() {
            self.host.place(number, beat);
        }
    }

    /// Returns the sum of an element from its windows' sums in memory.
    fn sum(&mut self, element: usize) -> G1Projective {
        let sums: Vec<_> = (0..self.windows)
            .map(|window| {
                let beat = PLACES[3] + 2 * (element * self.windows + window) as u64;
                let words = [self.host.copy_from(HOST, beat), self.host.copy_from(HOST, beat + 1)].concat();
                assert!(words[24..].iter().all(|&word| word == 0));
                Msmac::sum(&words[..24]).expect("a point of the curve")
            })
            .collect();
        combine(&sums, self.window)
    }

    /// Runs a task, and compares the elements' sums with the engine's.
    fn check(&mut self, points: &[G1Affine], scalars: &[Fr], elements: usize) {
        self.prepare(points, scalars, elements);
        self.host.run();
        let mut total = G1Projective::default();
        for element in 0..elements {
            // Blocks are dealt out to the elements in turns.
            let own = |i: &usize| i / self.block % elements == element;
            let dealt: Vec<_> = (0..points.len()).filter(own).collect();
            let [status, size] = [ELEMENT_STATUS, SIZE]
                .map(|address| self.host.read(MACHINE + ELEMENT * element as u32 + address));
            assert_eq!(
                (status, size as usize),
                (2, dealt.len()),
                "element {element} of {} points",
                points.len()
            );
            let points: Vec<_> = dealt.iter().map(|&i| points[i]).collect();
            let scalars: Vec<_> = dealt.iter().map(|&i| scalars[i]).collect();
            let sum = self.sum(element);
            assert_eq!(
                sum,
                msm(&points, &scalars).expect("a sum"),
                "element {element} of {} points",
                points.len()
            );
            total += sum;
        }
        assert_eq!(total, msm(points, scalars).expect("a sum"));
        // Every beat of the task was read or written once.
        let beats = [self.program.len().div_ceil(4), points.len(), 2 * elements * self.windows];
        assert_eq!([1, 2, 3].map(|number| self.host.counter(number)), beats.map(|number| number as u64));
    }
}

fn some_points(count: usize, rng: &mut impl Rng) -> Vec<G1Affine> {
    let points: Vec<_> = (0..count).map(|_| G1Projective::rand(rng)).collect();
    let mut points = G1Projective::normalize_batch(&points);
    if let Some(point) = points.get_mut(2) {
        *point = G1Affine::zero();
    }
    points
}

/// Returns scalars: equal ones for the first points, so that they meet in a bucket of each window, then random ones.
fn hostile(count: usize, rng: &mut impl Rng) -> Vec<Fr> {
    (0..count).map(|i| if i < 9 { Fr::from(-5) } else { Fr::rand(rng) }).collect()
}

fn all_lengths((bench, ratios): (&str, [[u64; 2]; 2])) {
    let rng = &mut random();
    let points = some_points(61, rng);
    for half in ratios {
        println!("{bench}, {half:?}");
        let mut card = Card::new(bench, half);
        let (pes, block) = (card.pes, card.block);
        // The last element has one point, then a block; then elements with a block more, and a rest.
        for count in [(pes - 1) * block + 1, pes * block, 61, 60] {
            card.check(&points[..count], &hostile(count, rng), pes);
        }
        // Fewer elements than the card has; the fewest points.
        for elements in 1..pes {
            card.check(&points[..17], &hostile(17, rng), elements);
        }
        card.check(&points[..1], &[Fr::rand(rng)], 1);
        card.check(&points[..30], &[Fr::from(0u64); 30], pes);
    }
}

/// Sums are right for all kinds of memory, clocks and lengths.
#[test]
fn all_clocks_with_ddr4() {
    all_lengths(DDR);
}

#[test]
fn all_clocks_with_hbm2() {
    all_lengths(HBM);
}

/// One stream of points is enough for four elements: after its first block, an element seldom waits for a point.
#[test]
fn elements_seldom_wait() {
    let rng = &mut random();
    let mut card = Card::new(DDR.0, [4, 4]);
    let count = 240;
    card.check(&some_points(count, rng), &hostile(count, rng), 4);
    for element in 0..4 {
        let stalls = card.host.read(MACHINE + ELEMENT * element + INPUT_STALLS);
        println!("element {element} waited {stalls} cycles for {} points", count / 4);
        assert!(stalls < 200, "element {element} waited {stalls} cycles");
    }
}

fn resets(bench: &str, half: [u64; 2]) {
    let rng = &mut random();
    let points = some_points(61, rng);
    let scalars = hostile(61, rng);
    let mut card = Card::new(bench, half);
    let pes = card.pes;
    card.prepare(&points, &scalars, pes);
    let mut outstanding = 0;
    for trial in 0..12 {
        // The task's reads come at its beginning, its writes at its end.
        let moment = rng.gen_range(0..if trial % 2 == 0 { 40_000 } else { 400 });
        outstanding += u32::from(card.host.interrupt(moment));
        assert_eq!(card.host.read(MACHINE + ELEMENT_STATUS), 0, "the element is idle");
        if trial == 4 {
            card.check(&points, &scalars, pes);
        }
    }
    assert!(outstanding > 1, "bursts waited in {outstanding} trials");
    card.check(&points, &scalars, pes);
}

/// A reset at any moment lets all bursts end, and the card works again.
#[test]
fn reset_drains() {
    resets(DDR.0, DDR.1[1]);
    resets(HBM.0, HBM.1[0]);
}

/// Each error ends the task with its cause, and the next task is right.
#[test]
fn errors_end_the_task() {
    let rng = &mut random();
    let points = some_points(61, rng);
    let scalars = hostile(61, rng);
    let mut card = Card::new(DDR.0, DDR.1[0]);
    let (pes, length, windows) = (card.pes as u32, card.program.len() as u32, card.windows as u32);
    let block = card.block as u32;
    // Places behind the end of memory, or partly: the program has its first beat inside, and the sums their first.
    for (place, first, cause) in
        [(0, MEMORY - 1, 0), (1, MEMORY - 2, 1), (1, MEMORY << 20, 1), (2, MEMORY, 1), (3, MEMORY - 2, 0)]
    {
        card.prepare(&points, &scalars, 4);
        card.host.place(place, first);
        card.host.fail(cause);
        card.check(&points[..9], &scalars[..9], 2);
    }
    // An instruction that does not exist, and a coordinate that is not below the prime.
    card.prepare(&points, &scalars, 4);
    card.host.copy_to(HOST, PLACES[0], &[!0; 16]);
    card.host.fail(3);
    card.prepare(&points, &scalars, 4);
    let words: Vec<u32> =
        Fq::MODULUS.0.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).chain([0; 8]).collect();
    card.host.copy_to(POINT, PLACES[1] + 33, &words);
    card.host.fail(3);
    // More sums than the task has.
    card.prepare(&points, &scalars, 4);
    card.host.write(WINDOWS, windows / 2);
    card.host.fail(3);
    card.check(&points[..9], &scalars[..9], 2);
    // Fewer sums than the task has: the host has to end it.
    card.prepare(&points[..9], &scalars[..9], 2);
    card.host.write(WINDOWS, windows + 1);
    card.host.write(CONTROL, START);
    card.host.steps(60_000);
    assert_eq!(card.host.read(STATUS), RUNNING);
    card.host.write(CONTROL, RESET);
    assert_eq!(card.host.wait(), 0);
    // Lengths that are refused: the last ones leave an element without a point.
    for (register, number) in [
        (WINDOWS, 0),
        (WINDOWS, 1 << 16),
        (NUMBER, length),
        (NUMBER, (pes + 1) << 16 | length),
        (NUMBER, pes << 16),
        (NUMBER, pes << 16 | 65),
        (POINTS, 0),
        (POINTS, (pes - 1) * block),
    ] {
        card.prepare(&points, &scalars, 4);
        card.host.write(register, number);
        card.host.fail(5);
    }
    card.check(&points, &scalars, 4);
}

#[test]
fn registers() {
    let mut card = Card::new(HBM.0, HBM.1[1]);
    assert_eq!(
        [IDENTITY, NAME].map(|address| card.host.read(address)),
        [*b"CARD", *b"MSMA"].map(u32::from_be_bytes)
    );
    assert_eq!(card.host.read(SHAPE), 3 | 5 << 8 | 2 << 16);
    // The elements' registers are the card's to write.
    card.host.refuse(
        true,
        &[IDENTITY, NAME, STATUS, SHAPE, 0x40, 0x48, COUNTERS, 0x88, 0xffc, MACHINE, MACHINE + SIZE],
    );
    // There is no fourth element, and an element has no register at 0x0 and from 0x48 on.
    card.host.refuse(
        false,
        &[0x40, 0x48, 0x88, 0x2, 0xffc, MACHINE, MACHINE + 0x48, MACHINE + 3 * ELEMENT + ELEMENT_SHAPE],
    );
    for element in 0..3 {
        assert_eq!(card.host.read(MACHINE + ELEMENT * element + ELEMENT_SHAPE), 51 << 16 | 5);
    }
    card.host.write(ADDRESSES + 0x18, !0);
    assert_eq!(card.host.read(ADDRESSES + 0x18), !63, "an address is a beat's");
    let rng = &mut random();
    let points = some_points(11, rng);
    card.check(&points, &hostile(11, rng), 3);
    card.host.hold();
}
