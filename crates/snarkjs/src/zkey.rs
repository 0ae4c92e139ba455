//! Groth16's proving key, `.zkey`.
//!
//! | section | content |
//! |---|---|
//! | 1 | protocol: u32, 1 for Groth16 |
//! | 2 | bytes of q: u32, q, bytes of r: u32, r, signals: u32, public signals: u32, domain size: u32, alpha1, beta1, beta2, gamma2, delta1, delta2 |
//! | 3 | IC: a G1 point for the constant 1 and each public signal |
//! | 4 | number: u32, then the entries of A and B: matrix: u32, constraint: u32, signal: u32, value R^2 |
//! | 5, 6, 7 | A in G1, B in G1, B in G2: a point for each signal |
//! | 8 | C: a G1 point for each private signal |
//! | 9 | H: a G1 point for each element of the domain |
//! | 10 | the ceremony's transcript: hash of the circuit: 64 bytes, number of contributions: u32, these; may be absent |
//!
//! Coordinates are in Montgomery form, infinity is zeros.

use std::fmt;

use ark_ec::AffineRepr;
use ark_ff::FftField;
use bucketwheel::Curve;

use super::coefficients::COEFFICIENTS;
use super::points::{check_point, point_bytes, read_point};
use super::sections::{Reader, Sections};
use super::{Coefficient, Coefficients, FileError, FileWarning, Kind, Montgomery, Points, Section};
use crate::{curve_of_order, curve_of_prime, CurveId, PairingCurve, VerifyingKey};

pub(super) const PROTOCOL: Section = Section { id: 1, name: "protocol" };
pub(super) const HEADER: Section = Section { id: 2, name: "header" };
pub(super) const IC: Section = Section { id: 3, name: "points IC" };
pub(super) const A: Section = Section { id: 5, name: "points A" };
pub(super) const B1: Section = Section { id: 6, name: "points B1" };
pub(super) const B2: Section = Section { id: 7, name: "points B2" };
pub(super) const C: Section = Section { id: 8, name: "points C" };
pub(super) const H: Section = Section { id: 9, name: "points H" };
pub(super) const CONTRIBUTIONS: Section = Section { id: 10, name: "contributions" };

/// Groth16's number among snarkjs' protocols.
pub(super) const GROTH16: u32 = 1;

/// Header of a key: its counts and its single points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZkeyHeader<E: PairingCurve> {
    /// The length of the witness, including the constant 1.
    pub signals: usize,
    /// Number of public signals, without the constant: signals 1 to this number.
    pub public: usize,
    /// The size of the domain, a power of two: at least the constraints plus the public signals plus one.
    pub domain_size: usize,
    /// The secret alpha in G1.
    pub alpha_g1: E::G1Affine,
    /// The secret beta in G1.
    pub beta_g1: E::G1Affine,
    /// The secret beta in G2.
    pub beta_g2: E::G2Affine,
    /// The secret gamma in G2.
    pub gamma_g2: E::G2Affine,
    /// The secret delta in G1.
    pub delta_g1: E::G1Affine,
    /// The secret delta in G2.
    pub delta_g2: E::G2Affine,
}

/// A key whose points and coefficients stay bytes of the file.
///
/// ```
/// # struct Silent;
/// # impl bucketwheel::Progress for Silent {
/// #     fn report(&self, _: usize, _: usize) {}
/// # }
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
/// use bucketwheel::Cancel;
/// use bucketwheel_snarkjs::{check_secrets, zkey_protocol, Bn254, Holder, Ptau, R1cs, Zkey, ZkeyHeader};
///
/// let file = std::fs::read(format!("{folder}/ceremony/bn254-3.zkey"))?;
/// assert_eq!(zkey_protocol(&file)?, 1);
/// println!("{} signals", ZkeyHeader::<Bn254>::read(&file)?.signals);
/// let key = Zkey::<Bn254>::parse(&file)?;
/// assert!(key.warnings().is_empty());
/// let verifying_key = key.verifying_key()?;
/// assert_eq!(verifying_key.public(), key.header.public);
/// verifying_key.check_secrets()?;
/// check_secrets(&verifying_key, [key.header.beta_g1, key.header.delta_g1])?;
///
/// // Points and entries of the matrices are read one by one.
/// assert_eq!((key.a.len(), key.a.iter().count()), (key.header.signals, key.header.signals));
/// println!("{}: {}", key.a.section(), key.a.get(0));
/// let entry = key.coefficients.get(0);
/// assert_eq!(key.coefficients.iter().next(), Some(entry));
/// println!("{} in row {} of {:?}", entry.value::<ark_bn254::Fr>(), entry.constraint, entry.matrix);
/// assert!(key.coefficients.rows(0..key.header.domain_size).len() == key.coefficients.len());
///
/// // The holder of the file learns which bytes nobody reads soon.
/// struct Log;
/// impl Holder for Log {
///     fn release(&self, bytes: &[u8]) {
///         println!("{} bytes", bytes.len());
///     }
/// }
/// let key = key.held_by(&Log);
/// key.release(key.h.bytes());
/// key.release(key.coefficients.bytes());
///
/// // All checks of a key of unknown origin, beside its circuit and the powers of tau.
/// let cancel = Cancel::new();
/// key.check_points(&cancel, &Silent)?;
/// key.check_agreement(&cancel, &Silent)?;
/// let circuit = std::fs::read(format!("{folder}/bn254/power.r1cs"))?;
/// let powers = std::fs::read(format!("{folder}/ceremony/bn254-3.ptau"))?;
/// let powers = Ptau::<Bn254>::parse(&powers)?;
/// powers.check_powers(key.header.domain_size.ilog2(), &cancel, &Silent)?;
/// key.check_circuit(&R1cs::parse(&circuit)?, &powers, &cancel, &Silent)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Zkey<'a, E: PairingCurve> {
    /// Counts and single points.
    pub header: ZkeyHeader<E>,
    /// Points of the verifier's MSM over the public signals, the constant's first.
    pub ic: Points<'a, E::G1Curve>,
    /// The entries of the matrices A and B. The rows after the constraints bind the public signals, with a 1 in A
    /// each.
    pub coefficients: Coefficients<'a>,
    /// `A_i(tau)` in G1 for each signal i.
    pub a: Points<'a, E::G1Curve>,
    /// `B_i(tau)` in G1 for each signal i.
    pub b1: Points<'a, E::G1Curve>,
    /// `B_i(tau)` in G2 for each signal i.
    pub b2: Points<'a, E::G2Curve>,
    /// `(beta A_i(tau) + alpha B_i(tau) + C_i(tau)) / delta` for each private signal; the first is signal
    /// `public + 1`.
    pub c: Points<'a, E::G1Curve>,
    /// Points of the MSM over the values of the quotient on the odd coset.
    pub h: Points<'a, E::G1Curve>,
    /// Number of contributions to the ceremony, if there is a transcript. The transcript is not checked.
    pub contributions: Option<u32>,
    /// The file's warning.
    warning: Option<FileWarning>,
    holder: Option<&'a dyn Holder>,
}

/// The holder of a file's bytes, which may hold fewer of them in memory.
pub trait Holder: Sync {
    /// Says that nobody reads these bytes soon. A mapping gives their pages back; a later read waits for the
    /// pages. The [example](crate::Zkey) uses it.
    fn release(&self, bytes: &[u8]);
}

// Derived implementations would also require the traits of the groups' curves.
impl<E: PairingCurve> Clone for Zkey<'_, E> {
    fn clone(&self) -> Self {
        Zkey { header: self.header.clone(), coefficients: self.coefficients.clone(), ..*self }
    }
}

impl<E: PairingCurve> fmt::Debug for Zkey<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Zkey").field("header", &self.header).finish_non_exhaustive()
    }
}

impl<'a, E: PairingCurve> Zkey<'a, E> {
    /// Reads a key and checks all of it, except that points are on the curve, on all threads of the current pool.
    /// Costs one pass over the bytes: about 10 ms for 100 MB on one thread. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`FileError`] for the first error; [`FileError::OtherCurve`] if the key is for another curve.
    pub fn parse(file: &'a [u8]) -> Result<Self, FileError> {
        let sections = Sections::parse(file, Kind::Zkey)?;
        let header = ZkeyHeader::<E>::parse(&sections)?;
        let (signals, public) = (header.signals, header.public);
        Ok(Zkey {
            ic: Points::parse(&sections, IC, public + 1)?,
            coefficients: coefficients::<E>(&sections, &header)?,
            a: Points::parse(&sections, A, signals)?,
            b1: Points::parse(&sections, B1, signals)?,
            b2: Points::parse(&sections, B2, signals)?,
            c: Points::parse(&sections, C, signals - public - 1)?,
            h: Points::parse(&sections, H, header.domain_size)?,
            contributions: contributions(&sections),
            warning: sections.warning,
            holder: None,
            header,
        })
    }

    /// Sets the holder of the bytes. The [example](Self) uses it.
    pub fn held_by(self, holder: &'a dyn Holder) -> Self {
        Zkey { holder: Some(holder), ..self }
    }
}

impl<E: PairingCurve> Zkey<'_, E> {
    /// Tells the bytes' holder that nobody reads these bytes of the key soon. The [example](Self) uses it.
    pub fn release(&self, bytes: &[u8]) {
        self.holder.iter().for_each(|holder| holder.release(bytes));
    }

    /// Returns warnings for the owner of the file. The [example](Self) uses it.
    pub fn warnings(&self) -> Vec<FileWarning> {
        let generator = self.header.delta_g2 == E::G2Affine::generator();
        self.warning.into_iter().chain(generator.then_some(FileWarning::NoContribution)).collect()
    }

    /// Returns the verifying key of this key's proofs. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`FileError::Point`] for a point of the verifying key that is not in its group.
    pub fn verifying_key(&self) -> Result<VerifyingKey<E>, FileError> {
        let header = &self.header;
        check_point(&header.alpha_g1, || "alpha1".into())?;
        check_point(&header.beta_g2, || "beta2".into())?;
        check_point(&header.gamma_g2, || "gamma2".into())?;
        check_point(&header.delta_g2, || "delta2".into())?;
        let ic: Vec<_> = self.ic.iter().collect();
        (0..).zip(&ic).try_for_each(|(i, point)| check_point(point, || format!("point {i} in {IC}")))?;
        Ok(VerifyingKey {
            alpha_g1: header.alpha_g1,
            beta_g2: header.beta_g2,
            gamma_g2: header.gamma_g2,
            delta_g2: header.delta_g2,
            ic,
        })
    }
}

/// Returns the curve of a key, which decides on the type that parses it.
///
/// The [example](crate) uses it.
///
/// # Errors
/// [`FileError`] if this is no Groth16 key or if its curve is not known.
pub fn zkey_curve(file: &[u8]) -> Result<CurveId, FileError> {
    curve(&Sections::parse(file, Kind::Zkey)?).map(|(curve, _)| curve)
}

/// Returns the number of a key's protocol: 1 is Groth16.
///
/// The [example](crate::Zkey) uses it.
///
/// # Errors
/// [`FileError`] if this is no key.
pub fn zkey_protocol(file: &[u8]) -> Result<u32, FileError> {
    protocol(&Sections::parse(file, Kind::Zkey)?)
}

/// Returns the number of the protocol in a section of its own.
fn protocol(sections: &Sections<'_>) -> Result<u32, FileError> {
    let mut protocol = Reader::new(sections.get(PROTOCOL)?);
    let what = || PROTOCOL.to_string();
    let found = protocol.u32(&what())?;
    protocol.end(what)?;
    Ok(found)
}

/// Returns the curve of a key, and the rest of its header.
fn curve<'a>(sections: &Sections<'a>) -> Result<(CurveId, Reader<'a>), FileError> {
    let found = protocol(sections)?;
    if found != GROTH16 {
        let (what, expected) = ("the protocol".into(), format!("{GROTH16}, which is Groth16"));
        return Err(FileError::Number { what, found: found.into(), expected });
    }
    let mut header = Reader::new(sections.get(HEADER)?);
    let what = HEADER.to_string();
    let prime = header.prime(&what)?;
    let curve = curve_of_prime(prime).ok_or(FileError::Prime { what: "base field's prime" })?;
    let order = header.prime(&what)?;
    if curve_of_order(order) != Some(curve) {
        return Err(FileError::Prime { what: "groups' order" });
    }
    Ok((curve, header))
}

impl<E: PairingCurve> ZkeyHeader<E> {
    /// Reads the header of a key and touches no other part of the file. The [example](crate::Zkey) uses it.
    ///
    /// # Errors
    /// [`FileError`] for the first error; [`FileError::OtherCurve`] if the key is for another curve.
    pub fn read(file: &[u8]) -> Result<Self, FileError> {
        Self::parse(&Sections::parse(file, Kind::Zkey)?)
    }

    fn parse(sections: &Sections<'_>) -> Result<Self, FileError> {
        let (curve, mut reader) = curve(sections)?;
        if curve != E::ID {
            return Err(FileError::OtherCurve { expected: E::ID, found: curve });
        }
        let what = HEADER.to_string();
        let [signals, public, domain_size] = [reader.u32(&what)?, reader.u32(&what)?, reader.u32(&what)?];
        let number = |what: &str, found: u32, good: bool, expected: String| match good {
            true => Ok(found as usize),
            false => Err(FileError::Number { what: what.into(), found: found.into(), expected }),
        };
        let fewer = format!("less than the {signals} signals");
        let public = number("the number of public signals", public, public < signals, fewer)?;
        let two_adicity = E::ScalarField::TWO_ADICITY;
        let good = domain_size.is_power_of_two() && domain_size.ilog2() <= two_adicity;
        let power = format!("a power of two of at most 2^{two_adicity}");
        let domain_size = number("the domain size", domain_size, good, power)?;
        let header = ZkeyHeader {
            signals: signals as usize,
            public,
            domain_size,
            alpha_g1: single(&mut reader, "alpha1")?,
            beta_g1: single(&mut reader, "beta1")?,
            beta_g2: single(&mut reader, "beta2")?,
            gamma_g2: single(&mut reader, "gamma2")?,
            delta_g1: single(&mut reader, "delta1")?,
            delta_g2: single(&mut reader, "delta2")?,
        };
        reader.end(|| what.clone())?;
        Ok(header)
    }

    /// Returns the primes of the header and of the writer.
    pub(super) fn primes() -> [&'static [u8]; 2] {
        [E::ID.prime(), E::ID.order()]
    }
}

/// Returns a point of the header.
fn single<C: Curve<BaseField: Montgomery>>(
    reader: &mut Reader<'_>,
    name: &str,
) -> Result<ark_ec::short_weierstrass::Affine<C>, FileError> {
    let bytes = reader.bytes(point_bytes::<C>() as u64, || format!("{name} in {HEADER}"))?;
    match bytes.chunks_exact(C::BaseField::BYTES).all(C::BaseField::is_reduced) {
        true => Ok(read_point(bytes)),
        false => Err(FileError::Unreduced { what: format!("a coordinate of {name} in {HEADER}") }),
    }
}

fn coefficients<'a, E: PairingCurve>(
    sections: &Sections<'a>,
    header: &ZkeyHeader<E>,
) -> Result<Coefficients<'a>, FileError> {
    let mut reader = Reader::new(sections.get(COEFFICIENTS)?);
    let count = reader.u32(&COEFFICIENTS.to_string())?;
    let length = u64::from(count) * Coefficient::BYTES as u64;
    let bytes = reader.bytes(length, || COEFFICIENTS.to_string())?;
    reader.end(|| format!("the {count} entries of {COEFFICIENTS}"))?;
    Coefficients::parse::<E::ScalarField>(bytes, header.domain_size, header.signals)
}

/// Returns the number behind the circuit's hash of 64 bytes.
fn contributions(sections: &Sections<'_>) -> Option<u32> {
    let bytes = sections.find(CONTRIBUTIONS)?.get(64..)?;
    bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}
