//! The table of accelerator designs, each once. The command, simulated RTL, Python and the cluster read it. `hdl/designs.txt` is
//! a copy for readers without Rust; a test compares the two.

use crate::Curve;

/// Makes the table. Each design has its module (with `Parameters`), name, curves, and
///
/// - `cards`: the parameter with the number of cards behind one link; `None` if each card is a machine of its own;
/// - `one_sum`: the parameters for a single sum, where they differ from the defaults;
/// - a line of description.
macro_rules! designs {
    ($d:tt $($variant:ident = $module:ident, $name:literal, [$($curve:ident),+], cards: $cards:expr,
        one_sum: $one_sum:expr, $about:literal;)*) => {
        /// An accelerator design.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Design {
            $(#[doc = $about] $variant,)*
        }

        impl Design {
            /// All designs.
            pub const ALL: &'static [Design] = &[$(Design::$variant),*];

            /// Returns the name of the design, its [`Model::NAME`](crate::Model::NAME). The [example](crate::dynamic) uses it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Design::$variant => $name),*
                }
            }

            /// Returns a description in one line. The [example](crate::dynamic) uses it.
            pub fn about(self) -> &'static str {
                match self {
                    $(Design::$variant => $about),*
                }
            }

            /// Returns the curves that the design computes on. The [example](crate::dynamic) uses it.
            pub fn curves(self) -> &'static [Curve] {
                match self {
                    $(Design::$variant => &[$(Curve::$curve),+]),*
                }
            }

            /// Returns the parameter with the number of cards behind one link, or `None` if each card is a machine of its
            /// own. The [example](crate::dynamic) uses it.
            pub fn cards(self) -> Option<&'static str> {
                match self {
                    $(Design::$variant => $cards),*
                }
            }

            /// Returns the parameters for a single sum, where they differ from the defaults. The
            /// [example](crate::dynamic) uses it.
            pub fn one_sum(self) -> &'static [(&'static str, &'static str)] {
                match self {
                    $(Design::$variant => &$one_sum),*
                }
            }
        }

        /// Calls the macro `$call` with the type of a design's parameters, and with each curve of the design and arkworks'
        /// configuration of its first group.
        #[macro_export]
        macro_rules! match_design {
            ($d design:expr, $d call:ident) => {
                match $d design {
                    $($crate::Design::$variant => $d call!(
                        $crate::$module::Parameters; $($curve => $crate::config::$curve::g1::Config),+
                    ),)*
                }
            };
        }
    };
}

/// Makes the table of the published designs and of more designs; `$d` is a dollar.
macro_rules! with_published {
    ($d:tt $($more:tt)*) => {
        designs! { $d
            Cyclone = cyclone, "cyclone", [Bls12_377], cards: None, one_sum: [],
                "CycloneMSM: one adder, the delayed scheduler; BLS12-377";
            Msmac = msmac, "msmac", [Bn254], cards: Some("cards"), one_sum: [],
                "MSMAC: processors with an instruction set of their own, cards; BN254";
            // The processing elements share points, not a sum: a single sum is one element's work.
            Gypsophila = gypsophila, "gypsophila", [Bls12_377, Bn254], cards: None, one_sum: [("pes", "1")],
                "Gypsophila: tasks side by side over shared points; BLS12-377 or BN254";
            $($more)*
        }
    };
}

// A row has code for each of its curves: the smallest command goes without this one.
#[cfg(not(feature = "reclaimer"))]
with_published! { $ }
#[cfg(feature = "reclaimer")]
with_published! { $
    Reclaimer = reclaimer, "reclaimer", [Bls12_377, Bls12_381, Bn254], cards: None, one_sum: [],
        "Reclaimer, our own: pairs in batches with one inversion, affine adders that share points";
}
