//! The files of every command.

use std::path::{Path, PathBuf};

use super::export::{WitnessExport, ZkeyExport};
use super::formats::KzgCommand;
use super::groth16::{R1csCommand, WitnessCommand, ZkeyCommand};
use super::hardware::MsmacCommand;
use super::{Command, ImportCommand, ProveFiles};
use crate::files::is_stream;

/// Every file that the arguments of a command name, as inputs and outputs.
#[derive(Debug, Default)]
pub struct Files<'a> {
    /// The files that the command reads.
    pub inputs: Vec<&'a Path>,
    /// The files that the command writes.
    pub outputs: Vec<&'a Path>,
}

impl Command {
    /// Returns the files, including the profile of this machine if it may exist.
    pub fn files<'a>(&'a self, profile: Option<&'a Path>) -> Files<'a> {
        let files = match self {
            Command::Generate(args) => Files::new([], [&args.points, &args.scalars]),
            Command::Msm(args) => {
                let inputs = [&args.points].into_iter().chain(&args.scalars);
                Files::new(inputs, &args.stream.checkpoint)
            }
            Command::Table(args) => Files::new([&args.points], [&args.out]),
            Command::Setup(args) => {
                Files::new([&args.circuit.path], [&args.out].into_iter().chain(&args.vkey))
            }
            Command::Convert(args) => Files::new([&args.input], [&args.output]),
            Command::Prove(args) => {
                let ProveFiles { witness, proof, public } = &args.files;
                let inputs = [&args.key.path].into_iter().chain(witness.paths());
                Files::new(inputs, [proof, public].into_iter().chain(&args.trace))
            }
            Command::Check(args) => Files::new([&args.file], []),
            Command::Eip2537(args) => Files::new(&args.file, []),
            Command::Kzg(KzgCommand::Commit(args)) => Files::new(args.blobs.iter().chain(&args.setup), []),
            Command::Verify(args) => {
                Files::new([&args.key, &args.public, &args.proof].into_iter().chain(&args.more), [])
            }
            Command::R1cs(R1csCommand::Info(args)) => Files::new([&args.circuit.path], []),
            Command::Demo(args) => Files::new(&args.data, []),
            Command::Witness(args) => match (&args.what, &args.calculate) {
                (Some(WitnessCommand::Check(args)), _) => {
                    let files = [&args.circuit.path, &args.witness.path];
                    Files::new(files.into_iter().chain(&args.symbols.path), [])
                }
                (
                    Some(
                        WitnessCommand::ExportJson(args) | WitnessCommand::Export(WitnessExport::Json(args)),
                    ),
                    _,
                ) => Files::new([&args.witness.path], [&args.out]),
                (None, None) => Files::default(),
                (Some(WitnessCommand::Calculate(args)), _) | (None, Some(args)) => {
                    let inputs = [&args.circuit, &args.inputs].into_iter().chain(&args.sym);
                    Files::new(inputs, [&args.out])
                }
            },
            // The list may name many files; the server writes none of them.
            Command::Serve(args) => Files::new([&args.circuits].into_iter().chain(&args.token_file), []),
            Command::Zkey(ZkeyCommand::ExportVkey(args) | ZkeyCommand::Export(ZkeyExport::Vkey(args))) => {
                Files::new([&args.key], [&args.out])
            }
            Command::Zkey(
                ZkeyCommand::ExportSolidity(args) | ZkeyCommand::Export(ZkeyExport::Solidity(args)),
            ) => Files::new([&args.key], [&args.out]),
            Command::Zkey(
                ZkeyCommand::ExportCalldata(args) | ZkeyCommand::Export(ZkeyExport::Calldata(args)),
            ) => Files::new([&args.public, &args.proof], []),
            Command::Zkey(ZkeyCommand::Info(args)) => Files::new([&args.key.path], []),
            Command::Zkey(ZkeyCommand::Check(args)) => {
                Files::new([&args.key.path].into_iter().chain(&args.r1cs).chain(&args.ptau), [])
            }
            Command::Import(ImportCommand::Jsnark(args)) => {
                Files::new([&args.circuit, &args.inputs], [&args.r1cs, &args.wtns])
            }
            Command::Compare(args) => Files::new([], &args.plot),
            Command::Simulate(args) => Files::new([], args.plot.iter().chain(&args.vcd)),
            Command::Explore(args) => Files::new([], &args.plot),
            Command::Msmac(MsmacCommand::Asm { text, out }) => Files::new([text], [out]),
            Command::Msmac(MsmacCommand::Disasm { program }) => Files::new([program], []),
            Command::Msmac(MsmacCommand::Program { .. }) => Files::default(),
            // `tune` reads a part of the file that it writes.
            Command::Tune(_) => return Files { inputs: Vec::new(), outputs: profile.into_iter().collect() },
            Command::Bench(_)
            | Command::Schedule(_)
            | Command::Cluster(_)
            | Command::Info(_)
            | Command::Completions(_) => Files::default(),
            Command::Man(args) => Files::new([], [&args.folder]),
        };
        let inputs = files.inputs.into_iter().chain(profile).collect();
        Files { inputs, ..files }
    }
}

impl Command {
    /// Returns two flags: one input may be standard input, and one output may be standard output.
    fn streams(&self) -> [bool; 2] {
        match self {
            Command::Convert(_) | Command::Prove(_) | Command::Witness(_) => [true, true],
            Command::Msm(_)
            | Command::Verify(_)
            | Command::Check(_)
            | Command::Eip2537(_)
            | Command::Kzg(_) => [true, false],
            _ => [false, false],
        }
    }
}

/// A `-` in a wrong place.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The command does not read standard input here, or does not write this output to standard output.
    #[error("`-` cannot be an {0} here: pass the path of a file, and ./- for a file of this name")]
    Impossible(&'static str),
    /// Several paths are `-`, but there is only one stream.
    #[error("{count} {what}s are `-`: expected one at most, pass the paths of files for the others")]
    Several {
        /// "input" or "output".
        what: &'static str,
        /// Number of paths that are `-`.
        count: usize,
    },
}

impl<'a> Files<'a> {
    /// Removes each `-`. Returns true if an output is standard output.
    ///
    /// # Errors
    /// If a `-` is in a wrong place.
    pub fn take_streams(&mut self, command: &Command) -> Result<bool, StreamError> {
        let [reads, writes] = command.streams();
        take_stream(&mut self.inputs, "input", reads)?;
        take_stream(&mut self.outputs, "output", writes)
    }

    fn new(
        inputs: impl IntoIterator<Item = &'a PathBuf>,
        outputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Self {
        let paths = |path: &'a PathBuf| path.as_path();
        Files {
            inputs: inputs.into_iter().map(paths).collect(),
            outputs: outputs.into_iter().map(paths).collect(),
        }
    }
}

/// Removes `-` from the paths. Returns true if it was there.
fn take_stream(paths: &mut Vec<&Path>, what: &'static str, is_possible: bool) -> Result<bool, StreamError> {
    let all = paths.len();
    paths.retain(|path| !is_stream(path));
    match all - paths.len() {
        0 => Ok(false),
        _ if !is_possible => Err(StreamError::Impossible(what)),
        1 => Ok(true),
        count => Err(StreamError::Several { what, count }),
    }
}
