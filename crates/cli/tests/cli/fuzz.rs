//! The short run of the fuzz targets: every parser with a bounded number of damaged files, the same ones each time.

use std::fs;

use bucketwheel::with_curve;
use bucketwheel_cli::commands::msm::checkpoint::Checkpoint;
use bucketwheel_cli::format::FormatId;

use crate::convert::{file, kinds, multiples};
use crate::mutator::check;
use crate::samples::samples;
use crate::{generated, properties, succeed};

/// Files of this name, points or scalars, that `generate` writes for every curve and group.
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
    check("header", properties::header, [files("points"), files("scalars")].concat(), 100_000);
}

#[test]
fn checkpoints() {
    let json = r#"{"run":{"curve":"bn254","group":"g1","encoding":"ptau","section":"tauG1","check":"none","points":9},"#;
    let json = format!(r#"{json}"position":5,"digests":{{"points":["00"],"scalars":"01"}},"sums":"0123"}}"#);
    let text = format!("bucketwheel checkpoint 1\n{json}\n");
    let file = format!("{text}{}\n", blake3::hash(text.as_bytes())).into_bytes();
    assert!(Checkpoint::decode(&file).is_ok());
    check("checkpoint", properties::checkpoint, vec![file], 100_000);
}

#[test]
fn profiles() {
    let text =
        "bucketwheel profile 1\n# of this machine\navx2 381 1 0.25 1.3 100 262144\nadx 254 2 0.1 1e0 0 0\n";
    check("profile", properties::profile, vec![text.into()], 100_000);
}

#[test]
fn programs() {
    let directory = tempfile::tempdir().unwrap();
    let text = succeed(directory.path(), "msmac program --window 5");
    fs::write(directory.path().join("text"), &text).unwrap();
    succeed(directory.path(), "msmac asm text --out program");
    let bytes = fs::read(directory.path().join("program")).unwrap();
    check("program", properties::program, vec![text.into_bytes(), bytes], 100_000);
}

#[test]
fn points() {
    check("points", properties::points, files("points"), 100_000);
}

#[test]
fn scalars() {
    check("scalars", properties::scalars, files("scalars"), 100_000);
}

/// Three points of every kind that a format has, by the format.
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
    let setups = [&include_bytes!("formats/bn254.ptau")[..], include_bytes!("formats/bls12-381.ptau")];
    let seeds = [formats(FormatId::Ptau), setups.map(|setup| setup.to_vec()).into()].concat();
    check("format_ptau", |bytes| properties::format(FormatId::Ptau, bytes), seeds, 3_000);
}

#[test]
fn precompiles() {
    let vectors = include_str!("eip2537/add_G1_bls.json")
        .lines()
        .chain(include_str!("eip2537/mul_G2_bls.json").lines());
    let input = |line: &str| {
        Some(line.trim().strip_prefix("\"Input\": \"")?.strip_suffix("\",")?.as_bytes().to_vec())
    };
    check("eip2537", properties::eip2537, vectors.filter_map(input).collect(), 3_000);
}

#[test]
fn setups() {
    let words = properties::SETUP.split_ascii_whitespace().skip(2).take(properties::SETUP_POINTS);
    let text = |separator: &str| format!("4 0 {}", words.clone().collect::<Vec<_>>().join(separator));
    check("setup", properties::setup, [" ", "\n"].map(|separator| text(separator).into()).into(), 20_000);
}

#[test]
fn tables() {
    let file = |(curve, group, backend)| {
        let directory = generated(&format!("--curve {curve} --group {group} --size 3"));
        succeed(directory.path(), &format!("table points --out table --copies 4 --backend {backend}"));
        fs::read(directory.path().join("table")).unwrap()
    };
    let kinds = [("bls12-381", "g1", "portable"), ("bn254", "g2", "portable"), ("bls12-377", "g1", "model")];
    check("table", properties::table, kinds.map(file).into(), 20_000);
}

#[test]
fn arguments() {
    let lines = [
        "generate --curve bn254 --group pair --log-size 4 --seed 9 --distribution zero-one --points p --scalars s",
        "generate --curve bls12-381 --size 536870912 --points p --scalars s --threads 1024",
        "msm points scalars more --curve bls12-377 --check curve --backend model --window 22 --json",
        "bench msm --curve bn254 --log-sizes 0..29 --threads 1,2,3 --repetitions 1000 --scheduler serial",
        "convert --from auto --to gnark-compressed --curve bn254 --group g2 --check subgroup --threads 3 a b",
        "check --encoding ptau --section alphaTauG1 --subgroup --json file",
        "eip2537 g1msm input",
        "kzg commit blob --backend avx2 --threads 1",
        "verify vkey.json public.json proof.json --json",
        "prove key wtns proof public --threads 3 --trace picture --no-verify",
        "witness circuit inputs out --memory 100 --timeout 9",
        "setup circuit --out key --vkey vkey",
        "zkey check key --threads 7",
        "zkey export-vkey key out",
        "zkey export-solidity key out",
        "zkey export-calldata public proof",
        "witness export-json witness out",
        "witness check circuit witness --sym names --threads 2 --json",
        "r1cs info circuit --json",
        "info --json",
        "demo --log-size 24 --data file --backend portable",
        "table points --out table --memory 2G --check curve --json",
        "table points --out table --copies 16 --bucket-set --encoding ptau --section tauG1 --backend portable",
        "table points --out table --k-points 3:9",
        "bench table --curve bn254 --group g2 --log-size 10 --copies 2,4 --k-points 1:8,2:9 --repetitions 3",
        "bench msm --help",
        "compare --curve bn254 --log-sizes 0..29 --schedulers tree,delayed --adders xyzz,affine --plot p",
        "schedule --scheduler delayed --window 16 --points 2^20 --batch 100 --pipeline --distinct 5 --lanes 8",
    ];
    check("arguments", properties::arguments, lines.map(|line| line.into()).into(), 5_000);
}
