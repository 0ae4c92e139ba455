//! The parsers with valid files, and with one thing wrong. `fuzz.rs` has the rest.

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use ark_ff::{BigInt, BigInteger, PrimeField};
use bucketwheel::Curve;
use bucketwheel_cli::curve::{CurveId, GroupId};
use bucketwheel_cli::format::{
    decode_points, decode_scalars, encode_points, encode_scalars, FormatError, Header, Kind, PointsFile,
    ScalarsFile,
};
use clap::ValueEnum;
use proptest::prelude::*;

use crate::properties::{self, points_file};

/// A valid file.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let curve = prop::sample::select(CurveId::value_variants());
    let group = prop::option::of(prop::sample::select(GroupId::value_variants()));
    (curve, group, 0..6u64).prop_map(|(curve, group, count)| {
        let Some(group) = group else {
            let mut bytes = Header { curve, group, count }.encode().to_vec();
            encode_scalars(&vec![BigInt::from(count); count as usize], &mut bytes);
            return bytes;
        };
        let count = count as usize;
        match curve {
            CurveId::Bls12_381 => {
                generators::<ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>(curve, group, count)
            }
            CurveId::Bls12_377 => {
                generators::<ark_bls12_377::g1::Config, ark_bls12_377::g2::Config>(curve, group, count)
            }
            CurveId::Bn254 => generators::<ark_bn254::g1::Config, ark_bn254::g2::Config>(curve, group, count),
        }
    })
}

/// A points file that repeats one point.
fn generators<C: Curve, D: Curve>(curve: CurveId, group: GroupId, count: usize) -> Vec<u8> {
    let count_of = |part: GroupId| if group.parts().contains(&part) { count } else { 0 };
    let g1 = vec![Affine::<C>::generator(); count_of(GroupId::G1)];
    let g2 = vec![Affine::<D>::generator(); count_of(GroupId::G2)];
    points_file(curve, group, &g1, &g2)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_files(bytes in file()) {
        properties::points(&bytes);
        properties::scalars(&bytes);
        prop_assert!(PointsFile::parse(&bytes).is_ok() ^ ScalarsFile::parse(&bytes).is_ok());
    }

    #[test]
    fn cut_and_extended_files(mut bytes in file(), len in 0..1000usize, value in any::<u8>()) {
        let original = bytes.len();
        bytes.resize(len, value);
        if len != original {
            prop_assert!(PointsFile::parse(&bytes).is_err() && ScalarsFile::parse(&bytes).is_err());
        }
    }

    #[test]
    fn misaligned_bytes(bytes in file(), shift in 0..8usize) {
        let mut moved = vec![0; shift];
        moved.extend(&bytes);
        prop_assert_eq!(PointsFile::parse(&moved[shift..]), PointsFile::parse(&bytes));
        if let Ok(file) = ScalarsFile::parse(&moved[shift..]) {
            let scalars = decode_scalars::<ark_bn254::Fr>(file.payload).unwrap().into_owned();
            prop_assert_eq!(scalars, vec![BigInt::from(file.count as u64); file.count]);
        }
    }

    #[test]
    fn headers_survive(
        curve in prop::sample::select(CurveId::value_variants()),
        group in prop::option::of(prop::sample::select(GroupId::value_variants())),
        count in any::<u64>(),
    ) {
        let header = Header { curve, group, count };
        let bytes = header.encode();
        prop_assert_eq!(Header::parse(&bytes, header.kind()), Ok((header, &[][..])));
        let other = if group.is_some() { Kind::Scalars } else { Kind::Points };
        let wrong_kind = FormatError::WrongKind { expected: other, found: header.kind() };
        prop_assert_eq!(Header::parse(&bytes, other), Err(wrong_kind));
    }
}

/// The modulus less one is a coordinate, the modulus is not.
#[test]
fn the_limit_of_coordinates() {
    fn check<F: PrimeField, C: Curve<BaseField = F>>() {
        let mut point = Vec::new();
        encode_points(&[Affine::<C>::new_unchecked(-F::ONE, F::ONE)], &mut point);
        let decoded = decode_points::<C>(GroupId::G1, &point).unwrap();
        assert_eq!((decoded[0].x, decoded[0].y), (-F::ONE, F::ONE));
        let modulus = F::MODULUS.to_bytes_le();
        for start in [0, modulus.len()] {
            let mut point = point.clone();
            point[start..start + modulus.len()].copy_from_slice(&modulus);
            let error = FormatError::Coordinate { group: GroupId::G1, index: 0 };
            assert_eq!(decode_points::<C>(GroupId::G1, &point), Err(error));
        }
    }
    check::<_, ark_bls12_381::g1::Config>();
    check::<_, ark_bls12_377::g1::Config>();
    check::<_, ark_bn254::g1::Config>();
}

/// The same for scalars; the first one that is too large is named.
#[test]
fn the_limit_of_scalars() {
    fn check<F: bucketwheel::ScalarWords>() {
        let mut bytes = Vec::new();
        let largest = (-F::ONE).into_bigint();
        encode_scalars(&[BigInt::zero(), largest, F::MODULUS, F::MODULUS], &mut bytes);
        assert_eq!(decode_scalars::<F>(&bytes[..64]).unwrap()[..], [BigInt::zero(), largest]);
        assert_eq!(decode_scalars::<F>(&bytes), Err(FormatError::Scalar { index: 2 }));
    }
    check::<ark_bls12_381::Fr>();
    check::<ark_bls12_377::Fr>();
    check::<ark_bn254::Fr>();
}
