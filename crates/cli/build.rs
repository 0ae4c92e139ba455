//! The demo's data for the command. The points of Ethereum's trusted setup become bytes, a quarter of the setup's text.
//! The text has twice the number of points that the demo uses. The circuit of a proof is deflated by columns of its
//! coefficients' records, which saves a sixth of its size.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const TEXT: &str = "data/trusted_setup.txt";
/// The points of G1 in Lagrange form, behind the numbers of points.
const POINTS: usize = 4096;
const CIRCUIT: &str = "data/members/circuit.r1cs";
/// Number of bytes of a coefficient's record.
const RECORD: usize = 36;

fn main() {
    let folder = env::var_os("OUT_DIR").expect("cargo sets it");
    let write = |name: &str, bytes| {
        fs::write(Path::new(&folder).join(name), bytes).expect("cargo's folder is writable")
    };
    write("trusted_setup.bin", trusted_setup());
    println!("cargo::rerun-if-changed={CIRCUIT}");
    let circuit = fs::read(CIRCUIT).expect("the circuit is there");
    let columns: Vec<u8> =
        (0..RECORD).flat_map(|j| circuit.iter().skip(j).step_by(RECORD)).copied().collect();
    write("circuit.r1cs.deflate", miniz_oxide::deflate::compress_to_vec(&columns, 9));
    if can_unpack_relocations() {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    if can_fold_functions() {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
    }
}

/// Returns true if the linker is LLVM's, which is rustc's own for this target since 1.90 unless the user chooses another linker. Generic
/// functions leave many copies of equal code, and the linker keeps one copy of each. Rust promises no function an address of its own.
/// GNU's linker refuses the option.
fn can_fold_functions() -> bool {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    if !is("PROFILE", "release")
        || !is("TARGET", "x86_64-unknown-linux-gnu")
        || env::var_os("RUSTC_LINKER").is_some()
        || flags.contains("link")
    {
        return false;
    }
    // "rustc 1.95.0 (59807616e 2026-04-14)"
    let output = Command::new(env::var_os("RUSTC").expect("cargo sets it")).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let version = text.strip_prefix("rustc 1.").and_then(|rest| rest.split('.').next()?.parse::<u32>().ok());
    version.is_some_and(|minor| minor >= 90)
}

/// Returns true if the C library of the machine that will run the command can unpack relocations, as glibc can since
/// 2.36. Packed, the addresses that the C library fixes up when the command starts take a tenth of their bytes. The
/// command runs on the building machine, unless the command is for another target, or the user's own linker may link it
/// for an older C library. A linker that does not know the
/// option ignores it.
fn can_unpack_relocations() -> bool {
    let is_gnu = env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|env| env == "gnu")
        && env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux");
    if !is_gnu || env::var_os("TARGET") != env::var_os("HOST") || env::var_os("RUSTC_LINKER").is_some() {
        return false;
    }
    // "glibc 2.36"
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let version = text.trim().strip_prefix("glibc 2.").and_then(|minor| minor.parse::<u32>().ok());
    version.is_some_and(|minor| minor >= 36)
}

fn trusted_setup() -> Vec<u8> {
    println!("cargo::rerun-if-changed={TEXT}");
    let text = fs::read_to_string(TEXT).expect("the trusted setup is a text");
    let words = text.split_ascii_whitespace().skip(2).take(POINTS);
    let byte = |digits: &[u8]| {
        let digits = std::str::from_utf8(digits).expect("digits are ASCII");
        u8::from_str_radix(digits, 16).expect("points are hexadecimal")
    };
    words.flat_map(|word| word.as_bytes().chunks(2)).map(byte).collect()
}
