//! Sums on single elements over the curves, by the functions of [`CoordinateField`], against arkworks.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ed_on_bls12_381::JubjubConfig;
use ark_ff::{PrimeField, UniformRand, Zero};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::{endomorphism, known, projective, to_coordinates, CoordinateField, Curve};
use crate::Backend;

/// Single elements in plain code, and in this CPU's assembly.
fn backends() -> [Backend; 2] {
    [Backend::Portable, Backend::detect()]
}

/// Few small multiples of a point, so that sums and points meet, are opposite, and vanish.
fn sums_by_position<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(1);
    for bits in 0..200 {
        let bits = bits % 7;
        let multiple = |k: i64| match k {
            0.. => Projective::<C>::from(C::GENERATOR) * C::ScalarField::from(k as u64),
            _ => -(Projective::<C>::from(C::GENERATOR) * C::ScalarField::from(k.unsigned_abs())),
        };
        let points: Vec<Vec<Affine<C>>> = (0..bits)
            .map(|_| {
                (0..rng.gen_range(0..4)).map(|_| multiple(rng.gen_range(-2..=2)).into_affine()).collect()
            })
            .collect();
        let expected = (0..bits as usize).rev().fold(Projective::<C>::zero(), |sum, position| {
            sum + sum + points[position].iter().map(|&point| Projective::from(point)).sum::<Projective<C>>()
        });
        let points_at = |position: u32| {
            points[position as usize].iter().filter(|point| !point.is_zero()).map(to_coordinates).collect()
        };
        for backend in backends() {
            let sum = C::BaseField::horner(backend, C::COEFF_A, bits, &points_at);
            assert_eq!(projective::<C>(&sum), expected, "{backend}");
        }
    }
}

#[test]
fn horner_meets_exceptions() {
    sums_by_position::<ark_bn254::g1::Config>();
    sums_by_position::<ark_bls12_381::g2::Config>();
    // A coefficient a that is not 0.
    sums_by_position::<ark_ed_on_bls12_381::JubjubConfig>();
}

fn straus<C: Curve>(backend: Backend, points: &[Affine<C>], digits: &[Vec<i8>]) -> Option<Projective<C>> {
    let quarters = known::<C>().and_then(|known| known.quarters.as_ref());
    let map = || endomorphism::<C>().map(|endomorphism| endomorphism.map());
    let map = quarters.map(|quarters| quarters.map).or_else(map);
    let points: Vec<_> = points.iter().map(to_coordinates).collect();
    let sum = C::BaseField::straus(backend, C::COEFF_A, map, &points, digits)?;
    Some(projective(&sum))
}

/// Equal, opposite and different points; digits of 0, and as large as they come.
fn sums_of_few<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(1);
    for n in 0..6 {
        for positions in [0, 1, 2, 9] {
            let mut points: Vec<Affine<C>> = (0..n).map(|_| Affine::rand(rng)).collect();
            if n > 2 {
                (points[1], points[2]) = (points[0], -points[0]);
            }
            let digit = |rng: &mut StdRng| [0, 0, 1, -1, 15, -15, 7][rng.gen_range(0..7)];
            let digits: Vec<Vec<i8>> = (0..n).map(|_| (0..positions).map(|_| digit(rng)).collect()).collect();
            let expected = (0..positions).rev().fold(Projective::<C>::zero(), |sum, position| {
                let multiple = |(point, digits): (&Affine<C>, &Vec<i8>)| {
                    *point * C::ScalarField::from(i64::from(digits[position]))
                };
                sum + sum + points.iter().zip(&digits).map(multiple).sum::<Projective<C>>()
            });
            for backend in backends() {
                assert_eq!(straus(backend, &points, &digits), Some(expected), "{backend}");
            }
        }
    }
}

#[test]
fn straus_meets_exceptions() {
    sums_of_few::<ark_bn254::g1::Config>();
    sums_of_few::<ark_bls12_381::g2::Config>();
    // The extension by a root of -5.
    sums_of_few::<ark_bls12_377::g2::Config>();
    // A coefficient a that is not 0, and a prime whose words have no room for two products.
    sums_of_few::<JubjubConfig>();
    sums_of_few::<ark_bw6_761::g1::Config>();
}

#[test]
fn images_follow_the_points() {
    let rng = &mut StdRng::seed_from_u64(1);
    let point = ark_bn254::G1Affine::rand(rng);
    let beta = endomorphism::<ark_bn254::g1::Config>().expect("BN254 has one").beta;
    let image = ark_bn254::G1Affine::new(point.x * beta, point.y);
    let twist = ark_bls12_381::G2Affine::rand(rng);
    let known = known::<ark_bls12_381::g2::Config>().expect("known properties");
    let [x, y] = known.membership.as_ref().expect("a test").image(&twist.x, &twist.y);
    let psi = ark_bls12_381::G2Affine::new(x, y);
    let [x, y] = known.membership.as_ref().expect("a test").image(&psi.x, &psi.y);
    let psi_squared = ark_bls12_381::G2Affine::new(x, y);
    for backend in backends() {
        let sum = straus(backend, &[point], &[vec![0], vec![3]]);
        assert_eq!(sum, Some(image * ark_bn254::Fr::from(3)), "{backend}");
        let sum = straus(backend, &[twist], &[vec![1], vec![3], vec![0, -5]]);
        let expected = twist + psi * ark_bls12_381::Fr::from(3) - psi_squared * ark_bls12_381::Fr::from(10);
        assert_eq!(sum, Some(expected), "{backend}");
    }
}

#[test]
fn points_of_small_order_are_refused() {
    let jubjub = |point: Affine<JubjubConfig>| straus(Backend::detect(), &[point], &[vec![1]]);
    let rng = &mut StdRng::seed_from_u64(1);
    // A point times the prime order has an order of 1, 2, 4 or 8.
    let torsion = std::iter::repeat_with(|| ark_bls12_381::Fr::rand(rng))
        .filter_map(|x| Affine::<JubjubConfig>::get_point_from_x_unchecked(x, false))
        .map(|point| point.mul_bigint(ark_ed_on_bls12_381::Fr::MODULUS))
        .find(|point| !(*point * ark_ed_on_bls12_381::Fr::from(4)).is_zero())
        .expect("half of the points");
    let of_order_2 = (torsion * ark_ed_on_bls12_381::Fr::from(4)).into_affine();
    assert_eq!(jubjub(of_order_2), None);
    assert!(jubjub(torsion.into_affine()).is_some());
    let of_order_3 = ark_bls12_381::G1Affine::new_unchecked(Zero::zero(), ark_bls12_381::Fq::from(2));
    assert_eq!(straus(Backend::detect(), &[of_order_3], &[vec![1]]), None);
}
