//! Damaged files of every format: no panic, no hang, and memory in proportion to the file.

use std::fs;
use std::path::Path;
use std::time::Duration;

use bucketwheel::{Cancel, CurveId};
use bucketwheel_cli::args::Args;
use bucketwheel_cli::format::FormatId;
use bucketwheel_properties::{command, files as groth16, mutator, points as properties, samples};
use clap::Parser;
use rand::Rng;

use crate::drive::Session;
use crate::shared::{Random, MEMORY};
use crate::tables;

/// Bytes of memory that a parser may take for any input; a further constant bounds the memory for each byte of input.
const BYTES: usize = 64 << 20;
const BYTES_PER_BYTE: usize = 64;

/// Property of a parser, for any bytes.
type Property = Box<dyn Fn(&[u8])>;

/// A parser's property, and valid files for the parser.
struct Target {
    name: String,
    property: Property,
    seeds: Vec<Vec<u8>>,
}

/// Runs cases.
///
/// # Errors
/// The first failure, or an error in making valid files.
pub fn run(session: &Session, time: Duration) -> Result<String, String> {
    let targets = targets().map_err(|error| format!("valid files: {error}"))?;
    session.run("files", "", time, Duration::from_secs(20), |rng| case(&targets, rng))
}

fn case(targets: &[Target], rng: &mut Random) {
    let target = &targets[rng.gen_range(0..targets.len())];
    let seeds = match rng.gen_ratio(1, 20) {
        // Takes files of another parser.
        true => &targets[rng.gen_range(0..targets.len())].seeds,
        false => &target.seeds,
    };
    let bytes = mutator::Mutator::new(rng.clone(), seeds.clone()).damaged();
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    (target.property)(&bytes);
    let taken = MEMORY.peak_usage().saturating_sub(before);
    let most = BYTES + BYTES_PER_BYTE * bytes.len();
    assert!(
        taken <= most,
        "{}: {taken} bytes at once for a file of {}: {most} are expected at most",
        target.name,
        bytes.len()
    );
}

/// Returns all parsers. The valid files are small: the commands' own files, and files of other tools.
fn targets() -> Result<Vec<Target>, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let at = directory.path();
    let mut targets = Vec::new();
    let mut add = |name: &str, property: Property, seeds: Vec<Vec<u8>>| {
        targets.push(Target { name: name.to_owned(), property, seeds });
    };
    let (mut points, mut scalars) = (Vec::new(), Vec::new());
    let mut kinds = Vec::new();
    for curve in ["bls12-381", "bls12-377", "bn254"] {
        for group in ["g1", "g2", "pair"] {
            let line = format!("generate --curve {curve} --group {group} --size 3");
            points.push(made(at, &format!("{line} --scalars @ignored --points"))?);
            scalars.push(made(at, &format!("{line} --points @{curve}-{group} --scalars"))?);
            if group != "pair" {
                kinds.push((curve, group));
            }
        }
    }
    add("header", Box::new(properties::header), [points.clone(), scalars.clone()].concat());
    add("points", Box::new(properties::points), points);
    add("scalars", Box::new(properties::scalars), scalars);
    let table = |(curve, group): &(&str, &str)| {
        made(at, &format!("table @{curve}-{group} --copies 4 --backend portable --out"))
    };
    add("table", Box::new(properties::table), kinds.iter().map(table).collect::<Result<_, _>>()?);
    let pair = |curve: &CurveId| -> Result<_, String> {
        let table = |group| made(at, &format!("table @{curve}-{group} --copies 2 --out"));
        Ok(tables::join(&table("g1")?, &table("g2")?))
    };
    add("tables", Box::new(tables::property), tables::CURVES.iter().map(pair).collect::<Result<_, _>>()?);
    for &id in FormatId::ALL {
        let samples =
            samples::samples().into_iter().filter(|sample| sample.0 == id).map(|(_, _, bytes)| bytes);
        let convert =
            |(curve, group): &(&str, &str)| made(at, &format!("convert --to {id} @{curve}-{group}")).ok();
        // Some formats lack some curves.
        let mut seeds: Vec<_> = kinds.iter().filter_map(convert).chain(samples).collect();
        if id == FormatId::Ptau {
            seeds.extend(samples::PTAU.map(<[u8]>::to_vec));
        }
        add(id.name(), Box::new(move |bytes| properties::format(id, bytes)), seeds);
    }
    let words: Vec<_> = command::SETUP.split_ascii_whitespace().skip(2).take(command::SETUP_POINTS).collect();
    add("setup", Box::new(command::setup), vec![format!("4 0 {}", words.join("\n")).into()]);
    let line = "msm points scalars --curve bls12-377 --check curve --backend model --window 22 --json";
    add("arguments", Box::new(command::arguments), vec![line.into(), b"convert --to gnark a b".to_vec()]);
    let state =
        "bucketwheel checkpoint 1\n{\"run\":{\"curve\":\"bn254\",\"group\":\"g1\",\"encoding\":\"ptau\",\
                 \"section\":\"tauG1\",\"check\":\"none\",\"points\":9},\"position\":5,\
                 \"digests\":{\"points\":[\"00\"],\"scalars\":\"01\"},\"sums\":\"0123\"}\n";
    let state = format!("{state}{}\n", blake3::hash(state.as_bytes()));
    add("checkpoint", Box::new(command::checkpoint), vec![state.into()]);
    let profile = "bucketwheel profile 1\navx2 381 1 0.25 1.3 100 262144\nadx 254 2 0.1 1e0 0 0\n";
    add("profile", Box::new(properties::profile), vec![profile.into()]);
    fs::write(at.join("text"), output(at, "msmac program --window 5")?).map_err(|error| error.to_string())?;
    let programs = vec![made(at, "msmac asm @text --out")?, output(at, "msmac program --window 5")?];
    add("program", Box::new(command::program), programs);
    add("eip2537", Box::new(command::eip2537), command::precompile_inputs());
    macro_rules! both {
        ($file:literal) => {
            vec![
                include_bytes!(concat!("../../snarkjs/tests/data/bn254/", $file)).to_vec(),
                include_bytes!(concat!("../../snarkjs/tests/data/bls12-381/", $file)).to_vec(),
            ]
        };
    }
    add("zkey", Box::new(groth16::zkey), both!("power.zkey"));
    add("wtns", Box::new(groth16::wtns), both!("power.wtns"));
    add("r1cs", Box::new(groth16::r1cs), both!("power.r1cs"));
    add("verifying_key", Box::new(groth16::verifying_key), both!("verification_key.json"));
    add("proof", Box::new(groth16::proof), both!("proof.json"));
    add("public", Box::new(groth16::public), both!("public.json"));
    let gnark = |file: fn(&groth16::Gnark) -> &'static [u8]| {
        groth16::GNARK.iter().map(move |files| file(files).to_vec())
    };
    let keys = gnark(|files| files.key).chain(gnark(|files| files.raw_key));
    add("gnark_key", Box::new(groth16::gnark_key), keys.collect());
    let proofs = gnark(|files| files.proof).chain(gnark(|files| files.raw_proof));
    add("gnark_proof", Box::new(groth16::gnark_proof), proofs.collect());
    add("gnark_public", Box::new(groth16::gnark_public), gnark(|files| files.public).collect());
    let claim = format!(
        r#"{{"proof": {}, "publicSignals": {}}}"#,
        include_str!("../../snarkjs/tests/data/bn254/proof.json"),
        include_str!("../../snarkjs/tests/data/bn254/public.json")
    );
    add("claims", Box::new(groth16::claims), vec![format!("[{claim}, {claim}]").into(), claim.into()]);
    let powers = include_bytes!("../../snarkjs/tests/data/ceremony/bn254-3.ptau");
    add("ptau", Box::new(groth16::ptau), vec![powers.to_vec()]);
    let inputs = r#"{ "a": 3, "b": ["1", "0x2f", -1], "bus": { "x": [[1, 2], [3, 4]], "y": true } }"#;
    let names = "1,1,5,main.sum\n2,-1,5,main.v[0]\n3,2,5,main.v[1]\n5,3,0,main.sub[2].out\n";
    add("sym", Box::new(groth16::sym), vec![names.into()]);
    add("inputs", Box::new(groth16::inputs), vec![inputs.into()]);
    let circuit =
        "total 9\ninput 0\nsplit in 1 <0> out 2 <1 2>\nmul in 2 <1 2> out 1 <3>\nor in 2 <1 2> out 1 <4>\n\
                   output 3\n\x000 3\n";
    add("jsnark", Box::new(groth16::jsnark), vec![circuit.into()]);
    Ok(targets)
}

/// Returns the output of a command; words of its line that begin with @ are files in this directory.
pub fn output(at: &Path, line: &str) -> Result<Vec<u8>, String> {
    let word = |word: &str| match word.strip_prefix('@') {
        Some(name) => at.join(name).into_os_string(),
        None => word.into(),
    };
    let words = ["bucketwheel"].into_iter().chain(line.split_whitespace()).map(word);
    let args = Args::try_parse_from(words).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    bucketwheel_cli::run(args, &Cancel::new(), &mut out).map_err(|error| format!("{line}: {error}"))?;
    Ok(out)
}

/// Returns the file that a command makes; its name is the last argument.
fn made(at: &Path, line: &str) -> Result<Vec<u8>, String> {
    output(at, &format!("{line} @made"))?;
    fs::read(at.join("made")).map_err(|error| error.to_string())
}
