//! Proofs straight from arkworks: keys of `ark-groth16`, circuits as `ConstraintSynthesizer`s.
//!
//! ```
//! # use ark_bn254::{Bn254, Fr};
//! # use ark_groth16::Groth16;
//! # use ark_relations::gr1cs::{ConstraintSynthesizer, ConstraintSystemRef, SynthesisError};
//! # use ark_relations::lc;
//! # use ark_snark::SNARK;
//! # use ark_std::rand::SeedableRng;
//! # struct Square(Fr);
//! # impl ConstraintSynthesizer<Fr> for Square {
//! #     fn generate_constraints(self, cs: ConstraintSystemRef<Fr>) -> Result<(), SynthesisError> {
//! #         let square = cs.new_input_variable(|| Ok(self.0 * self.0))?;
//! #         let root = cs.new_witness_variable(|| Ok(self.0))?;
//! #         cs.enforce_r1cs_constraint(|| lc!() + root, || lc!() + root, || lc!() + square)
//! #     }
//! # }
//! # let mut rng = ark_std::rand::rngs::StdRng::seed_from_u64(1);
//! let (key, vk) = Groth16::<Bn254>::circuit_specific_setup(Square(Fr::from(3)), &mut rng).unwrap();
//! // Instead of Groth16::prove(&key, circuit, &mut rng):
//! let proof = bucketwheel_groth16::arkworks::prove(&key, Square(Fr::from(5))).unwrap();
//! assert!(Groth16::<Bn254>::verify(&vk, &[Fr::from(25)], &proof).unwrap());
//! ```

use ark_ff::{BigInt, PrimeField};
use ark_groth16::{Proof, ProvingKey as Key};
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystem, ConstraintSystemRef, OptimizationGoal, SynthesisError,
    SynthesisMode, R1CS_PREDICATE_LABEL,
};
use ark_relations::utils::matrix::Matrix;
use bucketwheel::MontgomeryWords;

use crate::prover::{Convention, Counts, ProveOptions, Prover, ProvingKey};
use crate::{Error, PairingCurve, VerifyingKey};

/// Returns a proof for a circuit that knows its witness, as `ark_groth16::Groth16::prove` makes one. The proof is
/// verified before it is returned. To prove often with one key, use [`ArkworksKey`].
///
/// # Errors
/// [`Error::Synthesis`], [`Error::OtherCircuit`], [`Error::NotSatisfied`], [`Error::DamagedKey`].
pub fn prove<E: PairingCurve>(
    key: &Key<E>,
    circuit: impl ConstraintSynthesizer<E::ScalarField>,
) -> Result<Proof<E>, Error> {
    let (matrices, witness) = synthesize(circuit)?;
    let prover = Prover::new(ArkworksKey::with_matrices(key, matrices)?)?;
    let proof = prover.prove(&witness, ProveOptions::new())?.proof;
    Ok(Proof { a: proof.a, b: proof.b, c: proof.c })
}

/// A key of `ark-groth16` and the matrices of its circuit.
///
/// ```
/// # use ark_bn254::{Bn254, Fr};
/// # use ark_groth16::Groth16;
/// # use ark_relations::gr1cs::{ConstraintSynthesizer, ConstraintSystemRef, SynthesisError};
/// # use ark_relations::lc;
/// # use ark_snark::SNARK;
/// # use ark_std::rand::SeedableRng;
/// # use bucketwheel_groth16::{arkworks::ArkworksKey, ProveOptions, Prover};
/// # struct Square(Fr);
/// # impl ConstraintSynthesizer<Fr> for Square {
/// #     fn generate_constraints(self, cs: ConstraintSystemRef<Fr>) -> Result<(), SynthesisError> {
/// #         let square = cs.new_input_variable(|| Ok(self.0 * self.0))?;
/// #         let root = cs.new_witness_variable(|| Ok(self.0))?;
/// #         cs.enforce_r1cs_constraint(|| lc!() + root, || lc!() + root, || lc!() + square)
/// #     }
/// # }
/// # let mut rng = ark_std::rand::rngs::StdRng::seed_from_u64(1);
/// let (key, _) = Groth16::<Bn254>::circuit_specific_setup(Square(Fr::from(3)), &mut rng)?;
/// let prover = Prover::new(ArkworksKey::new(&key, Square(Fr::from(3)))?)?;
/// for root in [5, 6] {
///     let witness = ArkworksKey::<Bn254>::witness(Square(Fr::from(root)))?;
///     assert_eq!(prover.prove(&witness, ProveOptions::new())?.public, [Fr::from(root * root)]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArkworksKey<'a, E: PairingCurve> {
    key: &'a Key<E>,
    matrices: Matrices<E::ScalarField>,
}

/// The rows of the matrices A and B.
#[derive(Debug)]
struct Matrices<F: PrimeField> {
    a: Matrix<F>,
    b: Matrix<F>,
    /// The number of public signals and the constant 1.
    inputs: usize,
    /// The number of all signals and the constant 1.
    signals: usize,
}

impl<'a, E: PairingCurve> ArkworksKey<'a, E> {
    /// Returns the key of a circuit. The circuit must have values, which may be any. The
    /// [example](crate::arkworks::ArkworksKey) uses it.
    ///
    /// # Errors
    /// [`Error::Synthesis`], [`Error::OtherCircuit`].
    pub fn new(key: &'a Key<E>, circuit: impl ConstraintSynthesizer<E::ScalarField>) -> Result<Self, Error> {
        Self::with_matrices(key, synthesize(circuit)?.0)
    }

    fn with_matrices(key: &'a Key<E>, matrices: Matrices<E::ScalarField>) -> Result<Self, Error> {
        let signals = matrices.signals;
        let fits = matrices.inputs == key.vk.gamma_abc_g1.len()
            && [
                key.a_query.len(),
                key.b_g1_query.len(),
                key.b_g2_query.len(),
                key.l_query.len() + matrices.inputs,
            ]
            .iter()
            .all(|&len| len == signals)
            && key.h_query.len() + 1 == matrices.domain_size();
        match fits {
            true => Ok(ArkworksKey { key, matrices }),
            false => Err(Error::OtherCircuit),
        }
    }

    /// Returns the witness of a circuit that knows it. The [example](crate::arkworks::ArkworksKey) uses it.
    ///
    /// # Errors
    /// [`Error::Synthesis`].
    pub fn witness(circuit: impl ConstraintSynthesizer<E::ScalarField>) -> Result<Vec<BigInt<4>>, Error> {
        Ok(synthesize(circuit)?.1)
    }
}

impl<F: PrimeField> Matrices<F> {
    fn domain_size(&self) -> usize {
        (self.a.len() + self.inputs).next_power_of_two()
    }
}

/// Returns the matrices and the witness of a circuit.
fn synthesize<F: MontgomeryWords<BigInt = BigInt<4>>>(
    circuit: impl ConstraintSynthesizer<F>,
) -> Result<(Matrices<F>, Vec<BigInt<4>>), Error> {
    let constraints = ConstraintSystem::new_ref();
    constraints.set_optimization_goal(OptimizationGoal::Constraints);
    constraints.set_mode(SynthesisMode::Prove { construct_matrices: true, generate_lc_assignments: false });
    let synthesized = circuit.generate_constraints(constraints.clone()).and_then(|()| {
        constraints.finalize();
        collect(&constraints)
    });
    synthesized.map_err(|error| Error::Synthesis(error.to_string()))
}

fn collect<F: MontgomeryWords<BigInt = BigInt<4>>>(
    constraints: &ConstraintSystemRef<F>,
) -> Result<(Matrices<F>, Vec<BigInt<4>>), SynthesisError> {
    let mut predicates = constraints.to_matrices()?;
    // A circuit without a constraint has no matrices.
    let mut matrices = predicates.remove(R1CS_PREDICATE_LABEL).unwrap_or_default().into_iter();
    let (a, b) = (matrices.next().unwrap_or_default(), matrices.next().unwrap_or_default());
    let system = constraints.borrow().ok_or(SynthesisError::MissingCS)?;
    let assignments = [system.instance_assignment()?, system.witness_assignment()?];
    let witness: Vec<_> = assignments.into_iter().flatten().map(|value| value.to_integer()).collect();
    Ok((Matrices { a, b, inputs: constraints.num_instance_variables(), signals: witness.len() }, witness))
}

impl<E: PairingCurve> ProvingKey<E> for ArkworksKey<'_, E> {
    const CONVENTION: Convention = Convention::Arkworks;

    fn counts(&self) -> Counts {
        Counts {
            signals: self.matrices.signals,
            public: self.matrices.inputs - 1,
            domain_size: self.matrices.domain_size(),
            quotient: self.key.h_query.len(),
        }
    }

    fn verifying_key(&self) -> Result<VerifyingKey<E>, Error> {
        let vk = self.key.vk.clone();
        Ok(VerifyingKey {
            alpha_g1: vk.alpha_g1,
            beta_g2: vk.beta_g2,
            gamma_g2: vk.gamma_g2,
            delta_g2: vk.delta_g2,
            ic: vk.gamma_abc_g1,
        })
    }

    fn beta_delta_g1(&self) -> [E::G1Affine; 2] {
        [self.key.beta_g1, self.key.delta_g1]
    }

    fn a(&self, i: usize) -> E::G1Affine {
        self.key.a_query[i]
    }

    fn b1(&self, i: usize) -> E::G1Affine {
        self.key.b_g1_query[i]
    }

    fn b2(&self, i: usize) -> E::G2Affine {
        self.key.b_g2_query[i]
    }

    fn c(&self, i: usize) -> E::G1Affine {
        self.key.l_query[i]
    }

    fn h(&self, i: usize) -> E::G1Affine {
        self.key.h_query[i]
    }

    fn evaluate(&self, first: usize, w: &[BigInt<4>], a: &mut [E::ScalarField], b: &mut [E::ScalarField]) {
        let value = |i: usize| E::ScalarField::from_bigint(w[i]).unwrap_or_default();
        let Matrices { a: rows_a, b: rows_b, inputs, .. } = &self.matrices;
        for (row, (a, b)) in (first..).zip(a.iter_mut().zip(b)) {
            let dot = |row: &Vec<(E::ScalarField, usize)>| {
                row.iter().map(|&(x, i)| x * value(i)).sum::<E::ScalarField>()
            };
            if row < rows_a.len() {
                (*a, *b) = (dot(&rows_a[row]), dot(&rows_b[row]));
            } else if row - rows_a.len() < *inputs {
                // These rows bind the public signals.
                *a = value(row - rows_a.len());
            }
        }
    }
}
