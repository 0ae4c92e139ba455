//! The report of `tune`.

use std::io::Write;

use bucketwheel::{CurveId, GroupId, Profile, MAX_WINDOW, MIN_WINDOW};
use serde::Serialize;

use crate::error::Error;
use crate::output::visible;

/// The best windows by size, and the file of the profile.
#[derive(Serialize)]
pub struct Report {
    pub cpu: String,
    pub backend: &'static str,
    /// The file, unless the user wants none.
    pub profile: Option<String>,
    /// Median of the spreads of the rows; `None` if rows have only one time.
    pub spread_percent: Option<f64>,
    pub sizes: Vec<Row>,
}

/// The windows of one size.
#[derive(Serialize)]
pub struct Row {
    pub curve: CurveId,
    pub group: GroupId,
    pub log_size: u32,
    /// The window with the least F(s) (SimdMSM, section 5.4).
    pub computed: u32,
    /// The fastest window.
    pub practical: u32,
    /// True if the fastest window uses the endomorphism.
    pub endomorphism: bool,
    pub ms: f64,
    /// Interquartile range of the times with the plan's window before, in % of their median.
    pub spread_percent: Option<f64>,
    /// The plan's window before and after.
    pub default: Choice,
    pub tuned: Choice,
    /// SimdMSM's Table 3.
    pub simdmsm: Option<Published>,
}

/// A plan's window, and the time with it.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Choice {
    pub window: u32,
    pub ms: f64,
}

/// SimdMSM's window by its F(s), and the fastest window of SimdMSM's implementation.
#[derive(Clone, Copy, Serialize)]
pub struct Published {
    /// The window with the least F(s).
    pub computed: u32,
    /// The fastest window.
    pub practical: u32,
}

/// Returns the window s with the least `F(s) = ceil(bits / s) (n + 2^s - 4)` (SimdMSM, section 5.4).
pub fn computed(bits: u32, n: u64) -> u32 {
    let f = |s: &u32| u64::from(bits.div_ceil(*s)) * (n + (1 << s)).saturating_sub(4);
    (MIN_WINDOW..=MAX_WINDOW).min_by_key(f).expect("windows")
}

/// SimdMSM's Table 3, for BLS12-381.
pub fn published(curve: CurveId, group: GroupId, log_size: u32) -> Option<Published> {
    let computed = [12, 13, 13, 15, 15, 17, 17, 17, 17, 20];
    let practical = match (curve, group) {
        (CurveId::Bls12_381, GroupId::G1) => [9, 10, 10, 10, 11, 12, 13, 15, 15, 15],
        (CurveId::Bls12_381, GroupId::Pair) => [9, 10, 10, 10, 11, 12, 16, 16, 16, 16],
        _ => return None,
    };
    let i = log_size.checked_sub(15)? as usize;
    Some(Published { computed: *computed.get(i)?, practical: *practical.get(i)? })
}

/// Prints a table and the profile.
///
/// # Errors
/// If `out` cannot be written.
pub fn print(out: &mut dyn Write, report: &Report, profile: &Profile) -> Result<(), Error> {
    let Report { cpu, backend, .. } = report;
    writeln!(out, "{cpu}, backend {backend}, one thread, ms of the fastest run")?;
    writeln!(
        out,
        "{:<10} {:>5} {:>4}  {:>8}  {:>9} {:>4} {:>10}  {:>15}  {:>15}  {:>14}",
        "curve", "group", "size", "computed", "practical", "endo", "ms", "default", "tuned", "SimdMSM"
    )?;
    for row in &report.sizes {
        let choice =
            |Choice { window, ms }: Choice| format!("{window:>2} {:>+5.1} %", 100.0 * (ms / row.ms - 1.0));
        let simdmsm =
            row.simdmsm.map(|Published { computed, practical }| format!("{computed} / {practical}"));
        writeln!(
            out,
            "{:<10} {:>5} 2^{:<2}  {:>8}  {:>9} {:>4} {:>10.3}  {:>15}  {:>15}  {:>14}",
            row.curve.to_string(),
            row.group.to_string(),
            row.log_size,
            row.computed,
            row.practical,
            if row.endomorphism { "yes" } else { "no" },
            row.ms,
            choice(row.default),
            choice(row.tuned),
            simdmsm.unwrap_or("-".into())
        )?;
    }
    writeln!(out, "computed: the window of least F(s) (SimdMSM, section 5.4); practical: the fastest window here, with the")?;
    writeln!(out, "endomorphism or without; default and tuned: the plan's window before and after, and how much longer it took;")?;
    writeln!(out, "SimdMSM: computed and practical of its Table 3")?;
    write!(out, "{profile}")?;
    match &report.profile {
        Some(path) => writeln!(out, "kept in {}: plans are made with it from now on", visible(path))?,
        None => writeln!(out, "the profile is not kept: the user wants no file, or has no cache folder")?,
    }
    Ok(())
}
