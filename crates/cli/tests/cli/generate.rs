use std::collections::HashSet;
use std::fs;
use std::path::Path;

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use bucketwheel::{Curve, GroupId};
use bucketwheel_cli::format::{decode_points, decode_scalars, PointsFile, ScalarsFile};

use crate::{generated, succeed};

fn files(directory: &Path) -> (Vec<u8>, Vec<u8>) {
    (fs::read(directory.join("points")).unwrap(), fs::read(directory.join("scalars")).unwrap())
}

#[test]
fn the_seed_determines_the_files() {
    let line = |seed: u32| format!("--curve bls12-377 --group pair --size 2100 --seed {seed}");
    let (first, again, other) = (generated(&line(7)), generated(&line(7)), generated(&line(8)));
    assert_eq!(files(first.path()), files(again.path()));
    assert_ne!(files(first.path()).0[64..], files(other.path()).0[64..]);
    assert_ne!(files(first.path()).1[64..], files(other.path()).1[64..]);
}

#[test]
fn neither_threads_nor_length_change_the_sequence() {
    let long = generated("--curve bn254 --size 3000 --seed 1 --threads 2");
    let short = generated("--curve bn254 --size 1500 --seed 1 --threads 1");
    let ((long_points, long_scalars), (points, scalars)) = (files(long.path()), files(short.path()));
    assert_eq!(points[64..], long_points[64..points.len()]);
    assert_eq!(scalars[64..], long_scalars[64..scalars.len()]);
}

fn check_points<C: Curve>(group: GroupId, bytes: &[u8]) {
    let points: Vec<Affine<C>> = decode_points(group, bytes).unwrap();
    assert_eq!(points.len(), 1100);
    assert_eq!(points.iter().collect::<HashSet<_>>().len(), 1100);
    assert!(points.iter().all(|point| point.is_on_curve() && !point.is_zero()));
    assert!(points.iter().step_by(50).all(|point| point.is_in_correct_subgroup_assuming_on_curve()));
}

#[test]
fn points_are_distinct_and_valid() {
    fn check<C: Curve, D: Curve>(curve: &str) {
        let directory = generated(&format!("--curve {curve} --group pair --size 1100 --seed 5"));
        let (points, _) = files(directory.path());
        let file = PointsFile::parse(&points).unwrap();
        assert_eq!(file.count, 1100);
        check_points::<C>(GroupId::G1, file.g1);
        check_points::<D>(GroupId::G2, file.g2);
    }
    check::<ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>("bls12-381");
    check::<ark_bls12_377::g1::Config, ark_bls12_377::g2::Config>("bls12-377");
    check::<ark_bn254::g1::Config, ark_bn254::g2::Config>("bn254");
}

#[test]
fn a_pair_holds_the_points_of_its_groups() {
    let arguments = |group| format!("--curve bls12-381 --group {group} --size 5 --seed 2");
    let read = |group| files(generated(&arguments(group)).path());
    let ((g1, scalars), (g2, g2_scalars), (pair, pair_scalars)) = (read("g1"), read("g2"), read("pair"));
    let file = PointsFile::parse(&pair).unwrap();
    assert_eq!((file.g1, file.g2), (&g1[64..], &g2[64..]));
    assert_eq!((&scalars, &scalars), (&g2_scalars, &pair_scalars));
    // The payload of G1 is 5 * 96 bytes and zeros up to 512.
    assert_eq!(pair.len(), 64 + 512 + g2.len() - 64);
}

#[test]
fn scalars_follow_the_distribution() {
    let scalars = |distribution| {
        let directory = generated(&format!("--curve bn254 --size 3000 --distribution {distribution}"));
        let (_, scalars) = files(directory.path());
        let file = ScalarsFile::parse(&scalars).unwrap();
        decode_scalars::<ark_bn254::Fr>(file.payload).unwrap().iter().map(|scalar| scalar.0).collect()
    };
    let uniform: Vec<[u64; 4]> = scalars("uniform");
    assert_eq!(uniform.iter().collect::<HashSet<_>>().len(), 3000);
    assert!(uniform.iter().any(|scalar| scalar[3] >> 61 != 0));
    let ones = scalars("zero-one").into_iter().filter(|scalar| match scalar {
        [0, 0, 0, 0] => false,
        [1, 0, 0, 0] => true,
        _ => panic!("{scalar:?}"),
    });
    assert!((1300..1700).contains(&ones.count()));
    assert!(scalars("small").iter().all(|scalar| scalar[0] < 1 << 16 && scalar[1..] == [0; 3]));
    let zeros = scalars("sparse").into_iter().filter(|scalar| *scalar == [0; 4]);
    assert!((2600..2800).contains(&zeros.count()));
    assert_eq!(scalars("equal").iter().collect::<HashSet<_>>().len(), 1);
}

#[test]
fn an_existing_file_is_replaced_and_nothing_else_is_left() {
    let directory = generated("--curve bn254 --log-size 3");
    let before = files(directory.path());
    let output = succeed(
        directory.path(),
        "generate --curve bn254 --log-size 4 --seed 1 --points points --scalars scalars",
    );
    assert_eq!(output, "16 bn254 g1 points: points\n16 bn254 scalars: scalars\n");
    assert_ne!(files(directory.path()), before);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
}

#[test]
fn there_may_be_no_points() {
    let directory = generated("--curve bls12-381 --group pair --size 0");
    let (points, scalars) = files(directory.path());
    assert_eq!((points.len(), scalars.len()), (64, 64));
}
