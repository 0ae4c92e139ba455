//! `zkey`: what is in a proving key.

use std::io::Write;
use std::path::Path;

use ark_ec::AffineRepr;
use bucketwheel_groth16::file::{zkey_curve, Matrix, VerifyingKeyJson, Zkey};
use bucketwheel_groth16::{with_curve, PairingCurve};
use memmap2::Mmap;
use serde::Serialize;

use super::in_file;
use crate::args::{ExportVkeyArgs, ZkeyArgs, ZkeyCheckArgs, ZkeyCommand, ZkeyInfoArgs};
use crate::error::Error;
use crate::files::{self, Output};
use crate::output::{self, visible};
use crate::runtime::{pool, Context};

/// Does what is asked for with a key.
///
/// # Errors
/// For keys that cannot be used, outputs that cannot be written, or if cancelled.
pub fn run(args: &ZkeyArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    match &args.what {
        ZkeyCommand::Info(args) => info(args, out),
        ZkeyCommand::ExportVkey(args) => export_vkey(args, out),
        ZkeyCommand::Check(args) => check(args, context, out),
    }
}

fn map(path: &Path) -> Result<Mmap, Error> {
    files::map_as(path, "a .zkey file, a proving key")
}

fn parse<'a, E: PairingCurve>(path: &Path, bytes: &'a [u8]) -> Result<Zkey<'a, E>, Error> {
    Zkey::parse(bytes).map_err(in_file(path))
}

#[derive(Serialize)]
struct Info {
    bytes: usize,
    curve: &'static str,
    protocol: &'static str,
    signals: usize,
    public: usize,
    domain_size: usize,
    /// Rows of the matrices that the circuit's constraints take.
    constraints: usize,
    /// Entries of the matrices that are not zero.
    coefficients_a: usize,
    coefficients_b: usize,
    /// Signals that no right factor has: their points in B are infinity.
    signals_without_b: usize,
    /// To the ceremony, if the key says so.
    contributions: Option<u32>,
}

fn info(args: &ZkeyInfoArgs, out: &mut dyn Write) -> Result<(), Error> {
    let map = map(&args.key)?;
    let curve = zkey_curve(&map).map_err(in_file(&args.key))?;
    let info = with_curve!(curve, E => parse::<E>(&args.key, &map).map(|key| info_of(&key, map.len())))??;
    if args.json {
        return output::json(out, &info);
    }
    let Info { curve, signals, public, constraints, domain_size, .. } = info;
    writeln!(out, "{}: a Groth16 key for {curve}, {} bytes", visible(args.key.display()), info.bytes)?;
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

fn info_of<E: PairingCurve>(key: &Zkey<'_, E>, bytes: usize) -> Info {
    let (signals, public) = (key.header.signals, key.header.public);
    let rows = key.coefficients.iter().map(|entry| entry.constraint as usize + 1).max().unwrap_or(0);
    let coefficients_a = key.coefficients.iter().filter(|entry| entry.matrix == Matrix::A).count();
    Info {
        bytes,
        curve: E::ID.name(),
        protocol: "groth16",
        signals,
        public,
        domain_size: key.header.domain_size,
        // The last rows bind the public signals.
        constraints: rows.saturating_sub(public + 1),
        coefficients_a,
        coefficients_b: key.coefficients.len() - coefficients_a,
        signals_without_b: key.b1.iter().filter(AffineRepr::is_zero).count(),
        contributions: key.contributions,
    }
}

fn export_vkey(args: &ExportVkeyArgs, out: &mut dyn Write) -> Result<(), Error> {
    let map = map(&args.key)?;
    let curve = zkey_curve(&map).map_err(in_file(&args.key))?;
    let text = with_curve!(curve, E => {
        let key = parse::<E>(&args.key, &map)?.verifying_key().map_err(in_file(&args.key))?;
        VerifyingKeyJson::encode(&key).to_text()
    })?;
    let mut file = Output::create(&args.out)?;
    file.write(text.as_bytes())?;
    file.finish()?;
    writeln!(out, "{curve} verifying key: {}", visible(args.out.display()))?;
    Ok(())
}

fn check(args: &ZkeyCheckArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let map = map(&args.key)?;
    let curve = zkey_curve(&map).map_err(in_file(&args.key))?;
    let bar = context.bar_of("check", &args.key);
    let checked = || {
        with_curve!(curve, E => {
            let key = parse::<E>(&args.key, &map)?;
            key.check_points(context.cancel, &bar).map_err(in_file(&args.key))
        })?
    };
    pool(args.threads)?.install(checked)?;
    drop(bar);
    writeln!(out, "OK: all points of {} are in their groups", visible(args.key.display()))?;
    Ok(())
}
