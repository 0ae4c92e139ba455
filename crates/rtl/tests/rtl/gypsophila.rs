//! Whole sums on simulated Gypsophilas, against arkworks, and their counters against the cycle model's.

use ark_bls12_377::{Fq as Fq377, G1TEProjective};
use ark_bn254::{Fq as Fq254, G1Projective};
use ark_ec::PrimeGroup;
use ark_ff::{PrimeField, UniformRand};
use bucketwheel::Control;
use bucketwheel_hardware::{Model, Report};
use bucketwheel_rtl::gypsophila::{
    Gypsophila, Streamed, BUSY, CONTROL, CYCLES, DONE, MISFRAMED, REFUSED, SHAPE, SIZE, START, TASKS, WINDOWS,
};
use bucketwheel_rtl::{Bus, Fault, Request};
use num_bigint::BigUint;
use rand::Rng;

use crate::curve::{coordinates, weierstrass_sum};
use crate::numbers::{edwards_sum, random, Form};

/// Parameters of the benches.
const WINDOW: usize = 4;

/// A curve of the design, and its expected sums.
pub trait Points: Streamed {
    fn judge(found: &[u32], expected: Self) -> Result<(), String>;
}

impl Points for G1TEProjective {
    fn judge(found: &[u32], expected: Self) -> Result<(), String> {
        edwards_sum(coordinates::<Fq377, 4>(Form::Plain, found), expected)
    }
}

impl Points for G1Projective {
    fn judge(found: &[u32], expected: Self) -> Result<(), String> {
        weierstrass_sum(coordinates::<Fq254, 3>(Form::Plain, found), expected)
    }
}

/// Returns the indexes of all windows, the topmost window first. An index is a field of the scalar plus half of each
/// window's range except the top window's.
pub fn indexes<F: PrimeField>(scalars: &[F], window: usize, windows: usize) -> Vec<u32> {
    let bias: BigUint = (1..windows).map(|w| BigUint::from(1u32) << (w * window - 1)).sum();
    let biased: Vec<BigUint> = scalars.iter().map(|&scalar| Into::<BigUint>::into(scalar) + &bias).collect();
    let mask = (BigUint::from(1u32) << window) - 1u32;
    let field =
        |biased: &BigUint, w: usize| ((biased >> (w * window)) & &mask).iter_u32_digits().next().unwrap_or(0);
    (0..windows).rev().flat_map(|w| biased.iter().map(move |biased| field(biased, w))).collect()
}

/// Returns points with known discrete logarithms, `first + i * step`, so that large sums are checked quickly.
fn progression<G: Points>(count: usize, rng: &mut impl Rng) -> (Vec<G>, Vec<G::ScalarField>) {
    let (first, step) = (G::ScalarField::rand(rng), G::ScalarField::rand(rng));
    let logarithms = (0..count).map(|i| first + step * G::ScalarField::from(i as u64));
    let step = G::generator() * step;
    let points = std::iter::successors(Some(G::generator() * first), |&point| Some(point + step));
    (points.take(count).collect(), logarithms.collect())
}

pub fn sum<G: Points>(points: &[G], scalars: &[G::ScalarField]) -> G {
    points.iter().zip(scalars).map(|(&point, scalar)| point * scalar).sum()
}

fn uniform<F: PrimeField>(count: usize, rng: &mut impl Rng) -> Vec<F> {
    (0..count).map(|_| F::rand(rng)).collect()
}

/// Returns scalars that `windows` windows of the benches can hold.
fn short<F: PrimeField>(count: usize, windows: usize, rng: &mut impl Rng) -> Vec<F> {
    (0..count).map(|_| F::from(rng.gen_range(0..1u64 << (windows * WINDOW - 1)))).collect()
}

/// Computes one round with one task per scalar vector.
fn compute<G: Points>(
    machine: &mut Gypsophila,
    window: usize,
    windows: usize,
    points: &[G],
    tasks: &[Vec<G::ScalarField>],
) {
    let indexes: Vec<_> = tasks.iter().map(|scalars| indexes(scalars, window, windows)).collect();
    machine.compute(G::encode(points), &indexes, windows).unwrap();
}

fn check<G: Points>(what: &str, machine: &mut Gypsophila, expected: &[G]) {
    assert_eq!(machine.sums.len(), expected.len());
    for (task, (&sum, (found, last))) in expected.iter().zip(&machine.sums).enumerate() {
        let judged = G::judge(found, sum);
        assert!(judged.is_ok(), "{what}, task {task}: {judged:?}");
        assert_eq!(*last, task + 1 == expected.len(), "{what}, task {task}");
    }
    assert_eq!(machine.read(CONTROL).unwrap(), DONE, "{what}");
    assert!(!machine.bench().failed(), "{what}: an assertion of the RTL failed");
}

fn check_short<G: Points>(what: &str, machine: &mut Gypsophila, points: &[G], tasks: &[Vec<G::ScalarField>]) {
    compute(machine, WINDOW, 3, points, tasks);
    let expected: Vec<G> = tasks.iter().map(|scalars| sum(points, scalars)).collect();
    check(what, machine, &expected);
}

/// Returns the cycle model's report for the same hardware.
fn model<G: Points>(machine: &mut Gypsophila, tasks: &[Vec<G::ScalarField>]) -> Report {
    let limbs = |scalar: &G::ScalarField| -> [u64; 4] { scalar.into_bigint().as_ref().try_into().unwrap() };
    let scalars: Vec<Vec<_>> = tasks.iter().map(|task| task.iter().map(limbs).collect()).collect();
    let scalars: Vec<&[_]> = scalars.iter().map(Vec::as_slice).collect();
    let parameters = machine.model().unwrap();
    parameters
        .simulate(&vec![(); scalars[0].len()], &scalars, &Control::new(None, None, None))
        .unwrap()
        .report
}

/// Checks that all counters equal the cycle model's.
fn check_counters(machine: &mut Gypsophila, report: &Report, tasks: usize) {
    let phase = |i: usize| report.phases[i].cycles;
    let global = [
        ("cycles", 0x20, report.cycles),
        ("classifying", 0x28, phase(0)),
        ("draining", 0x2c, phase(1)),
        ("reading", 0x30, phase(2)),
        ("waiting", 0x34, phase(3)),
        ("stalls", 0x38, report.counters["channel_stall_cycles"]),
        ("cycles without a point", 0x3c, 0),
        ("additions of the aggregation", 0x40, report.counters["aggregation_additions"]),
    ];
    let found: Vec<_> =
        global.iter().map(|&(name, address, _)| (name, u64::from(machine.read(address).unwrap()))).collect();
    let expected: Vec<_> = global.iter().map(|&(name, _, expected)| (name, expected)).collect();
    assert_eq!(found, expected);
    let names = [
        "additions",
        "collisions",
        "blocked_cycles",
        "adder_bubble_cycles",
        "starved_cycles",
        "waiting_cycles",
    ];
    for (word, name) in names.into_iter().enumerate() {
        let total: u64 = (0..tasks).map(|pe| u64::from(machine.element(pe, word as u32).unwrap())).sum();
        assert_eq!((name, total), (name, report.counters[name]));
    }
    for (i, fifo) in report.fifos.iter().enumerate() {
        let most = (0..tasks).map(|pe| u64::from(machine.element(pe, 6 + i as u32).unwrap())).max();
        assert_eq!((fifo.name, most), (fifo.name, Some(fifo.high_water)));
    }
}

/// Checks a whole sum for each element, with full scalars, and all counters.
fn whole<G: Points>(name: &str, window: usize, pes: usize, adders: usize, count: usize) {
    let mut rng = random();
    let (points, logarithms) = progression::<G>(count, &mut rng);
    let tasks: Vec<Vec<_>> = (0..pes).map(|_| uniform(count, &mut rng)).collect();
    let windows = G::CURVE.scalar_bits() as usize / window + 1;
    let mut machine = Gypsophila::new(name).unwrap();
    assert_eq!(machine.read(SHAPE).unwrap() & 0xff_ffff, (pes | adders << 8 | window << 16) as u32);
    compute(&mut machine, window, windows, &points, &tasks);
    let expected: Vec<G> = tasks
        .iter()
        .map(|scalars| {
            let logarithm: G::ScalarField = scalars.iter().zip(&logarithms).map(|(&s, &l)| s * l).sum();
            G::generator() * logarithm
        })
        .collect();
    check(name, &mut machine, &expected);
    let report = model::<G>(&mut machine, &tasks);
    println!("{name}: {} cycles, {:?}", report.cycles, report.counters);
    check_counters(&mut machine, &report, pes);
}

#[test]
fn one_element() {
    whole::<G1TEProjective>("gypsophila_1", WINDOW, 1, 1, 256);
}

#[test]
fn two_elements() {
    whole::<G1TEProjective>("gypsophila_2", WINDOW, 2, 1, 64);
}

#[test]
fn four_elements() {
    whole::<G1TEProjective>("gypsophila_4", WINDOW, 4, 2, 64);
}

#[test]
fn sixteen_elements() {
    let mut rng = random();
    let points: Vec<_> = (0..40).map(|_| G1TEProjective::rand(&mut rng)).collect();
    let tasks: Vec<_> = (0..16).map(|_| short(40, 3, &mut rng)).collect();
    check_short("sixteen", &mut Gypsophila::new("gypsophila_16").unwrap(), &points, &tasks);
}

#[test]
fn bn254() {
    whole::<G1Projective>("gypsophila_bn254", WINDOW, 2, 1, 64);
}

/// Uses the multipliers as they are built.
#[test]
#[ignore = "takes minutes: make test-long"]
fn true_rtl() {
    let mut rng = random();
    let mut machine = Gypsophila::new("gypsophila_rtl").unwrap();
    let points: Vec<_> = (0..40).map(|_| G1TEProjective::rand(&mut rng)).collect();
    let tasks = [short(40, 2, &mut rng)];
    compute(&mut machine, WINDOW, 2, &points, &tasks);
    check("true RTL", &mut machine, &[sum(&points, &tasks[0])]);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn true_rtl_2_12() {
    whole::<G1TEProjective>("gypsophila_rtl", WINDOW, 1, 1, 1 << 12);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn one_element_2_16() {
    whole::<G1TEProjective>("gypsophila_1", WINDOW, 1, 1, 1 << 16);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn sixteen_elements_2_12() {
    whole::<G1TEProjective>("gypsophila_16", WINDOW, 16, 8, 1 << 12);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn sixteen_elements_2_16() {
    whole::<G1TEProjective>("gypsophila_16", WINDOW, 16, 8, 1 << 16);
}

/// More buckets than in the other benches, and four elements for each shared adder.
#[test]
#[ignore = "takes minutes: make test-long"]
fn sixteen_elements_with_wide_windows() {
    whole::<G1TEProjective>("gypsophila_16_6", 6, 16, 4, 1 << 10);
}

/// Name of a case, points, and two elements' scalars.
type Case<G, F> = (&'static str, Vec<G>, [Vec<F>; 2]);

/// Checks all kinds of scalars and points, with and without pauses on every stream.
fn corners<G: Points>(name: &str) {
    let mut rng = random();
    let mut machine = Gypsophila::new(name).unwrap();
    let p = G::generator();
    let random: Vec<G> = (0..60).map(|_| G::rand(&mut rng)).collect();
    let scalar = |s: u64| G::ScalarField::from(s);
    let mut mixed = random.clone();
    mixed[3] = mixed[4];
    mixed[5] = -mixed[6];
    mixed[7] = G::zero();
    mixed[50] = G::zero();
    let uniform = short::<G::ScalarField>(60, 3, &mut rng);
    let cases: Vec<Case<G, G::ScalarField>> = vec![
        ("nothing", vec![], [vec![], vec![]]),
        ("one point", vec![p], [vec![scalar(1)], vec![scalar(2047)]]),
        ("two points", vec![p, random[0]], [vec![scalar(0), scalar(8)], vec![scalar(7), scalar(9)]]),
        ("equal scalars", random.clone(), [vec![scalar(0x777); 60], vec![scalar(8); 60]]),
        ("zeros beside uniform ones", mixed.clone(), [vec![scalar(0); 60], uniform.clone()]),
        ("uniform ones beside zeros", mixed.clone(), [uniform.clone(), vec![scalar(0); 60]]),
        ("all zeros", random.clone(), [vec![scalar(0); 60], vec![scalar(0); 60]]),
        ("equal points", vec![p; 40], [uniform[..40].to_vec(), vec![scalar(1); 40]]),
        (
            "inverse points",
            [p, -p].repeat(20),
            [vec![scalar(5); 40], (0..40).map(|i| scalar(3 + i % 2)).collect()],
        ),
        ("infinity", vec![G::zero(); 40], [uniform[..40].to_vec(), vec![scalar(1); 40]]),
        ("mixed", mixed, [short(60, 3, &mut rng), uniform]),
    ];
    for (what, points, tasks) in cases {
        for pace in [1.0, 0.4] {
            machine.pace = pace;
            check_short(what, &mut machine, &points, &tasks);
        }
    }
    // Fewer tasks than elements.
    machine.pace = 1.0;
    let tasks = [short(60, 3, &mut rng)];
    check_short("one task", &mut machine, &random, &tasks);
}

#[test]
fn corner_cases() {
    corners::<G1TEProjective>("gypsophila_2");
}

#[test]
fn corner_cases_of_bn254() {
    corners::<G1Projective>("gypsophila_bn254");
}

/// After a reset in flight, by the wire or by the register, nothing from before remains.
#[test]
fn resets() {
    type G = G1TEProjective;
    let mut rng = random();
    let mut machine = Gypsophila::new("gypsophila_2").unwrap();
    let points: Vec<G> = (0..40).map(|_| G::rand(&mut rng)).collect();
    for (i, cycles) in [3, 100, 700, 3000, 9000].into_iter().enumerate() {
        let tasks = [short(40, 3, &mut rng), short(40, 3, &mut rng)];
        let indexes: Vec<_> = tasks.iter().map(|scalars| indexes(scalars, WINDOW, 3)).collect();
        machine.load(G::encode(&points), &indexes, 3);
        machine.start(points.len(), 3, 2).unwrap();
        machine.idle(cycles);
        assert_eq!(machine.read(CONTROL).unwrap(), BUSY);
        if i % 2 == 0 {
            machine.reset();
            assert_eq!(machine.read(SIZE).unwrap(), 0);
        } else {
            machine.restart().unwrap();
        }
        assert_eq!(machine.read(CONTROL).unwrap(), 0);
        check_short("after a reset", &mut machine, &points, &tasks);
    }
}

/// The machine refuses or reports errors of the host.
#[test]
fn refusals() {
    type G = G1TEProjective;
    let mut rng = random();
    let mut machine = Gypsophila::new("gypsophila_2").unwrap();
    for (windows, tasks) in [(0, 1), (256, 1), (3, 0), (3, 3)] {
        machine.start(5, windows, tasks).unwrap();
        assert_eq!(machine.read(CONTROL).unwrap(), REFUSED, "{windows} windows, {tasks} tasks");
    }
    assert_eq!(machine.write_bytes(SIZE, 7, 1), Err(Fault::Register { address: SIZE }));
    // Registers that do not exist, or are read-only.
    for address in [0x014, 0x01c, 0x044, 0x0fc, 0x124, 0x13c, 0x7fc, 0x2] {
        assert_eq!(machine.read(address), Err(Fault::Register { address }));
    }
    for address in [SHAPE, CYCLES, 0x014, 0x100, 0x7fc] {
        assert_eq!(machine.write(address, 1), Err(Fault::Register { address }));
    }
    assert_eq!(machine.read(SIZE).unwrap(), 5);

    let points: Vec<G> = (0..20).map(|_| G::rand(&mut rng)).collect();
    let tasks = [short(20, 3, &mut rng), short(20, 3, &mut rng)];
    let good: Vec<_> = tasks.iter().map(|scalars| indexes(scalars, WINDOW, 3)).collect();
    // Packets of another size than announced, and an index of the top window beyond its buckets.
    let mut beyond = good.clone();
    beyond[1][7] = 9;
    for (size, indexes) in [(19, &good), (20, &beyond)] {
        machine.load(G::encode(&points), indexes, 3);
        machine.start(size, 3, 2).unwrap();
        machine.idle(2000);
        assert_eq!(machine.read(CONTROL).unwrap() & MISFRAMED, MISFRAMED, "{size} points");
        machine.restart().unwrap();
        assert_eq!(machine.read(CONTROL).unwrap(), 0);
        check_short("after an error", &mut machine, &points, &tasks);
    }
    // Writes during the work have no effect.
    machine.load(G::encode(&points), &good, 3);
    machine.start(20, 3, 2).unwrap();
    machine.write(SIZE, 3).unwrap();
    machine.write(CONTROL, START).unwrap();
    machine.finish(2, 1_000_000).unwrap();
    let expected: Vec<G> = tasks.iter().map(|scalars| sum(&points, scalars)).collect();
    check("after writes on the way", &mut machine, &expected);
    assert_eq!(machine.read(SIZE).unwrap(), 20);
    assert_eq!([WINDOWS, TASKS].map(|address| machine.read(address).unwrap()), [3, 2]);
    assert!(machine.read(CYCLES).unwrap() > 0);
    assert_eq!(machine.read(CYCLES + 4).unwrap(), 0);
}

/// A host that withdraws or changes an offered word fails an assertion, on every stream and every channel of the bus.
#[test]
fn a_changed_offer_fails_an_assertion() {
    type Host = fn(&mut Gypsophila, u32);
    // Words that are offered but not taken yet: a point before a start, an index without room, a request in its first
    // cycle.
    let offers: [(&str, Host); 5] = [
        ("a point", |machine, value| {
            let scalar = ark_bls12_377::Fr::from(value);
            machine.load(G1TEProjective::encode(&[G1TEProjective::generator() * scalar]), &[], 1);
            machine.idle(1);
        }),
        ("an index", |machine, value| {
            machine.load(Vec::new(), &[vec![], vec![value; 100]], 1);
            machine.idle(50);
        }),
        ("a read", |machine, value| {
            machine.access(Request::Read { address: 4 * value });
        }),
        ("a write's address", |machine, value| {
            machine.access(Request::Write { address: 4 * value, data: 7, strobes: 15 });
        }),
        ("a write's data", |machine, value| {
            machine.access(Request::Write { address: SIZE, data: value, strobes: 15 });
        }),
    ];
    for (what, offer) in offers {
        for withdrawn in [false, true] {
            let mut machine = Gypsophila::new("gypsophila_2").unwrap();
            offer(&mut machine, 1);
            assert!(!machine.bench().failed(), "{what}");
            if withdrawn {
                machine.load(Vec::new(), &[], 0);
                machine.idle(1);
            } else {
                offer(&mut machine, 2);
            }
            assert!(machine.bench().failed(), "{what}");
        }
    }
}
