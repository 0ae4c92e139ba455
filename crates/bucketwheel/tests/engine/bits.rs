//! Sums without digits: all scalars are 0 or 1. And sums with a single larger scalar, which do need digits.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::{BigInteger, Field, PrimeField};
use bucketwheel::{Bases, BasesOptions, Curve, Error, Form, Msm, Scalars};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::inputs::{backends_of, is_left_out, on_threads, points};

/// Returns the sum of the points whose bits are set.
fn chosen<C: Curve>(points: &[Affine<C>], bits: &[bool]) -> Projective<C> {
    points.iter().zip(bits).filter(|(_, &bit)| bit).map(|(point, _)| Projective::from(*point)).sum()
}

/// The bits in each form that scalars have.
fn check_each_form<C: Curve>(bases: &Bases<C>, bits: &[bool], sum: Projective<C>) {
    type Element<C> = <C as ark_ec::CurveConfig>::ScalarField;
    let of = |bit: &bool| Element::<C>::from(u8::from(*bit));
    let field: Vec<Element<C>> = bits.iter().map(of).collect();
    let integers: Vec<_> = field.iter().map(|scalar| scalar.into_bigint()).collect();
    let bytes: Vec<u8> = bits.iter().map(|&bit| u8::from(bit)).collect();
    let words: Vec<u64> = bytes.iter().map(|&byte| byte.into()).collect();
    let (halves, quarters): (Vec<u32>, Vec<u16>) =
        bytes.iter().map(|&byte| (u32::from(byte), u16::from(byte))).unzip();
    let canonical: Vec<u8> = integers.iter().flat_map(|integer| integer.to_bytes_le()).collect();
    let width = canonical.len() / bits.len();
    // 2^(64 w) is the Montgomery form of 1.
    let one = Element::<C>::from(2u8).pow([8 * width as u64]).into_bigint().to_bytes_le();
    let montgomery: Vec<u8> =
        bits.iter().flat_map(|&bit| if bit { one.clone() } else { vec![0; width] }).collect();
    let raw = |bytes, form| Scalars::raw(bytes, width, form).expect("whole scalars");
    let forms = [
        ("elements", Scalars::Field(&field)),
        ("integers", Scalars::Integers(&integers)),
        ("64 bits", Scalars::U64(&words)),
        ("32 bits", Scalars::U32(&halves)),
        ("16 bits", Scalars::U16(&quarters)),
        ("bytes", Scalars::U8(&bytes)),
        ("bits", Scalars::Bool(bits)),
        ("raw integers", raw(&canonical, Form::Canonical)),
        ("raw Montgomery forms", raw(&montgomery, Form::Montgomery)),
    ];
    for (form, scalars) in forms {
        assert_eq!(Msm::new().run(bases, scalars), Ok(sum), "{form}, {} bits", bits.len());
    }
}

/// The scalars are random bits, all 0, all 1, or a single 1 at either end. Some points are infinity, equal or opposite.
/// The points come with a table and without one.
fn sums_are_those_of_the_chosen<C: Curve>() {
    let rng = &mut StdRng::seed_from_u64(41);
    // Sizes around a block of 64 scalars, and around a part of 4096.
    for n in [1, 31, 32, 63, 64, 65, 4095, 4096, 4097, 9000] {
        let mut points = points::<C>(n, rng);
        for i in (1..n).step_by(5) {
            points[i] = [Affine::identity(), points[i - 1], -points[i - 1]][rng.gen_range(0..3)];
        }
        points[n - 1] = Affine::identity();
        for backend in backends_of::<C>() {
            if is_left_out() {
                continue;
            }
            let prepare = |options: BasesOptions<'_>| options.backend(backend).prepare(&points);
            let all = [
                prepare(BasesOptions::new()).expect("supported"),
                prepare(BasesOptions::new().endomorphism(false)).expect("supported"),
                prepare(BasesOptions::new().copies(3)).expect("supported"),
                prepare(BasesOptions::new().deduplicate(true)).expect("supported"),
            ];
            let random: Vec<bool> = (0..n).map(|_| rng.gen()).collect();
            let kinds =
                [random, vec![false; n], vec![true; n], single(n, 0), single(n, n - 1), single(n, n / 2)];
            for bits in kinds {
                let sum = chosen(&points, &bits);
                for bases in &all {
                    on_threads(3, || check_each_form(bases, &bits, sum));
                }
                // One scalar is no bit, at any place.
                let other = rng.gen_range(0..n);
                let mut scalars: Vec<u64> = bits.iter().map(|&bit| bit.into()).collect();
                scalars[other] = [2, 3, 1 << 32, u64::MAX][rng.gen_range(0..4)];
                let rest: Vec<bool> = (0..n).map(|i| i != other && bits[i]).collect();
                let sum = chosen(&points, &rest) + points[other] * C::ScalarField::from(scalars[other]);
                assert_eq!(Msm::new().run(&all[0], Scalars::U64(&scalars)), Ok(sum), "{n} points, {backend}");
            }
        }
    }
}

fn single(n: usize, place: usize) -> Vec<bool> {
    (0..n).map(|i| i == place).collect()
}

#[test]
fn of_prime_order() {
    sums_are_those_of_the_chosen::<ark_bn254::g1::Config>();
}

#[test]
#[cfg(feature = "bls12-381")]
fn of_a_pair() {
    let rng = &mut StdRng::seed_from_u64(42);
    let n = 5000;
    let (g1, g2) =
        crate::cases::pair::<ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>(n, &[0, 4094], rng);
    let bases = (Bases::new(&g1).expect("supported"), Bases::new(&g2).expect("supported"));
    let bits: Vec<bool> = (0..n).map(|_| rng.gen()).collect();
    let sums = Msm::new().run_pair((&bases.0, &bases.1), Scalars::Bool(&bits));
    assert_eq!(sums, Ok((chosen(&g1, &bits), chosen(&g2, &bits))));
}

/// Errors are a wrong number of bits, an integer that is the order behind 99 ones, and a cancelled sum.
#[test]
fn errors() {
    type G1 = ark_bn254::g1::Config;
    let points = points::<G1>(100, &mut StdRng::seed_from_u64(43));
    let bases = Bases::new(&points).expect("supported");
    let run = |scalars| Msm::new().run(&bases, scalars);
    assert_eq!(run(Scalars::Bool(&[true; 99])), Err(Error::Length { points: 100, scalars: 99 }));
    let mut integers = vec![ark_ff::BigInt::<4>::from(1u8); 100];
    integers[99] = ark_bn254::Fr::MODULUS;
    assert_eq!(run(Scalars::Integers(&integers)), Err(Error::ScalarRange { index: 99 }));
    let cancel = bucketwheel::Cancel::new();
    cancel.cancel();
    let cancelled = Msm::new().cancel(&cancel).run(&bases, Scalars::Bool(&[true; 100]));
    assert_eq!(cancelled, Err(Error::Cancelled));
}
