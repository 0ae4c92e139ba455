//! snarkjs' JSON: `verification_key.json`, `proof.json` and `public.json`.
//!
//! Numbers are decimal strings. Points are projective, `[x, y, "1"]`, or `["0", "1", "0"]` for infinity; elements of an
//! extension are lists of coefficients, the constant coefficient first. Readers take only points that lie in their
//! group.
//!
//! The command, the server, Python and the C libraries all read by these rules:
//!
//! | text | taken | refused |
//! |---|---|---|
//! | `protocol` | `groth16`, or absent | all else |
//! | `curve` | snarkjs' names; absent in a proof | all else; a curve that is not the key's |
//! | coordinate | a canonical decimal as a string | a JSON number, which other readers round |
//! | public signal | the same; `0x` and hexadecimal digits as a string; a JSON number up to 2^53, which no reader
//! rounds | a number that is not below the order |
//! | public signals | a list; `null` for none, as rapidsnark writes it | |
//!
//! Members may come in any order. Other members are ignored. A member that occurs twice is refused, and so are lists
//! in the place of objects. If a text is another one of the three, the error says which one.

use ark_ff::{Field, PrimeField};
use serde::Serialize;

use super::json_point::{
    decimal, decode_point, decode_secret, encode_point, hexadecimal, read_list, read_number, read_point,
    Coordinate, Point, PAIR, POINT,
};
use super::{FileError, Object, Value};
use crate::{curve_named, snarkjs_name, CurveId, PairingCurve, Proof, VerifyingKey, CURVE_NAMES};

const PROTOCOL: &str = "groth16";

/// Expected content of the three texts, for errors.
const PROOF: &str = "a proof (proof.json)";
const PUBLIC: &str = "public signals (public.json)";
const KEY: &str = "a verification key (verification_key.json)";
/// Expected form of numbers, for errors.
const SIGNAL: &str = "a decimal integer as a string, or a JSON number up to 2^53";
const TARGET: &str = "lists of two, three and two, of decimal integers as strings";

/// Reads the members of an object that should be `expected`; the object is `expected` if it has one of these names.
fn read_object<'a>(text: &'a [u8], expected: &'static str, names: &[&str]) -> Result<Object<'a>, FileError> {
    let value = Value::parse(text, expected)?;
    let refuse = |reason: &str| Err(FileError::Json { expected, reason: reason.into() });
    let Some(object) = value.object() else {
        return match value.text().starts_with('[') {
            true => refuse("this is a list, as public signals are"),
            false => Err(value.refuse("this", expected)),
        };
    };
    match object.has(names) {
        true => Ok(object),
        false => refuse(&format!("this is {}", name_object(&object))),
    }
}

/// Members that distinguish a proof from a key.
const OF_PROOF: [&str; 3] = ["pi_a", "pi_b", "pi_c"];
const OF_KEY: [&str; 3] = ["vk_alpha_1", "vk_beta_2", "IC"];

/// Returns the name of an object, judged by its members.
fn name_object(object: &Object<'_>) -> &'static str {
    match () {
        () if object.has(&OF_PROOF) => "a proof",
        () if object.has(&OF_KEY) => "a verification key",
        () if object.has(&["publicSignals"]) => "a proof together with its public signals",
        () => "another JSON object",
    }
}

/// Shortens a text for an error, because it may be as long as a file.
fn quoted(text: &str) -> String {
    const MOST: usize = 32;
    match text.char_indices().nth(MOST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}...", &text[..end]),
    }
}

/// Checks the protocol, which may be absent.
fn read_protocol(object: &Object<'_>, expected: &'static str) -> Result<(), FileError> {
    match object.find("protocol", expected)? {
        None => Ok(()),
        Some(protocol) => check_protocol(&protocol.string(|| "protocol".into(), "\"groth16\"")?),
    }
}

/// Formats text as JavaScript's `JSON.stringify` does with an indentation of 1.
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
        false => Err(FileError::Unsupported {
            found: format!("protocol {}", quoted(protocol)),
            expected: PROTOCOL,
        }),
    }
}

fn curve_of(name: &str) -> Result<CurveId, FileError> {
    let unsupported =
        || FileError::Unsupported { found: format!("curve {}", quoted(name)), expected: CURVE_NAMES };
    curve_named(name).ok_or_else(unsupported)
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
    let product = E::miller_loops(&[key.alpha_g1], &[E::prepare(key.beta_g2)]);
    // A product of Miller loops is not 0.
    let pairing = E::exponentiate(product).unwrap_or_default();
    let mut coefficients = pairing.to_base_prime_field_elements().map(|element| element.to_string());
    // Arrays are made in order.
    std::array::from_fn(|_| {
        std::array::from_fn(|_| std::array::from_fn(|_| coefficients.next().unwrap_or_default()))
    })
}

/// Text of a `verification_key.json` with its structure: the curve is known, but points are still decimals.
///
/// ```
/// use ark_bn254::Fr;
/// use bucketwheel_snarkjs::{public_from_json, public_text, public_to_json};
/// use bucketwheel_snarkjs::{Bn254, CurveId, ProofJson, VerifyingKeyJson};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bn254");
/// let key = VerifyingKeyJson::parse(&std::fs::read(format!("{folder}/verification_key.json"))?)?;
/// assert_eq!(key.curve()?, CurveId::Bn254);
/// let points = key.decode::<Bn254>()?;
/// assert_eq!(VerifyingKeyJson::encode::<Bn254>(&points).to_text(), key.to_text());
///
/// let proof = ProofJson::parse(&std::fs::read(format!("{folder}/proof.json"))?)?;
/// assert_eq!(proof.curve()?, Some(CurveId::Bn254));
/// let points = proof.decode::<Bn254>()?;
/// assert!(points.is_in_groups());
/// assert_eq!(ProofJson::encode::<Bn254>(&points).to_text(), proof.to_text());
/// assert_eq!(proof.without_curve().curve()?, None);
///
/// let signals = public_from_json::<Fr>(br#"["33", "7"]"#)?;
/// assert_eq!(public_to_json(&signals), public_text(&["33".to_owned(), "7".to_owned()]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerifyingKeyJson {
    protocol: String,
    curve: String,
    #[serde(rename = "nPublic")]
    public: usize,
    vk_alpha_1: Point,
    vk_beta_2: Point,
    vk_gamma_2: Point,
    vk_delta_2: Point,
    /// e(alpha, beta). Verifiers compute it themselves, because not every program writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    vk_alphabeta_12: Option<Target>,
    #[serde(rename = "IC")]
    ic: Vec<Point>,
}

impl VerifyingKeyJson {
    /// Reads the text. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`FileError::Json`] if the text has another structure.
    pub fn parse(text: &[u8]) -> Result<Self, FileError> {
        let object = read_object(text, KEY, &OF_KEY)?;
        read_protocol(&object, KEY)?;
        let curve = object.get("curve", KEY)?.string(|| "curve".into(), CURVE_NAMES)?;
        let public = object.get("nPublic", KEY)?;
        let public =
            public.exact_integer().ok_or_else(|| public.refuse("nPublic", "a count, a JSON number"))?;
        let target = |value| {
            read_list(value, "vk_alphabeta_12", TARGET, |value, what| {
                read_list(value, what, TARGET, |value, what| read_list(value, what, PAIR, read_number))
            })
        };
        let ic = object.get("IC", KEY)?;
        let ic = ic.elements().ok_or_else(|| ic.refuse("IC", "a list of points"))?;
        let ic = (0..).zip(ic).map(|(i, point)| {
            read_list(point, &format!("IC[{i}]"), POINT, |value, what| Coordinate::read(value, 1, what))
        });
        let json = VerifyingKeyJson {
            protocol: PROTOCOL.into(),
            curve: curve.into_owned(),
            public: public as usize,
            vk_alpha_1: read_point(&object, "vk_alpha_1", 1, KEY)?,
            vk_beta_2: read_point(&object, "vk_beta_2", 2, KEY)?,
            vk_gamma_2: read_point(&object, "vk_gamma_2", 2, KEY)?,
            vk_delta_2: read_point(&object, "vk_delta_2", 2, KEY)?,
            vk_alphabeta_12: object.find("vk_alphabeta_12", KEY)?.map(target).transpose()?,
            ic: ic.collect::<Result<_, _>>()?,
        };
        if json.ic.len() != json.public.saturating_add(1) {
            return Err(FileError::Number {
                what: "the number of points in IC".into(),
                found: json.ic.len() as u64,
                expected: format!("one more than the {} public signals", json.public),
            });
        }
        Ok(json)
    }

    /// Returns the curve. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`FileError::Unsupported`].
    pub fn curve(&self) -> Result<CurveId, FileError> {
        curve_of(&self.curve)
    }

    /// Returns the key. Costs a check of each point against its group, and a pairing. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`FileError::OtherCurve`], [`FileError::Decimal`] or [`FileError::Point`] for the first wrong value.
    pub fn decode<E: PairingCurve>(&self) -> Result<VerifyingKey<E>, FileError> {
        check_curve::<E>(self.curve()?)?;
        let ic = self.ic.iter().enumerate().map(|(i, point)| decode_point(point, &format!("IC[{i}]")));
        let key = VerifyingKey {
            alpha_g1: decode_secret(&self.vk_alpha_1, "vk_alpha_1")?,
            beta_g2: decode_secret(&self.vk_beta_2, "vk_beta_2")?,
            gamma_g2: decode_secret(&self.vk_gamma_2, "vk_gamma_2")?,
            delta_g2: decode_secret(&self.vk_delta_2, "vk_delta_2")?,
            ic: ic.collect::<Result<_, _>>()?,
        };
        if self.vk_alphabeta_12.as_ref().is_some_and(|found| *found != alpha_beta(&key)) {
            let what = "vk_alphabeta_12".into();
            return Err(FileError::Point { what, expected: "the pairing of vk_alpha_1 and vk_beta_2" });
        }
        Ok(key)
    }

    /// Makes the text of this key. Costs a pairing. The [example](Self) uses it.
    pub fn encode<E: PairingCurve>(key: &VerifyingKey<E>) -> Self {
        VerifyingKeyJson {
            protocol: PROTOCOL.into(),
            curve: snarkjs_name(E::ID).into(),
            public: key.public(),
            vk_alpha_1: encode_point(&key.alpha_g1),
            vk_beta_2: encode_point(&key.beta_g2),
            vk_gamma_2: encode_point(&key.gamma_g2),
            vk_delta_2: encode_point(&key.delta_g2),
            vk_alphabeta_12: Some(alpha_beta(key)),
            ic: key.ic.iter().map(encode_point).collect(),
        }
    }

    /// Returns the text. The [example](Self) uses it.
    pub fn to_text(&self) -> String {
        stringify(self)
    }
}

/// Text of a `proof.json` with its structure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProofJson {
    pi_a: Point,
    pi_b: Point,
    pi_c: Point,
    protocol: String,
    /// The curve's name, which not every prover writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    curve: Option<String>,
}

impl ProofJson {
    /// Reads the text. The [example](crate::VerifyingKeyJson) uses it.
    ///
    /// # Errors
    /// [`FileError::Json`] if the text has another structure.
    pub fn parse(text: &[u8]) -> Result<Self, FileError> {
        let object = read_object(text, PROOF, &OF_PROOF)?;
        read_protocol(&object, PROOF)?;
        let curve = object.find("curve", PROOF)?;
        let curve = curve.map(|curve| curve.string(|| "curve".into(), CURVE_NAMES));
        Ok(ProofJson {
            pi_a: read_point(&object, "pi_a", 1, PROOF)?,
            pi_b: read_point(&object, "pi_b", 2, PROOF)?,
            pi_c: read_point(&object, "pi_c", 1, PROOF)?,
            protocol: PROTOCOL.into(),
            curve: curve.transpose()?.map(|curve| curve.into_owned()),
        })
    }

    /// Returns the curve if the proof names it. The [example](crate::VerifyingKeyJson) uses it.
    ///
    /// # Errors
    /// [`FileError::Unsupported`].
    pub fn curve(&self) -> Result<Option<CurveId>, FileError> {
        self.curve.as_deref().map(curve_of).transpose()
    }

    /// Returns the proof. Costs a check of each point against its group.
    /// The [example](crate::VerifyingKeyJson) uses it.
    ///
    /// # Errors
    /// [`FileError::OtherCurve`], [`FileError::Decimal`] or [`FileError::Point`] for the first wrong value.
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

    /// Makes the text of this proof. The [example](crate::VerifyingKeyJson) uses it.
    pub fn encode<E: PairingCurve>(proof: &Proof<E>) -> Self {
        ProofJson {
            pi_a: encode_point(&proof.a),
            pi_b: encode_point(&proof.b),
            pi_c: encode_point(&proof.c),
            protocol: PROTOCOL.into(),
            curve: Some(snarkjs_name(E::ID).into()),
        }
    }

    /// Returns the text without the name of the curve, which rapidsnark does not write.
    /// The [example](crate::VerifyingKeyJson) uses it.
    pub fn without_curve(self) -> Self {
        ProofJson { curve: None, ..self }
    }

    /// Returns the text. The [example](crate::VerifyingKeyJson) uses it.
    pub fn to_text(&self) -> String {
        stringify(self)
    }
}

/// Reads the public signals in a `public.json`. `null` stands for no signals, as in rapidsnark's files.
///
/// The [example](crate::VerifyingKeyJson) uses it.
///
/// # Errors
/// [`FileError::Json`] if the text is no list of numbers; [`FileError::Decimal`] for the first number that is not below
/// the order, because such a signal is refused, not reduced.
pub fn public_from_json<F: PrimeField>(text: &[u8]) -> Result<Vec<F>, FileError> {
    let value = Value::parse(text, PUBLIC)?;
    if value.is_null() {
        return Ok(Vec::new());
    }
    let Some(signals) = value.elements() else {
        return Err(match value.object() {
            Some(object) => {
                FileError::Json { expected: PUBLIC, reason: format!("this is {}", name_object(&object)) }
            }
            None => value.refuse("this", PUBLIC),
        });
    };
    (0..).zip(signals).map(|(i, signal)| read_signal(signal, || format!("public signal {i}"))).collect()
}

/// Reads a public signal: a string, or a number that all readers of JSON read alike.
fn read_signal<F: PrimeField>(signal: Value<'_>, what: impl Fn() -> String) -> Result<F, FileError> {
    if let Some(integer) = signal.exact_integer() {
        return Ok(F::from(integer));
    }
    let text = signal.string(&what, SIGNAL)?;
    match text.strip_prefix("0x") {
        Some(digits) => hexadecimal(digits),
        None => decimal(&text),
    }
    .ok_or_else(|| FileError::Decimal { what: what() })
}

/// Returns the text of a `public.json`.
///
/// The [example](crate::VerifyingKeyJson) uses it.
pub fn public_to_json<F: PrimeField>(signals: &[F]) -> String {
    public_text(&signals.iter().map(F::to_string).collect::<Vec<_>>())
}

/// Returns the text of a `public.json` with these decimals.
///
/// The [example](crate::VerifyingKeyJson) uses it.
pub fn public_text(signals: &[String]) -> String {
    stringify(&signals)
}
