//! Whole sums on simulated reclaimers, against arkworks, and their counters against the cycle model's.

use ark_ec::short_weierstrass::{Projective, SWCurveConfig};
use ark_ec::{CurveConfig, CurveGroup, VariableBaseMSM};
use ark_ff::{BigInt, PrimeField, UniformRand};
use bucketwheel::Control;
use bucketwheel_hardware::{config, Model, Scalar};
use bucketwheel_rtl::reclaimer::{Reclaimer, CONTROL};
use bucketwheel_rtl::{Bus, Fault};
use rand::Rng;

use crate::numbers::random;

/// Compares a sum with arkworks', and all counters with the cycle model's.
fn check<C: SWCurveConfig<BaseField: PrimeField, ScalarField: PrimeField<BigInt = BigInt<4>>>>(
    what: &str,
    machine: &mut Reclaimer,
    scalars: &[C::ScalarField],
    points: &[Projective<C>],
) {
    let model = machine.model().unwrap();
    let integers: Vec<Scalar> = scalars.iter().map(|scalar| scalar.into_bigint().0).collect();
    let found = machine.msm(&integers, points, model.windows().unwrap());
    let bases = Projective::<C>::normalize_batch(points);
    let expected = Projective::<C>::msm_unchecked(&bases, scalars);
    assert!(!machine.bench().failed(), "{what}: an assertion of the RTL failed");
    let counts = machine.counts().unwrap();
    let outcome = model.simulate(points, &[&integers], &Control::new(None, None, None)).unwrap();
    assert_eq!(outcome.sums[0], expected, "{what}: the model's sum");
    let report = model.report(points.len(), 1, &counts);
    println!("{what}: {counts:?}");
    assert_eq!(
        serde_json::to_value(&report).unwrap(),
        serde_json::to_value(&outcome.report).unwrap(),
        "{what}: counters"
    );
    assert_eq!(found.as_ref(), Ok(&expected), "{what}");
}

/// Returns points with known discrete logarithms, so that large sums are checked quickly.
pub fn progression<C: SWCurveConfig>(count: usize, rng: &mut impl Rng) -> Vec<Projective<C>> {
    let (first, step) = (Projective::<C>::rand(rng), Projective::<C>::rand(rng));
    std::iter::successors(Some(first), |&point| Some(point + step)).take(count).collect()
}

fn uniform<F: PrimeField>(count: usize, rng: &mut impl Rng) -> Vec<F> {
    (0..count).map(|_| F::rand(rng)).collect()
}

/// Scalars and points of a sum.
type Sum<C> = (Vec<<C as CurveConfig>::ScalarField>, Vec<Projective<C>>);

/// Returns points with equal and opposite neighbours, and infinity among them.
pub fn exceptional<C: SWCurveConfig>(distinct: &[Projective<C>]) -> Vec<Projective<C>> {
    let exception = |(i, &point): (usize, &Projective<C>)| match i % 7 {
        1 => distinct[i - 1],
        3 => -distinct[i - 1],
        5 => Projective::default(),
        _ => point,
    };
    distinct.iter().enumerate().map(exception).collect()
}

/// Returns hostile inputs: no point, one point, equal and opposite points, infinity; scalars that are equal, zero, largest, or
/// alternate and cancel.
fn hostile<C: SWCurveConfig>(count: usize, rng: &mut impl Rng) -> Vec<Sum<C>> {
    let distinct = progression::<C>(count, rng);
    let (one, zero) = (distinct[0], Projective::<C>::default());
    let mixed = exceptional(&distinct);
    let equal = C::ScalarField::rand(rng);
    let alternating: Vec<_> = (0..count).map(|i| if i % 2 == 0 { equal } else { -equal }).collect();
    let largest = -C::ScalarField::from(1u64);
    vec![
        (vec![], vec![]),
        (vec![largest], vec![one]),
        (uniform(count, rng), mixed.clone()),
        (vec![equal; count], mixed),
        (vec![equal; count], vec![one; count]),
        (alternating, vec![one; count]),
        (uniform(count, rng), vec![zero; count]),
        (vec![C::ScalarField::from(0u64); count], distinct.clone()),
        (vec![largest; count], distinct),
    ]
}

/// Runs some of the cases one after the other, without a reset.
fn check_hostile<C: SWCurveConfig<BaseField: PrimeField, ScalarField: PrimeField<BigInt = BigInt<4>>>>(
    bench: &str,
    cases: impl Fn(usize) -> bool,
) {
    let mut machine = Reclaimer::new(bench).unwrap();
    for (case, (scalars, points)) in hostile::<C>(12, &mut random()).into_iter().enumerate() {
        if cases(case) {
            check(&format!("{bench}, case {case}"), &mut machine, &scalars, &points);
        }
    }
}

/// Equal, opposite and absent points with uniform and with equal scalars, and scalars that alternate.
#[test]
fn reclaimer_hostile() {
    check_hostile::<config::Bls12_377::g1::Config>("reclaimer", |case| matches!(case, 2 | 3 | 5));
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn reclaimer_hostile_all() {
    check_hostile::<config::Bls12_377::g1::Config>("reclaimer", |_| true);
    check_hostile::<config::Bn254::g1::Config>("reclaimer_bn254", |_| true);
}

fn check_uniform<C: SWCurveConfig<BaseField: PrimeField, ScalarField: PrimeField<BigInt = BigInt<4>>>>(
    bench: &str,
    count: usize,
) {
    let mut rng = random();
    let (scalars, points) = (uniform(count, &mut rng), progression::<C>(count, &mut rng));
    check(bench, &mut Reclaimer::new(bench).unwrap(), &scalars, &points);
}

#[test]
fn reclaimer_1024() {
    check_uniform::<config::Bls12_377::g1::Config>("reclaimer", 1 << 10);
    check_uniform::<config::Bls12_381::g1::Config>("reclaimer_381", 1 << 10);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn reclaimer_65536() {
    check_uniform::<config::Bn254::g1::Config>("reclaimer_bn254", 1 << 16);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn reclaimer_1024_true_rtl() {
    check_uniform::<config::Bn254::g1::Config>("reclaimer_rtl", 1 << 10);
}

/// The host makes both streams wait: the sum stays the same.
#[test]
fn reclaimer_waits() {
    type C = config::Bls12_377::g1::Config;
    let mut rng = random();
    let mut machine = Reclaimer::new("reclaimer").unwrap();
    let (scalars, points) =
        (uniform::<<C as CurveConfig>::ScalarField>(30, &mut rng), progression::<C>(30, &mut rng));
    let integers: Vec<Scalar> = scalars.iter().map(|scalar| scalar.into_bigint().0).collect();
    let bases = Projective::<C>::normalize_batch(&points);
    let expected = Projective::<C>::msm_unchecked(&bases, &scalars);
    let windows = machine.model().unwrap().windows().unwrap();
    machine.pace = 0.1;
    assert_eq!(machine.msm(&integers, &points, windows), Ok(expected));
    let starved = machine.counts().unwrap().starved_cycles;
    assert!(starved > 1000, "{starved}");
    assert!(!machine.bench().failed());
}

/// A reset in every phase, by the host and by the wire: nothing from before comes out.
#[test]
fn reclaimer_restarts() {
    type C = config::Bls12_377::g1::Config;
    let mut rng = random();
    let mut machine = Reclaimer::new("reclaimer").unwrap();
    let (scalars, points) =
        (uniform::<<C as CurveConfig>::ScalarField>(30, &mut rng), progression::<C>(30, &mut rng));
    let integers: Vec<Scalar> = scalars.iter().map(|scalar| scalar.into_bigint().0).collect();
    let small: Vec<Scalar> = (1..=30).map(|i| [i % 3, 0, 0, 0]).collect();
    let windows = machine.model().unwrap().windows().unwrap();
    for (after, wire) in [(3, true), (20, false), (1500, true), (4000, false), (9000, true), (20_000, false)]
    {
        machine.begin(&integers, &points, windows).unwrap();
        machine.idle(after);
        if wire {
            machine.reset();
        } else {
            machine.restart().unwrap();
        }
        assert_eq!(machine.read(CONTROL).unwrap(), 0, "{after}");
        let bases = Projective::<C>::normalize_batch(&points);
        let expected = Projective::<C>::msm_bigint(
            &bases,
            &small.iter().map(|&limbs| BigInt(limbs)).collect::<Vec<_>>(),
        );
        assert_eq!(machine.msm(&small, &points, windows), Ok(expected), "{after}");
        assert!(!machine.bench().failed(), "{after}: an assertion of the RTL failed");
    }
}

#[test]
fn reclaimer_faults() {
    let mut machine = Reclaimer::new("reclaimer").unwrap();
    let beat = vec![0; 32];
    // Windows that the machine lacks.
    for windows in [0, 38, 256, 1 << 20] {
        let refused = machine.compute(vec![beat.clone()], windows);
        assert!(matches!(refused, Err(Fault::Refused { .. })), "{windows}: {refused:?}");
    }
    // The digit of a last window that has no bucket: windows of 7 bits have 64.
    let mut large = beat.clone();
    large[24] = 65;
    assert_eq!(machine.compute(vec![large.clone()], 1), Err(Fault::Misaligned { what: "points" }));
    large[24] = 64;
    assert_eq!(machine.compute(vec![large], 1), Ok(()));
    for address in [0x14, 0x190, 0xffc] {
        assert_eq!(machine.read(address), Err(Fault::Register { address }));
    }
    for address in [0xc, 0x100] {
        assert_eq!(machine.write(address, 1), Err(Fault::Register { address }));
    }
    assert!(!machine.bench().failed());
}
