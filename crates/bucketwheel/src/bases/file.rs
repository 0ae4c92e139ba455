//! Table files: a header, and all points as they lie in memory, so that a mapped file is used where it is.
//!
//! A bad file could harm the engine: coordinates that are not reduced could make an inversion fail that never fails
//! otherwise. So loading looks at every point once: its digits must be the backend's digits of the element that they
//! stand for. The maker of the file vouches that the points are on the curve and that the copies are multiples, as
//! callers do for unchecked points. The digest finds damage.

use std::io::{self, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;

use super::header::{curve_code, part, TableHeader, HEADER_BYTES};
use crate::bases::{Bases, BasesOptions};
use crate::curve::{coefficients, CoordinateField, Curve, Words};
use crate::engine::stored::{FileBytes, Restored};
use crate::error::TableError;
use crate::provider::{Cpu, Provider};
use crate::Error;

/// Points that are written at a time.
const BLOCK: usize = 1 << 12;

impl<C: Curve> Bases<C> {
    /// Writes a file that [`BasesOptions::load`] loads: the points and all copies, in the layout of this backend.
    /// The [example](crate::BasesOptions) uses it.
    ///
    /// # Errors
    /// The writer's errors; [`io::ErrorKind::Unsupported`] if [`BasesOptions::deduplicate`] has merged points, since
    /// the file does not tell which points were equal.
    pub fn write_table(&self, out: &mut (impl Write + Seek)) -> io::Result<()> {
        if self.merges() {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "bases that merged equal points cannot be written as a table; prepare them without deduplication",
            ));
        }
        let prepared = self.prepared().map_err(io::Error::other)?;
        let start = out.stream_position()?;
        out.write_all(&[0; HEADER_BYTES])?;
        let (mut digest, mut fingerprint) = (0u64, 0u64);
        let (mut bytes, total) = (Vec::new(), self.table.total());
        for first in (0..total).step_by(BLOCK) {
            bytes.clear();
            let range = first..total.min(first + BLOCK);
            prepared.canonical(range, &mut bytes, &mut |index, coordinates| {
                let part = part::<C::BaseField>(index, coordinates);
                digest = digest.wrapping_add(part);
                fingerprint = fingerprint.wrapping_add(if index < self.len { part } else { 0 });
            });
            out.write_all(&bytes)?;
        }
        let header = TableHeader {
            backend: self.backend(),
            points: self.len,
            copies: self.table.copies,
            step: self.table.step,
            multiples: self.table.multiples.count(),
            digits_of: self.table.multiples.digits_of(),
            fingerprint,
            curve: curve_code::<C>(),
            digest,
            // A point takes some hundred bytes, in the CPU's layout.
            point_bytes: C::BaseField::engine(self.backend()).map_or(0, |engine| engine.point_bytes()) as u32,
            in_subgroup: self.in_subgroup,
            images: self.split.is_some() && !self.table.halves,
            halves: self.table.halves,
        };
        let end = out.stream_position()?;
        out.seek(SeekFrom::Start(start))?;
        out.write_all(&header.encode())?;
        out.seek(SeekFrom::Start(end)).map(drop)
    }
}

impl BasesOptions<'_> {
    /// Loads the points and copies of a file that [`Bases::write_table`] wrote. Uses mapped files in place, as long as
    /// the bases live; copies bytes that do not start at a multiple of 64. Reads all points once, to check that their
    /// digits are in range and that their digest is the file's. Heeds these options: backend, Edwards form, threads,
    /// cancellation and progress. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Table`] for a file that is damaged, or of another curve or backend than asked for;
    /// [`Error::UnsupportedBackend`] for a backend that this CPU lacks; [`Error::Adder`]; [`Error::Cancelled`].
    pub fn load<C: Curve>(self, file: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Bases<C>, Error> {
        let header = TableHeader::parse(file.as_ref())?;
        let expected = self.backend_asked_for()?.unwrap_or(header.backend);
        if expected != header.backend {
            return Err(TableError::Backend { expected, found: header.backend }.into());
        }
        let (table, split) = header.table::<C>(file.as_ref().len())?;
        self.check_edwards::<C>(header.in_subgroup)?;
        let len = header.points;
        let control = &self.control();
        control.expect(table.total() * (1 + usize::from(self.edwards)));
        let (digest, fingerprint) = (AtomicU64::new(0), AtomicU64::new(0));
        let infinities = Mutex::new(Vec::new());
        let inspect = |first: usize, points: &[[Words<C>; 2]]| {
            let (mut of_all, mut of_points) = (0u64, 0u64);
            for (index, coordinates) in (first..).zip(points) {
                // A comparison of whole points would call memcmp, which took an eighth of the time of a load.
                if index < len && coordinates.iter().flat_map(C::BaseField::as_words).all(|&word| word == 0) {
                    infinities.lock().expect("no panic while locked").push(index as u32);
                }
                let part = part::<C::BaseField>(index, coordinates);
                of_all = of_all.wrapping_add(part);
                of_points = of_points.wrapping_add(if index < len { part } else { 0 });
            }
            digest.fetch_add(of_all, Ordering::Relaxed);
            fingerprint.fetch_add(of_points, Ordering::Relaxed);
            points.iter().position(|coordinates| !coordinates.iter().all(C::BaseField::is_reduced))
        };
        let restored = Restored {
            file: FileBytes::new(file, HEADER_BYTES),
            len: table.total(),
            stride: table.stride,
            curve: coefficients::<C>(),
            edwards: self.edwards,
            inspect: &inspect,
            control,
        };
        let cpu: &dyn Provider<C::BaseField> = &Cpu(header.backend);
        let (abilities, prepared) = (cpu.abilities()?, cpu.engine()?.restore(restored)?);
        if (digest.into_inner(), fingerprint.into_inner()) != (header.digest, header.fingerprint) {
            return Err(TableError::Digest.into());
        }
        let mut infinities = infinities.into_inner().expect("no panic while locked");
        infinities.sort_unstable();
        control.finish();
        Ok(Bases {
            prepared: prepared.into(),
            abilities,
            len,
            infinities,
            in_subgroup: header.in_subgroup,
            edwards: self.edwards,
            split,
            table,
            duplicates: None,
            few: None,
        })
    }
}
