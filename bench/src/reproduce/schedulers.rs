//! Tables of schedulers' work and of plans' windows: counted, not timed.

use super::numbers::{grouped, log_size, percent};
use super::session::Session;
use super::table::Table;
use anyhow::{Context, Result, ensure};
use bucketwheel::{Backend, Control, Msm, SchedulerKind};
use bucketwheel_dynamic::schedule::{Counts, Schedule};

/// The defaults of `bucketwheel schedule`: 2^26 points in windows of 16 bits, eight lanes.
const PAPER: Schedule = Schedule {
    scheduler: SchedulerKind::Delayed,
    buckets: 1 << 15,
    distinct: 1 << 15,
    points: 1 << 26,
    batch: 100,
    pipeline: false,
    lanes: 8,
    seed: 0,
};

fn count(schedule: Schedule) -> Result<Counts> {
    Ok(schedule.count(&Control::new(None, None, None))?)
}

/// CycloneMSM's statements about its pipeline.
pub fn pipeline(session: &Session, table: &mut Table) -> Result<()> {
    if !session.wants(PAPER.points.ilog2()) {
        return Ok(());
    }
    let of = |batch| Ok::<_, anyhow::Error>(count(Schedule { batch, pipeline: true, ..PAPER })?.statistics);
    let [shorter, published, fitted] = [of(96)?, of(100)?, of(114)?];
    let greedy = count(Schedule { scheduler: SchedulerKind::Greedy, ..PAPER })?.statistics;
    let collisions = [(96, shorter), (100, published), (114, fitted)]
        .map(|(stages, statistics)| format!("{} (T = {stages})", grouped(statistics.collisions)));
    let here = [
        grouped(published.waiting as u64),
        collisions.join(", "),
        published.passes.to_string(),
        format!("{}, not comparable", greedy.waiting),
    ];
    let rows = table.rows();
    ensure!(rows.len() == here.len(), "{} rows: expected {}", rows.len(), here.len());
    rows.iter().zip(here).try_for_each(|(row, here)| table.set(row, "here", here))
}

/// Collisions in batches, and the work of other schedulers on the same points. An example of a row's
/// name is "`delayed`, T = 100, c = 16, N = 2^26".
pub fn batches(session: &Session, table: &mut Table) -> Result<()> {
    for row in table.rows() {
        let schedule = schedule_of(&row).with_context(|| format!("no scheduler's row: {row}"))?;
        if !session.wants(schedule.points.ilog2()) {
            continue;
        }
        let counts = count(schedule)?;
        let share = counts.statistics.collisions as f64 / schedule.points as f64;
        table.set(&row, "points that collide", grouped(counts.statistics.collisions))?;
        table.set(&row, "per point", percent(share, 2))?;
        table.set(&row, "passes", counts.statistics.passes)?;
        table.set(&row, "batches", grouped(counts.batches))?;
        table.set(&row, "lanes that add", percent(counts.lane_utilisation(schedule.lanes), 2))?;
    }
    Ok(())
}

/// Returns the schedule that a row's name describes.
fn schedule_of(row: &str) -> Option<Schedule> {
    let mut parts = row.split(", ");
    let scheduler = parts.next()?.trim_matches('`').parse().ok()?;
    let mut schedule = Schedule { scheduler, ..PAPER };
    for part in parts {
        match part.split_once(" = ") {
            Some(("T" | "chi", batch)) => schedule.batch = batch.parse().ok()?,
            Some(("c", window)) => {
                schedule.buckets = 1 << (window.parse::<u32>().ok()? - 1);
                schedule.distinct = schedule.buckets;
            }
            Some(("N", points)) => schedule.points = 1 << log_size(points).ok()?,
            None if part == "equal scalars" => schedule.distinct = 1,
            _ => return None,
        }
    }
    Some(schedule)
}

/// SimdMSM, Table 3: the windows of our plans for uniform scalars.
pub fn windows(session: &Session, table: &mut Table) -> Result<()> {
    for column in session.wanted(table.columns()) {
        let points = 1_usize << log_size(&column)?;
        let msm = Msm::new().threads(1);
        let g1 = msm.plan::<ark_bls12_381::g1::Config>(Backend::Avx512Ifma, points)?.window;
        let g2 = msm.plan::<ark_bls12_381::g2::Config>(Backend::Avx512Ifma, points)?.window;
        ensure!(g1 == g2, "2^{} points: windows of {g1} bits in G1 and {g2} in G2", points.ilog2());
        table.set("bucketwheel, G1 and G2", &column, g1)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_describes_a_schedule() {
        let schedule = schedule_of("`three-tier`, chi = 8, c = 12, N = 2^20, equal scalars").unwrap();
        assert_eq!(schedule.scheduler, SchedulerKind::ThreeTier);
        assert_eq!((schedule.batch, schedule.buckets, schedule.points), (8, 1 << 11, 1 << 20));
        assert_eq!(schedule.distinct, 1);
        for row in ["", "`x`, T = 3", "`tree`, T = a", "`tree`, U = 3"] {
            assert!(schedule_of(row).is_none(), "{row}");
        }
    }
}
