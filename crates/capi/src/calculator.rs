//! Witnesses by circom's WebAssembly, with the compiler of the feature `witness` or an error.

#[cfg(not(feature = "witness"))]
pub use absent::{calculate, load, witness};
#[cfg(feature = "witness")]
pub use present::{calculate, load, witness};

#[cfg(feature = "witness")]
mod present {
    use std::io::Cursor;

    use ark_ff::BigInt;
    use bucketwheel_circuit::{Error as CircuitError, Fault, Loaded};
    use bucketwheel_groth16::file::write_wtns;
    use bucketwheel_groth16::witness::{Inputs, WitnessError};

    use crate::error::Error;
    use crate::options::Options;

    /// Returns an error that blames the inputs, unless the error itself blames another part.
    fn failed(error: WitnessError) -> Error {
        CircuitError::of(Fault::Inputs)(error.into()).into()
    }

    /// Returns the witness for some inputs, the bytes of a .wtns file.
    pub fn witness(wasm: &[u8], inputs: &[u8], options: &Options) -> Result<Vec<u8>, Error> {
        let inputs = Inputs::from_json(inputs).map_err(failed)?;
        let witness = options.calculator().calculate(wasm, &inputs).map_err(failed)?;
        let written = write_wtns(Cursor::new(Vec::new()), witness.curve, &witness.values);
        // The writer fills memory with values that the circuit was able to count, so only a bug can make it fail.
        written.map(Cursor::into_inner).map_err(|_| Error::Internal)
    }

    /// Compiles the WebAssembly of a circuit.
    pub fn load(circuit: &mut Loaded, wasm: &[u8], options: &Options) -> Result<(), Error> {
        let compiled = options.calculator().compile(wasm).map_err(failed)?;
        Ok(circuit.set_calculator(compiled)?)
    }

    /// Returns the values of the witness for some inputs.
    pub fn calculate(circuit: &Loaded, inputs: &[u8], options: &Options) -> Result<Vec<BigInt<4>>, Error> {
        Ok(circuit.calculate(inputs, &options.calculator())?)
    }
}

#[cfg(not(feature = "witness"))]
mod absent {
    use ark_ff::BigInt;
    use bucketwheel_circuit::Loaded;

    use crate::error::Error;
    use crate::options::Options;

    pub fn witness(_: &[u8], _: &[u8], _: &Options) -> Result<Vec<u8>, Error> {
        Err(Error::NoCalculator)
    }

    pub fn load(_: &mut Loaded, _: &[u8], _: &Options) -> Result<(), Error> {
        Err(Error::NoCalculator)
    }

    pub fn calculate(_: &Loaded, _: &[u8], _: &Options) -> Result<Vec<BigInt<4>>, Error> {
        Err(Error::NoCalculator)
    }
}
