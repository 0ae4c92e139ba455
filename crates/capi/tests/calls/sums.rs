//! Sums over both groups and the pair, in all layouts, with all options.

use std::thread;

use bucketwheel::{Backend, BasesOptions, CurveId, GroupId, Msm};
use bucketwheel_c::*;
use bucketwheel_dynamic::{groups, AnyPoints, AnyScalars};
use bucketwheel_formats::{FormatId, Section};

use crate::each_curve;
use crate::kit::*;

const N: usize = 40;

fn layouts<C: Group, D: Group<ScalarField = C::ScalarField>>(curve: u32) {
    let ((g1, scalars), (g2, _)) = (inputs::<C>(N, 1), inputs::<D>(N, 2));
    let (sum1, sum2) = (sum(&g1, &scalars), sum(&g2, &scalars));
    for form in [BW_FORM_CANONICAL, BW_FORM_MONTGOMERY] {
        for infinity in [BW_INFINITY_ZEROS, BW_INFINITY_FLAG, BW_INFINITY_ZERO_COORDINATE] {
            for gap in [0, 5] {
                let layout = Layout { form, infinity, gap };
                // The second group has another layout than the first.
                let other = Layout { form: 3 - form, infinity: (infinity + 1) % 3, gap };
                let (first, second) = (Laid::new(&g1, layout), Laid::new(&g2, other));
                let pair = [first.points(), second.points()];
                let scalars = LaidScalars::new(&scalars, form, gap);
                for coordinates in [BW_AFFINE, BW_JACOBIAN] {
                    let (sum1, sum2) =
                        (expected(&sum1, form, coordinates), expected(&sum2, form, coordinates));
                    let expected = [
                        (&pair[..1], sum1.clone()),
                        (&pair[1..], sum2.clone()),
                        (&pair[..], [sum1, sum2].concat()),
                    ];
                    for (group, (points, expected)) in (1..).zip(expected) {
                        assert_eq!(bw_sum_bytes(curve, group, coordinates), expected.len());
                        let bases = Bases::of_points(curve, group, points, &options());
                        let of = (
                            bw_bases_curve(bases.handle()),
                            bw_bases_group(bases.handle()),
                            bw_bases_len(bases.handle()),
                        );
                        assert_eq!(of, (curve, group, N));
                        let sum = bases.sum(scalars.scalars(), &options(), form, coordinates);
                        assert!(sum == expected, "{curve} {group} {layout:?} {coordinates}");
                    }
                }
            }
        }
    }
}

#[test]
fn sums_are_those_of_arkworks_in_all_layouts() {
    each_curve!(layouts);
}

#[cfg(feature = "bls24-315-g2")]
#[test]
fn sums_over_the_extension_of_degree_four_are_those_of_arkworks() {
    type C = bucketwheel::bls24_315::G2;
    let curve = BW_CURVE_BLS24_315_G2;
    assert_eq!(bw_coordinate_bytes(curve, BW_GROUP_G1), 4 * 40);
    assert_eq!(bw_coordinate_bytes(curve, BW_GROUP_G2), 0);
    let (points, scalars) = inputs::<C>(N, 1);
    let sum = sum(&points, &scalars);
    for form in [BW_FORM_CANONICAL, BW_FORM_MONTGOMERY] {
        for infinity in [BW_INFINITY_ZEROS, BW_INFINITY_FLAG, BW_INFINITY_ZERO_COORDINATE] {
            let laid = Laid::new(&points, Layout { form, infinity, gap: 5 });
            let checked = bw_options { check: BW_CHECK_SUBGROUP, ..options() };
            let bases = Bases::of_points(curve, BW_GROUP_G1, &[laid.points()], &checked);
            for coordinates in [BW_AFFINE, BW_JACOBIAN] {
                let expected = expected(&sum, form, coordinates);
                assert_eq!(bw_sum_bytes(curve, BW_GROUP_G1, coordinates), expected.len());
                let scalars = LaidScalars::new(&scalars, form, 0);
                assert!(
                    bases.sum(scalars.scalars(), &options(), form, coordinates) == expected,
                    "{form} {infinity}"
                );
            }
        }
    }
}

fn with_options<C: Group, D: Group<ScalarField = C::ScalarField>>(curve: u32) {
    let ((g1, scalars), (g2, _)) = (inputs::<C>(300, 3), inputs::<D>(300, 4));
    let form = BW_FORM_MONTGOMERY;
    let expected =
        [expected(&sum(&g1, &scalars), form, BW_AFFINE), expected(&sum(&g2, &scalars), form, BW_AFFINE)]
            .concat();
    let (first, second) = (Laid::new(&g1, PACKED), Laid::new(&g2, PACKED));
    let scalars = LaidScalars::new(&scalars, form, 0);
    let default = options();
    let checked = |check| bw_options { check, ..default };
    for options in [
        default,
        bw_options { threads: 1, ..default },
        bw_options { copies: 1, ..default },
        bw_options { copies: 5, ..default },
        bw_options { copies: 5, window: 7, ..default },
        bw_options { memory: 1 << 20, ..default },
        bw_options { endomorphism: BW_YES, ..default },
        bw_options { endomorphism: BW_NO, ..default },
        bw_options { endomorphism: BW_YES, copies: 3, ..default },
        bw_options { backend: BW_BACKEND_PORTABLE, ..default },
        checked(BW_CHECK_CURVE),
        checked(BW_CHECK_SUBGROUP),
        bw_options { window: 3, ..default },
    ] {
        let bases = Bases::of_points(curve, BW_GROUP_PAIR, &[first.points(), second.points()], &options);
        assert!(bases.sum(scalars.scalars(), &options, form, BW_AFFINE) == expected, "{curve}");
        if options.backend != 0 {
            assert_eq!(bw_bases_backend(bases.handle()), options.backend);
        }
        bounds(curve, &options, [&first, &second], &scalars);
    }
}

/// Checks that the engine's report keeps to the plan.
fn bounds(curve: u32, options: &bw_options, points: [&Laid; 2], scalars: &LaidScalars) {
    let curve_id = CurveId::from_code(curve as u8).unwrap();
    for (group, id) in (1..).zip([GroupId::G1, GroupId::G2, GroupId::Pair]) {
        let both = points.map(|points| AnyPoints::integers(points.bytes()));
        let parts = match id {
            GroupId::G1 => &both[..1],
            GroupId::G2 => &both[1..],
            GroupId::Pair => &both[..],
        };
        let mut how = BasesOptions::new();
        how = if options.copies > 0 { how.copies(options.copies) } else { how };
        how = if options.memory > 0 { how.memory(options.memory) } else { how };
        how = if options.endomorphism > 0 { how.endomorphism(options.endomorphism == BW_YES) } else { how };
        how = if options.check == BW_CHECK_CURVE { how.check(bucketwheel::Check::Curve) } else { how };
        how = if options.backend > 0 { how.backend(Backend::Portable) } else { how };
        let bases = groups(curve_id, id).unwrap().prepare(how, parts).unwrap();
        let mut msm = Msm::new();
        msm = if options.threads > 0 { msm.threads(options.threads) } else { msm };
        msm = if options.window > 0 { msm.window(options.window) } else { msm };
        let of_c = scalars.bytes();
        let report = bases
            .run(msm, AnyScalars::raw(of_c, bw_scalar_bytes(curve), bucketwheel::Form::Montgomery))
            .unwrap()
            .1;
        let mut told = no_plan();
        ok(call!(bw_plan(curve, group, bases.len(), options, &mut told)));
        assert!(report.plan.memory_bytes <= told.memory_bytes, "{curve} {id}: {report:?} {told:?}");
        // The requested number of copies, or fewer if more copies do not help.
        let copies = if options.memory > 0 { usize::MAX } else { options.copies.max(1) };
        assert!(told.copies <= copies && (copies > 5 || told.copies == copies), "{told:?}");
        assert!(
            told.bases_bytes >= 2 * bw_coordinate_bytes(curve, 1) * 300 && told.additions > 300,
            "{told:?}"
        );
        if options.copies <= 1
            && options.memory == 0
            && options.endomorphism == 0
            && options.check != BW_CHECK_CURVE
        {
            // Plans are for long scalars; short scalars cost next to nothing.
            ok(call!(bw_plan(curve, group, long_scalars(bases.len()), options, &mut told)));
            assert_eq!((told.window, told.windows as usize), (report.plan.window, report.plan.windows));
        }
    }
}

#[test]
fn options_change_no_sum_and_plans_hold() {
    each_curve!(with_options);
}

#[test]
fn plans_hold_for_more_points() {
    let n = 1 << 13;
    let ((g1, scalars), (g2, _)) =
        (inputs::<ark_bn254::g1::Config>(n, 27), inputs::<ark_bn254::g2::Config>(n, 28));
    let (first, second) = (Laid::new(&g1, PACKED), Laid::new(&g2, PACKED));
    let scalars = LaidScalars::new(&scalars, BW_FORM_MONTGOMERY, 0);
    let default = options();
    for options in [
        default,
        bw_options { copies: 2, ..default },
        bw_options { copies: 20, threads: 1, ..default },
        bw_options { endomorphism: BW_YES, ..default },
        bw_options { endomorphism: BW_NO, ..default },
        bw_options { check: BW_CHECK_CURVE, ..default },
    ] {
        bounds(BW_CURVE_BN254, &options, [&first, &second], &scalars);
    }
}

#[test]
fn many_sums_are_one_after_the_other() {
    let (points, scalars) = inputs::<ark_bn254::g1::Config>(N, 5);
    let zeros = vec![ark_bn254::Fr::from(0); N];
    let laid = Laid::new(&points, PACKED);
    let bases = Bases::of_points(BW_CURVE_BN254, BW_GROUP_G1, &[laid.points()], &options());
    let vectors = [&scalars, &zeros, &scalars].map(|scalars| LaidScalars::new(scalars, BW_FORM_CANONICAL, 0));
    let vectors = [0, 1, 2].map(|i| vectors[i].scalars());
    let one = expected(&sum(&points, &scalars), BW_FORM_MONTGOMERY, BW_JACOBIAN);
    let mut bytes = vec![0xa5; 3 * one.len() + 1];
    let mut sums = bw_sums {
        data: bytes.as_mut_ptr().cast(),
        size: bytes.len(),
        form: BW_FORM_MONTGOMERY,
        coordinates: BW_JACOBIAN,
    };
    let run = |count, sums: &bw_sums| {
        call!(bw_msm_many(bases.handle(), vectors.as_ptr(), count, std::ptr::null(), sums))
    };
    ok(run(3, &sums));
    let zeros = vec![0; one.len()];
    assert!(bytes == [&one[..], &zeros, &one, &[0xa5]].concat());
    sums.size = 3 * one.len() - 1;
    fails(run(3, &sums), BW_ERROR_BUFFER, "3 sums: expected at least 288");
    sums = bw_sums { data: std::ptr::null_mut(), size: 0, ..sums };
    ok(run(0, &sums));
}

#[test]
fn many_threads_have_one_handle() {
    let (points, scalars) = inputs::<ark_bls12_381::g1::Config>(500, 6);
    let laid = Laid::new(&points, PACKED);
    let bases = Bases::of_points(BW_CURVE_BLS12_381, BW_GROUP_G1, &[laid.points()], &options());
    let (right, wrong) = (
        LaidScalars::new(&scalars, BW_FORM_MONTGOMERY, 0),
        LaidScalars::new(&scalars[1..], BW_FORM_MONTGOMERY, 0),
    );
    let expected = expected(&sum(&points, &scalars), BW_FORM_CANONICAL, BW_AFFINE);
    thread::scope(|scope| {
        for i in 0..8 {
            let (bases, right, wrong, expected) = (&bases, &right, &wrong, &expected);
            scope.spawn(move || {
                // Each thread has its own errors.
                assert_eq!(message(), "");
                assert_eq!(bw_error_index(), BW_NO_INDEX);
                for _ in 0..10 {
                    let options = bw_options { threads: i % 3, ..options() };
                    if i % 2 == 0 {
                        let sum = bases.sum(right.scalars(), &options, BW_FORM_CANONICAL, BW_AFFINE);
                        assert!(sum == *expected);
                        assert_eq!(message(), "");
                    } else {
                        let mut bytes = [0xa5; 96];
                        let sums =
                            bw_sums { data: bytes.as_mut_ptr().cast(), size: 96, form: 1, coordinates: 1 };
                        let status = call!(bw_msm(bases.handle(), &wrong.scalars(), &options, &sums));
                        fails(status, BW_ERROR_COUNT, "499 scalars for 500 points");
                        assert_eq!(bytes, [0xa5; 96]);
                    }
                }
            });
        }
    });
}

#[test]
fn no_points_have_a_sum() {
    let none =
        bw_points { data: std::ptr::null(), count: 0, stride: 0, form: 1, infinity: 0, infinity_offset: 0 };
    let bases = Bases::of_points(BW_CURVE_BN254, BW_GROUP_PAIR, &[none, none], &options());
    let scalars = bw_scalars { data: std::ptr::null(), count: 0, stride: 0, form: 1 };
    assert_eq!(bases.sum(scalars, &options(), BW_FORM_CANONICAL, BW_AFFINE), vec![0; 192]);
    let mut told = no_plan();
    ok(call!(bw_plan(BW_CURVE_BN254, BW_GROUP_PAIR, 0, &options(), &mut told)));
    assert_eq!(told.additions, 0);
}

#[test]
fn codes_are_those_of_files() {
    let groups = [GroupId::G1, GroupId::G2, GroupId::Pair].map(|group| u32::from(group.code()));
    assert_eq!(groups, [BW_GROUP_G1, BW_GROUP_G2, BW_GROUP_PAIR]);
    let formats = [
        BW_FORMAT_BUCKETWHEEL,
        BW_FORMAT_ARKWORKS,
        BW_FORMAT_ARKWORKS_COMPRESSED,
        BW_FORMAT_ZCASH,
        BW_FORMAT_ZCASH_COMPRESSED,
        BW_FORMAT_GNARK,
        BW_FORMAT_GNARK_COMPRESSED,
        BW_FORMAT_PTAU,
        BW_FORMAT_KZG,
        BW_FORMAT_EIP2537,
        BW_FORMAT_KZG_JSON,
        BW_FORMAT_GNARK_SRS,
        BW_FORMAT_GNARK_SRS_COMPRESSED,
        BW_FORMAT_GNARK_SRS_DUMP,
        BW_FORMAT_CHALLENGE,
        BW_FORMAT_RESPONSE,
        BW_FORMAT_HALO2,
        BW_FORMAT_HALO2_PROCESSED,
        BW_FORMAT_ARKWORKS_KEY,
        BW_FORMAT_ARKWORKS_KEY_COMPRESSED,
    ];
    assert_eq!(FormatId::ALL.iter().map(|format| u32::from(format.code())).collect::<Vec<_>>(), formats);
    let sections = [
        BW_SECTION_PTAU_TAU_G1,
        BW_SECTION_PTAU_TAU_G2,
        BW_SECTION_PTAU_ALPHA_TAU_G1,
        BW_SECTION_PTAU_BETA_TAU_G1,
        BW_SECTION_PTAU_BETA_G2,
        BW_SECTION_KEY_G1,
        BW_SECTION_KEY_G2,
        BW_SECTION_KZG_G1_LAGRANGE,
        BW_SECTION_KZG_G2_MONOMIAL,
        BW_SECTION_KZG_G1_MONOMIAL,
        BW_SECTION_KEY_ALPHA_G1,
        BW_SECTION_KEY_BETA_GAMMA_DELTA_G2,
        BW_SECTION_KEY_GAMMA_ABC_G1,
        BW_SECTION_KEY_BETA_DELTA_G1,
        BW_SECTION_KEY_A_QUERY,
        BW_SECTION_KEY_B_G1_QUERY,
        BW_SECTION_KEY_B_G2_QUERY,
        BW_SECTION_KEY_H_QUERY,
        BW_SECTION_KEY_L_QUERY,
    ];
    assert_eq!(Section::ALL.iter().map(|section| u32::from(section.code())).collect::<Vec<_>>(), sections);
    assert_eq!(bw_abi_version(), BW_ABI_VERSION);
    assert_eq!(text(bw_version()), env!("CARGO_PKG_VERSION"));
}
