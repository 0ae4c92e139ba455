use bucketwheel::{Backend, CurveId, GroupId};

use crate::{command, generated, json, succeed};

#[test]
fn json_tells_every_backend_and_the_choice() {
    let directory = tempfile::tempdir().unwrap();
    let info = json(directory.path(), "info --json");
    let backends = info["backends"].as_array().unwrap();
    assert_eq!(backends.len(), Backend::ALL.len());
    for (found, backend) in backends.iter().zip(Backend::ALL) {
        assert_eq!(found["name"], backend.name());
        assert_eq!(found["supported"], backend.is_supported());
        assert_eq!(found["chosen"], backend == Backend::detect());
    }
    assert_eq!(info["backend"], Backend::detect().name());
    assert!(info["reason"].as_str().unwrap().contains("fastest"));
    assert!(info["threads"].as_u64().unwrap() >= 1);
    assert_eq!(info["features"].get("adx").is_some(), cfg!(target_arch = "x86_64"));
}

/// Computes the default backend from the CPU's features that `info` lists.
#[test]
fn the_features_determine_the_choice() {
    let directory = generated("--curve bn254 --size 4");
    let features = &json(directory.path(), "info --json")["features"];
    let has = |names: &str| names.split(' ').all(|name| features[name] == true);
    let expected = match () {
        () if has("avx512f avx512dq avx512vl avx512ifma bmi1 bmi2") => "avx512ifma",
        () if has("avx2 bmi1 bmi2") => "avx2",
        () if has("adx bmi2") => "adx",
        () => "portable",
    };
    assert_eq!(json(directory.path(), "info --json")["backend"], expected);
    assert_eq!(json(directory.path(), "msm points scalars --json")[0]["backend"], expected);
}

#[test]
fn the_environment_overrides_the_choice() {
    let directory = tempfile::tempdir().unwrap();
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_supported()) {
        let mut command = command(directory.path());
        let output = command.env("BUCKETWHEEL_BACKEND", backend.name()).arg("info").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(&format!("{backend} is chosen: BUCKETWHEEL_BACKEND asks for it")), "{text}");
    }
}

/// The plans must match the work: windows and memory equal the report of an MSM of this size.
#[test]
fn plans_are_kept() {
    let directory = tempfile::tempdir().unwrap();
    let info = json(directory.path(), "info --json");
    let plans = info["plans"].as_array().unwrap();
    assert_eq!(plans.len(), groups() * 15);
    for plan in plans.iter().filter(|plan| plan["log_size"].as_u64().unwrap() <= 12) {
        let (curve, group) = (plan["curve"].as_str().unwrap(), plan["group"].as_str().unwrap());
        let directory =
            generated(&format!("--curve {curve} --group {group} --log-size {}", plan["log_size"]));
        let outcome = &json(directory.path(), "msm points scalars --json")[0];
        assert_eq!(outcome["window"], plan["window"]);
        assert_eq!(outcome["memory_bound_bytes"], plan["memory_bytes"]);
        assert!(plan["additions"].as_u64() > plan["windows"].as_u64());
    }
}

#[test]
fn text_is_for_people() {
    let directory = tempfile::tempdir().unwrap();
    let text = succeed(directory.path(), "info");
    assert!(text.contains("CPU features") && text.contains("<- chosen"), "{text}");
    assert!(text.lines().count() <= 24, "it fits a screen: {text}");
    let text = succeed(directory.path(), "info --plans");
    let table = text.lines().skip_while(|line| !line.contains("bls12-381 g1     bls12-381 g2"));
    assert_eq!(table.count(), groups().div_ceil(6) * (1 + 15), "{text}");
}

/// Returns the number of groups of all curves that the command has.
fn groups() -> usize {
    let curves = CurveId::ALL.iter().filter(|curve| curve.check().is_ok());
    curves.flat_map(|curve| curve.groups()).filter(|&&group| group != GroupId::Pair).count()
}
