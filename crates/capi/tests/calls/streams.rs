//! Streams in parts, from checkpoint to checkpoint.

use bucketwheel_c::*;

use crate::each_curve;
use crate::kit::*;

const N: usize = 150;

/// Returns a stream's sum so far.
fn flush(
    stream: &mut Option<Box<bw_stream>>,
    curve: u32,
    group: u32,
    form: u32,
    coordinates: u32,
) -> Vec<u8> {
    let mut bytes = vec![0; bw_sum_bytes(curve, group, coordinates)];
    let sums = bw_sums { data: bytes.as_mut_ptr().cast(), size: bytes.len(), form, coordinates };
    ok(call!(bw_stream_flush(stream.as_deref_mut(), &sums)));
    bytes
}

fn checkpoints<C: Group, D: Group<ScalarField = C::ScalarField>>(curve: u32) {
    let ((g1, scalars), (g2, _)) = (inputs::<C>(N, 9), inputs::<D>(N, 10));
    let layout = Layout { form: BW_FORM_MONTGOMERY, infinity: BW_INFINITY_FLAG, gap: 3 };
    let parts = [0..0, 0..1, 1..70, 70..71, 71..N];
    let sums = |to: usize| (sum(&g1[..to], &scalars[..to]), sum(&g2[..to], &scalars[..to]));
    let options = bw_options { check: BW_CHECK_SUBGROUP, memory: 1 << 26, ..options() };
    for group in [BW_GROUP_G1, BW_GROUP_G2, BW_GROUP_PAIR] {
        let mut stream = None;
        ok(call!(bw_stream_new(curve, group, N, &options, &mut stream)));
        for (i, part) in parts.iter().enumerate() {
            let laid = [Laid::new(&g1[part.clone()], layout), Laid::new(&g2[part.clone()], layout)];
            let points = [laid[0].points(), laid[1].points()];
            let points = if group == BW_GROUP_G2 { &points[1..] } else { &points[..] };
            let scalars = LaidScalars::new(&scalars[part.clone()], BW_FORM_CANONICAL, 2);
            ok(call!(bw_stream_update(stream.as_deref_mut(), points.as_ptr(), &scalars.scalars())));
            assert_eq!(bw_stream_len(stream.as_deref()), part.end);
            let (form, coordinates) = (1 + i as u32 % 2, 1 + i as u32 / 2 % 2);
            let (g1, g2) = sums(part.end);
            let both = [expected(&g1, form, coordinates), expected(&g2, form, coordinates)];
            let found = flush(&mut stream, curve, group, form, coordinates);
            assert!(
                found
                    == if group == BW_GROUP_PAIR { both.concat() } else { both[group as usize - 1].clone() }
            );
            // A new stream continues from here.
            let checkpoint = flush(&mut stream, curve, group, BW_FORM_CANONICAL, BW_AFFINE);
            let first = if group == BW_GROUP_G2 { 0 } else { bw_sum_bytes(curve, BW_GROUP_G1, BW_AFFINE) };
            let point = |bytes: &[u8]| bw_points {
                data: bytes.as_ptr().cast(),
                count: 1,
                stride: 0,
                form: BW_FORM_CANONICAL,
                infinity: BW_INFINITY_ZEROS,
                infinity_offset: 0,
            };
            let sums = match group {
                BW_GROUP_PAIR => vec![point(&checkpoint[..first]), point(&checkpoint[first..])],
                _ => vec![point(&checkpoint)],
            };
            let resume = |sums: &[bw_points], out: &mut Option<Box<bw_stream>>| {
                call!(bw_stream_resume(curve, group, N, part.end, sums.as_ptr(), &options, out))
            };
            let mut next = None;
            ok(resume(&sums, &mut next));
            bw_stream_free(stream);
            stream = next;
            // A stream cannot start from points that are not sums, or from more points than a stream can take.
            let mut other = None;
            for taken in [isize::MAX as usize + 1, usize::MAX] {
                let resumed =
                    call!(bw_stream_resume(curve, group, N, taken, sums.as_ptr(), &options, &mut other));
                fails(resumed, BW_ERROR_COUNT, "points taken: expected at most");
            }
            let mut damaged = checkpoint.clone();
            *damaged.last_mut().unwrap() = 0xff;
            let last = sums.len() - 1;
            let mut wrong = sums.clone();
            wrong[last] = point(&damaged[if group == BW_GROUP_PAIR { first } else { 0 }..]);
            fails(resume(&wrong, &mut other), BW_ERROR_COORDINATE, "point 0");
            damaged = checkpoint.clone();
            damaged[0] ^= 1;
            wrong[0] = point(&damaged);
            wrong[last] = if last == 0 { wrong[0] } else { sums[last] };
            fails(resume(&wrong, &mut other), BW_ERROR_NOT_ON_CURVE, "point 0");
            wrong = sums.clone();
            wrong.iter_mut().for_each(|sum| sum.count = 0);
            fails(resume(&wrong, &mut other), BW_ERROR_COUNT, "");
            assert!(other.is_none());
        }
        bw_stream_free(stream);
    }
}

#[test]
fn streams_go_on_from_checkpoints() {
    each_curve!(checkpoints);
}

#[test]
fn what_is_wrong_with_an_update_adds_nothing() {
    let curve = BW_CURVE_BN254;
    let (g1, scalars) = inputs::<ark_bn254::g1::Config>(N, 11);
    let (g2, _) = inputs::<ark_bn254::g2::Config>(N, 12);
    let expected =
        [expected(&sum(&g1, &scalars), 1, BW_AFFINE), expected(&sum(&g2, &scalars), 1, BW_AFFINE)].concat();
    let mut wrong = g2.clone();
    wrong[17].x += ark_bn254::Fq2::from(1);
    let [first, second, wrong] = [Laid::new(&g1, PACKED), Laid::new(&g2, PACKED), Laid::new(&wrong, PACKED)];
    let (scalars, fewer) = (LaidScalars::new(&scalars, 1, 0), LaidScalars::new(&scalars[1..], 1, 0));
    let options = bw_options { check: BW_CHECK_CURVE, ..options() };
    let mut stream = None;
    call!({
        ok(bw_stream_new(curve, BW_GROUP_PAIR, 0, &options, &mut stream));
        let mut update = |points: [bw_points; 2], scalars: bw_scalars| {
            bw_stream_update(stream.as_deref_mut(), points.as_ptr(), &scalars)
        };
        let status = update([first.points(), wrong.points()], scalars.scalars());
        assert_eq!(fails(status, BW_ERROR_NOT_ON_CURVE, "g2: point 17"), 17);
        fails(update([first.points(), second.points()], fewer.scalars()), BW_ERROR_COUNT, "149 scalars");
        let short = bw_points { count: N - 1, ..second.points() };
        fails(update([first.points(), short], scalars.scalars()), BW_ERROR_COUNT, "149 points in g2");
        ok(update([first.points(), second.points()], scalars.scalars()));
        assert!(flush(&mut stream, curve, BW_GROUP_PAIR, 1, BW_AFFINE) == expected);
        bw_stream_free(stream);
        let options = bw_options { memory: 1000, ..options };
        let mut none = None;
        fails(
            bw_stream_new(curve, 1, 0, &options, &mut none),
            BW_ERROR_MEMORY,
            "1000 bytes of memory for a stream",
        );
        let options = bw_options { memory: BW_MEMORY_LEAST, ..options };
        let status = bw_stream_new(curve, 1, 0, &options, &mut none);
        fails(status, BW_ERROR_MEMORY, "0 bytes of memory for a stream");
    })
}
