//! G1 of BLS24-315, the inner curve of a chain with BW6-633, on arkworks' types: seed z = -3218079743 (El Housni and
//! Guillevic, "Families of SNARK-Friendly 2-Chains of Elliptic Curves", EUROCRYPT 2022).
//!
//! r = z^8 - z^4 + 1, p = (z - 1)^2 r / 3 + z, and the cofactor is (z - 1)^2 / 3.

#![allow(missing_docs)] // Of what arkworks' macro makes.
#![allow(unexpected_cfgs)] // For the items that arkworks' macro makes.

use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ec::CurveConfig;
use ark_ff::{AdditiveGroup, Field, Fp256, Fp320, MontBackend, MontConfig, MontFp};

#[derive(MontConfig)]
#[modulus = "39705142709513438335025689890408969744933502416914749335064285505637884093126342347073617133569"]
#[generator = "13"]
pub struct FqConfig;
/// The coordinates' field.
pub type Fq = Fp320<MontBackend<FqConfig, 5>>;

#[derive(MontConfig)]
#[modulus = "11502027791375260645628074404575422495959608200132055716665986169834464870401"]
#[generator = "7"]
pub struct FrConfig;
/// The scalars' field.
pub type Fr = Fp256<MontBackend<FrConfig, 4>>;

/// The first group, `y^2 = x^3 + 1`.
#[derive(Clone, Copy, Debug)]
pub struct G1;

impl CurveConfig for G1 {
    type BaseField = Fq;
    type ScalarField = Fr;

    const COFACTOR: &'static [u64] = &[3452012412914368512];
    const COFACTOR_INV: Fr =
        MontFp!("11502027748484983061746766725372608623013042341922603258659095701186171371503");
}

impl SWCurveConfig for G1 {
    const COEFF_A: Fq = Fq::ZERO;
    const COEFF_B: Fq = Fq::ONE;
    type ZeroFlag = ();
    /// The generator is the point of the least x, and of the smaller of its two y, times the cofactor.
    const GENERATOR: Affine<Self> = Affine::new_unchecked(
        MontFp!(
            "18173129615916562633758583852863110382068506431943159551124216577926571661102797669390831188806"
        ),
        MontFp!(
            "4021338620472226845890117627534942370404471823565675246206430697448408255908805334952870670463"
        ),
    );
}

#[test]
fn the_parameters_are_those_of_the_seed() {
    use ark_ec::AffineRepr;
    use ark_ff::{PrimeField, Zero};
    use num_bigint::{BigInt, BigUint};

    let z = BigInt::from(-3218079743i64);
    let r: BigInt = z.pow(8) - z.pow(4) + 1;
    let cofactor: BigInt = (&z - 1u32).pow(2) / 3;
    let modulus = |words: BigUint| BigInt::from(words);
    assert_eq!(modulus(Fr::MODULUS.into()), r);
    assert_eq!(modulus(Fq::MODULUS.into()), &cofactor * &r + &z);
    assert_eq!(BigInt::from(G1::COFACTOR[0]), cofactor);
    let generator = Affine::<G1>::generator();
    assert!(generator.is_on_curve() && generator.mul_bigint(Fr::MODULUS).is_zero());
}
