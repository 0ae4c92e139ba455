//! Conversions of ark-groth16's keys and proofs, written once for all versions of arkworks.

/// Defines `Convert` and implements it for the keys and proofs of one version, whose crate is the argument.
macro_rules! groth16 {
    ($groth16:ident) => {
        /// A key or proof of ark-groth16 that exists on arkworks' types and on ours.
        ///
        /// ```
        #[doc = concat!("use ", stringify!($groth16), "::VerifyingKey;")]
        #[doc = concat!("use ", module_path!(), "::{Accelerated, Convert, OriginalPairing};")]
        ///
        /// /// Takes the key that arkworks' types have read.
        /// fn accelerate<E: OriginalPairing>(key: VerifyingKey<E>) -> VerifyingKey<Accelerated<E>> {
        ///     key.convert()
        /// }
        /// ```
        pub trait Convert<T> {
            /// Returns the same key or proof on the other types. It moves vectors, and copies none of their points. The
            /// [example](Self) uses it.
            fn convert(self) -> T;
        }

        $crate::groth16::groth16!(@ $groth16, E, Accelerated<E>, Affine::wrap_vec);
        $crate::groth16::groth16!(@ $groth16, Accelerated<E>, E, Affine::peel_vec);
    };
    (@ $groth16:ident, $from:ty, $to:ty, $vec:path) => {
        impl<E: OriginalPairing> Convert<$groth16::Proof<$to>> for $groth16::Proof<$from> {
            fn convert(self) -> $groth16::Proof<$to> {
                $groth16::Proof { a: self.a.into(), b: self.b.into(), c: self.c.into() }
            }
        }

        impl<E: OriginalPairing> Convert<$groth16::VerifyingKey<$to>> for $groth16::VerifyingKey<$from> {
            fn convert(self) -> $groth16::VerifyingKey<$to> {
                $groth16::VerifyingKey {
                    alpha_g1: self.alpha_g1.into(),
                    beta_g2: self.beta_g2.into(),
                    gamma_g2: self.gamma_g2.into(),
                    delta_g2: self.delta_g2.into(),
                    gamma_abc_g1: $vec(self.gamma_abc_g1),
                }
            }
        }

        impl<E: OriginalPairing> Convert<$groth16::ProvingKey<$to>> for $groth16::ProvingKey<$from> {
            fn convert(self) -> $groth16::ProvingKey<$to> {
                $groth16::ProvingKey {
                    vk: self.vk.convert(),
                    beta_g1: self.beta_g1.into(),
                    delta_g1: self.delta_g1.into(),
                    a_query: $vec(self.a_query),
                    b_g1_query: $vec(self.b_g1_query),
                    b_g2_query: $vec(self.b_g2_query),
                    h_query: $vec(self.h_query),
                    l_query: $vec(self.l_query),
                }
            }
        }
    };
}

pub(crate) use groth16;
