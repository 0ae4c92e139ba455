//! The coordinate fields, and the known properties of the curves over them. To add a curve over one of them, add its line.

use std::any::TypeId;
use std::sync::OnceLock;

use ark_ff::{BigInt, BigInteger, Field, PrimeField};
use bucketwheel_lanes as lanes;
use bucketwheel_lanes::radix64::{Arithmetic, QuadraticSingle, Single};
use bucketwheel_lanes::{Backend, LanePrime, QuarticSingle, Words64};

#[cfg(feature = "bls24-315-g2")]
use super::bls24_315::{Fq, Fq2, Fq4, G1, G2};
use super::coordinate::CoordinateField;
use super::known::Known;
use crate::engine::at_rest::Coordinates;
use crate::engine::roots::{QuadraticRootTables, RootTables};
use crate::engine::single::{horner, straus, Map};
use crate::engine::{Engine, OverPrime, OverQuadratic, OverQuartic};
use crate::scalars::MontgomeryWords;
use crate::Error;

/// Returns tables for square roots in a prime field.
fn root_tables<F: PrimeField + CoordinateField<Words: Copy>>() -> RootTables<F::Words> {
    let inverse = F::TWO_ADIC_ROOT_OF_UNITY.inverse().expect("a root of unity");
    let power = |exponent: u64| inverse.pow([exponent]).to_words();
    RootTables::new(F::TWO_ADICITY, &F::TRACE_MINUS_ONE_DIV_TWO.to_bits_be(), power)
}

/// Returns the tables for square roots in the extension of a prime field by a root of `-beta`.
fn quadratic_root_tables<F: PrimeField + CoordinateField>(beta: u32) -> QuadraticRootTables<F::Words> {
    // g = -1 where S = 1, in arkworks as well.
    let g = F::TWO_ADIC_ROOT_OF_UNITY;
    let inverse = |x: F| x.inverse().expect("not zero");
    let kappa = (-F::from(beta) * inverse(g)).sqrt().expect("the quotient of two nonsquares");
    let half = inverse(F::from(2u32));
    QuadraticRootTables {
        prime: root_tables::<F>(),
        half: half.to_words(),
        half_kappa: (half * kappa).to_words(),
        inverse_kappa: inverse(kappa * g).to_words(),
    }
}

/// Implements `CoordinateField::known`, which computes the properties of a curve when it is first asked for them.
macro_rules! known {
    ($field:ty, [$($curve:ty => $known:expr),*]) => {
        fn known(_curve: TypeId) -> Option<&'static Known<Self>> {
            $({
                static KNOWN: OnceLock<Known<$field>> = OnceLock::new();
                if _curve == TypeId::of::<$curve>() {
                    return Some(KNOWN.get_or_init($known));
                }
            })*
            None
        }
    };
}

/// `CoordinateField::horner` and `straus`, on the field of single elements that an expression makes of a backend.
macro_rules! sums {
    ($backend:ident => $single:expr) => {
        fn horner(
            $backend: Backend,
            a: Self,
            bits: u32,
            points_at: &dyn Fn(u32) -> Vec<Coordinates<Self::Words>>,
        ) -> [Self::Words; 3] {
            let field = $single;
            horner(field, words_of(a).as_ref(), bits, points_at).map(|words| field.reduced(&words))
        }

        fn straus(
            $backend: Backend,
            a: Self,
            map: Option<Map<Self>>,
            points: &[Coordinates<Self::Words>],
            digits: &[Vec<i8>],
        ) -> Option<[Self::Words; 3]> {
            let field = $single;
            let map = map.map(|map| map.map(|element| element.to_words()));
            let sum = straus(field, words_of(a).as_ref(), map.as_ref(), points, digits)?;
            Some(sum.map(|words| field.reduced(&words)))
        }
    };
}

/// Returns the words of an element; none for 0.
fn words_of<F: CoordinateField>(element: F) -> Option<F::Words> {
    (!element.is_zero()).then(|| element.to_words())
}

/// Returns true if some curve over a prime of `words` words has a known twisted Edwards form. One engine serves all
/// curves over primes of this length.
const fn has_edwards(words: usize) -> bool {
    cfg!(feature = "strategies")
        && (cfg!(feature = "edwards-curves") && words == 4
            || cfg!(feature = "bls24-315") && words == 5
            || cfg!(feature = "bls12-377") && words == 6)
}

/// Implements [`CoordinateField`] for concrete types, so that the adders are compiled here and not again in every
/// crate that uses them.
macro_rules! coordinate_field {
    ($field:ty, $prime:ty, $words:literal, [$($curve:ty => $known:expr),* $(,)?]) => {
        impl CoordinateField for $field {
            type Words = [u64; $words];

            fn to_words(&self) -> Self::Words {
                self.0 .0
            }

            fn from_words(words: &Self::Words) -> Self {
                Self::new_unchecked(BigInt(*words))
            }

            fn backends() -> &'static [Backend] {
                <$prime as LanePrime>::BACKENDS
            }

            sums!(backend => Single::new(backend, <$prime as Words64<$words>>::TABLE));

            known!($field, [$($curve => $known),*]);

            fn as_words(words: &Self::Words) -> &[u64] {
                words
            }

            fn is_reduced(words: &Self::Words) -> bool {
                BigInt(*words) < Self::MODULUS
            }

            fn read_integers(bytes: &[u8]) -> Option<Self::Words> {
                let bytes: &[u8; 8 * $words] = bytes.try_into().ok()?;
                let word = |i: usize| u64::from_le_bytes(std::array::from_fn(|j| bytes[8 * i + j]));
                let integer = BigInt(std::array::from_fn(word));
                (integer < Self::MODULUS).then_some(integer.0)
            }

            fn to_integers(&self) -> Self::Words {
                self.to_integer().0
            }

            fn engine(backend: Backend) -> Result<Box<dyn Engine<Self::Words>>, Error> {
                static TABLES: OnceLock<RootTables<[u64; $words]>> = OnceLock::new();
                let engine = OverPrime::<_, { has_edwards($words) }>(|| TABLES.get_or_init(root_tables::<$field>));
                backend.visit::<$prime, _>(engine).map_err(|_| Error::UnsupportedBackend(backend))
            }
        }
    };
    ($field:ty, $base:ty, $prime:ty, $words:literal, $beta:literal, [$($curve:ty => $known:expr),* $(,)?]) => {
        impl CoordinateField for $field {
            type Words = [[u64; $words]; 2];

            fn to_words(&self) -> Self::Words {
                [self.c0.to_words(), self.c1.to_words()]
            }

            fn from_words(words: &Self::Words) -> Self {
                Self::new(<$base>::from_words(&words[0]), <$base>::from_words(&words[1]))
            }

            fn backends() -> &'static [Backend] {
                <$prime as LanePrime>::BACKENDS
            }

            sums!(backend => QuadraticSingle::over(Single::new(backend, <$prime as Words64<$words>>::TABLE)));

            known!($field, [$($curve => $known),*]);

            fn as_words(words: &Self::Words) -> &[u64] {
                words.as_flattened()
            }

            fn is_reduced(words: &Self::Words) -> bool {
                words.iter().all(<$base>::is_reduced)
            }

            fn read_integers(bytes: &[u8]) -> Option<Self::Words> {
                let (c0, c1) = bytes.split_at(bytes.len() / 2);
                Some([<$base>::read_integers(c0)?, <$base>::read_integers(c1)?])
            }

            fn to_integers(&self) -> Self::Words {
                [self.c0.to_integers(), self.c1.to_integers()]
            }

            fn engine(backend: Backend) -> Result<Box<dyn Engine<Self::Words>>, Error> {
                static TABLES: OnceLock<QuadraticRootTables<[u64; $words]>> = OnceLock::new();
                let tables = || TABLES.get_or_init(|| quadratic_root_tables::<$base>($beta));
                let engine = OverQuadratic(tables);
                backend.visit::<$prime, _>(engine).map_err(|_| Error::UnsupportedBackend(backend))
            }
        }
    };
}

#[cfg(feature = "bls12-381")]
coordinate_field!(ark_bls12_381::Fq, lanes::Bls12_381Fq, 6, [
    ark_bls12_381::g1::Config => Known::first_group::<ark_bls12_381::g1::Config>,
]);
#[cfg(feature = "bls12-381")]
coordinate_field!(ark_bls12_381::Fq2, ark_bls12_381::Fq, lanes::Bls12_381Fq, 6, 1, [
    ark_bls12_381::g2::Config => Known::second_group::<ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>,
]);
#[cfg(feature = "bls12-377")]
coordinate_field!(ark_bls12_377::Fq, lanes::Bls12_377Fq, 6, [
    ark_bls12_377::g1::Config => Known::first_group::<ark_bls12_377::g1::Config>,
]);
#[cfg(feature = "bls12-377")]
coordinate_field!(ark_bls12_377::Fq2, ark_bls12_377::Fq, lanes::Bls12_377Fq, 6, 5, [
    ark_bls12_377::g2::Config => Known::second_group::<ark_bls12_377::g1::Config, ark_bls12_377::g2::Config>,
]);
#[cfg(feature = "bn254")]
coordinate_field!(ark_bn254::Fq, lanes::Bn254Fq, 4, [
    ark_bn254::g1::Config => Known::first_group::<ark_bn254::g1::Config>,
]);
#[cfg(feature = "bn254")]
coordinate_field!(ark_bn254::Fq2, ark_bn254::Fq, lanes::Bn254Fq, 4, 1, [
    ark_bn254::g2::Config => Known::second_group::<ark_bn254::g1::Config, ark_bn254::g2::Config>,
]);
#[cfg(feature = "pasta")]
coordinate_field!(ark_pallas::Fq, lanes::PallasFp, 4, [
    ark_pallas::PallasConfig => Known::first_group::<ark_pallas::PallasConfig>,
]);
#[cfg(feature = "pasta")]
coordinate_field!(ark_vesta::Fq, lanes::VestaFp, 4, [
    ark_vesta::VestaConfig => Known::first_group::<ark_vesta::VestaConfig>,
]);
// The field of Jubjub and Bandersnatch.
#[cfg(feature = "edwards-curves")]
coordinate_field!(ark_bls12_381::Fr, lanes::Bls12_381Fr, 4, [
    ark_ed_on_bls12_381::JubjubConfig => Known::montgomery::<ark_ed_on_bls12_381::JubjubConfig>,
    ark_ed_on_bls12_381_bandersnatch::BandersnatchConfig =>
        Known::montgomery::<ark_ed_on_bls12_381_bandersnatch::BandersnatchConfig>,
]);
#[cfg(feature = "bls24-315")]
coordinate_field!(super::bls24_315::Fq, lanes::Bls24_315Fq, 5, [
    super::bls24_315::G1 => Known::inner::<super::bls24_315::G1>,
]);

#[cfg(feature = "bls24-315-g2")]
impl CoordinateField for Fq4 {
    type Words = [[u64; 5]; 4];

    fn to_words(&self) -> Self::Words {
        [self.c0.c0, self.c0.c1, self.c1.c0, self.c1.c1].map(|c| c.to_words())
    }

    fn from_words(words: &Self::Words) -> Self {
        let [c0, c1, c2, c3] = words.each_ref().map(Fq::from_words);
        Self::new(Fq2::new(c0, c1), Fq2::new(c2, c3))
    }

    fn backends() -> &'static [Backend] {
        lanes::Bls24_315Fq::BACKENDS
    }

    sums!(backend => QuarticSingle::over(Single::new(backend, <lanes::Bls24_315Fq as Words64<5>>::TABLE)));

    known!(Fq4, [G2 => Known::second_group_of_higher_degree::<G1, G2>]);

    fn as_words(words: &Self::Words) -> &[u64] {
        words.as_flattened()
    }

    fn is_reduced(words: &Self::Words) -> bool {
        words.iter().all(Fq::is_reduced)
    }

    fn read_integers(bytes: &[u8]) -> Option<Self::Words> {
        let mut words = Self::Words::default();
        for (words, bytes) in words.iter_mut().zip(bytes.chunks(bytes.len() / 4)) {
            *words = Fq::read_integers(bytes)?;
        }
        Some(words)
    }

    fn to_integers(&self) -> Self::Words {
        [self.c0.c0, self.c0.c1, self.c1.c0, self.c1.c1].map(|c| c.to_integers())
    }

    fn engine(backend: Backend) -> Result<Box<dyn Engine<Self::Words>>, Error> {
        let root = |words: &Self::Words| Self::from_words(words).sqrt().map(|root| root.to_words());
        let engine = OverQuartic(root);
        backend.visit::<lanes::Bls24_315Fq, _>(engine).map_err(|_| Error::UnsupportedBackend(backend))
    }
}

#[cfg(feature = "tweedle")]
coordinate_field!(super::tweedle::TweedledumFq, lanes::TweedledumFp, 4, [
    super::tweedle::Tweedledum => Known::first_group::<super::tweedle::Tweedledum>,
]);
#[cfg(feature = "tweedle")]
coordinate_field!(super::tweedle::TweedledeeFq, lanes::TweedledeeFp, 4, [
    super::tweedle::Tweedledee => Known::first_group::<super::tweedle::Tweedledee>,
]);
#[cfg(feature = "mnt")]
coordinate_field!(ark_mnt4_298::Fq, lanes::Mnt4_298Fq, 5, []);
#[cfg(feature = "mnt")]
coordinate_field!(ark_mnt6_298::Fq, lanes::Mnt6_298Fq, 5, []);
#[cfg(feature = "mnt")]
coordinate_field!(ark_mnt4_753::Fq, lanes::Mnt4_753Fq, 12, []);
#[cfg(feature = "mnt")]
coordinate_field!(ark_mnt6_753::Fq, lanes::Mnt6_753Fq, 12, []);
// The field of both groups of BW6-761.
#[cfg(feature = "bw6-761")]
coordinate_field!(ark_bw6_761::Fq, lanes::Bw6_761Fq, 12, []);
// The field of Grumpkin.
#[cfg(feature = "bn254")]
coordinate_field!(ark_bn254::Fr, lanes::Bn254Fr, 4, []);
