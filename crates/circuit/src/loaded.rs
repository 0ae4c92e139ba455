//! A circuit and the bytes that it borrows, in one value.

use ark_ff::BigInt;
use bucketwheel_groth16::file::{zkey_curve, zkey_protocol, FileError, Wtns};
#[cfg(feature = "witness")]
use bucketwheel_groth16::witness::{Calculator, Compiled, Inputs};
use bucketwheel_groth16::{with_pairing, Error as Groth16Error, ProveOptions};
use self_cell::self_cell;

#[cfg(feature = "witness")]
use crate::circuit::Info;
use crate::circuit::{Circuit, Protocol, Proven, Sums};
use crate::error::{Error, Fault};
use crate::fork;
use crate::groth16::Groth16;
use crate::source::Source;

type Borrowing<'a> = Box<dyn Circuit + 'a>;

self_cell! {
    struct KeyAndCircuit {
        owner: Source,
        #[covariant]
        dependent: Borrowing,
    }
}

/// Reads a key of the protocol and the curve that it names.
fn open(key: &Source) -> Result<Borrowing<'_>, FileError> {
    match Protocol::from_number(zkey_protocol(key)?) {
        // The reader of Groth16's keys has the error for other numbers.
        Some(Protocol::Groth16) | None => with_pairing!(zkey_curve(key)?, E => {
            Groth16::<E>::parse(key).map(|circuit| Box::new(circuit) as Borrowing<'_>)
        })?,
    }
}

/// A loaded circuit. Any number of threads may use it at once.
pub struct Loaded {
    held: KeyAndCircuit,
    #[cfg(feature = "witness")]
    calculator: Option<Compiled>,
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Loaded>();
};

impl Loaded {
    /// Reads a key, a `.zkey`, of any curve, and checks all of it except its points. The [example](crate) uses it.
    ///
    /// # Errors
    /// If the file is no key, or a key of a protocol or curve that this build lacks.
    pub fn new(key: Source) -> Result<Self, Error> {
        fork::check()?;
        let held = KeyAndCircuit::try_new(key, |key| open(key).map_err(|e| Error::of(Fault::Key)(e.into())))?;
        Ok(Loaded {
            held,
            #[cfg(feature = "witness")]
            calculator: None,
        })
    }

    /// Adds the witness calculator, in place of an earlier calculator. See the [example](crate::Circuit).
    ///
    /// # Errors
    /// If the calculator belongs to another curve or circuit than the key.
    #[cfg(feature = "witness")]
    pub fn set_calculator(&mut self, calculator: Compiled) -> Result<(), Error> {
        let Info { curve: expected, signals, .. } = self.circuit().info();
        let (found, values) = (calculator.curve(), calculator.values());
        if expected != found {
            return Err(Error::of(Fault::Calculator)(FileError::OtherCurve { expected, found }.into()));
        }
        if signals != values {
            return Err(Error::OtherCircuit { found: values, expected: signals });
        }
        self.calculator = Some(calculator);
        Ok(())
    }

    /// Returns true if the circuit has a witness calculator. See the [example](crate::Circuit).
    pub fn has_calculator(&self) -> bool {
        #[cfg(feature = "witness")]
        return self.calculator.is_some();
        #[cfg(not(feature = "witness"))]
        false
    }

    /// Returns the circuit. The [example](crate) uses it.
    pub fn circuit(&self) -> &(dyn Circuit + '_) {
        &**self.held.borrow_dependent()
    }

    /// Returns the key. See the [example](crate::Circuit).
    pub fn key(&self) -> &Source {
        self.held.borrow_owner()
    }

    /// Returns the values of a witness, a `.wtns` file. The [example](crate) uses it.
    ///
    /// # Errors
    /// If the file is no witness, or a witness of another curve.
    pub fn values(&self, witness: &[u8]) -> Result<Vec<BigInt<4>>, Error> {
        fork::check()?;
        let witness = Wtns::parse(witness).map_err(|error| Error::of(Fault::Witness)(error.into()))?;
        self.values_of(&witness)
    }

    /// Returns the values of a witness that is already parsed, for callers that pass on its warnings. See the
    /// [example](crate::Circuit).
    ///
    /// # Errors
    /// If the witness is of another curve.
    pub fn values_of(&self, witness: &Wtns<'_>) -> Result<Vec<BigInt<4>>, Error> {
        fork::check()?;
        let (expected, found) = (self.circuit().info().curve, witness.curve());
        let values = match expected == found {
            true => witness.to_vec().map_err(Groth16Error::from),
            false => Err(FileError::OtherCurve { expected, found }.into()),
        };
        values.map_err(Error::of(Fault::Witness))
    }

    /// Calculates a witness from inputs, a JSON, within the limits of a calculator. See the [example](crate::Circuit).
    ///
    /// # Errors
    /// [`Error::NoCalculator`]; inputs that the circuit refuses, limits, a cancellation.
    #[cfg(feature = "witness")]
    pub fn calculate(&self, inputs: &[u8], limits: &Calculator) -> Result<Vec<BigInt<4>>, Error> {
        fork::check()?;
        let calculator = self.calculator.as_ref().ok_or(Error::NoCalculator)?;
        let witness =
            Inputs::from_json(inputs).and_then(|inputs| limits.calculate_compiled(calculator, &inputs));
        witness.map(|witness| witness.values).map_err(|error| Error::of(Fault::Inputs)(error.into()))
    }

    /// Proves ([`Circuit::prove`]), and checks that the key's file has not changed since it was loaded.
    /// The [example](crate) uses it.
    ///
    /// # Errors
    /// The errors of [`Circuit::prove`]; [`Error::Changed`].
    #[cfg(feature = "sums")]
    pub fn prove(&self, witness: &[BigInt<4>], options: ProveOptions<'_>) -> Result<Proven, Error> {
        self.unchanged(self.circuit().prove(witness, options))
    }

    /// Proves with each of some witnesses, one after the other. The [example](crate::Circuit) uses it.
    ///
    /// # Errors
    /// The errors of [`prove`](Self::prove), for each witness.
    #[cfg(feature = "sums")]
    pub fn prove_many<'a>(
        &'a self,
        witnesses: impl IntoIterator<Item = &'a [BigInt<4>]> + 'a,
        options: ProveOptions<'a>,
    ) -> impl Iterator<Item = Result<Proven, Error>> + 'a {
        witnesses.into_iter().map(move |witness| self.prove(witness, options))
    }

    /// Proves from sums that were computed elsewhere ([`Circuit::prove_from`]). See the [example](crate::Circuit).
    ///
    /// # Errors
    /// The errors of [`Circuit::prove_from`]; [`Error::Changed`].
    pub fn prove_from(
        &self,
        witness: &[BigInt<4>],
        sums: &Sums,
        options: ProveOptions<'_>,
    ) -> Result<Proven, Error> {
        self.unchanged(self.circuit().prove_from(witness, sums, options))
    }

    /// Returns the result of a proof. If the key's file has changed meanwhile, returns this error instead of any result.
    fn unchanged<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        match (self.key().check_unchanged(), &result) {
            (Err(path), Ok(_) | Err(Error::Groth16 { fault: Fault::Key | Fault::Witness, .. })) => {
                Err(Error::Changed { path: path.into() })
            }
            _ => result,
        }
    }
}

impl std::fmt::Debug for Loaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loaded").field("key", self.key()).field("info", &self.circuit().info()).finish()
    }
}
