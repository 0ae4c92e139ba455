//! Many points, by the threads of the current pool.

use ark_ec::short_weierstrass::Affine;
use ark_ff::{Field, Zero};
use bucketwheel::{default_backend, ordinates, BasesOptions, Check, Curve, Error as EngineError};
use rayon::prelude::*;

use crate::codec::{is_larger, Codec, Encoded};
use crate::error::PointError;

/// Points that a thread takes at once.
const CHUNK: usize = 512;

/// What stopped the decoding of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A point, by its index.
    Point(usize, PointError),
    /// The engine's error: there is no such backend.
    Engine(EngineError),
}

/// Reads points, as many as the bytes hold, and checks them. The y of compressed points and the checks are computed in
/// the engine's lanes.
///
/// # Errors
/// The first point that is wrong; [`Check::Curve`] finds nothing on compressed points, which are on the curve or
/// nowhere.
pub fn decode<C: Curve>(codec: &Codec, bytes: &[u8], check: Check) -> Result<Vec<Affine<C>>, Failure> {
    let size = codec.point_bytes::<C>();
    let decode = |(index, bytes): (usize, &[u8])| {
        decode_chunk::<C>(codec, bytes, check).map_err(|failure| match failure {
            Failure::Point(i, error) => Failure::Point(index * CHUNK + i, error),
            failure => failure,
        })
    };
    let chunks: Vec<_> = bytes.par_chunks(size * CHUNK).enumerate().map(decode).collect();
    let mut points = Vec::with_capacity(bytes.len() / size);
    for chunk in chunks {
        points.append(&mut chunk?);
    }
    Ok(points)
}

fn decode_chunk<C: Curve>(codec: &Codec, bytes: &[u8], check: Check) -> Result<Vec<Affine<C>>, Failure> {
    let inverse = codec.elements.factor::<C::BaseField>().and_then(|factor| factor.inverse());
    // Each step takes what precedes the first point that the step before it found to be wrong.
    let read = bytes.chunks_exact(codec.point_bytes::<C>()).map(|bytes| codec.read::<C>(bytes, inverse));
    let (encoded, misread) = until_error(read);
    let (points, incomplete) = complete::<C>(&encoded)?;
    if check != Check::None {
        let options = BasesOptions::new().threads(1).check(check);
        options.verify(&points).map_err(|error| match error {
            EngineError::NotOnCurve { index } => Failure::Point(index, PointError::NotOnCurve),
            EngineError::NotInSubgroup { index } => Failure::Point(index, PointError::NotInSubgroup),
            error => Failure::Engine(error),
        })?;
    }
    incomplete.or(misread).map_or(Ok(points), Err)
}

/// What precedes the first error, and that.
type Prefix<T> = (Vec<T>, Option<Failure>);

fn until_error<T>(results: impl Iterator<Item = Result<T, PointError>>) -> Prefix<T> {
    let mut error = None;
    let values = results.enumerate().map_while(|(index, result)| {
        result.map_err(|reason| error = Some(Failure::Point(index, reason))).ok()
    });
    let values = values.collect();
    (values, error)
}

/// Finds what compressed points lack.
fn complete<C: Curve>(encoded: &[Encoded<C::BaseField>]) -> Result<Prefix<Affine<C>>, Failure> {
    let x = |point: &Encoded<C::BaseField>| match point {
        Encoded::Compressed(x, _) => Some(*x),
        _ => None,
    };
    let xs: Vec<_> = encoded.iter().filter_map(x).collect();
    let ys = match xs.is_empty() {
        true => Vec::new(),
        false => {
            default_backend().and_then(|backend| ordinates::<C>(backend, &xs)).map_err(Failure::Engine)?
        }
    };
    let mut ys = ys.into_iter();
    let point = |point: &Encoded<C::BaseField>| match *point {
        Encoded::Infinity => Ok(Affine::identity()),
        Encoded::Point(x, y) => Ok(Affine::new_unchecked(x, y)),
        Encoded::Compressed(x, larger) => match ys.next().flatten() {
            None => Err(PointError::NotOnCurve),
            // 0 is not the larger one of two.
            Some(y) if larger && y.is_zero() => Err(PointError::Flags),
            Some(y) => Ok(Affine::new_unchecked(x, if is_larger(&y) == larger { y } else { -y })),
        },
    };
    Ok(until_error(encoded.iter().map(point)))
}

/// The bytes of points.
pub fn encode<C: Curve>(codec: &Codec, points: &[Affine<C>]) -> Vec<u8> {
    let size = codec.point_bytes::<C>();
    let mut out = vec![0; points.len() * size];
    out.par_chunks_mut(size * CHUNK).zip(points.par_chunks(CHUNK)).for_each(|(out, points)| {
        let factor = codec.elements.factor::<C::BaseField>();
        let mut bytes = Vec::with_capacity(out.len());
        points.iter().for_each(|point| codec.write(point, factor, &mut bytes));
        out.copy_from_slice(&bytes);
    });
    out
}
