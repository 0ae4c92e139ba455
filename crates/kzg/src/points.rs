//! Transforms of vectors of points: the coefficients and the values of a polynomial whose coefficients are points.

use ark_bls12_381::{g1::Config, Fr, G1Projective};
use ark_ec::CurveGroup;
use ark_ff::Field;
use bucketwheel::Groups;

use crate::Error;

/// Width of the tables of products by roots of unity. A table of each point is made for one product, so it is small.
const WIDTH: u32 = 3;

/// Transforms the vectors of `root.order` points that follow each other in `points`, in place and in natural order: entry i of a
/// vector becomes `sum_j root^(i j) points[j]`. `log_size` is the logarithm of the order of `root`.
///
/// Costs `log_size - 1` rounds of independent products in lanes, over all vectors at once.
///
/// # Errors
/// Failures of the engine.
pub fn transform(points: &mut [G1Projective], root: Fr, log_size: u32) -> Result<(), Error> {
    let size = 1 << log_size;
    for vector in points.chunks_exact_mut(size) {
        for index in 0..size {
            let reversed = reverse(index, log_size);
            if index < reversed {
                vector.swap(index, reversed);
            }
        }
    }
    for level in 1..=log_size {
        let (block, half) = (1 << level, 1 << (level - 1));
        let step = root.pow([1 << (log_size - level)]);
        let powers: Vec<Fr> =
            std::iter::successors(Some(Fr::ONE), |power| Some(*power * step)).take(half).collect();
        // The products by 1 are left out.
        let factors = |start: usize| (1..half).map(move |j| start + half + j);
        let indices: Vec<usize> = (0..points.len()).step_by(block).flat_map(factors).collect();
        let terms: Vec<G1Projective> = indices.iter().map(|&index| points[index]).collect();
        let scalars: Vec<Fr> = indices.iter().map(|&index| powers[index % half]).collect();
        let products = Groups::<Config>::new(&G1Projective::normalize_batch(&terms), 1, WIDTH)?;
        for (index, product) in indices.into_iter().zip(products.sums(&scalars, None)?) {
            points[index] = product;
        }
        for block in points.chunks_exact_mut(block) {
            let (low, high) = block.split_at_mut(half);
            for (low, high) in low.iter_mut().zip(high) {
                (*low, *high) = (*low + *high, *low - *high);
            }
        }
    }
    Ok(())
}

/// Returns an index with its lowest `bits` bits in reverse order.
pub fn reverse(index: usize, bits: u32) -> usize {
    match bits {
        0 => index,
        bits => index.reverse_bits() >> (usize::BITS - bits),
    }
}

/// Returns elements in the order of their reversed indices. Their number is a power of 2.
pub fn in_reverse_order<T: Clone>(elements: &[T]) -> Vec<T> {
    let bits = elements.len().ilog2();
    (0..elements.len()).map(|index| elements[reverse(index, bits)].clone()).collect()
}
