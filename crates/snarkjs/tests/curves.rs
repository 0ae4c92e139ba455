//! Files of both curves, in a build that has both curves and in a build that lacks one (tools/features.sh makes it).

use bucketwheel_groth16::file::{curve_of_prime, FileError, Wtns};
use bucketwheel_groth16::{with_pairing, CurveId, MissingCurve, VerifyingCurve, CURVES};

use ark_ec::pairing::Pairing;
use ark_ff::{BigInteger, PrimeField};

#[test]
fn files_are_of_curves_that_a_build_has() {
    let files: [(_, &[u8]); 2] = [
        (CurveId::Bn254, include_bytes!("data/bn254/power.wtns")),
        (CurveId::Bls12_381, include_bytes!("data/bls12-381/power.wtns")),
    ];
    for (curve, file) in files {
        let found = Wtns::parse(file).map(|witness| witness.curve());
        let known = with_pairing!(curve, E => {
            let primes = [<E as Pairing>::ScalarField::MODULUS.to_bytes_le(), <E as Pairing>::BaseField::MODULUS.to_bytes_le()];
            assert_eq!(primes[0], curve.order());
            assert_eq!(curve_of_prime(&primes[1]), Some(curve));
            E::ID
        });
        assert_eq!(found, known.map_err(FileError::MissingCurve));
        assert!(known.is_ok() || !cfg!(all(feature = "bn254", feature = "bls12-381")));
    }
}

#[test]
fn missing_curves_are_named_with_their_feature() {
    for curve in CURVES {
        let feature = curve.feature();
        let expected = format!(
            "this build has no {feature}: expected one with its feature, {feature}; build again with that"
        );
        assert_eq!(MissingCurve(curve).to_string(), expected);
    }
}
