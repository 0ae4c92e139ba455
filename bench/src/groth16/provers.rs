//! The way to ask each prover for a proof.

use super::check::Products;
use super::kind::Prover;
use super::prove::{CommandReport, Report};
use super::workload::Workload;
use super::{arkworks, process};
use crate::child::{Server, build_go, build_go_by, run_tool};
use crate::files::{map, write_atomically};
use anyhow::{Context, Result, ensure};
use bucketwheel_groth16::file::Zkey;
use bucketwheel_groth16::{CurveId, snarkjs_name, with_pairing};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program that proves with go-rapidsnark; the tests of our library use it too.
const GO_RAPIDSNARK: &str = "../crates/rapidsnark/tests/go";

/// A proof in progress, as a function of a flag: true samples its memory.
pub type Job<'a> = Box<dyn FnMut(process::Watch) -> Result<Attempt> + 'a>;

/// Time and memory of a proof.
pub struct Attempt {
    /// Time of the process from its start to its end; for gnark, of its call alone.
    pub seconds: f64,
    /// Processor time of the process, in seconds.
    pub processor: Option<f64>,
    /// Peaks of the process's memory, if it was sampled.
    pub memory: Option<process::Peaks>,
    pub report: Report,
}

/// The programs that the provers of a run need, ready to run.
pub struct Programs {
    /// The folder of this executable.
    folder: PathBuf,
    this: PathBuf,
}

impl Programs {
    /// Compiles and installs the programs.
    pub fn new(provers: &[Prover]) -> Result<Self> {
        let this = std::env::current_exe()?;
        let folder = this.parent().context("no folder")?.to_owned();
        for prover in provers {
            match prover {
                Prover::Bucketwheel | Prover::Arkworks => {}
                Prover::Little => drop(build_command(&["--no-default-features"])?),
                Prover::Gnark => drop(build_go("gnark-groth16", "provers/gnark")?),
                Prover::Rapidsnark => drop(build_go("rapidsnark", "provers/rapidsnark")?),
                Prover::Snarkjs => install_snarkjs(&folder.join("snarkjs"))?,
                Prover::GoRapidsnark => drop(build_go("go-rapidsnark", GO_RAPIDSNARK)?),
                Prover::Relinked => drop(build_relinked(&folder.join("rapidsnark-library"))?),
            }
        }
        Ok(Self { folder, this })
    }

    /// Folder of keys in other forms.
    fn keys(&self) -> PathBuf {
        self.folder.join("bench-inputs")
    }

    /// Folder of proofs.
    pub fn products(&self) -> Products {
        Products { folder: self.folder.join("bench-proofs") }
    }

    /// Converts a workload to the forms that the provers read.
    pub fn prepare(&self, provers: &[Prover], workload: &Workload) -> Result<()> {
        if !provers.contains(&Prover::Arkworks) {
            return Ok(());
        }
        let file = map(&workload.key())?;
        let bytes = with_pairing!(workload.curve, E => {
            arkworks::Key::<E>::new(&Zkey::parse(&file)?, workload.constraints)?.to_bytes()?
        })?;
        write_atomically(&self.arkworks_key(), &bytes)
    }

    pub fn arkworks_key(&self) -> PathBuf {
        self.keys().join("groth16.arkworks")
    }

    /// Returns a prover that is ready to prove a prepared workload on these processors; `None` if it cannot.
    pub fn job<'a>(
        &self,
        prover: Prover,
        workload: &Workload,
        processors: &'a [usize],
        products: &Products,
    ) -> Result<Option<Job<'a>>> {
        let program: Vec<OsString> = match prover {
            Prover::Bucketwheel | Prover::Arkworks => {
                vec![self.this.clone().into(), "prove".into(), prover.to_string().into()]
            }
            Prover::Little => {
                let program = command_path().into();
                vec![
                    program,
                    "prove".into(),
                    "--memory".into(),
                    "0".into(),
                    "--json".into(),
                    "--threads".into(),
                ]
            }
            Prover::Gnark => return self.gnark(workload, processors, products),
            Prover::Rapidsnark | Prover::GoRapidsnark if workload.curve != CurveId::Bn254 => return Ok(None),
            Prover::Rapidsnark | Prover::GoRapidsnark | Prover::Relinked => {
                vec![self.folder.join(prover.to_string()).into()]
            }
            Prover::Snarkjs => vec!["node".into(), self.folder.join("snarkjs/prove.mjs").into()],
        };
        let key = if prover == Prover::Arkworks { self.arkworks_key() } else { workload.key() };
        let files = [key, workload.witness(), products.proof(), products.public()];
        Ok(Some(Box::new(move |watch| {
            let mut command = process::pinned(&program[0], processors);
            command.args(&program[1..]);
            let threads = processors.len().to_string();
            match prover {
                Prover::Little => command.arg(threads).args(&files),
                _ => command.args(&files).arg(threads),
            };
            let ended = process::run(&mut command, watch)?;
            let report = match prover {
                Prover::Little => serde_json::from_str::<CommandReport>(&ended.output).map(Report::from),
                _ => serde_json::from_str(&ended.output),
            };
            let report = report.context("unexpected output")?;
            Ok(Attempt {
                seconds: ended.elapsed.as_secs_f64(),
                processor: Some(ended.processor.as_secs_f64()),
                memory: ended.memory,
                report,
            })
        })))
    }

    /// Starts gnark with its key in memory, in one process for all proofs, because gnark takes longer to read the key
    /// than to prove.
    fn gnark<'a>(
        &self,
        workload: &Workload,
        processors: &[usize],
        products: &Products,
    ) -> Result<Option<Job<'a>>> {
        let Some(chain) = workload.chain()? else {
            return Ok(None);
        };
        std::fs::create_dir_all(self.keys())?;
        let mut command = process::pinned(self.folder.join("gnark-groth16"), processors);
        command
            .args([
                snarkjs_name(workload.curve),
                &chain.steps.to_string(),
                &chain.input.start,
                &chain.input.c,
            ])
            .args([self.keys(), products.proof(), products.public(), products.verifying_key()]);
        let mut server = Server::start(&mut command)?;
        ensure!(server.reply()? == "ready", "unexpected reply");
        Ok(Some(Box::new(move |_| {
            server.send(b"prove\n")?;
            let report: Report = serde_json::from_str(&server.reply()?).context("unexpected reply")?;
            Ok(Attempt { seconds: report.prove, processor: None, memory: None, report })
        })))
    }
}

/// Compiles our command with these options of cargo, and returns its path.
pub fn build_command(options: &[&str]) -> Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--quiet", "--package", "bucketwheel-cli"]).args(options);
    run_tool("cargo", cargo.current_dir(ROOT)).context("cannot build bucketwheel")?;
    Ok(command_path())
}

/// The folder of the project.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Returns the path of our command.
fn command_path() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(Path::new(ROOT).join("target"), PathBuf::from);
    target.join("release/bucketwheel")
}

/// Compiles the program with go-rapidsnark, as users do who change its link line, with our library in `folder`.
fn build_relinked(folder: &Path) -> Result<PathBuf> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tools/rapidsnark.sh");
    run_tool(script, Command::new(script).arg(folder))?;
    let library = folder.join("lib").display().to_string();
    let mut go = Command::new("go");
    go.env("CGO_CFLAGS", format!("-I{}", folder.join("include").display()));
    go.env("CGO_LDFLAGS", format!("-L{library} -Wl,-rpath,{library}"));
    build_go_by(&mut go, "relinked", GO_RAPIDSNARK, &["-tags", "dynamic"])
}

/// Installs the package in the versions of the lock file, unless it is installed.
pub fn install_snarkjs(folder: &Path) -> Result<()> {
    let lock = include_str!("../../provers/snarkjs/package-lock.json");
    let is_there = std::fs::read_to_string(folder.join("package-lock.json")).is_ok_and(|text| text == lock)
        && folder.join("node_modules/snarkjs").exists();
    let scripts: [(&str, &[u8]); 3] = [
        ("prove.mjs", include_bytes!("../../provers/snarkjs/prove.mjs")),
        ("ptau.mjs", include_bytes!("../../provers/snarkjs/ptau.mjs")),
        ("setup.mjs", include_bytes!("../../provers/snarkjs/setup.mjs")),
    ];
    for (name, script) in scripts {
        write_atomically(&folder.join(name), script)?;
    }
    if is_there {
        return Ok(());
    }
    write_atomically(&folder.join("package.json"), include_bytes!("../../provers/snarkjs/package.json"))?;
    write_atomically(&folder.join("package-lock.json"), lock.as_bytes())?;
    let arguments = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
    run_tool("npm", Command::new("npm").args(arguments).current_dir(folder)).context("cannot install snarkjs")
}
