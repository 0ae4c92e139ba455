//! Numbers in the form of the tables.

use anyhow::{Context, Result};

/// Returns the logarithm of a size: 17 for "2^17", and for "2^17, two threads".
pub fn log_size(name: &str) -> Result<u32> {
    let number = name.strip_prefix("2^").and_then(|rest| rest.split(',').next()?.parse().ok());
    number.with_context(|| format!("no size: {name}"))
}

/// Formats a number as 1,234,567.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join(",")
}

/// Formats a share in percent with this number of decimal places.
pub fn percent(share: f64, places: usize) -> String {
    format!("{:.places$} %", 100.0 * share)
}

/// Formats three significant digits, or all digits before the point: 0.0344, 1.83, 21.4, 1234.
pub fn digits(number: f64) -> String {
    let places = 2 - number.abs().log10().floor().clamp(-4.0, 2.0) as i32;
    format!("{number:.*}", places.max(0) as usize)
}
