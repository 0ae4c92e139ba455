//! Readers of gnark's files: keys, proofs and public witnesses. All integers are big-endian.

use ark_ec::short_weierstrass::Affine;
use ark_ff::{BigInteger, PrimeField};
use bucketwheel::{Check, Curve, CurveId, GroupId, MissingCurve};
use bucketwheel_formats::{coder, Codec, Coder, Elements, Failure, FormatId, PointError};
use bucketwheel_groth16::file::FileError;
use bucketwheel_groth16::{Error as Groth16Error, Proof, VerifyingCurve, VerifyingKey};

use crate::groth16::points;

/// The curves of gnark's Groth16 with pairings in arkworks.
const CURVES: [CurveId; 4] = [CurveId::Bn254, CurveId::Bls12_381, CurveId::Bls12_377, CurveId::Bw6_761];

/// Reads a file from start to end.
struct Walk<'a> {
    rest: &'a [u8],
    curve: CurveId,
    compressed: bool,
}

impl<'a> Walk<'a> {
    /// Starts a file that begins with a point. The flags of this point tell whether all points are compressed.
    fn new(file: &'a [u8], curve: CurveId) -> Self {
        let mask = match curve {
            CurveId::Bn254 => 0b1100_0000,
            _ => 0b1000_0000,
        };
        let compressed = file.first().is_some_and(|byte| byte & mask != 0);
        Walk { rest: file, curve, compressed }
    }

    fn bytes(&mut self, len: u128, what: &str) -> Result<&'a [u8], FileError> {
        let split = usize::try_from(len).ok().and_then(|len| self.rest.split_at_checked(len));
        let (taken, rest) = split.ok_or_else(|| FileError::Truncated {
            what: what.into(),
            expected: u64::try_from(len).unwrap_or(u64::MAX),
            found: self.rest.len(),
        })?;
        self.rest = rest;
        Ok(taken)
    }

    fn count(&mut self, what: &str) -> Result<u32, FileError> {
        let bytes = self.bytes(4, what)?;
        Ok(u32::from_be_bytes(std::array::from_fn(|i| bytes[i])))
    }

    /// Takes points. They are decoded later, when the structure of the whole file is known.
    fn points(&mut self, group: GroupId, count: u32, what: &'static str) -> Result<Encoded<'a>, FileError> {
        let format = if self.compressed { FormatId::GnarkCompressed } else { FormatId::Gnark };
        let codec = codec(self.curve, group, format)?;
        let size = point_bytes(self.curve, group, &codec);
        let bytes = self.bytes(u128::from(count) * size as u128, what)?;
        Ok(Encoded { bytes, curve: self.curve, group, codec, what })
    }

    fn end(self, what: &str) -> Result<(), FileError> {
        match self.rest.len() {
            0 => Ok(()),
            found => Err(FileError::Trailing { what: what.into(), found }),
        }
    }
}

fn codec(curve: CurveId, group: GroupId, format: FormatId) -> Result<Codec, FileError> {
    let unsupported = || FileError::Unsupported { found: format!("curve {curve}"), expected: "a pairing" };
    match curve {
        // The format has no points of this curve. gnark-crypto encodes them as points of BLS12-377, in more bytes.
        CurveId::Bw6_761 => {
            let codec = format.format().codec(CurveId::Bls12_377, group).ok_or_else(unsupported)?;
            Ok(Codec { elements: Elements { bytes: curve.field_bytes(), ..codec.elements }, ..codec })
        }
        _ => format.format().codec(curve, group).ok_or_else(unsupported),
    }
}

/// Returns the bytes of a point.
fn point_bytes(curve: CurveId, group: GroupId, codec: &Codec) -> usize {
    match curve {
        // Both groups are over the prime field.
        CurveId::Bw6_761 => codec.bytes(curve, GroupId::G1),
        _ => codec.bytes(curve, group),
    }
}

fn coder_of(curve: CurveId, group: GroupId) -> Result<&'static dyn Coder, MissingCurve> {
    match (curve, group) {
        #[cfg(feature = "gnark-all")]
        (CurveId::Bw6_761, GroupId::G2) => Ok(bucketwheel_formats::coder_of::<ark_bw6_761::g2::Config>()),
        _ => coder(curve, group),
    }
}

/// Points as bytes.
struct Encoded<'a> {
    bytes: &'a [u8],
    curve: CurveId,
    group: GroupId,
    codec: Codec,
    what: &'static str,
}

impl Encoded<'_> {
    /// Returns the integers of the coordinates of points in their group.
    fn integers(&self) -> Result<Vec<u8>, Groth16Error> {
        let integers = coder_of(self.curve, self.group)?.decode(&self.codec, self.bytes, Check::Subgroup);
        integers.map_err(|failure| match failure {
            Failure::Engine(error) => error.into(),
            Failure::Point(index, reason) => {
                let expected = match reason {
                    PointError::NotOnCurve => "on the curve",
                    PointError::NotInSubgroup => "in the prime-order subgroup",
                    _ => "encoded as gnark does",
                };
                let what = match self.bytes.len() == point_bytes(self.curve, self.group, &self.codec) {
                    true => self.what.into(),
                    false => format!("point {index} of {}", self.what),
                };
                FileError::Point { what, expected }.into()
            }
        })
    }

    fn decode<C: Curve>(&self) -> Result<Vec<Affine<C>>, Groth16Error> {
        points(&self.integers()?)
    }

    fn one<C: Curve>(&self) -> Result<Affine<C>, Groth16Error> {
        Ok(self.decode()?.first().copied().unwrap_or_default())
    }
}

/// A file with the structure of a verifying key.
pub struct KeyFile<'a> {
    /// The curve.
    pub curve: CurveId,
    alpha: Encoded<'a>,
    /// The secret beta in G1, which is checked like all points, but not used.
    beta_g1: Encoded<'a>,
    beta: Encoded<'a>,
    gamma: Encoded<'a>,
    /// The secret delta in G1, which is checked like all points, but not used.
    delta_g1: Encoded<'a>,
    delta: Encoded<'a>,
    k: Encoded<'a>,
    /// For each commitment, the inputs that are hashed with it, counted from the constant.
    pub committed: Vec<Vec<u64>>,
    commitment_keys: Encoded<'a>,
}

impl<'a> KeyFile<'a> {
    /// Takes a key apart. Points of BLS12-381 and BLS12-377 have the same length, so the curve is the first one whose group has
    /// alpha1.
    ///
    /// # Errors
    /// If the bytes have another structure.
    pub fn split(file: &'a [u8]) -> Result<Self, FileError> {
        let keys = CURVES.into_iter().filter_map(|curve| Self::of_curve(file, curve).ok());
        // A curve that this build lacks may have the point, if no other curve has it.
        let key = keys.min_by_key(|key| match key.alpha.integers() {
            Ok(_) => 0,
            Err(Groth16Error::MissingCurve(_)) => 1,
            Err(_) => 2,
        });
        key.ok_or_else(|| FileError::Unsupported {
            found: "this is no verifying key of gnark's Groth16, or a part of one".into(),
            expected:
                "all bytes that WriteTo or WriteRawTo writes, over BN254, BLS12-381, BLS12-377 or BW6-761",
        })
    }

    fn of_curve(file: &'a [u8], curve: CurveId) -> Result<Self, FileError> {
        let (g1, g2) = (GroupId::G1, GroupId::G2);
        let mut walk = Walk::new(file, curve);
        let alpha = walk.points(g1, 1, "alpha1")?;
        let beta_g1 = walk.points(g1, 1, "beta1")?;
        let beta = walk.points(g2, 1, "beta2")?;
        let gamma = walk.points(g2, 1, "gamma2")?;
        let delta_g1 = walk.points(g1, 1, "delta1")?;
        let delta = walk.points(g2, 1, "delta2")?;
        let count = walk.count("the number of points in K")?;
        let k = walk.points(g1, count, "K")?;
        let mut committed = Vec::new();
        for _ in 0..walk.count("the number of commitments")? {
            let count = walk.count("the number of inputs of a commitment")?;
            let inputs = walk.bytes(u128::from(count) * 8, "the inputs of a commitment")?;
            let inputs = inputs.as_chunks::<8>().0.iter().map(|&bytes| u64::from_be_bytes(bytes));
            committed.push(inputs.collect());
        }
        let keys = walk.count("the number of commitment keys")?;
        if u64::from(keys) != committed.len() as u64 {
            return Err(FileError::Number {
                what: "the number of commitment keys".into(),
                found: keys.into(),
                expected: format!("{}, as many as commitments", committed.len()),
            });
        }
        let points = keys.saturating_mul(2);
        let commitment_keys = walk.points(g2, points, "the commitment keys")?;
        walk.end("the commitment keys")?;
        Ok(KeyFile { curve, alpha, beta_g1, beta, gamma, delta_g1, delta, k, committed, commitment_keys })
    }

    /// Returns the part of the key that a key without commitments also has.
    ///
    /// # Errors
    /// If a point is not in its group, or a secret is infinity.
    pub fn verifying_key<E: VerifyingCurve>(&self) -> Result<VerifyingKey<E>, Groth16Error> {
        let ic = self.k.decode::<E::G1Curve>()?;
        if ic.is_empty() {
            let what = "the number of points in K".into();
            return Err(FileError::Number { what, found: 0, expected: "at least 1".into() }.into());
        }
        let _ = (self.beta_g1.integers()?, self.delta_g1.integers()?);
        let key = VerifyingKey {
            alpha_g1: self.alpha.one::<E::G1Curve>()?,
            beta_g2: self.beta.one::<E::G2Curve>()?,
            gamma_g2: self.gamma.one::<E::G2Curve>()?,
            delta_g2: self.delta.one::<E::G2Curve>()?,
            ic,
        };
        key.check_secrets()?;
        Ok(key)
    }

    /// Returns `G` and `-sigma G` for each commitment.
    ///
    /// # Errors
    /// If a point is not in its group.
    pub fn commitment_keys<E: VerifyingCurve>(&self) -> Result<Vec<[E::G2Affine; 2]>, Groth16Error> {
        Ok(self.commitment_keys.decode::<E::G2Curve>()?.as_chunks().0.to_vec())
    }
}

/// A proof.
pub struct ProofFile<E: VerifyingCurve> {
    /// The part that a proof without commitments also has.
    pub proof: Proof<E>,
    /// The commitments.
    pub commitments: Vec<E::G1Affine>,
    /// The commitments as gnark hashes them, uncompressed.
    pub serialized: Vec<Vec<u8>>,
    /// The proof that the prover knows the committed values.
    pub knowledge: E::G1Affine,
}

impl<E: VerifyingCurve> ProofFile<E> {
    /// Reads a proof with this number of commitments.
    ///
    /// # Errors
    /// If the bytes have another structure or another number of commitments, or if a point is not in its group.
    pub fn read(file: &[u8], commitments: usize) -> Result<Self, Groth16Error> {
        let (g1, g2) = (GroupId::G1, GroupId::G2);
        let mut walk = Walk::new(file, E::ID);
        let a = walk.points(g1, 1, "Ar")?;
        let b = walk.points(g2, 1, "Bs")?;
        let c = walk.points(g1, 1, "Krs")?;
        let found = walk.count("the number of commitments")?;
        if u64::from(found) != commitments as u64 {
            let what = "the number of commitments".into();
            let expected = format!("{commitments}, as many as the verifying key has");
            return Err(FileError::Number { what, found: found.into(), expected }.into());
        }
        let committed = walk.points(g1, found, "the commitments")?;
        let knowledge = walk.points(g1, 1, "CommitmentPok")?;
        walk.end("CommitmentPok")?;
        let integers = committed.integers()?;
        let raw = codec(E::ID, g1, FormatId::Gnark)?;
        let serialized = coder_of(E::ID, g1)?.encode(&raw, &integers).map_err(|failure| match failure {
            Failure::Engine(error) => error.into(),
            // Points that could be decoded are encoded correctly.
            Failure::Point(..) => Groth16Error::from(FileError::Point {
                what: "the commitments".into(),
                expected: "encoded as gnark does",
            }),
        })?;
        Ok(ProofFile {
            proof: Proof { a: a.one::<E::G1Curve>()?, b: b.one::<E::G2Curve>()?, c: c.one::<E::G1Curve>()? },
            commitments: points::<E::G1Curve>(&integers)?,
            serialized: serialized.chunks(raw.bytes(E::ID, g1)).map(<[u8]>::to_vec).collect(),
            knowledge: knowledge.one::<E::G1Curve>()?,
        })
    }
}

/// Reads a public witness with this number of values.
///
/// # Errors
/// If the bytes have another structure, secret values or another number of values, or if a value is not below the order.
pub fn read_public<F: PrimeField>(file: &[u8], expected: usize) -> Result<Vec<F>, Groth16Error> {
    // A witness has no points: its form and curve do not matter.
    let mut walk = Walk { rest: file, curve: CurveId::Bn254, compressed: false };
    let found = walk.count("the number of public values")? as usize;
    let secret = walk.count("the number of secret values")?;
    if secret != 0 {
        let what = "the number of secret values".into();
        let expected = "0, a public witness; write the one that Public() returns".into();
        return Err(FileError::Number { what, found: secret.into(), expected }.into());
    }
    let all = walk.count("the number of values")?;
    if all as usize != found {
        let what = "the number of values".into();
        return Err(FileError::Number { what, found: all.into(), expected: format!("{found}") }.into());
    }
    if found != expected {
        return Err(Groth16Error::PublicSignals { expected, found });
    }
    let size = scalar_bytes::<F>();
    let values = walk.bytes(u128::from(all) * size as u128, "the values")?;
    walk.end("the values")?;
    let value = |(i, bytes): (usize, &[u8])| {
        let mut integer = F::BigInt::default();
        for (word, bytes) in integer.as_mut().iter_mut().zip(bytes.as_rchunks().1.iter().rev()) {
            *word = u64::from_be_bytes(*bytes);
        }
        F::from_bigint(integer)
            .ok_or_else(|| FileError::Unreduced { what: format!("public value {i}") }.into())
    };
    values.chunks_exact(size).enumerate().map(value).collect()
}

/// Returns the bytes of a scalar in gnark's files.
pub fn scalar_bytes<F: PrimeField>() -> usize {
    8 * F::BigInt::NUM_LIMBS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curves_are_known_to_gnark_and_arkworks() {
        let has_names = |curve: &CurveId| curve.gnark_name().is_some() && curve.arkworks_name().is_some();
        assert!(CURVES.iter().all(has_names));
        // Grumpkin has both names, but no pairing.
        let named = CurveId::ALL.iter().filter(|&curve| has_names(curve) && *curve != CurveId::Grumpkin);
        assert_eq!(named.count(), CURVES.len());
    }
}
