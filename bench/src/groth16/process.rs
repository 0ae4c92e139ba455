//! A process for each proof: its time, and its own memory.

use crate::child;
use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Measurements of a process that has ended.
pub struct Ended {
    /// Time from before its start to after its end.
    pub elapsed: Duration,
    /// Processor time of its threads, which other programs disturb less.
    pub processor: Duration,
    /// Standard output of the process.
    pub output: String,
    /// Peaks of its memory, if it was sampled and did not end before the first sample.
    pub memory: Option<Peaks>,
}

/// The most memory that a process had at a time, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peaks {
    /// Anonymous memory: memory mapped from files does not count.
    pub anonymous: u64,
    /// Resident memory: pages of mapped files count, too.
    pub resident: u64,
}

/// Returns a program that may use these processors, and so the same number of threads.
pub fn pinned(program: impl AsRef<std::ffi::OsStr>, processors: &[usize]) -> Command {
    let list: Vec<_> = processors.iter().map(usize::to_string).collect();
    let mut command = Command::new("taskset");
    command.args(["--cpu-list", &list.join(",")]).arg(program);
    command
}

/// Returns the processors that this process may use.
pub fn processors() -> Result<Vec<usize>> {
    let line =
        field(Path::new("/proc/self/status"), "Cpus_allowed_list:").context("no list of processors")?;
    parse_processors(&line).with_context(|| format!("a list of processors: {line}"))
}

fn parse_processors(list: &str) -> Option<Vec<usize>> {
    let mut processors = Vec::new();
    for item in list.split(',') {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        processors.extend(first.parse::<usize>().ok()?..=last.parse().ok()?);
    }
    Some(processors)
}

/// Observation of a command while it runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    /// Nothing but its time.
    Time,
    /// Also its memory. Sampling takes some of its time.
    Memory,
}

/// Runs a command to its end. No other child may end meanwhile.
pub fn run(command: &mut Command, watch: Watch) -> Result<Ended> {
    let (start, before) = (Instant::now(), children()?);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let id = child.id();
    let watcher = (watch == Watch::Memory).then(|| thread::spawn(move || peaks(id)));
    let output = child.wait_with_output()?;
    let (elapsed, processor) = (start.elapsed(), children()? - before);
    let memory = watcher.and_then(|watcher| watcher.join().ok()).filter(|peaks| *peaks != Peaks::default());
    child::check(&output)?;
    Ok(Ended { elapsed, processor, output: String::from_utf8(output.stdout)?, memory })
}

/// Returns the processor time of all children that have ended.
fn children() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let microseconds = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(Duration::from_micros(microseconds.try_into()?))
}

/// Samples every millisecond until the process has ended. Its memory then disappears from the file, and later the file
/// itself disappears.
fn peaks(process: u32) -> Peaks {
    let status = format!("/proc/{process}/status");
    let mut peaks = Peaks::default();
    while let Some(text) = fs::read_to_string(&status).ok().filter(|text| text.contains("VmHWM:")) {
        let bytes = |name| {
            let kilobytes =
                value(&text, name).and_then(|value| value.trim_end_matches(" kB").parse::<u64>().ok());
            1024 * kilobytes.unwrap_or(0)
        };
        peaks.anonymous = peaks.anonymous.max(bytes("RssAnon:"));
        peaks.resident = peaks.resident.max(bytes("VmHWM:"));
        thread::sleep(Duration::from_millis(1));
    }
    peaks
}

fn field(path: &Path, name: &str) -> Option<String> {
    value(&fs::read_to_string(path).ok()?, name).map(str::to_owned)
}

/// Returns the value on the line of a status file that starts with `name`.
fn value<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    Some(status.lines().find_map(|line| line.strip_prefix(name))?.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors_have_numbers_and_ranges() {
        assert_eq!(parse_processors("0-1,4"), Some(vec![0, 1, 4]));
        assert_eq!(parse_processors("7"), Some(vec![7]));
        assert_eq!(parse_processors(""), None);
        assert_eq!(parse_processors("0-"), None);
        assert!(!processors().unwrap().is_empty());
    }

    #[test]
    fn a_process_has_a_time_a_peak_and_an_output() {
        let processors = &processors().unwrap()[..1];
        // 16 MB of text in a variable.
        let script = "x=$(head -c 16000000 /dev/zero | tr '\\0' x); sleep 1; echo ${#x}";
        let ended = run(pinned("bash", processors).args(["-c", script]), Watch::Memory).unwrap();
        assert_eq!(ended.output.trim(), "16000000");
        assert!(ended.elapsed >= Duration::from_secs(1));
        assert!(!ended.processor.is_zero());
        let Peaks { anonymous, resident } = ended.memory.unwrap();
        assert!(anonymous >= 16_000_000 && resident > anonymous);
        let failed = run(
            pinned("bash", processors).args(["-c", "echo first >&2; echo last >&2; exit 3"]),
            Watch::Time,
        );
        assert!(failed.err().unwrap().to_string().ends_with("last"));
    }
}
