//! The container of iden3's binary formats: four letters, a version, and numbered sections.
//!
//! ```text
//! magic: 4 bytes, version: u32, number of sections: u32,
//! then for each section: id: u32, length: u64, its bytes
//! ```
//!
//! All integers are little-endian. Sections come in any order.

use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;

use super::{FileError, FileWarning, Kind, Section};

/// One of the formats knows each section with an id up to this number; other sections are skipped.
const MAX_ID: usize = 10;

/// A file's sections.
pub struct Sections<'a> {
    file: &'a [u8],
    /// The place of each section in the file, by its number.
    places: [Option<Range<usize>>; MAX_ID + 1],
    /// Warning about a file that ends before all sections that it declares.
    pub warning: Option<FileWarning>,
}

impl<'a> Sections<'a> {
    /// Reads the sections of a file of this kind. A file may end behind any section, with a warning: some versions of
    /// circom declare more sections than they write. If a required section is missing, [`get`](Self::get) returns an
    /// error.
    ///
    /// # Errors
    /// An error if the file has another kind or version, ends within a section or has bytes behind the last one, or
    /// if a section occurs twice.
    pub fn parse(file: &'a [u8], kind: Kind) -> Result<Self, FileError> {
        let found = Kind::of(file);
        if found != Some(kind) {
            return Err(match found {
                Some(found) => FileError::OtherKind { expected: kind, found },
                None => FileError::Magic { expected: kind },
            });
        }
        let mut reader = Reader { bytes: file, position: 4 };
        let version = reader.u32("the header")?;
        if version != kind.version() {
            return Err(FileError::Version { kind, found: version });
        }
        let declared = reader.u32("the header")?;
        let mut sections = Sections { file, places: [const { None }; MAX_ID + 1], warning: None };
        for found in 0..declared {
            if found > 0 && reader.is_at_end() {
                sections.warning = Some(FileWarning::FewerSections { declared, found });
                break;
            }
            let id = reader.u32("the table of sections")?;
            let length = reader.u64("the table of sections")?;
            let start = reader.position;
            reader.bytes(length, || format!("section {id}"))?;
            if let Some(place) = sections.places.get_mut(id as usize) {
                if place.replace(start..reader.position).is_some() {
                    return Err(FileError::Duplicate { id });
                }
            }
        }
        reader.end(|| format!("the {declared} sections"))?;
        Ok(sections)
    }

    /// Returns the bytes of a section, if it exists.
    pub fn find(&self, section: Section) -> Option<&'a [u8]> {
        let place = self.places.get(section.id as usize)?.clone()?;
        Some(&self.file[place])
    }

    /// Returns the bytes of a section.
    ///
    /// # Errors
    /// [`FileError::Missing`].
    pub fn get(&self, section: Section) -> Result<&'a [u8], FileError> {
        self.find(section).ok_or(FileError::Missing(section))
    }

    /// Returns the bytes of a section that holds `count` records of `size` bytes.
    ///
    /// # Errors
    /// [`FileError::Missing`], [`FileError::Length`].
    pub fn records(&self, section: Section, count: usize, size: usize) -> Result<&'a [u8], FileError> {
        let bytes = self.get(section)?;
        let (expected, found) = (count as u128 * size as u128, bytes.len());
        match found as u128 == expected {
            true => Ok(bytes),
            false => Err(FileError::Length { section, expected, found }),
        }
    }
}

/// Returns the number and the place of each section in a file of this kind, for readers elsewhere, as in a cluster.
///
/// ```
/// use bucketwheel_snarkjs::{sections, FileError, Kind};
///
/// let file = [&b"zkey\x01\0\0\0\x01\0\0\0"[..], b"\x05\0\0\0\x03\0\0\0\0\0\0\0abc"].concat();
/// let found = sections(&file, Kind::Zkey)?;
/// assert_eq!(found, [(5, 24..27)]);
/// assert_eq!(&file[found[0].1.clone()], b"abc");
/// # Ok::<(), FileError>(())
/// ```
///
/// # Errors
/// If the file has another kind or version, or its sections do not fill it.
pub fn sections(file: &[u8], kind: Kind) -> Result<Vec<(u32, Range<usize>)>, FileError> {
    let places = Sections::parse(file, kind)?.places;
    Ok((0..).zip(places).filter_map(|(id, place)| Some((id, place?))).collect())
}

/// Reads integers and bytes in sequence.
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the beginning of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, position: 0 }
    }

    /// Returns the next bytes, which are part of `what`.
    ///
    /// # Errors
    /// [`FileError::Truncated`].
    pub fn bytes(&mut self, length: u64, what: impl Fn() -> String) -> Result<&'a [u8], FileError> {
        let rest = &self.bytes[self.position..];
        let bytes = usize::try_from(length).ok().and_then(|length| rest.get(..length));
        let bytes = bytes.ok_or_else(|| FileError::Truncated {
            what: what(),
            expected: length,
            found: rest.len(),
        })?;
        self.position += bytes.len();
        Ok(bytes)
    }

    /// Returns the next four bytes as an integer.
    ///
    /// # Errors
    /// [`FileError::Truncated`].
    pub fn u32(&mut self, what: &str) -> Result<u32, FileError> {
        let bytes = self.bytes(4, || what.into())?;
        Ok(u32::from_le_bytes(std::array::from_fn(|i| bytes[i])))
    }

    /// Returns the next eight bytes as an integer.
    ///
    /// # Errors
    /// [`FileError::Truncated`].
    pub fn u64(&mut self, what: &str) -> Result<u64, FileError> {
        let bytes = self.bytes(8, || what.into())?;
        Ok(u64::from_le_bytes(std::array::from_fn(|i| bytes[i])))
    }

    /// Returns an integer whose length in bytes is in the four bytes before it: the form of primes in all formats.
    ///
    /// # Errors
    /// [`FileError::Truncated`].
    pub fn prime(&mut self, what: &str) -> Result<&'a [u8], FileError> {
        let length = self.u32(what)?;
        self.bytes(length.into(), || what.into())
    }

    /// Returns true if no bytes are left.
    pub fn is_at_end(&self) -> bool {
        self.position == self.bytes.len()
    }

    /// Checks that no bytes follow `what`.
    ///
    /// # Errors
    /// [`FileError::Trailing`].
    pub fn end(&self, what: impl Fn() -> String) -> Result<(), FileError> {
        match self.bytes.len() - self.position {
            0 => Ok(()),
            found => Err(FileError::Trailing { what: what(), found }),
        }
    }
}

/// Writes a container. The length of a section is filled in when it ends, so sections can be streamed.
pub struct SectionWriter<W>(W);

/// Position of a section's content in the output.
#[derive(Clone, Copy)]
pub struct Start(u64);

/// Number of bytes of a section's length.
const LENGTH_BYTES: u64 = 8;

impl<W: Write + Seek> SectionWriter<W> {
    /// Starts a file of this kind with this number of sections.
    ///
    /// # Errors
    /// The output's errors.
    pub fn new(mut out: W, kind: Kind, sections: u32) -> io::Result<Self> {
        out.write_all(kind.magic().as_bytes())?;
        out.write_all(&kind.version().to_le_bytes())?;
        out.write_all(&sections.to_le_bytes())?;
        Ok(SectionWriter(out))
    }

    /// Writes a section whose bytes `content` writes.
    ///
    /// # Errors
    /// The errors of the output and of the content.
    pub fn section(
        &mut self,
        section: Section,
        content: impl FnOnce(&mut W) -> io::Result<()>,
    ) -> io::Result<()> {
        let start = self.start(section)?;
        content(&mut self.0)?;
        self.end(start)
    }

    /// Starts a section.
    ///
    /// # Errors
    /// The output's errors.
    pub fn start(&mut self, section: Section) -> io::Result<Start> {
        let out = &mut self.0;
        out.write_all(&section.id.to_le_bytes())?;
        out.write_all(&0u64.to_le_bytes())?;
        Ok(Start(out.stream_position()?))
    }

    /// Appends to the open section.
    ///
    /// # Errors
    /// The output's errors.
    pub fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    /// Ends the open section.
    ///
    /// # Errors
    /// The output's errors.
    pub fn end(&mut self, start: Start) -> io::Result<()> {
        let length = self.0.stream_position()? - start.0;
        self.overwrite(Start(start.0 - LENGTH_BYTES), &length.to_le_bytes())
    }

    /// Overwrites existing bytes, at least as many as given.
    ///
    /// # Errors
    /// The output's errors.
    pub fn overwrite(&mut self, start: Start, bytes: &[u8]) -> io::Result<()> {
        let out = &mut self.0;
        let end = out.stream_position()?;
        out.seek(SeekFrom::Start(start.0))?;
        out.write_all(bytes)?;
        out.seek(SeekFrom::Start(end))?;
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The output's errors.
    pub fn finish(mut self) -> io::Result<W> {
        self.0.flush()?;
        Ok(self.0)
    }
}

/// Converts a count to the form of the formats.
///
/// # Errors
/// `InvalidInput` if the count does not fit 32 bits.
pub fn count_bytes(count: usize) -> io::Result<[u8; 4]> {
    let number =
        u32::try_from(count).map_err(|_| invalid(format!("{count} does not fit the format's 32 bits")))?;
    Ok(number.to_le_bytes())
}

/// Returns the error of a writer with invalid input.
pub fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}
