//! Workloads: a circuit's key and a witness.

use crate::files::map;
use anyhow::{Context, Result, ensure};
use bucketwheel_groth16::file::{VerifyingKeyJson, Wtns, Zkey, zkey_curve};
use bucketwheel_groth16::{CurveId, PairingCurve, with_pairing};
use std::path::{Path, PathBuf};

/// A folder with a key and a witness, as `tools/circuits.sh` makes them.
pub struct Workload {
    pub name: String,
    pub curve: CurveId,
    pub constraints: usize,
    pub folder: PathBuf,
    /// The key by which all of its proofs are verified.
    pub verifying_key: VerifyingKeyJson,
    /// The public signals, in decimal.
    pub public: Vec<String>,
}

impl Workload {
    fn open(folder: &Path) -> Result<Self> {
        let (key, witness) = (map(&folder.join(KEY))?, map(&folder.join(WITNESS))?);
        let curve = zkey_curve(&key).context(KEY)?;
        with_pairing!(curve, E => Self::read::<E>(folder, &key, &witness))?
    }

    fn read<E: PairingCurve>(folder: &Path, key: &[u8], witness: &[u8]) -> Result<Self> {
        let key = Zkey::<E>::parse(key).context(KEY)?;
        let witness = Wtns::parse(witness).context(WITNESS)?;
        let header = &key.header;
        ensure!(
            witness.len() == header.signals && witness.curve() == E::ID,
            "{WITNESS} has {} values on {}: expected {} on {}, as {KEY} has",
            witness.len(),
            witness.curve(),
            header.signals,
            E::ID
        );
        let rows = key.coefficients.iter().map(|entry| entry.constraint as usize + 1).max().unwrap_or(0);
        Ok(Self {
            name: folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned(),
            curve: E::ID,
            // The last rows bind the constant and the public signals.
            constraints: rows.saturating_sub(header.public + 1),
            folder: folder.to_owned(),
            verifying_key: VerifyingKeyJson::encode(&key.verifying_key()?),
            public: (1..=header.public).map(|i| witness.get(i).to_string()).collect(),
        })
    }

    pub fn key(&self) -> PathBuf {
        self.folder.join(KEY)
    }

    pub fn witness(&self) -> PathBuf {
        self.folder.join(WITNESS)
    }

    /// Returns the multiplications of the workload `chain-K` or `chain-K-CURVE` and its inputs. Provers that do not
    /// read circom's files can make them from these.
    pub fn chain(&self) -> Result<Option<Chain>> {
        let log_size = self.name.strip_prefix("chain-").and_then(|rest| rest.split('-').next()?.parse().ok());
        let Some(log_size) = log_size.filter(|log_size| (2..32).contains(log_size)) else {
            return Ok(None);
        };
        let path = self.folder.join("input.json");
        let text = std::fs::read(&path).with_context(|| path.display().to_string())?;
        let input = serde_json::from_slice(&text).with_context(|| path.display().to_string())?;
        Ok(Some(Chain { steps: 2_usize.pow(log_size) - 2, input }))
    }
}

/// A chain of multiplications, x <- x^2 + c.
pub struct Chain {
    pub steps: usize,
    pub input: ChainInput,
}

/// Inputs of the chain, in decimal.
#[derive(serde::Deserialize)]
pub struct ChainInput {
    pub start: String,
    pub c: String,
}

const KEY: &str = "circuit.zkey";
const WITNESS: &str = "witness.wtns";

/// Returns the workloads with these names in a folder, or all complete ones, the smallest first.
pub fn find(folder: &Path, names: &[String]) -> Result<Vec<Workload>> {
    let mut folders: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    if names.is_empty() {
        let entries = folder.read_dir().with_context(|| folder.display().to_string())?;
        let all = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        folders.extend(all.into_iter().filter(|path| path.join(KEY).exists() && path.join(WITNESS).exists()));
    }
    let open = |path: &PathBuf| Workload::open(path).with_context(|| path.display().to_string());
    let mut workloads = folders.iter().map(open).collect::<Result<Vec<_>>>()?;
    ensure!(
        !workloads.is_empty(),
        "no workload in {}: expected folders with {KEY} and {WITNESS}",
        folder.display()
    );
    workloads.sort_by_key(|workload| (workload.constraints, workload.name.clone()));
    Ok(workloads)
}
