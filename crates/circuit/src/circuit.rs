//! The operations on a circuit of any protocol and curve.

use ark_ff::BigInt;
use bucketwheel::{Cancel, Progress};
use bucketwheel_groth16::file::{FileWarning, ProofJson, R1cs, VerifyingKeyJson};
use bucketwheel_groth16::{BadClaim, CurveId, ProveOptions, TextClaim, Trace};

use crate::Error;

/// Makes the proof systems from their lines: the variant, its number in `.zkey` files, its name in snarkjs' files.
macro_rules! protocols {
    ($($(#[$doc:meta])* $variant:ident = $number:literal, $name:literal;)*) => {
        /// A proof system.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Protocol {
            $($(#[$doc])* $variant = $number,)*
        }

        impl Protocol {
            /// Returns the name in snarkjs' files. The [example](crate::Circuit) uses it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Protocol::$variant => $name,)*
                }
            }

            /// Returns the number in `.zkey` files. The [example](crate::Circuit) uses it.
            pub fn number(self) -> u32 {
                self as u32
            }

            /// Returns the protocol with this number. The [example](crate::Circuit) uses it.
            pub fn from_number(number: u32) -> Option<Self> {
                match number {
                    $($number => Some(Protocol::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

protocols! {
    /// Groth16.
    Groth16 = 1, "groth16";
}

/// Properties of a circuit that its key's header tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// The proof system.
    pub protocol: Protocol,
    /// The curve.
    pub curve: CurveId,
    /// The length of a witness, the constant 1 included.
    pub signals: usize,
    /// Number of public signals, the constant not included.
    pub public: usize,
    /// The size of the domain, a power of two.
    pub domain_size: usize,
    /// Most bytes of memory that the key's points take if they are retained ([`Circuit::prepare`]).
    pub retained_bytes: usize,
}

/// Counts of a key.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// The length of a witness, the constant 1 included.
    pub signals: usize,
    /// Number of public signals, the constant not included.
    pub public: usize,
    /// The size of the domain, a power of two.
    pub domain_size: usize,
    /// Rows of the matrices that the circuit's constraints take.
    pub constraints: usize,
    /// Entries of the matrix A that are not zero.
    pub coefficients_a: usize,
    /// Entries of the matrix B that are not zero.
    pub coefficients_b: usize,
    /// Signals that no right factor has. Their points in B are infinity.
    pub signals_without_b: usize,
    /// Number of contributions to the ceremony, if the key tells it.
    pub contributions: Option<u32>,
}

/// A proof, its public signals, and the trace of its stages.
#[derive(Clone, Debug)]
pub struct Proven {
    /// The proof.
    pub proof: ProofJson,
    /// The public signals, as decimals.
    pub public: Vec<String>,
    /// Stages of the proof on the threads over time.
    pub trace: Trace,
}

impl Proven {
    /// Returns the proof as a `proof.json`. The [example](crate) uses it.
    pub fn proof_text(&self) -> String {
        self.proof.to_text()
    }

    /// Returns the public signals as a `public.json`. The [example](crate) uses it.
    pub fn public_text(&self) -> String {
        bucketwheel_groth16::file::public_text(&self.public)
    }
}

/// Place of a key's points while proofs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPoints {
    /// In the key. A proof reads the points that it needs.
    InKey,
    /// In memory, in the engine's form, for many proofs ([`Info::retained_bytes`]).
    #[cfg(feature = "sums")]
    Retained,
}

impl KeyPoints {
    /// Returns [`Retained`](Self::Retained) if the condition holds, else [`InKey`](Self::InKey).
    /// The [example](crate::Circuit) uses it.
    #[cfg(feature = "sums")]
    pub fn retained_if(condition: bool) -> Self {
        match condition {
            true => KeyPoints::Retained,
            false => KeyPoints::InKey,
        }
    }
}

/// Sums over a key's points that were computed elsewhere: over A, B in G1, B in G2, C and H, each as the integers of its
/// coordinates.
pub type Sums = [Vec<u8>; 5];

/// A circuit, of any protocol and curve.
///
/// ```
/// # struct Silent;
/// # impl bucketwheel::Progress for Silent {
/// #     fn report(&self, _: usize, _: usize) {}
/// # }
/// use bucketwheel::Cancel;
/// use bucketwheel_circuit::{check_fork, Access, KeyPoints, Loaded, Protocol, Source};
/// use bucketwheel_groth16::file::R1cs;
/// use bucketwheel_groth16::ProveOptions;
///
/// # let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../snarkjs/tests/data"));
/// check_fork()?;
/// let loaded = Loaded::new(Source::open(&folder.join("ceremony/bn254-3.zkey"), Access::Map)?)?;
/// let circuit = loaded.circuit();
/// let (info, counts) = (circuit.info(), circuit.counts());
/// assert_eq!((info.protocol.name(), info.signals), ("groth16", counts.signals));
/// assert_eq!(Protocol::from_number(info.protocol.number()), Some(Protocol::Groth16));
/// assert!(circuit.warnings().is_empty());
/// println!("{}", circuit.verifying_key()?.to_text());
///
/// // All checks of a key of unknown origin.
/// let cancel = Cancel::new();
/// circuit.check_points(&cancel, &Silent)?;
/// circuit.check_agreement(&cancel, &Silent)?;
/// let powers = std::fs::read(folder.join("ceremony/bn254-3.ptau"))?;
/// circuit.check_powers(&powers, &cancel, &Silent)?;
/// let constraints = std::fs::read(folder.join("bn254/power.r1cs"))?;
/// circuit.check_circuit(&R1cs::parse(&constraints)?, &powers, &cancel, &Silent)?;
///
/// // Proofs, with the points in memory.
/// assert_eq!(KeyPoints::retained_if(true), KeyPoints::Retained);
/// circuit.prepare(KeyPoints::Retained)?;
/// let witness = loaded.values(&std::fs::read(folder.join("bn254/power.wtns"))?)?;
/// assert_eq!(circuit.quotient(&witness, ProveOptions::new())?.len(), info.domain_size);
/// let proofs: Vec<_> = loaded.prove_many([&witness[..], &witness], ProveOptions::new()).collect::<Result<_, _>>()?;
/// assert_eq!(proofs[0].public, proofs[1].public);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Circuit: Send + Sync {
    /// Returns the properties that the header tells. The [example](Self) uses it.
    fn info(&self) -> Info;

    /// Warnings for the key's owner. The [example](Self) uses it.
    fn warnings(&self) -> Vec<FileWarning>;

    /// Returns the counts. Takes a look at each coefficient and each point of B. The [example](Self) uses it.
    fn counts(&self) -> Counts;

    /// Returns the verifying key. The [example](Self) uses it.
    ///
    /// # Errors
    /// If a point is not in its group.
    fn verifying_key(&self) -> Result<VerifyingKeyJson, Error>;

    /// Checks that all points are in their groups. Takes longer than a proof. The [example](Self) uses it.
    ///
    /// # Errors
    /// For the first point that is not in its group; if cancelled.
    #[cfg(feature = "checks")]
    fn check_points(&self, cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error>;

    /// Checks the relations between points that hold in a key of any circuit. The key's points must be in their groups
    /// ([`Zkey::check_agreement`](bucketwheel_groth16::file::Zkey::check_agreement)). The [example](Self) uses it.
    ///
    /// # Errors
    /// For the first fault; if cancelled.
    #[cfg(feature = "checks")]
    fn check_agreement(&self, cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error>;

    /// Checks the powers of tau in a `.ptau`, as far as the key needs them
    /// ([`Ptau::check_powers`](bucketwheel_groth16::file::Ptau::check_powers)). The [example](Self) uses it.
    ///
    /// # Errors
    /// If the file is no `.ptau`, or is for another curve; for the first fault; if cancelled.
    #[cfg(feature = "checks")]
    fn check_powers(&self, ptau: &[u8], cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error>;

    /// Checks that the key is the key for a circuit and the powers of tau in a `.ptau`
    /// ([`Zkey::check_circuit`](bucketwheel_groth16::file::Zkey::check_circuit)). The key must agree with itself, and
    /// the powers must be checked already. The [example](Self) uses it.
    ///
    /// # Errors
    /// For the first fault; if cancelled.
    #[cfg(feature = "checks")]
    fn check_circuit(
        &self,
        circuit: &R1cs<'_>,
        ptau: &[u8],
        cancel: &Cancel,
        progress: &dyn Progress,
    ) -> Result<(), Error>;

    /// Prepares for proofs, which the first proof does otherwise with the points [in the key](KeyPoints::InKey). A second
    /// call has no effect. The [example](Self) uses it.
    ///
    /// # Errors
    /// If a point of the verifying key is not in its group, or a secret is infinity; the engine's errors.
    fn prepare(&self, points: KeyPoints) -> Result<(), Error>;

    /// Proves that the caller knows a witness, canonical integers. The [example](crate) uses it.
    ///
    /// # Errors
    /// If the witness is not for this circuit, or the key is damaged; limits, a cancellation.
    #[cfg(feature = "sums")]
    fn prove(&self, witness: &[BigInt<4>], options: ProveOptions<'_>) -> Result<Proven, Error>;

    /// Proves from sums that were computed elsewhere. See the [example](Self).
    ///
    /// # Errors
    /// If the witness is not for this circuit, or the key is damaged; a cancellation. Wrong sums make a proof that does not hold.
    fn prove_from(
        &self,
        witness: &[BigInt<4>],
        sums: &Sums,
        options: ProveOptions<'_>,
    ) -> Result<Proven, Error>;

    /// Returns the scalars of the points H, canonical integers: the second input of a proof, beside the witness.
    /// The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`prove_from`](Self::prove_from).
    fn quotient(&self, witness: &[BigInt<4>], options: ProveOptions<'_>) -> Result<Vec<BigInt<4>>, Error>;

    /// Returns the first of these claims that does not hold; `None` if all hold. The [example](crate) uses it.
    ///
    /// # Errors
    /// If there are no claims; for the first text that cannot be read, or has more or fewer signals than the circuit.
    fn verify(&self, claims: &[TextClaim<'_>]) -> Result<Option<BadClaim>, Error>;
}
