//! Sums over groups that are known at run time, compared with arkworks' sums over the same groups.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::CurveGroup;
use ark_ff::UniformRand;
use ark_std::rand::rngs::StdRng;
use ark_std::rand::SeedableRng;
use bucketwheel::{
    match_curve, BasesOptions, Check, Curve, CurveId, Error, Form, GroupId, Msm, ScalarWords, StreamOptions,
    TableError, TableHeader,
};
use bucketwheel_dynamic::inputs::{self, BLOCK};
use bucketwheel_dynamic::{group, groups, twice, AnyPoints, AnyScalars, AnySum, File, GroupError, NoGroup};
use bucketwheel_formats::{encode_points, FormatId};

/// Points and their sum as integers, in one group.
struct Part {
    group: GroupId,
    points: Vec<u8>,
    sum: Vec<u8>,
}

fn integers<C: Curve>(points: &[Affine<C>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_points(points, &mut bytes).expect("memory");
    bytes
}

fn scalar_bytes<F: ScalarWords>(scalars: &[F]) -> Vec<u8> {
    let words = |scalar: &F| {
        scalar.to_integer().as_ref().iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>()
    };
    scalars.iter().flat_map(words).collect()
}

fn part<C: Curve>(group: GroupId, scalars: &[C::ScalarField], rng: &mut StdRng) -> Part {
    let mut points: Vec<Affine<C>> = scalars.iter().map(|_| Projective::rand(rng).into_affine()).collect();
    points[1] = Affine::identity();
    let sum: Projective<C> = points.iter().zip(scalars).map(|(point, scalar)| *point * scalar).sum();
    Part { group, points: integers(&points), sum: integers(&[sum.into_affine()]) }
}

/// Returns points of all groups, their sums, and the scalars.
fn inputs(curve: CurveId, n: usize) -> (Vec<Part>, Vec<u8>) {
    let rng = &mut StdRng::seed_from_u64(37);
    macro_rules! one {
        ($g1:ty) => {{
            let scalars: Vec<<$g1 as ark_ec::CurveConfig>::ScalarField> =
                (0..n).map(|_| UniformRand::rand(rng)).collect();
            (vec![part::<$g1>(GroupId::G1, &scalars, rng)], scalar_bytes(&scalars))
        }};
    }
    macro_rules! both {
        ($g1:ty, $g2:ty) => {{
            let scalars: Vec<<$g1 as ark_ec::CurveConfig>::ScalarField> =
                (0..n).map(|_| UniformRand::rand(rng)).collect();
            let parts =
                vec![part::<$g1>(GroupId::G1, &scalars, rng), part::<$g2>(GroupId::G2, &scalars, rng)];
            (parts, scalar_bytes(&scalars))
        }};
    }
    match_curve!(curve, one, both).expect("all curves")
}

/// Calls `check` for each group of each curve, with `n` points of each part and `n` scalars.
fn each(n: usize, mut check: impl FnMut(CurveId, GroupId, &[&Part], &[u8])) {
    for &curve in CurveId::ALL {
        let (parts, scalars) = inputs(curve, n);
        for &id in curve.groups() {
            let of_id: Vec<&Part> = parts.iter().filter(|part| id.parts().contains(&part.group)).collect();
            check(curve, id, &of_id, &scalars);
        }
    }
}

fn points<'a>(parts: &[&'a Part]) -> Vec<AnyPoints<'a>> {
    parts.iter().map(|part| AnyPoints::integers(&part.points)).collect()
}

fn sums(sums: &[AnySum]) -> Vec<(GroupId, Vec<u8>)> {
    sums.iter().map(|sum| (sum.group, sum.integers.clone())).collect()
}

fn expected(parts: &[&Part]) -> Vec<(GroupId, Vec<u8>)> {
    parts.iter().map(|part| (part.group, part.sum.clone())).collect()
}

#[test]
fn sums_are_those_of_arkworks() {
    each(40, |curve, id, parts, scalars| {
        let groups = groups(curve, id).expect("all curves");
        let bases =
            groups.prepare(BasesOptions::new().check(Check::Subgroup), &points(parts)).expect("points");
        assert_eq!(bases.len(), 40);
        let (found, report) = bases.run(Msm::new(), AnyScalars::integers(scalars)).expect("scalars");
        assert_eq!(sums(&found), expected(parts), "{curve} {id}");
        assert_eq!(report.backend, bases.backend());
        // Montgomery forms go back in as they came out.
        for sum in &found {
            let size = sum.montgomery.len();
            let layout = bucketwheel::PointLayout {
                stride: size,
                form: Form::Montgomery,
                infinity: Default::default(),
            };
            let alone = groups_of(curve, sum.group);
            let bases = alone
                .prepare(BasesOptions::new(), &[AnyPoints::raw(&sum.montgomery, layout)])
                .expect("a point");
            let one = scalar_one(curve);
            let (same, _) = bases.run(Msm::new(), AnyScalars::integers(&one)).expect("a scalar");
            assert_eq!(same[0], *sum);
            assert!(!sum.is_infinity());
            // The integer 1 as it is written, and in the other form: a point (0, 1) on no curve, whose y is converted
            // from one form to the other.
            let alone = group(curve, sum.group).expect("all curves");
            let forms = [Form::Canonical, Form::Montgomery].map(|form| alone.one(form));
            assert_eq!(forms[0].iter().map(|&byte| u32::from(byte)).sum::<u32>(), 1);
            assert_eq!(forms[0][0], 1);
            let point = [vec![0; forms[1].len()], forms[1].clone()].concat();
            let bases =
                groups_of(curve, sum.group).prepare(BasesOptions::new(), &[AnyPoints::raw(&point, layout)]);
            let (same, _) =
                bases.expect("a point").run(Msm::new(), AnyScalars::integers(&one)).expect("a scalar");
            assert_eq!(same[0].integers[forms[0].len()..], forms[0]);
        }
        let none = vec![0; scalars.len()];
        let (found, _) = bases.run(Msm::new(), AnyScalars::integers(&none)).expect("scalars");
        assert!(found.iter().all(AnySum::is_infinity));
        let size = scalars.len() / 40;
        assert_eq!(
            bases.run(Msm::new(), AnyScalars::integers(&scalars[size..])).map(drop),
            Err(Error::Length { points: 40, scalars: 39 })
        );
        assert_eq!(
            bases.run(Msm::new(), AnyScalars::integers(&scalars[1..])).map(drop),
            Err(Error::Records { bytes: scalars.len() - 1, size })
        );
    });
}

fn groups_of(curve: CurveId, id: GroupId) -> Box<dyn bucketwheel_dynamic::DynGroups> {
    groups(curve, id).expect("all curves")
}

fn scalar_one(curve: CurveId) -> Vec<u8> {
    let mut one = vec![0; curve.scalar_bytes()];
    one[0] = 1;
    one
}

#[test]
fn streams_go_on_from_their_sums() {
    each(40, |curve, id, parts, scalars| {
        let groups = groups_of(curve, id);
        let options = StreamOptions::new().points(40).check(Check::Curve);
        let cut = |part: &Part, from: usize, to: usize| {
            let size = part.points.len() / 40;
            part.points[from * size..to * size].to_vec()
        };
        let size = scalars.len() / 40;
        let update = |stream: &mut dyn bucketwheel_dynamic::DynStream, from: usize, to: usize| {
            let bytes: Vec<Vec<u8>> = parts.iter().map(|part| cut(part, from, to)).collect();
            let points: Vec<_> = bytes.iter().map(|bytes| AnyPoints::integers(bytes)).collect();
            stream.update(&points, AnyScalars::integers(&scalars[from * size..to * size])).expect("valid");
        };
        let mut stream = groups.start(Msm::new(), options).expect("memory");
        update(&mut *stream, 0, 15);
        let saved = stream.flush().expect("a sum");
        let again: Vec<_> = saved.iter().map(|sum| AnyPoints::integers(&sum.integers)).collect();
        let mut stream = groups.start(Msm::new(), options).expect("memory").resume(15, &again).expect("sums");
        assert_eq!(stream.len(), 15);
        update(&mut *stream, 15, 40);
        assert_eq!(sums(&stream.flush().expect("sums")), expected(parts), "{curve} {id}");

        // The error names the group of a bad point, and of a point that is no sum.
        let fresh = || groups.start(Msm::new(), options).expect("memory");
        for (bad, part) in parts.iter().enumerate() {
            let mut off: Vec<Vec<u8>> = saved.iter().map(|sum| sum.integers.clone()).collect();
            off[bad][0] ^= 1;
            let off: Vec<_> = off.iter().map(|bytes| AnyPoints::integers(bytes)).collect();
            let error = GroupError { group: part.group, error: Error::NotOnCurve { index: 0 } };
            assert_eq!(fresh().resume(15, &off).map(drop), Err(error));
            let mut bytes: Vec<Vec<u8>> = parts.iter().map(|part| part.points.clone()).collect();
            bytes[bad][0] ^= 1;
            let points: Vec<_> = bytes.iter().map(|bytes| AnyPoints::integers(bytes)).collect();
            let error = fresh().update(&points, AnyScalars::integers(scalars)).expect_err("a bad point");
            assert_eq!((error.group, error.error), (part.group, Error::NotOnCurve { index: 0 }));
            let error = groups.prepare(BasesOptions::new().check(Check::Curve), &points).map(drop);
            assert_eq!(error.expect_err("a bad point").group, part.group);
        }
    });
}

#[test]
fn tables_and_files_are_read_as_they_were_written() {
    each(20, |curve, id, parts, scalars| {
        let Ok(one) = group(curve, id) else {
            assert_eq!(id, GroupId::Pair);
            let bases = groups_of(curve, id).prepare(BasesOptions::new(), &points(parts)).expect("points");
            assert!(bases.write_table(&mut std::io::Cursor::new(Vec::new())).is_err());
            // Each group has a table of its own.
            let table = |part: &Part| {
                let one = groups_of(curve, part.group);
                let bases =
                    one.prepare(BasesOptions::new(), &[AnyPoints::integers(&part.points)]).expect("points");
                let mut table = std::io::Cursor::new(Vec::new());
                bases.write_table(&mut table).expect("memory");
                Box::new(table.into_inner()) as Box<dyn File>
            };
            let load = |order: [usize; 2]| {
                let tables = order.map(|i| table(parts[i])).into();
                groups_of(curve, id).load_all(BasesOptions::new(), tables)
            };
            let (found, _) = load([0, 1])
                .expect("tables")
                .run(Msm::new(), AnyScalars::integers(scalars))
                .expect("scalars");
            assert_eq!(sums(&found), expected(parts), "{curve} {id}");
            for (order, bad) in [([1, 1], 0), ([0, 0], 1)] {
                let error = load(order).map(drop).expect_err("a table of another group");
                assert_eq!((error.group, error.error), (parts[bad].group, Error::Table(TableError::Curve)));
            }
            return;
        };
        let options = BasesOptions::new().copies(3);
        let bases = groups_of(curve, id).prepare(options, &points(parts)).expect("points");
        let mut table = std::io::Cursor::new(Vec::new());
        bases.write_table(&mut table).expect("memory");
        let table = table.into_inner();
        assert!(one.is_of(&TableHeader::parse(&table).expect("a table")));
        let bases = one.load(BasesOptions::new(), Box::new(table)).expect("a table");
        let (found, _) = bases.run(Msm::new(), AnyScalars::integers(scalars)).expect("scalars");
        assert_eq!(sums(&found), expected(parts), "{curve} {id}");

        if let Some(codec) = FormatId::ArkworksCompressed.format().codec(curve, id) {
            let bytes = one.encode(&codec, &parts[0].points).expect("points");
            assert!(bytes.len() < parts[0].points.len());
            assert_eq!(one.decode(&codec, &bytes, Check::Subgroup), Ok(parts[0].points.clone()));
        }
        assert_eq!(one.verify(BasesOptions::new().check(Check::Subgroup), points(parts)[0]), Ok(()));
    });
}

#[test]
fn second_points_check_sums() {
    each(40, |curve, id, parts, scalars| {
        let Ok(mask) = bucketwheel_dynamic::mask(curve, id, 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210) else {
            return;
        };
        let points = &parts[0].points;
        let size = points.len() / 40;
        let key = [7; 32];
        let second = mask.points(AnyPoints::integers(points), &key, 0).expect("points");
        // The second point of each point depends on its number and nothing else.
        let tail = mask.points(AnyPoints::integers(&points[3 * size..]), &key, 3).expect("points");
        assert_eq!(tail, second[3 * size..]);
        assert_ne!(mask.points(AnyPoints::integers(points), &[8; 32], 0).expect("points"), second);

        let both = [AnyPoints::integers(points), AnyPoints::integers(&second)];
        let bases =
            twice(curve, id).expect("all curves").prepare(BasesOptions::new(), &both).expect("points");
        let (found, _) = bases.run(Msm::new(), AnyScalars::integers(scalars)).expect("scalars");
        assert_eq!((found[0].group, &found[0].integers), (id, &parts[0].sum));
        assert_eq!(found[1].group, id);
        let sums = |sums: [&AnySum; 2]| sums.map(|sum| sum.integers.clone()).concat();
        let holds = |sums: &[u8], inner: &[u8]| mask.holds(AnyPoints::integers(sums), inner);
        let inner = mask.inner(scalars, &key, 0).expect("scalars");
        let right = sums([&found[0], &found[1]]);
        assert_eq!(holds(&right, &inner), Ok(true), "{curve} {id}");
        assert_eq!(holds(&sums([&found[1], &found[0]]), &inner), Ok(false));
        assert_eq!(holds(&sums([&found[0], &found[0]]), &inner), Ok(false));
        assert_eq!(holds(&right, &mask.inner(scalars, &key, 1).expect("scalars")), Ok(false));
        let other =
            bucketwheel_dynamic::mask(curve, id, 0x0123_4567_89ab_cdef_fedc_ba98_7654_3211).expect("a group");
        assert_eq!(other.holds(AnyPoints::integers(&right), &inner), Ok(false));
        // Other bytes are errors that name the first or the second sum.
        for (index, byte) in [(0, 0), (1, size)] {
            let mut wrong = right.clone();
            wrong[byte] ^= 1;
            assert_eq!(holds(&wrong, &inner), Err(Error::NotOnCurve { index }));
            wrong[byte..][..size].fill(0xff);
            assert_eq!(holds(&wrong, &inner), Err(Error::CoordinateRange { index }));
        }
        assert_eq!(holds(&right[..size], &inner), Err(Error::Length { points: 1, scalars: 2 }));
        assert!(matches!(mask.inner(&scalars[1..], &key, 0), Err(Error::Records { .. })));
        let mut off = points.clone();
        off[5 * size] ^= 1;
        assert_eq!(mask.points(AnyPoints::integers(&off), &key, 0), Err(Error::NotOnCurve { index: 5 }));
    });
}

#[test]
fn sequences_go_on_to_2_to_the_40() {
    let blocks = inputs::points(CurveId::Bn254, GroupId::G1, 1).unwrap();
    let last = blocks((1 << 40) / BLOCK - 1).unwrap();
    assert_ne!(last, blocks(0).unwrap());
    let options = BasesOptions::new().check(Check::Subgroup);
    let bases = groups(CurveId::Bn254, GroupId::G1).unwrap().prepare(options, &[AnyPoints::integers(&last)]);
    assert_eq!(bases.map(|bases| bases.len()).map_err(|error| error.error), Ok(BLOCK));
}

#[test]
fn groups_that_a_curve_lacks_are_errors() {
    let (curve, id) = (CurveId::Pallas, GroupId::G2);
    let missing = NoGroup::Group { curve, group: id, expected: &[GroupId::G1] };
    assert_eq!(groups(curve, id).map(drop), Err(missing));
    assert_eq!(missing.to_string(), "pallas has no group g2: expected g1");
    assert_eq!(
        group(CurveId::Bn254, GroupId::Pair).map(drop).map_err(|error| error.to_string()),
        Err("bn254 has no group pair: expected g1 or g2".into())
    );
}
