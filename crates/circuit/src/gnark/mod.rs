//! Proofs of gnark's Groth16, in gnark's own files.
//!
//! A circuit of gnark may have commitments (BSB22). A proof then has a Pedersen commitment `D_i` to some values of the
//! witness for each commitment of the circuit, and one proof of knowledge `P` for all. The hash `h_i` of `D_i`, and of
//! the public inputs and earlier hashes that the key names, is one more input of the circuit. The proof holds if
//!
//! ```text
//! e(A, B) = e(alpha, beta) e(K_0 + sum x_j K_j + sum h_i K_(l+i) + sum D_i, gamma) e(C, delta)
//! 1 = e(P, G) prod e(c^i D_i, G_i),  c = hash(h_0, h_1, ...)
//! ```
//!
//! with `G_i = -sigma_i G` in the key. [`hash`] has the hash functions, [`file`] the readers.

mod file;
mod hash;

use ark_ec::short_weierstrass::Projective;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{BigInteger, One, PrimeField};
use bucketwheel::CurveId;
use bucketwheel_groth16::file::FileError;
use bucketwheel_groth16::{
    with_pairing, BadClaim, ClaimPart, Error as Groth16Error, KeyFault, PreparedVerifyingKey, TextClaim,
    VerifyingCurve,
};

use crate::error::{Error, Fault};
use crate::fork;
use file::{KeyFile, ProofFile};

/// A verifying key of gnark, ready for proofs.
///
/// ```
/// use bucketwheel_circuit::GnarkVerifier;
/// use bucketwheel_groth16::TextClaim;
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../formats/tests/samples");
/// let read = |extension: &str| std::fs::read(format!("{folder}/gnark-bn254.{extension}"));
/// let verifier = GnarkVerifier::new(&read("vk")?)?;
/// println!("{} public inputs over {}", verifier.public(), verifier.curve());
/// let (public, proof) = (read("public")?, read("proof")?);
/// assert!(verifier.first_bad(&[TextClaim { public: &public, proof: &proof }])?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GnarkVerifier {
    curve: CurveId,
    public: usize,
    key: Box<dyn Verify>,
}

impl GnarkVerifier {
    /// Reads a key: bytes of gnark's `WriteTo` or `WriteRawTo`. The bytes do not name the curve. The key is of the first curve
    /// for which they have the structure and the length of a key, and whose group has their first point. Costs the checks of all
    /// points, and a pairing. Keys over BLS12-377 and BW6-761 need the feature `gnark-all`. The [example](Self) uses it.
    ///
    /// # Errors
    /// If the bytes have another structure, a point is not in its group, a secret is infinity, a commitment is to
    /// inputs that the key does not have, or this build lacks the curve.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        fork::check()?;
        let read = || -> Result<_, Groth16Error> {
            let file = KeyFile::split(key)?;
            match file.curve {
                #[cfg(feature = "gnark-all")]
                CurveId::Bls12_377 => Self::of_curve::<bucketwheel_groth16::Bls12_377>(&file),
                #[cfg(feature = "gnark-all")]
                CurveId::Bw6_761 => Self::of_curve::<bucketwheel_groth16::Bw6_761>(&file),
                #[cfg(not(feature = "gnark-all"))]
                CurveId::Bls12_377 | CurveId::Bw6_761 => Err(FileError::Unsupported {
                    found: format!("a key over {}", file.curve),
                    expected: "a build with the feature gnark-all",
                }
                .into()),
                _ => with_pairing!(file.curve, E => Self::of_curve::<E>(&file))?,
            }
        };
        read().map_err(Error::of(Fault::Key))
    }

    fn of_curve<E: VerifyingCurve>(file: &KeyFile<'_>) -> Result<Self, Groth16Error> {
        let key = Key::<E>::decode(file)?;
        Ok(GnarkVerifier { curve: file.curve, public: key.public, key: Box::new(key) })
    }

    /// Returns the curve. The [example](Self) uses it.
    pub fn curve(&self) -> CurveId {
        self.curve
    }

    /// Returns the number of public inputs. The [example](Self) uses it.
    pub fn public(&self) -> usize {
        self.public
    }

    /// Returns the first of these claims that does not hold; `None` if all hold. A claim is a proof by `WriteTo` or
    /// `WriteRawTo` and a public witness by `WriteTo` or `MarshalBinary`. Each proof costs three Miller loops and a
    /// final exponentiation. With commitments, it costs one more exponentiation, and one more Miller loop for each
    /// commitment.
    ///
    /// The commitments are hashed with gnark's default function. `backend.WithProverHashToFieldFunction` and gnark's
    /// option for Solidity choose another function. A proof by another function does not hold here if its circuit has
    /// commitments. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Groth16Error::NoProofs`] if there are no claims; [`Groth16Error::Claim`] for the first file that cannot be
    /// read, has points outside of their groups, or other numbers of inputs and commitments than the key; the engine's
    /// errors.
    pub fn first_bad(&self, claims: &[TextClaim<'_>]) -> Result<Option<BadClaim>, Groth16Error> {
        if claims.is_empty() {
            return Err(Groth16Error::NoProofs);
        }
        for (index, &TextClaim { public, proof }) in claims.iter().enumerate() {
            let holds = self.key.verify(public, proof).map_err(|(part, source)| match source {
                Groth16Error::Engine(error) => error.into(),
                source => Groth16Error::Claim { index, part, source: Box::new(source) },
            })?;
            if !holds {
                return Ok(Some(BadClaim { index, point: None }));
            }
        }
        Ok(None)
    }
}

/// A key of any curve.
trait Verify: Send + Sync {
    fn verify(&self, public: &[u8], proof: &[u8]) -> Result<bool, (ClaimPart, Groth16Error)>;
}

/// A key on a curve.
struct Key<E: VerifyingCurve> {
    groth16: PreparedVerifyingKey<E>,
    public: usize,
    commitments: Vec<Commitment<E>>,
    /// The generator G, if there are commitments.
    generator: Option<E::G2Prepared>,
}

/// The part of a key for one commitment.
struct Commitment<E: VerifyingCurve> {
    /// Indices of the hashed inputs: public inputs first, then the hashes of earlier commitments.
    hashed: Vec<usize>,
    /// `-sigma G`.
    negated: E::G2Prepared,
}

impl<E: VerifyingCurve> Key<E> {
    fn decode(file: &KeyFile<'_>) -> Result<Self, Groth16Error> {
        let key = file.verifying_key::<E>()?;
        let public = key.public().checked_sub(file.committed.len());
        let public = public.ok_or_else(|| FileError::Number {
            what: "the number of points in K".into(),
            found: key.ic.len() as u64,
            expected: format!("more than the {} commitments", file.committed.len()),
        })?;
        let pairs = file.commitment_keys::<E>()?;
        let mut commitments = Vec::new();
        for (i, (inputs, &[generator, negated])) in file.committed.iter().zip(&pairs).enumerate() {
            for (name, point) in [("G", generator), ("GSigmaNeg", negated)] {
                if point.is_zero() {
                    return Err(KeyFault::Infinity { point: format!("{name} of commitment {i}") }.into());
                }
            }
            if generator != pairs[0][0] {
                let what = format!("G of commitment {i}");
                return Err(FileError::Point { what, expected: "G of commitment 0" }.into());
            }
            let last = public + i;
            // gnark counts inputs from the constant.
            let index = |&input: &u64| {
                let index = usize::try_from(input).ok().and_then(|input| input.checked_sub(1));
                index.filter(|&index| index < last).ok_or_else(|| FileError::Number {
                    what: format!("an input of commitment {i}"),
                    found: input,
                    expected: format!("1 to {last}"),
                })
            };
            let hashed = inputs.iter().map(index).collect::<Result<_, _>>()?;
            commitments.push(Commitment { hashed, negated: E::prepare(negated) });
        }
        let generator = pairs.first().map(|&[generator, _]| E::prepare(generator));
        Ok(Key { groth16: PreparedVerifyingKey::new(&key), public, commitments, generator })
    }

    /// Returns true if the prover knows the committed values.
    fn are_known(&self, proof: &ProofFile<E>, hashes: &[E::ScalarField]) -> bool {
        let Some(generator) = &self.generator else { return true };
        let challenge: E::ScalarField = hash::challenge(hashes);
        let (mut g1, mut g2) = (vec![proof.knowledge], vec![generator.clone()]);
        let mut factor = E::ScalarField::one();
        for (commitment, point) in self.commitments.iter().zip(&proof.commitments) {
            g1.push((*point * factor).into_affine());
            g2.push(commitment.negated.clone());
            factor *= challenge;
        }
        E::exponentiate(E::miller_loops(&g1, &g2)).is_some_and(|product| product.is_one())
    }
}

impl<E: VerifyingCurve> Verify for Key<E> {
    fn verify(&self, public: &[u8], proof: &[u8]) -> Result<bool, (ClaimPart, Groth16Error)> {
        let mut inputs = file::read_public::<E::ScalarField>(public, self.public)
            .map_err(|error| (ClaimPart::Public, error))?;
        let about_proof = |error| (ClaimPart::Proof, error);
        let proof = ProofFile::<E>::read(proof, self.commitments.len()).map_err(about_proof)?;
        for (commitment, point) in self.commitments.iter().zip(&proof.serialized) {
            let hashed = commitment.hashed.iter().flat_map(|&i| inputs[i].into_bigint().to_bytes_be());
            let message: Vec<u8> = point.iter().copied().chain(hashed).collect();
            inputs.push(hash::of_commitment(&message));
        }
        if !self.are_known(&proof, &inputs[self.public..]) {
            return Ok(false);
        }
        let committed = proof.commitments.iter().map(|&point| Projective::from(point)).sum::<E::G1>();
        self.groth16.verify_with(&inputs, committed, &proof.proof).map_err(about_proof)
    }
}
