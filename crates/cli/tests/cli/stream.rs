//! Files that go through a stream: the same results as in memory, in constant memory, also after kill -9.

use std::fs;
use std::path::Path;
use std::time::Duration;

use bucketwheel_cli::commands::msm::checkpoint::Checkpoint;
use bucketwheel_cli::measure::Bytes;
use serde_json::Value;

use crate::{command, error_of, fail, generated, json, run, succeed};

/// Returns the coordinates of the sums.
fn sums(outcome: &Value) -> Value {
    match outcome.get("g1") {
        Some(g1) => Value::Array(vec![g1.clone(), outcome["g2"].clone()]),
        None => Value::Array(vec![outcome["x"].clone(), outcome["y"].clone(), outcome["infinity"].clone()]),
    }
}

/// Runs the line in memory and as a stream; both must agree. Returns the stream's outcome.
fn agree(at: &Path, line: &str) -> Value {
    let [in_memory, streamed] =
        ["", "--checkpoint state"].map(|more| json(at, &format!("{line} --json {more}"))[0].clone());
    assert_eq!(in_memory["streamed"], Value::Null);
    assert!(streamed["streamed"]["block"].as_u64().unwrap() >= 1 << 12, "{streamed}");
    assert_eq!(sums(&in_memory), sums(&streamed), "{line}");
    for property in ["size", "curve", "group", "backend", "threads"] {
        assert_eq!(in_memory[property], streamed[property], "{line}");
    }
    assert!(!at.join("state").exists());
    streamed
}

#[test]
fn streams_give_the_sums_of_memory() {
    for curve in ["bls12-381", "bls12-377", "bn254"] {
        for (group, size) in [("g1", 20_000), ("g2", 9_000), ("pair", 9_000)] {
            let directory = generated(&format!("--curve {curve} --group {group} --size {size}"));
            agree(directory.path(), &format!("msm --group {group} points scalars --memory 300M --threads 2"));
        }
    }
    let directory = generated("--curve bls12-381 --group pair --size 0");
    agree(directory.path(), "msm points scalars");
}

#[test]
fn every_option_is_that_of_memory() {
    let directory = generated("--curve bls12-381 --group pair --size 700");
    for options in [
        "--check curve",
        "--check subgroup",
        "--adder xyzz",
        "--adder projective",
        "--scheduler serial",
        "--backend portable",
        "--threads 1",
        "--threads 3",
        "--window 9",
    ] {
        let outcome = agree(directory.path(), &format!("msm points scalars {options}"));
        if options == "--window 9" {
            assert_eq!(outcome["window"], 9);
        }
    }
    for distribution in ["zero-one", "small", "sparse", "equal"] {
        let directory = generated(&format!("--curve bn254 --size 20000 --distribution {distribution}"));
        agree(directory.path(), "msm points scalars");
    }
}

#[test]
fn every_encoding() {
    let directory = generated("--curve bls12-381 --group g2 --size 100");
    let at = directory.path();
    for format in [
        "bucketwheel",
        "arkworks",
        "arkworks-compressed",
        "zcash",
        "zcash-compressed",
        "gnark",
        "gnark-compressed",
        "eip2537",
    ] {
        succeed(at, &format!("convert --to {format} points converted"));
        for check in ["none", "subgroup"] {
            let line = format!(
                "msm --curve bls12-381 --group g2 --encoding {format} converted scalars --check {check}"
            );
            agree(at, &line);
        }
    }
    let directory = generated("--curve bn254 --size 127");
    let at = directory.path();
    succeed(at, "convert --to ptau points converted");
    agree(at, "msm --encoding ptau --section tauG1 converted scalars");
}

/// The command streams because the files are too large, not because of a checkpoint; also with several files of
/// scalars.
#[test]
fn large_files_stream_by_themselves() {
    let directory = generated("--curve bls12-381 --size 60000");
    let at = directory.path();
    succeed(at, "generate --curve bls12-381 --size 60000 --seed 5 --points other --scalars more");
    let streamed = json(at, "msm points scalars more --json --memory 20M --threads 2");
    let in_memory = json(at, "msm points scalars more --json --memory 1G --threads 2");
    for i in 0..2 {
        assert_eq!(sums(&streamed[i]), sums(&in_memory[i]));
        assert!(streamed[i]["memory_bound_bytes"].as_u64().unwrap() <= 20 << 20);
        assert!(streamed[i]["streamed"].is_object() && in_memory[i]["streamed"].is_null());
    }
    assert_ne!(sums(&streamed[0]), sums(&streamed[1]));
    let text = succeed(at, "msm points scalars --memory 20M --threads 2");
    assert!(text.contains("points at a time"), "{text}");

    let message = fail(at, "msm points scalars --memory 1M --threads 2");
    assert!(message.starts_with("--memory 1M is too little: pass at least 1"), "{message}");
    assert!(message.ends_with("or fewer --threads"), "{message}");
    let least = message.split_whitespace().find_map(|word| word.strip_suffix(',')).unwrap();
    succeed(at, &format!("msm points scalars --memory {least} --threads 2"));
}

/// The error is about the first fault, behind the first piece.
#[test]
fn errors_are_those_of_memory() {
    let directory = generated("--curve bls12-381 --group pair --size 17000");
    let at = directory.path();
    let (points, scalars) = (fs::read(at.join("points")).unwrap(), fs::read(at.join("scalars")).unwrap());
    let same = |line: &str| {
        let [in_memory, streamed] =
            ["", "--checkpoint state"].map(|more| fail(at, &format!("{line} {more}")));
        assert_eq!(in_memory, streamed);
        assert!(!at.join("state").exists());
        in_memory
    };
    let (g1, g2) = (64 + 16_500 * 96, 64 + 17_000 * 96 + 16_600 * 192);
    for (position, message) in [(g1, "g1 point 16500 is not on"), (g2, "g2 point 16600 is not on")] {
        let mut bad = points.clone();
        bad[position] ^= 1;
        fs::write(at.join("points"), bad).unwrap();
        let found = same("msm points scalars --check curve");
        assert!(found.contains(message), "{found}");
    }
    // (0, 2) is on the curve, but not in the subgroup.
    let mut bad = points.clone();
    bad[g1..][..96].fill(0);
    bad[g1 + 48] = 2;
    fs::write(at.join("points"), bad).unwrap();
    let found = same("msm points scalars --check subgroup");
    assert!(found.contains("g1 point 16500 is not in the prime-order subgroup"), "{found}");
    for (position, message) in [(g1, "g1 point 16500 has a"), (g2, "g2 point 16600 has a")] {
        let mut bad = points.clone();
        bad[position..][..48].fill(0xff);
        fs::write(at.join("points"), bad).unwrap();
        let found = same("msm points scalars");
        assert!(found.contains(message), "{found}");
    }
    fs::write(at.join("points"), &points).unwrap();
    let mut bad = scalars.clone();
    bad[64 + 16_700 * 32..][..32].fill(0xff);
    fs::write(at.join("scalars"), bad).unwrap();
    assert!(same("msm points scalars").contains("scalar 16700 is not below"));
    fs::write(at.join("scalars"), &scalars).unwrap();

    succeed(at, "generate --curve bls12-381 --size 17000 --points one --scalars ignored");
    succeed(at, "convert --to zcash one converted");
    let mut bad = fs::read(at.join("converted")).unwrap();
    bad[16_500 * 96..][..48].fill(0x1f);
    fs::write(at.join("converted"), bad).unwrap();
    let found = same("msm --group g1 --encoding zcash converted scalars");
    assert!(found.contains("g1 point 16500 has a coordinate"), "{found}");
}

/// Arguments of a run that is slow enough to be killed in the middle.
const SLOW: &str =
    "msm points scalars --json --threads 1 --window 10 --backend portable --checkpoint state --every 0";
const SLOW_INPUTS: &str = "--curve bn254 --log-size 17";

/// Returns the position of the checkpoint in this directory.
fn position(at: &Path) -> usize {
    fs::read(at.join("state")).map_or(0, |bytes| Checkpoint::decode(&bytes).unwrap().position)
}

/// Kills a run some time after it has written a checkpoint.
fn kill_behind_checkpoint(at: &Path, delay: Duration) {
    let before = position(at);
    let mut child = command(at).args(SLOW.split(' ')).stdout(std::process::Stdio::null()).spawn().unwrap();
    while position(at) == before {
        assert!(child.try_wait().unwrap().is_none(), "ended before there was a checkpoint");
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(delay);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn killed_runs_resume() {
    let directory = generated(SLOW_INPUTS);
    let at = directory.path();
    let expected = &json(at, "msm points scalars --json --checkpoint state")[0];
    assert_eq!(expected["streamed"]["resumed_at"], Value::Null);
    let mut last = 0;
    for delay in [0, 7, 61, 0, 23] {
        kill_behind_checkpoint(at, Duration::from_millis(delay));
        assert!(position(at) > last);
        last = position(at);
        #[cfg(unix)]
        for file in fs::read_dir(at).unwrap().map(Result::unwrap) {
            use std::os::unix::fs::PermissionsExt;
            let name = file.file_name().into_string().unwrap();
            // The kill may leave a partly written file.
            if name == "state" || name.starts_with(".bucketwheel-") {
                assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{name}");
            }
        }
    }
    let resumed = &json(at, SLOW)[0];
    assert_eq!(sums(resumed), sums(expected));
    assert_eq!(resumed["streamed"]["resumed_at"], last);
    assert!(!at.join("state").exists());
}

#[test]
fn checkpoints_of_other_runs_are_refused() {
    let directory = generated(SLOW_INPUTS);
    let at = directory.path();
    kill_behind_checkpoint(at, Duration::ZERO);
    let state = fs::read(at.join("state")).unwrap();
    let consumed = position(at);
    let refused = |line: &str| {
        let message = fail(at, &format!("{line} --checkpoint state"));
        assert!(fs::read(at.join("state")).unwrap() == state, "{line} has changed the checkpoint");
        message
    };

    for (arguments, message) in [
        ("--curve bls12-381 --log-size 17", "curve is bn254: expected bls12-381;"),
        ("--curve bn254 --group g2 --log-size 8", "group is g1: expected g2;"),
        ("--curve bn254 --size 131071", "number of points is 131072: expected 131071;"),
    ] {
        let other = generated(arguments);
        let files = ["points", "scalars"].map(|name| other.path().join(name).display().to_string());
        let found = refused(&format!("msm {} {}", files[0], files[1]));
        assert!(found.contains(message), "{found}");
    }
    let found = refused("msm points scalars --check curve");
    assert!(found.contains("check is none: expected curve;"), "{found}");
    succeed(at, "convert --to gnark points converted");
    let found = refused("msm --curve bn254 --group g1 --encoding gnark converted scalars");
    assert!(found.contains("encoding is bucketwheel: expected gnark;"), "{found}");

    // Changes the last point and the last scalar that were consumed.
    for (name, offset) in [("points", 64 + consumed * 64 - 60), ("scalars", 64 + consumed * 32 - 30)] {
        let good = fs::read(at.join(name)).unwrap();
        let mut other = good.clone();
        other[offset] ^= 1;
        fs::write(at.join(name), other).unwrap();
        let found = refused("msm points scalars");
        let message = format!("the checkpoint belongs to other {name}: expected the first {consumed}");
        assert!(found.contains(&message), "{found}");
        fs::write(at.join(name), good).unwrap();
    }

    let write = |bytes: &[u8]| fs::write(at.join("state"), bytes).unwrap();
    write(&state[..state.len() - 1]);
    assert!(fail(at, "msm points scalars --checkpoint state").contains("incomplete or damaged"));
    let text = String::from_utf8(state.clone()).unwrap();
    write(text.replacen("checkpoint 1", "checkpoint 2", 1).as_bytes());
    let found = fail(at, "msm points scalars --checkpoint state");
    assert!(found.contains("state: checkpoint version 2: expected version 1;"), "{found}");
    for bytes in [&b""[..], b"bucketwheel", &fs::read(at.join("points")).unwrap()] {
        write(bytes);
        assert!(fail(at, "msm points scalars --checkpoint state").contains("this is not a checkpoint"));
        assert!(fs::read(at.join("state")).unwrap() == bytes);
    }
    // A change of any byte must be noticed.
    for i in 0..state.len() {
        let mut damaged = state.clone();
        damaged[i] ^= 1;
        assert!(Checkpoint::decode(&damaged).is_err(), "byte {i}");
        assert!(Checkpoint::decode(&state[..i]).is_err());
    }

    // A sum that is no point, with a digest that holds.
    let (content, _) = text.trim_end().rsplit_once('\n').unwrap();
    let (start, sums) = content.split_once("\"sums\":\"").unwrap();
    let other = if sums.starts_with('0') { "1" } else { "0" };
    let content = format!("{start}\"sums\":\"{other}{}\n", &sums[1..]);
    write(format!("{content}{}\n", blake3::hash(content.as_bytes())).as_bytes());
    let found = fail(at, "msm points scalars --checkpoint state");
    assert!(found.contains("state: the checkpoint's sum in g1: point 0"), "{found}");

    // The run must continue from the unchanged checkpoint.
    write(&state);
    assert_eq!(json(at, SLOW)[0]["streamed"]["resumed_at"], consumed);
}

/// Inputs behind the checkpoint may change: the result is the sum over the files as they are.
#[test]
fn what_was_not_consumed_may_change() {
    let directory = generated(SLOW_INPUTS);
    let at = directory.path();
    kill_behind_checkpoint(at, Duration::ZERO);
    let mut scalars = fs::read(at.join("scalars")).unwrap();
    scalars.last_chunk_mut::<32>().unwrap().fill(0);
    fs::write(at.join("scalars"), scalars).unwrap();
    let resumed = &json(at, SLOW)[0];
    assert!(resumed["streamed"]["resumed_at"].is_u64());
    assert_eq!(sums(resumed), sums(&json(at, "msm points scalars --json")[0]));
}

#[test]
fn checkpoints_that_cannot_be_used() {
    let directory = generated("--curve bn254 --size 40");
    let at = directory.path();
    let found = fail(at, "msm points scalars scalars --checkpoint state");
    assert_eq!(found, "state: a checkpoint holds one MSM: pass one file of scalars, not 2");
    assert!(fail(at, "msm points scalars --checkpoint no/where").starts_with("cannot write no/where: "));
    assert!(fail(at, "msm points scalars --checkpoint .").starts_with("cannot write .: it exists"));
    // A wrong path for the checkpoint must not destroy a file.
    let points = fs::read(at.join("points")).unwrap();
    fs::copy(at.join("points"), at.join("other")).unwrap();
    assert!(fail(at, "msm points scalars --checkpoint other").contains("this is not a checkpoint"));
    assert!(fs::read(at.join("other")).unwrap() == points);
    assert_eq!(fs::read_dir(at).unwrap().count(), 3);
}

/// Ctrl-C ends a stream within the usual time; the checkpoint stays.
#[test]
#[cfg(unix)]
fn interrupted_runs_resume() {
    let directory = generated(SLOW_INPUTS);
    let at = directory.path();
    let mut start = command(at);
    start.args(SLOW.split(' ')).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let child = start.spawn().unwrap();
    while position(at) == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    error_of(&child.wait_with_output().unwrap(), 130);
    let consumed = position(at);
    assert_eq!(json(at, SLOW)[0]["streamed"]["resumed_at"], consumed);
}

#[test]
fn checkpoints_come_in_fractions_of_a_second() {
    let directory = generated("--curve bn254 --log-size 15");
    let at = directory.path();
    let line = "msm points scalars --json --window 10 --backend portable --checkpoint state --every";
    let checkpoints =
        |every: &str| json(at, &format!("{line} {every}"))[0]["streamed"]["checkpoints"].as_u64().unwrap();
    assert_eq!((checkpoints("1e-9"), checkpoints("3600.5")), (1, 0));
    for every in ["-0.5", "nan", "inf", "1e30", "", "1s"] {
        let output = run(at, &format!("{line}={every}"));
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{every}");
        assert!(errors.contains("expected a number of seconds") || every.is_empty(), "{errors}");
    }
}

/// The memory for the search for equal points counts, like the memory for points.
#[test]
fn memory_for_equal_points_is_counted() {
    use bucketwheel::Deduplication;
    let directory = generated("--curve bls12-381 --group pair --size 20000");
    let at = directory.path();
    let message = fail(at, "msm points scalars --threads 1 --deduplicate --memory 1");
    let needed = message.split_whitespace().skip_while(|word| *word != "--memory").nth(1).unwrap();
    let needed = needed.parse::<Bytes>().unwrap().0;
    let equal = Deduplication::memory_bytes::<ark_bls12_381::g1::Config>(20000)
        + Deduplication::memory_bytes::<ark_bls12_381::g2::Config>(20000);
    let streamed = |memory: usize, options: &str| {
        let line = format!("msm points scalars --threads 1 --json --memory {memory} {options}");
        json(at, &line)[0]["streamed"].is_object()
    };
    assert!(!streamed(needed, "--deduplicate"));
    // Without the search, the bound is lower by exactly its memory.
    assert!(!streamed(needed - equal, "") && streamed(needed - equal - 1, ""));
}

#[test]
fn numbers_of_bytes() {
    let directory = generated("--curve bn254 --size 4");
    let at = directory.path();
    for memory in ["512M", "2G", "1T", "1048576K", "1000000000", "20M", "20m", "1.5G", "1GB", "1GiB", "2^30"]
    {
        succeed(at, &format!("msm points scalars --threads 1 --memory {memory}"));
    }
    for memory in ["", "M", "1X", "-1", "+1", "2^64", "99999999999T", "0x10"] {
        let output = run(at, &format!("msm points scalars --memory={memory}"));
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{memory}");
        assert!(errors.contains("--memory"), "{errors}");
    }
}

/// Returns the peak of a run's private memory, in bytes.
#[cfg(target_os = "linux")]
fn private_memory(at: &Path, line: &str) -> u64 {
    let mut child =
        command(at).args(line.split_whitespace()).stdout(std::process::Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
        most = most.max(kibibytes.unwrap_or(0) * 1024);
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success());
    most
}

/// Checks that private memory is bounded by `--memory`, and is the same for every size.
#[cfg(target_os = "linux")]
fn memory_is_constant(arguments: &str, log_sizes: &[u32], memory_mib: u64, options: &str) {
    let measure = |log_size: &u32| {
        // This folder has room for gigabytes, which a temporary file system may lack.
        let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let at = directory.path();
        succeed(at, &format!("generate {arguments} --log-size {log_size} --points points --scalars scalars"));
        private_memory(at, &format!("msm points scalars --memory {memory_mib}M {options}"))
    };
    let measured: Vec<u64> = log_sizes.iter().map(measure).collect();
    println!("{arguments} {log_sizes:?} --memory {memory_mib}M: {measured:?} bytes");
    for &bytes in &measured {
        // Allows for the memory of the program itself, its threads' stacks, and the allocator's reserve.
        assert!(bytes < (memory_mib + 8) << 20, "{measured:?}");
        assert!(bytes.abs_diff(measured[0]) < 6 << 20, "{measured:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn private_memory_does_not_grow() {
    memory_is_constant("--curve bn254", &[16, 18, 20], 24, "--threads 2");
    memory_is_constant("--curve bls12-381 --group pair", &[16, 17], 40, "--threads 2");
}

/// Runs from a million points, which are already several blocks, to sixteen million; needs 2 GB on the disk.
#[test]
#[ignore = "takes minutes: make test-long"]
#[cfg(target_os = "linux")]
fn private_memory_does_not_grow_to_2_24() {
    memory_is_constant("--curve bls12-381", &[20, 22, 24], 128, "--threads 2");
}
