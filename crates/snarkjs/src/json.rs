//! snarkjs' JSON: `verification_key.json`, `proof.json` and `public.json`.
//!
//! Numbers are decimal strings. Points are projective, `[x, y, "1"]`, or `["0", "1", "0"]` for infinity; elements of
//! an extension are lists of coefficients, the constant one first. Readers take nothing else, and only points that
//! lie in their group.

use ark_ec::short_weierstrass::Affine;
use ark_ec::{AdditiveGroup, AffineRepr};
use ark_ff::{Field, PrimeField};
use bucketwheel::Curve;
use num_bigint::BigUint;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::points::check_point;
use super::FileError;
use crate::{CurveId, PairingCurve, Proof, VerifyingKey};

const PROTOCOL: &str = "groth16";

/// A coordinate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Coordinate {
    /// Of a prime field.
    Prime(String),
    /// Of its quadratic extension.
    Extension([String; 2]),
}

impl Coordinate {
    fn new<F: Field>(element: &F) -> Self {
        let mut coefficients = element.to_base_prime_field_elements().map(|element| element.to_string());
        match (coefficients.next(), coefficients.next()) {
            (Some(c0), Some(c1)) => Coordinate::Extension([c0, c1]),
            (c0, _) => Coordinate::Prime(c0.unwrap_or_default()),
        }
    }

    fn decode<F: Field>(&self, what: &str) -> Result<F, FileError> {
        let decode = |text: &String| decimal::<F::BasePrimeField>(text, what);
        let coefficients = match self {
            Coordinate::Prime(element) => vec![decode(element)?],
            Coordinate::Extension([c0, c1]) => vec![decode(c0)?, decode(c1)?],
        };
        let (found, expected) = (coefficients.len(), F::extension_degree());
        F::from_base_prime_field_elems(coefficients).ok_or_else(|| FileError::Number {
            what: format!("the degree of the field of {what}"),
            found: found as u64,
            expected: expected.to_string(),
        })
    }
}

/// The element of a canonical decimal.
fn decimal<F: PrimeField>(text: &str, what: &str) -> Result<F, FileError> {
    // As long as the modulus at most: parsing takes quadratic time.
    let canonical = text.len() <= F::MODULUS_BIT_SIZE as usize / 3 + 1
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    let integer = if canonical { BigUint::parse_bytes(text.as_bytes(), 10) } else { None };
    let element = integer.and_then(|integer| F::BigInt::try_from(integer).ok()).and_then(F::from_bigint);
    element.ok_or_else(|| FileError::Decimal { what: what.into() })
}

/// A point: x, y and z.
type Point = [Coordinate; 3];

fn encode_point<C: Curve>(point: &Affine<C>) -> Point {
    let (zero, one) = (C::BaseField::ZERO, C::BaseField::ONE);
    let [x, y, z] = point.xy().map_or([zero, one, zero], |(x, y)| [x, y, one]);
    [Coordinate::new(&x), Coordinate::new(&y), Coordinate::new(&z)]
}

fn decode_point<C: Curve>(point: &Point, what: &str) -> Result<Affine<C>, FileError> {
    let coordinate = |i: usize| point[i].decode::<C::BaseField>(what);
    let (x, y, z) = (coordinate(0)?, coordinate(1)?, coordinate(2)?);
    let (zero, one) = (C::BaseField::ZERO, C::BaseField::ONE);
    if [x, y, z] == [zero, one, zero] {
        return Ok(Affine::identity());
    }
    if z != one {
        return Err(FileError::Point { what: what.into(), expected: "affine, with third coordinate 1" });
    }
    let point = Affine::new_unchecked(x, y);
    check_point(&point, || what.into())?;
    Ok(point)
}

fn parse<T: DeserializeOwned>(text: &[u8], expected: &'static str) -> Result<T, FileError> {
    serde_json::from_slice(text).map_err(|error| FileError::Json { expected, reason: error.to_string() })
}

/// Text as `JSON.stringify` of JavaScript writes it with an indentation of 1.
fn stringify(value: &impl Serialize) -> String {
    let mut text = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b" ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, formatter);
    value.serialize(&mut serializer).expect("strings and lists, into memory");
    String::from_utf8(text).expect("JSON is Unicode")
}

fn check_protocol(protocol: &str) -> Result<(), FileError> {
    match protocol == PROTOCOL {
        true => Ok(()),
        false => Err(FileError::Unsupported { found: format!("protocol {protocol:?}"), expected: PROTOCOL }),
    }
}

fn curve_of(name: &str) -> Result<CurveId, FileError> {
    let unsupported =
        || FileError::Unsupported { found: format!("curve {name:?}"), expected: "bn128 or bls12381" };
    CurveId::from_name(name).ok_or_else(unsupported)
}

fn check_curve<E: PairingCurve>(found: CurveId) -> Result<(), FileError> {
    match found == E::ID {
        true => Ok(()),
        false => Err(FileError::OtherCurve { expected: E::ID, found }),
    }
}

/// An element of the pairing's target field, an extension of degree 2 over one of degree 3 over one of degree 2.
type Target = [[[String; 2]; 3]; 2];

fn alpha_beta<E: PairingCurve>(key: &VerifyingKey<E>) -> Target {
    let pairing = E::pairing(key.alpha_g1, key.beta_g2).0;
    let mut coefficients = pairing.to_base_prime_field_elements().map(|element| element.to_string());
    // Arrays are made in order.
    std::array::from_fn(|_| {
        std::array::from_fn(|_| std::array::from_fn(|_| coefficients.next().unwrap_or_default()))
    })
}

/// `verification_key.json`, as text in its structure: the curve is known, points are still decimals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifyingKeyJson {
    protocol: String,
    curve: String,
    #[serde(rename = "nPublic")]
    public: usize,
    vk_alpha_1: Point,
    vk_beta_2: Point,
    vk_gamma_2: Point,
    vk_delta_2: Point,
    /// e(alpha, beta), which verifiers compute themselves: not every program writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    vk_alphabeta_12: Option<Target>,
    #[serde(rename = "IC")]
    ic: Vec<Point>,
}

impl VerifyingKeyJson {
    /// Reads the text.
    ///
    /// # Errors
    /// [`FileError::Json`] if it has another structure.
    pub fn parse(text: &[u8]) -> Result<Self, FileError> {
        let json: Self = parse(text, "a verification_key.json")?;
        check_protocol(&json.protocol)?;
        if json.ic.len() != json.public.saturating_add(1) {
            return Err(FileError::Number {
                what: "the number of points in IC".into(),
                found: json.ic.len() as u64,
                expected: format!("one more than the {} public signals", json.public),
            });
        }
        Ok(json)
    }

    /// The curve.
    ///
    /// # Errors
    /// [`FileError::Unsupported`].
    pub fn curve(&self) -> Result<CurveId, FileError> {
        curve_of(&self.curve)
    }

    /// The key. Costs a check of each point against its group, and a pairing.
    ///
    /// # Errors
    /// [`FileError::OtherCurve`], [`FileError::Decimal`] or [`FileError::Point`] for the first one that is wrong.
    pub fn decode<E: PairingCurve>(&self) -> Result<VerifyingKey<E>, FileError> {
        check_curve::<E>(self.curve()?)?;
        let ic = self.ic.iter().enumerate().map(|(i, point)| decode_point(point, &format!("IC[{i}]")));
        let key = VerifyingKey {
            alpha_g1: decode_point(&self.vk_alpha_1, "vk_alpha_1")?,
            beta_g2: decode_point(&self.vk_beta_2, "vk_beta_2")?,
            gamma_g2: decode_point(&self.vk_gamma_2, "vk_gamma_2")?,
            delta_g2: decode_point(&self.vk_delta_2, "vk_delta_2")?,
            ic: ic.collect::<Result<_, _>>()?,
        };
        if self.vk_alphabeta_12.as_ref().is_some_and(|found| *found != alpha_beta(&key)) {
            let what = "vk_alphabeta_12".into();
            return Err(FileError::Point { what, expected: "the pairing of vk_alpha_1 and vk_beta_2" });
        }
        Ok(key)
    }

    /// Of this key. Costs a pairing.
    pub fn encode<E: PairingCurve>(key: &VerifyingKey<E>) -> Self {
        VerifyingKeyJson {
            protocol: PROTOCOL.into(),
            curve: E::ID.name().into(),
            public: key.public(),
            vk_alpha_1: encode_point(&key.alpha_g1),
            vk_beta_2: encode_point(&key.beta_g2),
            vk_gamma_2: encode_point(&key.gamma_g2),
            vk_delta_2: encode_point(&key.delta_g2),
            vk_alphabeta_12: Some(alpha_beta(key)),
            ic: key.ic.iter().map(encode_point).collect(),
        }
    }

    /// The text.
    pub fn to_text(&self) -> String {
        stringify(self)
    }
}

/// `proof.json`, as text in its structure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofJson {
    pi_a: Point,
    pi_b: Point,
    pi_c: Point,
    protocol: String,
    /// Not every prover writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    curve: Option<String>,
}

impl ProofJson {
    /// Reads the text.
    ///
    /// # Errors
    /// [`FileError::Json`] if it has another structure.
    pub fn parse(text: &[u8]) -> Result<Self, FileError> {
        let json: Self = parse(text, "a proof.json")?;
        check_protocol(&json.protocol)?;
        Ok(json)
    }

    /// Returns the curve if the proof names it.
    ///
    /// # Errors
    /// [`FileError::Unsupported`].
    pub fn curve(&self) -> Result<Option<CurveId>, FileError> {
        self.curve.as_deref().map(curve_of).transpose()
    }

    /// The proof. Costs a check of each point against its group.
    ///
    /// # Errors
    /// [`FileError::OtherCurve`], [`FileError::Decimal`] or [`FileError::Point`] for the first one that is wrong.
    pub fn decode<E: PairingCurve>(&self) -> Result<Proof<E>, FileError> {
        if let Some(name) = &self.curve {
            check_curve::<E>(curve_of(name)?)?;
        }
        Ok(Proof {
            a: decode_point(&self.pi_a, "pi_a")?,
            b: decode_point(&self.pi_b, "pi_b")?,
            c: decode_point(&self.pi_c, "pi_c")?,
        })
    }

    /// Of this proof.
    pub fn encode<E: PairingCurve>(proof: &Proof<E>) -> Self {
        ProofJson {
            pi_a: encode_point(&proof.a),
            pi_b: encode_point(&proof.b),
            pi_c: encode_point(&proof.c),
            protocol: PROTOCOL.into(),
            curve: Some(E::ID.name().into()),
        }
    }

    /// The same without the name of the curve, which rapidsnark does not write.
    pub fn without_curve(self) -> Self {
        ProofJson { curve: None, ..self }
    }

    /// The text.
    pub fn to_text(&self) -> String {
        stringify(self)
    }
}

/// The public signals in a `public.json`; `null` is none, as rapidsnark writes it.
///
/// # Errors
/// [`FileError::Json`] if this is no list of strings, [`FileError::Decimal`] for the first that is not below the
/// order: such a signal is refused, not reduced.
pub fn public_from_json<F: PrimeField>(text: &[u8]) -> Result<Vec<F>, FileError> {
    let signals: Vec<String> = parse::<Option<_>>(text, "a public.json")?.unwrap_or_default();
    signals.iter().enumerate().map(|(i, text)| decimal(text, &format!("public signal {i}"))).collect()
}

/// The text of a `public.json`.
pub fn public_to_json<F: PrimeField>(signals: &[F]) -> String {
    public_text(&signals.iter().map(F::to_string).collect::<Vec<_>>())
}

/// The text of a `public.json` of these decimals.
pub fn public_text(signals: &[String]) -> String {
    stringify(&signals)
}
