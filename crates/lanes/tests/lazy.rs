//! Lane operations of transforms, for every backend and prime, against big integers.

mod rounds;

use bucketwheel_lanes::*;
use num_bigint::BigUint;
use rand::rngs::StdRng;
use rand::{Rng, RngCore, SeedableRng};

use self::rounds::rounds;

/// Terms to test with if the backend has no limit.
const MANY: usize = if cfg!(miri) { 7 } else { 12 };

fn to_integer(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::default(), |sum, &word| (sum << 64) + word)
}

fn to_words<const W: usize>(x: &BigUint) -> [u64; W] {
    let digits = x.to_u64_digits();
    std::array::from_fn(|i| digits.get(i).copied().unwrap_or(0))
}

/// Lanes that hold these integers modulo p.
struct Sample<L: PrimeLanes> {
    sum: L::Sum,
    integers: Vec<BigUint>,
}

struct Suite<L: PrimeLanes, const W: usize> {
    lanes: L,
    p: BigUint,
    /// 2^(-64 W) modulo p
    radix_inverse: BigUint,
    rng: StdRng,
}

impl<L: PrimeLanes<Words = [u64; W]>, const W: usize> Suite<L, W>
where
    [u64; W]: Default,
{
    /// Returns an integer below p: random, around 0, p / 2 and p, and around powers of 2.
    fn integer(&mut self) -> BigUint {
        let near = BigUint::from(self.rng.gen_range(0..3u32));
        let bits = self.rng.gen_range(0..self.p.bits());
        let integer = match self.rng.gen_range(0..6) {
            0 => near,
            1 => &self.p - 1u32 - near,
            2 => (&self.p >> 1) + near,
            3 => (BigUint::from(1u32) << bits) + &self.p - near,
            _ => {
                let mut bytes = vec![0; 8 * W + 8];
                self.rng.fill_bytes(&mut bytes);
                BigUint::from_bytes_le(&bytes)
            }
        };
        integer % &self.p
    }

    fn words(&mut self) -> [u64; W] {
        to_words(&self.integer())
    }

    /// Returns one term: plain words or a product.
    fn term(&mut self) -> Sample<L> {
        let integers: Vec<_> = (0..MAX_LANES).map(|_| self.integer()).collect();
        let words: Vec<[u64; W]> = integers.iter().map(to_words).collect();
        let sample = Sample { sum: self.lanes.split(&words), integers };
        match self.rng.gen_range(0..3) {
            0 => sample,
            1 => self.times_scalar(&sample),
            _ => self.times_vector(&sample),
        }
    }

    /// Returns a sum of at most the allowed number of terms.
    fn terms(&mut self, count: usize) -> Sample<L> {
        let mut sample = self.term();
        for _ in 1..count {
            let term = self.term();
            match self.rng.gen() {
                true => self.add(&mut sample, &term),
                false => self.sub(&mut sample, &term, 1),
            }
        }
        sample
    }

    fn add(&self, a: &mut Sample<L>, b: &Sample<L>) {
        a.sum = self.lanes.add_lazy(&a.sum, &b.sum);
        a.integers.iter_mut().zip(&b.integers).for_each(|(a, b)| *a = (&*a + b) % &self.p);
    }

    fn sub(&self, a: &mut Sample<L>, b: &Sample<L>, terms: usize) {
        a.sum = self.lanes.sub_lazy(&a.sum, &b.sum, terms);
        a.integers.iter_mut().zip(&b.integers).for_each(|(a, b)| *a = (&*a + &self.p - b) % &self.p);
    }

    fn times(&self, integers: &[BigUint], words: &[u64; W]) -> Vec<BigUint> {
        let factor = to_integer(words) * &self.radix_inverse;
        integers.iter().map(|x| x * &factor % &self.p).collect()
    }

    fn times_scalar(&mut self, sample: &Sample<L>) -> Sample<L> {
        let words = self.words();
        let sum = self.lanes.mul_scalar(&sample.sum, &self.lanes.scalar(&words));
        Sample { sum, integers: self.times(&sample.integers, &words) }
    }

    fn times_vector(&mut self, sample: &Sample<L>) -> Sample<L> {
        let words = self.words();
        let sum = self.lanes.mul_lazy(&sample.sum, &self.lanes.splat(words));
        Sample { sum, integers: self.times(&sample.integers, &words) }
    }

    /// Compares a sum of at most two terms.
    #[track_caller]
    fn check(&self, sample: &Sample<L>) {
        let joined = self.lanes.join(&sample.sum);
        for (lane, integer) in sample.integers.iter().enumerate().take(L::LANES) {
            assert_eq!(joined[lane], to_words(integer), "{} lane {lane}", self.lanes.backend());
        }
    }

    fn round(&mut self) {
        let lanes = self.lanes;
        let most = L::TERMS.min(MANY);
        let term = self.term();
        self.check(&term);

        let sample = self.terms(most);
        let product = self.times_scalar(&sample);
        self.check(&product);
        let product = self.times_vector(&sample);
        self.check(&product);

        // After it, one term is added again and again.
        let mut sample = self.terms(most);
        for _ in 0..4 {
            sample.sum = lanes.shrink(&sample.sum);
            self.check(&sample);
            for _ in 1..most {
                let term = self.term();
                self.sub(&mut sample, &term, 1);
            }
        }
        let product = self.times_vector(&sample);
        self.check(&product);

        // Several terms are subtracted at once.
        let terms = self.rng.gen_range(1..=5.min(most - 1));
        let mut sample = self.terms(most - terms);
        let subtrahend = self.terms(terms);
        self.sub(&mut sample, &subtrahend, terms);
        let product = self.times_scalar(&sample);
        self.check(&product);

        let (mut a, mut b) = (self.term(), self.terms(most));
        let words = self.words();
        let product = self.times(&b.integers, &words);
        lanes.butterfly(&mut a.sum, &mut b.sum, &lanes.scalar(&words));
        for (i, product) in product.iter().enumerate() {
            let (sum, difference) = (&a.integers[i] + product, &a.integers[i] + &self.p - product);
            (a.integers[i], b.integers[i]) = (sum % &self.p, difference % &self.p);
        }
        self.check(&a);
        self.check(&b);

        let rows: Vec<_> = (0..MAX_LANES).map(|_| self.term()).collect();
        let mut columns = std::array::from_fn(|i| rows[i].sum);
        lanes.transpose(&mut columns);
        for (j, &sum) in columns.iter().enumerate().take(L::LANES) {
            let row = |i: usize| rows.get(i).map(|row| row.integers[j].clone());
            let integers = (0..L::LANES).filter_map(row).collect();
            self.check(&Sample { sum, integers });
        }
    }
}

/// The suite with the prime.
struct Lazy(BigUint);

impl<const W: usize> Visitor<[u64; W]> for Lazy
where
    [u64; W]: Default,
{
    type Output = ();

    fn visit<L: PrimeLanes<Words = [u64; W]>>(self, lanes: L) {
        let p = self.0;
        let radix_inverse = (BigUint::from(1u32) << (64 * W)).modpow(&(&p - 2u32), &p);
        let mut suite = Suite::<L, W> { lanes, p, radix_inverse, rng: StdRng::seed_from_u64(3) };
        (0..rounds(100)).for_each(|_| suite.round());
    }
}

fn test<P, const W: usize>(backend: Backend)
where
    P: LanePrime<Words = [u64; W]> + Words64<W>,
    [u64; W]: Default,
{
    let p = to_integer(&<P as Words64<W>>::TABLE.modulus);
    if backend.visit::<P, _>(Lazy(p)).is_err() {
        eprintln!("{backend} is not supported by this CPU: skipped");
    }
}

macro_rules! test_primes {
    ($($name:ident: $prime:ty, $words:literal, $beta:literal;)*) => {
        fn test_all(backend: Backend) {
            $(test::<$prime, $words>(backend);)*
        }
    };
}

for_each_prime!(test_primes);

macro_rules! suite {
    ($($name:ident: $backend:expr;)*) => {
        $(#[test]
        fn $name() {
            test_all($backend);
        })*
    };
}

for_each_backend!(suite);

/// The model of WebAssembly's lanes, which no backend leads to.
mod wasm_model {
    use bucketwheel_lanes::doubles::DoubleDigits;
    use bucketwheel_lanes::model::WasmModel;

    use super::*;

    macro_rules! model {
        ($($name:ident: $prime:ty, $words:literal, $digits:literal;)*) => {
            $(
                #[test]
                fn $name() {
                    let words = <$prime as Words64<$words>>::TABLE;
                    let lanes = WasmModel::detect(<$prime as DoubleDigits<$digits>>::TABLE, words).expect("a model");
                    Lazy(to_integer(&words.modulus)).visit(lanes);
                }
            )*
        };
    }

    model! {
        bls12_381fq: Bls12_381Fq, 6, 8;
        bls12_377fq: Bls12_377Fq, 6, 8;
        bn254fq: Bn254Fq, 4, 5;
        bls12_381fr: Bls12_381Fr, 4, 5;
        bls12_377fr: Bls12_377Fr, 4, 5;
        bn254fr: Bn254Fr, 4, 5;
        pallasfp: PallasFp, 4, 5;
        vestafp: VestaFp, 4, 5;
        plain_bls12_381fq: Bls12_381Fq, 6, 16;
        plain_bls12_377fq: Bls12_377Fq, 6, 16;
        plain_bn254fq: Bn254Fq, 4, 11;
        plain_bls12_381fr: Bls12_381Fr, 4, 11;
        plain_bls12_377fr: Bls12_377Fr, 4, 11;
        plain_bn254fr: Bn254Fr, 4, 11;
        plain_pallasfp: PallasFp, 4, 11;
        plain_vestafp: VestaFp, 4, 11;
    }
}
