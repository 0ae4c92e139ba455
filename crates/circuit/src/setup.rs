//! Keys for development and circuits of jsnark, over a curve that only a file or the caller names.
//!
//! ```
//! # struct Silent;
//! # impl bucketwheel::Progress for Silent {
//! #     fn report(&self, _: usize, _: usize) {}
//! # }
//! use std::io::Cursor;
//!
//! use bucketwheel::{Cancel, CurveId};
//! use bucketwheel_circuit::setup::{import_jsnark, setup};
//! use bucketwheel_circuit::{Loaded, Source};
//! use bucketwheel_groth16::file::R1cs;
//! use bucketwheel_groth16::ProveOptions;
//!
//! // A circuit of jsnark, its witness, and the key of a seed: for tests.
//! let text = b"total 3\ninput 0\nnizkinput 1\nmul in 2 <1 0> out 1 <2>\noutput 2\n";
//! let (cancel, mut circuit, mut witness) = (Cancel::new(), Cursor::new(Vec::new()), Cursor::new(Vec::new()));
//! let imported = import_jsnark(CurveId::Bn254, text, b"0 3\n1 5\n", &mut circuit, &cancel, &Silent)??;
//! println!("{} constraints, {} values", imported.constraints(), imported.values());
//! imported.write_wtns(&mut witness)?;
//! let (circuit, mut key) = (circuit.into_inner(), Cursor::new(Vec::new()));
//! let made = setup(R1cs::parse(&circuit)?, Some(1))?;
//! made.write_zkey(&mut key, &cancel, &Silent)?;
//!
//! let loaded = Loaded::new(Source::of(key.into_inner()))?;
//! assert_eq!(loaded.circuit().verifying_key()?.to_text(), made.verifying_key().to_text());
//! let proven = loaded.prove(&loaded.values(&witness.into_inner())?, ProveOptions::new())?;
//! assert_eq!(proven.public, ["15", "3"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io::{self, Seek, Write};

use ark_ff::BigInt;
use bucketwheel::{Cancel, MontgomeryWords, Progress};
use bucketwheel_groth16::file::{R1cs, VerifyingKeyJson};
use bucketwheel_groth16::jsnark::{self, ImportError, Imported};
use bucketwheel_groth16::setup::Setup;
use bucketwheel_groth16::{with_pairing, CurveId, Error, PairingCurve};

/// A place that a file is written to.
pub trait Place: Write + Seek {}

impl<W: Write + Seek> Place for W {}

/// A [`Setup`].
pub trait DynSetup {
    /// Calls [`Setup::write_zkey`]. The [example](crate::setup) uses it.
    ///
    /// # Errors
    /// The errors of [`Setup::write_zkey`].
    fn write_zkey(&self, out: &mut dyn Place, cancel: &Cancel, progress: &dyn Progress) -> io::Result<()>;

    /// Calls [`Setup::verifying_key`]. The [example](crate::setup) uses it.
    fn verifying_key(&self) -> VerifyingKeyJson;
}

/// Counts of a circuit of jsnark, and its witness: [`Imported`].
pub trait DynImported {
    /// Returns the number of constraints. The [example](crate::setup) uses it.
    fn constraints(&self) -> usize;

    /// Returns the number of values of the witness. The [example](crate::setup) uses it.
    fn values(&self) -> usize;

    /// Calls [`Imported::write_wtns`]. The [example](crate::setup) uses it.
    ///
    /// # Errors
    /// The errors of [`Imported::write_wtns`].
    fn write_wtns(&self, out: &mut dyn Place) -> io::Result<()>;
}

/// Draws a key for a circuit ([`Setup::new`]), or makes the key of a seed ([`Setup::insecure_seed`]).
///
/// The [example](crate::setup) uses it.
///
/// # Errors
/// The errors of [`Setup::new`] and [`Setup::insecure_seed`]; [`Error::MissingCurve`].
pub fn setup<'a>(circuit: R1cs<'a>, insecure_seed: Option<u64>) -> Result<Box<dyn DynSetup + 'a>, Error> {
    with_pairing!(circuit.header.curve, E => {
        let setup = match insecure_seed {
            None => Setup::<E>::new(circuit),
            Some(seed) => Setup::insecure_seed(circuit, seed),
        };
        Ok(Box::new(setup?) as Box<dyn DynSetup + 'a>)
    })?
}

/// Imports a circuit of jsnark and writes its constraints ([`jsnark::import`]). The outer error is an error of the output.
///
/// The [example](crate::setup) uses it.
///
/// # Errors
/// [`Error::Jsnark`]; [`Error::MissingCurve`].
pub fn import_jsnark(
    curve: CurveId,
    circuit: &[u8],
    inputs: &[u8],
    r1cs: &mut dyn Place,
    cancel: &Cancel,
    progress: &dyn Progress,
) -> io::Result<Result<Box<dyn DynImported>, Error>> {
    let imported = with_pairing!(curve, E => match jsnark::import::<E, _>(circuit, inputs, r1cs, cancel, progress) {
        Ok(imported) => Ok(Ok(Box::new(Over::<E>(imported)) as Box<dyn DynImported>)),
        Err(ImportError::Jsnark(error)) => Ok(Err(error.into())),
        Err(ImportError::Output(error)) => Err(error),
    });
    imported.unwrap_or_else(|missing| Ok(Err(missing.into())))
}

impl<E: PairingCurve> DynSetup for Setup<'_, E> {
    fn write_zkey(&self, out: &mut dyn Place, cancel: &Cancel, progress: &dyn Progress) -> io::Result<()> {
        self.write_zkey(out, cancel, progress).map(drop)
    }

    fn verifying_key(&self) -> VerifyingKeyJson {
        VerifyingKeyJson::encode(&self.verifying_key())
    }
}

/// A circuit over the scalars of a curve.
struct Over<E: PairingCurve>(Imported<E::ScalarField>);

impl<E: PairingCurve<ScalarField: MontgomeryWords<BigInt = BigInt<4>>>> DynImported for Over<E> {
    fn constraints(&self) -> usize {
        self.0.constraints
    }

    fn values(&self) -> usize {
        self.0.witness.len()
    }

    fn write_wtns(&self, out: &mut dyn Place) -> io::Result<()> {
        self.0.write_wtns::<E, _>(out).map(drop)
    }
}
