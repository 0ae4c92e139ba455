//! The prover.
//!
//! With a witness w (w_0 = 1, then the public signals, then the private ones) and two random scalars r and s, a
//! proof is
//!
//! ```text
//! A = alpha + sum_i w_i A_i + r delta                                  in G1
//! B = beta  + sum_i w_i B_i + s delta                                  in G2, and B1 the same in G1
//! C = sum_(i private) w_i C_i + sum_i h_i H_i + s A + r B1 - r s delta  in G1
//! ```
//!
//! where h is the quotient `(a b - c) / z`, on the odd coset or as coefficients, as the points of the key require. Each
//! sum is one MSM, except B, which is a pair of MSMs with shared digits. The sums are independent of each other and of
//! the quotient, except H, which waits for the quotient. docs/groth16.md has the derivation.

mod damage;
mod key;
mod memory;
mod meter;
mod quotient;
mod stages;
mod trace;

use ark_ec::CurveGroup;
use ark_ff::{BigInt, PrimeField, UniformRand};
use bucketwheel::{Cancel, Progress};
use rand::rngs::OsRng;
use rand::SeedableRng;

pub use key::{Convention, Counts, ProvingKey};
use stages::{Retained, Run};
pub use trace::{Span, Stage, Trace};

use crate::file::check_secrets;
use crate::{Error, PairingCurve, PreparedVerifyingKey, Proof, VerifyingKey};

/// A key, ready to prove with: any number of times, from any number of threads at once.
///
/// ```
/// use bucketwheel::Cancel;
/// use bucketwheel_groth16::file::{Wtns, Zkey};
/// use bucketwheel_groth16::{Bn254, ProveOptions, Prover, ProvingKey, Stage};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../snarkjs/tests/data/bn254");
/// let file = std::fs::read(format!("{folder}/power.zkey"))?;
/// let key = Zkey::<Bn254>::parse(&file)?;
/// println!("{} bytes to keep its points", Prover::<Bn254, _>::retained_bytes(&key));
/// let prover = Prover::retaining(key)?;
/// let counts = prover.key().counts();
/// let witness = Wtns::parse(&std::fs::read(format!("{folder}/power.wtns"))?)?.to_vec()?;
/// assert_eq!(witness.len(), counts.signals);
///
/// // In 256 MiB, unless somebody cancels; the caller verifies.
/// let cancel = Cancel::new();
/// let options = ProveOptions::new().memory(256 << 20).cancel(&cancel).verify(false);
/// let proven = prover.prove(&witness, options)?;
/// assert!(prover.verifier().verify(&proven.public, &proven.proof)?);
/// println!("{}: {:?}", Stage::ALL[0].name(), proven.trace.elapsed(Stage::ALL[0]));
///
/// // The second input, if the sums are computed elsewhere.
/// assert_eq!(prover.quotient(&witness, options)?.len(), counts.quotient);
/// cancel.cancel();
/// assert!(prover.prove(&witness, options).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Prover<E: PairingCurve, K> {
    key: K,
    verifying_key: VerifyingKey<E>,
    verifier: PreparedVerifyingKey<E>,
    retained: Option<Retained<E>>,
}

impl<E: PairingCurve, K> std::fmt::Debug for Prover<E, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prover").field("retaining", &self.retained.is_some()).finish_non_exhaustive()
    }
}

/// Options of a proof. Every option has a right default.
#[derive(Clone, Copy)]
pub struct ProveOptions<'a> {
    verify: bool,
    seed: Option<u64>,
    memory: Option<usize>,
    cancel: Option<&'a Cancel>,
    progress: Option<&'a dyn Progress>,
}

/// A proof, its public signals, and the trace of its stages.
#[derive(Clone, Debug)]
pub struct Proven<E: PairingCurve> {
    /// The proof.
    pub proof: Proof<E>,
    /// The public signals, the constant not included.
    pub public: Vec<E::ScalarField>,
    /// Stages of the proof on the threads over time.
    pub trace: Trace,
}

impl Default for ProveOptions<'_> {
    fn default() -> Self {
        ProveOptions { verify: true, seed: None, memory: None, cancel: None, progress: None }
    }
}

impl std::fmt::Debug for ProveOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProveOptions").field("verify", &self.verify).finish_non_exhaustive()
    }
}

impl<'a> ProveOptions<'a> {
    /// Returns the defaults: the proof is verified before it is returned, and blinded by the operating system's
    /// randomness. The [example](crate::Prover) uses it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether to verify the proof before it is returned. This takes a few milliseconds and finds every witness
    /// that does not satisfy the circuit. Without it, a wrong witness makes a proof that nobody accepts, and a
    /// stranger's key may make proofs that disclose parts of the witness, unless all of
    /// [`Zkey::check_circuit`](crate::file::Zkey::check_circuit) holds. The [example](crate::Prover) uses it.
    pub fn verify(self, verify: bool) -> Self {
        ProveOptions { verify, ..self }
    }

    /// Blinds the proof by this seed, which makes it reproducible and *not zero knowledge*. For tests.
    /// See the [example](crate::Prover).
    pub fn insecure_seed(self, seed: u64) -> Self {
        ProveOptions { seed: Some(seed), ..self }
    }

    /// Bounds the memory of the proof, in bytes. The witness counts; the key does not, since it may stay in its file. With
    /// a bound, the stages run one after the other, in passes over the most points that fit. Each stage gives the pages of
    /// the key's file back, and the prover does not use the points that it retains. With 0 bytes, there is no bound, and a
    /// pass has an eighth of the points, at least 2^10 and at most 2^14: proofs with large keys take 1.1 to 1.2 times as
    /// long, proofs with small keys up to 1.8 times. The [example](crate::Prover) uses it.
    pub fn memory(self, bytes: usize) -> Self {
        ProveOptions { memory: Some(bytes), ..self }
    }

    /// Stops when `cancel` says so. The [example](crate::Prover) uses it.
    pub fn cancel(self, cancel: &'a Cancel) -> Self {
        ProveOptions { cancel: Some(cancel), ..self }
    }

    /// Reports to `progress`. See the [example](crate::Prover).
    pub fn progress(self, progress: &'a dyn Progress) -> Self {
        ProveOptions { progress: Some(progress), ..self }
    }
}

impl<E: PairingCurve, K: ProvingKey<E>> Prover<E, K> {
    /// Returns a prover that reads the key's points when a proof needs them: private memory does not hold the key.
    /// The [example](Self) uses it.
    ///
    /// # Errors
    /// If a point of the verifying key is not in its group, or a secret of the key is infinity ([`Error::Key`]): proofs by such
    /// a key would not hide their witness.
    pub fn new(key: K) -> Result<Self, Error> {
        let verifying_key = key.verifying_key()?;
        check_secrets(&verifying_key, key.beta_delta_g1())?;
        let verifier = PreparedVerifyingKey::new(&verifying_key);
        Ok(Prover { key, verifying_key, verifier, retained: None })
    }

    /// Returns a prover that keeps the key's points as the engine needs them: for many proofs. Takes
    /// [`retained_bytes`](Self::retained_bytes). The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new), and the engine's errors.
    pub fn retaining(key: K) -> Result<Self, Error> {
        let retained = Some(Retained::new(&key)?);
        Ok(Prover { retained, ..Prover::new(key)? })
    }

    /// Returns the most memory in bytes that [`retaining`](Self::retaining) takes for a key. With AVX-512 IFMA, BN254's
    /// points take half as much. The [example](Self) uses it.
    pub fn retained_bytes(key: &K) -> usize {
        Retained::<E>::bytes(key.counts())
    }

    /// Returns the key. The [example](Self) uses it.
    pub fn key(&self) -> &K {
        &self.key
    }

    /// Returns the verifier of this key's proofs. The [example](Self) uses it.
    pub fn verifier(&self) -> &PreparedVerifyingKey<E> {
        &self.verifier
    }

    /// Proves that the prover knows a witness: canonical integers, the constant 1 first, then the public signals, then
    /// the private signals. Runs on the threads of the current rayon pool. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::WitnessLength`], [`Error::WitnessConstant`]; [`Error::NotSatisfied`] if the proof does not hold, or
    /// [`Error::DamagedKey`] if the reason is a point of the key; the key's points are checked only then;
    /// [`Error::Memory`] if the bound is too low, with the least possible bound; the engine's errors: a witness value
    /// that is not below the order, a cancellation.
    pub fn prove(&self, witness: &[BigInt<4>], options: ProveOptions<'_>) -> Result<Proven<E>, Error> {
        let run = self.run(witness, &options)?.bounded()?;
        let sums = run.sums()?;
        self.assemble(run, sums)
    }

    /// Returns the scalars of the points H: the second input of a proof, beside the witness, if its sums are computed
    /// elsewhere. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`prove`](Self::prove).
    pub fn quotient(
        &self,
        witness: &[BigInt<4>],
        options: ProveOptions<'_>,
    ) -> Result<Vec<BigInt<4>>, Error> {
        let values = self.run(witness, &options)?.quotient_and(&[])?;
        Ok((*values).as_ref().to_vec())
    }

    /// Proves as [`prove`](Self::prove) does, from sums that were computed elsewhere. See the [example](Self).
    ///
    /// # Errors
    /// The errors of [`prove`](Self::prove). Wrong sums make a proof that does not hold.
    pub fn prove_from(
        &self,
        witness: &[BigInt<4>],
        sums: Sums<E>,
        options: ProveOptions<'_>,
    ) -> Result<Proven<E>, Error> {
        self.assemble(self.run(witness, &options)?, sums)
    }

    /// Starts a proof with a witness of the right form.
    #[inline(never)]
    fn run<'a>(
        &'a self,
        witness: &'a [BigInt<4>],
        options: &'a ProveOptions<'a>,
    ) -> Result<Run<'a, E, K>, Error> {
        let counts = self.key.counts();
        if witness.len() != counts.signals {
            return Err(Error::WitnessLength { found: witness.len(), expected: counts.signals });
        }
        if witness[0] != BigInt::one() {
            return Err(Error::WitnessConstant);
        }
        if let Some(index) = witness.iter().position(|value| *value >= E::ScalarField::MODULUS) {
            return Err(bucketwheel::Error::ScalarRange { index }.into());
        }
        Ok(Run::new(&self.key, self.retained.as_ref(), witness, options))
    }

    fn assemble(&self, run: Run<'_, E, K>, sums: Sums<E>) -> Result<Proven<E>, Error> {
        let blinding = match run.options.seed {
            None => blinding::<E>(&mut OsRng),
            Some(seed) => blinding::<E>(&mut rand::rngs::StdRng::seed_from_u64(seed)),
        };
        let proof = self.blinded(sums, blinding);
        let public = public_signals::<E>(run.witness, self.key.counts().public);
        // A point outside of its subgroup would disclose parts of the witness that no blinding reaches, and pairings do
        // not notice such a point.
        let holds = || Ok::<_, Error>(proof.is_in_groups() && self.verifier.verify(&public, &proof)?);
        if run.options.verify && !run.record(Stage::Verify, holds)? {
            let damaged = damage::off_curve(&self.key);
            return Err(damaged.map_or(Error::NotSatisfied, |point| Error::DamagedKey { point }));
        }
        Ok(Proven { proof, public, trace: run.finish() })
    }

    fn blinded(&self, sums: Sums<E>, [r, s]: [E::ScalarField; 2]) -> Proof<E> {
        let vk = &self.verifying_key;
        let [beta_g1, delta_g1] = self.key.beta_delta_g1();
        let a = sums.a + vk.alpha_g1 + delta_g1 * r;
        let b1 = sums.b1 + beta_g1 + delta_g1 * s;
        let b = sums.b2 + vk.beta_g2 + vk.delta_g2 * s;
        let c = sums.c + sums.h + a * s + b1 * r - delta_g1 * (r * s);
        Proof { a: a.into_affine(), b: b.into_affine(), c: c.into_affine() }
    }
}

/// Returns the public signals of a witness.
fn public_signals<E: PairingCurve>(witness: &[BigInt<4>], public: usize) -> Vec<E::ScalarField> {
    let signal =
        |value: &BigInt<4>| E::ScalarField::from_bigint(*value).expect("values were compared to the order");
    witness[1..=public].iter().map(signal).collect()
}

/// Returns the scalars r and s.
fn blinding<E: PairingCurve>(rng: &mut impl rand::Rng) -> [E::ScalarField; 2] {
    [E::ScalarField::rand(rng), E::ScalarField::rand(rng)]
}

/// The sums over the points of a key.
#[derive(Clone, Copy, Debug)]
pub struct Sums<E: PairingCurve> {
    /// The sum of the points A, times the witness.
    pub a: E::G1,
    /// The sum of the points B in G1, times the witness.
    pub b1: E::G1,
    /// The sum of the points B in G2, times the witness.
    pub b2: E::G2,
    /// The sum of the points C, times the witness's private values.
    pub c: E::G1,
    /// The sum of the points H, times the quotient ([`Prover::quotient`]).
    pub h: E::G1,
}
