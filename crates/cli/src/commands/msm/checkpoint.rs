//! Checkpoints: the state of a stream, in a file from which a later run continues.
//!
//! The file has a line that identifies it, a line of JSON, and a line with the digest of both. BLAKE3 digests
//! identify the points and scalars consumed so far, so that other inputs are recognised. The remaining input may have
//! changed if its length is the same: the result is the sum over the files as they are.

use std::ops::Range;
use std::path::Path;

use blake3::Hasher;
use bucketwheel_dynamic::GroupError;
use bucketwheel_whole_file::WriteError;
use serde::{Deserialize, Serialize};

use super::input::Input;
use crate::error::{in_file, Error};
use crate::files::{self, Output};
use crate::format::ScalarsFile;
use crate::output::hexadecimal;

const VERSION: u32 = 1;
const MAGIC: &str = "bucketwheel checkpoint ";
/// Number of bytes that no checkpoint reaches.
const MAX_BYTES: u64 = 1 << 16;
const EXPECTED: &str = "a checkpoint or no file";

/// Reason to refuse a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file is not a checkpoint and must not be replaced.
    #[error("this is not a checkpoint: expected a file that `bucketwheel msm` has written, or no file; pass another path")]
    NotACheckpoint,
    /// The checkpoint has another version.
    #[error("checkpoint version {found}: expected version {VERSION}; continue with the program that wrote it, or remove the file")]
    Version {
        /// The version that the file names.
        found: String,
    },
    /// Bytes are missing or changed.
    #[error(
        "the checkpoint is incomplete or damaged: expected the digest of its content; remove the file to start again"
    )]
    Damaged,
    /// A sum is no point of its group, although the digest is right.
    #[error("the checkpoint's sum in {0}; remove the file to start again")]
    Sum(GroupError),
    /// The checkpoint belongs to another run.
    #[error("the checkpoint belongs to another run, whose {what} is {found}: expected {expected}; pass another path, or remove the file to start again")]
    OtherRun {
        /// Name of the property that differs.
        what: &'static str,
        /// The checkpoint's value of this property.
        found: String,
        /// This run's value of this property.
        expected: String,
    },
    /// The checkpoint belongs to other points or scalars.
    #[error("the checkpoint belongs to other {what}: expected the first {position} of the file; pass another path, or remove the file to start again")]
    OtherInputs {
        /// The inputs that differ: points or scalars.
        what: &'static str,
        /// Number of points that the checkpoint has consumed.
        position: usize,
    },
    /// The run has several MSMs.
    #[error("a checkpoint holds one MSM: pass one file of scalars, not {0}")]
    Several(usize),
}

/// Identity of a run, apart from the content of its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    curve: String,
    group: String,
    encoding: String,
    section: Option<String>,
    check: String,
    points: usize,
}

impl Run {
    /// Returns the run over this input.
    pub fn new(input: &Input<'_>, check: String) -> Self {
        Run {
            curve: input.curve.to_string(),
            group: input.group.to_string(),
            encoding: input.format.to_string(),
            section: input.section.map(|section| section.to_string()),
            check,
            points: input.count,
        }
    }

    /// Returns the name and value of each property.
    fn properties(&self) -> [(&'static str, String); 6] {
        let section = self.section.clone().unwrap_or_else(|| "none".into());
        [
            ("curve", self.curve.clone()),
            ("group", self.group.clone()),
            ("encoding", self.encoding.clone()),
            ("section", section),
            ("check", self.check.clone()),
            ("number of points", self.points.to_string()),
        ]
    }

    /// Checks that a checkpoint belongs to this run.
    fn check(&self, found: &Run) -> Result<(), CheckpointError> {
        for ((what, expected), (_, found)) in self.properties().into_iter().zip(found.properties()) {
            if expected != found {
                return Err(CheckpointError::OtherRun { what, found, expected });
            }
        }
        Ok(())
    }
}

/// Digests of the consumed inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digests {
    /// Digests of the points of each group.
    points: Vec<String>,
    scalars: String,
}

/// Hashers of the consumed inputs, for their [`Digests`].
pub struct Hashers {
    points: Vec<Hasher>,
    scalars: Hasher,
}

impl Hashers {
    /// Returns hashers for this number of groups, before any input.
    pub fn new(groups: usize) -> Self {
        Hashers { points: vec![Hasher::new(); groups], scalars: Hasher::new() }
    }

    /// Consumes some points and scalars.
    pub fn consume(&mut self, input: &Input<'_>, scalars: &ScalarsFile<'_>, range: &Range<usize>) {
        for (body, hasher) in self.points.iter_mut().enumerate() {
            hasher.update(input.bytes(body, range));
        }
        self.scalars.update(scalars.bytes(range));
    }

    /// Returns the digests of all consumed inputs.
    pub fn digests(&self) -> Digests {
        let digest = |hasher: &Hasher| hasher.finalize().to_string();
        Digests { points: self.points.iter().map(digest).collect(), scalars: digest(&self.scalars) }
    }
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    run: Run,
    /// Number of consumed points.
    pub position: usize,
    digests: Digests,
    /// Sums of these points in hexadecimal, as in a points file.
    sums: String,
}

impl Checkpoint {
    /// Returns the state after `position` points.
    pub fn new(run: Run, position: usize, digests: Digests, sums: &[u8]) -> Self {
        Checkpoint { run, position, digests, sums: hexadecimal(sums) }
    }

    /// Returns the bytes of the sums.
    pub fn sums(&self) -> Option<Vec<u8>> {
        let digits: Option<Vec<u8>> =
            self.sums.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
        digits.map(|digits| {
            digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect()
        })
    }

    /// Checks that the state belongs to this run.
    ///
    /// # Errors
    /// [`CheckpointError::OtherRun`].
    pub fn check_run(&self, run: &Run) -> Result<(), CheckpointError> {
        run.check(&self.run)
    }

    /// Checks that the state belongs to the consumed inputs.
    ///
    /// # Errors
    /// [`CheckpointError::OtherInputs`].
    pub fn check_digests(&self, digests: &Digests) -> Result<(), CheckpointError> {
        let other = |what| Err(CheckpointError::OtherInputs { what, position: self.position });
        match (self.digests.points == digests.points, self.digests.scalars == digests.scalars) {
            (false, _) => other("points"),
            (_, false) => other("scalars"),
            _ => Ok(()),
        }
    }

    /// Returns the content of the file.
    ///
    /// # Errors
    /// Never fails, because the state is plain data.
    pub fn encode(&self) -> Result<Vec<u8>, std::io::Error> {
        let text = format!("{MAGIC}{VERSION}\n{}\n", serde_json::to_string(self)?);
        let digest = blake3::hash(text.as_bytes());
        Ok(format!("{text}{digest}\n").into_bytes())
    }

    /// Reads a file's content.
    ///
    /// # Errors
    /// If the content is not a checkpoint, has another version, or is damaged.
    pub fn decode(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let text = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(CheckpointError::NotACheckpoint)?;
        let mut lines = text.split(|&byte| byte == b'\n');
        let version = lines.next().unwrap_or_default();
        if version != VERSION.to_string().as_bytes() {
            let found = String::from_utf8_lossy(version).chars().take(10).collect();
            return Err(CheckpointError::Version { found });
        }
        let json = lines.next().ok_or(CheckpointError::Damaged)?;
        let checkpoint: Checkpoint = serde_json::from_slice(json).map_err(|_| CheckpointError::Damaged)?;
        // The content, including its digest, follows from the data that was read.
        match checkpoint.encode() {
            Ok(encoded) if encoded == bytes && checkpoint.position <= checkpoint.run.points => Ok(checkpoint),
            _ => Err(CheckpointError::Damaged),
        }
    }

    /// Reads the file; returns `None` if the file does not exist.
    ///
    /// # Errors
    /// If the file cannot be read or is not a checkpoint.
    pub fn load(path: &Path) -> Result<Option<Self>, Error> {
        let refuse = in_file(path);
        let unreadable = |source| Error::Unreadable { path: path.into(), expected: EXPECTED, source };
        match path.metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(error)),
            Ok(metadata) if !metadata.is_file() => return Err(Error::NotReplaceable(path.into())),
            Ok(metadata) if metadata.len() > MAX_BYTES => {
                return Err(refuse(CheckpointError::NotACheckpoint))
            }
            Ok(_) => {}
        }
        let bytes = files::read(path, MAX_BYTES as usize, EXPECTED)?;
        Self::decode(&bytes).map(Some).map_err(refuse)
    }

    /// Writes the file, which only its owner may read.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let mut output = Output::create_private(path)?;
        let bytes = self.encode().map_err(|source| WriteError { path: path.into(), source })?;
        output.write(&bytes)?;
        Ok(output.finish_durably()?)
    }
}
