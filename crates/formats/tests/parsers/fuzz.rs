//! The short run of the fuzz targets: every parser with a bounded number of damaged files, the same files each time.

use ark_ec::CurveConfig;
use ark_ff::PrimeField;
use bucketwheel::{match_curve, with_curve, Curve, CurveId, GroupId};
use bucketwheel_formats::{encode_scalars, FormatId, Header};
use bucketwheel_properties::mutator::check;
use bucketwheel_properties::points::{self as properties, points_file};
use bucketwheel_properties::samples::{file, kinds, multiples, samples, PTAU};

/// Number of points and scalars in a file.
const COUNT: usize = 3;

/// Returns points files of every curve and group.
fn points_files() -> Vec<Vec<u8>> {
    fn of<C: Curve, D: Curve>(curve: CurveId, group: GroupId) -> Vec<u8> {
        let count = |part| if group.parts().contains(&part) { COUNT } else { 0 };
        points_file(curve, group, &multiples::<C>(count(GroupId::G1)), &multiples::<D>(count(GroupId::G2)))
    }
    let kinds =
        CurveId::ALL.iter().flat_map(|&curve| curve.groups().iter().map(move |&group| (curve, group)));
    let file = |(curve, group)| {
        macro_rules! one {
            ($group:ty) => {
                of::<$group, $group>(curve, group)
            };
        }
        macro_rules! both {
            ($g1:ty, $g2:ty) => {
                of::<$g1, $g2>(curve, group)
            };
        }
        match_curve!(curve, one, both).unwrap()
    };
    kinds.map(file).collect()
}

/// Returns scalars files of every curve.
fn scalars_files() -> Vec<Vec<u8>> {
    let file = |&curve: &CurveId| {
        let mut bytes = Header { curve, group: None, count: COUNT as u64 }.encode().to_vec();
        with_curve!(curve, GroupId::G1, C => {
            type Scalar = <C as CurveConfig>::ScalarField;
            let scalars = [Scalar::from(0u64), Scalar::from(7u64), -Scalar::from(1u64)];
            encode_scalars(&scalars.map(PrimeField::into_bigint), &mut bytes).unwrap();
        })
        .unwrap();
        bytes
    };
    CurveId::ALL.iter().map(file).collect()
}

#[test]
fn headers() {
    check("header", properties::header, [points_files(), scalars_files()].concat(), 100_000);
}

#[test]
fn points() {
    check("points", properties::points, points_files(), 100_000);
}

#[test]
fn scalars() {
    check("scalars", properties::scalars, scalars_files(), 100_000);
}

/// Returns files with three points of every kind that a format has.
fn formats(id: FormatId) -> Vec<Vec<u8>> {
    let files = kinds().flat_map(|(curve, group)| {
        with_curve!(curve, group, C => [1, 3, 4].map(|count| file(id, curve, group, None, &multiples::<C>(count)))).unwrap()
    });
    files.flatten().collect()
}

fn check_format(id: FormatId) {
    let target = format!("format_{}", id.to_string().replace('-', "_"));
    check(&target, move |bytes| properties::format(id, bytes), formats(id), 3_000);
}

#[test]
fn formats_of_libraries() {
    [FormatId::Arkworks, FormatId::ArkworksCompressed, FormatId::Gnark, FormatId::GnarkCompressed]
        .into_iter()
        .for_each(check_format);
}

#[test]
fn formats_of_protocols() {
    [FormatId::Bucketwheel, FormatId::Zcash, FormatId::ZcashCompressed, FormatId::Kzg, FormatId::Eip2537]
        .into_iter()
        .for_each(check_format);
}

#[test]
fn formats_that_are_read_only() {
    for &id in FormatId::ALL.iter().filter(|id| !FormatId::WRITTEN.contains(id)) {
        let seeds = samples().into_iter().filter(|sample| sample.0 == id).map(|(_, _, bytes)| bytes);
        let target = format!("format_{}", id.to_string().replace('-', "_"));
        check(&target, move |bytes| properties::format(id, bytes), seeds.collect(), 500);
    }
}

#[test]
fn powers_of_tau() {
    let seeds = [formats(FormatId::Ptau), PTAU.map(<[u8]>::to_vec).into()].concat();
    check("format_ptau", |bytes| properties::format(FormatId::Ptau, bytes), seeds, 3_000);
}
