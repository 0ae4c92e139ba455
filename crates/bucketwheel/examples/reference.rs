//! The whole algorithm in sixty lines, from top to bottom, to be read before the engine: Pippenger's buckets, signed digits,
//! affine additions that share an inversion. `cargo run --release --example reference` compares it with the engine.
//!
//! Costs are for n points and scalars of b bits, in w = ceil((b + 1) / c) windows of c bits. With n = 2^16, b = 255
//! and c = 13, w is 20 and an MSM takes n w = 1.3 million additions in buckets and 2 w 2^(c-1) = 0.16 million in
//! their aggregation. 255 doublings and 128 additions for each point would be 25 million.

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ec::{AdditiveGroup, CurveGroup};
use ark_ff::{BigInteger, PrimeField, UniformRand, Zero};

/// Returns `sum scalars[i] points[i]`, in windows of `c` bits.
fn msm(points: &[G1Affine], scalars: &[Fr], c: usize) -> G1Projective {
    let windows = (Fr::MODULUS_BIT_SIZE as usize + 1).div_ceil(c);
    let digits: Vec<Vec<i64>> = scalars.iter().map(|scalar| signed_digits(scalar, c, windows)).collect();
    let mut sum = G1Projective::zero();
    for window in (0..windows).rev() {
        // Horner: c doublings a window, b in all. Their cost is negligible.
        for _ in 0..c {
            sum.double_in_place();
        }
        // Bucket i collects the points whose digit is i or -i. One addition per point, n w in all, is nearly the whole cost.
        let mut buckets = vec![Vec::new(); 1 << (c - 1)];
        for (point, digits) in points.iter().zip(&digits) {
            match digits[window] {
                0 => {}
                digit @ 1.. => buckets[digit as usize - 1].push(*point),
                digit => buckets[-digit as usize - 1].push(-*point),
            }
        }
        // Aggregation: sum of i B_i = B_m + (B_m + B_(m-1)) + ..., two additions a bucket, 2^c w in all.
        let (mut running, mut total) = (G1Projective::zero(), G1Projective::zero());
        for bucket in buckets.into_iter().rev() {
            running += tree_sum(bucket);
            total += running;
        }
        sum += total;
    }
    sum
}

/// Returns digits from -2^(c-1) to 2^(c-1), the lowest first. Signed digits need half the buckets of unsigned digits,
/// since -P is free.
fn signed_digits(scalar: &Fr, c: usize, windows: usize) -> Vec<i64> {
    let bits = scalar.into_bigint().to_bits_le();
    let mut carry = 0;
    let digits = (0..windows).map(|window| {
        let bit = |i: usize| i64::from(bits.get(window * c + i).copied().unwrap_or(false));
        let digit = carry + (0..c).map(|i| bit(i) << i).sum::<i64>();
        carry = i64::from(digit > 1 << (c - 1));
        digit - (carry << c)
    });
    digits.collect()
}

/// Adds points in log2 levels. The additions of a level share an inversion (Montgomery's trick, here arkworks'). With 3
/// products for its share, an affine addition takes 5 products and a square. An addition without inversions takes 11
/// products and more.
fn tree_sum(mut points: Vec<G1Affine>) -> G1Affine {
    while points.len() > 1 {
        let pairs: Vec<_> = points.chunks(2).map(|pair| pair.iter().sum::<G1Projective>()).collect();
        points = G1Projective::normalize_batch(&pairs);
    }
    points.pop().unwrap_or_default()
}

fn main() -> Result<(), bucketwheel::Error> {
    let mut rng = ark_std::test_rng();
    let points: Vec<G1Affine> = (0..1 << 10).map(|_| G1Affine::rand(&mut rng)).collect();
    let scalars: Vec<Fr> = points.iter().map(|_| Fr::rand(&mut rng)).collect();
    assert_eq!(msm(&points, &scalars, 8), bucketwheel::msm(&points, &scalars)?);
    println!("the reference and the engine agree over {} points", points.len());
    Ok(())
}
