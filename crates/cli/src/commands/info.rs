//! `info`: what this CPU offers, and what is made of it.

use std::collections::BTreeMap;
use std::io::Write;

use bucketwheel::{default_backend, Backend, BACKEND_VARIABLE};
use serde::Serialize;

use crate::args::InfoArgs;
use crate::error::Error;
use crate::output;
use crate::runtime::available_threads;

#[derive(Serialize)]
struct Info {
    version: &'static str,
    architecture: &'static str,
    /// Instruction set extensions that backends use; empty where there are none.
    features: BTreeMap<&'static str, bool>,
    backends: Vec<BackendInfo>,
    /// The backend that runs unless an argument says otherwise.
    backend: &'static str,
    /// Why this one.
    reason: String,
    threads: usize,
}

#[derive(Serialize)]
struct BackendInfo {
    name: &'static str,
    supported: bool,
    chosen: bool,
}

/// Prints what there is.
///
/// # Errors
/// If the environment asks for a backend that cannot be had.
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
    };
    match args.json {
        true => output::json(out, &info),
        false => print(out, &info),
    }
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

fn print(out: &mut dyn Write, info: &Info) -> Result<(), Error> {
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
    Ok(())
}
