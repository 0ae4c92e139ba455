//! Seeded points and scalars.
//!
//! Both come in blocks, each drawn from its own stream of random numbers, so that the same seed gives the same
//! sequence on any number of threads, and a longer sequence starts with the shorter one.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AdditiveGroup, CurveGroup, PrimeGroup};
use ark_ff::UniformRand;
use bucketwheel::{
    with_curve, Control, Curve, CurveId, Error as EngineError, GroupId, MissingCurve, MontgomeryWords,
    ScalarWords,
};
use clap::ValueEnum;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::args::msm::Bytes;
use crate::error::Error;
use crate::format::{encode_points, encode_scalars};
use crate::measure::half_of_memory;

/// Points or scalars in a block.
pub const BLOCK: usize = 1 << 10;
/// Blocks that are made at a time.
pub const BLOCKS_AT_ONCE: usize = 64;

/// Points that the walks add.
const TABLE: usize = 1 << 6;

/// Distribution of scalars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Distribution {
    /// Uniform below the group's order
    #[default]
    Uniform,
    /// 0 or 1 with equal chances
    ZeroOne,
    /// Uniform below 2^16
    Small,
    /// Nine of ten are 0, the others uniform
    Sparse,
    /// One uniform value for all
    Equal,
}

/// The random numbers for block `index` of one of the sequences that `seed` determines.
fn stream(seed: u64, sequence: u8, index: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(u64::from(sequence) << 56 | index as u64);
    rng
}

/// A sequence of distinct points of the prime-order subgroup.
///
/// Each block walks from a random point by `P <- 2P + T[j]`, a random entry of a table of random points. No short
/// linear relation holds between neighbours, so an MSM meets what it meets with independent points, at the price
/// of a doubling and an addition a point.
pub struct Walk<C: Curve> {
    seed: u64,
    sequence: u8,
    table: Vec<Affine<C>>,
}

impl<C: Curve> Walk<C> {
    /// The sequence that `seed` determines for this group.
    pub fn new(group: GroupId, seed: u64) -> Self {
        let sequence = group.code();
        // Block 0 is the table, block i + 1 are the points of block i.
        let mut rng = stream(seed, sequence, 0);
        let table: Vec<_> = (0..TABLE).map(|_| random_point::<C>(&mut rng)).collect();
        Walk { seed, sequence, table: Projective::normalize_batch(&table) }
    }

    /// The points of block `index`.
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
    /// The sequence that `seed` determines for this distribution.
    pub fn new(distribution: Distribution, seed: u64) -> Self {
        let equal = F::rand(&mut stream(seed, Self::sequence(distribution), 0));
        ScalarSequence { distribution, seed, equal }
    }

    /// None of the groups' codes.
    fn sequence(distribution: Distribution) -> u8 {
        0x10 + distribution as u8
    }

    /// The scalars of block `index`.
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

/// A sequence in blocks, as files have them: the bytes of block `index`.
pub type Blocks = Box<dyn Fn(usize) -> Result<Vec<u8>, EngineError> + Send + Sync>;

/// The [`Walk`] that `seed` determines, as integers.
///
/// # Errors
/// [`MissingCurve`].
pub fn walk(curve: CurveId, group: GroupId, seed: u64) -> Result<Blocks, MissingCurve> {
    with_curve!(curve, group, C => {
        let walk = Walk::<C>::new(group, seed);
        bytes(move |index, bytes| encode_points(&walk.block(index), bytes))
    })
}

/// The [`ScalarSequence`] that `seed` determines, as integers.
///
/// # Errors
/// [`MissingCurve`].
pub fn scalars(curve: CurveId, distribution: Distribution, seed: u64) -> Result<Blocks, MissingCurve> {
    with_curve!(curve, GroupId::G1, C => {
        let sequence = ScalarSequence::<<C as ark_ec::CurveConfig>::ScalarField>::new(distribution, seed);
        bytes(move |index, bytes| encode_scalars(&sequence.block(index), bytes))
    })
}

fn bytes(write: impl Fn(usize, &mut Vec<u8>) -> Result<(), EngineError> + Send + Sync + 'static) -> Blocks {
    Box::new(move |index| {
        let mut bytes = Vec::new();
        write(index, &mut bytes)?;
        Ok(bytes)
    })
}

/// Refuses inputs that take more than half of the memory, before any of them is made; the other half is for what is made
/// of them.
///
/// # Errors
/// [`Error::InputMemory`].
pub fn check_memory(needed: usize) -> Result<(), Error> {
    let most = half_of_memory();
    match needed > most {
        true => Err(Error::InputMemory { needed: Bytes(needed), most: Bytes(most) }),
        false => Ok(()),
    }
}

/// The first `count` elements of a sequence, by the threads of the current pool.
///
/// # Errors
/// [`EngineError::OutOfMemory`].
pub fn collect<T: Copy + Send>(
    count: usize,
    block: impl Fn(usize) -> Vec<T> + Sync,
) -> Result<Vec<T>, EngineError> {
    gather(count, 1, |index| Ok(block(index)))
}

/// The bytes of the first `count` elements, which have `size` bytes each.
///
/// # Errors
/// [`EngineError::OutOfMemory`].
pub fn collect_bytes(count: usize, size: usize, blocks: &Blocks) -> Result<Vec<u8>, EngineError> {
    gather(count, size, blocks)
}

fn gather<T: Copy + Send>(
    count: usize,
    size: usize,
    block: impl Fn(usize) -> Result<Vec<T>, EngineError> + Sync,
) -> Result<Vec<T>, EngineError> {
    let len = count.saturating_mul(size);
    let mut all = room_for(len)?;
    let (blocks, control) = (count.div_ceil(BLOCK), Control::new(None, None, None));
    for start in (0..blocks).step_by(BLOCKS_AT_ONCE) {
        for block in control.map(BLOCKS_AT_ONCE.min(blocks - start), |index| block(start + index))? {
            let block = block?;
            all.extend_from_slice(&block[..block.len().min(len - all.len())]);
        }
    }
    Ok(all)
}

/// An empty list with room for so many elements, a number that a file or an argument says.
///
/// # Errors
/// [`EngineError::OutOfMemory`].
pub fn room_for<T>(count: usize) -> Result<Vec<T>, EngineError> {
    let mut all = Vec::new();
    reserve(&mut all, count)?;
    Ok(all)
}

/// Room for so many elements more.
///
/// # Errors
/// [`EngineError::OutOfMemory`].
pub fn reserve<T>(all: &mut Vec<T>, more: usize) -> Result<(), EngineError> {
    let bytes = more.saturating_mul(size_of::<T>());
    all.try_reserve(more).map_err(|_| EngineError::OutOfMemory { bytes })
}
