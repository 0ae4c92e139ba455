//! Writes a `.zkey`, section by section.

use std::io::{self, Seek, SeekFrom, Write};

use ark_ec::short_weierstrass::Affine;
use bucketwheel::Curve;

use super::coefficients::COEFFICIENTS;
use super::points::write_point;
use super::sections::{count_bytes, invalid, SectionWriter};
use super::zkey::{A, B1, B2, C, CONTRIBUTIONS, GROTH16, H, HEADER, IC, PROTOCOL};
use super::{Coefficient, Kind, Montgomery, Section, ZkeyHeader};
use crate::PairingCurve;

/// The sections of a key.
const SECTIONS: u32 = 10;

/// Writes a key. Points and coefficients come from iterators, so they need not all be in memory. Every section must
/// be written once, in any order, before [`finish`](Self::finish).
///
/// ```
/// use std::io::Cursor;
///
/// use ark_bn254::Fr;
/// use bucketwheel_snarkjs::{Bn254, Coefficient, Zkey, ZkeyWriter};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bn254");
/// // A copy of a key, whose first entry is made anew.
/// let file = std::fs::read(format!("{folder}/power.zkey"))?;
/// let key = Zkey::<Bn254>::parse(&file)?;
/// let first = key.coefficients.get(0);
/// let same = Coefficient::new(first.matrix, first.constraint, first.signal, first.value::<Fr>());
/// let mut writer = ZkeyWriter::new(Cursor::new(Vec::new()), key.header.clone())?;
/// writer.ic(key.ic.iter())?;
/// writer.coefficients(std::iter::once(same).chain(key.coefficients.iter().skip(1)))?;
/// writer.a(key.a.iter())?;
/// writer.b1(key.b1.iter())?;
/// writer.b2(key.b2.iter())?;
/// writer.c(key.c.iter())?;
/// writer.h(key.h.iter())?;
/// let copy = writer.finish(&[0; 64])?.into_inner();
/// let copy = Zkey::<Bn254>::parse(&copy)?;
/// assert!(copy.coefficients.iter().eq(key.coefficients.iter()) && copy.h.iter().eq(key.h.iter()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ZkeyWriter<W, E: PairingCurve> {
    file: SectionWriter<W>,
    header: ZkeyHeader<E>,
    /// One bit for each written section.
    written: u32,
}

impl<W: Write + Seek, E: PairingCurve> ZkeyWriter<W, E> {
    /// Starts a key with its header. The [example](Self) uses it.
    ///
    /// # Errors
    /// The output's errors.
    pub fn new(out: W, header: ZkeyHeader<E>) -> io::Result<Self> {
        let mut file = SectionWriter::new(out, Kind::Zkey, SECTIONS)?;
        file.section(PROTOCOL, |out| out.write_all(&GROTH16.to_le_bytes()))?;
        let mut bytes = Vec::new();
        for prime in ZkeyHeader::<E>::primes() {
            bytes.extend_from_slice(&count_bytes(prime.len())?);
            bytes.extend_from_slice(prime);
        }
        for number in [header.signals, header.public, header.domain_size] {
            bytes.extend_from_slice(&count_bytes(number)?);
        }
        write_point(&header.alpha_g1, &mut bytes);
        write_point(&header.beta_g1, &mut bytes);
        write_point(&header.beta_g2, &mut bytes);
        write_point(&header.gamma_g2, &mut bytes);
        write_point(&header.delta_g1, &mut bytes);
        write_point(&header.delta_g2, &mut bytes);
        file.section(HEADER, |out| out.write_all(&bytes))?;
        Ok(ZkeyWriter { file, header, written: 0 })
    }

    /// Writes IC: `public + 1` points. The [example](Self) uses it.
    ///
    /// # Errors
    /// The output's errors; `InvalidInput` if the number of points is wrong, or if they are written already.
    pub fn ic(&mut self, points: impl IntoIterator<Item = Affine<E::G1Curve>>) -> io::Result<()> {
        self.points(IC, self.header.public + 1, points)
    }

    /// Writes A: one point per signal. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`ic`](Self::ic).
    pub fn a(&mut self, points: impl IntoIterator<Item = Affine<E::G1Curve>>) -> io::Result<()> {
        self.points(A, self.header.signals, points)
    }

    /// Writes B in G1: one point per signal. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`ic`](Self::ic).
    pub fn b1(&mut self, points: impl IntoIterator<Item = Affine<E::G1Curve>>) -> io::Result<()> {
        self.points(B1, self.header.signals, points)
    }

    /// Writes B in G2: one point per signal. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`ic`](Self::ic).
    pub fn b2(&mut self, points: impl IntoIterator<Item = Affine<E::G2Curve>>) -> io::Result<()> {
        self.points(B2, self.header.signals, points)
    }

    /// Writes C: one point per private signal, `signals - public - 1`. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`ic`](Self::ic).
    pub fn c(&mut self, points: impl IntoIterator<Item = Affine<E::G1Curve>>) -> io::Result<()> {
        self.points(C, self.header.signals.saturating_sub(self.header.public + 1), points)
    }

    /// Writes H: one point per element of the domain. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`ic`](Self::ic).
    pub fn h(&mut self, points: impl IntoIterator<Item = Affine<E::G1Curve>>) -> io::Result<()> {
        self.points(H, self.header.domain_size, points)
    }

    /// Writes the entries of the matrices A and B: entries of a row together, and rows in order.
    /// The [example](Self) uses it.
    ///
    /// # Errors
    /// The output's errors; `InvalidInput` if there are too many entries, or if they are written already.
    pub fn coefficients(&mut self, entries: impl IntoIterator<Item = Coefficient>) -> io::Result<()> {
        self.once(COEFFICIENTS)?;
        self.file.section(COEFFICIENTS, |out| {
            let count_at = out.stream_position()?;
            out.write_all(&0u32.to_le_bytes())?;
            let count = write_all(out, entries, |entry, bytes| entry.write(bytes))?;
            let end = out.stream_position()?;
            out.seek(SeekFrom::Start(count_at))?;
            out.write_all(&count_bytes(count)?)?;
            out.seek(SeekFrom::Start(end))?;
            Ok(())
        })
    }

    /// Ends the key with a transcript without contributions. `hash` names the circuit; snarkjs' transcripts use a
    /// hash of the key without contributions. The [example](Self) uses it.
    ///
    /// # Errors
    /// The output's errors; `InvalidInput` if a section has not been written.
    pub fn finish(mut self, hash: &[u8; 64]) -> io::Result<W> {
        let missing = [IC, COEFFICIENTS, A, B1, B2, C, H].into_iter().find(|s| self.written >> s.id & 1 == 0);
        if let Some(section) = missing {
            return Err(invalid(format!("{section} has not been written")));
        }
        self.file.section(CONTRIBUTIONS, |out| {
            out.write_all(hash)?;
            out.write_all(&0u32.to_le_bytes())
        })?;
        self.file.finish()
    }

    fn points<G: Curve<BaseField: Montgomery>>(
        &mut self,
        section: Section,
        expected: usize,
        points: impl IntoIterator<Item = Affine<G>>,
    ) -> io::Result<()> {
        self.once(section)?;
        self.file.section(section, |out| {
            let count = write_all(out, points, |point, bytes| write_point(&point, bytes))?;
            match count == expected {
                true => Ok(()),
                false => Err(invalid(format!("{section} has {count} points: expected {expected}"))),
            }
        })
    }

    fn once(&mut self, section: Section) -> io::Result<()> {
        if self.written >> section.id & 1 == 1 {
            return Err(invalid(format!("{section} has been written already")));
        }
        self.written |= 1 << section.id;
        Ok(())
    }
}

/// Number of bytes that are collected before a write.
const BUFFER_BYTES: usize = 1 << 16;

/// Writes all items and returns their number.
fn write_all<T>(
    out: &mut impl Write,
    items: impl IntoIterator<Item = T>,
    encode: impl Fn(T, &mut Vec<u8>),
) -> io::Result<usize> {
    let mut bytes = Vec::with_capacity(BUFFER_BYTES + (1 << 10));
    let mut count = 0;
    for item in items {
        encode(item, &mut bytes);
        count += 1;
        if bytes.len() >= BUFFER_BYTES {
            out.write_all(&bytes)?;
            bytes.clear();
        }
    }
    out.write_all(&bytes)?;
    Ok(count)
}
