//! The demo's key as snarkjs wrote it. build.rs leaves out the parts that can be computed.

use ark_bn254::{g1, g2, Fq, Fq2};
use ark_ff::{BigInt, Field, Zero};
use bucketwheel::{default_backend_of, ordinates, Curve, Error};

/// The key without the y of its points; byte j of all records of one size comes before byte j + 1; deflated.
const KEY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/circuit.zkey.deflate"));
const RECORD: usize = 44;

/// A coordinate, in the Montgomery form of the file.
trait Coordinate: Field {
    const BYTES: usize;
    /// Clears the highest bit of the first 32 bytes, which belongs to y.
    fn read(bytes: &[u8]) -> Self;
    fn write(&self, key: &mut Vec<u8>);
}

impl Coordinate for Fq {
    const BYTES: usize = 32;

    fn read(bytes: &[u8]) -> Self {
        let word = |i: usize| std::array::from_fn(|j| bytes[8 * i + j]);
        let mut words = std::array::from_fn(|i| u64::from_le_bytes(word(i)));
        words[3] &= u64::MAX >> 1;
        Fq::new_unchecked(BigInt(words))
    }

    fn write(&self, key: &mut Vec<u8>) {
        key.extend(self.0 .0.iter().flat_map(|word| word.to_le_bytes()));
    }
}

impl Coordinate for Fq2 {
    const BYTES: usize = 64;

    fn read(bytes: &[u8]) -> Self {
        Fq2::new(Fq::read(bytes), Fq::read(&bytes[32..]))
    }

    fn write(&self, key: &mut Vec<u8>) {
        self.c0.write(key);
        self.c1.write(key);
    }
}

/// Returns the key.
///
/// # Errors
/// Only the engine's errors.
pub fn key() -> Result<Vec<u8>, Error> {
    let columns = miniz_oxide::inflate::decompress_to_vec(KEY).expect("build.rs deflated it");
    let mut rest = vec![0; columns.len()];
    let places = (0..RECORD).flat_map(|j| (j..columns.len()).step_by(RECORD));
    places.zip(&columns).for_each(|(place, &byte)| rest[place] = byte);
    let (head, mut sections) = rest.split_at(12);
    let mut key = head.to_vec();
    while !sections.is_empty() {
        let (head, behind) = sections.split_at(12);
        let length = u64::from_le_bytes(head[4..].try_into().expect("eight bytes")) as usize;
        let is_points = (5..=9).contains(&head[0]);
        let (body, behind) = behind.split_at(if is_points { length / 2 } else { length });
        key.extend(head);
        match head[0] {
            7 => append::<g2::Config>(body, &mut key)?,
            _ if is_points => append::<g1::Config>(body, &mut key)?,
            _ => key.extend(body),
        }
        sections = behind;
    }
    Ok(key)
}

/// Appends the points with these x; x = 0 is infinity. The highest bit of the first 32 bytes says whether the first
/// word of y is odd.
fn append<C: Curve<BaseField: Coordinate>>(points: &[u8], key: &mut Vec<u8>) -> Result<(), Error> {
    let points = points.chunks(C::BaseField::BYTES);
    let xs: Vec<C::BaseField> = points.clone().map(Coordinate::read).collect();
    let ys = ordinates::<C>(default_backend_of::<C>()?, &xs)?;
    for ((point, x), y) in points.zip(&xs).zip(ys) {
        let y = y.filter(|_| !x.is_zero()).unwrap_or_default();
        x.write(key);
        let start = key.len();
        y.write(key);
        if key[start] % 2 != point[31] >> 7 {
            key.truncate(start);
            (-y).write(key);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_of_the_key_is_lost() {
        assert!(super::key().unwrap() == include_bytes!("../../../data/members/circuit.zkey"));
    }
}
