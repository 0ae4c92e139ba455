//! The engines beside Nova's own engines.

use bucketwheel_nova::{bn256, grumpkin, pallas, vesta};
use bucketwheel_nova::{Bn256EngineKZG, GrumpkinEngine, PallasEngine, VestaEngine};
use ff::Field;
use nova_snark::frontend::num::AllocatedNum;
use nova_snark::frontend::{ConstraintSystem, SynthesisError};
use nova_snark::nova::{CompressedSNARK, PublicParams, RecursiveSNARK};
use nova_snark::provider;
use nova_snark::provider::traits::DlogGroupExt;
use nova_snark::spartan::snark::RelaxedR1CSSNARK;
use nova_snark::traits::circuit::StepCircuit;
use nova_snark::traits::evaluation::EvaluationEngineTrait;
use nova_snark::traits::snark::RelaxedR1CSSNARKTrait;
use nova_snark::traits::Engine;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// Squares a number some times in each step.
#[derive(Clone, Debug)]
struct Squares(usize);

impl<F: ff::PrimeField> StepCircuit<F> for Squares {
    fn arity(&self) -> usize {
        1
    }

    fn synthesize<CS: ConstraintSystem<F>>(
        &self,
        cs: &mut CS,
        z: &[AllocatedNum<F>],
    ) -> Result<Vec<AllocatedNum<F>>, SynthesisError> {
        let mut x = z[0].clone();
        for i in 0..self.0 {
            x = x.square(cs.namespace(|| format!("square {i}")))?;
        }
        Ok(vec![x])
    }
}

/// Three steps and their compressed proof: made with the engines `E1` and `E2`, verified with them and with Nova's `N1` and `N2`.
fn proves<E1, E2, N1, N2, V1, V2, W1, W2>()
where
    E1: Engine<Base = <E2 as Engine>::Scalar>,
    E2: Engine<Base = <E1 as Engine>::Scalar>,
    N1: Engine<Base = <N2 as Engine>::Scalar, Scalar = <E1 as Engine>::Scalar>,
    N2: Engine<Base = <N1 as Engine>::Scalar, Scalar = <E2 as Engine>::Scalar>,
    V1: EvaluationEngineTrait<E1>,
    V2: EvaluationEngineTrait<E2>,
    W1: EvaluationEngineTrait<N1>,
    W2: EvaluationEngineTrait<N2>,
{
    type Snark<E, V> = RelaxedR1CSSNARK<E, V>;
    let circuit = Squares(50);
    let (floor1, floor2) = (Snark::<E1, V1>::ck_floor(), Snark::<E2, V2>::ck_floor());
    let params = PublicParams::<E1, E2, Squares>::setup(&circuit, &*floor1, &*floor2).unwrap();
    let start = [E1::Scalar::from(3)];
    let mut recursive = RecursiveSNARK::new(&params, &circuit, &start).unwrap();
    (0..3).for_each(|_| recursive.prove_step(&params, &circuit).unwrap());
    let outputs = recursive.verify(&params, 3, &start).unwrap();
    let expected = (0..150).fold(start[0], |x, _| x.square());
    assert_eq!(outputs, [expected]);
    assert!(recursive.verify(&params, 4, &start).is_err());

    type Compressed<E1, E2, V1, V2> = CompressedSNARK<E1, E2, Squares, Snark<E1, V1>, Snark<E2, V2>>;
    let (proving, verifying) = Compressed::<E1, E2, V1, V2>::setup(&params).unwrap();
    let proof = Compressed::<E1, E2, V1, V2>::prove(&params, &proving, &recursive).unwrap();
    assert_eq!(proof.verify(&verifying, 3, &start).unwrap(), [expected]);

    // Keys and proofs have the bytes of Nova's own, which verifies them.
    let theirs: PublicParams<N1, N2, Squares> = through_bytes(&params);
    assert_eq!(theirs.digest(), params.digest());
    let (_, verifying) = Compressed::<N1, N2, W1, W2>::setup(&theirs).unwrap();
    let proof: Compressed<N1, N2, W1, W2> = through_bytes(&proof);
    assert_eq!(proof.verify(&verifying, 3, &start).unwrap(), [expected]);
    assert!(proof.verify(&verifying, 3, &[E1::Scalar::from(4)]).is_err());
}

/// Writes a value and reads it as another type.
fn through_bytes<T: Serialize, U: for<'de> Deserialize<'de>>(value: &T) -> U {
    let config = bincode::config::legacy();
    let bytes = bincode::serde::encode_to_vec(value, config).unwrap();
    bincode::serde::decode_from_slice(&bytes, config).unwrap().0
}

#[test]
fn bn256_with_hyperkzg_proves() {
    use provider::{hyperkzg, ipa_pc};
    proves::<
        Bn256EngineKZG,
        GrumpkinEngine,
        provider::Bn256EngineKZG,
        provider::GrumpkinEngine,
        hyperkzg::EvaluationEngine<_>,
        ipa_pc::EvaluationEngine<_>,
        hyperkzg::EvaluationEngine<_>,
        ipa_pc::EvaluationEngine<_>,
    >();
}

#[test]
fn pasta_proves() {
    use provider::ipa_pc::EvaluationEngine;
    proves::<
        PallasEngine,
        VestaEngine,
        provider::PallasEngine,
        provider::VestaEngine,
        EvaluationEngine<_>,
        EvaluationEngine<_>,
        EvaluationEngine<_>,
        EvaluationEngine<_>,
    >();
}

/// Sums of `P` beside the sums of Nova's group `N`.
fn sums<P, N>()
where
    P: DlogGroupExt<Scalar = N::Scalar, Base = N::Base, AffineGroupElement = N::AffineGroupElement>,
    N: DlogGroupExt,
{
    let rng = &mut StdRng::seed_from_u64(1);
    let coordinates = |point: P| (point.to_coordinates(), N::group(&point.affine()));
    let same = |ours: P, theirs: N| assert_eq!(coordinates(ours), (theirs.to_coordinates(), theirs));
    let generators = P::from_label(b"sums", 300);
    assert_eq!(generators, N::from_label(b"sums", 300));
    for len in [1, 2, 16, 17, 300] {
        let mut points = generators[..len].to_vec();
        if len > 9 {
            points[3] = P::zero().affine();
            points[7] = points[6];
        }
        let edges = [N::Scalar::ZERO, N::Scalar::ONE, -N::Scalar::ONE];
        let scalars: Vec<_> =
            (0..len).map(|i| edges.get(i).copied().unwrap_or_else(|| N::Scalar::random(&mut *rng))).collect();
        same(P::vartime_multiscalar_mul(&scalars, &points), N::vartime_multiscalar_mul(&scalars, &points));
        for bits in [1, 8, 16, 63] {
            let small: Vec<u64> = (0..len).map(|_| rng.gen_range(0..1 << bits)).collect();
            let expected = N::vartime_multiscalar_mul_small(&small, &points);
            same(P::vartime_multiscalar_mul_small(&small, &points), expected);
            same(P::vartime_multiscalar_mul_small_with_max_num_bits(&small, &points, bits), expected);
        }
        let both = [scalars.clone(), scalars[..len / 2].to_vec()];
        let theirs = N::batch_vartime_multiscalar_mul(&both, &points);
        P::batch_vartime_multiscalar_mul(&both, &points)
            .into_iter()
            .zip(theirs)
            .for_each(|(a, b)| same(a, b));
    }
    let (p, n) = (P::gen(), N::gen());
    let k = N::Scalar::random(rng);
    same(p * k, n * k);
    same(p * k + p - p * k, n);
}

#[test]
fn sums_are_novas() {
    sums::<bn256::Point, provider::bn256_grumpkin::bn256::Point>();
    sums::<grumpkin::Point, provider::bn256_grumpkin::grumpkin::Point>();
    sums::<pallas::Point, provider::pasta::pallas::Point>();
    sums::<vesta::Point, provider::pasta::vesta::Point>();
}
