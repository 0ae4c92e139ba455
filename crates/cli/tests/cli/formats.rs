//! The parsers with anything: a value or a typed error, never a panic.

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use ark_ff::{BigInt, BigInteger, PrimeField};
use bucketwheel::Curve;
use bucketwheel_cli::curve::{CurveId, GroupId};
use bucketwheel_cli::format::{
    decode_points, decode_scalars, encode_points, encode_scalars, padding, FormatError, Header, Kind,
    PointsFile, ScalarsFile, HEADER_BYTES,
};
use clap::ValueEnum;
use proptest::prelude::*;

/// Everything that a command does with a file's bytes.
fn parse(bytes: &[u8]) {
    fn points<C: Curve, D: Curve>(file: &PointsFile<'_>) {
        let _ = decode_points::<C>(GroupId::G1, file.g1);
        let _ = decode_points::<D>(GroupId::G2, file.g2);
    }
    if let Ok(file) = PointsFile::parse(bytes) {
        match file.curve {
            CurveId::Bls12_381 => points::<ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>(&file),
            CurveId::Bls12_377 => points::<ark_bls12_377::g1::Config, ark_bls12_377::g2::Config>(&file),
            CurveId::Bn254 => points::<ark_bn254::g1::Config, ark_bn254::g2::Config>(&file),
        }
    }
    if let Ok(file) = ScalarsFile::parse(bytes) {
        let decoded = match file.curve {
            CurveId::Bls12_381 => decode_scalars::<ark_bls12_381::Fr>(file.payload),
            CurveId::Bls12_377 => decode_scalars::<ark_bls12_377::Fr>(file.payload),
            CurveId::Bn254 => decode_scalars::<ark_bn254::Fr>(file.payload),
        };
        assert!(decoded.is_err() || decoded.unwrap().len() == file.count);
    }
}

fn points_file<C: Curve, D: Curve>(curve: CurveId, group: GroupId, count: u64) -> Vec<u8> {
    let mut bytes = Header { curve, group: Some(group), count }.encode().to_vec();
    if group != GroupId::G2 {
        encode_points(&vec![Affine::<C>::generator(); count as usize], &mut bytes);
    }
    if group == GroupId::Pair {
        bytes.resize(bytes.len() + padding(curve, count), 0);
    }
    if group != GroupId::G1 {
        encode_points(&vec![Affine::<D>::generator(); count as usize], &mut bytes);
    }
    bytes
}

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
        match curve {
            CurveId::Bls12_381 => {
                points_file::<ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>(curve, group, count)
            }
            CurveId::Bls12_377 => {
                points_file::<ark_bls12_377::g1::Config, ark_bls12_377::g2::Config>(curve, group, count)
            }
            CurveId::Bn254 => {
                points_file::<ark_bn254::g1::Config, ark_bn254::g2::Config>(curve, group, count)
            }
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        parse(&bytes);
    }

    #[test]
    fn valid_files(bytes in file()) {
        parse(&bytes);
        prop_assert!(PointsFile::parse(&bytes).is_ok() ^ ScalarsFile::parse(&bytes).is_ok());
    }

    #[test]
    fn damaged_files(
        mut bytes in file(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        in_header in any::<bool>(),
    ) {
        for (index, value) in damage {
            let len = if in_header { HEADER_BYTES } else { bytes.len() };
            bytes[index.index(len)] = value;
        }
        parse(&bytes);
    }

    #[test]
    fn cut_and_extended_files(mut bytes in file(), len in 0..1000usize, value in any::<u8>()) {
        let original = bytes.len();
        bytes.resize(len, value);
        parse(&bytes);
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
