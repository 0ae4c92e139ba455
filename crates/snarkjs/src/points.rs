//! Points in a key.

use std::fmt;
use std::marker::PhantomData;

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use bucketwheel::Curve;
use rayon::prelude::*;

use super::element::first_unreduced;
use super::sections::Sections;
use super::{FileError, Montgomery, Section};

/// Returns the number of bytes of a point.
pub fn point_bytes<C: Curve<BaseField: Montgomery>>() -> usize {
    2 * C::BaseField::BYTES
}

/// Returns the point of these bytes: x and y in Montgomery form, both reduced; zeros are infinity.
pub fn read_point<C: Curve<BaseField: Montgomery>>(bytes: &[u8]) -> Affine<C> {
    if bytes.iter().all(|&byte| byte == 0) {
        return Affine::identity();
    }
    let (x, y) = bytes.split_at(bytes.len() / 2);
    Affine::new_unchecked(C::BaseField::from_montgomery(x), C::BaseField::from_montgomery(y))
}

/// Appends a point.
pub fn write_point<C: Curve<BaseField: Montgomery>>(point: &Affine<C>, out: &mut Vec<u8>) {
    let zero = Default::default();
    let (x, y) = point.xy().unwrap_or((zero, zero));
    x.write_montgomery(out);
    y.write_montgomery(out);
}

/// Checks that a point is on the curve and in the prime-order subgroup.
///
/// # Errors
/// [`FileError::Point`].
pub fn check_point<C: Curve>(point: &Affine<C>, what: impl Fn() -> String) -> Result<(), FileError> {
    let refuse = |expected| Err(FileError::Point { what: what(), expected });
    if !point.is_on_curve() {
        return refuse("on the curve");
    }
    if !point.is_in_correct_subgroup_assuming_on_curve() {
        return refuse("in the prime-order subgroup");
    }
    Ok(())
}

/// Points as bytes of the file. Coordinates are reduced; the points may still be off the curve.
pub struct Points<'a, C> {
    section: Section,
    bytes: &'a [u8],
    curve: PhantomData<C>,
}

// A derived implementation would also require the trait of the curve.
impl<C> Copy for Points<'_, C> {}

impl<C> Clone for Points<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> fmt::Debug for Points<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Points({} bytes of {})", self.bytes.len(), self.section)
    }
}

impl<'a, C: Curve<BaseField: Montgomery>> Points<'a, C> {
    /// Returns the points of a section, after a check of their coordinates on all threads of the current pool.
    pub(super) fn parse(sections: &Sections<'a>, section: Section, count: usize) -> Result<Self, FileError> {
        let bytes = sections.records(section, count, point_bytes::<C>())?;
        let size = C::BaseField::BYTES;
        if let Some(coordinate) = first_unreduced::<C::BaseField>(bytes, size, 0) {
            let what = format!("a coordinate of point {} in {section}", coordinate / 2);
            return Err(FileError::Unreduced { what });
        }
        Ok(Points { section, bytes, curve: PhantomData })
    }

    /// Returns the first `count` points.
    ///
    /// # Panics
    /// Panics if there are fewer points.
    pub(super) fn first(&self, count: usize) -> Self {
        Points { bytes: &self.bytes[..count * point_bytes::<C>()], ..*self }
    }

    /// Returns the number of points. The [example](crate::Zkey) uses it.
    pub fn len(&self) -> usize {
        self.bytes.len() / point_bytes::<C>()
    }

    /// Returns true if there are no points. The [example](crate::Zkey) uses it.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the section of the points. The [example](crate::Zkey) uses it.
    pub fn section(&self) -> Section {
        self.section
    }

    /// Returns the section's bytes. The [example](crate::Zkey) uses it.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns one point. Costs as much as reading its bytes. The [example](crate::Zkey) uses it.
    ///
    /// # Panics
    /// Panics if the index is not below the number of points.
    pub fn get(&self, index: usize) -> Affine<C> {
        read_point(&self.bytes[index * point_bytes::<C>()..][..point_bytes::<C>()])
    }

    /// Returns all points, in order. The [example](crate::Zkey) uses it.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Affine<C>> + use<'a, C> {
        self.bytes.chunks_exact(point_bytes::<C>()).map(read_point)
    }

    /// Returns all points, for the threads of the current pool. See the [example](crate::Zkey).
    pub fn par_iter(&self) -> impl IndexedParallelIterator<Item = Affine<C>> + use<'a, C> {
        self.bytes.par_chunks_exact(point_bytes::<C>()).map(read_point)
    }
}
