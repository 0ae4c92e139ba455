//! `zkey`: what is in a proving key.

use std::io::Write;
use std::path::Path;

use bucketwheel_groth16::dynamic::{self, DynKey, KeyInfo};
use memmap2::Mmap;
use serde::Serialize;

use super::{export, in_file};
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

fn map(path: &Path) -> Result<Mmap, Error> {
    files::map_as(path, "a .zkey file, a proving key")
}

fn parse<'a>(path: &Path, bytes: &'a [u8]) -> Result<Box<dyn DynKey<'a> + 'a>, Error> {
    dynamic::key(bytes).map_err(in_file(path))
}

#[derive(Serialize)]
struct Info {
    bytes: usize,
    curve: &'static str,
    protocol: &'static str,
    #[serde(flatten)]
    counts: KeyInfo,
}

fn info(args: &ZkeyInfoArgs, out: &mut dyn Write) -> Result<(), Error> {
    let map = map(&args.key.path)?;
    let key = parse(&args.key.path, &map)?;
    let info = Info { bytes: map.len(), curve: key.curve().name(), protocol: "groth16", counts: key.info() };
    if args.output.json {
        return output::json(out, &info);
    }
    let Info { bytes, curve, counts: info, .. } = info;
    let KeyInfo { signals, public, constraints, domain_size, .. } = info;
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
    let map = map(&args.key.path)?;
    let key = parse(&args.key.path, &map)?;
    let (curve, vkey) = (key.curve(), key.verifying_key().map_err(in_file(&args.key.path))?);
    Output::with(&args.out, vkey.to_text().as_bytes())?.finish()?;
    writeln!(out, "{curve} verifying key: {}", visible(args.out.display()))?;
    Ok(())
}

fn check(args: &ZkeyCheckArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let map = map(&args.key.path)?;
    let bar = context.bar_of("check", &args.key.path);
    let checked = || {
        let key = parse(&args.key.path, &map)?;
        key.check_points(context.cancel, &bar).map_err(in_file(&args.key.path))
    };
    args.threads.pool()?.install(checked)?;
    drop(bar);
    writeln!(out, "OK: all points of {} are in their groups", visible(args.key.path.display()))?;
    Ok(())
}
