//! Calls with blst's own types.

use std::ptr;

use ark_std::rand::rngs::StdRng;
use ark_std::rand::{RngCore, SeedableRng};
use blst::*;
use bucketwheel_c::*;

use crate::kit::*;

const N: usize = 200;

/// Computes a sum of blst's points times blst's scalars, as blst's projective point.
macro_rules! sum_of_blst {
    ($group:expr, $affine:ty, $projective:ty, $generator:ident, $mult:ident, $add:ident, $to_affine:ident, $equal:ident) => {{
        let rng = &mut StdRng::seed_from_u64(7);
        let (mut points, mut scalars) = (vec![<$affine>::default(); N], vec![blst_scalar::default(); N]);
        let mut expected = <$projective>::default();
        for i in 0..N {
            // Scalars of 248 bits are below the order.
            rng.fill_bytes(&mut scalars[i].b[..31]);
            // The first point stays zeros, which is infinity.
            if i > 0 {
                let mut bytes = [0; 16];
                rng.fill_bytes(&mut bytes);
                let (mut point, mut term) = (<$projective>::default(), <$projective>::default());
                call!({
                    $mult(&mut point, $generator(), bytes.as_ptr(), 128);
                    $to_affine(&mut points[i], &point);
                    $mult(&mut term, &point, scalars[i].b.as_ptr(), 248);
                    $add(&mut expected, &expected, &term);
                });
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
        ok(call!(bw_msm(bases.handle(), &scalars, ptr::null(), &sums)));
        assert!(call!($equal(&sum, &expected)));
        // blst's point at infinity.
        let zeros = vec![0u8; 32 * N];
        let scalars = bw_scalars { data: zeros.as_ptr().cast(), stride: 32, ..scalars };
        ok(call!(bw_msm(bases.handle(), &scalars, ptr::null(), &sums)));
        assert!(call!($equal(&sum, &<$projective>::default())));
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

/// Calls blst's function and ours with the same arguments: pointers to each record, to some, and to the first.
macro_rules! same_as_blst {
    ($affine:ty, $projective:ty, $generator:ident, $mult:ident, $to_affine:ident, $equal:ident, $theirs:ident, $scratch:ident, $ours:ident) => {{
        let rng = &mut StdRng::seed_from_u64(8);
        let mut points = vec![<$affine>::default(); 70];
        for point in &mut points[1..] {
            let mut bytes = [0; 16];
            rng.fill_bytes(&mut bytes);
            let mut multiple = <$projective>::default();
            call!({
                $mult(&mut multiple, $generator(), bytes.as_ptr(), 128);
                $to_affine(point, &multiple);
            });
        }
        for n in [1usize, 2, 3, 31, 32, 70] {
            for bits in [1usize, 7, 64, 65, 128, 250, 255, 256, 257, 300] {
                let size = bits.div_ceil(8);
                // Scalars with all bits set, the bits beyond the last included.
                let mut scalars = vec![0xff; n * size];
                rng.fill_bytes(&mut scalars[size..]);
                for pointers in [1, n.div_ceil(2), n] {
                    let mut at: Vec<*const $affine> = points[..pointers].iter().map(ptr::from_ref).collect();
                    let mut scalars_at: Vec<*const u8> =
                        scalars.chunks(size).take(pointers).map(<[u8]>::as_ptr).collect();
                    if pointers < n {
                        at.push(ptr::null());
                        scalars_at.push(ptr::null());
                    }
                    // blst reads one more pointer.
                    let mut at_more = at.clone();
                    let mut scalars_more = scalars_at.clone();
                    at_more.push(ptr::null());
                    scalars_more.push(ptr::null());
                    let (mut theirs, mut ours) = (<$projective>::default(), <$projective>::default());
                    call!({
                        let mut scratch = vec![0u64; $scratch(n) / 8];
                        $theirs(
                            &mut theirs,
                            at_more.as_ptr(),
                            n,
                            scalars_more.as_ptr(),
                            bits,
                            scratch.as_mut_ptr(),
                        );
                        ok($ours(
                            ptr::from_mut(&mut ours).cast(),
                            at.as_ptr().cast(),
                            n,
                            scalars_at.as_ptr().cast(),
                            bits,
                            ptr::null_mut(),
                        ));
                        assert!($equal(&ours, &theirs), "{n} {bits} {pointers}");
                    });
                }
            }
        }
        // No points, and wrong arguments.
        let at = [ptr::from_ref(&points[0]), ptr::null()];
        let one = [1u8; 32];
        let scalars_at = [one.as_ptr(), ptr::null()];
        let call =
            |ret: *mut $projective, points: *const *const $affine, n, scalars: *const *const u8, bits| {
                call!($ours(ret.cast(), points.cast(), n, scalars.cast(), bits, ptr::null_mut()))
            };
        let mut sum = <$projective>::default();
        ok(call(&mut sum, ptr::null(), 0, ptr::null(), 255));
        ok(call(&mut sum, at.as_ptr(), 1, scalars_at.as_ptr(), 0));
        assert!(call!($equal(&sum, &<$projective>::default())));
        let bytes = |sum: &$projective| {
            // SAFETY: blst's points are words without padding.
            unsafe { std::slice::from_raw_parts(ptr::from_ref(sum).cast::<u8>(), size_of::<$projective>()) }
                .to_vec()
        };
        let no_point = vec![0xff; size_of::<$projective>()];
        fails(call(ptr::null_mut(), at.as_ptr(), 1, scalars_at.as_ptr(), 255), BW_ERROR_NULL, "sums.data");
        for (points, scalars, words) in [
            (ptr::null(), scalars_at.as_ptr(), "points is NULL"),
            (at.as_ptr(), ptr::null(), "scalars is NULL"),
            ([ptr::null()].as_ptr(), scalars_at.as_ptr(), "points is NULL"),
            (at.as_ptr(), [ptr::null()].as_ptr(), "scalars is NULL"),
        ] {
            sum = <$projective>::default();
            fails(call(&mut sum, points, 1, scalars, 255), BW_ERROR_NULL, words);
            assert_eq!(bytes(&sum), no_point);
        }
        let mut wrong = points[1];
        // SAFETY: a coordinate is an array of words, for which every bit pattern is valid.
        unsafe { ptr::write_bytes(&mut wrong.y, 0xff, 1) };
        let status = call(&mut sum, [ptr::from_ref(&wrong)].as_ptr(), 1, scalars_at.as_ptr(), 255);
        assert_eq!(fails(status, BW_ERROR_COORDINATE, "point 0"), 0);
        assert_eq!(bytes(&sum), no_point);
        fails(
            call(&mut sum, at.as_ptr(), usize::MAX, scalars_at.as_ptr(), 255),
            BW_ERROR_COUNT,
            "expected at most",
        );
        for bits in [(1 << 16) + 1, isize::MAX as usize, usize::MAX - 7, usize::MAX] {
            sum = <$projective>::default();
            fails(
                call(&mut sum, at.as_ptr(), 1, scalars_at.as_ptr(), bits),
                BW_ERROR_ARGUMENT,
                "at most 65536",
            );
            assert_eq!(bytes(&sum), no_point);
        }
    }};
}

#[test]
fn blsts_calls_are_ours() {
    same_as_blst!(
        blst_p1_affine,
        blst_p1,
        blst_p1_generator,
        blst_p1_mult,
        blst_p1_to_affine,
        blst_p1_is_equal,
        blst_p1s_mult_pippenger,
        blst_p1s_mult_pippenger_scratch_sizeof,
        bw_blst_p1s_mult_pippenger
    );
    same_as_blst!(
        blst_p2_affine,
        blst_p2,
        blst_p2_generator,
        blst_p2_mult,
        blst_p2_to_affine,
        blst_p2_is_equal,
        blst_p2s_mult_pippenger,
        blst_p2s_mult_pippenger_scratch_sizeof,
        bw_blst_p2s_mult_pippenger
    );
}
