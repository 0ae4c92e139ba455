//! `zkey`: what is in a proving key.

use std::io::Write;
use std::path::Path;

use bucketwheel_circuit::{Counts, Loaded};
use serde::Serialize;

use super::{blame, export, load};
use crate::args::export::ZkeyExport;
use crate::args::{ExportVkeyArgs, ZkeyCheckArgs, ZkeyCommand, ZkeyInfoArgs};
use crate::error::Error;
use crate::files::{self, Output};
use crate::output::{self, visible};
use crate::runtime::Context;

/// Does what is asked for with a key.
///
/// # Errors
/// For keys that cannot be used, outputs that cannot be written, or if cancelled.
pub fn run(command: &ZkeyCommand, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    match command {
        ZkeyCommand::Info(args) => info(args, out),
        ZkeyCommand::ExportVkey(args) | ZkeyCommand::Export(ZkeyExport::Vkey(args)) => export_vkey(args, out),
        ZkeyCommand::ExportSolidity(args) | ZkeyCommand::Export(ZkeyExport::Solidity(args)) => {
            export::solidity(args, out)
        }
        ZkeyCommand::ExportCalldata(args) | ZkeyCommand::Export(ZkeyExport::Calldata(args)) => {
            export::calldata(args, out)
        }
        ZkeyCommand::Check(args) => check(args, context, out),
    }
}

fn open(path: &Path) -> Result<Loaded, Error> {
    load(path, files::map_as(path, "a .zkey file, a proving key")?)
}

#[derive(Serialize)]
struct Info {
    bytes: usize,
    curve: &'static str,
    protocol: &'static str,
    #[serde(flatten)]
    counts: Counts,
}

fn info(args: &ZkeyInfoArgs, out: &mut dyn Write) -> Result<(), Error> {
    let key = open(&args.key.path)?;
    let circuit = key.circuit();
    let properties = circuit.info();
    let info = Info {
        bytes: key.key().len(),
        curve: properties.curve.name(),
        protocol: properties.protocol.name(),
        counts: circuit.counts(),
    };
    if args.output.json {
        return output::json(out, &info);
    }
    let Info { bytes, curve, counts: info, .. } = info;
    let Counts { signals, public, constraints, domain_size, .. } = info;
    writeln!(out, "{}: a Groth16 key for {curve}, {bytes} bytes", visible(args.key.path.display()))?;
    writeln!(out, "  signals       {signals}, {public} of them public")?;
    writeln!(out, "  constraints   {constraints}, domain of 2^{}", domain_size.ilog2())?;
    writeln!(out, "  coefficients  {} in A, {} in B", info.coefficients_a, info.coefficients_b)?;
    writeln!(out, "  not in B      {} signals", info.signals_without_b)?;
    match info.contributions {
        None => writeln!(out, "  contributions unknown: the key has no transcript")?,
        Some(0) => {
            writeln!(out, "  contributions 0: who made the key can forge proofs, it is for development")?
        }
        Some(contributions) => writeln!(out, "  contributions {contributions}")?,
    }
    Ok(())
}

fn export_vkey(args: &ExportVkeyArgs, out: &mut dyn Write) -> Result<(), Error> {
    let path = &args.key.path;
    let key = open(path)?;
    let (curve, vkey) =
        (key.circuit().info().curve, key.circuit().verifying_key().map_err(blame(path, path))?);
    Output::with(&args.out, vkey.to_text().as_bytes())?.finish()?;
    writeln!(out, "{curve} verifying key: {}", visible(args.out.display()))?;
    Ok(())
}

fn check(args: &ZkeyCheckArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let path = &args.key.path;
    let bar = context.bar_of("check", path);
    let checked = || open(path)?.circuit().check_points(context.cancel, &bar).map_err(blame(path, path));
    args.threads.pool()?.install(checked)?;
    drop(bar);
    writeln!(out, "OK: all points of {} are in their groups", visible(args.key.path.display()))?;
    Ok(())
}
