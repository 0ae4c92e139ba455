//! The inputs of every peer: arkworks points and scalars, and their bytes.

pub mod cache;
pub mod encoding;
pub mod points;
pub mod scalars;

use crate::cell::{Curve, Group};
use anyhow::Result;
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};

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

macro_rules! settings {
    ($($variant:ident = $curve:ident, $group:ident, $config:ty;)+) => {
        /// An MSM over one of the groups this program measures.
        #[derive(Clone, Copy)]
        pub enum AnyInput<'a> {
            $($variant(Input<'a, $config>),)+
        }

        $(impl Setting for $config {
            const CURVE: Curve = Curve::$curve;
            const GROUP: Group = Group::$group;

            fn erase(input: Input<'_, Self>) -> AnyInput<'_> {
                AnyInput::$variant(input)
            }
        })+
    };
}
settings! {
    Bls12_381G1 = Bls12_381, G1, ark_bls12_381::g1::Config;
    Bls12_381G2 = Bls12_381, G2, ark_bls12_381::g2::Config;
    Bls12_377G1 = Bls12_377, G1, ark_bls12_377::g1::Config;
    Bls12_377G2 = Bls12_377, G2, ark_bls12_377::g2::Config;
    Bn254G1 = Bn254, G1, ark_bn254::g1::Config;
    Bn254G2 = Bn254, G2, ark_bn254::g2::Config;
}

/// Work on any curve.
pub trait CurveVisitor {
    fn visit<G1: Setting, G2: Setting<ScalarField = G1::ScalarField>>(&mut self) -> Result<()>;
}

impl Curve {
    /// Does the visitor's work on this curve.
    pub fn visit(self, visitor: &mut impl CurveVisitor) -> Result<()> {
        match self {
            Self::Bls12_381 => visitor.visit::<ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>(),
            Self::Bls12_377 => visitor.visit::<ark_bls12_377::g1::Config, ark_bls12_377::g2::Config>(),
            Self::Bn254 => visitor.visit::<ark_bn254::g1::Config, ark_bn254::g2::Config>(),
        }
    }
}

/// Evaluates `$body` with `$input` bound to the statically typed input.
#[macro_export]
macro_rules! with_input {
    ($any:expr, $input:ident => $body:expr) => {
        match $any {
            $crate::inputs::AnyInput::Bls12_381G1($input) => $body,
            $crate::inputs::AnyInput::Bls12_381G2($input) => $body,
            $crate::inputs::AnyInput::Bls12_377G1($input) => $body,
            $crate::inputs::AnyInput::Bls12_377G2($input) => $body,
            $crate::inputs::AnyInput::Bn254G1($input) => $body,
            $crate::inputs::AnyInput::Bn254G2($input) => $body,
        }
    };
}

// Derived implementations would require `C: Copy`, which a configuration does not have.
impl<C: SWCurveConfig> Clone for Input<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: SWCurveConfig> Copy for Input<'_, C> {}
