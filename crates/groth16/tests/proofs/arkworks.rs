//! Keys and circuits of arkworks: proofs verify there.

use ark_ff::{AdditiveGroup, Field, UniformRand};
use ark_groth16::{Groth16, Proof};
use ark_relations::gr1cs::{ConstraintSynthesizer, ConstraintSystemRef, SynthesisError};
use ark_relations::lc;
use ark_snark::SNARK;
use ark_std::rand::{rngs::StdRng, SeedableRng};
use bucketwheel_groth16::arkworks::{prove, ArkworksKey};
use bucketwheel_groth16::{Bls12_381, Bn254, Error, PairingCurve, ProveOptions, Prover};

/// A circuit of `x^(2^squarings)`, with `public` public copies of the intermediate values.
#[derive(Clone, Copy)]
struct Squares<F> {
    x: F,
    squarings: usize,
    public: usize,
    /// Error that is added to the last value.
    error: F,
}

impl<F: ark_ff::PrimeField> ConstraintSynthesizer<F> for Squares<F> {
    fn generate_constraints(self, cs: ConstraintSystemRef<F>) -> Result<(), SynthesisError> {
        let values: Vec<F> =
            std::iter::successors(Some(self.x), |x| Some(x.square())).take(self.squarings + 1).collect();
        let public = (0..self.public)
            .map(|i| cs.new_input_variable(|| Ok(values[i])))
            .collect::<Result<Vec<_>, _>>()?;
        let mut last = cs.new_witness_variable(|| Ok(self.x))?;
        for i in 0..self.squarings {
            if let Some(&public) = public.get(i) {
                cs.enforce_r1cs_constraint(
                    || lc!() + last,
                    || lc!() + ark_relations::gr1cs::Variable::One,
                    || lc!() + public,
                )?;
            }
            let value = values[i + 1] + if i + 1 == self.squarings { self.error } else { F::ZERO };
            let next = cs.new_witness_variable(|| Ok(value))?;
            cs.enforce_r1cs_constraint(|| lc!() + last, || lc!() + last, || lc!() + next)?;
            last = next;
        }
        Ok(())
    }
}

fn proofs_verify<E: PairingCurve>() {
    let mut rng = StdRng::seed_from_u64(1);
    for (squarings, public) in [(1, 0), (1, 1), (5, 2), (300, 3), (1000, 30)] {
        let mut circuit =
            Squares { x: E::ScalarField::rand(&mut rng), squarings, public, error: E::ScalarField::ZERO };
        let (key, vk) = Groth16::<E>::circuit_specific_setup(circuit, &mut rng).unwrap();
        circuit.x = E::ScalarField::rand(&mut rng);
        let inputs: Vec<_> =
            std::iter::successors(Some(circuit.x), |x| Some(x.square())).take(public).collect();
        assert!(Groth16::<E>::verify(&vk, &inputs, &prove(&key, circuit).unwrap()).unwrap());
        let prover = Prover::retaining(ArkworksKey::new(&key, circuit).unwrap()).unwrap();
        let proof =
            prover.prove(&ArkworksKey::<E>::witness(circuit).unwrap(), ProveOptions::new()).unwrap().proof;
        assert!(Groth16::<E>::verify(&vk, &inputs, &Proof { a: proof.a, b: proof.b, c: proof.c }).unwrap());
        let wrong = Squares { error: E::ScalarField::ONE, ..circuit };
        assert!(matches!(prove(&key, wrong), Err(Error::NotSatisfied)));
        let other = Squares { squarings: squarings + 1, ..circuit };
        assert!(matches!(prove(&key, other), Err(Error::OtherCircuit)));
    }
}

#[test]
fn proofs_verify_bn254() {
    proofs_verify::<Bn254>();
}

#[test]
fn proofs_verify_bls12_381() {
    proofs_verify::<Bls12_381>();
}
