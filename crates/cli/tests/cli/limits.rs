//! Inputs without an end, and sizes beyond the memory of the machine.

use std::fs::{self, File};
use std::process::Stdio;

use bucketwheel_cli::measure::{group_limit, half_of_memory};

use crate::groth16::files;
use crate::{command, error_of, fail};

#[test]
#[cfg(unix)]
fn devices_without_an_end() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for (line, expected) in [
        ("kzg commit /dev/zero", "/dev/zero holds more than 131072 bytes: expected a blob, "),
        ("demo --data /dev/zero", "/dev/zero holds more than 126976 bytes: expected a file to commit to, "),
        ("eip2537 g1msm /dev/zero", "/dev/zero holds more than 37749760 bytes: expected the hexadecimal "),
    ] {
        let message = fail(at, line);
        assert!(message.starts_with(expected) && message.ends_with("check the path"), "{message}");
    }
    let mut input = command(at);
    let output = input.args(["eip2537", "g2add"]).stdin(File::open("/dev/zero").unwrap()).output().unwrap();
    assert!(error_of(&output, 1).starts_with("standard input holds more than 37749760 bytes: "));
    let mut profile = command(at);
    let output = profile.env("BUCKETWHEEL_PROFILE", "/dev/zero").arg("info").output().unwrap();
    let message = error_of(&output, 1);
    assert!(message.starts_with("/dev/zero holds more than 1048576 bytes: expected a profile"), "{message}");
}

/// Inputs that fit are read from pipes too.
#[test]
#[cfg(unix)]
fn pipes_are_read_to_their_end() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("blob"), vec![0; 131_072]).unwrap();
    let mut child = command(directory.path());
    child.args(["kzg", "commit", "/dev/stdin"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn().unwrap();
    std::io::copy(&mut &[0; 131_072][..], &mut child.stdin.take().unwrap()).unwrap();
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(output, format!("0xc0{}\n", "0".repeat(94)));
}

#[test]
fn texts_that_are_too_long() {
    let directory = files("bn254");
    let at = directory.path();
    // JSON with padding keeps its values.
    let pad = |name: &str, len: usize| {
        let mut text = fs::read(at.join(name)).unwrap();
        text.resize(len, b' ');
        fs::write(at.join(name), text).unwrap();
    };
    pad("proof", 1 << 16);
    assert!(command(at).args(["verify", "vkey", "public", "proof"]).status().unwrap().success());
    pad("proof", (1 << 16) + 1);
    let message = fail(at, "verify vkey public proof");
    assert_eq!(message, "proof holds more than 65536 bytes: expected a proof.json, check the path");
    for (line, expected) in [
        (
            "verify large public proof",
            "large holds more than 67108864 bytes: expected a verification_key.json",
        ),
        ("verify vkey large proof", "large holds more than 67108864 bytes: expected a public.json"),
        #[cfg(feature = "witness")]
        ("witness r1cs large out", "large holds more than 67108864 bytes: expected a JSON file"),
    ] {
        File::create(at.join("large")).unwrap().set_len((1 << 26) + 1).unwrap();
        let message = fail(at, line);
        assert!(message.starts_with(expected), "{message}");
    }
}

/// Points that no memory holds are an error before the command makes them.
#[test]
#[cfg(target_os = "linux")]
fn memory_that_is_not_there() {
    let directory = tempfile::tempdir().unwrap();
    for line in [
        "bench msm --curve bn254 --log-sizes 29 --threads 1",
        "bench table --curve bn254 --log-size 29 --threads 1",
        "compare --curve bn254 --log-sizes 29 --threads 1",
        "tune --curve bn254 --group g1 --log-sizes 29",
    ] {
        let mut shell = std::process::Command::new("sh");
        let script = format!("ulimit -v 8000000; exec \"$0\" {line}");
        shell.current_dir(directory.path()).env("BUCKETWHEEL_PROFILE", "none").args(["-c", &script]);
        let output = shell.arg(env!("CARGO_BIN_EXE_bucketwheel")).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{line}: {errors}");
        // With more than 100 GiB, the command makes the points, and they do not fit the limit.
        let (start, end) = match half_of_memory() >> 30 {
            ..50 => ("error: the inputs take ", ", half of the memory; pass a smaller size\n"),
            _ => ("error: no memory for ", "\n"),
        };
        assert!(errors.starts_with(start) && errors.ends_with(end), "{line}: {errors}");
    }
}

/// The contents of an existing file may exceed the memory, too.
#[test]
#[cfg(target_os = "linux")]
fn witnesses_that_do_not_fit() {
    use std::io::{Seek, Write};
    let directory = files("bn254");
    let at = directory.path();
    let witness = fs::read(at.join("wtns")).unwrap();
    // The container's header, and the first section with its own header, which ends with the count.
    let values: u64 = 1 << 24;
    let mut large = File::create(at.join("large")).unwrap();
    large.write_all(&witness[..24 + 36]).unwrap();
    large.write_all(&(values as u32).to_le_bytes()).unwrap();
    large.write_all(&2u32.to_le_bytes()).unwrap();
    large.write_all(&(32 * values).to_le_bytes()).unwrap();
    let start = large.stream_position().unwrap();
    large.set_len(start + 32 * values).unwrap();
    let mut shell = std::process::Command::new("sh");
    let script = "ulimit -v 900000; exec \"$0\" prove zkey large proof public --threads 1";
    shell.current_dir(at).env("BUCKETWHEEL_PROFILE", "none").args(["-c", script]);
    let output = shell.arg(env!("CARGO_BIN_EXE_bucketwheel")).output().unwrap();
    let message = error_of(&output, 1);
    assert_eq!(message, format!("large: no memory for {} bytes: expected a smaller circuit", 32 * values));
}

/// The memory of a simulation includes its points and its scalars.
#[test]
fn simulations_that_do_not_fit() {
    let log_size = (half_of_memory() / 32).ilog2().min(27);
    let directory = tempfile::tempdir().unwrap();
    let line = format!("simulate cyclone --log-size {log_size} --tasks 1 --verify");
    assert!(half_of_memory() >> 27 > 280 || fail(directory.path(), &line).starts_with("the inputs take "));
    // The memory includes the buckets: 32 processing elements with 2^23 buckets each.
    let line = "simulate gypsophila --log-size 0 --window 24 --set pes=32 --tasks 1 --verify";
    assert!(half_of_memory() >> 30 > 36 || fail(directory.path(), line).starts_with("the inputs take "));
}

#[test]
fn limits_of_control_groups() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let second = "0::/a/b/c\n";
    assert_eq!(group_limit(second, root), None);
    // The least limit counts, even if a parent sets it.
    write("a/b/c/memory.max", "max\n");
    write("a/b/memory.max", "3000\n");
    assert_eq!(group_limit(second, root), Some(3000));
    write("a/memory.max", "2000\n");
    assert_eq!(group_limit(second, root), Some(2000));
    assert_eq!(group_limit("0::/a/b/c:d\n", root), Some(2000));
    assert_eq!(group_limit("0::/e\n", root), None);
    // The limit of a container's own group.
    write("memory.max", "1500\n");
    assert_eq!(group_limit("0::/\n", root), Some(1500));
    assert_eq!(group_limit("0::/seen/from/outside\n", root), Some(1500));

    let first = "12:cpu,cpuacct:/a\n5:rdma,memory:/x/y\n1:name=systemd:/z\n";
    assert_eq!(group_limit(first, root), None);
    write("memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("memory/x/memory.limit_in_bytes", "700\n");
    write("memory/x/y/memory.limit_in_bytes", "800\n");
    assert_eq!(group_limit(first, root), Some(700));
    // Both versions of control groups side by side.
    assert_eq!(group_limit(&format!("{first}{second}"), root), Some(700));
    assert_eq!(group_limit("", root), None);
    assert_eq!(group_limit("nonsense\n::\n", root), Some(1500));
}

/// People write sizes and counts in these forms.
#[test]
fn numbers_have_units_and_powers() {
    use bucketwheel_cli::measure::{number, Bytes, Unit};
    for (text, bytes) in [
        ("1000000", 1_000_000),
        ("1K", 1 << 10),
        ("512M", 512 << 20),
        ("512m", 512 << 20),
        ("1GiB", 1 << 30),
        ("1.5G", 3 << 29),
        ("2^30", 1 << 30),
        ("1_000", 1000),
    ] {
        assert_eq!(text.parse::<Bytes>().map(|bytes| bytes.0), Ok(bytes), "{text}");
    }
    for (text, count) in [("1M", 1_000_000), ("1Mi", 1 << 20), ("2^20", 1 << 20), ("0", 0)] {
        assert_eq!(number(text, Unit::Decimal), Some(count), "{text}");
    }
    for text in ["", "M", "-1", "2^", "2^64", "3^2", "1X", "0x10", "99999999999999999999"] {
        assert!(text.parse::<Bytes>().is_err(), "{text}");
    }
    let directory = tempfile::tempdir().unwrap();
    let written = crate::succeed(directory.path(), "generate --curve bn254 --size 1k --points p --scalars s");
    assert!(written.starts_with("1000 bn254 g1 points"), "{written}");
}
