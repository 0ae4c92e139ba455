//! Times provers over arkworks with arkworks' sums and with ours, interleaved, and compares their proofs, byte by byte.
//!
//! `cargo run --release -- --help` lists the options; `../README.md` explains the columns.

mod case;
mod files;
mod groth16;
mod kzg;
mod sums;
mod taceo;
mod times;

use anyhow::{Result, ensure};
use clap::{Parser, ValueEnum};

use case::Case;
use times::{median, timed};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Prover {
    /// ark-groth16 0.4 on BN254
    #[value(name = "ark-groth16-0.4")]
    Groth16V04,
    /// ark-groth16 0.5 on BN254
    #[value(name = "ark-groth16-0.5")]
    Groth16V05,
    /// ark-groth16 0.6 on BN254
    #[value(name = "ark-groth16-0.6")]
    Groth16V06,
    /// taceo-groth16 0.2.0 on BN254
    #[value(name = "taceo-groth16-0.2.0")]
    Taceo,
    /// KZG10 of ark-poly-commit 0.6 on BLS12-381
    #[value(name = "kzg10-0.6")]
    Kzg,
}

impl Prover {
    fn name(self) -> String {
        self.to_possible_value().expect("a value that is listed").get_name().to_owned()
    }

    /// Returns the case of 2^`log_size` coefficients, or of a circuit whose domain has this size.
    fn case(self, log_size: u32) -> Result<Box<dyn Case>> {
        let constraints = (1 << log_size) - 2;
        Ok(match self {
            Prover::Groth16V04 => Box::new(groth16::v0_4::Chained::new(constraints)?),
            Prover::Groth16V05 => Box::new(groth16::v0_5::Chained::new(constraints)?),
            Prover::Groth16V06 => Box::new(groth16::v0_6::Chained::new(constraints)?),
            Prover::Taceo => Box::new(taceo::Taceo::new(constraints)?),
            Prover::Kzg => Box::new(kzg::Kzg::new(1 << log_size)?),
        })
    }
}

/// Times provers over arkworks with arkworks' sums and with Bucketwheel's.
#[derive(Parser)]
struct Args {
    /// Provers
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Prover::value_variants().to_vec())]
    provers: Vec<Prover>,
    /// Binary logarithms of the numbers of constraints or coefficients
    #[arg(long, value_delimiter = ',', default_values_t = [14, 16, 18], value_parser = clap::value_parser!(u32).range(3..=24))]
    log_sizes: Vec<u32>,
    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2])]
    threads: Vec<usize>,
    /// Interleaved runs; 0 makes the keys and times nothing
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Times no provers, but sums over few points, with the first number of threads
    #[arg(long)]
    sums: bool,
    /// Parts of the names of sums: "0.6", "BN254 G1", "msm_unchecked"
    #[arg(long, value_delimiter = ',', requires = "sums")]
    filter: Vec<String>,
    /// Numbers of points
    #[arg(long, value_delimiter = ',', default_values_t = SIZES, requires = "sums")]
    sizes: Vec<usize>,
}

const SIZES: [usize; 19] = [1, 2, 3, 4, 5, 6, 8, 11, 12, 15, 16, 24, 32, 33, 48, 64, 96, 128, 256];

/// Seconds of each run.
#[derive(Default)]
struct Times {
    original: Vec<f64>,
    sums: Vec<f64>,
    ours: Vec<f64>,
    prepared: Vec<f64>,
}

/// Makes all proofs in turn, and compares them.
fn measure(case: &dyn Case, runs: usize) -> Result<(Times, f64)> {
    let (mut times, mut preparation) = (Times::default(), Vec::new());
    let prepared = timed(&mut preparation, || case.prepare());
    for _ in 0..runs {
        let original = timed(&mut times.original, || case.original());
        timed(&mut times.sums, || case.sums());
        let ours = timed(&mut times.ours, || case.ours());
        ensure!(ours == original, "the proofs of both types differ");
        let ours = timed(&mut times.prepared, || prepared.scope(|| case.ours()));
        ensure!(ours == original, "the proofs of prepared points differ");
        ensure!(case.verifies(&ours), "a proof is not valid");
    }
    Ok((times, preparation[0]))
}

fn main() -> Result<()> {
    let args = Args::parse();
    if args.sums {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads[0]).build()?;
        pool.install(|| sums::print(&args.filter, &args.sizes, args.runs));
        return Ok(());
    }
    println!(
        "| prover | size | threads | arkworks | sums in it | share | ours | factor | prepared | factor | preparation |"
    );
    println!("|:---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for &prover in &args.provers {
        for &log_size in &args.log_sizes {
            let case = prover.case(log_size)?;
            for &threads in args.threads.iter().filter(|_| args.runs > 0) {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
                let (mut times, preparation) = pool.install(|| measure(&*case, args.runs))?;
                let [original, sums, ours, prepared] =
                    [&mut times.original, &mut times.sums, &mut times.ours, &mut times.prepared]
                        .map(|times| median(times));
                let milliseconds = |seconds: f64| format!("{:.0} ms", seconds * 1e3);
                println!(
                    "| {} | 2^{log_size} | {threads} | {} | {} | {:.0} % | {} | {:.2} | {} | {:.2} | {} |",
                    prover.name(),
                    milliseconds(original),
                    milliseconds(sums),
                    100.0 * sums / original,
                    milliseconds(ours),
                    original / ours,
                    milliseconds(prepared),
                    original / prepared,
                    milliseconds(preparation),
                );
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `measure` compares all proofs, and verifies them.
    #[test]
    fn proofs_of_all_provers_are_equal_and_valid() {
        for &prover in Prover::value_variants() {
            for log_size in [3, 9] {
                let (times, _) = measure(&*prover.case(log_size).unwrap(), 1).unwrap();
                assert_eq!(times.prepared.len(), 1, "{prover:?}");
            }
        }
    }

    #[test]
    fn a_damaged_proof_is_not_valid() {
        for &prover in Prover::value_variants() {
            let (case, other) = (prover.case(4).unwrap(), prover.case(5).unwrap());
            assert!(!case.verifies(&other.original()), "{prover:?}");
        }
    }
}
