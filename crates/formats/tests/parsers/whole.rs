//! The parsers with valid files, and with one thing wrong. `fuzz.rs` has the rest.

use ark_ec::short_weierstrass::Affine;
use ark_ec::{AffineRepr, CurveConfig};
use ark_ff::{BigInteger, Field, PrimeField};
use bucketwheel::{config, with_curve, Check, Curve, CurveId, GroupId};
use bucketwheel_formats::{
    decode, decode_points, decode_scalars, encode, encode_points, encode_scalars, Codec, Elements, Failure,
    FormatError, FormatId, Header, Kind, PointError, PointsFile, ScalarsFile,
};
use proptest::prelude::*;

use bucketwheel_properties::points::{self, points_file};

/// Returns valid files.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let kinds = CurveId::ALL.iter().flat_map(|curve| curve.groups().iter().map(|&group| (*curve, group)));
    let kind = prop::sample::select(kinds.collect::<Vec<_>>());
    (kind, any::<bool>(), 0..6u64).prop_map(|((curve, group), points, count)| {
        let group = points.then_some(group);
        let Some(group) = group else {
            let mut bytes = Header { curve, group, count }.encode().to_vec();
            with_curve!(curve, GroupId::G1, C => {
                let scalar = <<C as CurveConfig>::ScalarField as PrimeField>::BigInt::from(count);
                encode_scalars(&vec![scalar; count as usize], &mut bytes).unwrap();
            })
            .unwrap();
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
            _ => with_curve!(curve, group, C => generators::<C, C>(curve, group, count)).unwrap(),
        }
    })
}

/// Returns a points file that repeats one point.
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
        points::points(&bytes);
        points::scalars(&bytes);
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
            with_curve!(file.curve, GroupId::G1, C => {
                let scalars = decode_scalars::<<C as CurveConfig>::ScalarField>(file.payload).unwrap();
                prop_assert!(scalars.iter().all(|scalar| *scalar == (file.count as u64).into()));
                prop_assert_eq!(scalars.len(), file.count);
            }).unwrap();
        }
    }

    #[test]
    fn headers_survive(
        curve in prop::sample::select(CurveId::ALL),
        group in prop::option::of(prop::sample::select(GroupId::ALL)),
        count in any::<u64>(),
    ) {
        let header = Header { curve, group, count };
        let bytes = header.encode();
        if group.is_some_and(|group| !curve.groups().contains(&group)) {
            let error = Header::parse(&bytes, header.kind()).unwrap_err().to_string();
            prop_assert!(error.contains("group") && error.contains("the only group of this curve"), "{}", error);
            return Ok(());
        }
        prop_assert_eq!(Header::parse(&bytes, header.kind()), Ok((header, &[][..])));
        let other = if group.is_some() { Kind::Scalars } else { Kind::Points };
        let wrong_kind = FormatError::WrongKind { expected: other, found: header.kind() };
        prop_assert_eq!(Header::parse(&bytes, other), Err(wrong_kind));
    }
}

/// The modulus less one is a coordinate. The modulus is not.
#[test]
fn the_limit_of_coordinates() {
    fn check<F: Field, C: Curve<BaseField = F>>() {
        let degree = F::extension_degree() as usize;
        let largest = F::from_base_prime_field_elems((0..degree).map(|_| -F::BasePrimeField::ONE)).unwrap();
        let mut point = Vec::new();
        encode_points(&[Affine::<C>::new_unchecked(largest, F::ONE)], &mut point).unwrap();
        let decoded = decode_points::<C>(GroupId::G1, &point).unwrap();
        assert_eq!((decoded[0].x, decoded[0].y), (largest, F::ONE));
        let modulus = F::BasePrimeField::MODULUS.to_bytes_le();
        for start in (0..2 * degree).map(|coefficient| coefficient * modulus.len()) {
            let mut point = point.clone();
            point[start..start + modulus.len()].copy_from_slice(&modulus);
            let error = FormatError::Coordinate { group: GroupId::G1, index: 0 };
            assert_eq!(decode_points::<C>(GroupId::G1, &point), Err(error));
        }
    }
    check::<_, ark_bls12_381::g1::Config>();
    check::<_, ark_bls12_377::g1::Config>();
    check::<_, ark_bn254::g1::Config>();
    check::<_, config::Pallas>();
    check::<_, config::Vesta>();
    check::<_, config::Grumpkin>();
    check::<_, config::Jubjub>();
    check::<_, config::Bandersnatch>();
    check::<_, config::Bls24_315>();
    check::<_, config::Bw6_761>();
    check::<_, config::Tweedledum>();
    check::<_, config::Tweedledee>();
    check::<_, config::Mnt4_298>();
    check::<_, config::Mnt6_298>();
    check::<_, config::Mnt4_753>();
    check::<_, config::Mnt6_753>();
    check::<_, config::Bw6_761G2>();
    check::<_, config::Bls24_315G2>();
}

/// The order less one is a scalar. The order is not. The error names the first scalar that is too large.
#[test]
fn the_limit_of_scalars() {
    fn check<F: bucketwheel::ScalarWords>() {
        let mut bytes = Vec::new();
        let largest = (-F::ONE).into_bigint();
        encode_scalars(&[F::ZERO.into_bigint(), largest, F::MODULUS, F::MODULUS], &mut bytes).unwrap();
        let two = decode_scalars::<F>(&bytes[..bytes.len() / 2]).unwrap();
        assert_eq!(two[..], [F::ZERO.into_bigint(), largest]);
        assert_eq!(decode_scalars::<F>(&bytes), Err(FormatError::Scalar { index: 2 }));
    }
    check::<ark_bls12_381::Fr>();
    check::<ark_bls12_377::Fr>();
    check::<ark_bn254::Fr>();
    check::<<config::Pallas as CurveConfig>::ScalarField>();
    check::<<config::Vesta as CurveConfig>::ScalarField>();
    check::<<config::Grumpkin as CurveConfig>::ScalarField>();
    check::<<config::Jubjub as CurveConfig>::ScalarField>();
    check::<<config::Bandersnatch as CurveConfig>::ScalarField>();
    check::<<config::Bls24_315 as CurveConfig>::ScalarField>();
    check::<<config::Bw6_761 as CurveConfig>::ScalarField>();
    check::<<config::Tweedledum as CurveConfig>::ScalarField>();
    check::<<config::Tweedledee as CurveConfig>::ScalarField>();
    check::<<config::Mnt4_298 as CurveConfig>::ScalarField>();
    check::<<config::Mnt6_298 as CurveConfig>::ScalarField>();
    check::<<config::Mnt4_753 as CurveConfig>::ScalarField>();
    check::<<config::Mnt6_753 as CurveConfig>::ScalarField>();
}

/// With more points and scalars than any machine has memory for, there is an error, and the program does not end.
#[test]
#[cfg(target_os = "linux")]
fn missing_memory_is_an_error() {
    // Nothing is written to the mapping, so it takes no memory, only half of all addresses.
    let bytes = memmap2::MmapOptions::new().len(1 << 46).no_reserve_swap().map_anon().unwrap();
    let points = decode_points::<ark_bn254::g1::Config>(GroupId::G1, &bytes).unwrap_err();
    // Integers that are not aligned are copied.
    let scalars = decode_scalars::<ark_bn254::Fr>(&bytes[1..]).unwrap_err();
    for error in [points, scalars] {
        assert!(error.to_string().starts_with("no memory for "), "{error}");
    }
    for id in [FormatId::Arkworks, FormatId::ArkworksCompressed] {
        let codec = id.format().codec(CurveId::Bn254, GroupId::G1).unwrap();
        let failure = decode::<ark_bn254::g1::Config>(&codec, &bytes, Check::None);
        assert!(matches!(failure, Err(Failure::Engine(bucketwheel::Error::OutOfMemory { .. }))));
    }
    let missing = |outcome: Result<(), bucketwheel::Error>| {
        matches!(outcome, Err(bucketwheel::Error::OutOfMemory { .. }))
    };
    // SAFETY: the bytes are zeros, which are a valid point (words and a flag that is false) and a valid integer.
    let (points, scalars) = unsafe {
        (bytes.align_to::<Affine<ark_bn254::g1::Config>>().1, bytes.align_to::<ark_ff::BigInt<4>>().1)
    };
    let codec = FormatId::Zcash.format().codec(CurveId::Bls12_381, GroupId::G1).unwrap();
    let failure = encode(&codec, points);
    assert!(matches!(failure, Err(Failure::Engine(bucketwheel::Error::OutOfMemory { .. }))));
    let mut out = vec![1];
    assert!(missing(encode_points(points, &mut out)) && missing(encode_scalars(scalars, &mut out)));
    assert_eq!(out, [1]);
}

/// There are errors instead of divisions by 0 and reads beyond a coordinate.
#[test]
fn codecs_that_do_not_fit() {
    type C = ark_bls12_381::g1::Config;
    let codec = FormatId::Zcash.format().codec(CurveId::Bls12_381, GroupId::G1).unwrap();
    let points = [Affine::<C>::generator(); 3];
    let file = encode(&codec, &points).unwrap();
    for bytes in [0, 1, 32, 47] {
        let codec = Codec { elements: Elements { bytes, ..codec.elements }, ..codec };
        let failure = Failure::Point(0, PointError::Codec { bytes, least: 48 });
        assert_eq!(encode(&codec, &points), Err(failure.clone()));
        assert_eq!(decode::<C>(&codec, &file, Check::None), Err(failure));
    }
    // The codec is for another curve, whose elements are shorter.
    let other = FormatId::Arkworks.format().codec(CurveId::Bn254, GroupId::G1).unwrap();
    assert!(decode::<C>(&other, &file, Check::None).is_err());
    // The bytes do not exist, and there is no memory to write so many.
    let large = Codec { elements: Elements { bytes: usize::MAX, ..codec.elements }, ..codec };
    assert_eq!(decode::<C>(&large, &file, Check::None), Ok(Vec::new()));
    assert!(matches!(encode(&large, &points), Err(Failure::Engine(bucketwheel::Error::OutOfMemory { .. }))));

    let text = FormatId::Kzg.format();
    assert_eq!(text.wrap(vec![0x2f, 0x10], 1).unwrap(), b"2f\n10\n");
    for size in [0, 2] {
        let message = text.wrap(vec![1; 3], size).unwrap_err().to_string();
        assert!(message.starts_with(&format!("3 bytes: expected a multiple of {size}, ")), "{message}");
    }
}
