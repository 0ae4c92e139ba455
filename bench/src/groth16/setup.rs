//! Development keys of the same circuits by our program and by snarkjs.

use super::process;
use super::provers::install_snarkjs;
use crate::args::{MakeKeyArgs, SetupArgs};
use crate::child::run_tool;
use crate::files::{map, write_atomically};
use crate::stats::Spread;
use anyhow::{Context, Result, ensure};
use bucketwheel::{Cancel, Progress};
use bucketwheel_groth16::file::{R1cs, Zkey};
use bucketwheel_groth16::setup::Setup;
use bucketwheel_groth16::{snarkjs_name, with_pairing};
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::Command;

const REPETITIONS: usize = 3;

/// Factor by which ours must be faster.
const REQUIRED: f64 = 10.0;

/// Makes the keys of all circuits, in turn.
pub fn setup(args: &SetupArgs) -> Result<()> {
    let processors = process::processors()?;
    let tools = Tools::new()?;
    let mut table = String::from(
        "| workload | constraints | threads | bucketwheel, s | snarkjs, s | ratio |\n|---|---:|---:|---:|---:|---:|\n",
    );
    print!("{table}");
    for name in &args.workloads {
        let circuit = args.folder.join(name).join("circuit.r1cs");
        let power = tools.powers_of_tau(&circuit).with_context(|| name.clone())?;
        for &threads in &args.threads {
            ensure!(
                threads <= processors.len(),
                "{threads} threads on {} processors: expected fewer",
                processors.len()
            );
            let row = tools.measure(name, &circuit, &power, &processors[..threads]);
            let row = row.with_context(|| name.clone())?;
            print!("{row}");
            table += &row;
        }
    }
    write_atomically(&args.out.join("setup.md"), table.as_bytes())
}

/// Makes one key: `setup` runs this.
pub fn make_key(args: &MakeKeyArgs) -> Result<()> {
    let file = map(&args.circuit)?;
    let circuit = R1cs::parse(&file)?;
    let out = BufWriter::new(File::create(&args.key)?);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    pool.install(|| {
        with_pairing!(circuit.header.curve, E => {
            Setup::<E>::new(circuit)?.write_zkey(out, &Cancel::new(), &NoProgress)?;
        })?;
        Ok(())
    })
}

pub struct NoProgress;

impl Progress for NoProgress {
    fn report(&self, _: usize, _: usize) {}
}

struct Tools {
    this: PathBuf,
    snarkjs: PathBuf,
    /// Folder of powers of tau.
    inputs: PathBuf,
    /// File of the key.
    key: PathBuf,
}

impl Tools {
    fn new() -> Result<Self> {
        let this = std::env::current_exe()?;
        let folder = this.parent().context("no folder")?;
        let (snarkjs, inputs) = (folder.join("snarkjs"), folder.join("bench-inputs"));
        install_snarkjs(&snarkjs)?;
        fs::create_dir_all(&inputs)?;
        let key = folder.join("bench-proofs").join("setup.zkey");
        fs::create_dir_all(key.parent().context("no folder")?)?;
        Ok(Self { this, snarkjs, inputs, key })
    }

    fn snarkjs(&self, script: &str) -> Vec<PathBuf> {
        vec!["node".into(), self.snarkjs.join(script)]
    }

    /// Runs the first phase of snarkjs' ceremony for this circuit, once, because it takes minutes.
    fn powers_of_tau(&self, circuit: &Path) -> Result<PathBuf> {
        let file = map(circuit)?;
        let header = R1cs::parse(&file)?.header;
        let (curve, power) = (snarkjs_name(header.curve), header.domain_size().ilog2());
        let path = self.inputs.join(format!("{curve}-{power}.ptau"));
        if !path.exists() {
            let temporary = path.with_extension("tmp");
            let mut command = Command::new("node");
            command.arg(self.snarkjs.join("ptau.mjs")).args([curve, &power.to_string()]).arg(&temporary);
            run_tool("node", &mut command).context("cannot make powers of tau")?;
            fs::rename(&temporary, &path)?;
        }
        Ok(path)
    }

    /// Runs both programs in turn, after a round to warm up.
    fn measure(&self, name: &str, circuit: &Path, power: &Path, processors: &[usize]) -> Result<String> {
        let threads = processors.len();
        let ours = vec![self.this.clone(), "make-key".into(), circuit.into(), self.key.clone()];
        let theirs =
            [self.snarkjs("setup.mjs"), vec![circuit.into(), power.into(), self.key.clone()]].concat();
        let mut seconds = [Vec::new(), Vec::new()];
        let mut constraints = 0;
        for round in 0..=REPETITIONS {
            for (command, seconds) in [&ours, &theirs].into_iter().zip(&mut seconds) {
                let mut process = process::pinned(&command[0], processors);
                let ended =
                    process::run(process.args(&command[1..]).arg(threads.to_string()), process::Watch::Time)?;
                constraints = self.check(circuit)?;
                if round > 0 {
                    seconds.push(ended.elapsed.as_secs_f64());
                }
            }
        }
        let [ours, theirs] = seconds.map(|seconds| Spread::range(seconds).median);
        let ratio = theirs / ours;
        let mark = if ratio < REQUIRED { "**" } else { "" };
        Ok(format!(
            "| {name} | {constraints} | {threads} | {ours:.3} | {theirs:.3} | {mark}{ratio:.1}{mark} |\n"
        ))
    }

    /// Checks that the key belongs to the circuit; returns its number of constraints.
    fn check(&self, circuit: &Path) -> Result<usize> {
        let (file, key) = (map(circuit)?, map(&self.key)?);
        let header = R1cs::parse(&file)?.header;
        let counts = with_pairing!(header.curve, E => {
            let header = Zkey::<E>::parse(&key)?.header;
            (header.signals, header.public, header.domain_size)
        })?;
        let expected = (header.wires, header.public(), header.domain_size());
        ensure!(
            counts == expected,
            "the key has {counts:?} signals, public ones, rows: expected {expected:?}"
        );
        fs::remove_file(&self.key)?;
        Ok(header.constraints)
    }
}
