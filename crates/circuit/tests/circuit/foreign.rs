//! Circuits of widespread compilers, from the file to a proof. `tools/foreign.sh` makes them; `BUCKETWHEEL_FOREIGN`
//! names a folder with all of them.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use bucketwheel::{Cancel, Progress};
use bucketwheel_circuit::{setup, Loaded, Source};
use bucketwheel_groth16::file::{R1cs, Wtns};
use bucketwheel_groth16::{check_witness, ProveOptions, TextClaim, TextVerifier};

/// Circuits whose witnesses do not hold: with these compilers, a circuit computes when it gets an input, and these
/// circuits have none.
const NOT_COMPUTED: [&str; 2] = ["2.0.8/no-inputs.r1cs", "2.1.0/no-inputs.r1cs"];

struct Silent;

impl Progress for Silent {
    fn report(&self, _: usize, _: usize) {}
}

fn prove(circuit: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let (file, witness) = (std::fs::read(circuit)?, std::fs::read(circuit.with_extension("wtns"))?);
    let (circuit, witness) = (R1cs::parse(&file)?, Wtns::parse(&witness)?);
    check_witness(&circuit, &witness, &Cancel::new(), &Silent)?;
    let setup = setup::setup(circuit, Some(1))?;
    let mut key = Cursor::new(Vec::new());
    setup.write_zkey(&mut key, &Cancel::new(), &Silent)?;
    let loaded = Loaded::new(Source::of(key.into_inner()))?;
    let proven = loaded.prove(&witness.to_vec()?, ProveOptions::new().insecure_seed(1))?;
    let (public, proof) = (proven.public_text(), proven.proof_text());
    let verifier = TextVerifier::new(setup.verifying_key().to_text().as_bytes())?;
    let claim = TextClaim { public: public.as_bytes(), proof: proof.as_bytes() };
    assert!(verifier.first_bad(&[claim])?.is_none());
    Ok(())
}

#[test]
fn foreign_circuits_prove() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data/foreign");
    let given = std::env::var_os("BUCKETWHEEL_FOREIGN").map(PathBuf::from);
    let mut proven = 0;
    for folder in std::iter::once(here).chain(given) {
        let compilers = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        for compiler in compilers.filter(|path| path.is_dir() && !path.ends_with("npm")) {
            for circuit in compiler.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
                if circuit.extension().is_none_or(|extension| extension != "r1cs") {
                    continue;
                }
                let result = prove(&circuit);
                if NOT_COMPUTED.iter().any(|name| circuit.ends_with(name)) {
                    assert!(result.unwrap_err().to_string().contains("constraint 0 does not hold"));
                    continue;
                }
                result.unwrap_or_else(|error| panic!("{}: {error}", circuit.display()));
                proven += 1;
            }
        }
    }
    assert!(proven >= 75, "{proven}");
}
