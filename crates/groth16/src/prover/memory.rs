//! Memory of a proof that is bounded: its stages one after the other, in passes as long as fit.

use bucketwheel::{BasesOptions, Msm};

use super::key::{Convention, Counts};
use crate::{Error, PairingCurve};

/// The points of a pass at most.
pub const PASS: usize = 1 << 20;
/// The same at least: shorter ones save little, and cost more.
const LEAST_PASS: usize = 1 << 12;
/// Bytes of a signal's value, and of it and its index where it is not zero.
const VALUE: usize = 32;
const TERM: usize = 36;
/// Bytes that each proof needs: threads, the transforms' constants, arrays that the engine keeps, the verification.
const ANYWAY: usize = 32 << 20;
/// Bytes set aside for each signal, for each point H, and besides: points with their images, digits, buckets.
const PER_POINT: usize = 1 << 10;
const ROOM: usize = 64 << 20;

/// The points of a pass, for all of a proof to take no more than `bytes`, the witness included and the key not, on the threads of the
/// current pool.
///
/// # Errors
/// [`Error::Memory`], which tells the least; the engine's.
pub fn pass<E: PairingCurve>(counts: Counts, convention: Convention, bytes: usize) -> Result<usize, Error> {
    let mut pass = PASS;
    loop {
        let needed = needed::<E>(counts, convention, pass)?;
        match pass {
            _ if needed <= bytes => return Ok(pass),
            LEAST_PASS => return Err(Error::Memory { bytes, least: needed }),
            _ => pass /= 2,
        }
    }
}

/// Bytes to set aside for the points and arrays of all sums, where nothing bounds them: more than they take, as a rule.
/// Plans would say less, and cost a small proof a fiftieth of its time.
pub fn room(counts: Counts) -> usize {
    let Counts { signals, quotient, .. } = counts;
    ROOM + PER_POINT * (signals.min(PASS) + signals.saturating_add(quotient).min(PASS))
}

/// The bytes of a proof in passes of this length: the maximum over its stages.
fn needed<E: PairingCurve>(counts: Counts, convention: Convention, pass: usize) -> Result<usize, Error> {
    let Counts { signals, domain_size, quotient, .. } = counts;
    // Three vectors of lanes; arkworks' convention has their values as field elements as well.
    let transforms = domain_size.saturating_mul(match convention {
        Convention::Snarkjs => 3 * 40,
        Convention::Arkworks => 3 * 40 + 2 * VALUE,
    });
    let sums = TERM.saturating_mul(signals).saturating_add(both::<E>(pass.min(signals))?);
    // The values stay where the transforms leave them.
    let last = 40usize.saturating_mul(domain_size);
    let last = last.saturating_add(first::<E>(pass.min(quotient))?);
    let most = transforms.max(sums).max(last);
    Ok(most.saturating_add(VALUE.saturating_mul(signals)).saturating_add(ANYWAY))
}

/// The bytes of `n` points of both groups, and of their sums.
fn both<E: PairingCurve>(n: usize) -> Result<usize, Error> {
    let backend = bucketwheel::default_backend_of::<E::G2Curve>()?;
    let points = BasesOptions::new().plan::<E::G2Curve>(n)?.bytes;
    Ok(first::<E>(n)? + points + Msm::new().plan::<E::G2Curve>(backend, n)?.memory_bytes)
}

/// The same in G1.
fn first<E: PairingCurve>(n: usize) -> Result<usize, Error> {
    let backend = bucketwheel::default_backend_of::<E::G1Curve>()?;
    let points = BasesOptions::new().plan::<E::G1Curve>(n)?.bytes;
    Ok(points + Msm::new().plan::<E::G1Curve>(backend, n)?.memory_bytes)
}
