//! Seeded points and scalars, for tests and measurements.
//!
//! Points and scalars come in blocks. Each block has its own stream of random numbers, so the same seed gives the same
//! sequence on any number of threads, and a longer sequence starts with the shorter one.
//!
//! ```
//! use bucketwheel::{Control, CurveId, GroupId};
//! use bucketwheel_dynamic::inputs::{collect, points};
//!
//! let control = Control::new(None, None, None);
//! let blocks = points(CurveId::Bn254, GroupId::G1, 7)?;
//! let (three, two) = (collect(3, 64, &blocks, &control)?, collect(2, 64, &blocks, &control)?);
//! assert!(three.starts_with(&two));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Programs that know their curve take typed points and scalars.
//!
//! ```
//! use ark_ec::AffineRepr;
//! use bucketwheel::config::Bn254::{g1::Config, Fr};
//! use bucketwheel::{Control, CurveId, GroupId};
//! use bucketwheel_dynamic::inputs::{collect_of, generator, Distribution, ScalarSequence, Walk};
//!
//! let control = Control::new(None, None, None);
//! let walk = Walk::<Config>::new(GroupId::G1, 7);
//! let points = collect_of(3, |index| walk.block(index), &control)?;
//! assert!(points.iter().all(|point| point.is_on_curve() && !point.is_zero()));
//!
//! let bits = ScalarSequence::<Fr>::new(Distribution::ZeroOne, 7);
//! assert!(bits.block(0).iter().all(|scalar| scalar.0[0] < 2));
//! println!("{}: {}", Distribution::ZeroOne.name(), Distribution::ZeroOne.about());
//!
//! assert_eq!(generator(CurveId::Bn254, GroupId::G1)?[..1], [1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AdditiveGroup, CurveGroup, PrimeGroup};
use ark_ff::UniformRand;
use bucketwheel::{
    with_curve, Control, Curve, CurveId, Error, GroupId, MissingCurve, MontgomeryWords, ScalarWords,
};
use bucketwheel_formats::{encode_points, encode_scalars};
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Points or scalars in a block.
pub const BLOCK: usize = 1 << 10;
/// Blocks that are made at once.
pub const BLOCKS_AT_ONCE: usize = 64;

/// Number of points in the table that walks add from.
const TABLE: usize = 1 << 6;

/// Distribution of seeded scalars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distribution {
    /// Uniform below the group's order.
    #[default]
    Uniform,
    /// 0 or 1 with equal chances.
    ZeroOne,
    /// Uniform below 2^16.
    Small,
    /// Nine of ten are 0, the others uniform.
    Sparse,
    /// One uniform value for all.
    Equal,
}

impl Distribution {
    /// All distributions, in the order of the documentation.
    pub const ALL: &'static [Self] = &[Self::Uniform, Self::ZeroOne, Self::Small, Self::Sparse, Self::Equal];

    /// Returns a description in a line. The [example](crate::inputs) uses it.
    pub fn about(self) -> &'static str {
        match self {
            Self::Uniform => "Uniform below the group's order",
            Self::ZeroOne => "0 or 1 with equal chances",
            Self::Small => "Uniform below 2^16",
            Self::Sparse => "Nine of ten are 0, the others uniform",
            Self::Equal => "One uniform value for all",
        }
    }

    /// Returns the name on the command line. The [example](crate::inputs) uses it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::ZeroOne => "zero-one",
            Self::Small => "small",
            Self::Sparse => "sparse",
            Self::Equal => "equal",
        }
    }
}

/// Returns the random numbers for block `index` of one of the sequences that `seed` determines.
fn stream(seed: u64, sequence: u8, index: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(u64::from(sequence) << 56 | index as u64);
    rng
}

/// A sequence of distinct points of the prime-order subgroup.
///
/// Each block walks from a random point by `P <- 2P + T[j]`, a random entry of a table of random points. No short
/// linear relation holds between neighbours, so an MSM has the same work as with independent points. A point costs a
/// doubling and an addition.
pub struct Walk<C: Curve> {
    seed: u64,
    sequence: u8,
    table: Vec<Affine<C>>,
}

impl<C: Curve> Walk<C> {
    /// Returns the sequence that `seed` determines for this group. The [example](crate::inputs) uses it.
    pub fn new(group: GroupId, seed: u64) -> Self {
        let sequence = group.code();
        // Stream 0 makes the table, stream i + 1 the points of block i.
        let mut rng = stream(seed, sequence, 0);
        let table: Vec<_> = (0..TABLE).map(|_| random_point::<C>(&mut rng)).collect();
        Walk { seed, sequence, table: Projective::normalize_batch(&table) }
    }

    /// Returns the points of block `index`. The [example](crate::inputs) uses it.
    pub fn block(&self, index: usize) -> Vec<Affine<C>> {
        let mut rng = stream(self.seed, self.sequence, index + 1);
        let mut point = random_point::<C>(&mut rng);
        let points: Vec<_> = (0..BLOCK)
            .map(|_| {
                point.double_in_place();
                point += self.table[rng.next_u32() as usize % TABLE];
                point
            })
            .collect();
        Projective::normalize_batch(&points)
    }
}

fn random_point<C: Curve>(rng: &mut ChaCha8Rng) -> Projective<C> {
    Projective::generator().mul_bigint(C::ScalarField::rand(rng).to_integer())
}

/// A sequence of scalars.
pub struct ScalarSequence<F> {
    distribution: Distribution,
    seed: u64,
    equal: F,
}

impl<F: ScalarWords> ScalarSequence<F> {
    /// Returns the sequence that `seed` determines for this distribution. The [example](crate::inputs) uses it.
    pub fn new(distribution: Distribution, seed: u64) -> Self {
        let equal = F::rand(&mut stream(seed, Self::sequence(distribution), 0));
        ScalarSequence { distribution, seed, equal }
    }

    /// Returns the code of a distribution's sequence, which is no group's code.
    fn sequence(distribution: Distribution) -> u8 {
        0x10 + distribution as u8
    }

    /// Returns the scalars of block `index`. The [example](crate::inputs) uses it.
    pub fn block(&self, index: usize) -> Vec<F::BigInt> {
        let mut rng = stream(self.seed, Self::sequence(self.distribution), index + 1);
        let draw = || match self.distribution {
            Distribution::Uniform => F::rand(&mut rng),
            Distribution::ZeroOne => F::from(rng.next_u32() & 1),
            Distribution::Small => F::from(rng.next_u32() & 0xffff),
            Distribution::Sparse if !rng.next_u32().is_multiple_of(10) => F::ZERO,
            Distribution::Sparse => F::rand(&mut rng),
            Distribution::Equal => self.equal,
        };
        std::iter::repeat_with(draw).take(BLOCK).map(|scalar| scalar.to_integer()).collect()
    }
}

/// A sequence in blocks of [`BLOCK`] elements: returns the bytes of block `index`, in the form of files.
pub type Blocks = Box<dyn Fn(usize) -> Result<Vec<u8>, Error> + Send + Sync>;

/// Returns the [`Walk`] that `seed` determines, in the form of [`Points::integers`](bucketwheel::Points::integers).
///
/// The [example](crate::schedule) uses it.
///
/// # Errors
/// [`MissingCurve`].
pub fn points(curve: CurveId, group: GroupId, seed: u64) -> Result<Blocks, MissingCurve> {
    with_curve!(curve, group, C => {
        let walk = Walk::<C>::new(group, seed);
        bytes(move |index, bytes| encode_points(&walk.block(index), bytes))
    })
}

/// Returns the generator, in the form of [`Points::integers`](bucketwheel::Points::integers).
///
/// The [example](crate::inputs) uses it.
///
/// # Errors
/// [`MissingCurve`].
pub fn generator(curve: CurveId, group: GroupId) -> Result<Vec<u8>, MissingCurve> {
    with_curve!(curve, group, C => {
        let generator = <C as ark_ec::short_weierstrass::SWCurveConfig>::GENERATOR;
        let mut bytes = Vec::new();
        encode_points::<C>(&[generator], &mut bytes).expect("memory for a point");
        bytes
    })
}

/// Returns the [`ScalarSequence`] that `seed` determines, in the form of
/// [`AnyScalars::integers`](crate::AnyScalars::integers).
///
/// The [example](crate::schedule) uses it.
///
/// # Errors
/// [`MissingCurve`].
pub fn scalars(curve: CurveId, distribution: Distribution, seed: u64) -> Result<Blocks, MissingCurve> {
    with_curve!(curve, GroupId::G1, C => {
        let sequence = ScalarSequence::<<C as ark_ec::CurveConfig>::ScalarField>::new(distribution, seed);
        bytes(move |index, bytes| encode_scalars(&sequence.block(index), bytes))
    })
}

fn bytes(write: impl Fn(usize, &mut Vec<u8>) -> Result<(), Error> + Send + Sync + 'static) -> Blocks {
    Box::new(move |index| {
        let mut bytes = Vec::new();
        write(index, &mut bytes)?;
        Ok(bytes)
    })
}

/// Returns the bytes of the first `count` elements of a sequence, of `size` bytes each. The control's threads make
/// them. Each element is a step of progress, which the caller has announced ([`Control::expect`]).
///
/// The [example](crate::schedule) uses it.
///
/// # Errors
/// [`Error::OutOfMemory`], [`Error::Cancelled`].
pub fn collect(count: usize, size: usize, blocks: &Blocks, control: &Control<'_>) -> Result<Vec<u8>, Error> {
    gather(count, size, blocks, control)
}

/// Returns the first `count` elements of a sequence. The control's threads make them.
///
/// The [example](crate::inputs) uses it.
///
/// # Errors
/// [`Error::OutOfMemory`], [`Error::Cancelled`].
pub fn collect_of<T: Copy + Send>(
    count: usize,
    block: impl Fn(usize) -> Vec<T> + Sync,
    control: &Control<'_>,
) -> Result<Vec<T>, Error> {
    gather(count, 1, |index| Ok(block(index)), control)
}

fn gather<T: Copy + Send>(
    count: usize,
    size: usize,
    block: impl Fn(usize) -> Result<Vec<T>, Error> + Sync,
    control: &Control<'_>,
) -> Result<Vec<T>, Error> {
    let len = count.saturating_mul(size);
    let mut all = Vec::new();
    let bytes = len.saturating_mul(size_of::<T>());
    all.try_reserve_exact(len).map_err(|_| Error::OutOfMemory { bytes })?;
    let blocks = count.div_ceil(BLOCK);
    for start in (0..blocks).step_by(BLOCKS_AT_ONCE) {
        let made = control.map(BLOCKS_AT_ONCE.min(blocks - start), |index| block(start + index))?;
        for block in made {
            let block = block?;
            control.advance(block.len().min(len - all.len()) / size.max(1));
            all.extend_from_slice(&block[..block.len().min(len - all.len())]);
        }
    }
    Ok(all)
}
