//! Time and memory.

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

/// The most memory that this process has had, where the operating system tells (Linux).
pub fn peak_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
