//! Proofs, on circom's and snarkjs' files; what is JSON there is text here.

use std::ffi::CString;
use std::path::{Path, PathBuf};

use ark_ec::short_weierstrass::Projective;
use ark_ff::BigInt;
use bucketwheel::{Cancel, Curve, Points, Progress};
use bucketwheel_groth16::file::{
    public_to_json, zkey_curve, FileError, FileWarning, ProofJson, R1cs, VerifyingKeyJson, Wtns, Zkey,
};
use bucketwheel_groth16::ntt::TransformField;
use bucketwheel_groth16::setup::Setup;
use bucketwheel_groth16::{
    self as groth16, with_curve, ClaimPart, CurveId, Error as Groth16Error, PairingCurve, ProveOptions,
    TextClaim, TextVerifier,
};
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use self_cell::self_cell;

use crate::error::Error;
use crate::output;
use crate::source::{Rows, Source};
use crate::work::{self, Callback};

/// A key of some curve, ready to prove with.
trait DynProver: Send + Sync {
    fn curve(&self) -> CurveId;

    /// Number of public signals of a proof.
    fn public(&self) -> usize;

    /// `proof.json` and `public.json`; of sums that were computed elsewhere, if there are some.
    fn prove(
        &self,
        witness: &WitnessFile<'_>,
        sums: Option<&[Vec<u8>; 5]>,
        options: ProveOptions<'_>,
    ) -> Result<(String, String), Error>;

    /// The witness's values and, if asked for, the quotient's, as integers.
    fn scalars(
        &self,
        witness: &WitnessFile<'_>,
        quotient: bool,
        options: ProveOptions<'_>,
    ) -> Result<Vec<BigInt<4>>, Error>;

    /// `verification_key.json`.
    fn verification_key(&self) -> Result<String, Error>;

    /// What the key's owner should know.
    fn warnings(&self) -> Vec<FileWarning>;
}

/// A witness, and its file if it is in one.
struct WitnessFile<'a> {
    witness: Wtns<'a>,
    path: Option<&'a Path>,
}

impl<'a> WitnessFile<'a> {
    fn parse(source: &'a Source) -> Result<Self, Error> {
        let witness = Wtns::parse(source).map_err(in_file(source))?;
        Ok(WitnessFile { witness, path: source.path() })
    }

    /// The values, on a curve.
    fn values<E: PairingCurve>(&self) -> Result<Vec<BigInt<4>>, Groth16Error> {
        if self.witness.curve() != E::ID {
            let source = FileError::OtherCurve { expected: E::ID, found: self.witness.curve() };
            return Err(Groth16Error::from(source));
        }
        self.witness.to_vec()
    }
}

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

/// A point as integers.
fn point<C: Curve>(bytes: &[u8]) -> Result<Projective<C>, Groth16Error> {
    let points = Points::<C>::integers(bytes)?;
    let point = (!points.is_empty()).then(|| points.get(0)).flatten();
    Ok(point.ok_or(bucketwheel::Error::CoordinateRange { index: 0 })?.into())
}

/// A prover and the key that it borrows, for one curve.
macro_rules! loaded {
    ($module:ident, $curve:ident) => {
        mod $module {
            use super::*;
            use groth16::{$curve as E, Prover};

            type ZkeyProver<'a> = Prover<E, Zkey<'a, E>>;

            self_cell! {
                pub struct Loaded {
                    owner: Source,
                    #[covariant]
                    dependent: ZkeyProver,
                }
            }

            pub fn load(key: Source, retain: bool) -> Result<Box<dyn DynProver>, Groth16Error> {
                let loaded = Loaded::try_new(key, |key| {
                    let key = Zkey::parse(key)?;
                    if retain {
                        Prover::retaining(key)
                    } else {
                        Prover::new(key)
                    }
                })?;
                Ok(Box::new(loaded))
            }

            impl DynProver for Loaded {
                fn curve(&self) -> CurveId {
                    E::ID
                }

                fn public(&self) -> usize {
                    self.borrow_dependent().key().header.public
                }

                fn prove(
                    &self,
                    witness: &WitnessFile<'_>,
                    sums: Option<&[Vec<u8>; 5]>,
                    options: ProveOptions<'_>,
                ) -> Result<(String, String), Error> {
                    let prover = self.borrow_dependent();
                    let prove = || {
                        let witness = witness.values::<E>()?;
                        match sums {
                            None => prover.prove(&witness, options),
                            Some([a, b1, b2, c, h]) => {
                                let sums = groth16::Sums {
                                    a: point(a)?,
                                    b1: point(b1)?,
                                    b2: point(b2)?,
                                    c: point(c)?,
                                    h: point(h)?,
                                };
                                prover.prove_from(&witness, sums, options)
                            }
                        }
                    };
                    let proven = prove().map_err(|error| {
                        let damaged = matches!(error, Groth16Error::DamagedKey { .. });
                        let path = if damaged { self.borrow_owner().path() } else { witness.path };
                        Error::from(error).at(path)
                    })?;
                    Ok((ProofJson::encode(&proven.proof).to_text(), public_to_json(&proven.public)))
                }

                fn scalars(
                    &self,
                    witness: &WitnessFile<'_>,
                    quotient: bool,
                    options: ProveOptions<'_>,
                ) -> Result<Vec<BigInt<4>>, Error> {
                    let all = witness.values::<E>().and_then(|values| match quotient {
                        false => Ok(values),
                        true => self.borrow_dependent().quotient(&values, options),
                    });
                    all.map_err(|error| Error::from(error).at(witness.path))
                }

                fn verification_key(&self) -> Result<String, Error> {
                    let key = self.borrow_dependent().key().verifying_key()?;
                    Ok(VerifyingKeyJson::encode(&key).to_text())
                }

                fn warnings(&self) -> Vec<FileWarning> {
                    self.borrow_dependent().key().warnings()
                }
            }
        }
    };
}

#[cfg(feature = "bls12-381")]
loaded!(bls12_381, Bls12_381);
#[cfg(feature = "bn254")]
loaded!(bn254, Bn254);

fn load(key: Source, retain: bool) -> Result<Box<dyn DynProver>, Groth16Error> {
    match zkey_curve(&key)? {
        #[cfg(feature = "bn254")]
        CurveId::Bn254 => bn254::load(key, retain),
        #[cfg(feature = "bls12-381")]
        CurveId::Bls12_381 => bls12_381::load(key, retain),
        #[allow(unreachable_patterns)]
        other => Err(with_curve!(other, E => E::ID).err().map_or(
            FileError::Unsupported { found: other.name().into(), expected: "another curve" }.into(),
            Groth16Error::from,
        )),
    }
}

/// A key, ready to prove with.
#[pyclass(frozen, module = "bucketwheel._native")]
pub struct Prover(Box<dyn DynProver>);

#[pymethods]
impl Prover {
    #[new]
    fn new(py: Python<'_>, key: &Bound<'_, PyAny>, retain: bool) -> Result<Self, Error> {
        let key = Source::new(key, Rows::Any)?;
        let path = key.path().map(PathBuf::from);
        let load =
            |_: &dyn Progress| load(key, retain).map_err(|error| Error::from(error).at(path.as_deref()));
        let prover = work::run(py, &Cancel::new(), None, load)?;
        warn(py, path.as_deref(), prover.warnings())?;
        Ok(Prover(prover))
    }

    /// `proof.json` and `public.json`; of the sums over A, B1, B2, C and H as integers, if they were computed elsewhere.
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
            let file = WitnessFile::parse(&witness)?;
            let proven = self.0.prove(&file, sums.as_ref(), options.progress(progress))?;
            Ok((proven, file.witness.warnings()))
        })?;
        warn(py, witness.path(), warnings)?;
        Ok(proven)
    }

    /// A witness's values, or the scalars of the points H, as integers.
    fn scalars(
        &self,
        py: Python<'_>,
        witness: &Bound<'_, PyAny>,
        quotient: bool,
    ) -> Result<Py<PyBytes>, Error> {
        let (witness, cancel) = (Source::new(witness, Rows::Any)?, Cancel::new());
        let options = ProveOptions::new().cancel(&cancel);
        let (scalars, warnings) = work::run(py, &cancel, None, |_| {
            let file = WitnessFile::parse(&witness)?;
            Ok((self.0.scalars(&file, quotient, options)?, file.witness.warnings()))
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
        work::run(py, &Cancel::new(), None, |_| self.0.verification_key())
    }

    #[getter]
    fn curve(&self) -> &'static str {
        self.0.curve().name()
    }

    #[getter]
    fn public(&self) -> usize {
        self.0.public()
    }
}

/// Returns true if the proof of these public signals holds. One whose points are not in their groups does not.
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

/// Index of the first of these pairs of public signals and a proof that does not hold.
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
    let verifier = TextVerifier::new(key).map_err(in_file(key))?;
    let texts: Vec<_> = claims.iter().map(|(public, proof)| TextClaim { public, proof }).collect();
    let bad = verifier.first_bad(&texts).map_err(|error| match error {
        // A file's name says which one it is; a single proof needs no number.
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

/// Of this file, if it is one.
fn in_file<E: Into<Error>>(source: &Source) -> impl Fn(E) -> Error + '_ {
    |error| error.into().at(source.path())
}

/// Number of constraints that the witness satisfies: all.
#[pyfunction]
pub fn check_witness(
    py: Python<'_>,
    circuit: &Bound<'_, PyAny>,
    witness: &Bound<'_, PyAny>,
    progress: Callback<'_, '_>,
) -> Result<usize, Error> {
    let (circuit, witness) = (Source::new(circuit, Rows::Any)?, Source::new(witness, Rows::Any)?);
    let cancel = Cancel::new();
    let (constraints, of_circuit, of_witness) = work::run(py, &cancel, progress, |progress| {
        let parsed = R1cs::parse(&circuit).map_err(in_file(&circuit))?;
        let values = Wtns::parse(&witness).map_err(in_file(&witness))?;
        groth16::check_witness(&parsed, &values, &cancel, progress).map_err(in_file(&witness))?;
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
    let (key, warnings) = work::run(py, &cancel, progress, |progress| {
        let parsed = R1cs::parse(&circuit).map_err(in_file(&circuit))?;
        let curve = parsed.header.curve;
        let made = with_curve!(curve, E => make::<E>(parsed, &path, insecure_seed, &cancel, progress))?;
        Ok((made.map_err(|error| error.at(circuit.path()))?, parsed.warnings()))
    })?;
    warn(py, circuit.path(), warnings)?;
    Ok(key)
}

fn make<E: PairingCurve<ScalarField: TransformField>>(
    circuit: R1cs<'_>,
    path: &Path,
    insecure_seed: Option<u64>,
    cancel: &Cancel,
    progress: &dyn Progress,
) -> Result<String, Error> {
    let setup = match insecure_seed {
        None => Setup::<E>::new(circuit),
        Some(seed) => Setup::insecure_seed(circuit, seed),
    }?;
    output::write(path, |file| setup.write_zkey(file, cancel, progress).map(drop))?;
    Ok(VerifyingKeyJson::encode(&setup.verifying_key()).to_text())
}

/// The `.wtns` of a circuit for some inputs.
#[cfg(feature = "witness")]
#[pyfunction]
pub fn witness(
    py: Python<'_>,
    circuit: &Bound<'_, PyAny>,
    inputs: &Bound<'_, PyAny>,
    memory: usize,
    seconds: f64,
    log: Callback<'_, '_>,
) -> Result<Py<pyo3::types::PyBytes>, Error> {
    use std::io::Cursor;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use bucketwheel_groth16::file::write_wtns;
    use bucketwheel_groth16::witness::{Calculator, Inputs};

    let (circuit, inputs) = (Source::new(circuit, Rows::Any)?, Source::new(inputs, Rows::Any)?);
    let time = Duration::try_from_secs_f64(seconds)
        .map_err(|error| Error::Argument(format!("a time of {seconds} seconds: {error}")))?;
    let (cancel, lines) = (Cancel::new(), Arc::new(Mutex::new(Vec::new())));
    let kept = lines.clone();
    let keep = move |line: &str| kept.lock().expect("no panic while locked").push(line.to_owned());
    let calculator = Calculator::new().memory_limit(memory).time_limit(time).cancel(&cancel).log(keep);
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
    // Also where it failed: what a circuit says may be why.
    let lines = std::mem::take(&mut *lines.lock().expect("no panic while locked"));
    if let Some(log) = log {
        lines.into_iter().try_for_each(|line| log.call1((line,)).map(drop))?;
    }
    Ok(pyo3::types::PyBytes::new(py, &calculated?).unbind())
}
