//! Fields with roots of unity, in arkworks and in lanes.

use ark_ff::BigInt;
use bucketwheel::Backend;
use bucketwheel::MontgomeryWords;

use super::domain::{Element, Numbers};
use super::natural::{AnyNatural, MakeNatural};
use super::passes::AnyPlan;

/// A scalar field that transforms run over.
pub trait TransformField: MontgomeryWords<BigInt = BigInt<4>> {
    /// The least integer that is not a square. snarkjs has its roots of unity from it.
    const NON_RESIDUE: u64;

    /// The transforms of this domain, `None` where the CPU lacks the instructions. All of them are compiled here, not in the
    /// crates that use them.
    #[doc(hidden)]
    fn plan(domain: Numbers, backend: Backend) -> Option<Box<dyn AnyPlan>>;

    /// The transforms of one vector on this domain, as [`plan`](Self::plan) has those of a quotient.
    #[doc(hidden)]
    fn natural(domain: Numbers, backend: Backend) -> Option<Box<dyn AnyNatural>>;

    /// The Montgomery forms of these elements, where they are. They must stay below the modulus.
    #[doc(hidden)]
    fn words_mut(elements: &mut [Self]) -> &mut [Element];

    /// The Montgomery form, R = 2^256, below the modulus.
    fn montgomery_words(&self) -> Element;

    /// snarkjs' root of unity of order 2^log_size. This is arkworks' in BN254, not in BLS12-381.
    fn root_of_unity(log_size: u32) -> Self {
        debug_assert!(log_size <= Self::TWO_ADICITY);
        let root = Self::from(Self::NON_RESIDUE).pow(Self::TRACE);
        (log_size..Self::TWO_ADICITY).fold(root, |root, _| root.square())
    }

    /// snarkjs' shift from the domain of 2^log_size elements to its coset: the root of twice that order, which makes
    /// it the odd coset, where there is one.
    fn coset_shift(log_size: u32) -> Self {
        match log_size < Self::TWO_ADICITY {
            true => Self::root_of_unity(log_size + 1),
            false => Self::from(Self::NON_RESIDUE).square(),
        }
    }
}

macro_rules! transform_field {
    ($field:ty, $lanes:ty) => {
        impl TransformField for $field {
            const NON_RESIDUE: u64 = 5;

            fn plan(domain: Numbers, backend: Backend) -> Option<Box<dyn AnyPlan>> {
                backend.visit::<$lanes, _>(domain).ok()
            }

            fn natural(domain: Numbers, backend: Backend) -> Option<Box<dyn AnyNatural>> {
                backend.visit::<$lanes, _>(MakeNatural(domain)).ok()
            }

            #[allow(unsafe_code)]
            fn words_mut(elements: &mut [Self]) -> &mut [Element] {
                const { assert!(size_of::<Self>() == size_of::<Element>()) };
                const { assert!(align_of::<Self>() == align_of::<Element>()) };
                // SAFETY: the pointer and the length are those of a slice that is borrowed for as long. An element has the size of its
                // words, which are its only field that has any, so that they lie at its start; any words are a valid value.
                unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), elements.len()) }
            }

            fn montgomery_words(&self) -> Element {
                self.0 .0
            }
        }
    };
}

#[cfg(feature = "bn254")]
transform_field!(ark_bn254::Fr, bucketwheel_lanes::Bn254Fr);
#[cfg(feature = "bls12-381")]
transform_field!(ark_bls12_381::Fr, bucketwheel_lanes::Bls12_381Fr);
