//! Points of BLS12-377 in the hardware's twisted Edwards coordinates.

use ark_bls12_377::g1::Config;
use ark_bls12_377::{Fq, G1TEAffine, G1TEProjective};
use ark_ec::short_weierstrass::Projective;
use ark_ec::twisted_edwards::TECurveConfig;
use ark_ec::CurveGroup;
use bucketwheel::TwistedEdwards;

use crate::Fault;

/// The map to arkworks' form, which equals the hardware's.
fn form() -> TwistedEdwards<Fq> {
    let form = TwistedEdwards::of_montgomery::<Config>();
    form.filter(|form| form.d() == Config::COEFF_D).expect("the curve has this form")
}

/// Returns points of the prime-order subgroup in Edwards coordinates.
///
/// # Errors
/// [`Fault::Subgroup`] for a point without these coordinates.
pub(crate) fn to_edwards(points: &[Projective<Config>]) -> Result<Vec<G1TEAffine>, Fault> {
    let form = form();
    let affine = Projective::normalize_batch(points);
    let one = |(index, point)| {
        let [x, y] = form.to_edwards(point).ok_or(Fault::Subgroup { index })?;
        Ok(G1TEAffine::new_unchecked(x, y))
    };
    affine.iter().enumerate().map(one).collect()
}

/// Returns a sum in Weierstrass coordinates.
///
/// # Errors
/// [`Fault::NotOnCurve`] if it cannot be a sum of such points.
pub(crate) fn from_edwards(sum: G1TEProjective) -> Result<Projective<Config>, Fault> {
    if sum.z == Fq::from(0u64) {
        return Err(Fault::NotOnCurve);
    }
    let sum = sum.into_affine();
    let point = form().from_edwards([sum.x, sum.y]).filter(|point| point.is_on_curve());
    point.map(Projective::from).ok_or(Fault::NotOnCurve)
}

#[cfg(test)]
mod tests {
    use ark_ec::{AdditiveGroup, PrimeGroup};

    use super::*;

    #[test]
    fn points_go_there_and_back() {
        let generator = Projective::<Config>::generator();
        for point in [generator, generator.double(), -generator, Projective::ZERO] {
            let edwards = to_edwards(&[point]).unwrap()[0];
            assert!(edwards.is_on_curve());
            assert_eq!(from_edwards(edwards.into()), Ok(point));
        }
        let [p, q] =
            [generator, generator.double()].map(|p| G1TEProjective::from(to_edwards(&[p]).unwrap()[0]));
        assert_eq!(from_edwards(p + q), Ok(generator + generator.double()));
        // A point of order 2.
        let two = ark_bls12_377::G1Affine::new_unchecked(-Fq::from(1u64), Fq::from(0u64));
        assert_eq!(to_edwards(&[generator, two.into()]), Err(Fault::Subgroup { index: 1 }));
    }
}
