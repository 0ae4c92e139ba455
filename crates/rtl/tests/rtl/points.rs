//! Batches of affine additions and their root against arkworks, at the times of the cycle model.

use std::collections::VecDeque;

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{Field, PrimeField, UniformRand, Zero};
use bucketwheel_hardware::reclaimer::Parameters;
use bucketwheel_hardware::{config, Curve};
use bucketwheel_rtl::{Bench, Inputs};
use num_bigint::BigUint;
use rand::Rng;

use crate::numbers::random;
use crate::pipeline::{pack, words};

/// Returns the coordinates in Montgomery form; infinity is (0, 0).
fn form<C: SWCurveConfig<BaseField: PrimeField>>(point: Affine<C>, word: u64) -> [BigUint; 2] {
    let (x, y) = point.xy().unwrap_or((C::BaseField::zero(), C::BaseField::zero()));
    [x, y].map(|coordinate| (coordinate * C::BaseField::from(2u32).pow([word])).into_bigint().into())
}

/// A sum that an adder gives in a cycle: the tag, and the sum.
struct Due<C: SWCurveConfig> {
    cycle: u64,
    tag: u32,
    sum: Affine<C>,
}

/// Gives pairs to both adders for this number of batches: distinct points, equal ones, opposite ones, infinity, in all places.
fn check_additions<C: SWCurveConfig<BaseField: PrimeField>>(bench: &str, curve: Curve, word: u64) {
    const BATCHES: u64 = 3;
    let model = Parameters { adders: 1, curve, ..Parameters::default() };
    let [batch, chains] = [model.batch, model.chains].map(u64::from);
    let first = model.latency().unwrap();
    // The cycles until the sum of a pair of this cycle: its batch leaves the last turn of places first.
    let leaves = |cycle: u64| {
        let place = cycle % batch;
        cycle - place + first + (batch / chains - 1 - place / chains) * chains + place % chains
    };
    let mut rng = random();
    let points: Vec<Affine<C>> =
        Projective::normalize_batch(&(0..40).map(|_| Projective::<C>::rand(&mut rng)).collect::<Vec<_>>());
    let name = bench;
    let mut bench = Bench::new(name);
    bench.cycle(Inputs { reset: true, ready: true, data: None });
    let mut due: [VecDeque<Due<C>>; 2] = Default::default();
    let mut squares: [Vec<u64>; 2] = Default::default();
    let mut found = 0;
    let mut cycle = 0;
    while cycle < BATCHES * batch || due.iter().any(|due| !due.is_empty()) {
        // One adder at a time; a place stays free now and then.
        let adder = rng.gen_range(0..2usize);
        let free = cycle >= BATCHES * batch || rng.gen_bool(0.1);
        let left = points[rng.gen_range(0..points.len())];
        let other = points[rng.gen_range(0..points.len())];
        let (left, right) = match rng.gen_range(0..12) {
            0 => (left, left),
            1 => (left, -left),
            2 => (Affine::zero(), other),
            3 => (left, Affine::zero()),
            4 => (Affine::zero(), Affine::zero()),
            _ => (left, other),
        };
        let tag: u32 = rng.gen();
        let [[left_x, left_y], [right_x, right_y]] = [form(left, word), form(right, word)];
        let input = pack(&[
            (&left_x, word),
            (&left_y, word),
            (&right_x, word),
            (&right_y, word),
            (&tag.into(), 32),
            (&adder.into(), 32),
        ]);
        let input = words(&input, 4 * word + 64);
        let outputs = bench.cycle(Inputs { reset: false, ready: true, data: (!free).then_some(&input) });
        // A square takes the place of the cycle in which it leaves.
        let again = squares[adder].contains(&cycle);
        assert!(free || outputs.ready != again, "{name}: cycle {cycle}");
        if !free && !again {
            let doubles = left == right && !left.is_zero();
            let leaves_first = leaves(cycle);
            let cycle = if doubles { leaves(leaves_first) } else { leaves_first };
            if doubles {
                squares[adder].push(leaves_first);
            }
            due[adder].push_back(Due { cycle, tag, sum: (left + right).into_affine() });
        }
        let data = outputs.data.expect("always");
        for (adder, half) in data.chunks(data.len() / 2).enumerate() {
            let place = due[adder].iter().position(|due| due.cycle == cycle);
            let wanted = place.and_then(|place| due[adder].remove(place));
            let limbs = word as usize / 32;
            assert_eq!(half[2 * limbs + 1] == 1, wanted.is_some(), "{name}: adder {adder}, cycle {cycle}");
            if let Some(Due { tag, sum, .. }) = wanted {
                let coordinates = [&half[..limbs], &half[limbs..2 * limbs]].map(BigUint::from_slice);
                assert_eq!(coordinates, form(sum, word), "{name}: adder {adder}, cycle {cycle}");
                assert_eq!(half[2 * limbs], tag, "{name}: adder {adder}, cycle {cycle}");
                found += 1;
            }
        }
        cycle += 1;
    }
    assert!(found > 2000, "{found}");
    assert!(!bench.failed(), "{name}: an assertion of the RTL failed");
}

#[test]
fn points_are_added_in_batches() {
    check_additions::<config::Bls12_377::g1::Config>("affine_377", Curve::Bls12_377, 384);
    check_additions::<config::Bls12_381::g1::Config>("affine_381", Curve::Bls12_381, 384);
    check_additions::<config::Bn254::g1::Config>("affine_254", Curve::Bn254, 256);
}
