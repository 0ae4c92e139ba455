//! Memory of an MSM beyond points and scalars, measured in a separate process and compared with the engine's bound.
#![cfg(target_os = "linux")]

use std::path::Path;

use crate::{generated, json, succeed};

/// Bytes that the bound leaves out: the threads' stacks, the allocator's own memory, and inaccuracy of the system's
/// counters.
const ALLOWANCE: u64 = 1 << 20;

/// Checks the first MSM of a process and a later one, on one thread and two.
fn stays_below_the_bound(arguments: &str, options: &str) {
    check_bound(generated(arguments).path(), arguments, options);
}

fn check_bound(at: &Path, arguments: &str, options: &str) {
    for threads in [1, 2] {
        let line = format!("msm points scalars scalars --json --threads {threads} {options}");
        for outcome in json(at, &line).as_array().unwrap() {
            let [bound, measured, peak] = ["memory_bound_bytes", "memory_bytes", "peak_memory_bytes"]
                .map(|name| outcome[name].as_u64().unwrap());
            assert!(measured < bound + ALLOWANCE, "{arguments}, {line}: {measured} of {bound}");
            assert!(measured < peak);
        }
    }
}

#[test]
fn g1() {
    for log_size in [14, 16, 18] {
        stays_below_the_bound(&format!("--curve bls12-381 --group g1 --log-size {log_size}"), "");
    }
    stays_below_the_bound("--curve bn254 --group g1 --log-size 16", "");
}

/// The system counts the pages of inputs in /dev/shm as shared memory.
#[test]
fn inputs_in_memory_are_left_out() {
    let Ok(directory) = tempfile::tempdir_in("/dev/shm") else { return };
    let arguments = "--curve bls12-381 --group g1 --log-size 16";
    succeed(directory.path(), &format!("generate {arguments} --points points --scalars scalars"));
    check_bound(directory.path(), arguments, "");
}

/// The bound must not be a wild guess, either.
#[test]
fn most_of_the_bound_is_used() {
    let directory = generated("--curve bn254 --group g1 --log-size 17");
    let outcome = &json(directory.path(), "msm points scalars --json --threads 1")[0];
    assert!(outcome["memory_bytes"].as_u64().unwrap() > outcome["memory_bound_bytes"].as_u64().unwrap() / 2);
}

#[test]
fn g2() {
    for log_size in [13, 15] {
        stays_below_the_bound(&format!("--curve bls12-377 --group g2 --log-size {log_size}"), "");
    }
}

#[test]
fn pairs() {
    stays_below_the_bound("--curve bn254 --group pair --log-size 14", "");
}

#[test]
fn other_windows_and_adders() {
    let arguments = "--curve bls12-381 --group g1 --log-size 14";
    for options in ["--window 4", "--window 16", "--adder xyzz", "--adder projective", "--scheduler serial"] {
        stays_below_the_bound(arguments, options);
    }
}

#[test]
fn skewed_scalars() {
    for distribution in ["zero-one", "small", "sparse", "equal"] {
        let arguments = format!("--curve bls12-381 --log-size 16 --distribution {distribution}");
        stays_below_the_bound(&arguments, "");
    }
}
