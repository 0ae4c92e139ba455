//! Ctrl-C, sent as soon as a sign shows that the work has begun.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bucketwheel::{CurveId, GroupId};

use crate::{command, error_of};

fn start(directory: &Path, line: &str) -> Child {
    let mut command = command(directory);
    command.args(line.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

const MESSAGE: &str = "cancelled before the result; run the command again to get it";

#[test]
fn generate_leaves_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let child =
        start(directory.path(), "generate --curve bls12-377 --group g2 --log-size 22 --points p --scalars s");
    while fs::read_dir(directory.path()).unwrap().count() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(error_of(&output, 130), MESSAGE);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn bench_stops_within_an_msm() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = start(
        directory.path(),
        "bench msm --curve bls12-381 --log-sizes 0..14 --threads 1 --backend model --repetitions 1000",
    );
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // Two lines of heading, one measurement.
    for _ in 0..3 {
        lines.next().unwrap().unwrap();
    }
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(error_of(&output, 130), MESSAGE);
}

#[test]
#[cfg(target_os = "linux")]
fn msm_stops_while_it_checks_the_points() {
    use ark_ec::short_weierstrass::Affine;
    use ark_ec::AffineRepr;
    use bucketwheel_cli::format::{encode_points, Header};

    type G2 = ark_bls12_377::g2::Config;
    let directory = tempfile::tempdir().unwrap();
    let (curve, group, count) = (CurveId::Bls12_377, Some(GroupId::G2), 1 << 17);
    let mut points = Header { curve, group, count }.encode().to_vec();
    encode_points(&vec![Affine::<G2>::generator(); count as usize], &mut points).unwrap();
    fs::write(directory.path().join("points"), points).unwrap();
    let child = start(directory.path(), "msm points scalars --check subgroup --threads 1 --backend portable");
    // The command maps the file after it has installed the handler for Ctrl-C; checking its points takes a minute.
    let maps = format!("/proc/{}/maps", child.id());
    let file = directory.path().join("points");
    while !fs::read_to_string(&maps).unwrap().contains(file.to_str().unwrap()) {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(500));
    let interrupted = Instant::now();
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(error_of(&output, 130), MESSAGE);
    assert!(interrupted.elapsed() < Duration::from_secs(10));
}
