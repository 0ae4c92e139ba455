//! Sums over many groups of points at once.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{Field, One, Zero};
use bucketwheel::{Curve, Error, FixedBase, Groups};
use rand::rngs::StdRng;
use rand::SeedableRng;

use crate::cases::edge_cases;
use crate::inputs::{backends_of, expected, points, uniform};

fn group_sums<C: Curve>(points: &[Affine<C>], scalars: &[C::ScalarField], len: usize) -> Vec<Projective<C>> {
    points.chunks(len).zip(scalars.chunks(len)).map(|(points, scalars)| expected(points, scalars)).collect()
}

/// Covers windows and sparse digits, full and partly filled lanes, each width, and one thread and all threads.
fn sums_are_those_of_arkworks<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(31);
    for backend in backends_of::<C>() {
        for (len, groups) in [(1, 1), (1, 19), (2, 8), (7, 3), (8, 9), (30, 2)] {
            for case in edge_cases::<C>(len * groups, 8, rng) {
                let sums = group_sums(&case.points, &case.scalars, len);
                for width in [1, 3, 7] {
                    let prepared =
                        Groups::with_backend(&case.points, len, width, backend).expect("supported");
                    assert_eq!(prepared.len(), groups);
                    for threads in [Some(1), None] {
                        let found = prepared.sums(&case.scalars, threads).expect("a scalar for each point");
                        assert!(found == sums, "{}: {groups} of {len}, {width}, {backend}", case.what);
                    }
                }
            }
        }
    }
}

fn products_are_those_of_arkworks<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(34);
    let point = points::<C>(1, rng)[0];
    let (zero, one) = (C::ScalarField::zero(), C::ScalarField::one());
    let half = -C::ScalarField::from(2u64).inverse().expect("the order is odd");
    let mut scalars = vec![zero, one, -one, half, half + one];
    scalars.extend((2..30u64).flat_map(|i| [C::ScalarField::from(i), -C::ScalarField::from(i)]));
    scalars.extend((0..250u64).map(|i| C::ScalarField::from(2u64).pow([i])));
    scalars.extend(uniform::<C::ScalarField>(4000, rng));
    let products: Vec<Affine<C>> =
        Projective::normalize_batch(&scalars.iter().map(|scalar| point * scalar).collect::<Vec<_>>());
    for backend in backends_of::<C>() {
        for width in [1, 4, 7] {
            let base = FixedBase::with_backend(&point, width, backend).expect("supported");
            assert!(base.products(&scalars, None) == Ok(products.clone()), "{width}, {backend}");
            assert_eq!(
                base.products(&scalars[2..4], Some(1)),
                Ok(products[2..4].to_vec()),
                "{width}, {backend}"
            );
            assert_eq!(base.products(&[], None), Ok(vec![]));
        }
    }
    let infinity = FixedBase::new(&Affine::<C>::zero(), 5).expect("infinity");
    assert_eq!(infinity.products(&scalars[..2], None), Ok(vec![Affine::zero(); 2]));
}

#[test]
fn products_with_an_endomorphism() {
    products_are_those_of_arkworks::<ark_bn254::g1::Config>();
}

#[test]
#[cfg(feature = "bls12-381")]
fn products_in_a_quadratic_field() {
    products_are_those_of_arkworks::<ark_bls12_381::g2::Config>();
}

#[test]
#[cfg(feature = "edwards-curves")]
fn products_without_an_endomorphism() {
    products_are_those_of_arkworks::<ark_ed_on_bls12_381::JubjubConfig>();
}

#[test]
fn with_an_endomorphism() {
    sums_are_those_of_arkworks::<ark_bn254::g1::Config>();
}

#[test]
#[cfg(feature = "bls12-381")]
fn in_a_quadratic_field() {
    sums_are_those_of_arkworks::<ark_bls12_381::g2::Config>();
}

#[test]
#[cfg(feature = "edwards-curves")]
fn without_an_endomorphism() {
    sums_are_those_of_arkworks::<ark_ed_on_bls12_381::JubjubConfig>();
}

#[test]
fn every_width_has_the_same_sums() {
    let rng = &mut StdRng::seed_from_u64(32);
    let (points, scalars) = (points::<ark_bn254::g1::Config>(60, rng), uniform(60, rng));
    for len in [3, 20] {
        let sums = group_sums(&points, &scalars, len);
        for width in Groups::<ark_bn254::g1::Config>::WIDTHS {
            let prepared = Groups::new(&points, len, width).expect("few points");
            assert_eq!(prepared.sums(&scalars, None), Ok(sums.clone()), "width {width}");
        }
    }
}

#[test]
fn many_vectors_of_scalars_over_the_same_points() {
    let rng = &mut StdRng::seed_from_u64(33);
    let points = points::<ark_bn254::g1::Config>(12, rng);
    // More sums than are made at a time.
    let scalars = uniform(12 * 150, rng);
    for len in [2, 12] {
        let sums = group_sums(&points.repeat(150), &scalars, len);
        let prepared = Groups::new(&points, len, 4).expect("few points");
        assert_eq!(prepared.sums(&scalars, None), Ok(sums), "groups of {len}");
    }
}

#[test]
fn wrong_numbers_of_scalars_are_refused() {
    let none = Groups::<ark_bn254::g1::Config>::new(&[], 5, 4).expect("no points");
    assert!(none.is_empty() && none.bytes() == 0);
    assert_eq!(none.sums(&[], None), Ok(vec![]));
    assert_eq!(none.sums(&[1.into()], None), Err(Error::Length { points: 0, scalars: 1 }));
    let one = Groups::new(&[ark_bn254::G1Affine::identity()], 1, 4).expect("infinity");
    assert_eq!(one.sums(&[], None), Ok(vec![]));
    let two = Groups::new(&[ark_bn254::G1Affine::identity(); 2], 2, 4).expect("infinity");
    assert_eq!(two.sums(&[1.into(); 3], None), Err(Error::Length { points: 2, scalars: 3 }));
}
