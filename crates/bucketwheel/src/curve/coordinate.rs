//! The engine's trait of a coordinate field.

use std::any::TypeId;

use ark_ff::Field;
use bucketwheel_lanes::Backend;

use super::known::Known;
use crate::engine::at_rest::Coordinates;
use crate::engine::single::Map;
use crate::engine::Engine;
use crate::Error;

/// A coordinate field with lanes.
///
/// ```
/// use ark_bn254::Fq2;
/// use bucketwheel::{Backend, CoordinateField};
///
/// let one_and_two = Fq2::new(1.into(), 2.into());
/// assert_eq!(Fq2::from_words(&one_and_two.to_words()), one_and_two);
/// assert!(Fq2::backends().contains(&Backend::Portable));
/// ```
pub trait CoordinateField: Field {
    /// Elements in the lanes' outer form.
    type Words: Copy + PartialEq + Default + std::fmt::Debug + Send + Sync;

    /// Returns the Montgomery form's words. The [example](Self) uses it.
    fn to_words(&self) -> Self::Words;

    /// Returns the element of these words, which must be reduced. The [example](Self) uses it.
    fn from_words(words: &Self::Words) -> Self;

    /// Returns the instruction sets that have lanes for this field. The [example](Self) uses it.
    fn backends() -> &'static [Backend];

    /// Returns the engine that does all work in the lanes of a backend.
    #[doc(hidden)]
    fn engine(backend: Backend) -> Result<Box<dyn Engine<Self::Words>>, Error>;

    /// Returns the sum over points by position ([`horner`](crate::engine::single::horner)). It is compiled here, not in the
    /// crates that have curves. Beside lanes of a backend with instructions of its own, the CPU's assembly for words
    /// multiplies the single elements.
    #[doc(hidden)]
    fn horner(
        backend: Backend,
        a: Self,
        bits: u32,
        points_at: &dyn Fn(u32) -> Vec<Coordinates<Self::Words>>,
    ) -> [Self::Words; 3];

    /// Returns the sum of few points ([`straus`](crate::engine::single::straus)), compiled here, too.
    #[doc(hidden)]
    fn straus(
        backend: Backend,
        a: Self,
        map: Option<Map<Self>>,
        points: &[Coordinates<Self::Words>],
        digits: &[Vec<i8>],
    ) -> Option<[Self::Words; 3]>;

    /// Returns known properties of the curve of this arkworks configuration.
    #[doc(hidden)]
    fn known(curve: TypeId) -> Option<&'static Known<Self>>;

    /// Returns an element's words, one after the other.
    #[doc(hidden)]
    fn as_words(words: &Self::Words) -> &[u64];

    /// Returns true if words are reduced.
    #[doc(hidden)]
    fn is_reduced(words: &Self::Words) -> bool;

    /// Returns the words of an element from little-endian integers of the same length, or `None` if one of the integers
    /// is not below the modulus. The words are the element's Montgomery form up to a factor
    /// ([`integer_factor`](super::integer_factor)).
    #[doc(hidden)]
    fn read_integers(bytes: &[u8]) -> Option<Self::Words>;

    /// Returns the words of the integers of an element.
    #[doc(hidden)]
    fn to_integers(&self) -> Self::Words;
}
