//! blst's own types, as they are.

use std::ptr;

use ark_std::rand::rngs::StdRng;
use ark_std::rand::{RngCore, SeedableRng};
use blst::*;
use bucketwheel_c::*;

use crate::kit::*;

const N: usize = 200;

/// A sum of blst's points with blst's scalars, into blst's projective point.
macro_rules! sum_of_blst {
    ($group:expr, $affine:ty, $projective:ty, $generator:ident, $mult:ident, $add:ident, $to_affine:ident, $equal:ident) => {{
        let rng = &mut StdRng::seed_from_u64(7);
        let (mut points, mut scalars) = (vec![<$affine>::default(); N], vec![blst_scalar::default(); N]);
        let mut expected = <$projective>::default();
        for i in 0..N {
            // Of 248 bits, below the order.
            rng.fill_bytes(&mut scalars[i].b[..31]);
            // The first point stays zeros: infinity.
            if i > 0 {
                let mut bytes = [0; 16];
                rng.fill_bytes(&mut bytes);
                let (mut point, mut term) = (<$projective>::default(), <$projective>::default());
                unsafe {
                    $mult(&mut point, $generator(), bytes.as_ptr(), 128);
                    $to_affine(&mut points[i], &point);
                    $mult(&mut term, &point, scalars[i].b.as_ptr(), 248);
                    $add(&mut expected, &expected, &term);
                }
            }
        }
        let points = bw_points {
            data: points.as_ptr().cast(),
            count: N,
            stride: size_of::<$affine>(),
            form: BW_FORM_MONTGOMERY,
            infinity: BW_INFINITY_ZEROS,
            infinity_offset: 0,
        };
        let scalars = bw_scalars {
            data: scalars.as_ptr().cast(),
            count: N,
            stride: size_of::<blst_scalar>(),
            form: BW_FORM_CANONICAL,
        };
        let bases = Bases::of_points(BW_CURVE_BLS12_381, $group, &[points], &options());
        let mut sum = <$projective>::default();
        let sums = bw_sums {
            data: ptr::from_mut(&mut sum).cast(),
            size: size_of::<$projective>(),
            form: BW_FORM_MONTGOMERY,
            coordinates: BW_JACOBIAN,
        };
        ok(unsafe { bw_msm(bases.0, &scalars, ptr::null(), &sums) });
        assert!(unsafe { $equal(&sum, &expected) });
        // The point at infinity is blst's, too.
        let zeros = vec![0u8; 32 * N];
        let scalars = bw_scalars { data: zeros.as_ptr().cast(), stride: 32, ..scalars };
        ok(unsafe { bw_msm(bases.0, &scalars, ptr::null(), &sums) });
        assert!(unsafe { $equal(&sum, &<$projective>::default()) });
    }};
}

#[test]
fn blsts_points_need_no_conversion() {
    sum_of_blst!(
        BW_GROUP_G1,
        blst_p1_affine,
        blst_p1,
        blst_p1_generator,
        blst_p1_mult,
        blst_p1_add_or_double,
        blst_p1_to_affine,
        blst_p1_is_equal
    );
    sum_of_blst!(
        BW_GROUP_G2,
        blst_p2_affine,
        blst_p2,
        blst_p2_generator,
        blst_p2_mult,
        blst_p2_add_or_double,
        blst_p2_to_affine,
        blst_p2_is_equal
    );
}
