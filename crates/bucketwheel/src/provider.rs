//! Devices that compute. A [`Provider`] yields the [`Engine`] of a coordinate field, and tells its [`Abilities`]. The CPU, with
//! one of its instruction sets, is a provider ([`Cpu`]).
//!
//! Another device is a type of its own that implements [`Provider`] for the fields it has, and is handed to
//! [`BasesOptions::prepare_by`](crate::BasesOptions::prepare_by). It gets points and arranged digits, and returns the sums of
//! each set of buckets by bit. Scalars, digits, the sort and the last few hundred additions stay on the CPU. A device
//! takes work that it does not do itself, for example checks and square roots, from the engine of [`Cpu`].
//!
//! These interfaces follow the engine: they may change with any minor version.

use bucketwheel_lanes::Backend;

use crate::curve::CoordinateField;
use crate::engine::strategy::Strategy;
use crate::plan::costs::{few_points, Costs};
use crate::Error;

pub use crate::digits::sort::Arranged;
pub use crate::engine::accumulator::{Accumulator, AccumulatorResult, Opening};
pub use crate::engine::at_rest::Coordinates;
pub use crate::engine::buckets::{BitSums, Shape};
pub use crate::engine::coefficients::Coefficients;
pub use crate::engine::examine::{Examination, Failure};
pub use crate::engine::infinities::Infinities;
pub use crate::engine::points::{Accumulation, Prepared, PreparedResult, Source};
pub use crate::engine::roots::Abscissas;
pub use crate::engine::stored::Restored;
pub use crate::engine::Engine;

/// Abilities of a provider, for plans and the sort.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Abilities {
    /// Instruction set of the work that stays on the CPU, and of the layout of table files.
    pub backend: Backend,
    /// Order in which the provider takes points.
    pub takes: Takes,
    /// Bytes of a point at rest.
    pub point_bytes: usize,
    /// Most points that the CPU sums faster without lanes, by Straus' method, if an endomorphism splits the scalars; twice this
    /// number if none does. The CPU does not ask the provider then.
    pub few_points: usize,
    /// Costs of the parts of an MSM.
    pub costs: Costs,
}

/// Order in which a provider takes the points of a set of buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// In the order that the scheduler of the MSM wants.
    AsScheduled,
    /// Sorted by bucket. The provider sums each bucket's run of points as a whole, and asks no scheduler.
    WholeRuns,
    /// In the order of the scalars. The provider asks no scheduler.
    InOrder,
}

impl Abilities {
    /// Returns true if points come sorted by bucket.
    pub(crate) fn needs_sorted(&self, strategy: Strategy) -> bool {
        match self.takes {
            Takes::AsScheduled => strategy.needs_sorted(),
            Takes::WholeRuns => true,
            Takes::InOrder => false,
        }
    }
}

/// A device that computes with points over the coordinate field `F`.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use ark_bn254::{Fr, G1Affine};
/// use ark_ec::AffineRepr;
/// use bucketwheel::provider::{Abilities, Cpu, Engine, Provider};
/// use bucketwheel::{default_backend, BasesOptions, CoordinateField, Error, Msm};
///
/// /// The CPU, with a count of the engines it has given away.
/// struct Counted(Cpu, AtomicUsize);
///
/// impl<F: CoordinateField> Provider<F> for Counted {
///     fn abilities(&self) -> Result<Abilities, Error> {
///         Provider::<F>::abilities(&self.0)
///     }
///
///     fn engine(&self) -> Result<Box<dyn Engine<F::Words>>, Error> {
///         self.1.fetch_add(1, Ordering::Relaxed);
///         Provider::<F>::engine(&self.0)
///     }
/// }
///
/// let counted = Counted(Cpu(default_backend()?), AtomicUsize::new(0));
/// let bases = BasesOptions::new().prepare_by(&counted, &vec![G1Affine::generator(); 100])?;
/// let sum = Msm::new().run(&bases, &vec![Fr::from(2); 100])?;
/// assert_eq!(sum, G1Affine::generator() * Fr::from(200));
/// assert!(counted.1.load(Ordering::Relaxed) > 0);
/// # Ok::<(), Error>(())
/// ```
pub trait Provider<F: CoordinateField>: Sync {
    /// Returns the provider's abilities over this field. The [example](crate::provider::Provider) uses it.
    ///
    /// # Errors
    /// If the provider is not available.
    fn abilities(&self) -> Result<Abilities, Error>;

    /// Yields the engine over this field. The [example](crate::provider::Provider) uses it.
    ///
    /// # Errors
    /// If the provider is not available.
    fn engine(&self) -> Result<Box<dyn Engine<F::Words>>, Error>;
}

/// The CPU with one of its instruction sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu(pub Backend);

impl<F: CoordinateField> Provider<F> for Cpu {
    fn abilities(&self) -> Result<Abilities, Error> {
        Ok(Abilities {
            backend: self.0,
            takes: Takes::AsScheduled,
            point_bytes: F::engine(self.0)?.point_bytes(),
            few_points: few_points::<F>(self.0),
            costs: Costs::over::<F>(self.0),
        })
    }

    fn engine(&self) -> Result<Box<dyn Engine<F::Words>>, Error> {
        F::engine(self.0)
    }
}
