//! Mistakes of callers: each gives an error that names the mistake, and nothing is written.

use std::ptr;

use ark_bls12_381::g1::Config;
use ark_ec::short_weierstrass::Affine;
use ark_ff::{BigInteger, PrimeField};
use bucketwheel_c::*;

use crate::kit::*;

const CURVE: u32 = BW_CURVE_BLS12_381;
const N: usize = 20;

/// Checks an error of preparing points.
#[track_caller]
fn refused(
    curve: u32,
    group: u32,
    points: *const bw_points,
    options: &bw_options,
    status: bw_status,
    words: &str,
) -> usize {
    let mut bases = None;
    let found = call!(bw_bases_from_points(curve, group, points, options, &mut bases));
    assert!(bases.is_none());
    fails(found, status, words)
}

#[test]
fn null_pointers_are_errors() {
    let (points, scalars) = inputs::<Config>(N, 13);
    let (laid, scalars) = (Laid::new(&points, PACKED), LaidScalars::new(&scalars, 1, 0));
    let (points, scalars) = (laid.points(), scalars.scalars());
    let bases = Bases::of_points(CURVE, BW_GROUP_G1, &[points], &options());
    let mut bytes = [0xa5u8; 96];
    let sums = bw_sums { data: bytes.as_mut_ptr().cast(), size: 96, form: 1, coordinates: 1 };
    let no_sums = bw_sums { data: ptr::null_mut(), ..sums };
    let no_scalars = bw_scalars { data: ptr::null(), ..scalars };
    let no_points = bw_points { data: ptr::null(), ..points };
    let mut made = None;
    let mut stream = None;
    call!({
        let null = |status, words: &str| assert_eq!(fails(status, BW_ERROR_NULL, words), BW_NO_INDEX);
        let none = ptr::null();
        null(bw_bases_from_points(CURVE, 1, &points, none, ptr::null_mut()), "out is NULL");
        null(bw_bases_from_points(CURVE, 1, ptr::null(), none, &mut made), "points is NULL");
        null(bw_bases_from_points(CURVE, 1, &no_points, none, &mut made), "points.data is NULL");
        null(bw_bases_from_bytes(ptr::null(), 7, ptr::null(), none, &mut made), "bytes is NULL");
        null(bw_bases_from_bytes([0].as_ptr().cast(), 1, ptr::null(), none, ptr::null_mut()), "out");
        null(bw_bases_from_file(ptr::null(), ptr::null(), none, &mut made), "path is NULL");
        null(bw_bases_from_file(c"x".as_ptr(), ptr::null(), none, ptr::null_mut()), "out");
        null(bw_bases_from_tables(CURVE, 1, ptr::null(), none, &mut made), "tables is NULL");
        let no_table = bw_table { data: ptr::null(), size: 7 };
        null(bw_bases_from_tables(CURVE, 1, &no_table, none, &mut made), "tables.data is NULL");
        null(bw_bases_from_tables(CURVE, 1, &no_table, none, ptr::null_mut()), "out");
        null(bw_bases_write_table(None, c"x".as_ptr()), "bases is NULL");
        null(bw_bases_write_table(bases.handle(), ptr::null()), "path is NULL");
        null(bw_msm(None, &scalars, none, &sums), "bases is NULL");
        null(bw_msm(bases.handle(), ptr::null(), none, &sums), "scalars is NULL");
        null(bw_msm(bases.handle(), &no_scalars, none, &sums), "scalars.data is NULL");
        null(bw_msm(bases.handle(), &scalars, none, ptr::null()), "sums is NULL");
        null(bw_msm(bases.handle(), &scalars, none, &no_sums), "sums.data is NULL");
        null(bw_msm_many(bases.handle(), ptr::null(), 2, none, &sums), "scalars is NULL");
        null(bw_stream_new(CURVE, 1, 0, none, ptr::null_mut()), "out");
        null(bw_stream_resume(CURVE, 1, 0, 0, &points, none, ptr::null_mut()), "out");
        null(bw_stream_resume(CURVE, 1, 0, 0, ptr::null(), none, &mut stream), "points is NULL");
        null(bw_stream_update(None, &points, &scalars), "stream is NULL");
        null(bw_stream_flush(None, &sums), "stream is NULL");
        ok(bw_stream_new(CURVE, 1, 0, none, &mut stream));
        null(bw_stream_update(stream.as_deref_mut(), ptr::null(), &scalars), "points is NULL");
        null(bw_stream_update(stream.as_deref_mut(), &points, ptr::null()), "scalars is NULL");
        null(bw_stream_flush(stream.as_deref_mut(), ptr::null()), "sums is NULL");
        bw_stream_free(stream);
        null(bw_cancel_new(ptr::null_mut()), "out");
        null(bw_cancel_request(None), "cancel is NULL");
        null(bw_plan(CURVE, 1, 1, none, ptr::null_mut()), "result is NULL");
        bw_bases_free(None);
        bw_stream_free(None);
        bw_cancel_free(None);
        assert_eq!((bw_bases_len(None), bw_bases_curve(None), bw_bases_group(None)), (0, 0, 0));
        assert_eq!((bw_bases_backend(None), bw_stream_len(None)), (0, 0));
    });
    assert!(made.is_none());
    assert_eq!(bytes, [0xa5; 96]);
}

#[test]
fn codes_that_stand_for_nothing_are_errors() {
    let (points, scalars) = inputs::<Config>(N, 14);
    let (laid, scalars) = (Laid::new(&points, PACKED), LaidScalars::new(&scalars, 1, 0));
    let (points, scalars) = (laid.points(), scalars.scalars());
    let default = options();
    for curve in [0, 19, 255, 256 + CURVE, u32::MAX] {
        refused(curve, 1, &points, &default, BW_ERROR_CURVE, "curve");
        assert_eq!(bw_scalar_bytes(curve) + bw_coordinate_bytes(curve, 1) + bw_sum_bytes(curve, 1, 1), 0);
    }
    // The message of a build with three curves.
    if cfg!(not(feature = "pasta")) {
        refused(BW_CURVE_PALLAS, 1, &points, &default, BW_ERROR_CURVE, "this build has no pallas");
    }
    for group in [0, 4, 256 + 1, u32::MAX] {
        refused(CURVE, group, &points, &default, BW_ERROR_GROUP, "group");
        assert_eq!(bw_coordinate_bytes(CURVE, group) + bw_sum_bytes(CURVE, group, 1), 0);
    }
    for group in [2, 3] {
        refused(BW_CURVE_GRUMPKIN, group, &points, &default, BW_ERROR_GROUP, "grumpkin has no group");
    }
    assert_eq!(bw_coordinate_bytes(CURVE, 3), 0);
    assert_eq!((bw_sum_bytes(CURVE, 1, 0), bw_sum_bytes(CURVE, 1, 3)), (0, 0));
    assert_eq!(
        (bw_sum_bytes(CURVE, 3, 1), bw_sum_bytes(CURVE, 3, 2), bw_coordinate_bytes(CURVE, 2)),
        (288, 432, 96)
    );

    let argument = |options: bw_options, words: &str| {
        refused(CURVE, 1, &points, &options, BW_ERROR_ARGUMENT, words);
    };
    let points_are = |points: bw_points, words: &str| {
        refused(CURVE, 1, &points, &default, BW_ERROR_ARGUMENT, words);
    };
    // A form that nobody filled in is 0, which is an error.
    points_are(bw_points { form: 0, ..points }, "form 0: expected 1 (BW_FORM_CANONICAL) or 2");
    points_are(bw_points { form: 3, ..points }, "form 3");
    points_are(bw_points { infinity: 3, ..points }, "infinity 3");
    argument(bw_options { check: 3, ..default }, "check 3");
    argument(bw_options { backend: 6, ..default }, "backend 6");
    argument(bw_options { endomorphism: 3, ..default }, "endomorphism 3");
    argument(bw_options { copies: 2, memory: 1, ..default }, "copies and memory");
    argument(bw_options { size: 0, ..default }, "bw_options of 0 bytes");
    argument(bw_options { size: size_of::<bw_options>() - 1, ..default }, "for its first member");
    // A size that no version has is refused before the bytes behind the structure are read.
    for size in [4097, 1 << 20, 1 << 40, isize::MAX as usize, usize::MAX] {
        argument(bw_options { size, ..default }, "for its first member");
    }
    // Options of a later version, with an option that this version does not know.
    let mut later = (default, 0u64);
    later.0.size = size_of_val(&later);
    let mut bases = None;
    ok(call!(bw_bases_from_points(CURVE, 1, &points, &later.0, &mut bases)));
    let bases = Bases(bases);
    later.1 = 1 << 60;
    let mut none = None;
    let status = call!(bw_bases_from_points(CURVE, 1, &points, ptr::from_ref(&later).cast(), &mut none));
    fails(status, BW_ERROR_ARGUMENT, "options that this version does not know");

    let mut bytes = [0xa5u8; 96];
    let sums = bw_sums { data: bytes.as_mut_ptr().cast(), size: 96, form: 1, coordinates: 1 };
    let run = |scalars: bw_scalars, options: bw_options, sums: bw_sums| {
        call!(bw_msm(bases.handle(), &scalars, &options, &sums))
    };
    let wrong = |status, words: &str| fails(status, BW_ERROR_ARGUMENT, words);
    wrong(run(bw_scalars { form: 0, ..scalars }, default, sums), "form 0");
    wrong(run(scalars, default, bw_sums { form: 0, ..sums }), "form 0");
    wrong(run(scalars, default, bw_sums { coordinates: 0, ..sums }), "coordinates 0");
    wrong(run(scalars, default, bw_sums { coordinates: 3, ..sums }), "coordinates 3");
    for window in [23, 40, u32::MAX] {
        wrong(run(scalars, bw_options { window, ..default }, sums), "window of");
    }
    for (size, coordinates) in [(95, 1), (0, 1), (96, 2)] {
        let status = run(scalars, default, bw_sums { size, coordinates, ..sums });
        fails(status, BW_ERROR_BUFFER, "sums: expected at least");
    }
    let mut plan = bw_plan_result { size: 0, ..no_plan() };
    wrong(call!(bw_plan(CURVE, 1, 1, &default, &mut plan)), "bw_plan_result of 0 bytes");
    plan.size = size_of::<bw_plan_result>();
    wrong(call!(bw_plan(CURVE, 1, 1, &bw_options { window: 23, ..default }, &mut plan)), "window of 23");
    fails(call!(bw_plan(0, 1, 1, &default, &mut plan)), BW_ERROR_CURVE, "curve 0");
    fails(call!(bw_plan(CURVE, 1, usize::MAX, &default, &mut plan)), BW_ERROR_COUNT, "points are more than");
    assert_eq!((bytes, plan.additions), ([0xa5; 96], 0));
}

#[test]
fn sizes_that_do_not_fit_are_errors() {
    let (points, scalars) = inputs::<Config>(N, 15);
    let (laid, scalars) = (Laid::new(&points, PACKED), LaidScalars::new(&scalars, 1, 0));
    let (points, scalars) = (laid.points(), scalars.scalars());
    let refused = |points: bw_points, status, words: &str| {
        refused(CURVE, 1, &points, &options(), status, words);
    };
    for stride in [1, 95] {
        refused(bw_points { stride, count: 1, ..points }, BW_ERROR_STRIDE, "expected at least 96");
    }
    let flag = bw_points { infinity: BW_INFINITY_FLAG, ..points };
    refused(
        bw_points { stride: 100, infinity_offset: 100, count: 1, ..flag },
        BW_ERROR_STRIDE,
        "at least 101",
    );
    for infinity in [BW_INFINITY_FLAG, BW_INFINITY_ZERO_COORDINATE] {
        let far = bw_points { infinity, infinity_offset: usize::MAX, ..points };
        refused(bw_points { stride: 96, count: 1, ..far }, BW_ERROR_STRIDE, "at least");
        refused(far, BW_ERROR_COUNT, "expected at most");
    }
    refused(bw_points { count: usize::MAX, ..points }, BW_ERROR_COUNT, "expected at most");
    refused(bw_points { count: 1 << 40, stride: 1 << 40, ..points }, BW_ERROR_COUNT, "expected at most");
    let pair = [points, points];
    let short = [points, bw_points { count: N - 1, ..points }];
    crate::errors::refused(
        CURVE,
        BW_GROUP_PAIR,
        short.as_ptr(),
        &options(),
        BW_ERROR_COUNT,
        "19 points in g2: expected 20",
    );
    // Points of the other group, whose coordinates are twice as long: the length is accepted, but the points are on no
    // curve.
    let check = bw_options { check: BW_CHECK_CURVE, ..options() };
    let half = pair.map(|points| bw_points { count: N / 2, ..points });
    crate::errors::refused(CURVE, BW_GROUP_PAIR, half.as_ptr(), &check, BW_ERROR_NOT_ON_CURVE, "g2: point 0");

    let bases = Bases::of_points(CURVE, BW_GROUP_G1, &[points], &options());
    let mut bytes = [0xa5u8; 96];
    let sums = bw_sums { data: bytes.as_mut_ptr().cast(), size: 96, form: 1, coordinates: 1 };
    let run = |scalars: bw_scalars, status, words: &str| {
        fails(call!(bw_msm(bases.handle(), &scalars, ptr::null(), &sums)), status, words)
    };
    run(bw_scalars { count: N - 1, ..scalars }, BW_ERROR_COUNT, "19 scalars for 20 points");
    run(bw_scalars { count: 0, ..scalars }, BW_ERROR_COUNT, "0 scalars for 20 points");
    run(bw_scalars { stride: 31, count: 1, ..scalars }, BW_ERROR_STRIDE, "at least 32");
    run(bw_scalars { stride: usize::MAX, ..scalars }, BW_ERROR_COUNT, "expected at most");
    run(bw_scalars { count: usize::MAX, stride: 1, ..scalars }, BW_ERROR_COUNT, "expected at most");
    assert_eq!(bytes, [0xa5; 96]);
}

#[test]
fn values_that_are_not_reduced_are_errors() {
    let (points, scalars) = inputs::<Config>(N, 16);
    for form in [BW_FORM_CANONICAL, BW_FORM_MONTGOMERY] {
        let bytes = |modulus: Vec<u8>| {
            [modulus, vec![0xff; 48]].map(|mut bytes| {
                bytes.resize(48, 0);
                bytes
            })
        };
        for value in bytes(ark_bls12_381::Fq::MODULUS.to_bytes_le()) {
            for at in [0, 48] {
                let laid = Laid::new(&points, Layout { form, ..PACKED });
                let mut bytes = laid.bytes().to_vec();
                bytes[11 * 96 + at..][..48].copy_from_slice(&value);
                bytes[18 * 96 + at..][..48].copy_from_slice(&value);
                let points = bw_points { data: bytes.as_ptr().cast(), ..laid.points() };
                let index = refused(
                    CURVE,
                    1,
                    &points,
                    &options(),
                    BW_ERROR_COORDINATE,
                    "g1: point 11 has a coordinate",
                );
                assert_eq!(index, 11);
            }
        }
        let laid = Laid::new(&points, PACKED);
        let bases = Bases::of_points(CURVE, BW_GROUP_G1, &[laid.points()], &options());
        for value in bytes(ark_bls12_381::Fr::MODULUS.to_bytes_le()) {
            let scalars = LaidScalars::new(&scalars, form, 0);
            let mut bytes = scalars.bytes().to_vec();
            bytes[32 * 9..][..32].copy_from_slice(&value[..32]);
            let scalars = bw_scalars { data: bytes.as_ptr().cast(), ..scalars.scalars() };
            let mut sum = [0xa5u8; 192];
            let sums = bw_sums { data: sum.as_mut_ptr().cast(), size: 192, form: 1, coordinates: 1 };
            let status = call!(bw_msm(bases.handle(), &scalars, ptr::null(), &sums));
            assert_eq!(fails(status, BW_ERROR_SCALAR, "scalar 9 is not below the group's order"), 9);
            let right = LaidScalars::new(&inputs::<Config>(N, 16).1, form, 0);
            let many = [right.scalars(), scalars];
            let status = call!(bw_msm_many(bases.handle(), many.as_ptr(), 2, ptr::null(), &sums));
            assert_eq!(fails(status, BW_ERROR_SCALAR, "scalars 1: scalar 9 is not"), 9);
            assert_eq!(sum, [0xa5; 192]);
        }
    }
}

#[test]
fn points_that_fail_their_check_are_errors() {
    let (mut points, _) = inputs::<Config>(N, 17);
    // A point on the curve; one in 10^38 such points is in the subgroup.
    let outside =
        (1u64..).find_map(|x| Affine::<Config>::get_point_from_x_unchecked(x.into(), false)).unwrap();
    points[4] = outside;
    points[15].y += ark_bls12_381::Fq::from(1);
    let laid = Laid::new(&points, PACKED);
    let mut check = bw_options { check: BW_CHECK_CURVE, ..options() };
    let index =
        refused(CURVE, 1, &laid.points(), &check, BW_ERROR_NOT_ON_CURVE, "g1: point 15 is not on the curve");
    assert_eq!(index, 15);
    check.check = BW_CHECK_SUBGROUP;
    let index = refused(CURVE, 1, &laid.points(), &check, BW_ERROR_NOT_IN_SUBGROUP, "g1: point 4 is not in");
    assert_eq!(index, 4);
    // Points of another curve.
    let foreign = Laid::new(&inputs::<ark_bls12_377::g1::Config>(N, 18).0, PACKED);
    check.check = BW_CHECK_CURVE;
    refused(CURVE, 1, &foreign.points(), &check, BW_ERROR_NOT_ON_CURVE, "g1: point 0");
}

#[test]
fn backends_that_this_cpu_lacks_are_errors() {
    let (points, _) = inputs::<Config>(N, 19);
    let laid = Laid::new(&points, PACKED);
    let missing = if cfg!(target_arch = "aarch64") { BW_BACKEND_AVX2 } else { BW_BACKEND_AARCH64 };
    let options = bw_options { backend: missing, ..options() };
    refused(CURVE, 1, &laid.points(), &options, BW_ERROR_BACKEND, "not supported by this CPU");
    let mut stream = None;
    fails(call!(bw_stream_new(CURVE, 1, 0, &options, &mut stream)), BW_ERROR_BACKEND, "not supported");
    let mut plan = no_plan();
    fails(call!(bw_plan(CURVE, 1, 1, &options, &mut plan)), BW_ERROR_BACKEND, "not supported");
}
