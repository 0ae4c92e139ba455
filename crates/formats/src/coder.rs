//! Points of a group that is known at run time. The code is compiled here, and not again by callers.

use std::marker::PhantomData;

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use bucketwheel::{with_curve, Check, Curve, CurveId, Error as EngineError, GroupId, MissingCurve, Points};

use crate::codec::Codec;
use crate::native::encode_points;
use crate::points::{decode, encode, Failure};

/// [`decode`] and [`encode`] for a group that is known at run time.
pub trait Coder: Send + Sync {
    /// Returns the points of a file, in the form of [`Points::integers`]. The [example](crate) uses it.
    ///
    /// # Errors
    /// The errors of [`decode`].
    fn decode(&self, codec: &Codec, bytes: &[u8], check: Check) -> Result<Vec<u8>, Failure>;

    /// Returns the bytes of points for a file. The [example](crate) uses it.
    ///
    /// # Errors
    /// The errors of [`encode`] and [`Points::integers`].
    fn encode(&self, codec: &Codec, points: &[u8]) -> Result<Vec<u8>, Failure>;

    /// Returns the bytes of the group's generator for a file. The [example](crate::Format) uses it.
    ///
    /// # Errors
    /// The errors of [`encode`].
    fn generator(&self, codec: &Codec) -> Result<Vec<u8>, Failure>;
}

/// Returns the coder of a group; for a pair, the coder of the first group.
///
/// The [example](crate) uses it.
///
/// # Errors
/// [`MissingCurve`].
pub fn coder(curve: CurveId, group: GroupId) -> Result<&'static dyn Coder, MissingCurve> {
    with_curve!(curve, group, C => coder_of::<C>())
}

/// Returns the coder of a group that has no name, such as the second group of BW6-761.
///
/// ```
/// use bucketwheel_formats::{coder, coder_of, FormatId};
/// use bucketwheel::{CurveId, GroupId};
///
/// let codec = FormatId::Gnark.format().codec(CurveId::Bn254, GroupId::G1).expect("a curve of gnark");
/// let named = coder(CurveId::Bn254, GroupId::G1)?;
/// assert_eq!(coder_of::<ark_bn254::g1::Config>().generator(&codec), named.generator(&codec));
/// # Ok::<(), bucketwheel::MissingCurve>(())
/// ```
pub fn coder_of<C: Curve>() -> &'static dyn Coder {
    &Of::<C>(PhantomData)
}

/// The coder of a curve's type.
struct Of<C>(PhantomData<fn() -> C>);

impl<C: Curve> Coder for Of<C> {
    fn decode(&self, codec: &Codec, bytes: &[u8], check: Check) -> Result<Vec<u8>, Failure> {
        let mut integers = Vec::new();
        encode_points::<C>(&decode(codec, bytes, check)?, &mut integers)?;
        Ok(integers)
    }

    fn encode(&self, codec: &Codec, points: &[u8]) -> Result<Vec<u8>, Failure> {
        let points = Points::<C>::integers(points)?;
        let point = |index| points.get(index).ok_or(Failure::from(EngineError::CoordinateRange { index }));
        encode(codec, &(0..points.len()).map(point).collect::<Result<Vec<_>, _>>()?)
    }

    fn generator(&self, codec: &Codec) -> Result<Vec<u8>, Failure> {
        encode(codec, &[Affine::<C>::generator()])
    }
}
