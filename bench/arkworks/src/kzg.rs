//! KZG10 of ark-poly-commit 0.6 on BLS12-381: a commitment to a polynomial, and a proof of its value at a point.

use anyhow::Result;
use ark_bls12_381_0_6::{Bls12_381 as Original, Fr, G1Projective, g1, g2};
use ark_ec_0_6::{VariableBaseMSM, pairing::Pairing};
use ark_ff_0_6::{PrimeField, UniformRand};
use ark_poly_0_6::{DenseUVPolynomial, Polynomial, univariate::DensePolynomial};
use ark_poly_commit_0_6::PCCommitmentState;
use ark_poly_commit_0_6::kzg10::{
    Commitment, KZG10, Powers, Proof, Randomness, UniversalParams, VerifierKey,
};
use ark_serialize_0_6::CanonicalDeserialize;
use ark_std_0_6::rand::{SeedableRng, rngs::StdRng};
use bucketwheel_ark::Prepared;
use bucketwheel_ark::v0_6::{Affine, Bls12_381};
use bytemuck::TransparentWrapper;

use crate::case::Case;
use crate::groth16::v0_6::bytes;

type Dense = DensePolynomial<Fr>;

pub struct Kzg {
    params: UniversalParams<Original>,
    polynomial: Dense,
    point: Fr,
}

impl Kzg {
    /// Returns the case with a random polynomial of this many coefficients.
    pub fn new(coefficients: usize) -> Result<Self> {
        let rng = &mut StdRng::seed_from_u64(1);
        let params = KZG10::<Original, Dense>::setup(coefficients - 1, false, rng)?;
        Ok(Kzg { params, polynomial: Dense::rand(coefficients - 1, rng), point: Fr::rand(rng) })
    }

    /// Returns the powers on our types: the same memory.
    fn powers(&self) -> &[Affine<g1::Config>] {
        Affine::wrap_slice(&self.params.powers_of_g)
    }

    fn open<E: Pairing<ScalarField = Fr>>(&self, powers_of_g: &[E::G1Affine]) -> Vec<u8> {
        // Only blinded commitments use the other powers.
        let powers = Powers::<E> { powers_of_g: powers_of_g.into(), powers_of_gamma_g: (&[][..]).into() };
        let (commitment, _) =
            KZG10::commit(&powers, &self.polynomial, None, None).expect("a degree that fits");
        let proof = KZG10::open(&powers, &self.polynomial, self.point, &Randomness::empty());
        bytes(&(commitment, proof.expect("a degree that fits")))
    }
}

impl Case for Kzg {
    fn original(&self) -> Vec<u8> {
        self.open::<Original>(&self.params.powers_of_g)
    }

    fn sums(&self) {
        let integers: Vec<_> =
            self.polynomial.coeffs.iter().map(|coefficient| coefficient.into_bigint()).collect();
        for integers in [&integers[..], &integers[1..]] {
            let _ = std::hint::black_box(G1Projective::msm_bigint(&self.params.powers_of_g, integers));
        }
    }

    fn ours(&self) -> Vec<u8> {
        self.open::<Bls12_381>(self.powers())
    }

    fn prepare(&self) -> Prepared<'_> {
        Prepared::new().points(self.powers()).expect("points of the curve")
    }

    fn verifies(&self, proof: &[u8]) -> bool {
        type Opened = (Commitment<Bls12_381>, Proof<Bls12_381>);
        let (commitment, proof) = Opened::deserialize_uncompressed(proof).expect("a commitment and a proof");
        let second = Affine::<g2::Config>;
        let (h, beta_h) = (second(self.params.h), second(self.params.beta_h));
        let key = VerifierKey {
            g: Affine(self.params.powers_of_g[0]),
            gamma_g: Affine(self.params.powers_of_gamma_g[&0]),
            h,
            beta_h,
            prepared_h: h.into(),
            prepared_beta_h: beta_h.into(),
        };
        let value = self.polynomial.evaluate(&self.point);
        KZG10::<Bls12_381, Dense>::check(&key, &commitment, self.point, value, &proof).expect("a check")
    }
}
