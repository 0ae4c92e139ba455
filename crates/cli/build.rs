//! The demo's data for the command: the points of Ethereum's trusted setup as bytes, a quarter of its text, which has twice as
//! many points as are used; and the key of a proof, deflated, by columns of its coefficients' records (src/commands/demo/proof.rs
//! undoes it), which saves two thirds of what they take.

use std::path::Path;
use std::{env, fs};

const TEXT: &str = "data/trusted_setup.txt";
/// The points of G1 in Lagrange form, behind the numbers of points.
const POINTS: usize = 4096;
const KEY: &str = "data/members/circuit.zkey";
/// The bytes of a coefficient's record.
const RECORD: usize = 44;

fn main() {
    let folder = env::var_os("OUT_DIR").expect("cargo sets it");
    let write = |name: &str, bytes| {
        fs::write(Path::new(&folder).join(name), bytes).expect("cargo's folder is writable")
    };
    write("trusted_setup.bin", trusted_setup());
    println!("cargo::rerun-if-changed={KEY}");
    let key = fs::read(KEY).expect("the key is there");
    let columns: Vec<u8> = (0..RECORD).flat_map(|j| key.iter().skip(j).step_by(RECORD)).copied().collect();
    write("circuit.zkey.deflate", miniz_oxide::deflate::compress_to_vec(&columns, 9));
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
