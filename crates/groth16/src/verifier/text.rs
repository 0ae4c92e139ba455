//! Proofs as texts of snarkjs and rapidsnark, of a curve that only the key names. The code is compiled once, here, for
//! all verifiers of texts.

use super::PreparedVerifyingKey;
use crate::file::{public_from_json, FileError, ProofJson, Value, VerifyingKeyJson};
use crate::{with_pairing, ClaimPart, CurveId, Error, PairingCurve};

/// A proof and its public signals: a `proof.json` and a `public.json`.
#[derive(Clone, Copy, Debug)]
pub struct TextClaim<'a> {
    /// The public signals.
    pub public: &'a [u8],
    /// The proof.
    pub proof: &'a [u8],
}

impl<'a> TextClaim<'a> {
    /// Splits a text into claims: the text is one claim, `{"proof": ..., "publicSignals": ...}`, or a list of claims.
    /// The texts in a claim are read when they are verified. The [example](crate::TextVerifier) uses it.
    ///
    /// # Errors
    /// [`FileError::Json`] if the text has another structure; [`Error::NoProofs`] for an empty list.
    pub fn parse_all(text: &'a [u8]) -> Result<Vec<Self>, Error> {
        let value = Value::parse(text, CLAIM)?;
        let claims = match value.elements() {
            None => vec![Self::parse(value, "this")?],
            Some(list) => (0..)
                .zip(list)
                .map(|(i, value)| Self::parse(value, &format!("proof {i}")))
                .collect::<Result<_, _>>()?,
        };
        match claims.is_empty() {
            true => Err(Error::NoProofs),
            false => Ok(claims),
        }
    }

    fn parse(value: Value<'a>, what: &str) -> Result<Self, FileError> {
        let object = value.object().ok_or_else(|| value.refuse(what, CLAIM))?;
        let text = |name| match object.only(name, CLAIM)? {
            Some(value) => Ok(value.text().as_bytes()),
            None => Err(FileError::Json {
                expected: CLAIM,
                reason: format!("{what} is a JSON object without {name}"),
            }),
        };
        Ok(TextClaim { public: text("publicSignals")?, proof: text("proof")? })
    }
}

/// Texts that [`TextClaim::parse_all`] reads.
const CLAIM: &str = "{\"proof\": ..., \"publicSignals\": ...}, or a list of these";

/// A claim that does not hold.
#[derive(Debug)]
pub struct BadClaim {
    /// Index of the first claim that does not hold.
    pub index: usize,
    /// The point that is not in its group, if this is the reason.
    pub point: Option<FileError>,
}

/// A `verification_key.json`, ready for proofs.
///
/// ```
/// use bucketwheel_groth16::{TextClaim, TextVerifier};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../snarkjs/tests/data/bn254");
/// let read = |name: &str| std::fs::read(format!("{folder}/{name}.json"));
/// let verifier = TextVerifier::new(&read("verification_key")?)?;
/// println!("{} public signals over {}", verifier.public(), verifier.curve());
/// let (public, proof) = (read("public")?, read("proof")?);
/// assert!(verifier.first_bad(&[TextClaim { public: &public, proof: &proof }])?.is_none());
///
/// // A text with both.
/// let text = [br#"{"publicSignals": "#, &public[..], br#", "proof": "#, &proof, b"}"].concat();
/// assert!(verifier.first_bad(&TextClaim::parse_all(&text)?)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TextVerifier {
    curve: CurveId,
    public: usize,
    key: Box<dyn Key>,
}

impl TextVerifier {
    /// Reads a key. Costs the checks of its points, and a pairing. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::File`] if the text is no key, [`Error::MissingCurve`] for a key of a curve that this build lacks.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        let json = VerifyingKeyJson::parse(key)?;
        let curve = json.curve()?;
        with_pairing!(curve, E => {
            let key = json.decode::<E>()?;
            Ok(TextVerifier { curve, public: key.public(), key: Box::new(PreparedVerifyingKey::new(&key)) })
        })?
    }

    /// Returns the curve. The [example](Self) uses it.
    pub fn curve(&self) -> CurveId {
        self.curve
    }

    /// Returns the number of public signals of a proof. The [example](Self) uses it.
    pub fn public(&self) -> usize {
        self.public
    }

    /// Returns the first of these claims that does not hold; `None` if all hold. Costs as much as
    /// [`PreparedVerifyingKey::verify_many`]. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::NoProofs`] if there are no claims; [`Error::Claim`] for the first text that cannot be read, or has more
    /// or fewer signals than the key; the engine's errors.
    pub fn first_bad(&self, claims: &[TextClaim<'_>]) -> Result<Option<BadClaim>, Error> {
        self.key.first_bad(claims)
    }
}

/// A key, of any curve.
trait Key: Send + Sync {
    fn first_bad(&self, claims: &[TextClaim<'_>]) -> Result<Option<BadClaim>, Error>;
}

impl<E: TextCurve> Key for PreparedVerifyingKey<E> {
    fn first_bad(&self, claims: &[TextClaim<'_>]) -> Result<Option<BadClaim>, Error> {
        E::first_bad(self, claims)
    }
}

/// A curve whose texts are verified by a function that is not generic, so that it is compiled once, in this crate.
pub trait TextCurve: PairingCurve {
    /// Returns the first of these claims that does not hold, as [`TextVerifier::first_bad`] tells it.
    /// The [example](crate::TextVerifier) uses it.
    ///
    /// # Errors
    /// The errors of [`TextVerifier::first_bad`].
    fn first_bad(
        key: &PreparedVerifyingKey<Self>,
        claims: &[TextClaim<'_>],
    ) -> Result<Option<BadClaim>, Error>;
}

macro_rules! text_curve {
    ($curve:ident) => {
        impl TextCurve for crate::$curve {
            fn first_bad(
                key: &PreparedVerifyingKey<Self>,
                claims: &[TextClaim<'_>],
            ) -> Result<Option<BadClaim>, Error> {
                key.first_bad_text(claims)
            }
        }
    };
}

bucketwheel_snarkjs::__if_bn254! { { text_curve! { Bn254 } } {} }
bucketwheel_snarkjs::__if_bls12_381! { { text_curve! { Bls12_381 } } {} }

impl<E: PairingCurve> PreparedVerifyingKey<E> {
    /// Returns the first of these claims that does not hold.
    fn first_bad_text(&self, claims: &[TextClaim<'_>]) -> Result<Option<BadClaim>, Error> {
        if claims.is_empty() {
            return Err(Error::NoProofs);
        }
        let expected = self.ic.len().saturating_sub(1);
        let mut read = Vec::new();
        let mut outside = None;
        for (index, claim) in claims.iter().enumerate() {
            let about = |part, source: Error| Error::Claim { index, part, source: Box::new(source) };
            let public = public_from_json::<E::ScalarField>(claim.public);
            let public = public.map_err(|error| about(ClaimPart::Public, error.into()))?;
            let found = public.len();
            if found != expected {
                return Err(about(ClaimPart::Public, Error::PublicSignals { expected, found }));
            }
            match ProofJson::parse(claim.proof).and_then(|json| json.decode::<E>()) {
                Ok(proof) => read.push((public, proof)),
                // Claims after this one do not matter any more.
                Err(point @ FileError::Point { .. }) => {
                    outside = Some(BadClaim { index, point: Some(point) });
                    break;
                }
                Err(error) => return Err(about(ClaimPart::Proof, error.into())),
            }
        }
        let read: Vec<_> = read.iter().map(|(public, proof)| (&public[..], *proof)).collect();
        let first_bad = self.verify_many(&read)?.map(|index| BadClaim { index, point: None });
        Ok(first_bad.or(outside))
    }
}
