//! ark-groth16 of each version: a chain of squares on BN254, whose last square is public.

/// Defines the case of one version, from the names of its crates and of its way to enforce a product.
macro_rules! version {
    ($module:ident, $cs:ident, $enforce:ident; $bn254:ident, $ec:ident, $ff:ident, $groth16:ident, $relations:ident,
        $serialize:ident, $snark:ident, $std:ident) => {
        pub mod $module {
            use $bn254::{Bn254 as Original, Fr};
            use $ec::{VariableBaseMSM, pairing::Pairing};
            use $ff::{PrimeField, UniformRand};
            use $groth16::{Groth16, ProvingKey, r1cs_to_qap::LibsnarkReduction};
            use $relations::$cs::{ConstraintSynthesizer, ConstraintSystemRef, SynthesisError};
            use $relations::lc;
            use $serialize::{CanonicalDeserialize, CanonicalSerialize};
            use $snark::SNARK;
            use $std::rand::{SeedableRng, rngs::StdRng};
            use bucketwheel_ark::{Prepared, $module::Bn254};

            use crate::case::Case;
            use crate::files;

            /// Values, each the square of the value before it; `None` while the key is made.
            #[derive(Clone, Copy)]
            pub struct Chain<'a>(pub &'a [Option<Fr>]);

            impl ConstraintSynthesizer<Fr> for Chain<'_> {
                fn generate_constraints(self, cs: ConstraintSystemRef<Fr>) -> Result<(), SynthesisError> {
                    let value = |x: Option<Fr>| x.ok_or(SynthesisError::AssignmentMissing);
                    let (last, squares) = self.0.split_last().expect("a first number");
                    let last = cs.new_input_variable(|| value(*last))?;
                    let mut variables = Vec::with_capacity(self.0.len());
                    for square in squares {
                        variables.push(cs.new_witness_variable(|| value(*square))?);
                    }
                    variables.push(last);
                    for pair in variables.windows(2) {
                        let [x, next] = [pair[0], pair[1]];
                        version!(@ $enforce cs, x, next);
                    }
                    Ok(())
                }
            }

            pub struct Chained {
                pub original: ProvingKey<Original>,
                pub ours: ProvingKey<Bn254>,
                pub squares: Vec<Option<Fr>>,
                /// The two random numbers of all proofs.
                pub random: [Fr; 2],
                /// Scalars for the points of the quotient.
                pub quotient: Vec<Fr>,
            }

            impl Chained {
                /// Returns the case with this many constraints. It reads the key that an earlier run wrote.
                pub fn new(constraints: usize) -> anyhow::Result<Self> {
                    let rng = &mut StdRng::seed_from_u64(1);
                    let none = vec![None; constraints + 1];
                    let key = files::get_or_make(&format!("{}-{constraints}", stringify!($groth16)), || {
                        let (key, _) = Groth16::<Original>::circuit_specific_setup(Chain(&none), rng)?;
                        Ok(bytes(&key))
                    })?;
                    let original: ProvingKey<Original> = ProvingKey::deserialize_uncompressed_unchecked(&key[..])?;
                    let rng = &mut StdRng::seed_from_u64(2);
                    let squares = std::iter::successors(Some(Fr::rand(rng)), |x| Some(*x * x));
                    Ok(Chained {
                        squares: squares.map(Some).take(constraints + 1).collect(),
                        random: [Fr::rand(rng), Fr::rand(rng)],
                        quotient: original.h_query.iter().map(|_| Fr::rand(rng)).collect(),
                        ours: ProvingKey::deserialize_uncompressed_unchecked(&key[..])?,
                        original,
                    })
                }

                /// Returns the values of all variables except the constant: the public variable's first.
                pub fn assignment(&self) -> Vec<Fr> {
                    let (last, witness) = self.squares.split_last().expect("a first number");
                    [last].into_iter().chain(witness).map(|square| square.expect("a value")).collect()
                }
            }

            pub fn bytes(value: &impl CanonicalSerialize) -> Vec<u8> {
                let mut bytes = Vec::new();
                value.serialize_uncompressed(&mut bytes).expect("vectors grow");
                bytes
            }

            fn prove<E: Pairing<ScalarField = Fr>>(case: &Chained, key: &ProvingKey<E>) -> Vec<u8> {
                let ([r, s], chain) = (case.random, Chain(&case.squares));
                let proof = Groth16::<E, LibsnarkReduction>::create_proof_with_reduction(chain, key, r, s);
                bytes(&proof.expect("a satisfied circuit"))
            }

            impl Case for Chained {
                fn original(&self) -> Vec<u8> {
                    prove(self, &self.original)
                }

                fn sums(&self) {
                    type G1 = <Original as Pairing>::G1;
                    type G2 = <Original as Pairing>::G2;
                    let integers = |scalars: &[Fr]| -> Vec<_> { scalars.iter().map(|scalar| scalar.into_bigint()).collect() };
                    let key = &self.original;
                    let assignment = integers(&self.assignment());
                    for (points, scalars) in [
                        (&key.h_query[..], &integers(&self.quotient)[..]),
                        (&key.l_query, &assignment[1..]),
                        (&key.a_query[1..], &assignment),
                        (&key.b_g1_query[1..], &assignment),
                    ] {
                        let _ = std::hint::black_box(G1::msm_bigint(points, scalars));
                    }
                    let _ = std::hint::black_box(G2::msm_bigint(&key.b_g2_query[1..], &assignment));
                }

                fn ours(&self) -> Vec<u8> {
                    prove(self, &self.ours)
                }

                fn prepare(&self) -> Prepared<'_> {
                    let key = &self.ours;
                    let queries = [&key.a_query[..], &key.b_g1_query, &key.h_query, &key.l_query];
                    let prepared = queries.iter().try_fold(Prepared::new(), |prepared, query| prepared.points(query));
                    prepared.and_then(|prepared| prepared.points(&key.b_g2_query)).expect("points of the curve")
                }

                fn verifies(&self, proof: &[u8]) -> bool {
                    let proof = CanonicalDeserialize::deserialize_uncompressed(proof).expect("a proof");
                    let public = self.squares.last().copied().flatten().expect("a value");
                    Groth16::<Bn254>::verify(&self.ours.vk, &[public], &proof).expect("one public input")
                }
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

version!(v0_4, r1cs, linear; ark_bn254_0_4, ark_ec_0_4, ark_ff_0_4, ark_groth16_0_4, ark_relations_0_4,
    ark_serialize_0_4, ark_snark_0_4, ark_std_0_4);
version!(v0_5, r1cs, linear; ark_bn254_0_5, ark_ec_0_5, ark_ff_0_5, ark_groth16_0_5, ark_relations_0_5,
    ark_serialize_0_5, ark_snark_0_5, ark_std_0_5);
version!(v0_6, gr1cs, closures; ark_bn254_0_6, ark_ec_0_6, ark_ff_0_6, ark_groth16_0_6, ark_relations_0_6,
    ark_serialize_0_6, ark_snark_0_6, ark_std_0_6);
