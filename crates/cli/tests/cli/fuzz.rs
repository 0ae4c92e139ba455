//! The short run of the fuzz targets: every parser on a bounded number of damaged files, the same files each time.

use std::fs;

use bucketwheel_cli::commands::msm::checkpoint::Checkpoint;

use bucketwheel_properties::command::{self, SETUP, SETUP_POINTS};
use bucketwheel_properties::mutator::check;
use bucketwheel_properties::points;

use crate::{generated, succeed};

#[test]
fn checkpoints() {
    let json = r#"{"run":{"curve":"bn254","group":"g1","encoding":"ptau","section":"tauG1","check":"none","points":9},"#;
    let json = format!(r#"{json}"position":5,"digests":{{"points":["00"],"scalars":"01"}},"sums":"0123"}}"#);
    let text = format!("bucketwheel checkpoint 1\n{json}\n");
    let file = format!("{text}{}\n", blake3::hash(text.as_bytes())).into_bytes();
    assert!(Checkpoint::decode(&file).is_ok());
    check("checkpoint", command::checkpoint, vec![file], 100_000);
}

#[test]
fn profiles() {
    let text =
        "bucketwheel profile 1\n# of this machine\navx2 381 1 0.25 1.3 100 262144\nadx 254 2 0.1 1e0 0 0\n";
    check("profile", points::profile, vec![text.into()], 100_000);
}

#[test]
fn programs() {
    let directory = tempfile::tempdir().unwrap();
    let text = succeed(directory.path(), "msmac program --window 5");
    fs::write(directory.path().join("text"), &text).unwrap();
    succeed(directory.path(), "msmac asm text --out program");
    let bytes = fs::read(directory.path().join("program")).unwrap();
    check("program", command::program, vec![text.into_bytes(), bytes], 100_000);
}

#[test]
fn precompiles() {
    check("eip2537", command::eip2537, command::precompile_inputs(), 3_000);
}

#[test]
fn setups() {
    let words = SETUP.split_ascii_whitespace().skip(2).take(SETUP_POINTS);
    let text = |separator: &str| format!("4 0 {}", words.clone().collect::<Vec<_>>().join(separator));
    check("setup", command::setup, [" ", "\n"].map(|separator| text(separator).into()).into(), 20_000);
}

#[test]
fn tables() {
    let file = |(curve, group, backend)| {
        let directory = generated(&format!("--curve {curve} --group {group} --size 3"));
        succeed(directory.path(), &format!("table points --out table --copies 4 --backend {backend}"));
        fs::read(directory.path().join("table")).unwrap()
    };
    let kinds = [("bls12-381", "g1", "portable"), ("bn254", "g2", "portable"), ("bls12-377", "g1", "model")];
    check("table", points::table, kinds.map(file).into(), 20_000);
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
    check("arguments", command::arguments, lines.map(|line| line.into()).into(), 5_000);
}
