//! The test vectors of c-kzg-4844, which `tools/kzg.sh` downloads.

use std::path::{Path, PathBuf};

use bucketwheel_kzg::Settings;
use serde::de::DeserializeOwned;
use serde::Deserialize;

use crate::settings;

/// Environment variable with the directory of c-kzg-4844.
const DIRECTORY: &str = "BUCKETWHEEL_C_KZG";

/// Bytes in hexadecimal.
#[derive(Deserialize)]
struct Hex(String);

impl Hex {
    fn bytes(&self) -> Vec<u8> {
        hex::decode(self.0.strip_prefix("0x").expect("a prefix")).expect("hexadecimal digits")
    }
}

/// A call and its result, which is missing if the call fails.
#[derive(Deserialize)]
struct Case<I, O> {
    input: I,
    output: Option<O>,
}

fn directory() -> PathBuf {
    std::env::var_os(DIRECTORY).expect("tools/kzg.sh sets the directory of c-kzg-4844").into()
}

/// Calls `check` with each case of a function.
fn for_each<I: DeserializeOwned, O: DeserializeOwned>(function: &str, check: impl Fn(&str, I, Option<O>)) {
    let cases = directory().join("tests").join(function).join("kzg-mainnet");
    let mut count = 0;
    for case in std::fs::read_dir(&cases).expect("cases of the function") {
        let path: PathBuf = case.expect("an entry").path();
        let text = std::fs::read_to_string(path.join("data.yaml")).expect("a case");
        let Case { input, output } = serde_yaml_ng::from_str(&text).expect("a call and its result");
        check(&path.file_name().map(Path::new).expect("a name").to_string_lossy(), input, output);
        count += 1;
    }
    println!("{function}: {count} cases");
    assert!(count > 9, "{} has only {count} cases", cases.display());
}

/// Returns the bytes of each entry.
fn all(entries: &[Hex]) -> Vec<Vec<u8>> {
    entries.iter().map(Hex::bytes).collect()
}

/// Returns points, or `None` if one of them has another length.
fn points(entries: &[Hex]) -> Option<Vec<[u8; 48]>> {
    entries.iter().map(|entry| entry.bytes().try_into().ok()).collect()
}

#[derive(Deserialize)]
struct Blob {
    blob: Hex,
}

#[derive(Deserialize)]
struct Recovery {
    cell_indices: Vec<u64>,
    cells: Vec<Hex>,
}

#[derive(Deserialize)]
struct Batch {
    commitments: Vec<Hex>,
    cell_indices: Vec<u64>,
    cells: Vec<Hex>,
    proofs: Vec<Hex>,
}

type CellsAndProofs = (Vec<Hex>, Vec<Hex>);

#[test]
#[ignore = "tools/kzg.sh, part of `make test`, downloads the vectors and runs this test"]
fn of_commitments_and_cells() {
    for_each("blob_to_kzg_commitment", |name, input: Blob, output: Option<Hex>| {
        let found = settings().blob_to_kzg_commitment(&input.blob.bytes());
        assert_eq!(found.ok().map(Vec::from), output.map(|output| output.bytes()), "{name}");
    });
    for_each("compute_cells", |name, input: Blob, output: Option<Vec<Hex>>| {
        let found = settings().compute_cells(&input.blob.bytes());
        assert!(found.ok() == output.as_deref().map(all), "{name}");
    });
    for_each("compute_cells_and_kzg_proofs", |name, input: Blob, output: Option<CellsAndProofs>| {
        let found = settings().compute_cells_and_kzg_proofs(&input.blob.bytes());
        let found =
            found.ok().map(|(cells, proofs)| (cells, proofs.into_iter().map(Vec::from).collect::<Vec<_>>()));
        assert!(found == output.map(|(cells, proofs)| (all(&cells), all(&proofs))), "{name}");
    });
}

#[test]
#[ignore = "tools/kzg.sh, part of `make test`, downloads the vectors and runs this test"]
fn of_recovery() {
    for_each("recover_cells_and_kzg_proofs", |name, input: Recovery, output: Option<CellsAndProofs>| {
        let found = settings().recover_cells_and_kzg_proofs(&input.cell_indices, &all(&input.cells));
        let found =
            found.ok().map(|(cells, proofs)| (cells, proofs.into_iter().map(Vec::from).collect::<Vec<_>>()));
        assert!(found == output.map(|(cells, proofs)| (all(&cells), all(&proofs))), "{name}");
    });
}

#[test]
#[ignore = "tools/kzg.sh, part of `make test`, downloads the vectors and runs this test"]
fn of_verification() {
    for_each("verify_cell_kzg_proof_batch", |name, input: Batch, output: Option<bool>| {
        let found =
            points(&input.commitments).zip(points(&input.proofs)).and_then(|(commitments, proofs)| {
                let cells = all(&input.cells);
                settings()
                    .verify_cell_kzg_proof_batch(&commitments, &input.cell_indices, &cells, &proofs)
                    .ok()
            });
        assert_eq!(found, output, "{name}");
    });
}

#[test]
fn the_trusted_setup_is_that_of_c_kzg() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/data/trusted_setup.txt");
    let read = Settings::read(&std::fs::read_to_string(file).expect("c-kzg's file"))
        .expect("points of the ceremony");
    let blob = crate::blob(9);
    let [read, contained] = [&read, settings()].map(|settings| {
        let proofs = settings.compute_cells_and_kzg_proofs(&blob).expect("a valid blob");
        (settings.blob_to_kzg_commitment(&blob).expect("a valid blob"), proofs)
    });
    assert!(read == contained);
}
