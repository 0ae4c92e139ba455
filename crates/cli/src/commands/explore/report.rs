//! The fronts as text and as JSON.

use std::collections::BTreeMap;
use std::io::Write;

use bucketwheel_hardware::boards::{Board, Figure};
use bucketwheel_hardware::explore::{Amount, Exploration, Infeasible, Point, Resource};
use bucketwheel_hardware::resources::Density;
use bucketwheel_hardware::Curve;
use serde::Serialize;

use crate::args::explore::ExploreArgs;
use crate::error::Error;

/// The result of the command.
#[derive(Serialize)]
pub struct Explored {
    pub points: u64,
    pub curve: Curve,
    pub board: Board,
    pub memory: Option<Memory>,
    pub fronts: Vec<Front>,
}

/// The memory of the board.
#[derive(Serialize)]
pub struct Memory {
    kind: &'static str,
    channels: u32,
    bytes: u64,
    gigabytes_per_second: f64,
    source: &'static str,
}

/// The front of a density.
#[derive(Serialize)]
pub struct Front {
    pub density: Density,
    /// Number of machines that fit.
    feasible: usize,
    pub rows: Vec<Row>,
    /// Numbers of machines that do not fit, by the resource that lacks the most.
    lacks: BTreeMap<Resource, usize>,
    infeasible: Vec<Infeasible>,
    /// Designs that do not compute on the curve.
    missing: Vec<&'static str>,
}

/// A machine of a front.
#[derive(Serialize)]
pub struct Row {
    #[serde(flatten)]
    pub point: Point,
    /// The time by the cycle model, and the closed form's deviation from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<Simulated>,
}

#[derive(Clone, Copy, Serialize)]
struct Simulated {
    ms: f64,
    deviation: f64,
}

impl Explored {
    pub fn new(args: &ExploreArgs, points: u64, fronts: Vec<Front>) -> Self {
        let memory = args.board.memory().map(|memory| Memory {
            kind: memory.kind.name(),
            channels: memory.channels,
            bytes: memory.bytes,
            gigabytes_per_second: args.board.gigabytes_per_second().unwrap_or(0.0),
            source: memory.source,
        });
        Explored { points, curve: args.curve, board: args.board, memory, fronts }
    }
}

impl Front {
    pub fn new(density: Density, found: Exploration) -> Self {
        let Exploration { feasible, front, infeasible, missing } = found;
        let mut lacks = BTreeMap::new();
        for Infeasible { lacks: resource, .. } in &infeasible {
            *lacks.entry(*resource).or_default() += 1;
        }
        let rows = front.into_iter().map(|point| Row { point, simulated: None }).collect();
        Front { density, feasible, rows, lacks, infeasible, missing }
    }
}

impl Row {
    /// Sets the time by the cycle model.
    pub fn set_simulated(&mut self, ms: f64) {
        self.simulated = Some(Simulated { ms, deviation: self.point.ms / ms - 1.0 });
    }
}

/// Prints tables.
///
/// # Errors
/// If `out` cannot be written.
pub fn print(out: &mut dyn Write, args: &ExploreArgs, explored: &Explored) -> Result<(), Error> {
    let Explored { points, curve, board, memory, fronts } = explored;
    writeln!(out, "a sum of {points} points on {curve}, on {} ({}):", board.name, board.chip)?;
    for (name, Figure { value, source }) in
        [("LUTs", board.luts), ("DSPs", board.dsps), ("UltraRAMs", board.urams)]
    {
        writeln!(out, "  {value:>10} {name:<9}  {source}")?;
    }
    match memory {
        Some(Memory { gigabytes_per_second, source, .. }) => {
            writeln!(out, "  {gigabytes_per_second:>10.1} GB/s       {source}")?;
        }
        None => writeln!(
            out,
            "           - GB/s       no figure: boards with this chip differ, so memory is no limit"
        )?,
    }
    writeln!(out, "  K: adders or elements of a machine; 2x: two machines, each with half of the points")?;
    for front in fronts {
        writeln!(out)?;
        print_front(out, args, front)?;
    }
    Ok(())
}

fn print_front(out: &mut dyn Write, args: &ExploreArgs, front: &Front) -> Result<(), Error> {
    let about = front.density.about();
    let Front { feasible, rows, lacks, infeasible, .. } = front;
    writeln!(out, "{}: {about}", front.density.name())?;
    writeln!(out, "  {feasible} machines fit, {} of them on the front", rows.len())?;
    if rows.is_empty() {
        writeln!(out, "  nothing fits: choose a larger --board, a smaller --log-size, --density papers, or a larger --fill, if it is below 100")?;
    } else {
        writeln!(
            out,
            "{:>12} {:>2} {:<10} {:>2} {:>6} {:>6} {:>8} {:>4} {:>5} {:>5} {:>6} {:>6}  {}",
            "ms",
            "",
            "design",
            "K",
            "window",
            "stages",
            "segments",
            "MHz",
            "LUT%",
            "DSP%",
            "URAM%",
            "GB/s",
            if args.verify.is_some() { "binds     simulated" } else { "binds" },
        )?;
    }
    // Machines that were simulated are shown.
    let least = args.verify.map_or(0, |verify| verify as usize);
    let shown = if args.all { rows.len() } else { least.max(args.rows as usize) };
    rows.iter().take(shown).try_for_each(|row| print_row(out, row))?;
    if rows.len() > shown {
        writeln!(
            out,
            "  {} slower machines, which need less of something: pass --all or --rows",
            rows.len() - shown
        )?;
    }
    for design in &front.missing {
        writeln!(out, "  {design} does not compute on {}", args.curve)?;
    }
    for (resource, count) in lacks {
        if let Some(example) = infeasible.iter().find(|machine| machine.lacks == *resource) {
            writeln!(out, "  {count} lack {}, for example {}", resource.name(), named(example))?;
        }
    }
    if args.all {
        infeasible.iter().try_for_each(|machine| writeln!(out, "  infeasible: {}", named(machine)))?;
    }
    Ok(())
}

fn print_row(out: &mut dyn Write, Row { point, simulated }: &Row) -> Result<(), Error> {
    let Point { design, copies, elements, window, stages, segments, clock_mhz, ms, .. } = point;
    let percent = |amount: &Amount| format!("{:.0}", amount.percent);
    let [luts, dsps, urams] = [&point.luts, &point.dsps, &point.urams].map(percent);
    write!(
        out,
        "{ms:>12.3} {:>2} {:<10} {elements:>2} {window:>6} {stages:>6} {:>8} {clock_mhz:>4} {luts:>5} {dsps:>5} {urams:>6} {:>6.1}  {}",
        if *copies > 1 { format!("{copies}x") } else { String::new() },
        design.name(),
        segments.map_or(String::new(), |segments| segments.to_string()),
        point.gigabytes_per_second,
        short(point.binds),
    )?;
    match simulated {
        Some(Simulated { ms, deviation }) => {
            let gap = 6 - short(point.binds).len();
            writeln!(out, "{:gap$} {ms:>11.3} {:+.2} %", "", 100.0 * deviation)?;
        }
        None => writeln!(out)?,
    }
    Ok(())
}

/// Returns the name of the column of a resource.
fn short(resource: Resource) -> &'static str {
    match resource {
        Resource::Luts => "LUT",
        Resource::Dsps => "DSP",
        Resource::Urams => "URAM",
        _ => "memory",
    }
}

/// Returns the machine and the reason in a line.
fn named(machine: &Infeasible) -> String {
    let Infeasible { design, window, segments, clock_mhz, reason, .. } = machine;
    let segments = segments.filter(|&segments| segments > 1);
    let segments = segments.map_or(String::new(), |segments| format!(", {segments} segments"));
    format!("{design}, windows of {window} bits{segments}, {clock_mhz} MHz: {reason}")
}
