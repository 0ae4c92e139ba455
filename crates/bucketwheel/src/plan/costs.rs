//! Costs of the parts of an MSM: the weights of a plan.

use ark_ff::{Field, PrimeField};

use crate::Backend;

/// Costs of parts of an MSM, in additions of points with their way through memory.
///
/// The defaults are right within some percent on the machines that we have. [`fit`](Self::fit) finds the costs of
/// another machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Recoding, sorting and scheduling a digit whose window has more than 16 bits, so that its buckets outgrow the
    /// second-level cache.
    pub wide_digit: f64,
    /// An addition of the aggregation, whose operands lie further apart than other operands.
    pub aggregation: f64,
    /// Fixed cost of a window of any width.
    pub window: f64,
    /// Most points whose images under the endomorphism are kept by default
    /// ([`BasesOptions::endomorphism`](crate::BasesOptions::endomorphism)). For more points, the additional memory
    /// outweighs the saved additions.
    pub endomorphism_points: usize,
}

impl Costs {
    /// Default costs, for machines without measurements.
    pub(crate) const DEFAULT: Costs =
        Costs { wide_digit: 0.2, aggregation: 1.3, window: 20.0, endomorphism_points: 1 << 18 };
}

/// Returns the number of points up to which Straus' method on single elements takes less time than buckets in these lanes, if an
/// endomorphism splits the scalars: measured with `bench msm --points`, alone and between calls of other libraries, where buckets find
/// colder caches.
pub(crate) fn few_points<F: Field>(backend: Backend) -> usize {
    match (backend, F::extension_degree()) {
        (Backend::Avx512Ifma, 1) if F::BasePrimeField::MODULUS_BIT_SIZE > 384 => 6,
        (Backend::Avx512Ifma, 1) => 9,
        (Backend::Adx, 1) => 17,
        (Backend::Portable, 1) => 14,
        (_, 1) => 10,
        (Backend::Avx2, _) => 8,
        (Backend::Adx, _) => 40,
        (Backend::Portable, _) => 16,
        _ => 6,
    }
}

/// Returns true if Straus' method takes less time than buckets for `n` points, where `limit` is the number of [`few_points`].
///
/// Whole scalars have twice the windows of split ones, and so twice the buckets and twice the limit.
pub(crate) fn are_few(n: usize, limit: usize, are_split: bool) -> bool {
    n <= if are_split { limit } else { limit.saturating_mul(2) }
}
