//! arkworks' prover, on a key of snarkjs in arkworks' own form.

use anyhow::Result;
use ark_ec::pairing::Pairing;
use ark_ff::{BigInt, PrimeField, UniformRand};
use ark_groth16::r1cs_to_qap::{LibsnarkReduction, R1CSToQAP, evaluate_constraint};
use ark_groth16::{Groth16, ProvingKey, VerifyingKey};
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use ark_relations::gr1cs::{ConstraintSystemRef, Matrix, Result as SynthesisResult, SynthesisError};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use bucketwheel_groth16::file::{self, Zkey};
use bucketwheel_groth16::{PairingCurve, Proof};
use rand::rngs::OsRng;
use rayon::prelude::*;

/// A key and the rows of A and B.
pub struct Key<E: Pairing> {
    key: ProvingKey<E>,
    matrices: Vec<Matrix<E::ScalarField>>,
}

impl<E: PairingCurve> Key<E> {
    pub fn new(key: &Zkey<'_, E>, constraints: usize) -> Result<Self> {
        let mut matrices = vec![vec![Vec::new(); constraints]; 2];
        for entry in key.coefficients.iter() {
            let matrix = match entry.matrix {
                file::Matrix::A => &mut matrices[0],
                file::Matrix::B => &mut matrices[1],
            };
            // The reduction itself adds the rows that bind public signals.
            if let Some(row) = matrix.get_mut(entry.constraint as usize) {
                row.push((entry.value(), entry.signal as usize));
            }
        }
        let vk = key.verifying_key()?;
        let key = ProvingKey {
            vk: VerifyingKey {
                alpha_g1: vk.alpha_g1,
                beta_g2: vk.beta_g2,
                gamma_g2: vk.gamma_g2,
                delta_g2: vk.delta_g2,
                gamma_abc_g1: vk.ic,
            },
            beta_g1: key.header.beta_g1,
            delta_g1: key.header.delta_g1,
            a_query: key.a.iter().collect(),
            b_g1_query: key.b1.iter().collect(),
            b_g2_query: key.b2.iter().collect(),
            h_query: key.h.iter().collect(),
            l_query: key.c.iter().collect(),
        };
        Ok(Self { key, matrices })
    }

    /// Returns the form that can be read fastest: uncompressed.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.key.serialize_uncompressed(&mut bytes)?;
        self.matrices.serialize_uncompressed(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads without checking the points, as our reader does.
    pub fn read(mut bytes: &[u8]) -> Result<Self> {
        let key = ProvingKey::deserialize_uncompressed_unchecked(&mut bytes)?;
        Ok(Self { key, matrices: Vec::deserialize_uncompressed_unchecked(&mut bytes)? })
    }

    /// Returns the public signals and the constant 1.
    pub fn inputs(&self) -> usize {
        self.key.vk.gamma_abc_g1.len()
    }

    /// Makes a proof, which is not verified.
    pub fn prove(&self, assignment: &[E::ScalarField]) -> Result<Proof<E>> {
        let [r, s] = [E::ScalarField::rand(&mut OsRng), E::ScalarField::rand(&mut OsRng)];
        let proof = Groth16::<E, CircomReduction>::create_proof_with_reduction_and_matrices(
            &self.key,
            r,
            s,
            &self.matrices,
            self.inputs(),
            self.matrices[0].len(),
            assignment,
        )?;
        Ok(Proof { a: proof.a, b: proof.b, c: proof.c })
    }
}

/// Returns a witness in arkworks' form.
pub fn assignment<F: PrimeField<BigInt = BigInt<4>>>(witness: &[BigInt<4>]) -> Vec<F> {
    witness
        .par_iter()
        .map(|value| F::from_bigint(*value).expect("the reader compared it to the order"))
        .collect()
}

/// Computes the quotient in the form of snarkjs' keys: the values of a b - c on the odd coset.
struct CircomReduction;

impl R1CSToQAP for CircomReduction {
    fn witness_map_from_matrices<F: PrimeField, D: EvaluationDomain<F>>(
        matrices: &[Matrix<F>],
        inputs: usize,
        constraints: usize,
        assignment: &[F],
    ) -> SynthesisResult<Vec<F>> {
        let (domain, coset) =
            domains::<F>(constraints + inputs).ok_or(SynthesisError::PolynomialDegreeTooLarge)?;
        let rows = |matrix: &Matrix<F>| {
            let mut values = vec![F::zero(); domain.size()];
            let rows = values.par_iter_mut().zip(matrix);
            rows.for_each(|(value, row)| *value = evaluate_constraint(row, assignment));
            values
        };
        let (mut a, mut b) = (rows(&matrices[0]), rows(&matrices[1]));
        a[constraints..][..inputs].copy_from_slice(&assignment[..inputs]);
        let mut c: Vec<F> = a.par_iter().zip(&b).map(|(a, b)| *a * b).collect();
        for values in [&mut a, &mut b, &mut c] {
            domain.ifft_in_place(values);
            coset.fft_in_place(values);
        }
        a.par_iter_mut().zip(b).zip(c).for_each(|((a, b), c)| *a = *a * b - c);
        Ok(a)
    }

    fn instance_map_with_evaluation<F: PrimeField, D: EvaluationDomain<F>>(
        constraints: ConstraintSystemRef<F>,
        t: &F,
    ) -> SynthesisResult<(Vec<F>, Vec<F>, Vec<F>, F, usize, usize)> {
        LibsnarkReduction::instance_map_with_evaluation::<F, D>(constraints, t)
    }

    /// Set-ups would call this method, but this program makes no set-up with it.
    fn h_query_scalars<F: PrimeField, D: EvaluationDomain<F>>(
        max_power: usize,
        t: F,
        zt: F,
        delta_inverse: F,
    ) -> SynthesisResult<Vec<F>> {
        LibsnarkReduction::h_query_scalars::<F, D>(max_power, t, zt, delta_inverse)
    }
}

/// Returns the domain with at least this number of rows, and its odd coset, on snarkjs' roots of unity. These roots
/// derive from 5; arkworks uses 5 for BN254, but not for BLS12-381.
fn domains<F: PrimeField>(rows: usize) -> Option<(Radix2EvaluationDomain<F>, Radix2EvaluationDomain<F>)> {
    let mut domain = Radix2EvaluationDomain::<F>::new(rows)?;
    let mut shift = F::from(5_u64).pow(F::TRACE);
    for _ in domain.log_size_of_group + 1..F::TWO_ADICITY {
        shift.square_in_place();
    }
    domain.group_gen = shift.square();
    domain.group_gen_inv = domain.group_gen.inverse()?;
    Some((domain, domain.get_coset(shift)?))
}
