//! Test vectors of other projects: go-ethereum's vectors of EIP-2537 and c-kzg-4844's vectors of EIP-4844, from a
//! folder with copies of their files, at any depth.

use std::fs;
use std::path::{Path, PathBuf};

use bucketwheel::Cancel;
use bucketwheel_cli::commands::eip2537::unhex;
use bucketwheel_dynamic::precompile::{call, Precompile};
use serde_json::Value;

use crate::files::output;

/// The environment variable that names the folder.
const VARIABLE: &str = "BUCKETWHEEL_VECTORS";

/// Checks all vectors in known formats.
///
/// # Errors
/// The first failure, or an error if the folder has no vectors.
pub fn run() -> Result<String, String> {
    let Some(folder) = std::env::var_os(VARIABLE) else {
        return Ok(format!("vectors skipped: {VARIABLE} names no folder of them"));
    };
    let folder = PathBuf::from(folder);
    let mut files = Vec::new();
    find(&folder, &mut files)?;
    let mut count = 0;
    for path in files {
        count += check(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    match count {
        0 => Err(format!("{}: expected test vectors of go-ethereum or c-kzg-4844", folder.display())),
        _ => Ok(format!("vectors {count} cases")),
    }
}

/// Finds all files below a folder.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        match path.is_dir() {
            true => find(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

/// Checks the vectors of a file; returns their number.
fn check(path: &Path) -> Result<usize, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let text = || fs::read_to_string(path).map_err(|error| error.to_string());
    let blob = path.components().any(|part| part.as_os_str() == "blob_to_kzg_commitment");
    match operation(&name) {
        Some(operation) if name.ends_with(".json") => precompile(operation, &text()?),
        _ if blob && name.ends_with(".yaml") => commitment(&text()?),
        _ => Ok(0),
    }
}

/// Returns the precompile that a file of vectors is for: `blsG1Add.json`, `fail-blsG2MultiExp.json`, `msm_G1_bls.json`.
fn operation(name: &str) -> Option<Precompile> {
    let has = |word: &str| name.contains(word);
    let sums = ["mul", "msm"].into_iter().any(has);
    match () {
        () if !has("bls") || has("map") || has("pairing") => None,
        () if has("g1") && has("add") => Some(Precompile::G1Add),
        () if has("g2") && has("add") => Some(Precompile::G2Add),
        () if has("g1") && sums => Some(Precompile::G1Msm),
        () if has("g2") && sums => Some(Precompile::G2Msm),
        () => None,
    }
}

fn precompile(operation: Precompile, text: &str) -> Result<usize, String> {
    let vectors: Vec<Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    for vector in &vectors {
        let input = vector["Input"].as_str().ok_or("a vector without Input")?;
        let expected = vector["Expected"].as_str().filter(|expected| !expected.is_empty());
        let found =
            unhex(input.as_bytes()).ok().and_then(|input| call(operation, &input, &Cancel::new()).ok());
        let found = found.map(hex::encode);
        if found.as_deref() != expected {
            return Err(format!("{}: {found:?}, expected {expected:?}", vector["Name"]));
        }
    }
    Ok(vectors.len())
}

fn commitment(text: &str) -> Result<usize, String> {
    // YAML with two values, each on its own line.
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.trim_start().strip_prefix(key));
        line.map(|value| value.trim().trim_matches(['\'', '"']))
    };
    let blob = value("blob:").ok_or("a vector without blob")?;
    let expected = value("output:").ok_or("a vector without output")?;
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    // A text that is not hexadecimal is not a blob either.
    let bytes = unhex(blob.as_bytes()).unwrap_or_default();
    fs::write(directory.path().join("blob"), bytes).map_err(|error| error.to_string())?;
    let found = output(directory.path(), "kzg commit @blob").ok();
    let found =
        found.as_deref().map_or("null".into(), |line| String::from_utf8_lossy(line).trim().to_owned());
    match found == expected {
        true => Ok(1),
        false => Err(format!("{found}, expected {expected}")),
    }
}
