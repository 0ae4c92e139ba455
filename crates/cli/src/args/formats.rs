//! The arguments of `convert`, `check`, `eip2537` and `kzg`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Subcommand, ValueEnum};

use super::shared::{curve, named, BackendArgs, CheckArg, OutputArgs, ThreadsArgs};
use super::shell::example;
use crate::format::{FormatId, Section, Wanted};
use bucketwheel::{CurveId, GroupId};
use bucketwheel_dynamic::precompile::Precompile;

/// A format; `None` if the file itself tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source(pub Option<FormatId>);

const AUTO: &str = "auto";

/// Returns a parser of formats and `auto`.
pub(super) fn source() -> impl TypedValueParser<Value = Source> {
    let names = [AUTO].into_iter().chain(FormatId::ALL.iter().map(|id| id.name()));
    PossibleValuesParser::new(names)
        .map(|text| Source(FormatId::ALL.iter().copied().find(|id| id.name() == text)))
}

/// The choice of points in a file, beside its format.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct WantedArgs {
    /// The curve, if the file does not name it
    #[arg(long, value_parser = curve())]
    pub curve: Option<CurveId>,
    /// The group, if the file does not name it or holds both groups
    #[arg(long, value_parser = named(&[GroupId::G1, GroupId::G2], GroupId::name))]
    pub group: Option<GroupId>,
    /// The section.
    #[command(flatten)]
    pub section: SectionArgs,
}

/// The choice of a section.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct SectionArgs {
    /// The section of a file that has several
    #[arg(id = "section", long = "section", value_name = "SECTION")]
    pub wanted: Option<Section>,
}

impl From<WantedArgs> for Wanted {
    fn from(WantedArgs { curve, group, section }: WantedArgs) -> Self {
        Wanted { curve, group, section: section.wanted }
    }
}

/// Arguments of `convert`.
#[derive(Debug, clap::Args)]
pub struct ConvertArgs {
    /// The input's format
    #[arg(long, value_name = "FORMAT", default_value = AUTO, value_parser = source())]
    pub from: Source,
    /// The output's format
    #[arg(long, value_name = "FORMAT")]
    pub to: FormatId,
    /// The points.
    #[command(flatten)]
    pub points: WantedArgs,
    /// The section to write, for ptau and kzg [default: the first one of the group]
    #[arg(long, value_name = "SECTION")]
    pub to_section: Option<Section>,
    /// Check every point
    #[arg(long, value_name = "CHECK", default_value = "curve")]
    pub check: CheckArg,
    /// The threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// The file to read
    pub input: PathBuf,
    /// The file to write
    pub output: PathBuf,
}

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// The file's format
    #[arg(long, value_name = "FORMAT", default_value = AUTO, value_parser = source())]
    pub encoding: Source,
    /// The points.
    #[command(flatten)]
    pub points: WantedArgs,
    /// Also check that points are in the prime-order subgroup
    #[arg(long)]
    pub subgroup: bool,
    /// The threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// The form of the output.
    #[command(flatten)]
    pub output: OutputArgs,
    /// The file to read
    pub file: PathBuf,
}

/// Arguments of `eip2537`.
#[derive(Debug, clap::Args)]
pub struct Eip2537Args {
    /// The precompile
    pub operation: Operation,
    /// A file with the input in hexadecimal, with or without 0x [default: standard input]
    pub file: Option<PathBuf>,
}

/// Ethereum's precompiles for sums on BLS12-381.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Operation {
    /// Compute a multi-scalar multiplication in G1
    #[value(name = "g1msm")]
    G1Msm,
    /// Compute a multi-scalar multiplication in G2
    #[value(name = "g2msm")]
    G2Msm,
    /// Add two points of the curve of G1
    #[value(name = "g1add")]
    G1Add,
    /// Add two points of the curve of G2
    #[value(name = "g2add")]
    G2Add,
}

impl Operation {
    /// Returns the precompile.
    pub fn precompile(self) -> Precompile {
        match self {
            Operation::G1Msm => Precompile::G1Msm,
            Operation::G2Msm => Precompile::G2Msm,
            Operation::G1Add => Precompile::G1Add,
            Operation::G2Add => Precompile::G2Add,
        }
    }
}

/// Commands on a blob.
#[derive(Debug, Subcommand)]
pub enum KzgCommand {
    /// Print the commitment to each blob, one per line
    #[command(after_help = example(&["kzg commit blob.bin"]))]
    Commit(CommitArgs),
}

/// Arguments of `kzg commit`.
#[derive(Debug, clap::Args)]
pub struct CommitArgs {
    /// Blobs, each 4096 field elements of 32 bytes, the most significant byte first
    #[arg(required = true, value_name = "BLOB")]
    pub blobs: Vec<PathBuf>,
    /// A set-up as text of c-kzg or as JSON of the consensus specification [default: Ethereum's]
    #[arg(long, value_name = "FILE")]
    pub setup: Option<PathBuf>,
    /// The backend.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// The threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
}
