//! Ethereum's precompiles for sums on BLS12-381 (EIP-2537), from the bytes of a call to the bytes of its result: ours, by blst as
//! revm calls it, and by gnark-crypto as go-ethereum calls it. Each library has a process of its own, and one thread.

mod blst;
mod kind;
mod ours;
mod serve;
mod vectors;

use crate::args::PrecompilesArgs;
use crate::child::{Server, build_go};
use crate::files::write_atomically;
use crate::machine;
use crate::stats::Spread;
use anyhow::{Context, Result, ensure};
use bucketwheel::Backend;
use clap::ValueEnum;
pub use kind::Served;
pub use serve::serve;
use std::fmt::Write;
use std::process::Command;
use std::time::Instant;
use vectors::{Cell, cells};

/// Least number of rounds over all libraries, with any duration.
const FEWEST: usize = 7;
/// Seconds of one measurement: short calls are repeated, so that the clock and cold caches do not count.
const BURST: f64 = 2e-3;

pub fn run(args: &PrecompilesArgs) -> Result<()> {
    let mut libraries = libraries(&args.backends())?;
    let names: Vec<&str> = libraries.iter().map(|(name, _)| &**name).collect();
    let mut table = format!("| precompile | pairs | {} |\n|---|---:|", names.join(" | "));
    table += &"---:|".repeat(names.len());
    table += "\n";
    print!("{table}");
    for cell in cells()? {
        let row = row(&cell, &measure(&cell, &mut libraries, args.seconds)?);
        print!("{row}");
        table += &row;
    }
    let about = format!("Microseconds per call, medians, on {}.\n\n", machine::processor());
    if let Some(folder) = &args.out {
        write_atomically(&folder.join("precompiles.md"), (about + &table).as_bytes())?;
    }
    println!("\n{}, core clock at the end: {:.2} GHz", machine::processor(), machine::core_ghz());
    Ok(())
}

/// Starts the processes of all libraries.
fn libraries(backends: &[Backend]) -> Result<Vec<(String, Server)>> {
    let mut libraries = Vec::new();
    for &backend in backends {
        let mut command = served(Served::Bucketwheel)?;
        command.env("BUCKETWHEEL_BACKEND", backend.name());
        libraries.push((format!("bucketwheel ({backend})"), Server::start(&mut command)?));
    }
    libraries.push(("blst".into(), Server::start(&mut served(Served::Blst)?)?));
    libraries.push(("gnark-crypto".into(), gnark()?));
    Ok(libraries)
}

fn gnark() -> Result<Server> {
    let mut command = Command::new(build_go("gnark-peer", "gnark")?);
    Server::start(command.arg("eip2537").env("GOMAXPROCS", "1"))
}

fn served(library: Served) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    let name = library.to_possible_value().expect("no library is skipped");
    command.args(["serve-precompiles", name.get_name()]).env("RAYON_NUM_THREADS", "1");
    Ok(command)
}

/// Returns the microseconds of a call, for each library: the mean over the calls of a cell in each round.
fn measure(cell: &Cell, libraries: &mut [(String, Server)], seconds: f64) -> Result<Vec<Spread>> {
    let mut samples = vec![Vec::new(); libraries.len()];
    let mut repetitions = vec![1; libraries.len()];
    let start = Instant::now();
    // The first round warms up and finds the numbers of repetitions.
    for round in 0.. {
        let enough = start.elapsed().as_secs_f64() > seconds * libraries.len() as f64;
        if round > FEWEST && enough {
            break;
        }
        for (((name, server), samples), count) in libraries.iter_mut().zip(&mut samples).zip(&mut repetitions)
        {
            let mut sum = 0.0;
            for call in &cell.calls {
                let (nanoseconds, output) = ask(server, &cell.precompile, *count, &call.input)?;
                ensure!(output == call.output, "{name} returns another result for {}", call.name);
                sum += nanoseconds;
            }
            let mean = sum / cell.calls.len() as f64;
            match round {
                0 => *count = (1e9 * BURST / mean).ceil().max(1.0) as usize,
                _ => samples.push(mean / 1e3),
            }
        }
    }
    Ok(samples.into_iter().map(Spread::quartiles).collect())
}

/// Has a library call a precompile. Returns the nanoseconds of a call, and the result in hexadecimal.
fn ask(server: &mut Server, precompile: &str, count: usize, input: &str) -> Result<(f64, String)> {
    server.send(format!("{precompile} {count} {input}\n").as_bytes())?;
    let reply = server.reply()?;
    let (nanoseconds, output) =
        reply.split_once(' ').with_context(|| format!("unexpected reply: {reply}"))?;
    let nanoseconds: f64 = nanoseconds.parse().with_context(|| format!("unexpected reply: {reply}"))?;
    Ok((nanoseconds / count as f64, output.to_owned()))
}

fn row(cell: &Cell, times: &[Spread]) -> String {
    let mut row = format!("| {} | {} |", cell.precompile, cell.pairs);
    for time in times {
        write!(row, " {:.1} |", time.median).expect("a string takes all text");
    }
    row + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test's own program does not serve, so only gnark-crypto answers in a process.
    #[test]
    fn libraries_agree_with_the_vectors() {
        let mut gnark = gnark().unwrap();
        for cell in cells().unwrap() {
            let precompile = serve::named(&cell.precompile).unwrap();
            for call in &cell.calls {
                let input = hex::decode(&call.input).unwrap();
                let answer = |call: serve::Call| hex::encode(call(precompile, &input).unwrap());
                let foreign = ask(&mut gnark, &cell.precompile, 1, &call.input).unwrap().1;
                for output in [answer(ours::call), answer(blst::call), foreign] {
                    assert_eq!(output, call.output, "{}", call.name);
                }
            }
        }
    }
}
