//! Bounds the memory of a proof: its stages run one after the other, in passes as long as fit, and give the key's pages back.

use bucketwheel::{BasesOptions, Msm};

use super::key::{Convention, Counts};
use crate::{Error, PairingCurve};

/// Most points of a pass.
pub const PASS: usize = 1 << 20;
/// Fewest points of a pass: shorter passes save little memory, and cost more time.
const LEAST_PASS: usize = 1 << 12;
/// Fewest and most points of a pass of a proof that takes little memory.
const LITTLE_PASS: usize = 1 << 10;
const MOST_LITTLE_PASS: usize = 1 << 14;
/// Bytes of a signal's value; then bytes of a nonzero value with its index.
const VALUE: usize = 32;
const TERM: usize = 36;
/// Bytes of a row in the three vectors of the transforms.
const TRANSFORMS: usize = 3 * 40;
/// Bytes that each proof needs: threads, the transforms' constants, the verification.
const ANYWAY: usize = 32 << 20;
/// Bytes set aside for each signal and each point H; then bytes set aside once: points with images, digits, buckets.
const PER_POINT: usize = 1 << 10;
const ROOM: usize = 64 << 20;

/// The memory of a proof.
#[derive(Clone, Copy)]
pub struct Memory {
    /// Number of points of one pass, read from the key. It bounds the memory that does not belong to the witness.
    pub pass: usize,
    /// Bytes to set aside for the points and arrays of all sums. As a rule, they take less. `None`: arrays get fresh pages, of
    /// which few are touched, and give them back.
    pub room: Option<usize>,
}

/// Returns the memory of a proof without a bound. A plan would give a smaller number, but cost a small proof a fiftieth of its
/// time.
pub fn unbounded(counts: Counts) -> Memory {
    let Counts { signals, quotient, .. } = counts;
    let points = signals.min(PASS) + signals.saturating_add(quotient).min(PASS);
    Memory { pass: PASS, room: Some(ROOM + PER_POINT * points) }
}

/// Returns the memory of a proof that takes little: an eighth of the points at a time, within limits.
pub fn little(counts: Counts) -> Memory {
    let pass = (counts.signals / 8).next_power_of_two().clamp(LITTLE_PASS, MOST_LITTLE_PASS);
    let room = 2 * PER_POINT * pass + TRANSFORMS.saturating_mul(counts.domain_size);
    Memory { pass, room: Some(room).filter(|_| pass > LITTLE_PASS) }
}

/// Returns the memory with which the whole proof takes no more than `bytes`, on the threads of the current pool. The witness
/// counts, the key does not.
///
/// # Errors
/// [`Error::Memory`], with the least possible bound; the engine's errors.
pub fn bounded<E: PairingCurve>(
    counts: Counts,
    convention: Convention,
    bytes: usize,
) -> Result<Memory, Error> {
    let mut pass = PASS;
    loop {
        let needed = needed::<E>(counts, convention, pass)?;
        match pass {
            _ if needed <= bytes => return Ok(Memory { pass, room: Some(bytes) }),
            LEAST_PASS => return Err(Error::Memory { bytes, least: needed }),
            _ => pass /= 2,
        }
    }
}

/// Returns the bytes of a proof in passes of this length: the maximum over its stages.
fn needed<E: PairingCurve>(counts: Counts, convention: Convention, pass: usize) -> Result<usize, Error> {
    let Counts { signals, domain_size, quotient, .. } = counts;
    // arkworks' convention has the values as field elements as well.
    let transforms = domain_size.saturating_mul(match convention {
        Convention::Snarkjs => TRANSFORMS,
        Convention::Arkworks => TRANSFORMS + 2 * VALUE,
    });
    let sums = TERM.saturating_mul(signals).saturating_add(both::<E>(pass.min(signals))?);
    // The quotient's values stay where the transforms leave them.
    let last = 40usize.saturating_mul(domain_size);
    let last = last.saturating_add(first::<E>(pass.min(quotient))?);
    let most = transforms.max(sums).max(last);
    Ok(most.saturating_add(VALUE.saturating_mul(signals)).saturating_add(ANYWAY))
}

/// Returns the bytes of `n` points of both groups, and of their sums.
fn both<E: PairingCurve>(n: usize) -> Result<usize, Error> {
    let backend = bucketwheel::default_backend_of::<E::G2Curve>()?;
    let points = BasesOptions::new().plan::<E::G2Curve>(n)?.bytes;
    Ok(first::<E>(n)? + points + Msm::new().plan::<E::G2Curve>(backend, n)?.memory_bytes)
}

/// Returns the bytes of `n` points in G1, and of their sums.
fn first<E: PairingCurve>(n: usize) -> Result<usize, Error> {
    let backend = bucketwheel::default_backend_of::<E::G1Curve>()?;
    let points = BasesOptions::new().plan::<E::G1Curve>(n)?.bytes;
    Ok(points + Msm::new().plan::<E::G1Curve>(backend, n)?.memory_bytes)
}
