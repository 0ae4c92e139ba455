//! The map between a Weierstrass curve and its twisted Edwards form, over any field.
//!
//! A curve `y^2 = x^3 + a x + b` with a point (e, 0) of order 2 is `y^2 = X^3 + 3 e X^2 + s^2 X` in X = x - e, where
//! `s^2 = 3 e^2 + a`. If s is in the field, u = X / s and v = y / s make it the Montgomery curve
//! `v^2 / s = u^3 + (3 e / s) u^2 + u`, and (u / v, (u - 1) / (u + 1)) is on the twisted Edwards curve with
//! a' = 3 e + 2 s and d' = 3 e - 2 s (Bernstein, Birkner, Joye, Lange and Peters, "Twisted Edwards Curves", AFRICACRYPT
//! 2008, Theorem 3.2). If a' = a r^2, replacing x by r x gives the curve the coefficient a: -1 if -a' is a square, else
//! the first of -3, -5, -7, ... for which r exists. The law of any a but -1 takes one product more.

use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ec::twisted_edwards::MontCurveConfig;
use ark_ec::AffineRepr;
use ark_ff::Field;

/// The curve `a x^2 + y^2 = 1 + d x^2 y^2` with a = -1 or a small negative odd a, and the map to it.
///
/// Infinity becomes (0, 1). Any other point that the map does not take has an even order.
///
/// ```
/// use ark_bls12_377::{g1::Config, Fq, G1Affine};
/// use ark_ec::AffineRepr;
/// use bucketwheel::{AdderKind, TwistedEdwards};
///
/// let form = TwistedEdwards::of_inner_bls::<Config>().expect("y^2 = x^3 + 1");
/// let generator = G1Affine::generator();
/// let [x, y] = form.to_edwards(&generator).expect("a point of odd order");
/// assert_eq!(form.a() * x * x + y * y, Fq::from(1) + form.d() * x * x * y * y);
/// assert_eq!(form.from_edwards([x, y]), Some(generator));
///
/// // Its adders take four coordinates.
/// assert!(AdderKind::Edwards.is_for::<Config>() && AdderKind::Edwards.is_edwards());
/// assert_eq!(AdderKind::Edwards.own_coordinates(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwistedEdwards<F> {
    /// The x of the point of order 2 that becomes (0, -1).
    pub(super) root: F,
    pub(super) s: F,
    pub(super) r: F,
    pub(super) d: F,
    pub(super) half_d: F,
    /// n, where a is -(1 + 2 n).
    pub(super) excess: u32,
}

/// Bound on n. A search fails only if the first 16 odd numbers are all squares and -a' is none, which is not to be expected.
const MAX_EXCESS: u32 = 16;

impl<F: Field> TwistedEdwards<F> {
    /// Returns the form of an inner BLS curve, `y^2 = x^3 + 1` over a field with the root of 3: EdMSM, Lemma 1, whose
    /// d is this d or its inverse, `7 + 4 sqrt(3)` or `7 - 4 sqrt(3)`. `None` for other curves. The [example](Self)
    /// uses it.
    pub fn of_inner_bls<C: SWCurveConfig<BaseField = F>>() -> Option<Self> {
        (C::COEFF_A.is_zero() && C::COEFF_B.is_one()).then(|| Self::new::<C>(-F::one()))?
    }

    /// Returns the form of a curve that arkworks has in Montgomery form `B v^2 = u^3 + A u^2 + u` too. The form takes
    /// the point (0, 0) of the Montgomery form to (0, -1). `None` if the curve has no Edwards form. See the
    /// [example](Self).
    pub fn of_montgomery<C: MontCurveConfig<BaseField = F> + SWCurveConfig>() -> Option<Self> {
        let s = <C as MontCurveConfig>::COEFF_B.inverse()?;
        let three_root = <C as MontCurveConfig>::COEFF_A * s;
        let root = three_root * F::from(3u32).inverse()?;
        (Self::root_of::<C>(root)? == s.square()).then(|| Self::form(root, s))?
    }

    /// Returns the form that takes the point (root, 0) of order 2 to (0, -1). `None` if the point is not on the
    /// curve, or has no form. See the [example](Self).
    pub fn new<C: SWCurveConfig<BaseField = F>>(root: F) -> Option<Self> {
        Self::form(root, Self::root_of::<C>(root)?.sqrt()?)
    }

    /// Returns s^2 if (root, 0) is on the curve.
    fn root_of<C: SWCurveConfig<BaseField = F>>(root: F) -> Option<F> {
        let is_root = Affine::<C>::new_unchecked(root, F::zero()).is_on_curve();
        is_root.then(|| (root.double() + root) * root + C::COEFF_A)
    }

    /// Returns the form with the largest a, by s or -s.
    fn form(root: F, s: F) -> Option<Self> {
        let three_root = root.double() + root;
        let form = |excess: u32, s: F| {
            let a = -F::from(1 + 2 * excess);
            let (own_a, own_d) = (three_root + s.double(), three_root - s.double());
            let r_squared = own_a * a.inverse()?;
            let (r, d) = (r_squared.sqrt()?, own_d * r_squared.inverse()?);
            Some(TwistedEdwards { root, s, r, d, half_d: d * F::from(2u32).inverse()?, excess })
        };
        (0..MAX_EXCESS).find_map(|excess| form(excess, s).or_else(|| form(excess, -s)))
    }

    /// Returns the coefficient a. The [example](Self) uses it.
    pub fn a(&self) -> F {
        -F::from(1 + 2 * self.excess)
    }

    /// Returns the coefficient d. The [example](Self) uses it.
    pub fn d(&self) -> F {
        self.d
    }

    /// Returns the coordinates of a point of the Weierstrass curve; `None` if the map does not take it.
    /// The [example](Self) uses it.
    pub fn to_edwards<C: SWCurveConfig<BaseField = F>>(&self, point: &Affine<C>) -> Option<[F; 2]> {
        let Some((x, y)) = point.xy() else {
            return Some([F::zero(), F::one()]);
        };
        let x = x - self.root;
        Some([self.r * x * y.inverse()?, (x - self.s) * (x + self.s).inverse()?])
    }

    /// Returns the point of the Weierstrass curve with these coordinates; `None` if the map takes no point there.
    /// The [example](Self) uses it.
    pub fn from_edwards<C: SWCurveConfig<BaseField = F>>(&self, [x, y]: [F; 2]) -> Option<Affine<C>> {
        if x.is_zero() && y.is_one() {
            return Some(Affine::identity());
        }
        let su = self.s * (F::one() + y) * (F::one() - y).inverse()?;
        Some(Affine::new_unchecked(su + self.root, su * self.r * x.inverse()?))
    }
}

#[cfg(all(test, feature = "all-curves"))]
mod tests {
    use super::*;
    use ark_ec::short_weierstrass::Projective;
    use ark_ec::twisted_edwards::TECurveConfig;
    use ark_ec::{AdditiveGroup, CurveGroup};
    use ark_ff::{One, PrimeField, UniformRand, Zero};
    use rand::rngs::StdRng;
    use rand::SeedableRng;

    /// Adds two points by the unified law of `a x^2 + y^2 = 1 + d x^2 y^2`. Returns `None` if the law has an exception.
    fn add<F: Field>(form: &TwistedEdwards<F>, [x1, y1]: [F; 2], [x2, y2]: [F; 2]) -> Option<[F; 2]> {
        let product = form.d() * x1 * x2 * y1 * y2;
        let divide = |numerator: F, denominator: F| Some(numerator * denominator.inverse()?);
        Some([
            divide(x1 * y2 + y1 * x2, F::one() + product)?,
            divide(y1 * y2 - form.a() * x1 * x2, F::one() - product)?,
        ])
    }

    fn is_homomorphism<C: SWCurveConfig>(form: &TwistedEdwards<C::BaseField>) {
        let rng = &mut StdRng::seed_from_u64(1);
        for _ in 0..50 {
            let (p, q) = (Projective::<C>::rand(rng).into_affine(), Projective::<C>::rand(rng).into_affine());
            let map = |point: Affine<C>| form.to_edwards(&point).expect("of odd order");
            for (p, q) in [(p, q), (p, p), (p, -p), (p, Affine::identity()), (Affine::identity(), q)] {
                let [x, y] = map(p);
                let right = C::BaseField::one() + form.d() * (x * y).square();
                assert_eq!(form.a() * x.square() + y.square(), right);
                assert_eq!(add(form, map(p), map(q)), Some(map((p + q).into_affine())));
                assert_eq!(form.from_edwards(map(p)), Some(p));
            }
        }
    }

    /// Returns the points of order 2 that are at infinity on the Edwards curve.
    fn points_at_infinity<C: SWCurveConfig>(form: &TwistedEdwards<C::BaseField>) -> Vec<Affine<C>> {
        let three_root = form.root.double() + form.root;
        let half = C::BaseField::from(2u32).inverse().expect("odd");
        let difference = (three_root.square() - form.s.square().double().double()).sqrt();
        let x = |difference: C::BaseField| (difference - three_root) * half + form.root;
        let point = |x| Affine::<C>::new_unchecked(x, C::BaseField::zero());
        difference.into_iter().flat_map(|difference| [x(difference), x(-difference)].map(point)).collect()
    }

    /// Returns the number of points at infinity. If the sum or difference of two points is one of them, the unified law
    /// divides by 0.
    fn exceptions<C: SWCurveConfig>(form: &TwistedEdwards<C::BaseField>) -> usize {
        let rng = &mut StdRng::seed_from_u64(2);
        let infinite = points_at_infinity::<C>(form);
        for &point in &infinite {
            assert!(point.is_on_curve());
            let p = Projective::<C>::rand(rng).into_affine();
            for q in [point - p, p - point] {
                let map = |point: Affine<C>| form.to_edwards(&point).expect("neither of order 2 nor 4");
                assert_eq!(add(form, map(p), map(q.into_affine())), None);
            }
        }
        infinite.len()
    }

    fn lemma_1_holds<C: SWCurveConfig<BaseField: PrimeField>>() {
        let form = TwistedEdwards::of_inner_bls::<C>().expect("an inner curve");
        assert_eq!(form.a(), -C::BaseField::one());
        is_homomorphism::<C>(&form);
        let root = C::BaseField::from(3u32).sqrt().expect("3 is a square");
        let (seven, four) = (C::BaseField::from(7u32), C::BaseField::from(4u32));
        assert!(form.d() == seven + four * root || form.d() == seven - four * root);
        // d is a square: the law is not complete on the whole curve.
        assert!(form.d().legendre().is_qr());
        assert_eq!(exceptions::<C>(&form), 2);
        // The map does not take the point of order 2 that becomes (0, -1).
        let order_two = Affine::<C>::new_unchecked(-C::BaseField::one(), C::BaseField::zero());
        assert_eq!(form.to_edwards(&order_two), None);
        assert_eq!(form.from_edwards::<C>([C::BaseField::zero(), -C::BaseField::one()]), None);
    }

    #[test]
    fn lemma_1_holds_for_bls12_377() {
        lemma_1_holds::<ark_bls12_377::g1::Config>();
    }

    #[test]
    fn lemma_1_holds_for_bls24_315() {
        lemma_1_holds::<crate::bls24_315::G1>();
    }

    fn has_native_form<C: MontCurveConfig + TECurveConfig + SWCurveConfig>() -> TwistedEdwards<C::BaseField> {
        let form = TwistedEdwards::of_montgomery::<C>().expect("a native form");
        is_homomorphism::<C>(&form);
        assert_eq!((form.a(), form.d()), (<C as TECurveConfig>::COEFF_A, <C as TECurveConfig>::COEFF_D));
        form
    }

    /// a is a square and d is not: the law is complete.
    #[test]
    fn the_form_of_jubjub() {
        type Jubjub = ark_ed_on_bls12_381::JubjubConfig;
        let form = has_native_form::<Jubjub>();
        assert!(form.a().legendre().is_qr() && form.d().legendre().is_qnr());
        assert_eq!(exceptions::<Jubjub>(&form), 0);
    }

    /// Neither a = -5 nor d is a square, in any form of this curve. So no form has a = -1, and the law is not complete.
    #[test]
    fn the_form_of_bandersnatch() {
        type Bandersnatch = ark_ed_on_bls12_381_bandersnatch::BandersnatchConfig;
        let form = has_native_form::<Bandersnatch>();
        assert!(form.a().legendre().is_qnr() && form.d().legendre().is_qnr());
        assert_eq!(exceptions::<Bandersnatch>(&form), 2);
    }

    #[test]
    fn other_curves_have_no_such_form() {
        assert_eq!(TwistedEdwards::of_inner_bls::<ark_bls12_381::g1::Config>(), None);
        assert_eq!(TwistedEdwards::of_inner_bls::<ark_bn254::g1::Config>(), None);
        assert_eq!(TwistedEdwards::of_inner_bls::<ark_bls12_377::g2::Config>(), None);
        // (1, 0) is not on the curve.
        assert_eq!(TwistedEdwards::new::<ark_bls12_377::g1::Config>(ark_bls12_377::Fq::one()), None);
    }
}
