//! The inputs of every peer: arkworks points and scalars, and their bytes.

pub mod cache;
pub mod encoding;
pub mod points;
pub mod scalars;

use crate::cell::Group;
use anyhow::{Result, bail};
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use bucketwheel::CurveId as Curve;

/// An MSM over one known group.
pub struct Input<'a, C: SWCurveConfig> {
    pub points: &'a [Affine<C>],
    pub scalars: &'a [C::ScalarField],
}

/// A group this program measures.
pub trait Setting: SWCurveConfig {
    const CURVE: Curve;
    const GROUP: Group;

    /// Forgets the static type of an input, so that peers can be trait objects.
    fn erase(input: Input<'_, Self>) -> AnyInput<'_>;
}

/// Work on any curve.
pub trait CurveVisitor {
    fn visit<G1: Setting, G2: Setting<ScalarField = G1::ScalarField>>(&mut self) -> Result<()>;
}

/// Makes all that this program knows of the curves that it measures: the name of each in the engine's catalogue, names of its
/// groups here, and the crate that has them as `g1::Config` and `g2::Config`.
macro_rules! curves {
    ($d:tt $($curve:ident = $g1:ident, $g2:ident, $arkworks:ident;)+) => {
        /// The curves that this program measures.
        pub const CURVES: &[Curve] = &[$(Curve::$curve),+];

        /// An MSM over one of their groups.
        #[derive(Clone, Copy)]
        pub enum AnyInput<'a> {
            $(
                $g1(Input<'a, $arkworks::g1::Config>),
                $g2(Input<'a, $arkworks::g2::Config>),
            )+
        }

        $(
            curves!(@ $arkworks::g1::Config, $curve, G1, $g1);
            curves!(@ $arkworks::g2::Config, $curve, G2, $g2);
        )+

        /// Does the visitor's work on a curve.
        ///
        /// # Errors
        /// The visitor's, and a curve that is not among [`CURVES`].
        pub fn visit(curve: Curve, visitor: &mut impl CurveVisitor) -> Result<()> {
            match curve {
                $(Curve::$curve => visitor.visit::<$arkworks::g1::Config, $arkworks::g2::Config>(),)+
                _ => bail!("{curve} is not measured"),
            }
        }

        /// Evaluates `$body` with `$input` bound to the statically typed input.
        macro_rules! with_input {
            ($d any:expr, $d input:ident => $d body:expr) => {
                match $d any {
                    $(
                        $d crate::inputs::AnyInput::$g1($d input) => $d body,
                        $d crate::inputs::AnyInput::$g2($d input) => $d body,
                    )+
                }
            };
        }
        pub(crate) use with_input;
    };
    (@ $config:ty, $curve:ident, $group:ident, $variant:ident) => {
        impl Setting for $config {
            const CURVE: Curve = Curve::$curve;
            const GROUP: Group = Group::$group;

            fn erase(input: Input<'_, Self>) -> AnyInput<'_> {
                AnyInput::$variant(input)
            }
        }
    };
}
curves! { $
    Bls12_381 = Bls12_381G1, Bls12_381G2, ark_bls12_381;
    Bls12_377 = Bls12_377G1, Bls12_377G2, ark_bls12_377;
    Bn254 = Bn254G1, Bn254G2, ark_bn254;
}

// Derived implementations would require `C: Copy`, which a configuration does not have.
impl<C: SWCurveConfig> Clone for Input<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: SWCurveConfig> Copy for Input<'_, C> {}
