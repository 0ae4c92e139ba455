//! Errors that are not in a file's bytes: fault, place, expected value, next step.

use std::fs;

use bucketwheel::Backend;

use crate::{command, error_of, fail, generated, succeed};

#[test]
fn files_that_are_not_there_or_not_files() {
    let directory = generated("--curve bn254 --size 4");
    let at = directory.path();
    let message = fail(at, "msm missing scalars");
    assert!(message.starts_with("cannot read missing: "), "{message}");
    assert!(
        message.ends_with("expected a points file, check the path or make one with `bucketwheel generate`")
    );
    assert!(fail(at, "msm points missing").contains("expected a scalars file"));
    assert_eq!(fail(at, "msm . scalars"), ". is not a regular file: expected a points file, check the path");
    assert!(fail(at, "msm points .").contains("is not a regular file: expected a scalars file"));
    // The first set of scalars is fine, but without the second set there is no output.
    assert!(fail(at, "msm points scalars missing").starts_with("cannot read missing"));
}

#[test]
#[cfg(unix)]
fn devices_are_not_files() {
    let directory = generated("--curve bn254 --size 4");
    let at = directory.path();
    assert!(fail(at, "msm /dev/null scalars").contains("is not a regular file"));
    // An output may be a device, which must stay a device.
    succeed(at, "generate --curve bn254 --size 4 --points /dev/null --scalars s");
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn outputs_that_cannot_be_written() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let generate = "generate --curve bn254 --size 4";
    let message = fail(at, &format!("{generate} --points no/where --scalars s"));
    assert!(message.starts_with("cannot write no/where: "), "{message}");
    assert!(message.ends_with("expected a path in a writable directory with space left"));
    fs::create_dir(at.join("d")).unwrap();
    assert!(
        fail(at, &format!("{generate} --points p --scalars d")).starts_with("cannot write d: Is a directory")
    );
    assert!(fail(at, &format!("{generate} --points p --scalars p"))
        .starts_with("the output p is the same file as the output p: expected a file for each"));
    // The directory must hold neither half-written nor temporary files.
    assert_eq!(fs::read_dir(at).unwrap().count(), 1);
}

#[test]
fn files_that_do_not_fit_together() {
    let directory = generated("--curve bn254 --size 4");
    let at = directory.path();
    succeed(at, "generate --curve bls12-381 --group g2 --size 4 --points points2 --scalars scalars2");
    succeed(at, "generate --curve bn254 --size 5 --points points3 --scalars scalars3");
    assert_eq!(
        fail(at, "msm --curve bls12-377 points scalars"),
        "points is for curve bn254: expected bls12-377; pass --curve bn254 or a file for bls12-377"
    );
    assert_eq!(
        fail(at, "msm --group g1 points2 scalars2"),
        "points2 holds g2 points: expected g1; pass --group g2 or a file of g1 points"
    );
    assert!(fail(at, "msm points scalars2").starts_with("scalars2 is for curve bls12-381: expected bn254"));
    assert_eq!(
        fail(at, "msm points scalars3"),
        "scalars3 holds 5 scalars: expected 4, one for each point of points; generate both together"
    );
    assert!(fail(at, "msm scalars points").contains("this is a scalars file: expected a points file"));
}

#[test]
fn points_that_fail_the_check() {
    let directory = generated("--curve bls12-381 --group pair --size 9");
    let at = directory.path();
    let mut points = fs::read(at.join("points")).unwrap();
    // Changes the x of point 7 in G1: the next integer is not an x with the same y.
    points[64 + 7 * 96] ^= 1;
    fs::write(at.join("points"), &points).unwrap();
    let message = fail(at, "msm points scalars --check curve");
    assert_eq!(
        message,
        "points: g1 point 7 is not on the curve: expected points that pass --check; generate or export the file again"
    );
    // (0, 2) is on the curve y^2 = x^3 + 4, but not in its subgroup.
    points[64 + 7 * 96..][..96].fill(0);
    points[64 + 7 * 96 + 48] = 2;
    fs::write(at.join("points"), &points).unwrap();
    assert!(fail(at, "msm points scalars --check subgroup")
        .contains("g1 point 7 is not in the prime-order subgroup"));
}

#[test]
fn backends_that_cannot_be_had() {
    let directory = generated("--curve bn254 --size 4");
    let at = directory.path();
    let with = |backend: &str, line: &str| {
        let output = command(at).env("BUCKETWHEEL_BACKEND", backend).args(line.split(' ')).output().unwrap();
        error_of(&output, 1)
    };
    for line in ["info", "msm points scalars", "bench msm --curve bn254", "demo"] {
        let message = with("sse", line);
        assert!(
            message.starts_with("unknown backend \"sse\" in BUCKETWHEEL_BACKEND: expected one of"),
            "{message}"
        );
    }
    // The empty name and the wrong case are unknown names, too.
    assert!(with("", "info").starts_with("unknown backend \"\" in"));
    assert!(with("AVX2", "info").starts_with("unknown backend \"AVX2\" in"));
    for backend in Backend::ALL.into_iter().filter(|backend| !backend.is_supported()) {
        let expected = format!(
            "backend {backend} is not supported by this CPU, or not for this curve: expected one of "
        );
        assert!(fail(at, &format!("msm points scalars --backend {backend}")).starts_with(&expected));
        assert!(with(backend.name(), "info").starts_with(&expected));
    }
}

#[test]
#[cfg(unix)]
fn a_backend_that_is_not_unicode() {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"avx2\xff");
    let directory = tempfile::tempdir().unwrap();
    let output = command(directory.path()).env("BUCKETWHEEL_BACKEND", name).arg("info").output().unwrap();
    let message = error_of(&output, 1);
    assert!(message.starts_with("unknown backend \"avx2\u{fffd}\" in BUCKETWHEEL_BACKEND"), "{message}");
}
