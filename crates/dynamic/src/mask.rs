//! A second set of points, which shows to the machine that asked for a sum that the sum is right (docs/cluster.md): T_i
//! = alpha P_i + rho_i G, for a secret factor alpha and secret rho_i. Another machine returns A = sum k_i P_i and B =
//! sum k_i T_i, and does not know the secrets. It has B = alpha A + (sum k_i rho_i) G only if A is right.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AdditiveGroup, AffineRepr, CurveGroup};
use ark_ff::{serial_batch_inversion_and_mul, BigInt, BigInteger, Field, PrimeField, Zero};
use bucketwheel::{BasesOptions, Check, Curve, Error, MontgomeryWords, Points};
use bucketwheel_formats::encode_points;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;

use crate::AnyPoints;

/// Words of a block of ChaCha20. A pseudorandom value has as few blocks as make it uniform up to 2^-128 modulo the order.
const BLOCK_WORDS: usize = 8;
/// Points that are handled at once, to share inversions and to stay in a cache.
const POINTS: usize = 512;
/// Scalars that a task takes.
const SCALARS: usize = 1 << 12;
/// Signed digits of alpha are odd and below 2^3: multiples 1, 3, 5 and 7.
const DIGIT_BITS: usize = 4;

/// The secret key of the values of some points, which are numbered from 0 on. No other points may have the same key.
pub type MaskKey = [u8; 32];

/// Mask of one group's points by a secret factor alpha, which it keeps. The mask makes their second points, and checks
/// sums with them.
///
/// ```
/// use bucketwheel::{BasesOptions, Control, CurveId, GroupId, Msm};
/// use bucketwheel_dynamic::inputs::{collect, points, scalars, Distribution};
/// use bucketwheel_dynamic::{mask, twice, AnyPoints, AnyScalars};
///
/// let (curve, group, control) = (CurveId::Bn254, GroupId::G1, Control::new(None, None, None));
/// let points = collect(100, 64, &points(curve, group, 1)?, &control)?;
/// let scalars = collect(100, 32, &scalars(curve, Distribution::Uniform, 2)?, &control)?;
///
/// // The coordinator makes the second points. Real secrets are random.
/// let (mask, key) = (mask(curve, group, 0x0123_4567_89ab_cdef)?, [7; 32]);
/// let second = mask.points(AnyPoints::integers(&points), &key, 0)?;
///
/// // A worker sums both.
/// let sets = [AnyPoints::integers(&points), AnyPoints::integers(&second)];
/// let bases = twice(curve, group)?.prepare(BasesOptions::new(), &sets)?;
/// let (sums, _) = bases.run(Msm::new(), AnyScalars::integers(&scalars))?;
///
/// // The coordinator checks the first sum by the second.
/// let inner = mask.inner(&scalars, &key, 0)?;
/// let sums = [sums[0].integers.as_slice(), &sums[1].integers].concat();
/// assert!(mask.holds(AnyPoints::integers(&sums), &inner)?);
/// let wrong = [&sums[64..], &sums[64..]].concat();
/// assert!(!mask.holds(AnyPoints::integers(&wrong), &inner)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait DynMask: Send + Sync {
    /// Returns the points T_i of points P_i. `first` is the number of the first point. Checks that the points are in
    /// the prime-order subgroup. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Records`], [`Error::CoordinateRange`], [`Error::NotOnCurve`], [`Error::NotInSubgroup`].
    fn points(&self, points: AnyPoints<'_>, key: &MaskKey, first: u64) -> Result<Vec<u8>, Error>;

    /// Returns the sum of all k_i rho_i modulo the order, for scalars in the form of
    /// [`AnyScalars::integers`](crate::AnyScalars::integers). The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Records`].
    fn inner(&self, scalars: &[u8], key: &MaskKey, first: u64) -> Result<Vec<u8>, Error>;

    /// Returns true if B = alpha A + `inner` G, where `sums` are A and B, one behind the other, and
    /// [`inner`](Self::inner) belongs to A's scalars. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`points`](Self::points): coordinates that are not canonical, points that are not in the
    /// prime-order subgroup.
    fn holds(&self, sums: AnyPoints<'_>, inner: &[u8]) -> Result<bool, Error>;
}

pub(crate) struct Mask<C: Curve> {
    alpha: C::ScalarField,
    /// Signed digits of alpha, from the lowest on, with factor 1; or the digits of both halves of alpha, the second
    /// half with the factor of x that makes a point's image.
    chains: Vec<(Vec<i64>, C::BaseField)>,
    /// The multiples 1 to 255 of G, times powers of 2^8.
    multiples: Vec<Vec<Affine<C>>>,
}

impl<C: Curve> Mask<C> {
    /// Makes the mask of a secret of 128 bits. If the curve has images, alpha is the secret's lower half plus lambda
    /// times its upper half. So alpha has the same number of values and takes half of the doublings. Two secrets have
    /// the same alpha only if the order divides `x^2 - x y + y^2` for the differences x and y of their halves, and this
    /// number is shorter than the order.
    pub(crate) fn new(secret: u128) -> Self {
        let halves = [secret as u64, (secret >> 64) as u64];
        let digits = |words| BigInt::<2>(words).find_wnaf(DIGIT_BITS).unwrap_or_default();
        let one = C::BaseField::ONE;
        let (alpha, chains) = match images::<C>() {
            Some((lambda, beta)) => {
                let [low, high] = halves.map(|half| (C::ScalarField::from(half), digits([half, 0])));
                (low.0 + lambda * high.0, vec![(low.1, one), (high.1, beta)])
            }
            None => (secret.into(), vec![(digits(halves), one)]),
        };
        let mut base = Projective::<C>::from(C::GENERATOR);
        let windows = C::ScalarField::MODULUS_BIT_SIZE.div_ceil(8);
        let multiples = (0..windows).map(|_| {
            let sums = std::iter::successors(Some(base), |sum| Some(*sum + base));
            let all: Vec<_> = sums.take(256).collect();
            base = all[255];
            Projective::normalize_batch(&all[..255])
        });
        Mask { alpha, chains, multiples: multiples.collect() }
    }

    /// Returns T_i for some points.
    fn mask(&self, points: &[Affine<C>], mut values: Values, lines: &mut Lines<C>) -> Vec<Affine<C>> {
        let mut doubles = points.to_vec();
        lines.add(&mut doubles, points);
        let mut odd = vec![points.to_vec()];
        for _ in 1..1 << (DIGIT_BITS - 2) {
            let mut next = odd[odd.len() - 1].clone();
            lines.add(&mut next, &doubles);
            odd.push(next);
        }
        let mut sums = vec![Affine::identity(); points.len()];
        let mut summands = sums.clone();
        let longest = self.chains.iter().map(|(digits, _)| digits.len()).max().unwrap_or(0);
        for position in (0..longest).rev() {
            summands.copy_from_slice(&sums);
            lines.add(&mut sums, &summands);
            for (digits, beta) in &self.chains {
                let digit = digits.get(position).copied().unwrap_or(0);
                if digit == 0 {
                    continue;
                }
                let multiple = &odd[digit.unsigned_abs() as usize / 2];
                for (summand, point) in summands.iter_mut().zip(multiple) {
                    *summand = if digit < 0 { -*point } else { *point };
                    summand.x *= beta;
                }
                lines.add(&mut sums, &summands);
            }
        }
        let integers: Vec<_> =
            points.iter().map(|_| reduce::<C::ScalarField>(values.next()).to_integer()).collect();
        for (window, multiples) in self.multiples.iter().enumerate() {
            for (summand, integer) in summands.iter_mut().zip(&integers) {
                let byte = integer.as_ref()[window / 8] >> (8 * (window % 8)) & 0xff;
                *summand =
                    (byte as usize).checked_sub(1).map_or(Affine::identity(), |index| multiples[index]);
            }
            lines.add(&mut sums, &summands);
        }
        sums
    }
}

impl<C: Curve> DynMask for Mask<C> {
    fn points(&self, points: AnyPoints<'_>, key: &MaskKey, first: u64) -> Result<Vec<u8>, Error> {
        let points = in_subgroup::<C>(points)?;
        let mut masked = vec![Affine::<C>::identity(); points.len()];
        let all = masked.par_chunks_mut(POINTS).zip(points.par_chunks(POINTS)).enumerate();
        all.for_each_init(Lines::default, |lines, (block, (masked, points))| {
            let values = Values::new::<C::ScalarField>(key, first + (block * POINTS) as u64);
            masked.copy_from_slice(&self.mask(points, values, lines));
        });
        let mut bytes = Vec::new();
        encode_points(&masked, &mut bytes)?;
        Ok(bytes)
    }

    fn inner(&self, scalars: &[u8], key: &MaskKey, first: u64) -> Result<Vec<u8>, Error> {
        let size = size_of::<<C::ScalarField as PrimeField>::BigInt>();
        if !scalars.len().is_multiple_of(size) {
            return Err(Error::Records { bytes: scalars.len(), size });
        }
        let blocks = scalars.par_chunks(SCALARS * size).enumerate();
        let sum: C::ScalarField = blocks
            .map(|(block, scalars)| {
                let mut values = Values::new::<C::ScalarField>(key, first + (block * SCALARS) as u64);
                // A sum of fewer than 2^64 products is at most one word longer than a product.
                let mut sum = vec![0; size / 8 + values.value.len() + 1];
                scalars.chunks_exact(size).for_each(|scalar| add_product(&mut sum, scalar, values.next()));
                reduce::<C::ScalarField>(&sum)
            })
            .sum();
        Ok(sum.to_integer().as_ref().iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    fn holds(&self, sums: AnyPoints<'_>, inner: &[u8]) -> Result<bool, Error> {
        let sums = in_subgroup::<C>(sums)?;
        let [first, second] = sums[..] else {
            return Err(Error::Length { points: sums.len(), scalars: 2 });
        };
        Ok(first * self.alpha + C::GENERATOR * C::ScalarField::from_le_bytes_mod_order(inner) == second)
    }
}

/// Returns lambda and beta of the endomorphism `(x, y) -> (beta x, y)`, which is the product with lambda in the
/// subgroup. Both are cube roots of 1.
fn images<C: Curve>() -> Option<(C::ScalarField, C::BaseField)> {
    if !C::COEFF_A.is_zero() {
        return None;
    }
    let (lambda, beta) = (cube_root::<C::ScalarField>()?, cube_root::<C::BaseField>()?);
    let mut image = C::GENERATOR;
    image.x *= beta;
    [lambda, lambda.square()]
        .into_iter()
        .find(|lambda| C::GENERATOR * lambda == image)
        .map(|found| (found, beta))
}

/// Returns a primitive cube root of 1, if there is one.
fn cube_root<F: Field>() -> Option<F> {
    let root = (-F::from(3u64)).sqrt()? - F::ONE;
    Some(root * F::from(2u64).inverse()?)
}

/// The pseudorandom values of points, one after the other.
struct Values {
    stream: ChaCha20Rng,
    value: Vec<u64>,
}

impl Values {
    /// Makes the values from number `first` on.
    fn new<F: PrimeField>(key: &MaskKey, first: u64) -> Self {
        let words = (F::MODULUS_BIT_SIZE as usize + 128).div_ceil(64).next_multiple_of(BLOCK_WORDS);
        let mut stream = ChaCha20Rng::from_seed(*key);
        // The stream counts words of 32 bits.
        stream.set_word_pos(u128::from(first) * 2 * words as u128);
        Values { stream, value: vec![0; words] }
    }

    /// Returns the words of the next value.
    fn next(&mut self) -> &[u64] {
        self.value.fill_with(|| self.stream.next_u64());
        &self.value
    }
}

/// Returns the points, if they have canonical coordinates and are in the prime-order subgroup.
fn in_subgroup<C: Curve>(points: AnyPoints<'_>) -> Result<Vec<Affine<C>>, Error> {
    let points: Points<'_, C> = points.of()?;
    BasesOptions::new().check(Check::Subgroup).verify(points)?;
    let point = |index| points.get(index).ok_or(Error::CoordinateRange { index });
    (0..points.len()).map(point).collect()
}

/// Returns an integer of words, modulo the order.
fn reduce<F: MontgomeryWords>(words: &[u64]) -> F {
    let base = F::from(1u128 << 64);
    words.iter().rev().fold(F::ZERO, |sum, &word| sum * base + F::from(word))
}

/// Adds the product of a scalar and a value to a sum, which is longer than both together.
fn add_product(sum: &mut [u64], scalar: &[u8], value: &[u64]) {
    for (start, bytes) in scalar.as_chunks().0.iter().enumerate() {
        let word = u128::from(u64::from_le_bytes(*bytes));
        let (low, high) = sum[start..].split_at_mut(value.len());
        let mut carry = 0;
        for (sum, &value) in low.iter_mut().zip(value) {
            // The sum is at most (2^64 - 1)^2 + 2 (2^64 - 1), which fits.
            carry += word * u128::from(value) + u128::from(*sum);
            *sum = carry as u64;
            carry >>= 64;
        }
        for sum in high {
            if carry == 0 {
                break;
            }
            carry += u128::from(*sum);
            *sum = carry as u64;
            carry >>= 64;
        }
    }
}

/// Adds pairs of affine points with one inversion for all.
struct Lines<C: Curve> {
    numerators: Vec<C::BaseField>,
    denominators: Vec<C::BaseField>,
}

impl<C: Curve> Default for Lines<C> {
    fn default() -> Self {
        Lines { numerators: Vec::new(), denominators: Vec::new() }
    }
}

impl<C: Curve> Lines<C> {
    fn add(&mut self, sums: &mut [Affine<C>], summands: &[Affine<C>]) {
        self.numerators.clear();
        self.denominators.clear();
        for (sum, summand) in sums.iter().zip(summands) {
            let (numerator, denominator) = line(sum, summand);
            self.numerators.push(numerator);
            self.denominators.push(denominator);
        }
        // Denominators of 0 stay 0.
        serial_batch_inversion_and_mul(&mut self.denominators, &C::BaseField::ONE);
        let slopes = self.numerators.iter().zip(&self.denominators);
        for ((sum, summand), (numerator, inverse)) in sums.iter_mut().zip(summands).zip(slopes) {
            *sum = if inverse.is_zero() {
                (*sum + summand).into_affine()
            } else {
                let slope = *numerator * inverse;
                let x = slope.square() - sum.x - summand.x;
                Affine::new_unchecked(x, slope * (sum.x - x) - sum.y)
            };
        }
    }
}

/// Returns the slope of the line through two points as a fraction: the tangent's if they are the same. The denominator
/// is 0 if there is no slope, because one of the points or their sum is infinity.
fn line<C: Curve>(a: &Affine<C>, b: &Affine<C>) -> (C::BaseField, C::BaseField) {
    if a.is_zero() || b.is_zero() {
        return (C::BaseField::ZERO, C::BaseField::ZERO);
    }
    if a == b {
        let square = a.x.square();
        return (square.double() + square + C::COEFF_A, a.y.double());
    }
    (b.y - a.y, b.x - a.x)
}
