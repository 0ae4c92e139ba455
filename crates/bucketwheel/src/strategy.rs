//! A strategy is a scheduler and an adder; a choice of one never touches the other.

use std::fmt;
use std::str::FromStr;

use ark_ff::Zero;

use crate::curve::{coefficients, Curve};
use crate::schedule::{Delayed, Greedy, Overlap, Scheduler, Serial, ThreeTier, Tree};
use crate::Error;

/// How points become batches of independent additions ([`schedule`](crate::schedule)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum SchedulerKind {
    /// The best one.
    #[default]
    Auto,
    /// Pairwise, level by level, sorted by bucket.
    Tree,
    /// Pairs first, their sums cached (SimdMSM).
    ThreeTier,
    /// Conflicting points in a second pass, and so on (CycloneMSM).
    Delayed,
    /// Conflicting points as soon as possible.
    Greedy,
    /// One after the other: the reference.
    Serial,
}

impl SchedulerKind {
    /// A scheduler of this kind, for an adder that likes `batch` additions at a time, and for buckets of indices below
    /// `buckets`. `Delayed` has batches of at most an eighth of the buckets, so that few points collide, but no less
    /// than 16.
    pub fn scheduler(self, batch: usize, buckets: usize) -> Box<dyn Scheduler> {
        match self {
            SchedulerKind::Auto | SchedulerKind::Tree => Box::<Tree>::default(),
            SchedulerKind::ThreeTier => Box::new(ThreeTier::new(batch, buckets)),
            SchedulerKind::Delayed => {
                Box::new(Delayed::new(batch.min((buckets / 8).max(16)), buckets, Overlap::Batch))
            }
            SchedulerKind::Greedy => Box::new(Greedy::new(batch, buckets)),
            SchedulerKind::Serial => Box::<Serial>::default(),
        }
    }
}

/// The formula that adds points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum AdderKind {
    /// The best one.
    #[default]
    Auto,
    /// Affine, with one inversion per batch.
    Affine,
    /// Extended Jacobian coordinates (XYZZ).
    Xyzz,
    /// Complete projective formulas.
    Projective,
    /// Extended twisted Edwards coordinates, for curves that have the form and points that are prepared for it
    /// ([`BasesOptions::edwards`](crate::BasesOptions::edwards)).
    Edwards,
    /// The same with the unified law, which knows equal summands too: EdMSM's. For the same points.
    EdwardsUnified,
}

impl AdderKind {
    /// The coordinates of a sum in its formulas.
    pub(crate) fn coordinates(self) -> usize {
        match self {
            AdderKind::Auto | AdderKind::Affine => 2,
            AdderKind::Projective => 3,
            AdderKind::Xyzz | AdderKind::Edwards | AdderKind::EdwardsUnified => 4,
        }
    }

    /// The coordinates of a point in its formulas, where they are others than x and y.
    pub fn own_coordinates(self) -> usize {
        match self.is_edwards() {
            true => 4,
            false => 0,
        }
    }

    /// Whether it takes points in the curve's Edwards form.
    pub fn is_edwards(self) -> bool {
        matches!(self, AdderKind::Edwards | AdderKind::EdwardsUnified)
    }

    /// Whether it adds the points of this curve's prime-order subgroup.
    pub fn is_for<C: Curve>(self) -> bool {
        self.check::<C>(true).is_ok()
    }

    /// An error unless it adds the points of this curve, of its prime-order subgroup or any.
    pub(crate) fn check<C: Curve>(self, in_subgroup: bool) -> Result<(), Error> {
        let reason = match self {
            AdderKind::Projective if !C::COEFF_A.is_zero() => Unfit::Coefficient,
            _ if self.is_edwards() && coefficients::<C>().edwards.is_none() => Unfit::NoForm,
            _ if self.is_edwards() && !in_subgroup => Unfit::Subgroup,
            _ => return Ok(()),
        };
        Err(Error::Adder { adder: self, reason })
    }
}

/// Why an adder does not add these points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The curve has no twisted Edwards form, or none is known.
    #[error("the curve has no twisted Edwards form that is known")]
    NoForm,
    /// The points may lie outside of the prime-order subgroup, where the law has exceptions.
    #[error("it is exact in the prime-order subgroup only; check the points' subgroup, or vouch for it")]
    Subgroup,
    /// The points' Edwards form was not asked for.
    #[error("the points were not prepared in Edwards form")]
    NotPrepared,
    /// The curve's coefficient a is not 0.
    #[error("it is for curves with a = 0")]
    Coefficient,
}

/// What the threads of an MSM share out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ThreadsBy {
    /// The best: equal parts of all windows' points with `Tree`, windows with the other schedulers.
    #[default]
    Auto,
    /// The points of each window: threads share its buckets, each of which has a lock (SimdMSM's loop level). Not with
    /// `Tree`.
    Loop,
}

/// A scheduler and an adder, and what threads share out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strategy {
    pub scheduler: SchedulerKind,
    pub adder: AdderKind,
    pub threads_by: ThreadsBy,
}

impl Strategy {
    /// Whether it takes points sorted by bucket.
    pub fn needs_sorted(self) -> bool {
        self.scheduler.scheduler(1, 0).needs_sorted()
    }

    /// An error if threads cannot share points this way, which are sorted or not.
    pub fn check_threads(self, sorted: bool) -> Result<(), Error> {
        match self.threads_by {
            ThreadsBy::Loop if sorted => Err(Error::ThreadsByLoop),
            _ => Ok(()),
        }
    }

    /// What `Auto` stands for.
    pub fn resolve(self) -> Self {
        Strategy {
            threads_by: self.threads_by,
            scheduler: match self.scheduler {
                SchedulerKind::Auto => SchedulerKind::Tree,
                scheduler => scheduler,
            },
            adder: match self.adder {
                AdderKind::Auto => AdderKind::Affine,
                adder => adder,
            },
        }
    }
}

/// The error of an unknown name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} {name:?}; expected one of {expected}")]
pub struct UnknownName {
    kind: &'static str,
    name: String,
    expected: String,
}

macro_rules! named {
    ($type:ty, $kind:literal, $($variant:ident => $name:literal),*) => {
        impl $type {
            /// All, in the order of the documentation.
            pub const ALL: &'static [$type] = &[$(<$type>::$variant),*];

            /// The name on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(<$type>::$variant => $name),*
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $type {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                Self::ALL.iter().copied().find(|kind| kind.name() == name).ok_or_else(|| UnknownName {
                    kind: $kind,
                    name: name.into(),
                    expected: [$($name),*].join(", "),
                })
            }
        }
    };
}

named!(SchedulerKind, "scheduler", Auto => "auto", Tree => "tree", ThreeTier => "three-tier", Delayed => "delayed",
    Greedy => "greedy", Serial => "serial");
named!(ThreadsBy, "division of work among threads", Auto => "auto", Loop => "loop");
named!(AdderKind, "adder", Auto => "auto", Affine => "affine", Xyzz => "xyzz", Projective => "projective", Edwards => "edwards",
    EdwardsUnified => "edwards-unified");
