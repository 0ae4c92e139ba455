//! Curves by name, in a build with all curves and in a build that lacks some (tools/features.sh makes it).

use ark_ec::CurveConfig;
use ark_ff::{BigInteger, Field, PrimeField};
use bucketwheel::{with_curve, CurveId, GroupId};
use bucketwheel_formats::{detect, Header, PointsFile, Wanted};

fn bytes<F: PrimeField>() -> usize {
    8 * F::BigInt::NUM_LIMBS
}

#[test]
fn names_and_codes_lead_back() {
    for &curve in CurveId::ALL {
        assert_eq!((curve.name().parse(), CurveId::from_code(curve.code())), (Ok(curve), Some(curve)));
    }
    for &group in GroupId::ALL {
        assert_eq!((group.name().parse(), GroupId::from_code(group.code())), (Ok(group), Some(group)));
    }
    assert_eq!((CurveId::from_code(0), GroupId::from_code(4)), (None, None));
}

#[test]
fn curves_have_their_types_or_are_missing() {
    for &curve in CurveId::ALL {
        for &group in curve.groups().iter().filter(|&&group| group != GroupId::Pair) {
            let sizes = with_curve!(curve, group, C => {
                type Field<C> = <<C as CurveConfig>::BaseField as ark_ff::Field>::BasePrimeField;
                let degree = <C as CurveConfig>::BaseField::extension_degree();
                (degree, bytes::<Field<C>>(), bytes::<<C as CurveConfig>::ScalarField>())
            });
            let sizes = sizes.map(|(degree, field, scalar)| (degree as usize, field, scalar));
            let expected = curve
                .check()
                .map(|()| (curve.coefficients(group), curve.field_bytes(), curve.scalar_bytes()));
            assert_eq!(sizes, expected, "{curve} {group}");
        }
    }
}

#[test]
fn features_bring_their_curves() {
    let curves = [
        (CurveId::Bls12_381, cfg!(feature = "bls12-381")),
        (CurveId::Bls12_377, cfg!(feature = "bls12-377")),
        (CurveId::Bn254, cfg!(feature = "bn254")),
        (CurveId::Pallas, cfg!(feature = "pasta")),
        (CurveId::Vesta, cfg!(feature = "pasta")),
        (CurveId::Grumpkin, cfg!(feature = "bn254")),
        (CurveId::Jubjub, cfg!(feature = "edwards-curves")),
        (CurveId::Bandersnatch, cfg!(feature = "edwards-curves")),
        (CurveId::Bls24_315, cfg!(feature = "bls24-315")),
        (CurveId::Bw6_761, cfg!(feature = "bw6-761")),
        (CurveId::Tweedledum, cfg!(feature = "tweedle")),
        (CurveId::Tweedledee, cfg!(feature = "tweedle")),
        (CurveId::Mnt4_298, cfg!(feature = "mnt")),
        (CurveId::Mnt6_298, cfg!(feature = "mnt")),
        (CurveId::Mnt4_753, cfg!(feature = "mnt")),
        (CurveId::Mnt6_753, cfg!(feature = "mnt")),
        (CurveId::Bw6_761G2, cfg!(feature = "bw6-761-g2")),
        (CurveId::Bls24_315G2, cfg!(feature = "bls24-315-g2")),
    ];
    assert_eq!(curves.map(|(curve, _)| curve), CurveId::ALL, "the list has all curves");
    for (curve, present) in curves {
        assert!(curve.check().is_ok() || !present, "{curve}");
    }
}

#[test]
fn missing_curves_are_named_with_their_feature() {
    for &curve in CurveId::ALL {
        // Any build can tell the curve of a file.
        let file = Header { curve, group: Some(GroupId::G1), count: 0 }.encode();
        assert_eq!(PointsFile::parse(&file).unwrap().curve, curve);
        let found = detect(&file, Wanted { curve: Some(curve), ..Wanted::default() });
        match curve.check() {
            Ok(()) => assert!(found.is_ok()),
            Err(_) => {
                let expected = format!(
                    "this build has no {curve}: expected one with its feature, {}; build again with that",
                    curve.feature()
                );
                assert_eq!(found.unwrap_err().to_string(), expected);
            }
        }
    }
}
