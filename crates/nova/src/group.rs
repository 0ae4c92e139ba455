//! The groups: points that wrap halo2curves' points, with Nova's traits.

use std::ops::{Add, AddAssign, Mul, MulAssign, Sub, SubAssign};

use bucketwheel_halo2curves::v0_9::{msm_best, msm_u64};
use nova_snark::provider::traits::{DlogGroup, DlogGroupExt, PairingGroup};
use nova_snark::provider::{bn256_grumpkin, pasta};
use nova_snark::traits::{CustomSerdeTrait, Group};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

/// Implements an operation and its assignment for a wrapper, with a value or a reference on the right.
macro_rules! operation {
    ($operation:ident::$method:ident, $assignment:ident::$assign:ident, $right:ty, |$b:ident| $inner:expr) => {
        impl $operation<$right> for Point {
            type Output = Point;

            fn $method(self, $b: $right) -> Point {
                Point($operation::$method(self.0, $inner))
            }
        }

        impl $operation<&$right> for Point {
            type Output = Point;

            fn $method(self, $b: &$right) -> Point {
                Point($operation::$method(self.0, $inner))
            }
        }

        impl $assignment<$right> for Point {
            fn $assign(&mut self, $b: $right) {
                $assignment::$assign(&mut self.0, $inner);
            }
        }

        impl $assignment<&$right> for Point {
            fn $assign(&mut self, $b: &$right) {
                $assignment::$assign(&mut self.0, $inner);
            }
        }
    };
}

/// Defines the module of a group, from Nova's module of the same name.
macro_rules! group {
    ($(#[$about:meta])* $group:ident = $original:path) => {
        $(#[$about])*
        pub mod $group {
            use super::*;
            use $original as original;

            pub use original::{Affine, Base, Scalar};

            /// A point: halo2curves' point, with sums by the engine.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
            #[serde(transparent)]
            #[repr(transparent)]
            pub struct Point(pub original::Point);

            operation!(Add::add, AddAssign::add_assign, Point, |other| other.0);
            operation!(Sub::sub, SubAssign::sub_assign, Point, |other| other.0);
            operation!(Mul::mul, MulAssign::mul_assign, Scalar, |scalar| scalar.to_owned());

            impl Group for Point {
                type Base = Base;
                type Scalar = Scalar;

                fn group_params() -> (Base, Base, BigInt, BigInt) {
                    original::Point::group_params()
                }
            }

            impl CustomSerdeTrait for Point {
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    CustomSerdeTrait::serialize(&self.0, serializer)
                }

                fn deserialize<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    <original::Point as CustomSerdeTrait>::deserialize(deserializer).map(Point)
                }
            }

            impl DlogGroup for Point {
                type AffineGroupElement = Affine;

                fn from_label(label: &'static [u8], n: usize) -> Vec<Affine> {
                    original::Point::from_label(label, n)
                }

                fn affine(&self) -> Affine {
                    self.0.affine()
                }

                fn group(point: &Affine) -> Self {
                    Point(original::Point::group(point))
                }

                fn zero() -> Self {
                    Point(original::Point::zero())
                }

                fn gen() -> Self {
                    Point(original::Point::gen())
                }

                fn to_coordinates(&self) -> (Base, Base, bool) {
                    self.0.to_coordinates()
                }
            }

            impl DlogGroupExt for Point {
                fn vartime_multiscalar_mul(scalars: &[Scalar], bases: &[Affine]) -> Self {
                    Point(msm_best(scalars, bases))
                }

                fn vartime_multiscalar_mul_small<T: Integer + Into<u64> + Copy + Sync + ToPrimitive>(
                    scalars: &[T],
                    bases: &[Affine],
                ) -> Self {
                    let scalars: Vec<u64> = scalars.iter().map(|&scalar| scalar.into()).collect();
                    Point(msm_u64(&scalars, bases))
                }

                // The engine finds the length of the longest scalar by itself.
                fn vartime_multiscalar_mul_small_with_max_num_bits<
                    T: Integer + Into<u64> + Copy + Sync + ToPrimitive,
                >(
                    scalars: &[T],
                    bases: &[Affine],
                    _max_num_bits: usize,
                ) -> Self {
                    Self::vartime_multiscalar_mul_small(scalars, bases)
                }
            }
        }
    };
}

group! {
    /// The first group of BN254, Nova's `bn256`.
    bn256 = bn256_grumpkin::bn256
}
group! {
    /// Grumpkin.
    grumpkin = bn256_grumpkin::grumpkin
}
group! {
    /// Pallas.
    pallas = pasta::pallas
}
group! {
    /// Vesta.
    vesta = pasta::vesta
}

impl PairingGroup for bn256::Point {
    type G2 = <bn256_grumpkin::bn256::Point as PairingGroup>::G2;
    type GT = <bn256_grumpkin::bn256::Point as PairingGroup>::GT;

    fn pairing(p: &Self, q: &Self::G2) -> Self::GT {
        bn256_grumpkin::bn256::Point::pairing(&p.0, q)
    }
}
