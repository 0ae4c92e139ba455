//! Many points, by the threads of the current pool.

use ark_ec::short_weierstrass::Affine;
use ark_ff::{Field, Zero};
use bucketwheel::{default_backend_of, ordinates, BasesOptions, Check, Control, Curve, Error as EngineError};

use crate::codec::{Codec, Encoded, FlagBits};
use crate::element::prime_bytes;
use crate::error::PointError;
use crate::memory::with_room;

/// Points that a thread takes at once.
const CHUNK: usize = 512;

/// Error that stopped the decoding or encoding of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Index and fault of a point.
    Point(usize, PointError),
    /// The engine's error: the backend is missing, or there is no memory.
    Engine(EngineError),
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Failure::Engine(error)
    }
}

/// Returns the bytes of a point of this curve.
fn point_bytes<C: Curve>(codec: &Codec) -> Result<usize, Failure> {
    let (bytes, least) = (codec.elements.bytes, prime_bytes::<<C::BaseField as Field>::BasePrimeField>());
    match bytes < least {
        true => Err(Failure::Point(0, PointError::Codec { bytes, least })),
        false => Ok(codec.point_bytes::<C>()),
    }
}

/// Returns room for `len` values.
fn room<T>(len: usize) -> Result<Vec<T>, Failure> {
    with_room(len).map_err(|bytes| Failure::Engine(EngineError::OutOfMemory { bytes }))
}

/// Reads all points of the bytes, and checks them. The engine's lanes compute the y of compressed points and the
/// checks.
///
/// The [example](crate#types-instead-of-names) uses it.
///
/// # Errors
/// The first point that is wrong; [`Check::Curve`] finds nothing in compressed points, which are on the curve or
/// nowhere. [`PointError::Codec`] if the codec is too short for the curve, [`EngineError::OutOfMemory`] if there is no
/// memory for the points.
pub fn decode<C: Curve>(codec: &Codec, bytes: &[u8], check: Check) -> Result<Vec<Affine<C>>, Failure> {
    let size = point_bytes::<C>(codec)?;
    let count = bytes.len() / size;
    let mut points: Vec<Affine<C>> = room(count)?;
    points.resize(count, Affine::identity());
    Control::new(None, None, None).chunks(&mut points, CHUNK, |chunk, points| {
        let bytes = &bytes[chunk * CHUNK * size..][..points.len() * size];
        decode_chunk(codec, bytes, check, points).map_err(|failure| match failure {
            Failure::Point(i, error) => Failure::Point(chunk * CHUNK + i, error),
            failure => failure,
        })
    })?;
    Ok(points)
}

fn decode_chunk<C: Curve>(
    codec: &Codec,
    bytes: &[u8],
    check: Check,
    points: &mut [Affine<C>],
) -> Result<(), Failure> {
    let inverse = codec.elements.factor::<C::BaseField>().and_then(|factor| factor.inverse());
    let read = bytes.chunks_exact(codec.point_bytes::<C>()).map(|bytes| codec.read::<C>(bytes, inverse));
    // Each step takes only the points before the first wrong point of the step before.
    let (read, failure) = match codec.compressed {
        false => fill(points, read.map(|encoded| point(codec.flags, encoded?, || None))),
        true => {
            let mut encoded = vec![Encoded::Infinity; points.len()];
            let (read, misread) = fill(&mut encoded, read);
            let (complete, incomplete) = complete(codec.flags, &encoded[..read], points)?;
            (complete, incomplete.or(misread))
        }
    };
    if check != Check::None {
        let options = BasesOptions::new().threads(1).check(check);
        options.verify(&points[..read]).map_err(|error| match error {
            EngineError::NotOnCurve { index } => Failure::Point(index, PointError::NotOnCurve),
            EngineError::NotInSubgroup { index } => Failure::Point(index, PointError::NotInSubgroup),
            error => Failure::Engine(error),
        })?;
    }
    failure.map_or(Ok(()), Err)
}

/// Stores the values before the first error. Returns their number, and the error.
fn fill<T>(out: &mut [T], results: impl Iterator<Item = Result<T, PointError>>) -> (usize, Option<Failure>) {
    for (index, (out, result)) in out.iter_mut().zip(results).enumerate() {
        match result {
            Ok(value) => *out = value,
            Err(reason) => return (index, Some(Failure::Point(index, reason))),
        }
    }
    (out.len(), None)
}

/// Computes the missing coordinates of compressed points.
fn complete<C: Curve>(
    flags: FlagBits,
    encoded: &[Encoded<C::BaseField>],
    points: &mut [Affine<C>],
) -> Result<(usize, Option<Failure>), Failure> {
    let x = |point: &Encoded<C::BaseField>| match point {
        Encoded::Compressed(x, _) => Some(*x),
        _ => None,
    };
    let xs: Vec<_> = encoded.iter().filter_map(x).collect();
    let backend = default_backend_of::<C>().map_err(Failure::Engine)?;
    let mut ys = ordinates::<C>(backend, &xs).map_err(Failure::Engine)?.into_iter();
    let complete = encoded.iter().map(|&encoded| point(flags, encoded, || ys.next().flatten()));
    Ok(fill(&mut points[..encoded.len()], complete))
}

/// Returns the point. If it lacks its own y, takes the right value of `y`.
fn point<C: Curve>(
    flags: FlagBits,
    encoded: Encoded<C::BaseField>,
    y: impl FnOnce() -> Option<C::BaseField>,
) -> Result<Affine<C>, PointError> {
    match encoded {
        Encoded::Infinity => Ok(Affine::identity()),
        Encoded::Point(x, y) => Ok(Affine::new_unchecked(x, y)),
        Encoded::Compressed(x, sign) => match y() {
            None => Err(PointError::NotOnCurve),
            // 0 is neither the larger value of two, nor odd.
            Some(y) if sign && y.is_zero() => Err(PointError::Flags),
            Some(y) => Ok(Affine::new_unchecked(x, if flags.sign(&y) == sign { y } else { -y })),
        },
    }
}

/// Returns the bytes of points.
///
/// The [example](crate#types-instead-of-names) uses it.
///
/// # Errors
/// [`PointError::Codec`] if the codec is too short for the curve, [`EngineError::OutOfMemory`] if there is no memory for the
/// bytes.
pub fn encode<C: Curve>(codec: &Codec, points: &[Affine<C>]) -> Result<Vec<u8>, Failure> {
    let size = point_bytes::<C>(codec)?;
    let len = points.len().saturating_mul(size);
    let mut out = room(len)?;
    out.resize(len, 0);
    Control::new(None, None, None).chunks(&mut out, size.saturating_mul(CHUNK), |chunk, out| {
        let factor = codec.elements.factor::<C::BaseField>();
        let mut bytes = Vec::with_capacity(out.len());
        let points = &points[chunk * CHUNK..][..out.len() / size];
        points.iter().for_each(|point| codec.write(point, factor, &mut bytes));
        out.copy_from_slice(&bytes);
        Ok::<_, Failure>(())
    })?;
    Ok(out)
}
