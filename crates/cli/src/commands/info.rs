//! `info`: shows the instruction sets of this CPU, and plans.

use std::collections::BTreeMap;
use std::io::Write;

use bucketwheel::{default_backend, Backend, CurveId, GroupId, Msm, BACKEND_VARIABLE};
use bucketwheel_dynamic::groups;
use serde::Serialize;

use crate::args::InfoArgs;
use crate::error::Error;
use crate::output::{self, visible};
use crate::profile::Place;
use crate::runtime::{available_threads, pool};

/// The columns of a table.
const COLUMNS: usize = 6;
/// Logarithms of the sizes whose plans are shown.
const LOG_SIZES: std::ops::RangeInclusive<u32> = 10..=24;

#[derive(Serialize)]
struct Info {
    version: &'static str,
    architecture: &'static str,
    /// Instruction set extensions that backends use; empty if there are none.
    features: BTreeMap<&'static str, bool>,
    backends: Vec<BackendInfo>,
    /// The backend that runs unless an argument says otherwise.
    backend: &'static str,
    /// Reason for this backend.
    reason: String,
    threads: usize,
    /// The file with this machine's costs, if there is one.
    profile: Option<String>,
    /// Plans for uniform scalars on all threads, by curve, group and size.
    plans: Vec<PlanInfo>,
}

#[derive(Serialize)]
struct PlanInfo {
    curve: CurveId,
    group: GroupId,
    log_size: u32,
    /// Bits of the window.
    window: u32,
    windows: usize,
    additions: usize,
    /// Memory beyond points and scalars.
    memory_bytes: usize,
}

#[derive(Serialize)]
struct BackendInfo {
    name: &'static str,
    supported: bool,
    chosen: bool,
}

/// Prints the information.
///
/// # Errors
/// If the environment names an unavailable backend.
pub fn run(args: &InfoArgs, out: &mut dyn Write) -> Result<(), Error> {
    let chosen = default_backend()?;
    let describe = |backend: Backend| BackendInfo {
        name: backend.name(),
        supported: backend.is_supported(),
        chosen: backend == chosen,
    };
    let reason = match std::env::var_os(BACKEND_VARIABLE) {
        Some(_) => format!("{BACKEND_VARIABLE} asks for it"),
        None => "the fastest that this CPU supports".into(),
    };
    let info = Info {
        version: env!("CARGO_PKG_VERSION"),
        architecture: std::env::consts::ARCH,
        features: features(),
        backends: Backend::ALL.into_iter().map(describe).collect(),
        backend: chosen.name(),
        reason,
        threads: available_threads(),
        profile: Place::find().path().filter(|path| path.exists()).map(|path| path.display().to_string()),
        plans: pool(None)?.install(|| plans(chosen))?,
    };
    output::either(out, args.output.json, &info, |out, info| print(args, out, info))
}

fn plans(backend: Backend) -> Result<Vec<PlanInfo>, Error> {
    let mut rows = Vec::new();
    for &curve in CurveId::ALL.iter().filter(|curve| curve.check().is_ok()) {
        let all = *curve.groups().last().expect("a curve has points");
        for group in groups(curve, all)?.parts() {
            for log_size in LOG_SIZES {
                let plan = group.plan(Msm::new(), backend, 1 << log_size)?;
                rows.push(PlanInfo {
                    curve,
                    group: group.group(),
                    log_size,
                    window: plan.window,
                    windows: plan.windows,
                    additions: plan.additions,
                    memory_bytes: plan.memory_bytes,
                });
            }
        }
    }
    Ok(rows)
}

#[cfg(target_arch = "x86_64")]
fn features() -> BTreeMap<&'static str, bool> {
    macro_rules! detect {
        ($($feature:tt),*) => { [$(($feature, std::arch::is_x86_feature_detected!($feature))),*].into() };
    }
    detect!("adx", "bmi1", "bmi2", "avx2", "avx512f", "avx512dq", "avx512vl", "avx512ifma")
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> BTreeMap<&'static str, bool> {
    BTreeMap::new()
}

fn print(args: &InfoArgs, out: &mut dyn Write, info: &Info) -> Result<(), Error> {
    let yes = |flag: bool| if flag { "yes" } else { "no" };
    writeln!(out, "bucketwheel {} on {}, {} threads", info.version, info.architecture, info.threads)?;
    writeln!(out, "CPU features")?;
    for (name, &present) in &info.features {
        writeln!(out, "  {name:<11} {}", yes(present))?;
    }
    writeln!(out, "backends, the fastest first")?;
    for BackendInfo { name, supported, chosen } in &info.backends {
        let mark = if *chosen { "  <- chosen" } else { "" };
        writeln!(out, "  {name:<11} {}{mark}", if *supported { "supported" } else { "not supported" })?;
    }
    writeln!(out, "{} is chosen: {}", info.backend, info.reason)?;
    match &info.profile {
        Some(path) => writeln!(out, "plans are made with the profile {}", visible(path))?,
        None => {
            writeln!(out, "plans are made with default costs; `bucketwheel tune` measures this machine's")?
        }
    }
    match args.plans {
        true => print_plans(out, info),
        false => Ok(writeln!(out, "`bucketwheel info --plans` shows windows and memory of MSMs by size")?),
    }
}

/// Prints tables with a line for each size and a column for each curve and group.
fn print_plans(out: &mut dyn Write, info: &Info) -> Result<(), Error> {
    writeln!(out, "bits of a window and MiB beyond points and scalars, for 2^N uniform scalars")?;
    let kind = |plan: &PlanInfo| (plan.curve, plan.group);
    let first = info.plans.iter().filter(|plan| plan.log_size == *LOG_SIZES.start());
    let kinds: Vec<_> = first.map(kind).collect();
    for kinds in kinds.chunks(COLUMNS) {
        write!(out, "  {:>2}", "N")?;
        for (curve, group) in kinds {
            write!(out, "  {:>15}", format!("{curve} {group}"))?;
        }
        writeln!(out)?;
        for log_size in LOG_SIZES {
            write!(out, "  {log_size:>2}")?;
            let row =
                info.plans.iter().filter(|plan| plan.log_size == log_size && kinds.contains(&kind(plan)));
            for plan in row {
                write!(out, "  {:>8} {:>6}", plan.window, plan.memory_bytes.div_ceil(1 << 20))?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}
