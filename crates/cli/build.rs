//! The demo's data for the command: the points of Ethereum's trusted setup as bytes, a quarter of its text, which has twice as
//! many points as are used; and the key of a proof, deflated.

use std::path::Path;
use std::{env, fs};

const TEXT: &str = "data/trusted_setup.txt";
/// The points of G1 in Lagrange form, behind the numbers of points.
const POINTS: usize = 4096;
const KEY: &str = "data/members/circuit.zkey";

fn main() {
    let folder = env::var_os("OUT_DIR").expect("cargo sets it");
    let write = |name: &str, bytes| {
        fs::write(Path::new(&folder).join(name), bytes).expect("cargo's folder is writable")
    };
    write("trusted_setup.bin", trusted_setup());
    println!("cargo::rerun-if-changed={KEY}");
    let key = fs::read(KEY).expect("the key is there");
    write("circuit.zkey.deflate", miniz_oxide::deflate::compress_to_vec(&key, 9));
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
