//! Fields with roots of unity, in arkworks and in lanes.

use bucketwheel::Backend;
use bucketwheel::MontgomeryWords;
use bucketwheel_lanes::LanePrime;

use super::domain::Numbers;
use super::natural::{AnyNatural, MakeNatural};
use super::passes::AnyPlan;

/// A scalar field that transforms run over.
pub trait TransformField: MontgomeryWords {
    /// The words of an element, the lowest first: an array of 64-bit words.
    type Element: Copy + Default + Send + Sync + 'static;

    /// The least integer that is not a square. snarkjs derives its roots of unity from it.
    const NON_RESIDUE: u64;

    /// Returns the transforms of this domain, or `None` if the CPU lacks the instructions. This crate compiles all of
    /// them, so that its users do not.
    #[doc(hidden)]
    fn plan(domain: Numbers<Self::Element>, backend: Backend) -> Option<Box<dyn AnyPlan>>;

    /// Returns the transforms of one vector on this domain, as [`plan`](Self::plan) does for a quotient.
    #[doc(hidden)]
    fn natural(
        domain: Numbers<Self::Element>,
        backend: Backend,
    ) -> Option<Box<dyn AnyNatural<Self::Element>>>;

    /// Returns the Montgomery forms of these elements in place. They must stay below the modulus.
    #[doc(hidden)]
    fn words_mut(elements: &mut [Self]) -> &mut [Self::Element];

    /// Returns the Montgomery form, below the modulus; R is 2 to the number of bits of the words. The [example](crate::Domain)
    /// uses it.
    fn montgomery_words(&self) -> Self::Element;

    /// Returns snarkjs' root of unity of order 2^log_size. arkworks has the same root in BN254, and another in
    /// BLS12-381. The [example](crate::Domain) uses it.
    fn root_of_unity(log_size: u32) -> Self {
        debug_assert!(log_size <= Self::TWO_ADICITY);
        let root = Self::from(Self::NON_RESIDUE).pow(Self::TRACE);
        (log_size..Self::TWO_ADICITY).fold(root, |root, _| root.square())
    }

    /// Returns snarkjs' shift from the domain of 2^log_size elements to its coset: the root of twice this order,
    /// which makes the odd coset, if the field has that root. The [example](crate::Domain) uses it.
    fn coset_shift(log_size: u32) -> Self {
        match log_size < Self::TWO_ADICITY {
            true => Self::root_of_unity(log_size + 1),
            false => Self::from(Self::NON_RESIDUE).square(),
        }
    }
}

macro_rules! transform_field {
    ($field:ty, $lanes:ty, $non_residue:literal) => {
        impl TransformField for $field {
            type Element = <$lanes as LanePrime>::Words;
            const NON_RESIDUE: u64 = $non_residue;

            fn plan(domain: Numbers<Self::Element>, backend: Backend) -> Option<Box<dyn AnyPlan>> {
                backend.visit::<$lanes, _>(domain).ok()
            }

            fn natural(
                domain: Numbers<Self::Element>,
                backend: Backend,
            ) -> Option<Box<dyn AnyNatural<Self::Element>>> {
                backend.visit::<$lanes, _>(MakeNatural(domain)).ok()
            }

            #[allow(unsafe_code)]
            fn words_mut(elements: &mut [Self]) -> &mut [Self::Element] {
                const { assert!(size_of::<Self>() == size_of::<Self::Element>()) };
                const { assert!(align_of::<Self>() == align_of::<Self::Element>()) };
                // SAFETY: pointer and length come from a slice that stays borrowed as long as the result. An element
                // has the size of its words, its only field with a size, so the words lie at its start; every bit
                // pattern of words is valid.
                unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), elements.len()) }
            }

            fn montgomery_words(&self) -> Self::Element {
                self.0 .0
            }
        }
    };
}

#[cfg(feature = "bn254")]
transform_field!(ark_bn254::Fr, bucketwheel_lanes::Bn254Fr, 5);
#[cfg(feature = "bls12-381")]
transform_field!(ark_bls12_381::Fr, bucketwheel_lanes::Bls12_381Fr, 5);
#[cfg(feature = "bls12-377")]
transform_field!(ark_bls12_377::Fr, bucketwheel_lanes::Bls12_377Fr, 11);
// The coordinates of BLS12-377.
#[cfg(feature = "bw6-761")]
transform_field!(ark_bw6_761::Fr, bucketwheel_lanes::Bls12_377Fq, 5);
