//! Verifying keys in the files of arkworks' Groth16.

use std::borrow::Cow;

use ark_ec::short_weierstrass::Affine;
use bucketwheel::{Check, Curve, CurveId};
use bucketwheel_formats::{coder, Failure, FormatId, PointError, Section, Wanted};
use bucketwheel_groth16::file::{FileError, VerifyingKeyJson};
use bucketwheel_groth16::{with_pairing, Error as Groth16Error, PairingCurve, VerifyingKey, CURVES};

use crate::error::{Error, Fault};
use crate::groth16::points;

/// Returns the verifying key in a file of `ark-groth16`, a proving or a verifying key, compressed or not; `None` for
/// any other file. If the file is a proving key, only the points of the verifying key are checked.
///
/// The files do not name their kind. A file is a key if its lists of points, by their counts, end where the file
/// ends.
///
/// The [example](crate::verifying_key_text) uses it.
///
/// # Errors
/// If a point is not in its group, a secret is infinity, the key has no point for the constant, or this build lacks the curve.
pub fn read_arkworks_key(file: &[u8]) -> Result<Option<VerifyingKeyJson>, Error> {
    let formats = [FormatId::ArkworksKey, FormatId::ArkworksKeyCompressed];
    let kinds = formats.iter().flat_map(|&format| CURVES.map(|curve| (format, curve)));
    for (format, curve) in kinds {
        let key = Key { file, format, curve };
        if format.format().open(file, key.wanted(Section::AlphaG1)).is_ok() {
            let json = with_pairing!(curve, E => key.decode::<E>()).map_err(Groth16Error::from);
            return json.and_then(|json| json).map(Some).map_err(Error::of(Fault::Key));
        }
    }
    Ok(None)
}

/// Returns the text of a `verification_key.json`: the text of the key in a file of `ark-groth16`
/// ([`read_arkworks_key`]), or the file itself.
///
/// ```
/// use bucketwheel_circuit::{read_arkworks_key, verifying_key_text};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../snarkjs/tests/data/bn254");
/// // A text stays as it is.
/// let text = std::fs::read(format!("{folder}/verification_key.json"))?;
/// assert!(read_arkworks_key(&text)?.is_none());
/// assert_eq!(verifying_key_text(&text)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The errors of [`read_arkworks_key`].
pub fn verifying_key_text(file: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    let key = read_arkworks_key(file)?;
    Ok(key.map_or(Cow::Borrowed(file), |key| Cow::Owned(key.to_text().into_bytes())))
}

/// A file with the structure of a key.
struct Key<'a> {
    file: &'a [u8],
    format: FormatId,
    curve: CurveId,
}

impl Key<'_> {
    fn wanted(&self, section: Section) -> Wanted {
        Wanted { curve: Some(self.curve), group: None, section: Some(section) }
    }

    fn decode<E: PairingCurve>(&self) -> Result<VerifyingKeyJson, Groth16Error> {
        let alpha = self.section::<E::G1Curve>(Section::AlphaG1)?;
        let secrets = self.section::<E::G2Curve>(Section::BetaGammaDeltaG2)?;
        let ic = self.section::<E::G1Curve>(Section::GammaAbcG1)?;
        let (&[alpha_g1], &[beta_g2, gamma_g2, delta_g2], true) = (&*alpha, &*secrets, !ic.is_empty()) else {
            let (what, expected) = ("the number of points for public signals".into(), "at least 1".into());
            return Err(FileError::Number { what, found: 0, expected }.into());
        };
        let key = VerifyingKey::<E> { alpha_g1, beta_g2, gamma_g2, delta_g2, ic };
        key.check_secrets()?;
        Ok(VerifyingKeyJson::encode(&key))
    }

    /// Returns the points of a section, in their group.
    fn section<C: Curve>(&self, section: Section) -> Result<Vec<Affine<C>>, Groth16Error> {
        let absent = |_| FileError::Point { what: section.to_string(), expected: "there" };
        let body = self.format.format().open(self.file, self.wanted(section)).map_err(absent)?;
        let integers = coder(body.curve, body.group)?.decode(&body.codec, &body.bytes, Check::Subgroup);
        let integers = integers.map_err(|failure| match failure {
            Failure::Engine(error) => Groth16Error::Engine(error),
            Failure::Point(index, reason) => {
                let expected = match reason {
                    PointError::NotOnCurve => "on the curve",
                    PointError::NotInSubgroup => "in the prime-order subgroup",
                    _ => "encoded as arkworks does",
                };
                FileError::Point { what: format!("point {index} of {section}"), expected }.into()
            }
        })?;
        points(&integers)
    }
}
