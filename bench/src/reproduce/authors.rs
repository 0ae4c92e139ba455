//! SimdMSM's own programs: sums by RELIC and by AVX-MSM, over points and scalars that they draw themselves, and AVX-MSM's
//! additions.

use crate::child::check;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with programs, which the user has compiled. Programs may be missing.
pub struct Authors(PathBuf);

/// Seconds of a sum.
#[derive(Debug, PartialEq)]
pub struct Seconds {
    pub relic: f64,
    pub avx_msm: f64,
}

impl Authors {
    /// Finds the folder.
    pub fn new(folder: &Path) -> Result<Self> {
        folder.canonicalize().map(Self).with_context(|| folder.display().to_string())
    }

    /// Returns sums over G1, or over both groups, on one thread; `None` if the folder lacks the program of this size.
    pub fn sums(&self, pair: bool, log_size: u32) -> Result<Option<Seconds>> {
        let name = if pair { "test_pair_ifma" } else { "test_pip_ifma" };
        self.run(&format!("{name}_{log_size}"))?.as_deref().map(parse).transpose()
    }

    /// Returns the microseconds of eight additions by their names in Table 2; `None` if the folder lacks the program.
    pub fn additions(&self) -> Result<Option<BTreeMap<String, f64>>> {
        let Some(text) = self.run("additions")? else { return Ok(None) };
        let line = |line: &str| {
            let (name, microseconds) = line.split_once('=')?;
            Some((name.to_owned(), microseconds.parse().ok()?))
        };
        let times = text.lines().map(line).collect::<Option<_>>();
        times.map(Some).with_context(|| format!("unexpected output: {text}"))
    }

    /// Returns the text that a program prints; `None` if the folder lacks the program.
    fn run(&self, name: &str) -> Result<Option<String>> {
        let program = self.0.join(name);
        if !program.exists() {
            return Ok(None);
        }
        let output = Command::new(&program).output().with_context(|| format!("cannot run {name}"))?;
        check(&output)?;
        Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned()))
    }
}

/// Parses two lines of a name and seconds, and the line that says if the sums agree.
fn parse(output: &str) -> Result<Seconds> {
    let mut seconds = output.lines().filter_map(|line| line.split_once('=')?.1.trim().parse().ok());
    let (relic, avx_msm) = (seconds.next(), seconds.next());
    let (relic, avx_msm) = relic.zip(avx_msm).with_context(|| format!("unexpected output: {output}"))?;
    ensure!(output.trim_end().ends_with("YES"), "the sums of RELIC and AVX-MSM disagree");
    Ok(Seconds { relic, avx_msm })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_programs_print_is_understood() {
        let seconds = parse("Pippenger_old=0.5\nPippenger_ifma=0.25\nYES").unwrap();
        assert_eq!(seconds, Seconds { relic: 0.5, avx_msm: 0.25 });
        assert!(parse("Pair_old=0.5\nPair_ifma=0.25\nNO").unwrap_err().to_string().contains("disagree"));
        assert!(parse("YES").is_err());
    }
}
