//! Compares points and scalars in every layout of other libraries with arkworks.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AdditiveGroup, AffineRepr, CurveGroup};
use ark_ff::{BigInteger, Field, PrimeField, UniformRand};
use ark_std::rand::rngs::StdRng;
use ark_std::rand::{RngCore, SeedableRng};
use bucketwheel::{BasesOptions, Check, Curve, Error, Form, Infinity, Msm, PointLayout, Points, Scalars};

use crate::inputs::{backends, is_left_out};

/// Returns an element's coefficients, one after the other.
fn element<F: Field>(element: &F, form: Form) -> Vec<u8> {
    let words = |coefficient: F::BasePrimeField| match form {
        Form::Canonical => coefficient.into_bigint(),
        // 2^(64 w) times an element is the integer of its Montgomery form.
        Form::Montgomery => {
            let bits = 64 * F::BasePrimeField::MODULUS.as_ref().len() as u64;
            (coefficient * F::BasePrimeField::from(2u32).pow([bits])).into_bigint()
        }
    };
    element.to_base_prime_field_elements().flat_map(|coefficient| words(coefficient).to_bytes_le()).collect()
}

/// Returns points in this layout. The bytes between them are noise.
fn write<C: Curve>(points: &[Affine<C>], layout: PointLayout, rng: &mut StdRng) -> Vec<u8> {
    let PointLayout { stride, form, infinity } = layout;
    let record = |point: &Affine<C>| {
        let mut bytes = vec![0; stride];
        rng.fill_bytes(&mut bytes);
        // If another field of the layout tells infinity, the coordinates say nothing.
        let (x, y) = point.xy().unwrap_or_default();
        let coordinates = [element(&x, form), element(&y, form)].concat();
        let size = coordinates.len() / 2;
        if !point.is_zero() || infinity == Infinity::Zeros {
            bytes[..2 * size].copy_from_slice(&coordinates);
        }
        match infinity {
            Infinity::Zeros => {}
            Infinity::Flag(offset) => bytes[offset] = if point.is_zero() { bytes[offset] | 1 } else { 0 },
            Infinity::ZeroCoordinate(offset) => {
                bytes[offset..][..size].fill(u8::from(!point.is_zero()));
            }
        }
        bytes
    };
    points.iter().flat_map(record).collect()
}

fn layouts<C: Curve>() -> Vec<PointLayout> {
    let coordinate = element(&C::BaseField::ZERO, Form::Canonical).len();
    let mut layouts = Vec::new();
    for form in [Form::Canonical, Form::Montgomery] {
        for (stride, infinity) in [
            (2 * coordinate, Infinity::Zeros),
            (2 * coordinate + 3, Infinity::Zeros),
            (2 * coordinate + 8, Infinity::Flag(2 * coordinate)),
            (3 * coordinate, Infinity::ZeroCoordinate(2 * coordinate)),
        ] {
            layouts.push(PointLayout { stride, form, infinity });
        }
    }
    layouts
}

fn sums_are_those_of_arkworks<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(35);
    let n = 77;
    let mut points: Vec<Affine<C>> = (0..n).map(|_| Projective::rand(rng).into_affine()).collect();
    (points[0], points[n - 1]) = (Affine::identity(), Affine::identity());
    points[3] = points[4];
    let scalars: Vec<C::ScalarField> = (0..n).map(|_| UniformRand::rand(rng)).collect();
    let expected: Projective<C> = points.iter().zip(&scalars).map(|(point, scalar)| *point * scalar).sum();
    for layout in layouts::<C>() {
        let bytes = write(&points, layout, rng);
        let raw = Points::<C>::raw(&bytes, layout).expect("whole points");
        assert_eq!(raw.len(), n);
        assert!((0..n).all(|i| raw.get(i) == Some(points[i])), "{layout:?}");
        for backend in backends() {
            for (check, endomorphism, copies) in [(Check::None, true, 1), (Check::Curve, false, 3)] {
                if is_left_out() {
                    continue;
                }
                let options = BasesOptions::new().backend(backend).check(check).copies(copies);
                let options = if endomorphism { options.endomorphism(true) } else { options };
                let Ok(bases) = options.prepare(raw) else { continue };
                let sum = Msm::new().run(&bases, Scalars::Field(&scalars));
                assert_eq!(sum, Ok(expected), "{layout:?}, {backend}, {check:?}");
            }
        }
    }
    // All points are given twice, so that scalars of equal points are added up.
    let twice = [&points[..], &points].concat();
    let bases = BasesOptions::new().deduplicate(true).prepare(&twice).expect("points");
    for form in [Form::Canonical, Form::Montgomery] {
        for gap in [0, 5] {
            let record = |scalar| [element(scalar, form), vec![0xff; gap]].concat();
            let bytes: Vec<u8> = scalars.iter().chain(&scalars).flat_map(record).collect();
            let raw = Scalars::raw(&bytes, bytes.len() / (2 * n), form).expect("whole scalars");
            assert_eq!(Msm::new().run(&bases, raw), Ok(expected + expected), "{form:?}, gap of {gap}");
        }
    }
}

fn what_is_no_point_or_scalar_is_an_error<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(36);
    let n = 50;
    let points: Vec<Affine<C>> = (0..n).map(|_| Projective::rand(rng).into_affine()).collect();
    let modulus = <C::BaseField as Field>::BasePrimeField::MODULUS.to_bytes_le();
    for layout in layouts::<C>() {
        let least = match layout.infinity {
            Infinity::Zeros => layout.stride - layout.stride % 8,
            Infinity::Flag(offset) => offset + 1,
            Infinity::ZeroCoordinate(_) => layout.stride,
        };
        let mut bytes = write(&points, layout, rng);
        let short = PointLayout { stride: least - 1, ..layout };
        assert_eq!(
            Points::<C>::raw(&bytes, short).map(|points| points.len()),
            Err(Error::Stride { stride: least - 1, least })
        );
        assert_eq!(
            Points::<C>::raw(&bytes[1..], layout).map(|points| points.len()),
            Err(Error::Records { bytes: bytes.len() - 1, size: layout.stride })
        );
        bytes[31 * layout.stride..][..modulus.len()].copy_from_slice(&modulus);
        let bad = Points::<C>::raw(&bytes, layout).expect("whole points");
        assert_eq!(bad.get(31), None);
        let error = Err(Error::CoordinateRange { index: 31 });
        assert_eq!(BasesOptions::new().prepare(bad).map(|bases| bases.len()), error);
        assert_eq!(BasesOptions::new().verify(bad), error.map(|_: usize| ()));
    }
    let bases = BasesOptions::new().prepare(&points).expect("points");
    let order = C::ScalarField::MODULUS.to_bytes_le();
    for form in [Form::Canonical, Form::Montgomery] {
        let mut bytes = vec![0; n * order.len()];
        // The largest value is also refused in Montgomery form.
        for value in [&order, &vec![0xff; order.len()]] {
            bytes[7 * order.len()..][..order.len()].copy_from_slice(value);
            let bad = Scalars::raw(&bytes, order.len(), form).expect("whole scalars");
            assert_eq!(Msm::new().run(&bases, bad), Err(Error::ScalarRange { index: 7 }));
        }
        let least = order.len();
        let short = Scalars::<C::ScalarField>::raw(&bytes, least - 1, form).map(|scalars| scalars.len());
        assert_eq!(short, Err(Error::Stride { stride: least - 1, least }));
        let part = Scalars::<C::ScalarField>::raw(&bytes[1..], least, form).map(|scalars| scalars.len());
        assert_eq!(part, Err(Error::Records { bytes: bytes.len() - 1, size: least }));
    }
}

macro_rules! curves {
    ($($name:ident: $curve:ty, $feature:literal;)*) => {$(
        #[cfg(feature = $feature)]
        #[test]
        fn $name() {
            sums_are_those_of_arkworks::<$curve>();
            what_is_no_point_or_scalar_is_an_error::<$curve>();
        }
    )*};
}

curves! {
    bls12_381_g1: ark_bls12_381::g1::Config, "bls12-381";
    bls12_381_g2: ark_bls12_381::g2::Config, "bls12-381";
    bls12_377_g2: ark_bls12_377::g2::Config, "bls12-377";
    bn254_g1: ark_bn254::g1::Config, "bn254";
    bw6_761: ark_bw6_761::g1::Config, "bw6-761";
    bls24_315: bucketwheel::bls24_315::G1, "bls24-315";
    bls24_315_g2: bucketwheel::bls24_315::G2, "bls24-315-g2";
    tweedledum: bucketwheel::tweedle::Tweedledum, "tweedle";
    mnt4_298: ark_mnt4_298::g1::Config, "mnt";
    mnt6_753: ark_mnt6_753::g1::Config, "mnt";
}
