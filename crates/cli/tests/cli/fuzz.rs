//! The short run of the fuzz targets: every parser with a bounded number of damaged files, the same ones each time.

use std::fs;

use bucketwheel_cli::commands::demo::kzg::SETUP;

use crate::mutator::check;
use crate::{generated, properties};

/// What `generate` writes for every curve and group: these points and scalars files.
fn files(name: &str) -> Vec<Vec<u8>> {
    let curves = ["bls12-381", "bls12-377", "bn254"];
    let kinds = curves.iter().flat_map(|curve| ["g1", "g2", "pair"].map(|group| (curve, group)));
    let read = |(curve, group)| {
        let directory = generated(&format!("--curve {curve} --group {group} --size 3"));
        fs::read(directory.path().join(name)).unwrap()
    };
    kinds.map(read).collect()
}

#[test]
fn headers() {
    check(properties::header, [files("points"), files("scalars")].concat(), 100_000);
}

#[test]
fn points() {
    check(properties::points, files("points"), 100_000);
}

#[test]
fn scalars() {
    check(properties::scalars, files("scalars"), 100_000);
}

#[test]
fn setups() {
    let words = SETUP.split_ascii_whitespace().skip(2).take(properties::SETUP_POINTS);
    let text = |separator: &str| format!("4 1 {}", words.clone().collect::<Vec<_>>().join(separator));
    check(properties::setup, [" ", "\n"].map(|separator| text(separator).into()).into(), 20_000);
}

#[test]
fn arguments() {
    let lines = [
        "generate --curve bn254 --group pair --log-size 4 --seed 9 --distribution zero-one --points p --scalars s",
        "generate --curve bls12-381 --size 536870912 --points p --scalars s --threads 1024",
        "msm points scalars more --curve bls12-377 --check curve --backend model --window 22 --json",
        "bench msm --curve bn254 --log-sizes 0..29 --threads 1,2,3 --repetitions 1000 --scheduler serial",
        "verify vkey.json public.json proof.json --json",
        "zkey check key --threads 7",
        "zkey export-vkey key out",
        "witness check circuit witness --threads 2",
        "r1cs info circuit --json",
        "info --json",
        "demo --log-size 24 --data file --backend portable",
        "bench msm --help",
    ];
    check(properties::arguments, lines.map(|line| line.into()).into(), 5_000);
}
