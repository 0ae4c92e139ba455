//! Compares the catalogue's numbers and names with arkworks' types and the crate's manifest.

use ark_ff::{BigInteger, Field, PrimeField};
use bucketwheel::{with_curve, CurveId, GroupId};

#[test]
fn numbers_are_those_of_the_curves() {
    for &curve in CurveId::ALL {
        for &group in curve.groups() {
            let numbers = with_curve!(curve, group, C => {
                type Base = <<C as ark_ec::CurveConfig>::BaseField as Field>::BasePrimeField;
                type Scalar = <C as ark_ec::CurveConfig>::ScalarField;
                (Base::MODULUS.to_bytes_le(), Scalar::MODULUS.to_bytes_le(), Scalar::MODULUS_BIT_SIZE)
            });
            if let Ok((prime, order, bits)) = numbers {
                assert_eq!(
                    (curve.prime(), curve.order(), curve.scalar_bits()),
                    (&prime[..], &order[..], bits),
                    "{curve}"
                );
            }
        }
        assert_eq!(curve.has_pairing(), curve.groups().contains(&GroupId::G2));
    }
}

#[test]
fn codes_and_names_are_distinct() {
    for (index, &curve) in CurveId::ALL.iter().enumerate() {
        assert_eq!(CurveId::from_code(curve.code()), Some(curve));
        assert_eq!(curve.name().parse(), Ok(curve));
        assert!(CurveId::CODES.contains(&format!("{} ({curve})", curve.code())));
        let names = |curve: CurveId| [curve.snarkjs_name(), curve.gnark_name(), curve.arkworks_name()];
        for &other in &CurveId::ALL[..index] {
            assert!(names(curve)
                .iter()
                .zip(names(other))
                .all(|(name, other)| name.is_none() || *name != other));
        }
    }
}

#[test]
fn sums_on_all_curves_are_tested() {
    let tests = include_str!("differential.rs");
    for curve in CurveId::ALL {
        let module = curve.name().replace('-', "_");
        let both = format!("\ncurve!({module}, ");
        let one = format!("\n    {module}: ");
        assert!(tests.contains(&both) || tests.contains(&one), "differential.rs has no tests of {curve}");
    }
}

#[test]
fn features_bring_the_crates_of_arkworks() {
    let manifest = include_str!("../../Cargo.toml");
    for &curve in CurveId::ALL {
        let feature = format!("{} = [", curve.feature());
        let line =
            manifest.lines().find(|line| line.starts_with(&feature)).unwrap_or_else(|| panic!("{feature}"));
        assert!(
            curve.arkworks_name().is_none_or(|name| line.contains(&format!("\"dep:{name}\""))),
            "{curve}: {line}"
        );
        let all = manifest.lines().find(|line| line.starts_with("all-curves = [")).unwrap();
        assert!(all.contains(&format!("\"{}\"", curve.feature())), "{curve}");
    }
}
