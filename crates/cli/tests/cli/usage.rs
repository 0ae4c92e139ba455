//! Wrong arguments: exit code 2 and a message that names the argument.

use crate::{run, succeed};

#[test]
fn wrong_arguments_are_usage_errors() {
    let directory = tempfile::tempdir().unwrap();
    let files = "--points p --scalars s";
    for (line, expected) in [
        (String::new(), "Usage"),
        ("frobnicate".into(), "unrecognized subcommand"),
        (format!("generate --log-size 4 {files}"), "--curve"),
        (format!("generate --curve bn254 {files}"), "--log-size"),
        (format!("generate --curve bn254 --log-size 4 --size 16 {files}"), "cannot be used with"),
        (format!("generate --curve bn255 --log-size 4 {files}"), "bls12-381, bls12-377, bn254"),
        (format!("generate --curve bn254 --group g3 --log-size 4 {files}"), "g1, g2, pair"),
        (format!("generate --curve bn254 --size -1 {files}"), "-1"),
        (format!("generate --curve bn254 --size 4 --seed x {files}"), "--seed"),
        (format!("generate --curve bn254 --size 4 --distribution odd {files}"), "zero-one"),
        ("generate --curve bn254 --size 4 --points p".into(), "--scalars"),
        ("msm p".into(), "<SCALARS>"),
        ("msm p s --threads 0".into(), "--threads"),
        ("msm p s --window 0".into(), "--window"),
        ("msm p s --window 25".into(), "--window"),
        ("msm p s --backend sse".into(), "avx512ifma, avx2, adx, aarch64, wasm, portable"),
        ("msm p s --threads-by x".into(), "auto, loop"),
        ("msm p s --scheduler x".into(), "tree, three-tier, delayed, greedy, serial"),
        ("msm p s --adder x".into(), "affine, xyzz, projective"),
        ("generate --curve bn254 --log-size 41 --points p --scalars s".into(), "0..=40"),
        ("simulate cyclone --log-size 41".into(), "0..=40"),
        ("msm p s --check all".into(), "none, curve, subgroup"),
        ("msm p s --memory much".into(), "expected a number of bytes"),
        ("table p --out t --k-points 2".into(), "expected K:C"),
        ("table p --out t --k-points 0:9".into(), "expected K:C"),
        ("table p --out t --k-points 1024:9".into(), "expected K:C"),
        ("table p --out t --k-points 2:23".into(), "expected K:C"),
        ("table p --out t --k-points 2:9:1".into(), "expected K:C"),
        ("table p --out t --k-points 2:9 --copies 3".into(), "cannot be used with"),
        ("msm p s --every 5".into(), "--checkpoint"),
        ("msm p s --checkpoint c --every=-1".into(), "--every"),
        ("bench".into(), "Usage"),
        ("bench msm".into(), "--curve"),
        ("bench msm --curve bn254 --log-sizes 5..4".into(), "expected A..B"),
        ("bench msm --curve bn254 --log-sizes 1..99".into(), "expected A..B"),
        ("bench msm --curve bn254 --log-sizes five".into(), "expected A..B"),
        ("bench msm --curve bn254 --threads 1,0".into(), "--threads"),
        ("bench msm --curve bn254 --repetitions 0".into(), "--repetitions"),
        ("compare".into(), "--curve"),
        ("compare --curve bn254 --schedulers tree,x".into(), "three-tier, delayed, greedy"),
        ("compare --curve bn254 --plot f.gif".into(), "expected a name that ends with .svg, .png or .pdf"),
        (
            "simulate msmac --log-size 9 --plot f.jpg".into(),
            "expected a name that ends with .svg, .png or .pdf",
        ),
        ("prove k w p x --trace f.svg.gz".into(), "expected a name that ends with .svg, .png or .pdf"),
        ("schedule".into(), "--scheduler"),
        ("schedule --scheduler x".into(), "three-tier, delayed, greedy"),
        ("schedule --scheduler tree --points 2^30".into(), "expected a number up to 2^29"),
        ("schedule --scheduler tree --points 2^99999999999".into(), "expected a number up to 2^29"),
        ("schedule --scheduler tree --points -1".into(), "-1"),
        ("schedule --scheduler tree --batch 0".into(), "--batch"),
        ("schedule --scheduler tree --window 23".into(), "--window"),
        ("schedule --scheduler tree --distinct 0".into(), "--distinct"),
        ("prove k w p x --memory lots".into(), "expected a number of bytes"),
        ("verify v p".into(), "<PROOF.json>"),
        ("zkey".into(), "Usage"),
        ("zkey check k --threads 0".into(), "--threads"),
        ("r1cs".into(), "Usage"),
        ("witness check c".into(), "<WITNESS.wtns>"),
        ("witness c".into(), "<INPUT.json>"),
        ("witness calculate c i".into(), "<OUT.wtns>"),
        ("witness c i o --timeout 0".into(), "--timeout"),
        ("setup c".into(), "--out"),
        ("import jsnark c i --r1cs r".into(), "--wtns"),
        ("import jsnark c i --r1cs r --wtns w --curve x".into(), "expected bn128 or bls12381"),
        ("tune --group g3".into(), "g1, g2, pair"),
        ("tune --repetitions 0".into(), "--repetitions"),
        ("info --yaml".into(), "--yaml"),
        ("demo --backend x".into(), "portable"),
        ("demo --log-size 99".into(), "--log-size"),
    ] {
        let output = run(directory.path(), &line);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {errors}");
        assert!(errors.contains(expected), "{line}: {errors}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn every_command_has_help() {
    let directory = tempfile::tempdir().unwrap();
    for command in [
        "",
        "generate",
        "msm",
        "verify",
        "witness",
        "witness check",
        "zkey",
        "zkey info",
        "zkey export-vkey",
        "zkey export-solidity",
        "zkey export-calldata",
        "witness export-json",
        "zkey check",
        "r1cs",
        "r1cs info",
        "bench",
        "bench msm",
        "compare",
        "schedule",
        "explore",
        "info",
        "demo",
    ] {
        let help = succeed(directory.path(), &format!("{command} --help"));
        assert!(help.contains("Usage: bucketwheel") && help.contains("Options:"), "{help}");
    }
    assert!(succeed(directory.path(), "--version").starts_with("bucketwheel "));
}
