//! Proves with ark-groth16 that a public number is the product of two secret factors; docs/rust.md shows the program.

use ark_bn254_0_6::Fr;
use ark_groth16_0_6::Groth16;
use ark_relations_0_6::gr1cs::{ConstraintSynthesizer, ConstraintSystemRef, SynthesisError};
use ark_relations_0_6::lc;
use ark_snark_0_6::SNARK;
use ark_std_0_6::rand::{rngs::StdRng, SeedableRng};
use bucketwheel_ark::v0_6::Bn254;

/// The factors; `None` while the key is made.
#[derive(Clone, Copy)]
struct Product(Option<(Fr, Fr)>);

impl ConstraintSynthesizer<Fr> for Product {
    fn generate_constraints(self, cs: ConstraintSystemRef<Fr>) -> Result<(), SynthesisError> {
        let factors = || self.0.ok_or(SynthesisError::AssignmentMissing);
        let product = cs.new_input_variable(|| factors().map(|(a, b)| a * b))?;
        let a = cs.new_witness_variable(|| factors().map(|(a, _)| a))?;
        let b = cs.new_witness_variable(|| factors().map(|(_, b)| b))?;
        cs.enforce_r1cs_constraint(|| lc!() + a, || lc!() + b, || lc!() + product)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rng = &mut StdRng::seed_from_u64(1); // for real keys and proofs, a seed that nobody can predict
    let (proving_key, verifying_key) = Groth16::<Bn254>::circuit_specific_setup(Product(None), rng)?;
    let circuit = Product(Some((Fr::from(641), Fr::from(6_700_417))));
    let proof = Groth16::<Bn254>::prove(&proving_key, circuit, rng)?;
    let product = Fr::from(4_294_967_297_u64);
    assert!(Groth16::<Bn254>::verify(&verifying_key, &[product], &proof)?);
    println!("the prover knows two factors of {product}");
    Ok(())
}
