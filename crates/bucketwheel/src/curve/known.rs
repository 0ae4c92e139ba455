//! Known properties of a curve beyond its equation.

use ark_ec::scalar_mul::glv::GLVConfig;
use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ec::twisted_edwards::MontCurveConfig;
use ark_ff::{Field, PrimeField};

use super::edwards::TwistedEdwards;
use super::endomorphism::Endomorphism;
use super::membership::Membership;
use super::quarters::Quarters;
use crate::scalars::ScalarWords;

/// Properties that make MSMs or checks faster. A curve may lack any of them.
#[derive(Debug)]
pub struct Known<F> {
    /// The endomorphism of a curve with a = 0.
    pub(crate) endomorphism: Option<Endomorphism<F>>,
    /// The test of the subgroup.
    pub(crate) membership: Option<Membership<F>>,
    /// The split of scalars four ways.
    pub(crate) quarters: Option<Quarters<F>>,
    /// The twisted Edwards form.
    pub(crate) edwards: Option<TwistedEdwards<F>>,
}

impl<F: Field> Known<F> {
    /// Returns the properties of a curve with a = 0 that is the first group of a pairing or of prime order.
    pub(super) fn first_group<C: GLVConfig<BaseField = F, ScalarField: ScalarWords>>() -> Self {
        let endomorphism = Endomorphism::of::<C>();
        Known {
            membership: Membership::of_g1::<C>(&endomorphism),
            quarters: None,
            endomorphism: Some(endomorphism),
            edwards: TwistedEdwards::of_inner_bls::<C>(),
        }
    }

    /// Returns the properties of the second group, `D`, of the pairing with `C`.
    pub(super) fn second_group<C, D>() -> Self
    where
        C: SWCurveConfig<BaseField: PrimeField>,
        D: GLVConfig<BaseField = F, ScalarField = C::ScalarField>,
        C::ScalarField: ScalarWords,
        F: Field<BasePrimeField = C::BaseField>,
    {
        let (endomorphism, membership) = (Endomorphism::of::<D>(), Membership::of_g2::<C, D>());
        Known {
            quarters: membership.as_ref().and_then(|membership| Quarters::of(membership, &endomorphism)),
            endomorphism: Some(endomorphism),
            membership,
            edwards: None,
        }
    }

    /// Returns the properties of a curve that arkworks has in Montgomery form too.
    pub(super) fn montgomery<C: MontCurveConfig<BaseField = F> + SWCurveConfig>() -> Self {
        Self::form(TwistedEdwards::of_montgomery::<C>())
    }

    /// Returns the properties of the first group of an inner BLS curve whose endomorphism arkworks does not have.
    pub(super) fn inner<C: SWCurveConfig<BaseField = F>>() -> Self {
        Self::form(TwistedEdwards::of_inner_bls::<C>())
    }

    /// Returns the properties of the second group, `D`, of the pairing with `C`, over an extension of a degree above 2. It has
    /// no split of scalars, because the maps of split scalars (`Map::conjugates`) know quadratic extensions only.
    pub(super) fn second_group_of_higher_degree<C, D>() -> Self
    where
        C: SWCurveConfig<BaseField: PrimeField>,
        D: SWCurveConfig<BaseField = F, ScalarField = C::ScalarField>,
        F: Field<BasePrimeField = C::BaseField>,
    {
        Known { membership: Membership::of_g2::<C, D>(), ..Self::form(None) }
    }

    fn form(edwards: Option<TwistedEdwards<F>>) -> Self {
        Known { endomorphism: None, membership: None, quarters: None, edwards }
    }
}
