//! Bucketwheel: its lanes' products and squares, its adders' additions.

use super::line::{BATCH, FEW, Kernel, Line};
use super::sampling::Cost;
use crate::inputs::with_input;
use crate::inputs::{AnyInput, Input};
use anyhow::Result;
use ark_ec::short_weierstrass::SWCurveConfig;
use bucketwheel::{AdderKind, Backend, BasesOptions, CoordinateField, Error, Summands};
use bucketwheel_lanes::{
    Bls12_377Fq, Bls12_381Fq, Bn254Fq, LaneField, MAX_LANES, PrimeLanes, Quadratic, Task, Visitor,
};
use std::fmt::Debug;
use std::hint::black_box;

/// An adder's formula.
pub struct Formula {
    name: &'static str,
    pub adder: AdderKind,
    pub summands: Summands,
    /// Number of products, including products by a constant of the curve.
    pub products: u32,
    pub squares: u32,
    /// Number of additions at a time.
    batch: usize,
}

pub const FORMULAS: [Formula; 13] = {
    use AdderKind::{Affine, Edwards, EdwardsUnified, Projective, Xyzz};
    use Summands::{Affine as Points, Full, Mixed};
    const fn formula(
        name: &'static str,
        (adder, summands): (AdderKind, Summands),
        (products, squares): (u32, u32),
        batch: usize,
    ) -> Formula {
        Formula { name, adder, summands, products, squares, batch }
    }
    [
        formula("affine", (Affine, Full), (5, 1), BATCH),
        formula("xyzz affine", (Xyzz, Points), (4, 2), FEW),
        formula("xyzz mixed", (Xyzz, Mixed), (8, 2), FEW),
        formula("xyzz full", (Xyzz, Full), (12, 2), FEW),
        formula("projective affine", (Projective, Points), (5, 2), FEW),
        formula("projective mixed", (Projective, Mixed), (9, 2), FEW),
        formula("projective full", (Projective, Full), (12, 0), FEW),
        formula("edwards affine", (Edwards, Points), (6, 0), FEW),
        formula("edwards mixed", (Edwards, Mixed), (7, 0), FEW),
        formula("edwards full", (Edwards, Full), (8, 0), FEW),
        formula("unified affine", (EdwardsUnified, Points), (7, 0), FEW),
        formula("unified mixed", (EdwardsUnified, Mixed), (7, 0), FEW),
        formula("unified full", (EdwardsUnified, Full), (9, 0), FEW),
    ]
};

impl Formula {
    /// Returns the options of points for this adder.
    fn options<'a>(&self, backend: Backend) -> BasesOptions<'a> {
        BasesOptions::new().backend(backend).edwards(self.adder.is_edwards())
    }

    /// Returns the nanoseconds of the products and squares alone.
    fn floor(&self, kernel: &Kernel) -> f64 {
        let (product, square) = (kernel.product.ns.median, kernel.square.ns.median);
        f64::from(self.products) * product + f64::from(self.squares) * square
    }
}

/// Measures all adders, each beside its floor in this run; nothing if the CPU lacks the instructions.
pub fn additions(backend: Backend, input: AnyInput, seconds: f64) -> Result<Vec<Line>> {
    let Some(kernel) = kernel(backend, input, seconds) else {
        return Ok(Vec::new());
    };
    let lines = FORMULAS.iter().map(|formula| {
        let floor = Some(formula.floor(&kernel));
        let cost = with_input!(input, input => {
            let bases = match formula.options(backend).prepare(&input.points[..formula.batch]) {
                // The curve has no adder of this kind.
                Err(Error::Adder { .. }) => return Ok(None),
                bases => bases?,
            };
            let mut additions = bases.additions(formula.adder, formula.summands)?;
            Cost::of(formula.batch, seconds, || additions.run())
        });
        Ok(Some(Line { floor, ..Line::new(backend, formula.name, cost) }))
    });
    lines.filter_map(Result::transpose).collect()
}

/// Returns the costs in the coordinates' field; `None` if the CPU lacks the instructions.
pub fn kernel(backend: Backend, input: AnyInput, seconds: f64) -> Option<Kernel> {
    fn elements<C: SWCurveConfig<BaseField: CoordinateField>>(
        input: Input<C>,
        seconds: f64,
    ) -> Elements<<C::BaseField as CoordinateField>::Words> {
        Elements { words: input.points.iter().map(|point| point.x.to_words()).collect(), seconds }
    }
    match input {
        AnyInput::Bls12_381G1(input) => backend.visit::<Bls12_381Fq, _>(elements(input, seconds)).ok(),
        AnyInput::Bls12_377G1(input) => backend.visit::<Bls12_377Fq, _>(elements(input, seconds)).ok(),
        AnyInput::Bn254G1(input) => backend.visit::<Bn254Fq, _>(elements(input, seconds)).ok(),
        AnyInput::Bls12_381G2(input) => {
            backend.visit::<Bls12_381Fq, _>(Extension(elements(input, seconds))).ok()
        }
        AnyInput::Bls12_377G2(input) => {
            backend.visit::<Bls12_377Fq, _>(Extension(elements(input, seconds))).ok()
        }
        AnyInput::Bn254G2(input) => backend.visit::<Bn254Fq, _>(Extension(elements(input, seconds))).ok(),
    }
}

/// The x coordinates of random points.
struct Elements<W> {
    words: Vec<W>,
    seconds: f64,
}

/// The same in the extension.
struct Extension<W>(Elements<[W; 2]>);

impl<W: Copy + PartialEq + Default + Debug + Send + Sync> Visitor<W> for Elements<W> {
    type Output = Kernel;

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> Kernel {
        self.kernel(lanes)
    }
}

impl<W: Copy + PartialEq + Default + Debug + Send + Sync> Visitor<W> for Extension<W> {
    type Output = Kernel;

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> Kernel {
        self.0.kernel(Quadratic::over(lanes))
    }
}

/// Number of vectors in use: enough to be independent of each other, and few enough for the first-level cache.
const VECTORS: usize = 16;
/// Number of elements in this number of the widest vectors.
pub const ELEMENTS: usize = VECTORS * MAX_LANES;
/// Passes over the vectors per call.
const PASSES: usize = 8;

impl<W: Copy> Elements<W> {
    fn kernel<L: LaneField<Words = W>>(&self, lanes: L) -> Kernel {
        let mut words = self.words.chunks_exact(L::LANES);
        let factors: [L::Vec; VECTORS] =
            std::array::from_fn(|_| lanes.encode(words.next().expect("there are ELEMENTS of them")));
        let mut results = factors;
        let mut cost = |operation: Operation| {
            Cost::of(PASSES * VECTORS * L::LANES, self.seconds, || {
                let factors = black_box(&factors);
                lanes.vectorize(Passes { lanes, operation, factors, results: &mut results });
                black_box(&mut results);
            })
        };
        Kernel { product: cost(Operation::Product), square: cost(Operation::Square) }
    }
}

#[derive(Clone, Copy)]
enum Operation {
    Product,
    Square,
}

struct Passes<'a, L: LaneField> {
    lanes: L,
    operation: Operation,
    factors: &'a [L::Vec; VECTORS],
    results: &'a mut [L::Vec; VECTORS],
}

impl<L: LaneField> Task for Passes<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Passes { lanes, operation, factors, results } = self;
        for _ in 0..PASSES {
            for i in 0..VECTORS {
                match operation {
                    Operation::Product => {
                        let next = L::as_factor(&factors[(i + 1) % VECTORS]);
                        lanes.mul(&factors[i], next, &mut results[i]);
                    }
                    Operation::Square => lanes.square(&factors[i], &mut results[i]),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::{Setting, points};
    use ark_ec::CurveGroup;

    fn check<C: Setting<BaseField: CoordinateField, ScalarField: bucketwheel::ScalarWords>>() {
        const COUNT: usize = 20;
        let points = points::generate::<C>(1, COUNT);
        let point = |i: usize| points[i % COUNT];
        let sum = |i: usize| point(i) + point(i + 1);
        let backends = Backend::ALL.into_iter().filter(|backend| backend.is_supported());
        for backend in backends {
            for formula in FORMULAS.iter().filter(|formula| formula.adder.is_for::<C>()) {
                let Formula { name, adder, summands, .. } = *formula;
                let bases = formula.options(backend).prepare(&points).unwrap();
                let sums = bases.additions(adder, summands).unwrap().sums();
                for (i, found) in sums.into_iter().enumerate() {
                    let expected = match summands {
                        Summands::Affine if i % 2 == 0 => point(i) + point(i + 2),
                        Summands::Affine => point(i) - point(i + 2),
                        Summands::Mixed if i % 2 == 0 => sum(i) + point(i + 2),
                        Summands::Mixed => sum(i) - point(i + 2),
                        Summands::Full => sum(i) + sum(i + 2),
                    };
                    assert_eq!(found, expected.into_affine(), "{backend} {name} {i}");
                }
            }
        }
    }

    #[test]
    fn the_additions_that_are_timed_are_right() {
        check::<ark_bls12_381::g1::Config>();
        check::<ark_bls12_381::g2::Config>();
        check::<ark_bls12_377::g1::Config>();
        check::<ark_bls12_377::g2::Config>();
        check::<ark_bn254::g1::Config>();
        check::<ark_bn254::g2::Config>();
    }
}
