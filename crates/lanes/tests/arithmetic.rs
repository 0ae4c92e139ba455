//! One suite for every backend, prime and extension, against big integers.

mod rounds;

use bucketwheel_lanes::*;
use num_bigint::BigUint;
use rand::rngs::StdRng;
use rand::{Rng, RngCore, SeedableRng};

use self::rounds::rounds;

/// A field as big integers: `[a0, a1, a2, a3]` means `a0 + a1 u + (a2 + a3 u) v`, where `v^2 = u`. Smaller fields leave the last
/// coordinates zero.
struct Reference {
    p: BigUint,
    u_square: BigUint,
    words: usize,
}

type Element = [BigUint; 4];

impl Reference {
    fn mul(&self, a: &Element, b: &Element) -> Element {
        // The coefficient of each power of v: 1 and u are its even powers.
        let power = |i: usize| [0, 2, 1, 3][i];
        let mut sums: [BigUint; 7] = Default::default();
        for (i, a) in a.iter().enumerate() {
            for (j, b) in b.iter().enumerate() {
                sums[power(i) + power(j)] += a * b;
            }
        }
        let coefficient =
            |n: usize| &sums[n] + sums.get(n + 4).map_or_else(BigUint::default, |sum| sum * &self.u_square);
        std::array::from_fn(|i| coefficient(power(i)) % &self.p)
    }

    fn add(&self, a: &Element, b: &Element) -> Element {
        std::array::from_fn(|i| (&a[i] + &b[i]) % &self.p)
    }

    fn sub(&self, a: &Element, b: &Element) -> Element {
        std::array::from_fn(|i| (&a[i] + &self.p - &b[i]) % &self.p)
    }

    /// Returns the integer in the words of x: `x R`, R = 2^(64 words).
    fn montgomery(&self, x: &BigUint) -> BigUint {
        (x << (64 * self.words)) % &self.p
    }
}

/// Conversion between the words of a `LaneField` and big integers.
trait Words: Copy + PartialEq + Default + std::fmt::Debug {
    const DEGREE: usize;
    fn from_integers(x: &Element) -> Self;
}

fn to_words<const N: usize>(x: &BigUint) -> [u64; N] {
    let digits = x.to_u64_digits();
    std::array::from_fn(|i| digits.get(i).copied().unwrap_or(0))
}

macro_rules! words {
    ($n:literal) => {
        impl Words for [u64; $n] {
            const DEGREE: usize = 1;
            fn from_integers(x: &Element) -> Self {
                to_words(&x[0])
            }
        }

        impl Words for [[u64; $n]; 2] {
            const DEGREE: usize = 2;
            fn from_integers(x: &Element) -> Self {
                [to_words(&x[0]), to_words(&x[1])]
            }
        }

        impl Words for [[u64; $n]; 4] {
            const DEGREE: usize = 4;
            fn from_integers(x: &Element) -> Self {
                x.each_ref().map(to_words)
            }
        }
    };
}

words!(4);
words!(5);
words!(6);
words!(12);

/// Returns extremes of a field: around 0, p/2 and p, single bits at every limb boundary, and long runs of ones. They
/// serve as values and as Montgomery forms of every radix (the kernels multiply these).
fn extremes(field: &Reference) -> Vec<BigUint> {
    let p = &field.p;
    let one = BigUint::from(1u32);
    let mut values = vec![BigUint::from(0u32), one.clone(), p - 1u32, p - 2u32, p >> 1, (p >> 1) + 1u32];
    let digits = |width: usize| p.bits() as usize / width + 1;
    let widths = [29, 30, 51, 52, 64];
    for width in widths {
        for digit in 1..digits(width) {
            let power = &one << (digit * width);
            values.extend([
                &power - 1u32,
                power.clone(),
                &power + 1u32,
                p - (&power % p),
                p - ((&power - 1u32) % p),
            ]);
            values.push((&power >> 1) - 1u32);
        }
    }
    let inverses = widths.map(|width| (&one << (width * digits(width))).modpow(&(p - 2u32), p));
    let forms = values.iter().flat_map(|x| inverses.iter().map(move |inverse| x * inverse % p));
    values.iter().map(|x| x % p).chain(forms).collect()
}

fn random(rng: &mut StdRng, field: &Reference) -> BigUint {
    let mut bytes = vec![0; 8 * field.words + 8];
    rng.fill_bytes(&mut bytes);
    BigUint::from_bytes_le(&bytes) % &field.p
}

/// Elements in lanes, as integers and as vectors.
struct Sample<L: LaneField> {
    integers: Vec<Element>,
    vector: L::Vec,
}

struct Suite<'a, L: LaneField> {
    lanes: L,
    field: &'a Reference,
    rng: StdRng,
    extremes: Vec<BigUint>,
}

impl<L: LaneField> Suite<'_, L>
where
    L::Words: Words,
{
    fn sample(&mut self) -> Sample<L> {
        let mut coordinate = || match self.rng.gen_range(0..3) {
            0 => random(&mut self.rng, self.field),
            _ => self.extremes[self.rng.gen_range(0..self.extremes.len())].clone(),
        };
        let integers: Vec<Element> = (0..MAX_LANES)
            .map(|_| {
                std::array::from_fn(|i| if i < L::Words::DEGREE { coordinate() } else { BigUint::default() })
            })
            .collect();
        let words: Vec<L::Words> = integers.iter().map(|x| self.words(x)).collect();
        let vector = self.lanes.encode(&words);
        Sample { integers, vector }
    }

    fn words(&self, x: &Element) -> L::Words {
        L::Words::from_integers(&std::array::from_fn(|i| self.field.montgomery(&x[i])))
    }

    #[track_caller]
    fn check(&self, vector: &L::Vec, expected: impl Fn(usize) -> Element) {
        let words = self.lanes.decode(vector);
        for (lane, words) in words.iter().enumerate().take(L::LANES) {
            assert_eq!(*words, self.words(&expected(lane)), "{} lane {lane}", self.lanes.backend());
        }
    }

    fn product(&self, a: &L::Vec, b: &L::Factor) -> L::Vec {
        let mut out = *a;
        self.lanes.mul(a, b, &mut out);
        out
    }

    fn run(&mut self, rounds: usize) {
        let (lanes, field) = (self.lanes, self.field);
        let all = u32::MAX >> (32 - L::LANES);
        for _ in 0..rounds {
            let (a, b, c) = (self.sample(), self.sample(), self.sample());
            let lift = |s: &Sample<L>| lanes.lift(&s.vector);
            self.check(&a.vector, |i| a.integers[i].clone());

            let ab = self.product(&a.vector, L::as_factor(&b.vector));
            let ab_integers: Vec<Element> =
                (0..MAX_LANES).map(|i| field.mul(&a.integers[i], &b.integers[i])).collect();
            self.check(&ab, |i| ab_integers[i].clone());

            let mut square = a.vector;
            lanes.square(&a.vector, &mut square);
            self.check(&square, |i| field.mul(&a.integers[i], &a.integers[i]));
            // The product of a vector by itself is not computed as a square.
            let product = self.product(&a.vector, L::as_factor(&a.vector));
            self.check(&product, |i| field.mul(&a.integers[i], &a.integers[i]));
            // The square is in place, and of an unreduced product.
            let mut square = ab;
            lanes.square(&ab, &mut square);
            self.check(&square, |i| field.mul(&ab_integers[i], &ab_integers[i]));

            // The factor is a difference of reduced vectors, and of products.
            let difference = lanes.factor(&lanes.sub(&lift(&a), &lift(&c)));
            let product = self.product(&ab, &difference);
            self.check(&product, |i| field.mul(&ab_integers[i], &field.sub(&a.integers[i], &c.integers[i])));
            let difference = lanes.factor(&lanes.sub(&lanes.lift(&ab), &lanes.lift(&square)));
            let product = self.product(&ab, &difference);
            self.check(&product, |i| {
                let square = field.mul(&ab_integers[i], &ab_integers[i]);
                field.mul(&ab_integers[i], &field.sub(&ab_integers[i], &square))
            });

            // The factor is a sum: the x of an addition of points, and differences that are zero.
            if L::FACTORS_ARE_SUMS {
                let factor = lanes.factor(&lanes.sub(&lift(&b), &lift(&a)));
                let (mut x, mut rest) = (lift(&a), factor);
                lanes.chord_x(&ab, &factor, &mut x, &mut rest);
                let new = |i: usize| field.sub(&field.sub(&ab_integers[i], &a.integers[i]), &b.integers[i]);
                self.check(&lanes.vector(&x), new);
                let product = self.product(&ab, &rest);
                self.check(&product, |i| field.mul(&ab_integers[i], &field.sub(&a.integers[i], &new(i))));
                let zeros = lanes.zero_lanes(&lanes.reduce(&lanes.factor_as_sum(&factor)));
                let equal = (0..L::LANES).filter(|&i| a.integers[i] == b.integers[i]);
                assert_eq!(zeros, equal.fold(0, |bits, i| bits | 1 << i), "{}", lanes.backend());
            }

            let mut y = lift(&a);
            lanes.chord_y(&ab, &mut y);
            self.check(&lanes.vector(&y), |i| field.sub(&ab_integers[i], &a.integers[i]));

            // Sums of three terms.
            let sum = lanes.sub(&lanes.sub(&lanes.lift(&ab), &lift(&a)), &lift(&b));
            let reduced = lanes.reduce(&sum);
            self.check(&reduced, |i| field.sub(&field.sub(&ab_integers[i], &a.integers[i]), &b.integers[i]));
            let sum = lanes.sub(&lanes.add(&lift(&a), &lift(&b)), &lanes.lift(&square));
            let reduced_sum = lanes.reduce(&sum);
            self.check(&reduced_sum, |i| {
                let square = field.mul(&ab_integers[i], &ab_integers[i]);
                field.sub(&field.add(&a.integers[i], &b.integers[i]), &square)
            });
            let (mut sum, mut difference) = (lanes.lift(&ab), lift(&c));
            lanes.sum_difference(&mut sum, &mut difference);
            self.check(&lanes.reduce(&sum), |i| field.add(&ab_integers[i], &c.integers[i]));
            self.check(&lanes.reduce(&difference), |i| field.sub(&ab_integers[i], &c.integers[i]));
            // Reduction keeps its range over many rounds, as in a tree of additions.
            let (mut vector, mut integers) = (a.vector, a.integers.clone());
            for _ in 0..8 {
                vector =
                    lanes.reduce(&lanes.sub(&lanes.sub(&lanes.lift(&ab), &lanes.lift(&vector)), &lift(&b)));
                for (i, x) in integers.iter_mut().enumerate() {
                    *x = field.sub(&field.sub(&ab_integers[i], x), &b.integers[i]);
                }
            }
            self.check(&vector, |i| integers[i].clone());

            let mask: u32 = self.rng.gen::<u32>() & all;
            let negative = |x: &Element| field.sub(&Default::default(), x);
            let signed = lanes.reduce(&lanes.negate(&lanes.lift(&a.vector), mask));
            self.check(&signed, |i| match mask >> i & 1 {
                0 => a.integers[i].clone(),
                _ => negative(&a.integers[i]),
            });
            let numbers =
                std::array::from_fn::<u32, MAX_LANES, _>(|i| self.rng.gen::<u32>() & !1 | mask >> i & 1);
            assert_eq!(lanes.odd_lanes(&numbers[..L::LANES]), mask);
            let selected = lanes.select(mask, &a.vector, &b.vector);
            self.check(&selected, |i| [&a, &b][(mask >> i & 1) as usize].integers[i].clone());

            // Some lanes are zero, also as a difference that is p or 0.
            let masked =
                lanes.reduce(&lanes.sub(&lift(&a), &lanes.lift(&lanes.select(mask, &b.vector, &a.vector))));
            let zeros = (0..L::LANES)
                .filter(|&i| mask >> i & 1 == 1 || a.integers[i] == b.integers[i])
                .fold(0, |bits, i| bits | 1 << i);
            assert_eq!(lanes.zero_lanes(&masked), zeros, "{}", lanes.backend());
            match lanes.invert(&masked) {
                None => assert_ne!(zeros, 0),
                Some(inverse) => {
                    assert_eq!(zeros, 0);
                    let one = self.product(&inverse, L::as_factor(&masked));
                    self.check(&one, |_| unit());
                }
            }

            self.memory(&a, &b);
        }
        self.check(&lanes.one(), |_| unit());
    }

    /// Elements at rest are scattered in another order, and gathered again.
    fn memory(&mut self, a: &Sample<L>, b: &Sample<L>) {
        let lanes = self.lanes;
        let mut left = [std::mem::MaybeUninit::<L::Elem>::zeroed(); MAX_LANES];
        let mut right = left;
        let order = |i: usize| (5 * i + 3) % L::LANES;
        let (left_ptr, right_ptr) =
            (left.as_mut_ptr().cast::<L::Elem>(), right.as_mut_ptr().cast::<L::Elem>());
        let place = |base: *mut L::Elem| std::array::from_fn(|i| base.wrapping_add(order(i)));
        // SAFETY: all pointers are within the arrays.
        unsafe {
            lanes.store(&a.vector, &place(left_ptr));
            lanes.store(&b.vector, &place(right_ptr));
            let left = place(left_ptr).map(|p| p.cast_const());
            let right = place(right_ptr).map(|p| p.cast_const());
            let loaded = lanes.load(&left);
            self.check(&loaded, |i| a.integers[i].clone());
            let product = self.product(&lanes.one(), &lanes.load_difference(&left, &right));
            self.check(&product, |i| self.field.sub(&a.integers[i], &b.integers[i]));
            let mask = self.rng.gen::<u32>() & (u32::MAX >> (32 - L::LANES));
            let mut difference = *L::as_factor(&a.vector);
            if L::FACTORS_ARE_SUMS {
                lanes.load_minus(&left, None, &lanes.lift(&b.vector), &mut difference);
                let sum = lanes.reduce(&lanes.factor_as_sum(&difference));
                self.check(&sum, |i| self.field.sub(&a.integers[i], &b.integers[i]));
            }
            lanes.load_minus(&left, Some(mask), &lanes.lift(&b.vector), &mut difference);
            let product = self.product(&lanes.one(), &difference);
            self.check(&product, |i| match mask >> i & 1 {
                0 => self.field.sub(&a.integers[i], &b.integers[i]),
                _ => self.field.sub(&self.field.sub(&Default::default(), &a.integers[i]), &b.integers[i]),
            });
        }
    }
}

fn unit() -> Element {
    std::array::from_fn(|i| BigUint::from(u32::from(i == 0)))
}

/// The suite over a prime field.
struct Arithmetic(Reference);

/// The suite over the prime field's extension.
struct Extension(Reference);

/// The suite over the extension of degree four.
struct QuarticExtension(Reference);

fn run<L: LaneField>(lanes: L, field: &Reference)
where
    L::Words: Words,
{
    struct Run<'a, L: LaneField>(Suite<'a, L>);
    impl<L: LaneField> Task for Run<'_, L>
    where
        L::Words: Words,
    {
        type Output = ();
        fn run(mut self) {
            // The model is slow.
            let model = self.0.lanes.backend() == Backend::Model;
            self.0.run(rounds(if model { 30 } else { 300 }));
        }
    }
    let suite = Suite { lanes, field, rng: StdRng::seed_from_u64(7), extremes: extremes(field) };
    lanes.vectorize(Run(suite));
}

impl<W: Words> Visitor<W> for Arithmetic {
    type Output = ();

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) {
        run(lanes, &self.0);
    }
}

impl<W> Visitor<W> for Extension
where
    W: Words,
    [W; 2]: Words,
{
    type Output = ();

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) {
        run(Quadratic::over(lanes), &self.0);
    }
}

impl Visitor<[u64; 5]> for QuarticExtension {
    type Output = ();

    fn visit<L: PrimeLanes<Words = [u64; 5]>>(self, lanes: L) {
        run(Quartic::over(lanes), &self.0);
    }
}

fn integer(modulus: &[u64]) -> BigUint {
    modulus.iter().rev().fold(BigUint::default(), |sum, &word| (sum << 64) + word)
}

fn reference(modulus: &[u64], beta: u32) -> Reference {
    let p = integer(modulus);
    Reference { u_square: &p - beta, p, words: modulus.len() }
}

fn test<P: LanePrime<Words: Words>>(backend: Backend, modulus: &[u64]) {
    report(backend, backend.visit::<P, _>(Arithmetic(reference(modulus, 0))).is_ok());
}

fn test_quadratic<P: LanePrime<Words: Words>>(backend: Backend, modulus: &[u64], beta: u32)
where
    [P::Words; 2]: Words,
{
    report(backend, backend.visit::<P, _>(Extension(reference(modulus, beta))).is_ok());
}

fn report(backend: Backend, tested: bool) {
    if !tested {
        eprintln!("{backend} is not supported by this CPU, or not for this prime: skipped");
    }
}

macro_rules! test_primes {
    ($($name:ident: $prime:ty, $words:literal, $beta:tt;)*) => {
        $(
            #[test]
            fn $name() {
                test::<$prime>(BACKEND, &<$prime as Words64<$words>>::TABLE.modulus);
            }
        )*

        mod extension {
            use super::*;

            $(test_extension!($name: $prime, $words, $beta);)*
        }
    };
}

macro_rules! test_extension {
    ($name:ident: $prime:ty, $words:literal, 0) => {};
    ($name:ident: $prime:ty, $words:literal, $beta:tt) => {
        #[test]
        fn $name() {
            test_quadratic::<$prime>(BACKEND, &<$prime as Words64<$words>>::TABLE.modulus, $beta);
        }
    };
}

macro_rules! suite {
    ($($name:ident: $backend:expr;)*) => {
        $(mod $name {
            use super::*;

            const BACKEND: Backend = $backend;

            for_each_prime!(test_primes);

            #[test]
            fn quartic() {
                let p = integer(&<Bls24_315Fq as Words64<5>>::TABLE.modulus);
                let field = Reference { p, u_square: 13u32.into(), words: 5 };
                report(BACKEND, BACKEND.visit::<Bls24_315Fq, _>(QuarticExtension(field)).is_ok());
            }
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
        ($($name:ident: $prime:ty, $words:literal, $digits:literal, $beta:literal;)*) => {
            $(
                #[test]
                fn $name() {
                    let words = <$prime as Words64<$words>>::TABLE;
                    let lanes = WasmModel::detect(<$prime as DoubleDigits<$digits>>::TABLE, words).expect("a model");
                    run(lanes, &reference(&words.modulus, 0));
                    if $beta != 0 {
                        run(Quadratic::over(lanes), &reference(&words.modulus, $beta));
                    }
                }
            )*
        };
    }

    model! {
        bls12_381fq: Bls12_381Fq, 6, 8, 1;
        bls12_377fq: Bls12_377Fq, 6, 8, 5;
        bn254fq: Bn254Fq, 4, 5, 1;
        bls12_381fr: Bls12_381Fr, 4, 5, 0;
        bls12_377fr: Bls12_377Fr, 4, 5, 0;
        bn254fr: Bn254Fr, 4, 5, 0;
        pallasfp: PallasFp, 4, 5, 0;
        vestafp: VestaFp, 4, 5, 0;
        plain_bls12_381fq: Bls12_381Fq, 6, 16, 1;
        plain_bls12_377fq: Bls12_377Fq, 6, 16, 5;
        plain_bn254fq: Bn254Fq, 4, 11, 1;
        plain_bls12_381fr: Bls12_381Fr, 4, 11, 0;
        plain_bls12_377fr: Bls12_377Fr, 4, 11, 0;
        plain_bn254fr: Bn254Fr, 4, 11, 0;
        plain_pallasfp: PallasFp, 4, 11, 0;
        plain_vestafp: VestaFp, 4, 11, 0;
    }
}
