//! BLS24-315, the inner curve of a chain with BW6-633, on arkworks' types: seed z = -3218079743 (El Housni and
//! Guillevic, "Families of SNARK-Friendly 2-Chains of Elliptic Curves", EUROCRYPT 2022).
//!
//! r = z^8 - z^4 + 1, p = (z - 1)^2 r / 3 + z, and the cofactor of G1 is (z - 1)^2 / 3. G2 is on the sextic twist over
//! `Fp[u, v] / (u^2 - 13, v^2 - u)`, and its generator is gnark-crypto's.

#![allow(missing_docs)] // Of what arkworks' macro makes.
#![allow(unexpected_cfgs)] // For the items that arkworks' macro makes.

use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ec::CurveConfig;
use ark_ff::{
    AdditiveGroup, Field, Fp2, Fp256, Fp2Config, Fp320, Fp4, Fp4Config, MontBackend, MontConfig, MontFp,
};

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

pub struct Fq2Config;

impl Fp2Config for Fq2Config {
    type Fp = Fq;

    const NONRESIDUE: Fq = MontFp!("13");
    const FROBENIUS_COEFF_FP2_C1: &[Fq] = &[MontFp!("1"), MontFp!("-1")];
}

pub struct Fq4Config;

impl Fp4Config for Fq4Config {
    type Fp2Config = Fq2Config;

    const NONRESIDUE: Fq2 = Fq2::new(Fq::ZERO, Fq::ONE);
    const FROBENIUS_COEFF_FP4_C1: &[Fq] = &[
        MontFp!("1"),
        MontFp!(
            "14265754707630841383590096931465005402246260064523506653409458152869013672931584279153351926943"
        ),
        MontFp!("-1"),
        MontFp!(
            "25439388001882596951435592958943964342687242352391242681654827352768870420194758067920265206626"
        ),
    ];
}

/// The quadratic extension, by a root u of 13.
pub type Fq2 = Fp2<Fq2Config>;
/// The field of the second group's coordinates: the quadratic extension of [`Fq2`] by a root v of u.
pub type Fq4 = Fp4<Fq4Config>;

/// The second group, `y^2 = x^3 + 1 / v`.
#[derive(Clone, Copy, Debug)]
pub struct G2;

impl CurveConfig for G2 {
    type BaseField = Fq4;
    type ScalarField = Fr;

    const COFACTOR: &'static [u64] = &[
        0xdf101e0000000001,
        0xc6fe9ac0018b940a,
        0x15b52c02797e31a2,
        0xcd34eace3e7e7012,
        0x83eb09e6f58e9055,
        0x98dd4b373acdeee1,
        0xfe00fe2b41efdc36,
        0xbf73a8d2cc439fff,
        0x469c774cb87cd287,
        0x7a0dded7e599b628,
        0xb006921322861513,
        0x446602b3ec97c88d,
        0x9f9a3e8f21811c01,
        0xa3d20ecd4e893c62,
        0xcf9c5e2d1e9744e1,
        0x0000142a76791a4e,
    ];
    const COFACTOR_INV: Fr =
        MontFp!("4554155043303784494090402065353399334353191703800238427501238319613167445417");
}

impl SWCurveConfig for G2 {
    const COEFF_A: Fq4 = Fq4::ZERO;
    /// `1 / v = (u / 13) v`
    const COEFF_B: Fq4 = Fq4::new(Fq2::ZERO, Fq2::new(Fq::ZERO, MontFp!("6108483493771298205388567675447533806912846525679192205394505462405828322019437284165171866703")));
    type ZeroFlag = ();
    const GENERATOR: Affine<Self> = Affine::new_unchecked(Fq4::new(Fq2::new(MontFp!("24614737899199071964341749845083777103809664018538138889239909664991294445469052467064654073699"), MontFp!("17049297748993841127032249156255993089778266476087413538366212660716380683149731996715975282972")), Fq2::new(MontFp!("11950668649125904104557740112865942804623051114821811669564995102755430514441092495782202668342"), MontFp!("3603055379462539802413979855826194299714805833759849528529386570240639115620788686893505938793"))), Fq4::new(Fq2::new(MontFp!("31740092748246070457677943092194030978994615503726570180895475408200863271773078192139722193079"), MontFp!("30261413948955264769241509843031153941332801192447678605718183215275065425758214858190865971597")), Fq2::new(MontFp!("14195825602561496219090410113749222574308144851497375443809100117082380611212823440674391088885"), MontFp!("2391152940984805871402135750194189812615420966694899795235607856168224901793030297133493038211"))));
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

#[test]
fn the_second_group_is_of_order_r_on_the_twist() {
    use ark_ec::{AffineRepr, PrimeGroup};
    use ark_ff::{PrimeField, UniformRand, Zero};
    use num_bigint::BigInt;

    // 4 | p - 1, and 13 is no square, so X^4 - 13 is irreducible: u and v generate fields.
    let integer = |words: num_bigint::BigUint| BigInt::from(words);
    let (p, r) = (integer(Fq::MODULUS.into()), integer(Fr::MODULUS.into()));
    assert!(&p % 4u32 == 1.into() && Fq::from(13u32).legendre().is_qnr());
    let u = Fq2::new(Fq::ZERO, Fq::ONE);
    let v = Fq4::new(Fq2::ZERO, Fq2::ONE);
    assert_eq!((u * u, v * v), (Fq2::from(13u32), Fq4::new(u, Fq2::ZERO)));
    let element = Fq4::rand(&mut ark_std::test_rng());
    assert_eq!(element.frobenius_map(1), element.pow(Fq::MODULUS));
    assert_eq!(G2::COEFF_B * v, Fq4::ONE);

    // The trace t of E over Fp is z + 1, so the trace over Fp^4 is t4. The order of a sextic twist is
    // p^4 + 1 - (±t4 ± 3 f) / 2 with 4 p^4 = t4^2 + 3 f^2, and r divides one of the four.
    let t = BigInt::from(-3218079743i64) + 1;
    let t2 = &t * &t - 2 * &p;
    let t4: BigInt = &t2 * &t2 - 2 * &p * &p;
    let p4 = p.pow(4);
    let square: BigInt = (4 * &p4 - &t4 * &t4) / 3u32;
    let f = square.sqrt();
    assert_eq!(&t4 * &t4 + 3 * &f * &f, 4 * &p4);
    let order: BigInt = &p4 + 1 - (&t4 + 3 * &f) / 2;
    let words = |words: &[u64]| words.iter().rev().fold(BigInt::from(0), |sum, &word| (sum << 64) + word);
    let cofactor = words(G2::COFACTOR);
    assert_eq!(&cofactor * &r, order);
    // The test of the subgroup relies on it (`membership.rs`).
    assert!(cofactor.modinv(&words(G1::COFACTOR)).is_some(), "the cofactors have no common divisor");
    assert_eq!(Fr::from(cofactor.magnitude().clone()) * G2::COFACTOR_INV, Fr::ONE);

    let generator = Affine::<G2>::generator();
    assert!(generator.is_on_curve() && !generator.is_zero() && generator.mul_bigint(Fr::MODULUS).is_zero());
    // Any point of the twist times its order is infinity.
    let point = loop {
        let x = Fq4::rand(&mut ark_std::test_rng());
        if let Some(point) = Affine::<G2>::get_point_from_x_unchecked(x, false) {
            break point;
        }
    };
    assert!(point.is_on_curve() && !point.mul_bigint(Fr::MODULUS).is_zero());
    assert!(point.mul_bigint(Fr::MODULUS).mul_bigint(G2::COFACTOR).is_zero());
}
