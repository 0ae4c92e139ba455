//! A process that answers calls of precompiles. A request is a line: the precompile, the number of calls, the input in hexadecimal.
//! The reply is the nanoseconds of all calls, and the result in hexadecimal.

use super::{Served, blst, ours};
use anyhow::{Context, Result, bail};
use bucketwheel_dynamic::precompile::Precompile;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Instant;

/// Returns the result of a precompile for an input.
pub type Call = fn(Precompile, &[u8]) -> Result<Vec<u8>>;

pub fn serve(library: Served) -> Result<()> {
    let call: Call = match library {
        Served::Bucketwheel => ours::call,
        Served::Blst => blst::call,
    };
    for line in stdin().lock().lines() {
        let line = line?;
        let mut words = line.split(' ');
        let mut word = || words.next().context("a request has three words");
        let (precompile, count, input) = (named(word()?)?, word()?.parse::<usize>()?, hex::decode(word()?)?);
        let mut output = Vec::new();
        let start = Instant::now();
        for _ in 0..count {
            output = call(precompile, &input)?;
        }
        let elapsed = start.elapsed().as_nanos();
        let mut out = stdout().lock();
        writeln!(out, "{elapsed} {}", hex::encode(output))?;
        out.flush()?;
    }
    Ok(())
}

/// Returns the precompile of a name.
pub fn named(name: &str) -> Result<Precompile> {
    match name {
        "g1add" => Ok(Precompile::G1Add),
        "g1msm" => Ok(Precompile::G1Msm),
        "g2add" => Ok(Precompile::G2Add),
        "g2msm" => Ok(Precompile::G2Msm),
        _ => bail!("no precompile has the name {name}"),
    }
}
