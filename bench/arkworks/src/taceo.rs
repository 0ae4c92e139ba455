//! taceo-groth16 0.2.0, on ark-groth16's keys and circuit.

use anyhow::{Context, Result};
use ark_bn254_0_6::{Bn254 as Original, Fr, G1Projective, G2Projective};
use ark_ec_0_6::{VariableBaseMSM, pairing::Pairing};
use ark_relations_0_6::gr1cs::{
    ConstraintSynthesizer, ConstraintSystem, OptimizationGoal, R1CS_PREDICATE_LABEL,
};
use bucketwheel_ark::{Prepared, v0_6::Bn254};
use taceo_groth16::{ConstraintMatrices, Groth16, LibSnarkReduction, ProvingKey};

use crate::case::Case;
use crate::groth16::v0_6::{Chain, Chained, bytes};

pub struct Taceo {
    chained: Chained,
    matrices: ConstraintMatrices<Fr>,
    assignment: Vec<Fr>,
}

impl Taceo {
    /// Returns the case with this many constraints.
    pub fn new(constraints: usize) -> Result<Self> {
        let chained = Chained::new(constraints)?;
        let system = ConstraintSystem::new_ref();
        system.set_optimization_goal(OptimizationGoal::Constraints);
        Chain(&chained.squares).generate_constraints(system.clone())?;
        system.finalize();
        let matrices = system.to_matrices()?.remove(R1CS_PREDICATE_LABEL).context("constraints of rank 1")?;
        let [a, b, c] = matrices.try_into().ok().context("three matrices")?;
        let entries = |matrix: &[Vec<_>]| matrix.iter().map(Vec::len).sum();
        let matrices = ConstraintMatrices {
            num_instance_variables: system.num_instance_variables(),
            num_witness_variables: system.num_witness_variables(),
            num_constraints: system.num_constraints(),
            a_num_non_zero: entries(&a),
            b_num_non_zero: entries(&b),
            c_num_non_zero: entries(&c),
            a,
            b,
            c,
        };
        let system = system.borrow().context("a system")?;
        let assignment = [system.instance_assignment()?, system.witness_assignment()?].concat();
        Ok(Taceo { chained, matrices, assignment })
    }

    fn prove<E: Pairing<ScalarField = Fr>>(&self, key: &ProvingKey<E>) -> Vec<u8> {
        let [r, s] = self.chained.random;
        let proof = Groth16::<E>::prove::<LibSnarkReduction>(key, r, s, &self.matrices, &self.assignment);
        bytes(&proof.expect("an assignment that fits"))
    }
}

impl Case for Taceo {
    fn original(&self) -> Vec<u8> {
        self.prove::<Original>(&self.chained.original)
    }

    /// Unlike ark-groth16, taceo-groth16 calls `msm_unchecked`.
    fn sums(&self) {
        let (key, assignment) = (&self.chained.original, self.chained.assignment());
        for (points, scalars) in [
            (&key.h_query[..], &self.chained.quotient[..]),
            (&key.l_query, &assignment[1..]),
            (&key.a_query[1..], &assignment),
            (&key.b_g1_query[1..], &assignment),
        ] {
            let _ = std::hint::black_box(G1Projective::msm_unchecked(points, scalars));
        }
        let _ = std::hint::black_box(G2Projective::msm_unchecked(&key.b_g2_query[1..], &assignment));
    }

    fn ours(&self) -> Vec<u8> {
        self.prove::<Bn254>(&self.chained.ours)
    }

    fn prepare(&self) -> Prepared<'_> {
        self.chained.prepare()
    }

    fn verifies(&self, proof: &[u8]) -> bool {
        self.chained.verifies(proof)
    }
}
