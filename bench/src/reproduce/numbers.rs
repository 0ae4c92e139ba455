//! Numbers as the tables have them.

use anyhow::{Context, Result};

/// The logarithm of a size: 17 of "2^17", and of "2^17, two threads".
pub fn log_size(name: &str) -> Result<u32> {
    let number = name.strip_prefix("2^").and_then(|rest| rest.split(',').next()?.parse().ok());
    number.with_context(|| format!("no size: {name}"))
}

/// 1,234,567.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join(",")
}

/// A share in percent, with so many decimal places.
pub fn percent(share: f64, places: usize) -> String {
    format!("{:.places$} %", 100.0 * share)
}

/// Three digits that count, or all before the point: 0.0344, 1.83, 21.4, 1234.
pub fn digits(number: f64) -> String {
    let places = 2 - number.abs().log10().floor().clamp(-4.0, 2.0) as i32;
    format!("{number:.*}", places.max(0) as usize)
}
