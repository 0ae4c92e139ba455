//! `zkey`: shows, checks and exports a proving key.

use std::io::Write;
use std::path::Path;

use bucketwheel_circuit::{read_arkworks_key, Counts, Loaded};
use bucketwheel_groth16::snarkjs_name;
use serde::Serialize;

use super::{blame, circuit, export, in_file, load, texts};
use crate::args::export::ZkeyExport;
use crate::args::{ExportVkeyArgs, ZkeyCheckArgs, ZkeyCommand, ZkeyInfoArgs};
use crate::error::Error;
use crate::files::{self, Output};
use crate::output::{self, visible};
use crate::runtime::Context;

/// Runs a command on a key.
///
/// # Errors
/// For unusable keys, unwritable outputs, and cancellation.
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

fn info(args: &ZkeyInfoArgs, out: &mut dyn Write) -> Result<(), Error> {
    let key = open(&args.key.path)?;
    let circuit = key.circuit();
    let properties = circuit.info();
    let info = Info {
        bytes: key.key().len(),
        curve: snarkjs_name(properties.curve),
        protocol: properties.protocol.name(),
        counts: circuit.counts(),
        warnings: texts(circuit.warnings()),
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
            writeln!(out, "  contributions 0: the key is for development, its maker can forge proofs")?
        }
        Some(contributions) => writeln!(out, "  contributions {contributions}")?,
    }
    Ok(())
}

fn export_vkey(args: &ExportVkeyArgs, out: &mut dyn Write) -> Result<(), Error> {
    let path = &args.key;
    let file = files::map_as(path, "a .zkey file, a proving key, or a key of ark-groth16")?;
    let vkey = match read_arkworks_key(&file).map_err(blame(path, path))? {
        Some(vkey) => vkey,
        None => load(path, file)?.circuit().verifying_key().map_err(blame(path, path))?,
    };
    let curve = snarkjs_name(vkey.curve().map_err(in_file(path))?);
    Output::with(&args.out, vkey.to_text().as_bytes())?.finish()?;
    writeln!(out, "{curve} verifying key: {}", visible(args.out.display()))?;
    Ok(())
}

fn check(args: &ZkeyCheckArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let path = &args.key.path;
    let r1cs =
        args.r1cs.as_deref().map(|path| files::map_as(path, "an .r1cs file, a circuit")).transpose()?;
    let ptau =
        args.ptau.as_deref().map(|path| files::map_as(path, "a .ptau file, powers of tau")).transpose()?;
    let bar = |stage| context.bar_of(stage, path);
    let checked = || {
        let loaded = open(path)?;
        let key = loaded.circuit();
        key.check_points(context.cancel, &bar("points")).map_err(blame(path, path))?;
        key.check_agreement(context.cancel, &bar("agreement")).map_err(blame(path, path))?;
        if let (Some(circuit_path), Some(ptau_path)) = (&args.r1cs, &args.ptau) {
            let (circuit_file, ptau) =
                (r1cs.as_deref().unwrap_or_default(), ptau.as_deref().unwrap_or_default());
            let circuit = circuit(circuit_path, circuit_file)?;
            key.check_powers(ptau, context.cancel, &bar("powers")).map_err(blame(path, ptau_path))?;
            key.check_circuit(&circuit, ptau, context.cancel, &bar("circuit"))
                .map_err(blame(path, ptau_path))?;
        }
        Ok::<_, Error>(())
    };
    args.threads.pool()?.install(checked)?;
    let name = visible(path.display());
    writeln!(out, "OK: all points of {name} are in their groups, and its secrets agree in both")?;
    match (&args.r1cs, &args.ptau) {
        (Some(circuit), Some(ptau)) => {
            let [circuit, ptau] = [circuit, ptau].map(|path| visible(path.display()));
            writeln!(out, "OK: every section follows from {circuit} and {ptau}")?;
        }
        _ => writeln!(out, "not checked: the circuit; pass --r1cs and --ptau to check it")?,
    }
    Ok(())
}
