//! libsnark's own programs, which make a key, a proof and its verification: libsnark's, and AVX-ZK's.

use crate::child::check;
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// A program of libsnark, and its circuit.
pub enum Program<'a> {
    /// The profile of 2^`log_size` constraints, with the public inputs of AVX-ZK's own `bench.py`.
    Profile { log_size: u32 },
    /// The circuit of jsnark NAME.arith with the inputs NAME.in of a folder.
    Circuit { folder: &'a Path, name: &'a str },
}

/// Returns the seconds of the prover's call, in one run of a program of this folder; `None` if the folder lacks the
/// program.
pub fn seconds_of(folder: &Path, program: &Program) -> Result<Option<f64>> {
    let name = match program {
        Program::Profile { .. } => "profile_r1cs_gg_ppzksnark",
        Program::Circuit { .. } => "run_ppzksnark",
    };
    let path = folder.join(name);
    if !path.exists() {
        return Ok(None);
    }
    let mut command = Command::new(&path);
    // AVX-ZK's sums ask for 16 threads on every CPU. The tables are for one thread.
    command.env("OMP_THREAD_LIMIT", "1");
    match *program {
        Program::Profile { log_size } => {
            let (constraints, bytes) = (1_u64 << log_size, 1_u64 << (log_size - 2));
            command.args([constraints.to_string(), bytes.to_string()]).arg("bytes")
        }
        Program::Circuit { folder, name } => {
            let file = |extension| folder.join(format!("{name}.{extension}"));
            command.arg("gg").args([file("arith"), file("in")])
        }
    };
    let output = command.output().with_context(|| format!("cannot run {}", path.display()))?;
    check(&output)?;
    parse(&String::from_utf8_lossy(&output.stdout)).map(Some)
}

/// Parses the line of the prover's call, if the proof was verified.
fn parse(output: &str) -> Result<f64> {
    ensure!(output.contains("The verification result is: PASS"), "the proof was not verified");
    let seconds = output.lines().find_map(|line| {
        let (_, rest) = line.split_once("(leave) Call to r1cs_gg_ppzksnark_prover")?;
        rest.split_once('[')?.1.split_once('s')?.0.trim().parse().ok()
    });
    seconds.context("no line of the prover's seconds")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "    (leave) Call to r1cs_gg_ppzksnark_prover   \t[1.2709s x0.97]\t(19.6462s x1.00 from start)\n\
                          * The verification result is: PASS\n";

    #[test]
    fn the_time_of_the_prover_is_found() {
        assert_eq!(parse(OUTPUT).unwrap(), 1.2709);
        let failed = parse(&OUTPUT.replace("PASS", "FAIL")).unwrap_err();
        assert_eq!(failed.to_string(), "the proof was not verified");
        assert!(parse("* The verification result is: PASS\n").is_err());
    }
}
