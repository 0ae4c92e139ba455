//! `tune`: measures windows and thresholds of this machine.

mod report;
mod sampling;

use std::io::Write;

use bucketwheel::{CurveId, GroupId};
use bucketwheel_dynamic::groups;
use bucketwheel_whole_file::WriteError;

use crate::args::tune::TuneArgs;
use crate::error::{own, Error};
use crate::files::Output;
use crate::measure::{median_of, NOISE};
use crate::output;
use crate::profile::{cpu, Place};
use crate::runtime::{pool, Context};
pub use report::{computed, published, Published};
use report::{print, Report};
use sampling::Tuner;

/// Other programs disturb the measurement.
#[derive(Debug, thiserror::Error)]
#[error(
    "the times are noisy: their interquartile range is {0:.1} % of the median in half of the rows: expected at most {NOISE} %, \
     stop other programs and measure again, or pass --allow-noise"
)]
struct Noisy(f64);

/// Measures all windows near the best one, fits the engine's costs to the times, and writes the profile.
///
/// # Errors
/// The engine's errors, noise, an unreadable or unwritable profile, cancellation.
pub fn run(args: &TuneArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let place = Place::find();
    // An unreadable or unwritable file is an error now, not after the measurement.
    let old = match place.path().is_some_and(|path| !path.exists()) {
        true => None,
        false => place.read()?,
    };
    let mut profile = old.unwrap_or_default();
    let file = create(&place)?;
    let backend = args.backend.wanted.map_or_else(bucketwheel::default_backend, Ok)?;
    let cells = cells(args);
    let sizes = args.log_sizes.0.clone().count();
    // Points: a size takes about as long as it has points, twice, before the fit and after it.
    let points = args.log_sizes.0.clone().map(|log_size| 1u64 << log_size).sum::<u64>();
    let bar = context.bar("measure", "measuring").steps(2 * cells.len() as u64 * points);
    // One thread: the costs of additions matter, not their distribution.
    let (mut rows, mut samples) = (Vec::new(), Vec::new());
    for &(curve, group) in &cells {
        let groups = groups(curve, group)?;
        let tuner = Tuner { groups: &*groups, args, curve, group, backend, context, bar: &bar };
        let (cell_rows, cell_samples) = pool(Some(1))?.install(|| tuner.sample())?;
        rows.extend(cell_rows);
        samples.push(cell_samples);
    }
    let spread = median_of(rows.iter().filter_map(|row| row.spread_percent).collect());
    if let Some(spread) = spread.filter(|&spread| spread > NOISE && !args.allow_noise) {
        return Err(own(Noisy(spread)));
    }
    for (&(curve, group), samples) in cells.iter().zip(&samples) {
        // A pair has no costs of its own, only the costs of G1 and G2.
        if group != GroupId::Pair {
            bucketwheel_dynamic::group(curve, group)?.fit(&mut profile, backend, samples);
        }
    }
    // The profile is the first in the process, which loads no profile for this command.
    drop(profile.clone().install());
    for (&(curve, group), rows) in cells.iter().zip(rows.chunks_mut(sizes)) {
        let groups = groups(curve, group)?;
        let tuner = Tuner { groups: &*groups, args, curve, group, backend, context, bar: &bar };
        pool(Some(1))?.install(|| tuner.verify(rows))?;
    }
    drop(bar);
    if let Some(mut file) = file {
        file.write(profile.to_string().as_bytes())?;
        file.finish()?;
    }
    let profile_path = place.path().map(|path| path.display().to_string());
    let report = Report {
        cpu: cpu(),
        backend: backend.name(),
        profile: profile_path,
        spread_percent: spread,
        sizes: rows,
    };
    output::either(out, args.json, &report, |out, report| print(out, report, &profile))
}

/// Returns the requested curves and groups, by default the pairing curves', because costs depend on the field's
/// length.
fn cells(args: &TuneArgs) -> Vec<(CurveId, GroupId)> {
    let curves: Vec<CurveId> = match args.curves.is_empty() {
        true => CurveId::ALL.iter().copied().filter(|curve| curve.has_pairing()).collect(),
        false => args.curves.clone(),
    };
    let groups = |curve: CurveId| if args.groups.is_empty() { curve.groups() } else { &args.groups };
    curves.iter().flat_map(|&curve| groups(curve).iter().map(move |&group| (curve, group))).collect()
}

/// Returns the file to write, unless the user wants none; creates its folder in the cache.
fn create(place: &Place) -> Result<Option<Output>, Error> {
    let Some(path) = place.path() else {
        return Ok(None);
    };
    if let (Place::Cache(_), Some(folder)) = (place, path.parent()) {
        std::fs::create_dir_all(folder).map_err(|source| WriteError { path: path.into(), source })?;
    }
    Ok(Some(Output::create(path)?))
}
