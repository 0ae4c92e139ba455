//! Tests of points: they lie on the curve, they lie in the subgroup, and which y belongs to an x. All run in the lanes
//! of every backend, against arkworks and multiplication by the order.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AdditiveGroup, AffineRepr, CurveConfig, CurveGroup, PrimeGroup};
use ark_ff::{Field, PrimeField, UniformRand, Zero};
use ark_std::rand::{rngs::StdRng, SeedableRng};
use bucketwheel::{ordinates, BasesOptions, Check, Curve, Error};

use crate::inputs::backends_of;

/// Returns `[k] P` by doubling and adding alone: arkworks' own products may take shortcuts of the subgroup.
fn multiple<C: Curve>(point: Projective<C>, k: &[u64]) -> Projective<C> {
    let bits = k.iter().rev().flat_map(|word| (0..64).rev().map(move |i| word >> i & 1 == 1));
    bits.fold(Projective::zero(), |sum: Projective<C>, bit| {
        let double = sum + sum;
        if bit {
            double + point
        } else {
            double
        }
    })
}

fn in_subgroup<C: Curve>(point: Affine<C>) -> bool {
    multiple(point.into(), C::ScalarField::MODULUS.as_ref()).is_zero()
}

/// Returns a point of the curve, which is hardly ever in a subgroup.
fn random<C: Curve>(rng: &mut StdRng) -> Affine<C> {
    loop {
        let x = C::BaseField::rand(rng);
        if let Some(point) = Affine::get_point_from_x_unchecked(x, bool::rand(rng)) {
            return point;
        }
    }
}

/// Returns the prime divisors below 2^20 of a cofactor, and the remaining factor.
fn small_primes(cofactor: &[u64]) -> Vec<u64> {
    let mut rest: num_bigint::BigUint =
        cofactor.iter().rev().fold(Zero::zero(), |n: num_bigint::BigUint, &word| (n << 64u32) + word);
    let mut primes = Vec::new();
    for d in 2u64..1 << 20 {
        if (&rest % d).is_zero() {
            primes.push(d);
            while (&rest % d).is_zero() {
                rest /= d;
            }
        }
    }
    primes
}

/// Returns a point of prime order `l`, which divides the cofactor.
fn of_order<C: Curve>(l: u64, rng: &mut StdRng) -> Affine<C> {
    let mut rest: num_bigint::BigUint =
        C::COFACTOR.iter().rev().fold(Zero::zero(), |n: num_bigint::BigUint, &word| (n << 64u32) + word);
    while (&rest % l).is_zero() {
        rest /= l;
    }
    loop {
        let mut point = multiple(random::<C>(rng).into(), &rest.to_u64_digits());
        point = multiple(point, C::ScalarField::MODULUS.as_ref());
        if point.is_zero() {
            continue;
        }
        loop {
            let next = multiple(point, &[l]);
            if next.is_zero() {
                return point.into_affine();
            }
            point = next;
        }
    }
}

fn membership<C: Curve>(seed: u64) {
    let rng = &mut StdRng::seed_from_u64(seed);
    let inside: Vec<Affine<C>> = (0..40)
        .map(|_| (Projective::<C>::generator() * C::ScalarField::rand(rng)).into_affine())
        .chain([Affine::identity(), Affine::generator(), -Affine::<C>::generator()])
        .collect();
    let mut others: Vec<Affine<C>> = (0..12).map(|_| random(rng)).collect();
    for l in small_primes(C::COFACTOR) {
        let small = of_order::<C>(l, rng);
        // Points of small order, and of this order times r.
        others.extend([small, -small, (small + Affine::generator()).into_affine()]);
    }
    for backend in backends_of::<C>() {
        let verify =
            |points: &[Affine<C>], check| BasesOptions::new().backend(backend).check(check).verify(points);
        assert_eq!(verify(&inside, Check::Subgroup), Ok(()), "{backend}");
        assert_eq!(verify(&others, Check::Curve), Ok(()), "{backend}");
        for (i, &other) in others.iter().enumerate() {
            let expected = if in_subgroup(other) { Ok(()) } else { Err(Error::NotInSubgroup { index: 17 }) };
            let mut points = inside.clone();
            points[17] = other;
            // The second wrong point lies behind the first, which the error names.
            points[30] = other;
            assert_eq!(verify(&points, Check::Subgroup), expected, "{backend}, {i}: {other}");
            points[5] = Affine::new_unchecked(C::GENERATOR.x, C::GENERATOR.y.double());
            assert_eq!(verify(&points, Check::Subgroup), Err(Error::NotOnCurve { index: 5 }));
            assert_eq!(verify(&points, Check::Curve), Err(Error::NotOnCurve { index: 5 }));
            assert_eq!(verify(&points, Check::None), Ok(()));
        }
    }
}

#[test]
fn subgroups() {
    membership::<ark_bls12_381::g1::Config>(1);
    membership::<ark_bls12_377::g1::Config>(2);
    membership::<ark_bn254::g1::Config>(3);
    membership::<ark_bls12_381::g2::Config>(4);
    membership::<ark_bls12_377::g2::Config>(5);
    membership::<ark_bn254::g2::Config>(6);
    #[cfg(feature = "pasta")]
    membership::<ark_pallas::PallasConfig>(10);
    #[cfg(feature = "edwards-curves")]
    {
        membership::<ark_ed_on_bls12_381::JubjubConfig>(11);
        membership::<ark_ed_on_bls12_381_bandersnatch::BandersnatchConfig>(12);
    }
    #[cfg(feature = "bls24-315-g2")]
    membership::<bucketwheel::bls24_315::G2>(13);
}

#[test]
fn many_points_on_many_threads() {
    type C = ark_bls12_381::g1::Config;
    let rng = &mut StdRng::seed_from_u64(7);
    let mut points = vec![Affine::<C>::generator(); 5000];
    assert_eq!(BasesOptions::new().check(Check::Subgroup).verify(&points), Ok(()));
    for index in [4999, 4321, 700, 63, 0] {
        points[index] = random(rng);
        let result = BasesOptions::new().check(Check::Subgroup).verify(&points);
        assert_eq!(result, Err(Error::NotInSubgroup { index }));
        assert_eq!(BasesOptions::new().check(Check::Curve).verify(&points), Ok(()));
    }
    points[100].y.double_in_place();
    assert_eq!(
        BasesOptions::new().check(Check::Curve).verify(&points),
        Err(Error::NotOnCurve { index: 100 })
    );
}

fn square_roots<C: Curve>(special: &[C::BaseField]) {
    let rng = &mut StdRng::seed_from_u64(8);
    let mut xs: Vec<C::BaseField> = special.to_vec();
    xs.extend((0..100u64).map(C::BaseField::from));
    xs.extend((0..100u64).map(|i| -C::BaseField::from(i)));
    xs.extend((0..333).map(|_| C::BaseField::rand(rng)));
    for backend in backends_of::<C>() {
        for len in [0, 1, 7, 17, xs.len()] {
            let ys = ordinates::<C>(backend, &xs[..len]).unwrap();
            assert_eq!(ys.len(), len);
            for (x, y) in xs.iter().zip(&ys) {
                let expected = Affine::<C>::get_point_from_x_unchecked(*x, true);
                assert_eq!(y.is_some(), expected.is_some(), "{backend}, {x}");
                if let (Some(y), Some(expected)) = (y, expected) {
                    assert!(*y == expected.y || -*y == expected.y, "{backend}, {x}");
                }
            }
        }
    }
}

/// Returns an x with this square of y, if there is one: a cube root of `y^2 - b`.
fn abscissas<C: Curve>(squares: &[C::BaseField]) -> Vec<C::BaseField>
where
    C::BaseField: Field,
{
    // p^k - 1 = 3^s m. A power gives a cube root, if s is so small that a try is likely to hit.
    let order: num_bigint::BigUint = num_bigint::BigUint::from_bytes_le(&{
        let mut bytes = Vec::new();
        for word in C::BaseField::characteristic() {
            bytes.extend(word.to_le_bytes());
        }
        bytes
    });
    let order = order.pow(C::BaseField::extension_degree() as u32) - 1u32;
    let mut odd = order.clone();
    while (&odd % 3u32).is_zero() {
        odd /= 3u32;
    }
    // An inverse of 3 modulo `odd`.
    let third = if (&odd * 2u32 + 1u32) % 3u32 == Zero::zero() {
        (&odd * 2u32 + 1u32) / 3u32
    } else {
        (&odd + 1u32) / 3u32
    };
    squares
        .iter()
        .map(|square| *square - C::COEFF_B)
        .filter_map(|cube| {
            let root = cube.pow(third.to_u64_digits());
            (root * root * root == cube).then_some(root)
        })
        .collect()
}

#[test]
fn ordinates_of_all_fields() {
    square_roots::<ark_bls12_381::g1::Config>(&[]);
    // The square of y is 0.
    square_roots::<ark_bls12_377::g1::Config>(&[-ark_bls12_377::Fq::from(1u32)]);
    square_roots::<ark_bn254::g1::Config>(&[]);
    #[cfg(feature = "pasta")]
    {
        square_roots::<ark_pallas::PallasConfig>(&[]);
        square_roots::<ark_vesta::VestaConfig>(&[]);
    }
    square_roots::<ark_grumpkin::GrumpkinConfig>(&[]);
    #[cfg(feature = "edwards-curves")]
    square_roots::<ark_ed_on_bls12_381::JubjubConfig>(&[]);
    fn extension<C: Curve>()
    where
        C::BaseField: Field<BasePrimeField: PrimeField>,
    {
        let rng = &mut StdRng::seed_from_u64(9);
        let degree = C::BaseField::extension_degree() as usize;
        let zero = <C::BaseField as Field>::BasePrimeField::zero();
        let element = |place, value| {
            let coefficients = (0..degree).map(|i| if i == place { value } else { zero });
            C::BaseField::from_base_prime_field_elems(coefficients).unwrap()
        };
        let mut squares = vec![C::BaseField::zero()];
        for _ in 0..60 {
            let real = <C::BaseField as Field>::BasePrimeField::rand(rng);
            // Squares and nonsquares with all coefficients 0 except one.
            squares
                .extend((0..degree).flat_map(|place| [element(place, real), element(place, real.square())]));
        }
        let xs = abscissas::<C>(&squares);
        assert!(xs.len() >= 8, "{}", xs.len());
        square_roots::<C>(&xs);
    }
    extension::<ark_bls12_381::g2::Config>();
    extension::<ark_bls12_377::g2::Config>();
    extension::<ark_bn254::g2::Config>();
    #[cfg(feature = "bls24-315-g2")]
    extension::<bucketwheel::bls24_315::G2>();
}

/// The facts behind the test of the subgroup.
#[test]
fn eigenvalues() {
    use num_bigint::BigUint;
    fn order<F: PrimeField>() -> BigUint {
        F::MODULUS.into()
    }
    fn cofactor<C: CurveConfig>() -> BigUint {
        C::COFACTOR.iter().rev().fold(BigUint::zero(), |n, &word| (n << 64u32) + word)
    }
    fn gcd(a: BigUint, b: BigUint) -> BigUint {
        if b.is_zero() {
            a
        } else {
            gcd(b.clone(), a % b)
        }
    }
    let one = BigUint::from(1u32);
    // r = lambda^2 + lambda + 1 with lambda = z^2 - 1.
    for (z, r) in [
        (0xd201000000010000u64, order::<ark_bls12_381::Fr>()),
        (0x8508c00000000001, order::<ark_bls12_377::Fr>()),
    ] {
        let lambda = BigUint::from(z) * z - 1u32;
        assert_eq!(&lambda * &lambda + lambda + 1u32, r);
    }
    assert_eq!(gcd(cofactor::<ark_bls12_381::g1::Config>(), cofactor::<ark_bls12_381::g2::Config>()), one);
    assert_eq!(gcd(cofactor::<ark_bls12_377::g1::Config>(), cofactor::<ark_bls12_377::g2::Config>()), one);
}
