//! Time and memory.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The median time of `repetitions` calls after one that warms up, and what the last one returned.
///
/// # Errors
/// The first error of a call.
pub fn median<T, E>(repetitions: usize, mut call: impl FnMut() -> Result<T, E>) -> Result<(Duration, T), E> {
    let mut last = call()?;
    let mut times = Vec::with_capacity(repetitions);
    for _ in 0..repetitions.max(1) {
        let start = Instant::now();
        last = call()?;
        times.push(start.elapsed());
    }
    times.sort();
    Ok((times[times.len() / 2], last))
}

/// Milliseconds, for people and programs alike.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// This process's memory, where the operating system tells (Linux).
#[derive(Debug, Default)]
pub struct Memory {
    /// The peak before the system was last told to forget it.
    earlier_peak: u64,
}

impl Memory {
    /// The most bytes that the process has had so far.
    pub fn peak_bytes(&self) -> Option<u64> {
        Some(status("VmHWM:")?.max(self.earlier_peak))
    }

    /// Calls `work`; returns also the most bytes that the process has had meanwhile beyond those before. Pages of files that
    /// were read for the first time, inputs and the program itself, are left out.
    pub fn of<T>(&mut self, work: impl FnOnce() -> T) -> (T, Option<u64>) {
        let (before, files) = (self.forget_peak(), bytes_of_files());
        let result = work();
        let bytes = || {
            let read = bytes_of_files()?.saturating_sub(files?);
            Some(status("VmHWM:")?.saturating_sub(before?).saturating_sub(read))
        };
        (result, bytes())
    }

    /// Makes the peak what the process has now, and returns that.
    fn forget_peak(&mut self) -> Option<u64> {
        self.earlier_peak = self.peak_bytes()?;
        // The code for it, see proc(5).
        std::fs::write("/proc/self/clear_refs", "5").ok()?;
        status("VmRSS:")
    }
}

/// Half of the memory that this process may have, where the operating system tells (Linux), else 2 GiB.
pub fn half_of_memory() -> usize {
    let machine = line_of("/proc/meminfo", "MemTotal:");
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let least = machine.into_iter().chain(group_limit(&groups, Path::new("/sys/fs/cgroup"))).min();
    least.map_or(2 << 30, |bytes: u64| usize::try_from(bytes / 2).unwrap_or(usize::MAX))
}

/// The least of the limits that Linux's control groups, of both versions, set to the memory of a process in these groups
/// (a file as `/proc/self/cgroup`): each group is held to its parents' limits too. Where a container sees the names of
/// groups outside of it, its own are at the root.
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

/// A group's own limit; none where its file says `max`.
fn limit(file: &Path) -> Option<u64> {
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// Bytes of files that are mapped and in memory. Those on a tmpfs count as shared memory.
fn bytes_of_files() -> Option<u64> {
    Some(status("RssFile:")? + status("RssShmem:")?)
}

/// A line of the process's status, in bytes.
fn status(name: &str) -> Option<u64> {
    line_of("/proc/self/status", name)
}

/// A line of one of the system's files, in bytes.
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

    /// Digits, and a unit of a power of 1024 or none.
    fn from_str(text: &str) -> Result<Self, String> {
        let unit = UNITS.into_iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift)));
        let (digits, shift) = unit.unwrap_or((text, 0));
        let number =
            digits.parse::<usize>().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
        let bytes = number.and_then(|number| number.checked_mul(1usize.checked_shl(shift)?));
        bytes.map(Bytes).ok_or_else(|| "expected a number of bytes, as in 512M, 2G or 1000000".into())
    }
}

impl fmt::Display for Bytes {
    /// In the largest unit that leaves no fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |&(_, shift): &(char, u32)| self.0 > 0 && self.0.is_multiple_of(1 << shift);
        match UNITS.into_iter().find(whole) {
            Some((unit, shift)) => write!(f, "{}{unit}", self.0 >> shift),
            None => write!(f, "{}", self.0),
        }
    }
}
