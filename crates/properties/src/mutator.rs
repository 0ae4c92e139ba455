//! Makes damaged files from valid files: a bounded number, the same each time. The fuzzing engine would find these
//! files first.

use std::path::Path;
use std::{fs, panic};

use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Number of bytes at the start of a file that decide how all other bytes are read, in all formats.
const HEADER_BYTES: usize = 64;

/// Makes damaged files from valid ones.
pub struct Mutator {
    rng: ChaCha8Rng,
    seeds: Vec<Vec<u8>>,
}

impl Mutator {
    /// Returns a mutator of these files.
    pub fn new(rng: ChaCha8Rng, seeds: Vec<Vec<u8>>) -> Self {
        Mutator { rng, seeds }
    }

    /// Returns a random number below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        self.rng.next_u64() as usize % limit
    }

    /// Returns one of the valid files.
    fn seed(&mut self) -> Vec<u8> {
        let index = self.below(self.seeds.len());
        self.seeds[index].clone()
    }

    /// Returns a file with one to four faults, which may undo each other.
    pub fn damaged(&mut self) -> Vec<u8> {
        let mut bytes = self.seed();
        for _ in 0..=self.below(4) {
            self.damage(&mut bytes);
        }
        bytes
    }

    fn damage(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len() + 1);
        let in_header = self.below(HEADER_BYTES.min(bytes.len()) + 1);
        match self.below(8) {
            0 => bytes.truncate(at),
            1 => bytes.extend((0..=at % 100).map(|_| self.rng.next_u32() as u8)),
            // Flips a bit, anywhere or in the header.
            2 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << (at % 8)),
            3 => bytes.iter_mut().skip(in_header).take(1).for_each(|byte| *byte ^= 1 << (at % 8)),
            // Overwrites a number with an extreme value.
            4 => self.overwrite(bytes, at),
            5 => self.overwrite(bytes, in_header / 4 * 4),
            // Replaces some bytes by a part of another file or of this file.
            6 => {
                let other = self.seed();
                let from = self.below(other.len());
                bytes.truncate(at);
                bytes.extend(&other[from..]);
            }
            _ => {
                let (from, len) = (self.below(bytes.len() + 1), self.below(100));
                let part: Vec<u8> = bytes.iter().skip(from).take(len).copied().collect();
                bytes.splice(at..at, part);
            }
        }
    }

    fn overwrite(&mut self, bytes: &mut [u8], at: usize) {
        let (len, value) = (1 << self.below(7), [0, 1, 0x7f, 0x80, 0xff][self.below(5)]);
        bytes.iter_mut().skip(at).take(len).for_each(|byte| *byte = value);
    }
}

/// Returns inputs that libFuzzer kept for this target, from a file with a line of hexadecimal for each
/// (`tools/fuzz.sh`). Returns none if the crate is outside of its repository.
fn found(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    if !folder.exists() {
        return Vec::new();
    }
    let byte = |digits: &[u8]| u8::from_str_radix(str::from_utf8(digits).unwrap(), 16).unwrap();
    let seed = |line: &str| line.as_bytes().chunks(2).map(byte).collect();
    fs::read_to_string(folder.join(target)).unwrap().lines().map(seed).collect()
}

/// Checks the property of this fuzz target for the seeds, for `count` damaged files, and for libFuzzer's findings.
pub fn check(
    target: &str,
    property: impl Fn(&[u8]) + panic::RefUnwindSafe,
    seeds: Vec<Vec<u8>>,
    count: usize,
) {
    let mut mutator = Mutator::new(ChaCha8Rng::seed_from_u64(1), seeds.clone());
    let damaged = (0..count).map(|_| mutator.damaged());
    for bytes in seeds.into_iter().chain(damaged).chain(found(target)) {
        if let Err(panic) = panic::catch_unwind(|| property(&bytes)) {
            eprintln!("with these bytes: {bytes:02x?}");
            panic::resume_unwind(panic);
        }
    }
}
