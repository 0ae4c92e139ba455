//! The endomorphism `phi(x, y) = (beta x, y) = lambda (x, y)` of curves with a = 0, and the split of a scalar that it
//! makes possible: `k P = k1 P + k2 phi(P)` with k1 and k2 half as long (Gallant, Lambert, Vanstone, CRYPTO 2001).
//! Twice the points, half the windows: the additions of the points stay the same, and there are half the additions of buckets.
//!
//! The endomorphism equals a multiplication in the prime-order subgroup only.

use ark_ec::scalar_mul::glv::GLVConfig;
use ark_ff::{Field, PrimeField};
use num_bigint::BigUint;

use crate::engine::single::Map;
use crate::scalars::{MontgomeryWords, ScalarWords, Split};

/// The endomorphism of a curve over `F`.
#[derive(Debug)]
pub struct Endomorphism<F> {
    /// The factor of x.
    pub(crate) beta: F,
    pub(crate) split: Split,
}

impl<F: Field> Endomorphism<F> {
    /// The map of points.
    pub(crate) fn map(&self) -> Map<F> {
        Map { u: self.beta, v: None, conjugates: false }
    }

    /// Returns the endomorphism of arkworks' parameters or its square, whichever has the smaller eigenvalue. G1 and G2
    /// of a pairing then have the same eigenvalue.
    pub(crate) fn of<C: GLVConfig<BaseField = F, ScalarField: ScalarWords>>() -> Self {
        let (lambda, beta) = (C::LAMBDA, C::ENDO_COEFFS[0]);
        let (square, beta_square) = (lambda.square(), beta.square());
        let (lambda, square) = (lambda.to_integer(), square.to_integer());
        let (lambda, beta) = if square < lambda { (square, beta_square) } else { (lambda, beta) };
        let order: BigUint = C::ScalarField::MODULUS.into();
        Endomorphism { beta, split: Split::new(&order, &lambda.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Curve;
    use crate::scalars::Magnitude;
    use ark_ec::short_weierstrass::{Affine, Projective};
    use ark_ec::{AffineRepr, CurveGroup};
    use ark_ff::{One, UniformRand, Zero};
    use rand::rngs::StdRng;
    use rand::SeedableRng;

    fn field<F: ScalarWords>(half: &Magnitude<F::BigInt>) -> F {
        let value = F::from_bigint(half.words).expect("below the order");
        if half.negative {
            -value
        } else {
            value
        }
    }

    fn halves_and_images<C: GLVConfig<ScalarField: ScalarWords> + Curve>() -> Split {
        let Endomorphism { beta, split } = Endomorphism::of::<C>();
        let lambda = C::ScalarField::from(split.lambda.clone());
        let (x, y) = Affine::<C>::generator().xy().expect("not infinity");
        let image = Affine::<C>::new_unchecked(x * beta, y);
        assert_eq!(Projective::from(image), Affine::<C>::generator() * lambda);
        assert_eq!(image, (Affine::<C>::generator() * lambda).into_affine());

        let mut rng = StdRng::seed_from_u64(7);
        let half = -C::ScalarField::from(2u64).inverse().expect("odd order");
        let mut scalars = vec![C::ScalarField::zero(), half, half + C::ScalarField::one(), lambda, -lambda];
        scalars.extend((0..200u64).map(C::ScalarField::from));
        scalars.extend((0..252u64).map(|i| C::ScalarField::from(2u64).pow([i]) - C::ScalarField::one()));
        // Scalars next to the points where the rounding turns.
        scalars.extend((1..200u64).map(|i| lambda * C::ScalarField::from(i) * half));
        scalars.extend((0..5000).map(|_| C::ScalarField::rand(&mut rng)));
        for scalar in scalars.iter().flat_map(|&k| [k, -k]) {
            let magnitude = Magnitude { words: scalar.into_bigint(), negative: false };
            if magnitude.bits() > 254 {
                continue;
            }
            let [low, high] = split.parts(&magnitude);
            assert!(low.bits() <= split.bits && high.bits() <= split.bits, "{scalar}");
            let sum = field::<C::ScalarField>(&low) + lambda * field::<C::ScalarField>(&high);
            assert_eq!(sum, scalar);
        }
        split
    }

    #[test]
    fn halves_add_up_and_images_are_multiples() {
        let bits = [
            [
                halves_and_images::<ark_bls12_381::g1::Config>(),
                halves_and_images::<ark_bls12_381::g2::Config>(),
            ],
            [
                halves_and_images::<ark_bls12_377::g1::Config>(),
                halves_and_images::<ark_bls12_377::g2::Config>(),
            ],
            [halves_and_images::<ark_bn254::g1::Config>(), halves_and_images::<ark_bn254::g2::Config>()],
        ]
        .map(|[g1, g2]| {
            assert_eq!(g1, g2, "a pair shares its scalars' halves");
            g1.bits
        });
        assert_eq!(bits, [127, 126, 126]);
        #[cfg(feature = "pasta")]
        {
            halves_and_images::<ark_pallas::PallasConfig>();
            halves_and_images::<ark_vesta::VestaConfig>();
        }
    }
}
