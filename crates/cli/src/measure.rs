//! Time and memory.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::output::warn;

/// Returns the median time of `repetitions` calls, after one call that warms up, and the result of the last call.
///
/// # Errors
/// The first error of a call.
pub fn median<T, E>(repetitions: usize, mut call: impl FnMut() -> Result<T, E>) -> Result<(Duration, T), E> {
    let mut last = call()?;
    let mut times = Vec::with_capacity(repetitions);
    for _ in 0..repetitions.max(1) {
        let (time, result) = timed(&mut call)?;
        last = result;
        times.push(time);
    }
    times.sort();
    Ok((times[times.len() / 2], last))
}

/// Spread in % of the median above which a time says little.
pub const NOISE: f64 = 5.0;

/// Times of one computation in milliseconds, one for each round.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Returns the median; 0 without times.
    pub fn median(&self) -> f64 {
        quantile(self.0.clone(), 0.5)
    }

    /// Returns the least time; infinity without times.
    pub fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Returns the interquartile range in % of the median, if there is more than one time.
    pub fn spread(&self) -> Option<f64> {
        let range = quantile(self.0.clone(), 0.75) - quantile(self.0.clone(), 0.25);
        (self.0.len() > 1).then(|| 100.0 * range / self.median())
    }

    /// Returns the median over the rounds of the time of `other` divided by this time.
    pub fn speedup_over(&self, other: &Times) -> f64 {
        quantile(other.0.iter().zip(&self.0).map(|(other, time)| other / time).collect(), 0.5)
    }
}

/// Returns the median of some values, if there are any.
pub fn median_of(values: Vec<f64>) -> Option<f64> {
    (!values.is_empty()).then(|| quantile(values, 0.5))
}

/// Returns a quantile, with linear interpolation between two values; 0 without values.
fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = share * values.len().saturating_sub(1) as f64;
    let (below, above) = (values.get(place.floor() as usize), values.get(place.ceil() as usize));
    below.zip(above).map_or(0.0, |(below, above)| below + place.fract() * (above - below))
}

/// Runs `count` computations in turns: each of them once in each round, after a round that warms up. `run` makes the
/// computation with this index and returns its time. Returns the times of each computation.
///
/// The order differs between rounds, so no computation always runs first or after the same other one.
///
/// # Errors
/// The first error of `run`.
pub fn in_turns<E>(
    count: usize,
    rounds: u32,
    mut run: impl FnMut(usize) -> Result<Duration, E>,
) -> Result<Vec<Times>, E> {
    let mut times = vec![Times::default(); count];
    for round in 0..=rounds as usize {
        for index in order(count, round) {
            let time = run(index)?;
            if round > 0 {
                times[index].0.push(milliseconds(time));
            }
        }
    }
    Ok(times)
}

/// Returns the indices below `count`, each once: from `round` on, in steps whose width differs between rounds.
fn order(count: usize, round: usize) -> impl Iterator<Item = usize> {
    let visits_all = |&step: &usize| greatest_common_divisor(step, count) == 1;
    let steps: Vec<usize> = (1..count.max(2)).filter(visits_all).collect();
    let step = steps[round % steps.len()];
    (0..count).map(move |i| (round + i * step) % count)
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

/// Calls `work`. Also returns its time.
///
/// # Errors
/// The error of `work`.
pub fn timed<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(Duration, T), E> {
    let start = Instant::now();
    let result = work()?;
    Ok((start.elapsed(), result))
}

/// Warns on standard error about rows, by name, whose times spread by more than [`NOISE`].
pub fn warn_of_noise(rows: impl ExactSizeIterator<Item = (String, Option<f64>)>) {
    let all = rows.len();
    let noisy: Vec<_> =
        rows.filter_map(|(name, spread)| Some((name, spread.filter(|&s| s > NOISE)?))).collect();
    if let Some((name, most)) = noisy.iter().max_by(|a, b| a.1.total_cmp(&b.1)) {
        let count = noisy.len();
        warn(format_args!(
            "{count} of {all} medians are of times whose interquartile range exceeds {NOISE} %, the most {most:.1} % ({name}): \
             stop other programs, or pass more --repetitions"
        ));
    }
}

/// Shows a spread in a column of a table.
pub fn percent(spread: Option<f64>) -> String {
    spread.map_or("-".into(), |spread| format!("{spread:.1}"))
}

/// Milliseconds, for people and programs alike.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Memory of this process, if the operating system reports it (Linux).
#[derive(Debug, Default)]
pub struct Memory {
    /// The peak before its last reset.
    earlier_peak: u64,
}

impl Memory {
    /// Returns the peak number of bytes of the process so far.
    pub fn peak_bytes(&self) -> Option<u64> {
        Some(status("VmHWM:")?.max(self.earlier_peak))
    }

    /// Calls `work`. Also returns the peak number of bytes during the call, minus the bytes before. Pages of files
    /// that were read for the first time, inputs and the program itself, do not count.
    pub fn of<T>(&mut self, work: impl FnOnce() -> T) -> (T, Option<u64>) {
        let (before, files) = (self.forget_peak(), bytes_of_files());
        let result = work();
        let bytes = || {
            let read = bytes_of_files()?.saturating_sub(files?);
            Some(status("VmHWM:")?.saturating_sub(before?).saturating_sub(read))
        };
        (result, bytes())
    }

    /// Resets the peak to the current memory, and returns the current memory.
    fn forget_peak(&mut self) -> Option<u64> {
        self.earlier_peak = self.peak_bytes()?;
        // The code for the reset, see proc(5).
        std::fs::write("/proc/self/clear_refs", "5").ok()?;
        status("VmRSS:")
    }
}

/// Returns half of the memory that this process may use, if the operating system reports it (Linux), otherwise 2 GiB.
pub fn half_of_memory() -> usize {
    let machine = line_of("/proc/meminfo", "MemTotal:");
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let least = machine.into_iter().chain(group_limit(&groups, Path::new("/sys/fs/cgroup"))).min();
    least.map_or(2 << 30, |bytes: u64| usize::try_from(bytes / 2).unwrap_or(usize::MAX))
}

/// Returns the least memory limit of Linux's control groups, of both versions, for a process in these groups (a file
/// in the form of `/proc/self/cgroup`). Each group is also bound by the limits of its parents. If a container sees
/// names of groups outside of itself, its own groups are at the root.
pub fn group_limit(groups: &str, root: &Path) -> Option<u64> {
    let limits = groups.lines().flat_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let (folder, file) = match controllers {
            "" => ("", "memory.max"),
            controllers if controllers.split(',').any(|name| name == "memory") => {
                ("memory", "memory.limit_in_bytes")
            }
            _ => return Vec::new(),
        };
        let parents = Path::new(path.trim_start_matches('/')).ancestors();
        parents.filter_map(|group| limit(&root.join(folder).join(group).join(file))).collect()
    });
    limits.min()
}

/// Returns a group's own limit; `None` if its file says `max`.
fn limit(file: &Path) -> Option<u64> {
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// Returns the bytes of mapped files that are in memory. Files on a tmpfs count as shared memory.
fn bytes_of_files() -> Option<u64> {
    Some(status("RssFile:")? + status("RssShmem:")?)
}

/// Returns a line of the process's status, in bytes.
fn status(name: &str) -> Option<u64> {
    line_of("/proc/self/status", name)
}

/// Returns a line of one of the system's files, in bytes.
fn line_of(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub usize);

const UNITS: [(char, u32); 4] = [('T', 40), ('G', 30), ('M', 20), ('K', 10)];

impl FromStr for Bytes {
    type Err = String;

    /// Parses a number and a unit of a power of 1024: `512M`, `1GiB`, `2^30`.
    fn from_str(text: &str) -> Result<Self, String> {
        let bytes = number(text, Unit::Binary).and_then(|bytes| usize::try_from(bytes).ok());
        bytes.map(Bytes).ok_or_else(|| "expected a number of bytes, as in 512M, 2GiB, 2^30 or 1000000".into())
    }
}

/// Meaning of the units K, M, G and T. With an i, as in Mi, they are powers of 1024 in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Powers of 1000, for counts.
    Decimal,
    /// Powers of 1024, for bytes.
    Binary,
}

/// Returns the number that people write as `1000000`, `1M`, `1.5G`, `1_000` or `2^20`.
pub fn number(text: &str, unit: Unit) -> Option<u64> {
    if let Some(exponent) = text.strip_prefix("2^") {
        return exponent.parse().ok().and_then(|exponent| 1u64.checked_shl(exponent));
    }
    let config = match unit {
        Unit::Decimal => parse_size::Config::new().with_decimal(),
        Unit::Binary => parse_size::Config::new().with_binary(),
    };
    config.parse_size(text).ok()
}

impl fmt::Display for Bytes {
    /// Prints in the largest unit that leaves no fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |&(_, shift): &(char, u32)| self.0 > 0 && self.0.is_multiple_of(1 << shift);
        match UNITS.into_iter().find(whole) {
            Some((unit, shift)) => write!(f, "{}{unit}", self.0 >> shift),
            None => write!(f, "{}", self.0),
        }
    }
}
