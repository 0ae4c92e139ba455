//! SimdMSM's own programs: sums by RELIC and by AVX-MSM, over points and scalars that they draw themselves.

use super::table::Table;
use crate::child::{check, run_tool};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Largest sizes of sums over one group and over both. The programs make points as multiples of the generator one by
/// one, and twice the points take more than a minute.
const LARGEST: u32 = 20;
const LARGEST_OF_PAIRS: u32 = 18;

/// Number of AVX-MSM's sums; the program prints their mean.
const REPETITIONS: u32 = 3;

/// The authors' folder `AVX-MSM/demo/381`, with RELIC compiled.
pub struct Authors {
    folder: PathBuf,
    /// SimdMSM's Table 3: the windows that its authors found best.
    windows: Table,
}

/// Seconds of a sum.
#[derive(Debug, PartialEq)]
pub struct Seconds {
    pub relic: f64,
    pub avx_msm: f64,
}

impl Authors {
    /// Compiles RELIC unless it is compiled.
    pub fn new(repository: &Path, windows: Table) -> Result<Self> {
        let folder = repository.join("AVX-MSM/demo/381");
        let folder = folder.canonicalize().with_context(|| folder.display().to_string())?;
        if !folder.join("target/lib/librelic_s.a").exists() {
            run_tool("make", Command::new("make").arg("lib").current_dir(&folder)).context("RELIC")?;
        }
        std::fs::create_dir_all(folder.join("build"))?;
        Ok(Self { folder, windows })
    }

    /// Returns sums over G1, or over both groups, on one thread; `None` for sizes whose points take too long to make.
    pub fn sums(&self, pair: bool, log_size: u32) -> Result<Option<Seconds>> {
        let largest = if pair { LARGEST_OF_PAIRS } else { LARGEST };
        if log_size > largest {
            return Ok(None);
        }
        let row = if pair { "pair, best in practice (paper)" } else { "best in practice (paper)" };
        let window = self.windows.get(row, &format!("2^{log_size}"))?;
        let (target, program) =
            if pair { ("pair_ifma", "test_pair_ifma") } else { ("ifma", "test_pip_ifma") };
        let defines = format!("CDEFINES=-DWNUM={log_size} -DWMBITS={window} -DNBENCHS={REPETITIONS}");
        run_tool("make", Command::new("make").args([target, &defines]).current_dir(&self.folder))?;
        let output =
            Command::new(self.folder.join("build").join(program)).output().context("cannot run it")?;
        check(&output)?;
        parse(&String::from_utf8_lossy(&output.stdout)).map(Some)
    }

    /// Runs `build/adders`, which times the authors' additions. Returns the microseconds of eight additions by their names
    /// in Table 2; `None` if the user has not made the program.
    pub fn additions(&self) -> Result<Option<BTreeMap<String, f64>>> {
        let program = self.folder.join("build/adders");
        if !program.exists() {
            return Ok(None);
        }
        let output = Command::new(program).output().context("cannot run it")?;
        check(&output)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let line =
            |line: &str| Some((line.split_once('=')?.0.to_owned(), line.split_once('=')?.1.parse().ok()?));
        text.lines()
            .map(line)
            .collect::<Option<_>>()
            .map(Some)
            .with_context(|| format!("unexpected output: {text}"))
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
