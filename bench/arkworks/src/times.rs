//! Times of interleaved runs.

use std::time::Instant;

/// Calls a function; returns its result, and adds its time.
pub fn timed<T>(times: &mut Vec<f64>, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    times.push(start.elapsed().as_secs_f64());
    result
}

/// Returns the median of times.
pub fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
