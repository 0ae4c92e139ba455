//! Tweedle's cycle, Tweedledum and Tweedledee, on arkworks' types (Bowe, Grigg and Hopwood, "Recursive Proof Composition
//! without a Trusted Setup", 2019). Both curves are `y^2 = x^3 + 5`, and the order of each is the modulus of the other.

#![allow(missing_docs)] // Of what arkworks' macro makes.
#![allow(unexpected_cfgs)] // For the items that arkworks' macro makes.

use ark_ec::scalar_mul::glv::GLVConfig;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::CurveConfig;
use ark_ff::{AdditiveGroup, BigInt, Field, Fp256, MontBackend, MontConfig, MontFp, PrimeField};

#[derive(MontConfig)]
#[modulus = "28948022309329048855892746252171976963322203655955319056773317069363642105857"]
#[generator = "5"]
pub struct TweedledumFqConfig;
/// The field of Tweedledum's coordinates and of Tweedledee's scalars.
pub type TweedledumFq = Fp256<MontBackend<TweedledumFqConfig, 4>>;

#[derive(MontConfig)]
#[modulus = "28948022309329048855892746252171976963322203655954433126947083963168578338817"]
#[generator = "5"]
pub struct TweedledeeFqConfig;
/// The field of Tweedledee's coordinates and of Tweedledum's scalars.
pub type TweedledeeFq = Fp256<MontBackend<TweedledeeFqConfig, 4>>;

/// Implements arkworks' traits for a curve of the cycle. `$beta` is the factor of x in the endomorphism, `$lambda` its
/// eigenvalue; the vectors `[a, b]` with their signs (true is plus) span the pairs with a + b lambda = 0.
macro_rules! curve {
    ($(#[$about:meta])* $curve:ident, $base:ty, $scalar:ty, $beta:literal, $lambda:literal, $vectors:expr) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $curve;

        impl CurveConfig for $curve {
            type BaseField = $base;
            type ScalarField = $scalar;

            const COFACTOR: &'static [u64] = &[1];
            const COFACTOR_INV: $scalar = <$scalar>::ONE;
        }

        impl SWCurveConfig for $curve {
            const COEFF_A: $base = <$base>::ZERO;
            const COEFF_B: $base = MontFp!("5");
            const GENERATOR: Affine<Self> = Affine::new_unchecked(MontFp!("-1"), MontFp!("2"));
            type ZeroFlag = ();
        }

        impl GLVConfig for $curve {
            const ENDO_COEFFS: &[$base] = &[MontFp!($beta)];
            const LAMBDA: $scalar = MontFp!($lambda);
            const SCALAR_DECOMP_COEFFS: [(bool, <$scalar as PrimeField>::BigInt); 4] = $vectors;

            fn endomorphism(point: &Projective<Self>) -> Projective<Self> {
                let mut image = *point;
                image.x *= Self::ENDO_COEFFS[0];
                image
            }

            fn endomorphism_affine(point: &Affine<Self>) -> Affine<Self> {
                let mut image = *point;
                image.x *= Self::ENDO_COEFFS[0];
                image
            }
        }
    };
}

curve! {
    /// Tweedledum.
    Tweedledum, TweedledumFq, TweedledeeFq,
    "19434866653496910569587979030212407326153838703144491501546131236808607872568",
    "4172538909816574641501192189521917050765521546777897028614955944319940320003",
    [
        (true, BigInt!("98231058071586378707812038740453359616")),
        (false, BigInt!("98231058070700448881578932545389592577")),
        (true, BigInt!("98231058070700448881578932545389592577")),
        (true, BigInt!("196462116142286827589390971285842952193")),
    ]
}

curve! {
    /// Tweedledee.
    Tweedledee, TweedledeeFq, TweedledumFq,
    "24775483399512474214391554062650059912556682109176536098332128018848638018813",
    "9513155655832138286304767221959569637168364952810827555227185832555034233288",
    [
        (true, BigInt!("98231058070700448881578932545389592576")),
        (false, BigInt!("98231058071586378707812038740453359617")),
        (true, BigInt!("196462116142286827589390971285842952193")),
        (true, BigInt!("98231058070700448881578932545389592576")),
    ]
}

#[test]
fn the_orders_are_those_of_a_cycle() {
    use ark_ec::AffineRepr;
    use ark_ff::Zero;
    use ark_std::UniformRand;

    fn check<C: GLVConfig>() {
        let generator = Affine::<C>::generator();
        assert!(generator.is_on_curve() && generator.mul_bigint(C::ScalarField::MODULUS).is_zero());
        let scalar = C::ScalarField::rand(&mut ark_std::test_rng());
        assert_eq!(C::glv_mul_affine(generator, scalar), generator * scalar);
    }
    check::<Tweedledum>();
    check::<Tweedledee>();
    let moduli = [TweedledumFq::MODULUS.into(), TweedledeeFq::MODULUS.into()];
    assert_eq!(
        moduli.map(|modulus: num_bigint::BigUint| format!("{modulus:x}")),
        [
            "40000000000000000000000000000000038aa1276c3f59b9a14064e200000001",
            "40000000000000000000000000000000038aa127696286c9842cafd400000001"
        ]
    );
}
