//! The one error type.

use std::fmt;

use crate::file::FileError;
#[cfg(feature = "witness")]
use crate::witness::WitnessError;
use crate::KeyFault;

/// A constraint that does not hold. Values are decimals; small negative numbers have a sign.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize)]
#[error(
    "constraint {constraint} does not hold: A is {a}, B is {b} and C is {c}: expected C to be {product}, \
     the product of A and B; it is {text}{}; calculate the witness again, with this circuit",
    listed(.signals)
)]
pub struct Unsatisfied {
    /// Index of the first constraint that does not hold.
    pub constraint: usize,
    /// The left factor.
    pub a: String,
    /// The right factor.
    pub b: String,
    /// Value of C, which should be the product.
    pub c: String,
    /// The product.
    pub product: String,
    /// The constraint, as `(main.a + 1) * main.b = main.c`. A wire without a name is `w` and its number. Long sums are cut.
    pub text: String,
    /// The signals of the text.
    pub signals: Vec<Signal>,
}

/// A signal and its value.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Signal {
    /// The name in the circuit's source, or `w` and the number of the wire.
    pub name: String,
    /// The value.
    pub value: String,
}

fn listed(signals: &[Signal]) -> String {
    let listed: Vec<_> = signals.iter().map(|Signal { name, value }| format!("{name} is {value}")).collect();
    match &listed[..] {
        [] => String::new(),
        listed => format!(", where {}", listed.join(", ")),
    }
}

/// Errors: the fault, its place, and the expected value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The engine's errors.
    #[error(transparent)]
    Engine(#[from] bucketwheel::Error),
    /// A domain that the field does not have.
    #[error(transparent)]
    Transform(bucketwheel_transform::Error),
    /// The system has too little memory for an array.
    #[error("no memory for {bytes} bytes: expected a smaller circuit")]
    OutOfMemory {
        /// The bytes of the array.
        bytes: usize,
    },
    /// A bound on the memory of a proof that is too low for the proof.
    #[error("a proof in {bytes} bytes: expected at least {least}")]
    Memory {
        /// The bound.
        bytes: usize,
        /// The least possible bound.
        least: usize,
    },
    /// A file whose content is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// A key that no set-up makes.
    #[error(transparent)]
    Key(#[from] KeyFault),
    /// A curve that this build lacks.
    #[error(transparent)]
    MissingCurve(#[from] bucketwheel::MissingCurve),
    /// A witness for which a constraint does not hold.
    #[error(transparent)]
    Unsatisfied(Box<Unsatisfied>),
    /// A circuit of jsnark that cannot be imported.
    #[error(transparent)]
    Jsnark(#[from] crate::jsnark::JsnarkError),
    /// A witness that cannot be calculated.
    #[cfg(feature = "witness")]
    #[error(transparent)]
    Witness(WitnessError),
    /// Public signals that do not fit the verifying key.
    #[error("{found} public signals: expected {expected}, as many as the verifying key has")]
    PublicSignals {
        /// Number of public signals of the key.
        expected: usize,
        /// Number of public signals that were given.
        found: usize,
    },
    /// No proofs to verify together.
    #[error("there are no proofs to verify: expected at least one, since a batch of none proves nothing")]
    NoProofs,
    /// A text of one of several proofs.
    #[error("proof {index}, {part}: {source}")]
    Claim {
        /// Index of the proof.
        index: usize,
        /// Text that is wrong: public signals or proof.
        part: ClaimPart,
        /// Error in this text.
        source: Box<Error>,
    },
    /// A witness for another circuit, or a part of one.
    #[error("the witness has {found} values: expected {expected}, as many as the circuit has signals; make it again, with this circuit")]
    WitnessLength {
        /// Length of the witness.
        found: usize,
        /// Length of the circuit's witnesses.
        expected: usize,
    },
    /// A witness that does not begin with the constant 1.
    #[error("value 0 of the witness is not 1: expected the constant one; make the witness again")]
    WitnessConstant,
    /// A proof that nobody would accept, by a key whose points are all on their curves.
    #[error(
        "the witness does not satisfy the circuit of this key, or the key is damaged; check the witness with `bucketwheel witness check` and the key with `bucketwheel zkey check`"
    )]
    NotSatisfied,
    /// A proof that nobody would accept, by a key with points outside of their curves.
    #[error("{point} is not on the curve: expected points of the group; the key is damaged, get it again")]
    DamagedKey {
        /// The first point outside of its curve.
        point: String,
    },
    /// A circuit that arkworks could not synthesize.
    #[cfg(feature = "arkworks")]
    #[error("the circuit cannot be synthesized: {0}; expected one whose values are all known")]
    Synthesis(String),
    /// A circuit that the key was not made for.
    #[cfg(feature = "arkworks")]
    #[error("the key is for another circuit: expected one with this circuit's numbers of variables and constraints")]
    OtherCircuit,
}

impl From<bucketwheel_transform::Error> for Error {
    fn from(error: bucketwheel_transform::Error) -> Self {
        match error {
            bucketwheel_transform::Error::Engine(error) => Error::Engine(error),
            error => Error::Transform(error),
        }
    }
}

impl From<bucketwheel_snarkjs::Error> for Error {
    fn from(error: bucketwheel_snarkjs::Error) -> Self {
        use bucketwheel_snarkjs::Error::{Engine, File, Key, OutOfMemory, Transform};
        match error {
            Engine(error) => Error::Engine(error),
            File(error) => Error::File(error),
            Key(fault) => Error::Key(fault),
            Transform(error) => error.into(),
            OutOfMemory { bytes } => Error::OutOfMemory { bytes },
        }
    }
}

#[cfg(feature = "witness")]
impl From<WitnessError> for Error {
    fn from(error: WitnessError) -> Self {
        match error {
            WitnessError::Cancelled => bucketwheel::Error::Cancelled.into(),
            error => Error::Witness(error),
        }
    }
}

/// A text of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimPart {
    /// The public signals.
    Public,
    /// The proof.
    Proof,
}

impl fmt::Display for ClaimPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClaimPart::Public => "its public signals",
            ClaimPart::Proof => "its text",
        })
    }
}
