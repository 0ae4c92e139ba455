//! The inputs of every peer: arkworks points and scalars, and their bytes.

pub mod cache;
pub mod encoding;
pub mod points;
pub mod scalars;

use crate::cell::{Group, with_curves};
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

/// Makes the settings, the dispatch and the inputs of the curves in the list.
macro_rules! curves {
    ($d:tt $($curve:ident = $g1:ident, $g2:ident, $arkworks:ident;)+) => {
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
        /// The visitor's, and a curve that is not among [`CURVES`](crate::cell::CURVES).
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
with_curves!(curves);

// Derived implementations would require `C: Copy`, which a configuration does not have.
impl<C: SWCurveConfig> Clone for Input<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: SWCurveConfig> Copy for Input<'_, C> {}
