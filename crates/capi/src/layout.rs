//! Points, scalars and sums in a caller's memory.

use bucketwheel::{CurveId, Form, GroupId, PointLayout};
use bucketwheel_dynamic::{group, AnyPoints, AnyScalars, AnySum};

use crate::abi::*;
use crate::border::{self, Room};
use crate::error::Error;
use crate::options::{self, Coordinates};

/// Returns the bytes of a coordinate in one group.
pub fn coordinate_bytes(curve: CurveId, group: GroupId) -> usize {
    curve.coefficients(group) * curve.field_bytes()
}

/// Returns the bytes of a sum in one group or both.
pub fn sum_bytes(curve: CurveId, group: GroupId, coordinates: Coordinates) -> usize {
    group.parts().iter().map(|&part| coordinates.count() * coordinate_bytes(curve, part)).sum()
}

/// Layout that a caller wants for sums.
#[derive(Clone, Copy)]
pub struct SumLayout {
    form: Form,
    coordinates: Coordinates,
}

impl SumLayout {
    /// Returns the layout that a caller's buffer has.
    pub fn new(sums: &bw_sums) -> Result<Self, Error> {
        Ok(SumLayout {
            form: options::form(sums.form)?,
            coordinates: options::coordinates(sums.coordinates)?,
        })
    }

    /// Returns the bytes of the sums in each group.
    pub fn bytes(&self, curve: CurveId, sums: &[AnySum]) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        for sum in sums {
            bytes.extend_from_slice(match self.form {
                Form::Canonical => &sum.integers,
                Form::Montgomery => &sum.montgomery,
            });
            if self.coordinates == Coordinates::Jacobian {
                let z = group(curve, sum.group)?.one(self.form);
                bytes.extend(z.iter().map(|&byte| if sum.is_infinity() { 0 } else { byte }));
            }
        }
        Ok(bytes)
    }
}

/// Buffer of the caller for sums, and their layout in it.
pub struct Sums {
    layout: SumLayout,
    room: Room,
    curve: CurveId,
}

impl Sums {
    /// Returns the buffer for `count` sums in a group or both.
    ///
    /// # Errors
    /// For unknown codes, and for a buffer that is too small.
    ///
    /// # Safety
    /// - `sums` is NULL or points to a [`bw_sums`], at any address, which nobody changes during the call.
    /// - Its `data` is NULL or points to `size` bytes, which nobody else uses as long as the result is used.
    pub unsafe fn new(
        sums: *const bw_sums,
        curve: CurveId,
        group: GroupId,
        count: usize,
    ) -> Result<Self, Error> {
        // SAFETY: `sums` is NULL or points to a `bw_sums`, which nobody changes.
        let sums = unsafe { border::read(sums, "sums") }?;
        let layout = SumLayout::new(&sums)?;
        // SAFETY: `data` is NULL or points to `size` bytes, which nobody else uses.
        let room = unsafe { Room::new(sums, count, sum_bytes(curve, group, layout.coordinates)) }?;
        Ok(Sums { layout, room, curve })
    }

    /// Writes the sums in each group, one vector of scalars after the other.
    pub fn write(self, sums: &[AnySum]) -> Result<(), Error> {
        self.room.write(&self.layout.bytes(self.curve, sums)?);
        Ok(())
    }
}

/// Returns the points of each group.
///
/// # Errors
/// For unknown codes and invalid pointers.
///
/// # Safety
/// - `points` is NULL or points to one [`bw_points`] for each part of `group`, at any address, which nobody changes during the call.
/// - `data` of each is NULL or points to `count` times `stride` initialised bytes, where a stride of 0 stands for the bytes of a point
///   and of the mark of infinity.
/// - Nobody changes or frees these bytes as long as the result is used.
pub unsafe fn points<'a>(
    curve: CurveId,
    group: GroupId,
    points: *const bw_points,
) -> Result<Vec<AnyPoints<'a>>, Error> {
    // SAFETY: `points` is NULL or points to a `bw_points` for each part, which nobody changes.
    let descriptions = unsafe { border::read_all(points, group.parts().len(), "points") }?;
    let each = group.parts().iter().zip(&descriptions).map(|(&part, points)| {
        let infinity = options::infinity(points)?;
        let (form, size) = (options::form(points.form)?, coordinate_bytes(curve, part));
        let least = match points.infinity {
            BW_INFINITY_FLAG => points.infinity_offset.saturating_add(1),
            BW_INFINITY_ZERO_COORDINATE => points.infinity_offset.saturating_add(size),
            _ => 0,
        };
        let stride = if points.stride == 0 { least.max(2 * size) } else { points.stride };
        // SAFETY: `data` is NULL or points to `count` times `stride` initialised bytes, which nobody changes or frees while 'a lasts.
        let bytes = unsafe { border::bytes(points.data, points.count, stride, "points.data") }?;
        Ok(AnyPoints::raw(bytes, PointLayout { stride, form, infinity }))
    });
    let points = each.collect::<Result<Vec<_>, Error>>()?;
    let expected = descriptions[0].count;
    let other = group.parts().iter().zip(&descriptions).find(|(_, points)| points.count != expected);
    match other {
        None => Ok(points),
        Some((&group, points)) => Err(Error::Count { group, found: points.count, expected }),
    }
}

/// Returns the scalars of a vector.
///
/// # Errors
/// For unknown codes and invalid pointers.
///
/// # Safety
/// - `scalars` is NULL or points to a [`bw_scalars`], at any address, which nobody changes during the call.
/// - Its `data` is NULL or points to `count` times `stride` initialised bytes, where a stride of 0 stands for the bytes of a scalar.
/// - Nobody changes or frees these bytes as long as the result is used.
pub unsafe fn scalars<'a>(curve: CurveId, scalars: *const bw_scalars) -> Result<AnyScalars<'a>, Error> {
    // SAFETY: `scalars` is NULL or points to a `bw_scalars`, which nobody changes.
    let scalars = unsafe { border::read(scalars, "scalars") }?;
    // SAFETY: `data` is NULL or points to initialised bytes, which nobody changes or frees while 'a lasts.
    unsafe { described(curve, &scalars) }
}

/// Returns `count` vectors of scalars. An error in a vector becomes the vector's entry, because earlier vectors may
/// have another error.
///
/// # Errors
/// [`Error::Null`], [`Error::TooLong`].
///
/// # Safety
/// - `vectors` is NULL or points to `count` of [`bw_scalars`], one after the other, at any address, which nobody changes during the call.
/// - `data` of each is NULL or points to its `count` times `stride` initialised bytes, where a stride of 0 stands for the bytes of a
///   scalar.
/// - Nobody changes or frees these bytes as long as the result is used.
pub unsafe fn vectors<'a>(
    curve: CurveId,
    vectors: *const bw_scalars,
    count: usize,
) -> Result<Vec<Result<AnyScalars<'a>, Error>>, Error> {
    // SAFETY: `vectors` is NULL or points to `count` of `bw_scalars`, which nobody changes.
    let vectors = unsafe { border::read_all(vectors, count, "scalars") }?;
    // SAFETY: `data` of each is NULL or points to initialised bytes, which nobody changes or frees while 'a lasts.
    Ok(vectors.iter().map(|scalars| unsafe { described(curve, scalars) }).collect())
}

/// Returns the scalars that a structure describes.
///
/// # Safety
/// - `scalars.data` is NULL or points to `count` times `stride` initialised bytes, where a stride of 0 stands for the bytes of a scalar.
/// - Nobody changes or frees these bytes as long as the result is used.
unsafe fn described<'a>(curve: CurveId, scalars: &bw_scalars) -> Result<AnyScalars<'a>, Error> {
    let form = options::form(scalars.form)?;
    let stride = if scalars.stride == 0 { curve.scalar_bytes() } else { scalars.stride };
    // SAFETY: `data` is NULL or points to `count` times `stride` initialised bytes, which nobody changes or frees while 'a lasts.
    let bytes = unsafe { border::bytes(scalars.data, scalars.count, stride, "scalars.data") }?;
    Ok(AnyScalars::raw(bytes, stride, form))
}
