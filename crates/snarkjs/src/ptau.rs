//! The powers of tau of a ceremony, `.ptau`: the parts that checks of keys need.
//!
//! | section | content |
//! |---|---|
//! | 1 | bytes of q: u32, q, power p: u32, the ceremony's power: u32 |
//! | 2 | `tau^i` in G1, `2^(p + 1) - 1` points |
//! | 3 | `tau^i` in G2, `2^p` points |
//! | 4, 5 | `alpha tau^i` and `beta tau^i` in G1, `2^p` points each |
//! | 6 | beta in G2 |
//!
//! The reader ignores other sections, which hold the transcript and the Lagrange bases of prepared files.

use ark_ec::AffineRepr;
use bucketwheel::{Cancel, Progress};

use super::agreement::{coefficients, same_pairing, Work, IN_SUM};
use super::membership::cost;
use super::sections::{Reader, Sections};
use super::{FileError, Kind, Points, Section};
use crate::{curve_of_prime, Error, KeyFault, PairingCurve};

const HEADER: Section = Section { id: 1, name: "header" };
const TAU_G1: Section = Section { id: 2, name: "powers of tau in G1" };
const TAU_G2: Section = Section { id: 3, name: "powers of tau in G2" };
const ALPHA: Section = Section { id: 4, name: "powers of tau times alpha" };
const BETA: Section = Section { id: 5, name: "powers of tau times beta" };
const BETA_G2: Section = Section { id: 6, name: "beta in G2" };

/// The largest power: no field has a domain for it.
const MAX_POWER: u32 = 40;

/// Powers of tau, as bytes of the file.
#[derive(Debug)]
pub struct Ptau<'a, E: PairingCurve> {
    /// Logarithm of the largest domain that these powers allow.
    pub power: u32,
    pub(super) tau: Points<'a, E::G1Curve>,
    pub(super) tau_g2: Points<'a, E::G2Curve>,
    pub(super) alpha: Points<'a, E::G1Curve>,
    pub(super) beta: Points<'a, E::G1Curve>,
    pub(super) beta_g2: Points<'a, E::G2Curve>,
}

impl<'a, E: PairingCurve> Ptau<'a, E> {
    /// Takes a file apart and checks its structure, on all threads of the current pool.
    /// The [example](crate::Zkey) uses it.
    ///
    /// # Errors
    /// [`FileError`] for the first error; [`FileError::OtherCurve`] if the powers are for another curve.
    pub fn parse(file: &'a [u8]) -> Result<Self, FileError> {
        let sections = Sections::parse(file, Kind::Ptau)?;
        let mut reader = Reader::new(sections.get(HEADER)?);
        let what = HEADER.to_string();
        let prime = reader.prime(&what)?;
        let curve = curve_of_prime(prime).ok_or(FileError::Prime { what: "base field's prime" })?;
        if curve != E::ID {
            return Err(FileError::OtherCurve { expected: E::ID, found: curve });
        }
        let power = reader.u32(&what)?;
        if !(1..=MAX_POWER).contains(&power) {
            let (what, expected) = ("the power".into(), format!("1 to {MAX_POWER}"));
            return Err(FileError::Number { what, found: power.into(), expected });
        }
        let count = 1usize.checked_shl(power).unwrap_or(usize::MAX);
        Ok(Ptau {
            power,
            tau: Points::parse(&sections, TAU_G1, count.saturating_mul(2) - 1)?,
            tau_g2: Points::parse(&sections, TAU_G2, count)?,
            alpha: Points::parse(&sections, ALPHA, count)?,
            beta: Points::parse(&sections, BETA, count)?,
            beta_g2: Points::parse(&sections, BETA_G2, 1)?,
        })
    }

    /// Checks the powers in G1 that a domain of `2^log_size` elements needs. Their points are in their groups and not
    /// infinity. The first power is the generator. Each section has the powers of one tau, by random linear
    /// combinations and pairings. A ceremony ensures that nobody knows this tau; no check can.
    /// The [example](crate::Zkey) uses it.
    ///
    /// # Errors
    /// [`KeyFault::Power`], [`KeyFault::Powers`]; [`FileError::Point`]; the engine's errors, including cancellation.
    pub fn check_powers(&self, log_size: u32, cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error> {
        if log_size > self.power {
            return Err(KeyFault::Power { found: self.power, expected: log_size }.into());
        }
        let size = 1usize << log_size;
        let g1 = [
            (self.tau.first(self.tau.len().min(2 * size)), TAU_G1),
            (self.alpha.first(size), ALPHA),
            (self.beta.first(size), BETA),
        ];
        let g2 = [self.tau_g2.first(2), self.beta_g2];
        let in_g1: usize = g1.iter().map(|(points, _)| points.len()).sum();
        let in_g2 = g2.iter().map(|points| points.len()).sum();
        let total = cost::<E::G1Curve>(in_g1) + cost::<E::G2Curve>(in_g2) + 2 * IN_SUM * in_g1;
        let mut work = Work { cancel, progress, done: 0, total };
        g2.iter().try_for_each(|points| work.check(points))?;
        g1.iter().try_for_each(|(points, _)| work.check(points))?;
        let (one, one_g2) = (E::G1Affine::generator(), E::G2Affine::generator());
        if self.tau.get(0) != one {
            return Err(KeyFault::Powers { section: TAU_G1 }.into());
        }
        let tau = self.tau_g2.get(1);
        if self.tau_g2.get(0) != one_g2 || tau.is_zero() {
            return Err(KeyFault::Powers { section: TAU_G2 }.into());
        }
        for (points, section) in g1 {
            if points.get(0).is_zero() {
                return Err(KeyFault::Powers { section }.into());
            }
            let scalars = coefficients::<E::ScalarField>(points.len() - 1)?;
            let (low, high) = (work.sum(&points, 0, &scalars)?, work.sum(&points, 1, &scalars)?);
            if !same_pairing::<E>(low, tau, high, one_g2) {
                return Err(KeyFault::Powers { section }.into());
            }
        }
        match same_pairing::<E>(self.beta.get(0).into(), one_g2, one.into(), self.beta_g2.get(0)) {
            true => Ok(()),
            false => Err(KeyFault::Groups { what: "beta" }.into()),
        }
    }
}
