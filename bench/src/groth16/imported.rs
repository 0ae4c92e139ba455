//! Workloads from circuits of jsnark: imported, with a key.

use super::process;
use super::setup::NoProgress;
use super::workload::{self, Workload};
use crate::files::map;
use anyhow::{Context, Result, bail};
use bucketwheel::Cancel;
use bucketwheel_circuit::setup::{import_jsnark, setup as make_setup};
use bucketwheel_groth16::CurveId;
use bucketwheel_groth16::file::R1cs;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A workload with its own folder, which is deleted when the workload is dropped, because keys are large.
pub struct Imported {
    pub workload: Workload,
    /// Seconds to make the key, on all processors.
    pub setup: f64,
}

impl Drop for Imported {
    fn drop(&mut self) {
        // The next run overwrites leftovers.
        let _ = fs::remove_dir_all(&self.workload.folder);
    }
}

/// The circuit NAME.arith with the inputs NAME.in of a folder, or NAME.arith.xz and NAME.in.xz, over BLS12-381.
pub fn jsnark(folder: &Path, name: &str) -> Result<Imported> {
    let read = |extension: &str| read(&folder.join(format!("{name}.{extension}")));
    import(name, &read("arith")?, &read("in")?)
}

/// Makes a chain of multiplications, x <- x^2 + c, of all constraints that fit 2^`log_size` rows. Its values are as
/// long as the field, as in libsnark's profile.
pub fn chain(log_size: u32) -> Result<Imported> {
    // Each multiplication takes two wires; rows also bind the constant, the output and its wire.
    let steps = 2_usize.pow(log_size) - 3;
    let mut circuit = format!("total {}\nnizkinput 0\nnizkinput 1\n", 2 + 2 * steps);
    let mut x = 0;
    for square in (2..).step_by(2).take(steps) {
        writeln!(circuit, "mul in 2 <{x} {x}> out 1 <{square}>")?;
        x = square + 1;
        writeln!(circuit, "add in 2 <{square} 1> out 1 <{x}>")?;
    }
    writeln!(circuit, "output {x}")?;
    import(&format!("profile-{log_size}"), circuit.as_bytes(), b"0 3\n1 5\n")
}

/// Writes a workload beside this executable.
fn import(name: &str, circuit: &[u8], inputs: &[u8]) -> Result<Imported> {
    let folders = std::env::current_exe()?.with_file_name("bench-inputs").join("reproduce");
    let folder = folders.join(name);
    fs::create_dir_all(&folder)?;
    let create = |file: &str| Ok::<_, anyhow::Error>(BufWriter::new(File::create(folder.join(file))?));
    let (cancel, curve) = (Cancel::new(), CurveId::Bls12_381);
    let mut r1cs = create("circuit.r1cs")?;
    let imported = import_jsnark(curve, circuit, inputs, &mut r1cs, &cancel, &NoProgress)??;
    drop(r1cs);
    imported.write_wtns(&mut create("witness.wtns")?)?;
    drop(imported);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(process::processors()?.len()).build()?;
    let setup = pool.install(|| -> Result<f64> {
        let (start, file) = (Instant::now(), map(&folder.join("circuit.r1cs"))?);
        let setup = make_setup(R1cs::parse(&file)?, None)?;
        setup.write_zkey(&mut create("circuit.zkey")?, &cancel, &NoProgress)?;
        Ok(start.elapsed().as_secs_f64())
    })?;
    Ok(Imported { workload: workload::find(&folders, &[name.to_owned()])?.remove(0), setup })
}

/// Reads a file, or the same file compressed by xz.
fn read(path: &Path) -> Result<Vec<u8>> {
    if path.exists() {
        return fs::read(path).with_context(|| path.display().to_string());
    }
    let compressed = PathBuf::from(path).with_added_extension("xz");
    if !compressed.exists() {
        bail!("neither {} nor {} is there", path.display(), compressed.display());
    }
    let output = Command::new("xz").arg("-dc").arg(&compressed).output().context("cannot run xz")?;
    crate::child::check(&output).with_context(|| compressed.display().to_string())?;
    Ok(output.stdout)
}
