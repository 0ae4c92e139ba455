//! Points from files of all formats, tables, and damaged files.

use std::ffi::CString;
use std::fs;
use std::path::Path;
use std::ptr;

use ark_bls12_381::g1::Config as G1;
use ark_bls12_381::g2::Config as G2;
use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use bucketwheel::{CurveId, GroupId};
use bucketwheel_c::*;
use bucketwheel_formats::{encode, encode_points, padding, FormatId, Header, Section, Target};

use crate::kit::*;

const CURVE: u32 = BW_CURVE_BLS12_381;
/// Length of the sections of powers of tau: a power of 2, minus one.
const N: usize = 31;

/// Writes a file of points.
fn file<C: bucketwheel::Curve>(
    id: FormatId,
    group: GroupId,
    section: Option<Section>,
    points: &[Affine<C>],
) -> Vec<u8> {
    let target = Target { curve: CurveId::Bls12_381, group, section, count: points.len() as u64 };
    let codec = id.format().codec(target.curve, group).unwrap();
    let body = encode(&codec, points).unwrap_or_else(|failure| panic!("{failure:?}"));
    let mut file = id.format().start(target).unwrap();
    file.extend(id.format().wrap(body, codec.bytes(target.curve, group)).unwrap());
    file
}

fn load(bytes: &[u8], source: bw_source, options: &bw_options) -> Result<Bases, bw_status> {
    let mut bases = None;
    let data = bytes.as_ptr().cast();
    match call!(bw_bases_from_bytes(data, bytes.len(), &source, options, &mut bases)) {
        BW_OK => Ok(Bases(bases)),
        status => Err(status),
    }
}

fn path(path: &Path) -> CString {
    CString::new(path.to_str().unwrap()).unwrap()
}

fn load_file(file: &Path, source: bw_source) -> Result<Bases, bw_status> {
    let mut bases = None;
    match call!(bw_bases_from_file(path(file).as_ptr(), &source, ptr::null(), &mut bases)) {
        BW_OK => Ok(Bases(bases)),
        status => Err(status),
    }
}

const ANY: bw_source = bw_source { format: 0, curve: 0, group: 0, section: 0 };

/// Returns points that are all finite, because some formats have no point at infinity.
fn finite<C: Group>(seed: u64) -> (Vec<Affine<C>>, LaidScalars, Vec<u8>) {
    let (mut points, scalars) = inputs::<C>(N, seed);
    let first = points[0];
    points.iter_mut().filter(|point| point.is_zero()).for_each(|point| *point = first);
    let sum = expected(&sum(&points, &scalars), 1, BW_AFFINE);
    (points, LaidScalars::new(&scalars, 1, 0), sum)
}

fn sum_of(bases: &Bases, scalars: &LaidScalars) -> Vec<u8> {
    bases.sum(scalars.scalars(), &options(), 1, BW_AFFINE)
}

fn formats_of<C: Group + bucketwheel::Curve>(group: GroupId, seed: u64) {
    let (points, scalars, expected) = finite::<C>(seed);
    let folder = tempfile::tempdir().unwrap();
    for &id in FormatId::WRITTEN {
        let sections: &[Option<Section>] = match (id, group) {
            (FormatId::Ptau | FormatId::Kzg, _) => continue,
            _ => &[None],
        };
        for &section in sections {
            let bytes = file(id, group, section, &points);
            let format = u32::from(id.code());
            let source = bw_source { format, curve: CURVE, group: group.code().into(), section: 0 };
            let named = folder.path().join("points");
            fs::write(&named, &bytes).unwrap();
            for bases in
                [load(&bytes, source, &options()), load(&bytes, ANY, &options()), load_file(&named, ANY)]
            {
                let bases = bases.unwrap_or_else(|_| panic!("{id}: {}", message()));
                assert!(sum_of(&bases, &scalars) == expected, "{id} {group}");
            }
            // Files that are too short, and a file that is too long.
            for len in (0..bytes.len()).step_by(bytes.len() / 50 + 1) {
                if let Ok(bases) = load(&bytes[..len], source, &options()) {
                    // A format without a number of points has fewer points then.
                    assert!(bw_bases_len(bases.handle()) < N && bytes.len() % N == 0, "{id} {len}");
                } else {
                    let mut bases = None;
                    let data = bytes.as_ptr().cast();
                    let status = call!(bw_bases_from_bytes(data, len, &source, ptr::null(), &mut bases));
                    fails(status, BW_ERROR_FORMAT, "expected");
                }
            }
            let longer = [&bytes[..], &[0]].concat();
            assert_eq!(load(&longer, source, &options()).map(drop), Err(BW_ERROR_FORMAT), "{id}");
            // Any changed byte gives points or an error.
            let check = bw_options { check: BW_CHECK_SUBGROUP, ..options() };
            for i in 0..bytes.len().min(300) {
                let mut damaged = bytes.clone();
                damaged[i] ^= 0x81;
                if let Ok(bases) = load(&damaged, source, &check) {
                    drop(bases);
                } else {
                    assert!(!message().is_empty());
                }
            }
            let other = bw_source { curve: BW_CURVE_BN254, ..source };
            assert!(load(&bytes, other, &check).is_err(), "{id}");
        }
    }
}

#[test]
fn points_come_in_all_formats() {
    formats_of::<G1>(GroupId::G1, 20);
    formats_of::<G2>(GroupId::G2, 21);
}

#[test]
fn sections_are_named() {
    // 2^4 powers, so 2^5 - 1 in tauG1.
    let (points, scalars, expected) = finite::<G1>(22);
    let bytes = file(FormatId::Ptau, GroupId::G1, Some(Section::TauG1), &points);
    let source = bw_source { section: BW_SECTION_PTAU_TAU_G1, ..ANY };
    let bases = load(&bytes, source, &options()).unwrap_or_else(|_| panic!("{}", message()));
    assert!(sum_of(&bases, &scalars) == expected);
    let missing = bw_source { section: BW_SECTION_PTAU_TAU_G2, ..ANY };
    assert_eq!(load(&bytes, missing, &options()).map(drop), Err(BW_ERROR_FORMAT));
    let kzg = bw_source { section: BW_SECTION_KZG_G1_LAGRANGE, ..ANY };
    assert_eq!(load(&bytes, kzg, &options()).map(drop), Err(BW_ERROR_FORMAT));
    assert!(message().contains("has no section"));
    assert_eq!(load(&bytes, bw_source { section: 9, ..ANY }, &options()).map(drop), Err(BW_ERROR_ARGUMENT));
}

#[test]
fn a_file_of_both_groups_is_a_pair() {
    let ((g1, scalars, sum1), (g2, _, _)) = (finite::<G1>(23), finite::<G2>(24));
    let count = N as u64;
    let header = Header { curve: CurveId::Bls12_381, group: Some(GroupId::Pair), count };
    let mut bytes = header.encode().to_vec();
    encode_points(&g1, &mut bytes).unwrap();
    bytes.resize(bytes.len() + padding(CurveId::Bls12_381, count), 0);
    encode_points(&g2, &mut bytes).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("pair.points");
    fs::write(&named, &bytes).unwrap();
    for source in
        [ANY, bw_source { group: BW_GROUP_PAIR, curve: CURVE, format: BW_FORMAT_BUCKETWHEEL, section: 0 }]
    {
        for bases in [load(&bytes, source, &options()), load_file(&named, source)] {
            let bases = bases.unwrap_or_else(|_| panic!("{}", message()));
            assert_eq!(bw_bases_group(bases.handle()), BW_GROUP_PAIR);
            let found = sum_of(&bases, &scalars);
            assert!(found[..96] == sum1 && found.len() == 288);
            let file = path(&folder.path().join("pair.table"));
            fails(
                call!(bw_bases_write_table(bases.handle(), file.as_ptr())),
                BW_ERROR_FILE,
                "expected one group",
            );
        }
    }
    let one = load(&bytes, bw_source { group: BW_GROUP_G1, ..ANY }, &options()).unwrap();
    assert!(sum_of(&one, &scalars) == sum1);
    let other = bw_source { curve: BW_CURVE_BN254, ..ANY };
    assert_eq!(load(&bytes, other, &options()).map(drop), Err(BW_ERROR_FORMAT));
    assert!(message().contains("the file holds bls12-381: expected bn254"), "{}", message());
    // A file of one group, read as a pair.
    let single = file(FormatId::Bucketwheel, GroupId::G1, None, &g1);
    let pair = bw_source { group: BW_GROUP_PAIR, ..ANY };
    assert_eq!(load(&single, pair, &options()).map(drop), Err(BW_ERROR_FORMAT));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn tables_are_written_and_read() {
    let (points, scalars, expected) = finite::<G1>(25);
    let laid = Laid::new(&points, PACKED);
    let options = bw_options { copies: 4, check: BW_CHECK_SUBGROUP, ..options() };
    let bases = Bases::of_points(CURVE, BW_GROUP_G1, &[laid.points()], &options);
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("t.table");
    // Writes the table twice: the second file replaces the first, which a handle keeps mapped.
    let mut kept = Vec::new();
    for _ in 0..2 {
        ok(call!(bw_bases_write_table(bases.handle(), path(&named).as_ptr())));
        kept.push(load_file(&named, ANY).unwrap_or_else(|_| panic!("{}", message())));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let bytes = fs::read(&named).unwrap();
    fs::remove_file(&named).unwrap();
    let source = bw_source { format: BW_FORMAT_TABLE, curve: CURVE, group: BW_GROUP_G1, section: 0 };
    kept.push(load(&bytes, source, &options).unwrap());
    for bases in &kept {
        assert!(sum_of(bases, &scalars) == expected);
        assert_eq!((bw_bases_curve(bases.handle()), bw_bases_group(bases.handle())), (CURVE, BW_GROUP_G1));
    }
    for len in (0..bytes.len()).step_by(97) {
        fs::write(&named, &bytes[..len]).unwrap();
        assert_eq!(load_file(&named, source).map(drop), Err(BW_ERROR_FORMAT), "{len}");
        assert!(message().contains("t.table: "), "{}", message());
        assert_eq!(load(&bytes[..len], source, &options).map(drop), Err(BW_ERROR_FORMAT));
    }
    for i in (0..bytes.len()).step_by(89) {
        let mut damaged = bytes.clone();
        damaged[i] ^= 0x10;
        assert!(load(&damaged, source, &options).is_err(), "{i}");
    }
    for other in [
        bw_source { curve: BW_CURVE_BN254, ..ANY },
        bw_source { group: BW_GROUP_G2, ..ANY },
        bw_source { group: BW_GROUP_PAIR, ..ANY },
        bw_source { format: BW_FORMAT_GNARK, ..source },
    ] {
        assert_eq!(load(&bytes, other, &options).map(drop), Err(BW_ERROR_FORMAT));
    }
    let missing = folder.path().join("none/t.table");
    fails(
        call!(bw_bases_write_table(bases.handle(), path(&missing).as_ptr())),
        BW_ERROR_FILE,
        "cannot write",
    );
    fails(call!(bw_bases_write_table(bases.handle(), c"/".as_ptr())), BW_ERROR_FILE, "cannot write");
}

#[test]
fn tables_in_memory_are_used_where_they_are() {
    let ((g1, scalars, sum1), (g2, _, _)) = (finite::<G1>(27), finite::<G2>(28));
    let folder = tempfile::tempdir().unwrap();
    let table = |group, laid: &Laid| {
        let bases = Bases::of_points(CURVE, group, &[laid.points()], &options());
        let named = folder.path().join("t.table");
        ok(call!(bw_bases_write_table(bases.handle(), path(&named).as_ptr())));
        fs::read(&named).unwrap()
    };
    let first = table(BW_GROUP_G1, &Laid::new(&g1, PACKED));
    let second = table(BW_GROUP_G2, &Laid::new(&g2, PACKED));
    let (first, second) = (first.as_slice(), second.as_slice());
    let load = |group, tables: &[&[u8]]| {
        let lent = |table: &&[u8]| bw_table { data: table.as_ptr().cast(), size: table.len() };
        let tables: Vec<_> = tables.iter().map(lent).collect();
        let mut bases = None;
        match call!(bw_bases_from_tables(CURVE, group, tables.as_ptr(), ptr::null(), &mut bases)) {
            BW_OK => Ok(Bases(bases)),
            status => Err(status),
        }
    };
    let pair = load(BW_GROUP_PAIR, &[first, second]).unwrap_or_else(|_| panic!("{}", message()));
    let kind = (bw_bases_len(pair.handle()), bw_bases_group(pair.handle()));
    assert_eq!(kind, (N, BW_GROUP_PAIR));
    let found = sum_of(&pair, &scalars);
    assert!(found[..96] == sum1 && found.len() == 288);
    let alone = load(BW_GROUP_G2, &[second]).unwrap_or_else(|_| panic!("{}", message()));
    assert!(found[96..] == sum_of(&alone, &scalars));
    for (group, tables) in [
        (BW_GROUP_G1, [second, &[]]),
        (BW_GROUP_PAIR, [second, first]),
        (BW_GROUP_PAIR, [first, &second[..second.len() - 1]]),
        (BW_GROUP_PAIR, [first, &[]]),
    ] {
        assert_eq!(load(group, &tables).map(drop), Err(BW_ERROR_FORMAT));
    }
}

#[test]
fn files_that_cannot_be_read_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("empty");
    for (file, words) in
        [(folder.path().join("none"), "cannot read"), (folder.path().into(), "not a regular file")]
    {
        assert_eq!(load_file(&file, ANY).map(drop), Err(BW_ERROR_FILE));
        assert!(message().contains(words), "{}", message());
    }
    fs::write(&named, []).unwrap();
    assert_eq!(load_file(&named, ANY).map(drop), Err(BW_ERROR_FORMAT));
    assert!(message().contains("the bytes fit no format"), "{}", message());
    for format in [21, 254, 256, u32::MAX] {
        assert_eq!(load_file(&named, bw_source { format, ..ANY }).map(drop), Err(BW_ERROR_ARGUMENT));
    }
    let gnark = bw_source { format: BW_FORMAT_GNARK, ..ANY };
    assert_eq!(load(&[0; 100], gnark, &options()).map(drop), Err(BW_ERROR_FORMAT));
    assert!(message().contains("does not tell its curve: expected it in bw_source"), "{}", message());
    for wrong in [bw_source { curve: 99, ..ANY }, bw_source { group: 99, ..ANY }] {
        assert!(load(&[0; 100], wrong, &options()).is_err());
    }
    // Points that are not on the curve: the error has the index of the first.
    let (mut points, _, _) = finite::<G1>(26);
    points[9].y += ark_bls12_381::Fq::from(1);
    let bytes = file(FormatId::Eip2537, GroupId::G1, None, &points);
    let source = bw_source { format: BW_FORMAT_EIP2537, group: BW_GROUP_G1, ..ANY };
    let check = bw_options { check: BW_CHECK_CURVE, ..options() };
    assert_eq!(load(&bytes, source, &check).map(drop), Err(BW_ERROR_NOT_ON_CURVE));
    assert_eq!(bw_error_index(), 9);
    let mut compressed = file(FormatId::ZcashCompressed, GroupId::G1, None, &points[..9]);
    compressed[48 * 5] &= 0x7f;
    let source = bw_source { format: BW_FORMAT_ZCASH_COMPRESSED, group: BW_GROUP_G1, ..ANY };
    assert_eq!(load(&compressed, source, &check).map(drop), Err(BW_ERROR_ENCODING));
    assert_eq!(bw_error_index(), 5);
}
