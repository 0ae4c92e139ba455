//! arkworks' Groth16, unchanged, over the wrapped curves: the same keys, the same proofs.

/// Defines the test of one version of arkworks, from the names of its crates and of its way to enforce a product.
macro_rules! tests {
    ($module:ident, $cs:ident, $enforce:ident; $bn254:ident, $ff:ident, $serialize:ident, $std:ident, $groth16:ident,
        $relations:ident, $snark:ident) => {
        mod $module {
            use bucketwheel_ark::$module::Bn254;
            use $bn254::{Bn254 as Original, Fr};
            use $ff::UniformRand;
            use $groth16::{r1cs_to_qap::LibsnarkReduction, Groth16};
            use $relations::lc;
            use $relations::$cs::{ConstraintSynthesizer, ConstraintSystemRef, SynthesisError};
            use $serialize::CanonicalSerialize;
            use $snark::SNARK;
            use $std::rand::rngs::StdRng;
            use $std::rand::SeedableRng;

            /// A chain of 200 squares, whose last square is public.
            struct Chain(Option<Fr>);

            impl ConstraintSynthesizer<Fr> for Chain {
                fn generate_constraints(self, cs: ConstraintSystemRef<Fr>) -> Result<(), SynthesisError> {
                    let squares: Vec<Option<Fr>> =
                        std::iter::successors(Some(self.0), |x| Some(x.map(|x| x * x))).take(201).collect();
                    let value = |x: Option<Fr>| x.ok_or(SynthesisError::AssignmentMissing);
                    let last = cs.new_input_variable(|| value(squares[200]))?;
                    let mut x = cs.new_witness_variable(|| value(squares[0]))?;
                    for (i, &square) in squares.iter().enumerate().skip(1) {
                        let next = if i == 200 { last } else { cs.new_witness_variable(|| value(square))? };
                        tests!(@ $enforce cs, x, next);
                        x = next;
                    }
                    Ok(())
                }
            }

            fn bytes(value: &impl CanonicalSerialize) -> Vec<u8> {
                let mut bytes = Vec::new();
                value.serialize_uncompressed(&mut bytes).unwrap();
                bytes
            }

            #[test]
            fn keys_and_proofs_are_those_of_arkworks() {
                let rng = || StdRng::seed_from_u64(1);
                let (key, vk) = Groth16::<Bn254>::circuit_specific_setup(Chain(None), &mut rng()).unwrap();
                let (original, _) = Groth16::<Original>::circuit_specific_setup(Chain(None), &mut rng()).unwrap();
                assert_eq!(bytes(&key), bytes(&original));
                let x = Fr::rand(&mut rng());
                let public = (0..200).fold(x, |x, _| x * x);
                let proof = Groth16::<Bn254>::prove(&key, Chain(Some(x)), &mut rng()).unwrap();
                let expected = Groth16::<Original>::prove(&original, Chain(Some(x)), &mut rng()).unwrap();
                assert_eq!(bytes(&proof), bytes(&expected));
                assert!(Groth16::<Bn254>::verify(&vk, &[public], &proof).unwrap());
                assert!(!Groth16::<Bn254>::verify(&vk, &[x], &proof).unwrap());
                let no_zk = Groth16::<Bn254, LibsnarkReduction>::create_proof_with_reduction_no_zk(Chain(Some(x)), &key);
                assert!(Groth16::<Bn254>::verify(&vk, &[public], &no_zk.unwrap()).unwrap());
            }

            #[cfg(all(feature = "groth16-0_4", feature = "groth16-0_5", feature = "groth16-0_6"))]
            #[test]
            fn keys_and_proofs_are_converted_where_they_lie() {
                use bucketwheel_ark::$module::Convert;
                use $groth16::{Proof, ProvingKey};

                let rng = &mut StdRng::seed_from_u64(2);
                let (key, _) = Groth16::<Original>::circuit_specific_setup(Chain(None), rng).unwrap();
                let expected = key.clone();
                let at = |key: &ProvingKey<Original>| (key.h_query.as_ptr() as usize, key.b_g2_query.as_ptr() as usize);
                let before = at(&key);
                let ours: ProvingKey<Bn254> = key.convert();
                assert_eq!(bytes(&ours), bytes(&expected));
                assert_eq!((ours.h_query.as_ptr() as usize, ours.b_g2_query.as_ptr() as usize), before);
                let proof = Groth16::<Bn254>::prove(&ours, Chain(Some(Fr::rand(rng))), rng).unwrap();
                let original: Proof<Original> = proof.clone().convert();
                assert_eq!(bytes(&original), bytes(&proof));
                let back: ProvingKey<Original> = ours.convert();
                assert_eq!((at(&back), back), (before, expected));
            }
        }
    };
    (@ linear $system:ident, $x:ident, $next:ident) => {
        $system.enforce_constraint(lc!() + $x, lc!() + $x, lc!() + $next)?
    };
    (@ closures $system:ident, $x:ident, $next:ident) => {
        $system.enforce_r1cs_constraint(|| lc!() + $x, || lc!() + $x, || lc!() + $next)?
    };
}

#[cfg(feature = "ark-0_6")]
tests!(v0_6, gr1cs, closures; ark_bn254_0_6, ark_ff_0_6, ark_serialize_0_6, ark_std_0_6, ark_groth16_0_6, ark_relations_0_6, ark_snark_0_6);
#[cfg(feature = "ark-0_5")]
tests!(v0_5, r1cs, linear; ark_bn254_0_5, ark_ff_0_5, ark_serialize_0_5, ark_std_0_5, ark_groth16_0_5, ark_relations_0_5, ark_snark_0_5);
#[cfg(feature = "ark-0_4")]
tests!(v0_4, r1cs, linear; ark_bn254_0_4, ark_ff_0_4, ark_serialize_0_4, ark_std_0_4, ark_groth16_0_4, ark_relations_0_4, ark_snark_0_4);
