//! Keys for development and circuits of jsnark, of a curve that only a file or the caller names.

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
    /// As [`Setup::write_zkey`].
    ///
    /// # Errors
    /// As there.
    fn write_zkey(&self, out: &mut dyn Place, cancel: &Cancel, progress: &dyn Progress) -> io::Result<()>;

    /// As [`Setup::verifying_key`].
    fn verifying_key(&self) -> VerifyingKeyJson;
}

/// Counts of a circuit of jsnark, and its witness: [`Imported`].
pub trait DynImported {
    /// Number of constraints.
    fn constraints(&self) -> usize;

    /// Number of values of the witness.
    fn values(&self) -> usize;

    /// As [`Imported::write_wtns`].
    ///
    /// # Errors
    /// As there.
    fn write_wtns(&self, out: &mut dyn Place) -> io::Result<()>;
}

/// Draws a key for a circuit ([`Setup::new`]), or makes the key of a seed ([`Setup::insecure_seed`]).
///
/// # Errors
/// As there; [`Error::MissingCurve`].
pub fn setup<'a>(circuit: R1cs<'a>, insecure_seed: Option<u64>) -> Result<Box<dyn DynSetup + 'a>, Error> {
    with_pairing!(circuit.header.curve, E => {
        let setup = match insecure_seed {
            None => Setup::<E>::new(circuit),
            Some(seed) => Setup::insecure_seed(circuit, seed),
        };
        Ok(Box::new(setup?) as Box<dyn DynSetup + 'a>)
    })?
}

/// Imports a circuit of jsnark and writes its constraints ([`jsnark::import`]). The outer error is the output's.
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
