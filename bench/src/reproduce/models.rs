//! Tables that cycle models make: CycloneMSM's, MSMAC's and Gypsophila's.

use super::numbers::{grouped, log_size, percent};
use super::session::Session;
use super::table::Table;
use anyhow::{Context, Result};
use bucketwheel::{Control, CurveId};
use bucketwheel_dynamic::inputs::{self, Distribution, collect};
use bucketwheel_hardware::dynamic::model;
use bucketwheel_hardware::msmac::best_window;
use bucketwheel_hardware::{Design, Report, Scalar};

/// Settings of a model by name.
type Settings<'a> = &'a [(&'a str, &'a str)];

/// Runs the same simulation as `bucketwheel simulate`: an MSM of 2^`log_size` uniform scalars.
pub fn simulate(design: Design, log_size: u32, settings: Settings) -> Result<Report> {
    simulate_tasks(design, log_size, settings, None, Distribution::Uniform)
}

/// Simulates this number of tasks, or the number that run at a time, with seeds from 0 on, as
/// `bucketwheel simulate --tasks` does.
fn simulate_tasks(
    design: Design,
    log_size: u32,
    settings: Settings,
    tasks: Option<usize>,
    distribution: Distribution,
) -> Result<Report> {
    let settings: Vec<_> =
        settings.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let model = model(design, &settings)?;
    let (curve, count, control) =
        (CurveId::from(model.curve()), 1 << log_size, Control::new(None, None, None));
    let scalars = |seed: usize| -> Result<Vec<Scalar>> {
        let blocks = inputs::scalars(curve, distribution, seed as u64)?;
        let bytes = collect(count, size_of::<Scalar>(), &blocks, &control)?;
        let words = bytes.as_chunks::<8>().0.as_chunks::<4>().0;
        Ok(words.iter().map(|words| words.map(u64::from_le_bytes)).collect())
    };
    let tasks = tasks.unwrap_or(model.concurrent_tasks());
    let scalars = (0..tasks).map(scalars).collect::<Result<Vec<_>>>()?;
    let tasks: Vec<_> = scalars.iter().map(Vec::as_slice).collect();
    Ok(model.count(count, &tasks, &control)?)
}

fn counter(report: &Report, name: &str) -> Result<u64> {
    report.counters.get(name).copied().with_context(|| format!("{} counts no {name}", report.design))
}

/// Returns the cycles of the phases whose names begin with `phase`.
fn cycles(report: &Report, phase: &str) -> u64 {
    report
        .phases
        .iter()
        .filter(|other| other.name.starts_with(phase) && !other.hidden)
        .map(|other| other.cycles)
        .sum()
}

/// Returns the time here over the paper's, minus 1.
fn deviation(paper: Option<f64>, ms: f64) -> Result<String> {
    let paper = paper.context("no time of the paper")?;
    Ok(format!("{:+.2} %", 100.0 * (ms / paper - 1.0)))
}

/// CycloneMSM, Table 3.
pub fn cyclone_table_3(session: &Session, table: &mut Table) -> Result<()> {
    for row in session.wanted(table.rows()) {
        let paper = table.number(&row, "paper")?;
        let report = simulate(Design::Cyclone, log_size(&row)?, &[])?;
        let overlapped = simulate(Design::Cyclone, log_size(&row)?, &[("overlap_aggregation", "true")])?;
        table.set(&row, "here", format!("{:.1}", report.ms))?;
        table.set(&row, "deviation", deviation(paper, report.ms)?)?;
        table.set(&row, "cycles", grouped(report.cycles))?;
        table.set(&row, "conflicts in all windows", grouped(counter(&report, "conflicts")?))?;
        table.set(&row, "overlapped", format!("{:.1}", overlapped.ms))?;
        table.set(&row, "saved", percent(1.0 - overlapped.ms / report.ms, 0))?;
    }
    Ok(())
}

/// CycloneMSM's aggregation in segments.
pub fn cyclone_segments(session: &Session, table: &mut Table) -> Result<()> {
    for column in session.wanted(table.columns()) {
        for (row, segments) in [("the paper's loop", "1"), ("64 segments", "64")] {
            let report = simulate(Design::Cyclone, log_size(&column)?, &[("segments", segments)])?;
            table.set(row, &column, format!("{:.1}", report.ms))?;
        }
    }
    Ok(())
}

/// The statements of CycloneMSM's text, in the order of the table's rows.
pub fn cyclone_statements(session: &Session, table: &mut Table) -> Result<()> {
    let rows = table.rows();
    let mut set = |row: usize, text: String| {
        let row = rows.get(row).context("a row is missing")?;
        table.set(row, "here", text)
    };
    if session.wants(26) {
        let report = simulate(Design::Cyclone, 26, &[])?;
        set(0, grouped(counter(&report, "conflicts_first_window")?))?;
        let (passes, windows) = (counter(&report, "passes")?, counter(&report, "windows")?);
        set(1, format!("{passes} in {windows} windows"))?;
        let accumulation = cycles(&report, "accumulation");
        set(4, percent(cycles(&report, "aggregation") as f64 / accumulation as f64, 1))?;
        let wider = simulate(Design::Cyclone, 26, &[("window", "17")])?;
        set(5, format!("{:+.1} % of the time", 100.0 * (wider.ms / report.ms - 1.0)))?;
    }
    if session.wants(20) {
        let greedy = simulate(Design::Cyclone, 20, &[("greedy_queue", "16")])?;
        set(
            2,
            format!("{}, 2^20 points, all windows", greedy.fifos.first().context("no queue")?.high_water),
        )?;
        let [uniform, equal] = [Distribution::Uniform, Distribution::Equal]
            .map(|distribution| simulate_tasks(Design::Cyclone, 20, &[], None, distribution));
        let slower = cycles(&equal?, "accumulation") as f64 / cycles(&uniform?, "accumulation") as f64;
        set(3, format!("{slower:.0}, at 2^20 points"))?;
    }
    Ok(())
}

const CARDS: [&str; 2] = ["1", "4"];

/// Returns "1 card, here", "4 cards, paper".
fn of_cards(cards: &str, what: &str) -> String {
    format!("{cards} card{}, {what}", if cards == "1" { "" } else { "s" })
}

/// Returns "2^17": the size of the sub-tasks that a simulation has chosen, a power of two.
fn sub_task(report: &Report) -> Result<String> {
    let points = (report.points * report.tasks) as u64;
    Ok(format!("2^{}", (points / counter(report, "sub_tasks")?).ilog2()))
}

/// MSMAC, Table 3.
pub fn msmac_table_3(session: &Session, table: &mut Table) -> Result<()> {
    for row in session.wanted(table.rows()) {
        for cards in CARDS {
            let paper = table.number(&row, &of_cards(cards, "paper"))?;
            let report = simulate(Design::Msmac, log_size(&row)?, &[("cards", cards)])?;
            table.set(&row, &of_cards(cards, "here"), format!("{:.2}", report.ms))?;
            table.set(&row, &of_cards(cards, "deviation"), deviation(paper, report.ms)?)?;
            table.set(&row, &of_cards(cards, "sub-task"), sub_task(&report)?)?;
        }
    }
    Ok(())
}

/// MSMAC, Table 4: the paper's milliseconds of other systems over ours.
pub fn msmac_table_4(session: &Session, table: &mut Table) -> Result<()> {
    for row in session.wanted(table.rows()) {
        let report = simulate(Design::Msmac, log_size(&row)?, &[])?;
        table.set(&row, "here", format!("{:.2}", report.ms))?;
        for other in ["PipeZK", "GZKP"] {
            if let Some(ms) = table.number(&row, other)? {
                table.set(&row, &format!("{other} / here"), format!("{:.2}", ms / report.ms))?;
            }
        }
    }
    Ok(())
}

/// MSMAC, Figure 11 at 2^20 points: sub-tasks of several sizes, with the best in bold.
pub fn msmac_figure_11(session: &Session, table: &mut Table) -> Result<()> {
    sub_tasks(session, table, 20)
}

/// MSMAC, Figure 11 at 2^25 points.
pub fn msmac_figure_11_large(session: &Session, table: &mut Table) -> Result<()> {
    sub_tasks(session, table, 25)
}

fn sub_tasks(session: &Session, table: &mut Table, points: u32) -> Result<()> {
    if !session.wants(points) {
        return Ok(());
    }
    for row in table.rows() {
        let cards = row.split(' ').next().unwrap_or_default();
        let columns = table.columns();
        let ms = |column: &String| -> Result<String> {
            let sub_task = (1_u64 << log_size(column)?).to_string();
            let settings = [("cards", cards), ("sub_task", &sub_task)];
            Ok(format!("{:.1}", simulate(Design::Msmac, points, &settings)?.ms))
        };
        let times = columns.iter().map(ms).collect::<Result<Vec<_>>>()?;
        let least = times.iter().filter_map(|ms| ms.parse::<f64>().ok()).fold(f64::INFINITY, f64::min);
        for (column, ms) in columns.iter().zip(times) {
            let is_least = ms.parse() == Ok(least);
            table.set(&row, column, if is_least { format!("**{ms}**") } else { ms })?;
        }
    }
    Ok(())
}

/// MSMAC's aggregation in segments.
pub fn msmac_segments(session: &Session, table: &mut Table) -> Result<()> {
    for row in session.wanted(table.rows()) {
        for cards in CARDS {
            let paper = simulate(Design::Msmac, log_size(&row)?, &[("cards", cards)])?;
            let segments = simulate(Design::Msmac, log_size(&row)?, &[("cards", cards), ("segments", "4")])?;
            table.set(&row, &of_cards(cards, "the paper's way"), format!("{:.2}", paper.ms))?;
            table.set(&row, &of_cards(cards, "4 segments"), format!("{:.2}", segments.ms))?;
            table.set(&row, &of_cards(cards, "sub-task"), sub_task(&segments)?)?;
        }
    }
    Ok(())
}

/// MSMAC, Figure 9: windows by Equation 6.
pub fn msmac_figure_9(_: &Session, table: &mut Table) -> Result<()> {
    for column in table.columns() {
        let window = best_window(f64::exp2(f64::from(log_size(&column)?)), 254);
        table.set("bits", &column, window)?;
    }
    Ok(())
}

/// Gypsophila, Table 2.
pub fn gypsophila_table_2(session: &Session, table: &mut Table) -> Result<()> {
    for column in session.wanted(table.columns()) {
        let paper = table.number("paper", &column)?;
        let report = simulate(Design::Gypsophila, log_size(&column)?, &[])?;
        table.set("here", &column, format!("{:.2}", report.ms))?;
        table.set("deviation", &column, deviation(paper, report.ms)?)?;
        let others: Vec<f64> = table
            .rows()
            .iter()
            .filter(|row| row.ends_with("(paper)"))
            .map(|row| table.number(row, &column))
            .filter_map(Result::transpose)
            .collect::<Result<_>>()?;
        if let Some(best) = others.into_iter().reduce(f64::min) {
            table.set("best other / here", &column, format!("{:.2}", best / report.ms))?;
        }
    }
    Ok(())
}

const ELEMENTS: Settings = &[("window", "12"), ("pes", "16")];

/// Gypsophila, Table 3: the extra time of tasks on shared points over one task. Larger rows stay empty: they take long, and
/// the scalars of 16 tasks of 2^24 points take 9 GB.
pub fn gypsophila_table_3(session: &Session, table: &mut Table) -> Result<()> {
    const LARGEST: u32 = 20;
    for row in session.wanted(table.rows()) {
        let size = log_size(&row)?;
        if size > LARGEST {
            continue;
        }
        let tasks =
            |tasks| simulate_tasks(Design::Gypsophila, size, ELEMENTS, Some(tasks), Distribution::Uniform);
        let one = tasks(1)?.cycles as f64;
        for count in [2, 4, 16] {
            let more = tasks(count)?.cycles as f64 / one - 1.0;
            table.set(&row, &format!("{count} tasks, here"), percent(more, 2))?;
        }
    }
    Ok(())
}

/// The work of one shared adder for 16 elements, as a multiple of their classification, which takes as long as for
/// one task.
pub fn gypsophila_shared_adders(session: &Session, table: &mut Table) -> Result<()> {
    for column in session.wanted(table.columns()) {
        let report =
            simulate_tasks(Design::Gypsophila, log_size(&column)?, ELEMENTS, Some(1), Distribution::Uniform)?;
        let busy = report.phases.iter().find(|phase| phase.name == "aggregation on shared adders");
        let busy = 16 * busy.context("no aggregation")?.cycles;
        table.set("classification, cycles", &column, grouped(report.cycles))?;
        table.set("a shared adder, cycles", &column, grouped(busy))?;
        table.set("shared adders", &column, format!("{:.1}", busy as f64 / report.cycles as f64))?;
    }
    Ok(())
}
