//! blst. It takes canonical scalars, so their conversion is outside the timed
//! region.
//!
//! The crate's safe interface always runs on a pool of all processors. It is used if that is the requested number of
//! threads. For every other number, threads call the C function; one thread calls it a single time.

use super::library::{Job, Library, Outcome, split, timed};
use crate::inputs::{AnyInput, Input, encoding};
use anyhow::Result;
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use blst::*;
use rayon::ThreadPool;
use std::ops::Range;
use std::ptr;

pub struct Blst;

/// Bits of the largest scalar.
const SCALAR_BITS: usize = 255;

impl Library for Blst {
    fn prepare<'a>(&self, input: AnyInput<'a>, pool: &'a ThreadPool) -> Result<Option<Job<'a>>> {
        Ok(match input {
            AnyInput::Bls12_381G1(input) => Some(job::<blst_p1, _>(input, pool)),
            AnyInput::Bls12_381G2(input) => Some(job::<blst_p2, _>(input, pool)),
            _ => None,
        })
    }
}

fn job<'a, G: BlstGroup, C: SWCurveConfig>(input: Input<C>, pool: &'a ThreadPool) -> Job<'a> {
    let points = points::<G, C>(input.points);
    let scalars = encoding::encode_scalars(input.scalars);
    let threads = pool.current_num_threads();
    let all = threads > 1 && std::thread::available_parallelism().is_ok_and(|n| n.get() == threads);
    Box::new(move || {
        let (elapsed, sum) = if all {
            timed(|| G::msm_on_all_processors(&points, &scalars))
        } else {
            let part = |range: Range<usize>| {
                let bytes = range.start * encoding::SCALAR_BYTES..range.end * encoding::SCALAR_BYTES;
                G::msm(&points[range], &scalars[bytes])
            };
            pool.install(|| timed(|| split(points.len(), part, G::plus)))
        };
        let coordinates = sum.coordinates();
        let sum = coordinates.unwrap_or_else(|| vec![0; encoding::point_bytes::<C>()]);
        Ok(Outcome { elapsed, sum })
    })
}

/// Returns the points in blst's form.
pub fn points<G: BlstGroup, C: SWCurveConfig>(points: &[Affine<C>]) -> Vec<G::Affine> {
    let point = |bytes: &[u8]| {
        let (x, y) = bytes.split_at(bytes.len() / 2);
        G::from_coordinates(x, y)
    };
    encoding::encode_points(points).chunks_exact(encoding::point_bytes::<C>()).map(point).collect()
}

/// Functions of blst over G1 and G2, which blst does not unify in a trait.
pub trait BlstGroup: Sized + Send + Sync + 'static {
    type Affine: Send + Sync;

    fn from_coordinates(x: &[u8], y: &[u8]) -> Self::Affine;
    /// Returns x and then y; `None` for the point at infinity.
    fn coordinates(&self) -> Option<Vec<u8>>;
    /// Computes on this thread alone. The scalars have 32 bytes each.
    fn msm(points: &[Self::Affine], scalars: &[u8]) -> Self;
    fn msm_on_all_processors(points: &[Self::Affine], scalars: &[u8]) -> Self;
    fn plus(self, other: Self) -> Self;
}

macro_rules! group {
    (
        $point:ident, $affine:ident, $field:ident, $scratch:ident, $msm:ident,
        $add:ident, $to_affine:ident, $is_infinity:ident
    ) => {
        impl BlstGroup for $point {
            type Affine = $affine;

            fn from_coordinates(x: &[u8], y: &[u8]) -> Self::Affine {
                $affine { x: $field::from_bytes(x), y: $field::from_bytes(y) }
            }

            fn coordinates(&self) -> Option<Vec<u8>> {
                let mut affine = $affine::default();
                // SAFETY: both pointers refer to initialised values of their type.
                unsafe { $to_affine(&mut affine, self) };
                // SAFETY: both pointers refer to initialised values of their type.
                let infinite = unsafe { $is_infinity(self) };
                (!infinite).then(|| [affine.x.to_bytes(), affine.y.to_bytes()].concat())
            }

            fn msm(points: &[Self::Affine], scalars: &[u8]) -> Self {
                assert_eq!(scalars.len(), points.len() * encoding::SCALAR_BYTES);
                // A null pointer after the first pointer tells blst that the array continues without gaps.
                let point_list = [points.as_ptr(), ptr::null()];
                let scalar_list = [scalars.as_ptr(), ptr::null()];
                let mut sum = Self::default();
                // SAFETY: the lists describe `points.len()` points and the same number of scalars of 32 bytes
                // (asserted), which hold SCALAR_BITS bits; the scratch space has the size that blst asks for with
                // this number of points.
                unsafe {
                    let mut scratch = vec![0u64; $scratch(points.len()).div_ceil(8)];
                    $msm(
                        &mut sum,
                        point_list.as_ptr(),
                        points.len(),
                        scalar_list.as_ptr(),
                        SCALAR_BITS,
                        scratch.as_mut_ptr(),
                    );
                }
                sum
            }

            fn msm_on_all_processors(points: &[Self::Affine], scalars: &[u8]) -> Self {
                points.mult(scalars, SCALAR_BITS)
            }

            fn plus(self, other: Self) -> Self {
                let mut sum = Self::default();
                // SAFETY: all three pointers refer to initialised points.
                unsafe { $add(&mut sum, &self, &other) };
                sum
            }
        }
    };
}
group!(
    blst_p1,
    blst_p1_affine,
    blst_fp,
    blst_p1s_mult_pippenger_scratch_sizeof,
    blst_p1s_mult_pippenger,
    blst_p1_add_or_double,
    blst_p1_to_affine,
    blst_p1_is_inf
);
group!(
    blst_p2,
    blst_p2_affine,
    blst_fp2,
    blst_p2s_mult_pippenger_scratch_sizeof,
    blst_p2s_mult_pippenger,
    blst_p2_add_or_double,
    blst_p2_to_affine,
    blst_p2_is_inf
);

trait Coordinate: Sized {
    fn from_bytes(bytes: &[u8]) -> Self;
    fn to_bytes(&self) -> Vec<u8>;
}

impl Coordinate for blst_fp {
    fn from_bytes(bytes: &[u8]) -> Self {
        assert_eq!(bytes.len(), 48);
        let mut value = Self::default();
        // SAFETY: `bytes` has the 48 bytes that blst reads.
        unsafe { blst_fp_from_lendian(&mut value, bytes.as_ptr()) };
        value
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; 48];
        // SAFETY: `bytes` has room for the 48 bytes that blst writes.
        unsafe { blst_lendian_from_fp(bytes.as_mut_ptr(), self) };
        bytes
    }
}

impl Coordinate for blst_fp2 {
    fn from_bytes(bytes: &[u8]) -> Self {
        let (real, imaginary) = bytes.split_at(bytes.len() / 2);
        Self { fp: [blst_fp::from_bytes(real), blst_fp::from_bytes(imaginary)] }
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.fp.each_ref().map(Coordinate::to_bytes).concat()
    }
}
