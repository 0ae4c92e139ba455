//! Square roots in lanes, for points that come as x and a bit of y.
//!
//! With `p = T 2^S + 1` and a generator g of the roots of unity of order 2^S, everything follows from an inverse root:
//! a rho whose `rho^2 t` is 1 if t is a square, and g otherwise. `t^((T - 1) / 2)` is an inverse root up to a root of
//! unity, whose logarithm to the base g is looked up digit by digit (Sarkar, "Computing square roots faster than the
//! Tonelli-Shanks/Bernstein algorithm", eprint 2020/1407). If S = 1, as for BLS12-381 and BN254, there is nothing to
//! look up.
//!
//! The exponent is the same in all lanes. Chains of lane groups hide the products' latency, as in the affine adder.

use bucketwheel_lanes::{LaneField, OutOfLine, PrimeLanes, Quadratic, Task, MAX_LANES};

use crate::engine::adder::Reduced;

/// Chains of products that are independent of each other.
pub(crate) const CHAINS: usize = 2;
/// One vector in every chain.
pub(crate) type Chains<V> = [V; CHAINS];

/// Most bits of an odd digit of the exponent.
const WINDOW: usize = 5;
/// The odd powers 1, 3, ..., 31.
const ODD_POWERS: usize = 1 << (WINDOW - 1);
/// Bits of a digit of the logarithm.
const DIGIT: u32 = 6;

/// Square roots of the vectors of a field in lanes.
pub(crate) trait Roots<L: LaneField>: Copy {
    /// Returns a root in every lane whose element is a square, and any value in other lanes.
    fn roots(self, lanes: L, squares: &Chains<L::Vec>) -> Chains<L::Vec>;
}

/// Tables for square roots in a prime field.
#[derive(Debug)]
pub struct RootTables<W> {
    /// (T - 1) / 2 from its leading digit on: squarings, then the index of an odd power.
    exponent: Vec<(usize, Option<usize>)>,
    /// `powers[m][d] = g^-(d 2^(S - DIGIT (m + 1)))`. If the last of these powers of 2 is a fraction, the digits that
    /// occur are multiples of its denominator. Empty if S = 1.
    powers: Vec<Vec<W>>,
    /// The logarithm of the denominator of that fraction.
    fraction: u32,
}

impl<W: Copy + PartialEq + Default> RootTables<W> {
    /// Returns the tables of a field with this S, for an exponent, the leading bit first, and for the powers of 1 / g.
    pub(crate) fn new(adicity: u32, exponent: &[bool], power: impl Fn(u64) -> W) -> Self {
        let digits = if adicity == 1 { 0 } else { adicity.div_ceil(DIGIT) };
        let fraction = (digits * DIGIT).saturating_sub(adicity);
        let table = |m: u32| {
            let exponent = |d: u64| (d << (DIGIT * (digits - 1 - m))) >> fraction;
            (0..1 << DIGIT).map(|d| power(exponent(d))).collect()
        };
        RootTables { exponent: odd_digits(exponent), powers: (0..digits).map(table).collect(), fraction }
    }

    /// Returns `g^-floor(e / 2)` for `unity = g^e`, and any value for 0.
    fn half_inverse<L: PrimeLanes<Words = W>>(&self, lanes: L, unity: &W) -> W {
        let digits = self.powers.len();
        let mut powers = vec![*unity; digits];
        for i in 1..digits {
            powers[i] = (0..DIGIT).fold(powers[i - 1], |power, _| lanes.mul_words(&power, &power));
        }
        // `logarithm` is e 2^fraction, the lowest digit first. Known digits are divided out, and the rest is raised to
        // a power that leaves the next digit.
        let mut logarithm = 0u64;
        let digit = |logarithm: u64, i: usize| (logarithm >> (DIGIT as usize * i)) as usize % (1 << DIGIT);
        for i in 0..digits {
            let known = |j: usize| &self.powers[i - j][digit(logarithm, j)];
            let power = (0..i).fold(powers[digits - 1 - i], |power, j| lanes.mul_words(&power, known(j)));
            let inverse = self.powers[0].iter().position(|entry| *entry == power).unwrap_or(0);
            let digit = inverse.wrapping_neg() % (1 << DIGIT);
            logarithm |= (digit as u64) << (DIGIT as usize * i);
        }
        let half = logarithm >> (self.fraction + 1) << self.fraction;
        let factor = |i: usize| &self.powers[digits - 1 - i][digit(half, i)];
        (1..digits).fold(*factor(0), |product, i| lanes.mul_words(&product, factor(i)))
    }
}

/// Returns a number's odd digits of at most `WINDOW` bits, from its bits, the leading bit first: the squarings up to
/// the end of each digit, and the index of its odd power.
fn odd_digits(bits: &[bool]) -> Vec<(usize, Option<usize>)> {
    let mut digits = Vec::new();
    let (mut squarings, mut start) = (0, 0);
    while start < bits.len() {
        if !bits[start] {
            squarings += 1;
            start += 1;
            continue;
        }
        let longest = &bits[start..bits.len().min(start + WINDOW)];
        let len = longest.iter().rposition(|&bit| bit).map_or(1, |last| last + 1);
        let value = longest[..len].iter().fold(0, |value, &bit| 2 * value + usize::from(bit));
        digits.push((squarings + len, Some(value / 2)));
        (squarings, start) = (0, start + len);
    }
    if squarings > 0 {
        digits.push((squarings, None));
    }
    digits
}

/// `base^exponent`.
struct Power<'a, L: LaneField> {
    lanes: L,
    base: &'a Chains<L::Vec>,
    exponent: &'a [(usize, Option<usize>)],
}

impl<L: LaneField> Task for Power<'_, L> {
    type Output = Chains<L::Vec>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Power { lanes, base, exponent } = self;
        let mut odd = [*base; ODD_POWERS];
        let mut square = *base;
        for chain in 0..CHAINS {
            lanes.square(&base[chain], &mut square[chain]);
        }
        for i in 1..ODD_POWERS {
            for chain in 0..CHAINS {
                let previous = odd[i - 1][chain];
                lanes.mul(&previous, L::as_factor(&square[chain]), &mut odd[i][chain]);
            }
        }
        // There is nothing to square before the leading digit.
        let Some(((_, Some(first)), rest)) = exponent.split_first() else { return [lanes.one(); CHAINS] };
        let mut power = odd[*first];
        for (squarings, digit) in rest {
            for _ in 0..*squarings {
                for power in &mut power {
                    let previous = *power;
                    lanes.square(&previous, power);
                }
            }
            if let Some(digit) = digit {
                for chain in 0..CHAINS {
                    let previous = power[chain];
                    lanes.mul(&previous, L::as_factor(&odd[*digit][chain]), &mut power[chain]);
                }
            }
        }
        power
    }
}

/// Roots in a prime field.
#[derive(Debug)]
pub(crate) struct PrimeRoots<'a, W>(pub &'a RootTables<W>);

impl<W> Clone for PrimeRoots<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for PrimeRoots<'_, W> {}

impl<W: Copy + PartialEq + Default> PrimeRoots<'_, W> {
    /// Returns the inverse roots, and the lanes (as bits) of the squares. The inverse root of 0 is any value.
    fn inverse_roots<L: PrimeLanes<Words = W>>(
        self,
        lanes: L,
        elements: &Chains<L::Vec>,
    ) -> (Chains<L::Vec>, Chains<u32>) {
        let (l, r) = (OutOfLine::of(lanes), Reduced(lanes));
        let mut roots = lanes.vectorize(Power { lanes, base: elements, exponent: &self.0.exponent });
        let mut squares = [0; CHAINS];
        for chain in 0..CHAINS {
            let unity = |root: &L::Vec| r.mul(&r.square(root), &elements[chain]);
            if !self.0.powers.is_empty() {
                let mut factors = l.decode(&unity(&roots[chain]));
                factors[..L::LANES].iter_mut().for_each(|unity| *unity = self.0.half_inverse(lanes, unity));
                roots[chain] = r.mul(&roots[chain], &l.encode(&factors));
            }
            squares[chain] = l.zero_lanes(&r.sub(&unity(&roots[chain]), &l.one()));
        }
        (roots, squares)
    }
}

impl<L: PrimeLanes> Roots<L> for PrimeRoots<'_, L::Words> {
    fn roots(self, lanes: L, squares: &Chains<L::Vec>) -> Chains<L::Vec> {
        let (inverse, _) = self.inverse_roots(lanes, squares);
        std::array::from_fn(|chain| Reduced(lanes).mul(&inverse[chain], &squares[chain]))
    }
}

/// Tables for square roots in a quadratic extension `Fp[u] / (u^2 + beta)`, with the tables for roots in Fp.
#[derive(Debug)]
pub struct QuadraticRootTables<W> {
    pub(crate) prime: RootTables<W>,
    /// 1 / 2
    pub(crate) half: W,
    /// kappa / 2, with `kappa^2 = -beta / g`
    pub(crate) half_kappa: W,
    /// 1 / (kappa g)
    pub(crate) inverse_kappa: W,
}

/// Roots in a quadratic extension, by the complex method. If s is a root of the norm `a0^2 + beta a1^2`, either
/// `(a0 + s) / 2` or `(a0 - s) / 2` is the square of the root's real part. Their product is `-beta a1^2 / 4`, so the inverse
/// root of the first also gives the root of the second.
#[derive(Debug)]
pub(crate) struct QuadraticRoots<'a, W>(pub &'a QuadraticRootTables<W>);

impl<W> Clone for QuadraticRoots<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for QuadraticRoots<'_, W> {}

impl<L: PrimeLanes> Roots<Quadratic<L>> for QuadraticRoots<'_, L::Words> {
    fn roots(self, lanes: Quadratic<L>, squares: &Chains<[L::Vec; 2]>) -> Chains<[L::Vec; 2]> {
        let prime = lanes.prime();
        let (l, r) = (OutOfLine::of(prime), Reduced(prime));
        let roots = PrimeRoots(&self.0.prime);
        let constant = |words: W<L>| l.splat(words);
        let [half, half_kappa, inverse_kappa] =
            [self.0.half, self.0.half_kappa, self.0.inverse_kappa].map(constant);
        let norms = squares.each_ref().map(|[a0, a1]| {
            let a1_square = r.square(a1);
            let multiple = (1..prime.beta()).fold(a1_square, |sum, _| r.add(&sum, &a1_square));
            r.add(&r.square(a0), &multiple)
        });
        let (inverse, _) = roots.inverse_roots(prime, &norms);
        let halves: Chains<L::Vec> = std::array::from_fn(|chain| {
            let a0 = &squares[chain][0];
            let s = r.mul(&norms[chain], &inverse[chain]);
            let t = r.mul(&r.add(a0, &s), &half);
            // If t is 0, a1 is 0, and the other candidate is a0.
            l.select(l.zero_lanes(&t), &t, a0)
        });
        let (inverse, are_squares) = roots.inverse_roots(prime, &halves);
        std::array::from_fn(|chain| {
            let (a1, rho) = (&squares[chain][1], &inverse[chain]);
            let root = r.mul(rho, &halves[chain]);
            let a1_rho = r.mul(a1, rho);
            let square = [root, r.mul(&a1_rho, &half)];
            let other = [r.mul(&a1_rho, &half_kappa), r.mul(&root, &inverse_kappa)];
            std::array::from_fn(|i| l.select(are_squares[chain], &other[i], &square[i]))
        })
    }
}

/// Roots by a function of one element, for a field in which few points come as x and a bit of y.
#[derive(Debug)]
pub(crate) struct SingleRoots<W>(pub fn(&W) -> Option<W>);

impl<W> Clone for SingleRoots<W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for SingleRoots<W> {}

impl<L: LaneField> Roots<L> for SingleRoots<L::Words> {
    fn roots(self, lanes: L, squares: &Chains<L::Vec>) -> Chains<L::Vec> {
        let l = OutOfLine::of(lanes);
        squares.each_ref().map(|squares| {
            let words = l.decode(squares).map(|square| (self.0)(&square).unwrap_or_default());
            l.encode(&words)
        })
    }
}

/// An element of the prime field outside the lanes.
type W<L> = <L as LaneField>::Words;

/// Returns the elements, `LANES` in each chain. The last element stands for missing ones.
pub(crate) fn encode<L: LaneField>(lanes: L, elements: &[L::Words]) -> Chains<L::Vec> {
    let last = elements.len() - 1;
    std::array::from_fn(|chain| {
        let element = |lane: usize| elements[last.min(chain * L::LANES + lane)];
        lanes.encode(&std::array::from_fn::<_, MAX_LANES, _>(element))
    })
}

/// The abscissas of points, and their curve.
pub struct Abscissas<'a, W> {
    pub(crate) a: Option<W>,
    pub(crate) b: W,
    pub(crate) xs: &'a [W],
}

/// Returns for each x a y with `y^2 = x^3 + a x + b`, or `None` if x has no y.
pub(crate) fn solve<L: LaneField>(
    lanes: L,
    roots: impl Roots<L>,
    abscissas: &Abscissas<'_, L::Words>,
) -> Vec<Option<L::Words>> {
    let (out_of_line, r) = (OutOfLine::of(lanes), Reduced(lanes));
    let mut ys = Vec::with_capacity(abscissas.xs.len());
    for xs in abscissas.xs.chunks(CHAINS * L::LANES) {
        let squares = encode(out_of_line, xs).map(|x| {
            let square = r.square(&x);
            let square = abscissas.a.map_or(square, |a| r.add(&square, &out_of_line.splat(a)));
            r.add(&r.mul(&square, &x), &out_of_line.splat(abscissas.b))
        });
        let roots = roots.roots(lanes, &squares);
        for chain in 0..CHAINS {
            let right = out_of_line.zero_lanes(&r.sub(&r.square(&roots[chain]), &squares[chain]));
            let words = out_of_line.decode(&roots[chain]);
            let count = xs.len().saturating_sub(chain * L::LANES).min(L::LANES);
            ys.extend((0..count).map(|lane| (right >> lane & 1 == 1).then_some(words[lane])));
        }
    }
    ys
}
