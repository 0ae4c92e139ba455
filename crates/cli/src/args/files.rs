//! The files of every command.

use std::path::{Path, PathBuf};

use super::groth16::{WitnessCommand, ZkeyCommand};
use super::hardware::MsmacCommand;
use super::{Command, ImportCommand};

/// What a command reads and what it writes, by name.
#[derive(Debug, Default)]
pub struct Files<'a> {
    /// The files it reads; of a command that writes none, none.
    pub inputs: Vec<&'a Path>,
    /// The files it writes.
    pub outputs: Vec<&'a Path>,
}

impl Command {
    /// The files, among them the profile of this machine, if there may be one.
    pub fn files<'a>(&'a self, profile: Option<&'a Path>) -> Files<'a> {
        let files = match self {
            Command::Generate(args) => Files::new([], [&args.points, &args.scalars]),
            Command::Msm(args) => {
                let inputs = [&args.points].into_iter().chain(&args.scalars);
                Files::new(inputs, &args.stream.checkpoint)
            }
            Command::Table(args) => Files::new([&args.points], [&args.out]),
            Command::Setup(args) => Files::new([&args.circuit], [&args.out].into_iter().chain(&args.vkey)),
            Command::Convert(args) => Files::new([&args.input], [&args.output]),
            Command::Prove(args) => {
                let outputs = [&args.proof, &args.public].into_iter().chain(&args.trace);
                Files::new([&args.key, &args.witness], outputs)
            }
            Command::Witness(args) => match (&args.what, &args.calculate) {
                (Some(WitnessCommand::Check(_)), _) | (None, None) => Files::default(),
                (Some(WitnessCommand::Calculate(args)), _) | (None, Some(args)) => {
                    Files::new([&args.circuit, &args.inputs], [&args.out])
                }
            },
            Command::Zkey(args) => match &args.what {
                ZkeyCommand::ExportVkey(args) => Files::new([&args.key], [&args.out]),
                ZkeyCommand::Info(_) | ZkeyCommand::Check(_) => Files::default(),
            },
            Command::Import(args) => match &args.what {
                ImportCommand::Jsnark(args) => {
                    Files::new([&args.circuit, &args.inputs], [&args.r1cs, &args.wtns])
                }
            },
            Command::Compare(args) => Files::new([], &args.plot),
            Command::Simulate(args) => Files::new([], args.plot.iter().chain(&args.vcd)),
            Command::Msmac(args) => match &args.what {
                MsmacCommand::Asm { text, out } => Files::new([text], [out]),
                MsmacCommand::Disasm { .. } | MsmacCommand::Program { .. } => Files::default(),
            },
            // What it reads is a part of what it writes.
            Command::Tune(_) => return Files { inputs: Vec::new(), outputs: profile.into_iter().collect() },
            Command::Check(_)
            | Command::Eip2537(_)
            | Command::Kzg(_)
            | Command::Verify(_)
            | Command::R1cs(_)
            | Command::Bench(_)
            | Command::Schedule(_)
            | Command::Info(_)
            | Command::Demo(_) => Files::default(),
        };
        let inputs = files.inputs.into_iter().chain(profile).collect();
        Files { inputs, ..files }
    }
}

impl<'a> Files<'a> {
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
