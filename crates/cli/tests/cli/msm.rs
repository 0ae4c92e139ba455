use std::fs;
use std::path::Path;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{BigInt, Field};
use bucketwheel::{config, Backend, Curve, CurveId, GroupId, SchedulerKind};
use bucketwheel_cli::format::{
    decode_points, decode_scalars, encode_points, encode_scalars, Header, PointsFile, ScalarsFile,
};
use bucketwheel_cli::output::Point;
use serde_json::{json, Value};

use crate::{command, fail, generated, json as run_json, succeed};

/// Returns arkworks' result for the files in the directory.
fn expected<C: Curve>(directory: &Path, group: GroupId) -> Value {
    let (points, scalars) =
        (fs::read(directory.join("points")).unwrap(), fs::read(directory.join("scalars")).unwrap());
    let file = PointsFile::parse(&points).unwrap();
    let bytes = if group == GroupId::G1 { file.g1 } else { file.g2 };
    let points: Vec<Affine<C>> = decode_points(group, bytes).unwrap();
    let file = ScalarsFile::parse(&scalars).unwrap();
    let scalars = decode_scalars::<C::ScalarField>(file.payload).unwrap();
    let sum = Projective::<C>::msm_bigint(&points, &scalars);
    let mut integers = Vec::new();
    encode_points(&[sum.into_affine()], &mut integers).unwrap();
    serde_json::to_value(Point::of_integers(&integers, C::BaseField::extension_degree() as usize)).unwrap()
}

fn matches_arkworks<C: Curve, D: Curve>(curve: &str) {
    let directory = generated(&format!("--curve {curve} --group g1 --size 700 --seed 4"));
    let result = &run_json(directory.path(), "msm --group g1 points scalars --json")[0];
    let g1 = expected::<C>(directory.path(), GroupId::G1);
    assert_eq!([&result["x"], &result["y"], &result["infinity"]], [&g1["x"], &g1["y"], &json!(false)]);

    let directory = generated(&format!("--curve {curve} --group g2 --size 300 --seed 4"));
    let line = format!("msm --curve {curve} --group g2 points scalars --json");
    let result = &run_json(directory.path(), &line)[0];
    let g2 = expected::<D>(directory.path(), GroupId::G2);
    assert_eq!([&result["x"], &result["y"], &result["infinity"]], [&g2["x"], &g2["y"], &json!(false)]);
    assert_eq!(result["x"].as_array().unwrap().len(), 2);

    let directory = generated(&format!("--curve {curve} --group pair --size 301 --seed 4"));
    let result = &run_json(directory.path(), &format!("msm --curve {curve} points scalars --json"))[0];
    assert_eq!(result["g1"], expected::<C>(directory.path(), GroupId::G1));
    assert_eq!(result["g2"], expected::<D>(directory.path(), GroupId::G2));
}

#[test]
fn sums_are_those_of_arkworks() {
    matches_arkworks::<ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>("bls12-381");
    matches_arkworks::<ark_bls12_377::g1::Config, ark_bls12_377::g2::Config>("bls12-377");
    matches_arkworks::<ark_bn254::g1::Config, ark_bn254::g2::Config>("bn254");
}

#[test]
fn curves_that_the_command_lacks_are_named_with_their_feature() {
    let directory = tempfile::tempdir().unwrap();
    for missing in CurveId::ALL.iter().filter_map(|curve| curve.check().err()) {
        let line = format!("generate --curve {} --size 5 --points p --scalars s", missing.0);
        assert!(fail(directory.path(), &line).starts_with(&missing.to_string()));
    }
}

/// Curves with one group.
#[test]
fn sums_on_other_curves_are_those_of_arkworks() {
    fn check<C: Curve>(curve: &str) {
        for distribution in ["uniform", "small", "equal"] {
            let directory =
                generated(&format!("--curve {curve} --size 300 --seed 4 --distribution {distribution}"));
            let expected = expected::<C>(directory.path(), GroupId::G1);
            for options in
                ["", "--check subgroup", "--backend portable", "--checkpoint state", "--memory 32M"]
            {
                let result = &run_json(directory.path(), &format!("msm points scalars --json {options}"))[0];
                assert_eq!(
                    [&result["x"], &result["y"]],
                    [&expected["x"], &expected["y"]],
                    "{curve} {options}"
                );
            }
            succeed(directory.path(), "table points --copies 3 --out table");
            let result = &run_json(directory.path(), "msm table scalars --json")[0];
            assert_eq!([&result["x"], &result["y"]], [&expected["x"], &expected["y"]], "{curve}, table");
            let error = fail(directory.path(), "msm --group g2 points scalars");
            assert!(error.contains("g1"), "{error}");
        }
        for line in
            ["generate --size 5 --points p --scalars s", "bench msm --log-sizes 3", "compare --log-sizes 3"]
        {
            for group in ["g2", "pair"] {
                let directory = tempfile::tempdir().unwrap();
                let error = fail(directory.path(), &format!("{line} --curve {curve} --group {group}"));
                let expected = format!("{curve} has no group {group}: expected g1");
                assert!(error.starts_with(&expected), "{error}");
                assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
            }
        }
    }
    check::<config::Pallas>("pallas");
    check::<config::Vesta>("vesta");
    check::<config::Grumpkin>("grumpkin");
    check::<config::Jubjub>("jubjub");
    check::<config::Bandersnatch>("bandersnatch");
    check::<config::Bls24_315>("bls24-315");
    check::<config::Bw6_761>("bw6-761");
    #[cfg(feature = "bw6-761-g2")]
    check::<config::Bw6_761G2>("bw6-761-g2");
    #[cfg(feature = "bls24-315-g2")]
    check::<config::Bls24_315G2>("bls24-315-g2");
    #[cfg(feature = "tweedle")]
    {
        check::<config::Tweedledum>("tweedledum");
        check::<config::Tweedledee>("tweedledee");
    }
    #[cfg(feature = "mnt")]
    {
        check::<config::Mnt4_298>("mnt4-298");
        check::<config::Mnt6_298>("mnt6-298");
        check::<config::Mnt4_753>("mnt4-753");
        check::<config::Mnt6_753>("mnt6-753");
    }
    let directory = generated("--curve bandersnatch --size 300");
    let sum = |options: &str| {
        run_json(directory.path(), &format!("msm points scalars --json {options}"))[0]["x"].clone()
    };
    for adder in ["edwards", "edwards-unified"] {
        assert_eq!(sum(&format!("--adder {adder}")), sum(""));
    }
    let error = fail(directory.path(), "convert --to arkworks points other");
    assert!(
        error.contains("arkworks has no g1 points of bandersnatch: expected points of bls12-381"),
        "{error}"
    );
}

#[test]
fn edwards_is_for_points_that_have_the_form() {
    let directory = generated("--curve bls12-377 --group g1 --size 300 --seed 5");
    let sum = |options: &str| {
        run_json(directory.path(), &format!("msm points scalars --json {options}"))[0]["x"].clone()
    };
    let expected = sum("");
    for options in ["", "--check subgroup", "--deduplicate", "--checkpoint state"] {
        for adder in ["edwards", "edwards-unified"] {
            assert_eq!(sum(&format!("--adder {adder} {options}")), expected, "{adder} {options}");
        }
    }
    let error = fail(directory.path(), "msm points scalars --adder edwards --check curve");
    assert!(error.contains("adder edwards: it is exact in the prime-order subgroup only"), "{error}");
    let directory = generated("--curve bls12-381 --group g1 --size 300 --seed 5");
    let error = fail(directory.path(), "msm points scalars --adder edwards");
    assert!(error.contains("adder edwards: the curve has no twisted Edwards form"), "{error}");
}

#[test]
fn every_way_to_compute_gives_the_same_sum() {
    let directory = generated("--curve bls12-381 --group pair --size 400 --seed 9");
    let sum = |options: &str| {
        let result = run_json(directory.path(), &format!("msm points scalars --json {options}"));
        (result[0]["g1"].clone(), result[0]["g2"].clone())
    };
    let expected = sum("");
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_supported()) {
        assert_eq!(sum(&format!("--backend {backend}")), expected);
        let mut command = command(directory.path());
        let output =
            command.env("BUCKETWHEEL_BACKEND", backend.name()).args("msm points scalars --json".split(' '));
        let result: Value = serde_json::from_slice(&output.output().unwrap().stdout).unwrap();
        assert_eq!(result[0]["backend"], backend.name());
    }
    for scheduler in SchedulerKind::ALL {
        assert_eq!(sum(&format!("--scheduler {scheduler}")), expected);
    }
    for adder in ["auto", "affine", "xyzz", "projective"] {
        assert_eq!(sum(&format!("--adder {adder}")), expected);
    }
    for scheduler in ["three-tier", "delayed", "greedy", "serial"] {
        assert_eq!(sum(&format!("--scheduler {scheduler} --threads-by loop --threads 2")), expected);
    }
    let error = fail(directory.path(), "msm points scalars --threads-by loop");
    assert!(error.contains("threads by loop: expected a scheduler"), "{error}");
    for options in
        ["--threads 1", "--threads 3", "--window 1", "--window 11", "--check curve", "--check subgroup"]
    {
        assert_eq!(sum(options), expected, "{options}");
    }
}

#[test]
fn several_sets_of_scalars_share_the_points() {
    let directory = generated("--curve bn254 --size 100 --seed 1");
    succeed(
        directory.path(),
        "generate --curve bn254 --size 100 --seed 2 --distribution small --points other --scalars small",
    );
    let results = run_json(directory.path(), "msm points scalars small scalars --json --threads 2");
    let results = results.as_array().unwrap();
    assert_eq!(results.len(), 3);
    assert_eq!(results[0]["x"], results[2]["x"]);
    assert_ne!(results[0]["x"], results[1]["x"]);
    assert_eq!(results[1]["scalars"], "small");
    for result in results {
        assert_eq!((&result["size"], &result["threads"]), (&json!(100), &json!(2)));
        assert!(result["ms"].as_f64().unwrap() > 0.0);
        assert!(result["window"].as_u64().unwrap() > 0);
        assert_eq!(result["backend"], Backend::detect().name());
        if cfg!(target_os = "linux") {
            assert!(result["peak_memory_bytes"].as_u64().unwrap() > 1 << 20);
        }
    }
}

fn write<C: Curve>(directory: &Path, curve: CurveId, points: &[Affine<C>], scalars: &[u64]) {
    let count = points.len() as u64;
    let mut bytes = Header { curve, group: Some(GroupId::G1), count }.encode().to_vec();
    encode_points(points, &mut bytes).unwrap();
    fs::write(directory.join("points"), bytes).unwrap();
    let mut bytes = Header { curve, group: None, count }.encode().to_vec();
    let scalars: Vec<_> = scalars.iter().map(|&scalar| BigInt::<4>::from(scalar)).collect();
    encode_scalars(&scalars, &mut bytes).unwrap();
    fs::write(directory.join("scalars"), bytes).unwrap();
}

#[test]
fn the_generator_is_the_one_of_the_specification() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), CurveId::Bls12_381, &[ark_bls12_381::G1Affine::generator()], &[1]);
    let result = &run_json(directory.path(), "msm points scalars --json")[0];
    let x =
        "0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb";
    let y =
        "0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1";
    assert_eq!((&result["x"], &result["y"]), (&json!(x), &json!(y)));
    let text = succeed(directory.path(), "msm points scalars");
    assert!(text.contains(x) && text.contains(y) && text.contains("bls12-381 g1, 1 points"));
}

#[test]
fn infinity_comes_and_goes() {
    let directory = tempfile::tempdir().unwrap();
    let generator = ark_bn254::G1Affine::generator();
    let points = [generator, ark_bn254::G1Affine::identity(), -generator];
    write(directory.path(), CurveId::Bn254, &points, &[5, 7, 5]);
    let result = &run_json(directory.path(), "msm points scalars --json --check subgroup")[0];
    assert_eq!(result["infinity"], true);
    assert_eq!(result["x"], format!("0x{:064x}", 0));
    assert!(succeed(directory.path(), "msm points scalars").contains("the point at infinity"));

    write(directory.path(), CurveId::Bn254, &points, &[2, 7, 1]);
    let result = &run_json(directory.path(), "msm points scalars --json")[0];
    assert_eq!(
        (&result["x"], &result["y"]),
        (&json!(format!("0x{:064x}", 1)), &json!(format!("0x{:064x}", 2)))
    );
}

#[test]
fn no_points_sum_up_to_infinity() {
    let directory = generated("--curve bls12-377 --group pair --size 0");
    let result = &run_json(directory.path(), "msm points scalars --json")[0];
    assert_eq!((&result["g1"]["infinity"], &result["g2"]["infinity"]), (&json!(true), &json!(true)));
    assert_eq!(result["g2"]["x"], json!([format!("0x{:096x}", 0), format!("0x{:096x}", 0)]));
}
