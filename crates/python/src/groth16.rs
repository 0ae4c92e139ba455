//! Proofs, with the files of circom and snarkjs; JSON files are texts here.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::path::{Path, PathBuf};

use bucketwheel::Cancel;
use bucketwheel_circuit::{
    setup as make, verifying_key_text, Error as CircuitError, Fault, KeyPoints, Loaded,
};
use bucketwheel_groth16::file::{sections, symbols_beside, FileWarning, Kind, R1cs, Wtns};
use bucketwheel_groth16::{
    self as groth16, snarkjs_name, solidity, ClaimPart, Error as Groth16Error, ProveOptions, TextClaim,
    TextVerifier,
};
use bucketwheel_whole_file::{check_distinct, Output};
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::Error;
use crate::source::{Rows, Source};
use crate::work::{self, Callback};

/// Passes warnings about a file on to Python's `warnings.warn`, as `RuntimeWarning` of the function that called the package.
fn warn(
    py: Python<'_>,
    source: Option<&Path>,
    warnings: impl IntoIterator<Item = FileWarning>,
) -> PyResult<()> {
    for warning in warnings {
        let text = match source {
            Some(path) => format!("{}: {warning}", path.display()),
            None => warning.to_string(),
        };
        let text = CString::new(text).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, CALLER)?;
    }
    Ok(())
}

/// Frames between the native function and the package's caller, itself included.
const CALLER: i32 = 2;

/// A key, ready to prove with.
#[pyclass(frozen, module = "bucketwheel._native")]
pub struct Prover(Loaded);

impl Prover {
    /// Returns the error of a circuit, with the responsible file if there is one: the key or the circuit's input.
    fn blame<'a>(&'a self, given: &'a Source) -> impl FnOnce(CircuitError) -> Error + 'a {
        blame(self.0.key().path(), given.path())
    }
}

fn blame<'a>(key: Option<&'a Path>, given: Option<&'a Path>) -> impl FnOnce(CircuitError) -> Error + 'a {
    move |error| {
        let path = if error.fault() == Fault::Key { key } else { given };
        match error {
            CircuitError::Groth16 { source, .. } => Error::from(source).at(path),
            error => Error::Circuit(error),
        }
    }
}

#[pymethods]
impl Prover {
    #[new]
    fn new(py: Python<'_>, key: &Bound<'_, PyAny>, retain: bool, map: bool) -> Result<Self, Error> {
        let key = Source::new(key, Rows::Any)?;
        let path = key.path().map(PathBuf::from);
        let loaded = work::run(py, &Cancel::new(), None, |_| {
            let loaded = Loaded::new(key.into_key(map)?);
            let prepared = loaded
                .and_then(|loaded| loaded.circuit().prepare(KeyPoints::retained_if(retain)).map(|()| loaded));
            prepared.map_err(blame(path.as_deref(), path.as_deref()))
        })?;
        warn(py, path.as_deref(), loaded.circuit().warnings())?;
        Ok(Prover(loaded))
    }

    /// Returns `proof.json` and `public.json`. With `sums`, takes the sums over A, B1, B2, C and H as integers, which
    /// another program computed.
    #[allow(clippy::too_many_arguments)]
    fn prove(
        &self,
        py: Python<'_>,
        witness: &Bound<'_, PyAny>,
        verify: bool,
        memory: Option<usize>,
        insecure_seed: Option<u64>,
        sums: Option<[Vec<u8>; 5]>,
        progress: Callback<'_, '_>,
    ) -> Result<(String, String), Error> {
        let (witness, cancel) = (Source::new(witness, Rows::Any)?, Cancel::new());
        let options = ProveOptions::new().verify(verify).cancel(&cancel);
        let options = memory.map_or(options, |bytes| options.memory(bytes));
        let options = insecure_seed.map_or(options, |seed| options.insecure_seed(seed));
        let (proven, warnings) = work::run(py, &cancel, progress, |progress| {
            let options = options.progress(progress);
            let parsed = Wtns::parse(&witness).map_err(in_file(&witness))?;
            let proven = self.0.values_of(&parsed).and_then(|values| match &sums {
                None => self.0.prove(&values, options),
                Some(sums) => self.0.prove_from(&values, sums, options),
            });
            let proven = proven.map_err(self.blame(&witness))?;
            Ok(((proven.proof_text(), proven.public_text()), parsed.warnings()))
        })?;
        warn(py, witness.path(), warnings)?;
        Ok(proven)
    }

    /// Returns a witness's values, or the scalars of the points H, as integers.
    fn scalars(
        &self,
        py: Python<'_>,
        witness: &Bound<'_, PyAny>,
        quotient: bool,
    ) -> Result<Py<PyBytes>, Error> {
        let (witness, cancel) = (Source::new(witness, Rows::Any)?, Cancel::new());
        let options = ProveOptions::new().cancel(&cancel);
        let (scalars, warnings) = work::run(py, &cancel, None, |_| {
            let parsed = Wtns::parse(&witness).map_err(in_file(&witness))?;
            let scalars = self.0.values_of(&parsed).and_then(|values| match quotient {
                false => Ok(values),
                true => self.0.circuit().quotient(&values, options),
            });
            Ok((scalars.map_err(self.blame(&witness))?, parsed.warnings()))
        })?;
        warn(py, witness.path(), warnings)?;
        let bytes = PyBytes::new_with(py, 32 * scalars.len(), |bytes| {
            let words = scalars.iter().flat_map(|scalar| scalar.0);
            bytes
                .chunks_exact_mut(8)
                .zip(words)
                .for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
            Ok(())
        })?;
        Ok(bytes.unbind())
    }

    fn verification_key(&self, py: Python<'_>) -> Result<String, Error> {
        let key = self.0.key().path();
        work::run(py, &Cancel::new(), None, |_| {
            Ok(self.0.circuit().verifying_key().map_err(blame(key, key))?.to_text())
        })
    }

    #[getter]
    fn curve(&self) -> &'static str {
        snarkjs_name(self.0.circuit().info().curve)
    }

    /// The curve's name in this package.
    #[getter]
    fn curve_name(&self) -> &'static str {
        self.0.circuit().info().curve.name()
    }

    #[getter]
    fn public(&self) -> usize {
        self.0.circuit().info().public
    }
}

/// Returns the start and the bytes of each section of a key, by its number.
#[pyfunction]
pub fn key_sections(key: &Bound<'_, PyAny>) -> Result<BTreeMap<u32, (usize, usize)>, Error> {
    let key = Source::new(key, Rows::Any)?;
    let places = sections(&key, Kind::Zkey).map_err(in_file(&key))?;
    Ok(places.into_iter().map(|(id, place)| (id, (place.start, place.len()))).collect())
}

/// Returns true if the proof of these public signals holds. A proof whose points are not in their groups does not hold.
#[pyfunction]
pub fn verify(
    py: Python<'_>,
    key: &Bound<'_, PyAny>,
    public: &Bound<'_, PyAny>,
    proof: &Bound<'_, PyAny>,
) -> Result<bool, Error> {
    let claim = (Source::new(public, Rows::Any)?, Source::new(proof, Rows::Any)?);
    let key = Source::new(key, Rows::Any)?;
    work::run(py, &Cancel::new(), None, |_| Ok(first_bad(&key, &[claim])?.is_none()))
}

/// Returns the index of the first pair of public signals and a proof that does not hold.
#[pyfunction]
pub fn verify_many(
    py: Python<'_>,
    key: &Bound<'_, PyAny>,
    claims: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
) -> Result<Option<usize>, Error> {
    let claims = claims
        .iter()
        .map(|(public, proof)| Ok((Source::new(public, Rows::Any)?, Source::new(proof, Rows::Any)?)))
        .collect::<Result<Vec<_>, Error>>()?;
    let key = Source::new(key, Rows::Any)?;
    work::run(py, &Cancel::new(), None, |_| first_bad(&key, &claims))
}

fn first_bad(key: &Source, claims: &[(Source, Source)]) -> Result<Option<usize>, Error> {
    let text = verifying_key_text(key).map_err(blame(key.path(), key.path()))?;
    let verifier = TextVerifier::new(&text).map_err(in_file(key))?;
    let texts: Vec<_> = claims.iter().map(|(public, proof)| TextClaim { public, proof }).collect();
    let bad = verifier.first_bad(&texts).map_err(|error| match error {
        // A file's name identifies the claim; a single proof needs no number.
        Groth16Error::Claim { index, part, source } => {
            let (public, proof) = &claims[index];
            let path = if part == ClaimPart::Public { public.path() } else { proof.path() };
            match path.is_none() && claims.len() > 1 {
                true => Groth16Error::Claim { index, part, source }.into(),
                false => Error::from(*source).at(path),
            }
        }
        Groth16Error::NoProofs => Groth16Error::NoProofs.into(),
        error => in_file(key)(error),
    })?;
    Ok(bad.map(|bad| bad.index))
}

/// Returns the error with its file, if the source is a file.
fn in_file<E: Into<Error>>(source: &Source) -> impl Fn(E) -> Error + '_ {
    |error| error.into().at(source.path())
}

/// Returns the contract that verifies proofs by a key.
#[pyfunction]
pub fn export_solidity(py: Python<'_>, key: &Bound<'_, PyAny>) -> Result<String, Error> {
    let key = Source::new(key, Rows::Any)?;
    work::run(py, &Cancel::new(), None, |_| {
        let text = verifying_key_text(&key).map_err(blame(key.path(), key.path()))?;
        solidity::contract(&text).map_err(in_file(&key))
    })
}

/// Returns the arguments of a call of the contract.
#[pyfunction]
pub fn calldata(
    py: Python<'_>,
    public: &Bound<'_, PyAny>,
    proof: &Bound<'_, PyAny>,
) -> Result<String, Error> {
    let (public, proof) = (Source::new(public, Rows::Any)?, Source::new(proof, Rows::Any)?);
    work::run(py, &Cancel::new(), None, |_| {
        let points = solidity::proof_arguments(&proof).map_err(in_file(&proof))?;
        Ok(format!("{points},{}", solidity::public_argument(&public).map_err(in_file(&public))?))
    })
}

/// Returns the names of a circuit's signals: from the given file, or from the readable `.sym` file beside the circuit,
/// if there is one.
fn symbols(sym: Option<&Bound<'_, PyAny>>, circuit: &Source) -> Result<Option<Source>, Error> {
    let Some(sym) = sym else {
        let beside = circuit.path().and_then(symbols_beside);
        return Ok(beside.and_then(|path| Source::map(path).ok()));
    };
    let file = Source::new(sym, Rows::Any)?;
    groth16::file::symbols(&file).try_for_each(|symbol| symbol.map(drop)).map_err(in_file(&file))?;
    Ok(Some(file))
}

/// Checks a witness; returns the number of constraints, which all hold.
#[pyfunction]
pub fn check_witness(
    py: Python<'_>,
    circuit: &Bound<'_, PyAny>,
    witness: &Bound<'_, PyAny>,
    sym: Option<&Bound<'_, PyAny>>,
    progress: Callback<'_, '_>,
) -> Result<usize, Error> {
    let (circuit, witness) = (Source::new(circuit, Rows::Any)?, Source::new(witness, Rows::Any)?);
    let symbols = symbols(sym, &circuit)?;
    let cancel = Cancel::new();
    let (constraints, of_circuit, of_witness) = work::run(py, &cancel, progress, |progress| {
        let parsed = R1cs::parse(&circuit).map_err(in_file(&circuit))?;
        let values = Wtns::parse(&witness).map_err(in_file(&witness))?;
        groth16::check_witness_named(&parsed, &values, symbols.as_deref(), &cancel, progress)
            .map_err(in_file(&witness))?;
        Ok((parsed.header.constraints, parsed.warnings(), values.warnings()))
    })?;
    warn(py, circuit.path(), of_circuit)?;
    warn(py, witness.path(), of_witness)?;
    Ok(constraints)
}

/// Writes a key for development; returns `verification_key.json`.
#[pyfunction]
pub fn setup(
    py: Python<'_>,
    circuit: &Bound<'_, PyAny>,
    path: PathBuf,
    insecure_seed: Option<u64>,
    progress: Callback<'_, '_>,
) -> Result<String, Error> {
    let (circuit, cancel) = (Source::new(circuit, Rows::Any)?, Cancel::new());
    let inputs: Vec<_> = circuit.path().into_iter().collect();
    check_distinct(&inputs, &[&path]).map_err(|error| Error::Argument(error.to_string()))?;
    let (key, warnings) = work::run(py, &cancel, progress, |progress| {
        let parsed = R1cs::parse(&circuit).map_err(in_file(&circuit))?;
        let warnings = parsed.warnings();
        let setup = make::setup(parsed, insecure_seed).map_err(in_file(&circuit))?;
        Output::write_durably(&path, |file| setup.write_zkey(file, &cancel, progress))?;
        Ok((setup.verifying_key().to_text(), warnings))
    })?;
    warn(py, circuit.path(), warnings)?;
    Ok(key)
}

/// Returns the `.wtns` of a circuit for some inputs.
#[cfg(feature = "witness")]
#[pyfunction]
pub fn witness(
    py: Python<'_>,
    circuit: &Bound<'_, PyAny>,
    inputs: &Bound<'_, PyAny>,
    memory: usize,
    seconds: f64,
    sym: Option<&Bound<'_, PyAny>>,
    log: Callback<'_, '_>,
) -> Result<Py<pyo3::types::PyBytes>, Error> {
    use std::io::Cursor;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use bucketwheel_groth16::file::{main_signals, write_wtns};
    use bucketwheel_groth16::witness::{Calculator, Inputs};

    let (circuit, inputs) = (Source::new(circuit, Rows::Any)?, Source::new(inputs, Rows::Any)?);
    let time = Duration::try_from_secs_f64(seconds)
        .map_err(|error| Error::Argument(format!("a time of {seconds} seconds: {error}")))?;
    let (cancel, lines) = (Cancel::new(), Arc::new(Mutex::new(Vec::new())));
    let kept = lines.clone();
    let keep = move |line: &str| kept.lock().expect("no panic while locked").push(line.to_owned());
    let names = symbols(sym, &circuit)?.and_then(|symbols| main_signals(&symbols).ok()).unwrap_or_default();
    let calculator = Calculator::new()
        .memory_limit(memory)
        .time_limit(time)
        .cancel(&cancel)
        .names(Arc::new(names))
        .log(keep);
    let calculated = work::run(py, &cancel, None, |_| {
        let parsed =
            Inputs::from_json(&inputs).map_err(|error| in_file(&inputs)(Groth16Error::from(error)))?;
        let witness = calculator.calculate(&circuit, &parsed).map_err(|error| {
            let source = if error.is_about_inputs() { &inputs } else { &circuit };
            in_file(source)(Groth16Error::from(error))
        })?;
        let written = write_wtns(Cursor::new(Vec::new()), witness.curve, &witness.values);
        Ok(written.map_err(|source| Error::Argument(source.to_string()))?.into_inner())
    });
    // Passes the log on after a failure, too, because the circuit's output may show the reason.
    let lines = std::mem::take(&mut *lines.lock().expect("no panic while locked"));
    if let Some(log) = log {
        lines.into_iter().try_for_each(|line| log.call1((line,)).map(drop))?;
    }
    Ok(pyo3::types::PyBytes::new(py, &calculated?).unbind())
}
