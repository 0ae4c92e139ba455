//! Runs the AVX-512 IFMA backend on a CPU that has it: an emulated one, without operating system.
//!
//! All results are compared with those of the backend's model, bit for bit: of every operation, in every field and
//! extension, and of the engine's adders on top of them. `run.sh` builds and starts it.

#![no_std]
#![no_main]

extern crate alloc;
// For the engine's adders, which call it so.
extern crate core as std;

#[macro_use]
mod machine;
mod curves;
mod fields;
mod samples;
mod trace;

/// The engine's adders (build.rs).
mod engine {
    macro_rules! module {
        ($name:ident, $file:literal $(, $part:item)*) => {
            #[allow(dead_code, unused_imports)]
            pub mod $name {
                use alloc::boxed::Box;
                use alloc::vec::Vec;
                $($part)*
                include!(concat!(env!("OUT_DIR"), $file));
            }
        };
    }

    #[allow(dead_code, unused_imports)]
    pub mod adder {
        use alloc::boxed::Box;
        use alloc::vec::Vec;

        pub use edwards::EdwardsForm;

        include!(concat!(env!("OUT_DIR"), "/adder.rs"));

        module!(affine, "/affine.rs");
        module!(
            edwards,
            "/edwards.rs",
            mod law {
                include!(concat!(env!("OUT_DIR"), "/law.rs"));
            },
            /// Points are converted here by hand.
            mod convert {
                use bucketwheel_lanes::LaneField;

                use crate::engine::adder::Point;
                use crate::memory::{Room, Slots};

                pub fn convert<L: LaneField, F, C>(
                    _: L,
                    _: &F,
                    _: &[Point<L::Elem>],
                    _: &mut Room,
                    _: &C,
                ) -> Result<Slots, crate::Error> {
                    Err(crate::Error)
                }
            }
        );
        module!(projective, "/projective.rs");
        module!(xyzz, "/xyzz.rs");
    }
}

/// What the adders' files name, and nobody uses here.
mod control {
    pub struct Control<'a>(core::marker::PhantomData<&'a ()>);
}

/// What the adders' files name, and nobody uses here.
pub struct Error;

/// Arrays of points, as the engine has them.
mod memory {
    #[derive(Clone, Copy, Debug)]
    pub struct Slots {
        pub start: *mut u8,
        pub stride: usize,
        pub len: usize,
    }

    impl Slots {
        pub fn of<T>(points: &mut [T]) -> Self {
            Slots { start: points.as_mut_ptr().cast(), stride: size_of::<T>(), len: points.len() }
        }
    }

    pub struct Room;
}

/// The ids of points (build.rs).
#[allow(dead_code)]
mod schedule {
    include!(concat!(env!("OUT_DIR"), "/schedule.rs"));
}

use bucketwheel_lanes::{
    BaseField, Bls12_377Fq, Bls12_381Fq, Bls12_381Fr, Bn254Fq, Bn254Fr, Digits52, LaneField, Quadratic,
    Words64,
};

use engine::adder::affine::BatchAffine;
use engine::adder::edwards::{Dedicated, Edwards, Unified};
use engine::adder::projective::CompleteProjective;
use engine::adder::xyzz::Xyzz;
use samples::{Sample, Shape};
use trace::Count;

/// Rounds for each field.
const ROUNDS: usize = 100;

extern "sysv64" fn main() -> ! {
    let mut total = Count::default();
    total.add(prime::<Bls12_381Fq, 6, 8, 1>());
    total.add(prime::<Bls12_377Fq, 6, 8, 5>());
    total.add(prime::<Bn254Fq, 4, 5, 1>());
    total.add(scalars::<Bls12_381Fr>());
    total.add(scalars::<Bn254Fr>());
    line!("total: checks={} bad={}", total.checks, total.bad);
    machine::shut_down()
}

/// A prime of 4 words and 5 digits that no curve here is over.
fn scalars<P>() -> Count
where
    P: BaseField<Words = [u64; 4]> + Words64<4> + Digits52<5>,
{
    let shape = shape::<P, 4, 5>();
    let mut total = field::<P::Avx512Ifma, P::Model>(P::NAME, 0, &shape);
    let lazy = fields::compare_lazy::<P::Avx512Ifma, P::Model>(&shape, ROUNDS);
    total.add(report::<P::Avx512Ifma, P::Model>("lazy sums", P::NAME, 0, lazy));
    total
}

/// A prime in `W` words and `N` digits, whose second group is over the extension of `BETA`.
fn prime<P, const W: usize, const N: usize, const BETA: u32>() -> Count
where
    P: BaseField<Words = [u64; W]> + Words64<W> + Digits52<N>,
{
    let shape = shape::<P, W, N>();
    let mut total = Count::default();
    total.add(field::<P::Avx512Ifma, P::Model>(P::NAME, 0, &shape));
    total.add(field::<Quadratic<P::Avx512Ifma, 1>, Quadratic<P::Model, 1>>(P::NAME, 1, &shape));
    total.add(field::<Quadratic<P::Avx512Ifma, 5>, Quadratic<P::Model, 5>>(P::NAME, 5, &shape));
    total.add(curve::<P::Avx512Ifma, P::Model>(P::NAME, 0, &shape));
    total.add(curve::<Quadratic<P::Avx512Ifma, BETA>, Quadratic<P::Model, BETA>>(P::NAME, BETA, &shape));
    total
}

fn shape<P: Words64<W> + Digits52<N>, const W: usize, const N: usize>() -> Shape {
    Shape {
        modulus: &<P as Words64<W>>::TABLE.modulus,
        digits: N,
        top_digit: <P as Digits52<N>>::TABLE.modulus[N - 1],
    }
}

/// Compares two backends of a field.
fn field<A, B>(prime: &str, beta: u32, shape: &Shape) -> Count
where
    A: LaneField<Words: Sample>,
    B: LaneField<Words = A::Words>,
{
    report::<A, B>("field", prime, beta, fields::compare::<A, B>(shape, ROUNDS))
}

/// Compares the adders on two backends.
fn curve<A, B>(prime: &str, beta: u32, shape: &Shape) -> Count
where
    A: LaneField<Words: Sample>,
    B: LaneField<Words = A::Words>,
{
    let affine = curves::compare::<A, B, BatchAffine<A>, BatchAffine<B>>(shape, true);
    let projective = curves::compare::<A, B, CompleteProjective<A>, CompleteProjective<B>>(shape, false);
    let xyzz = curves::compare::<A, B, Xyzz<A>, Xyzz<B>>(shape, true);
    let dedicated = curves::compare::<A, B, Edwards<A, Dedicated>, Edwards<B, Dedicated>>(shape, false);
    let unified = curves::compare::<A, B, Edwards<A, Unified>, Edwards<B, Unified>>(shape, false);
    let mut total = report::<A, B>("affine adder", prime, beta, affine);
    total.add(report::<A, B>("edwards adder", prime, beta, dedicated));
    total.add(report::<A, B>("edwards-unified adder", prime, beta, unified));
    total.add(report::<A, B>("projective adder", prime, beta, projective));
    total.add(report::<A, B>("xyzz adder", prime, beta, xyzz));
    total
}

fn report<A: LaneField, B: LaneField>(what: &str, prime: &str, beta: u32, count: Count) -> Count {
    let extension = ["", ", u^2 = -1", "", "", "", ", u^2 = -5"][beta as usize];
    let (a, b) = (A::BACKEND.name(), B::BACKEND.name());
    line!("{what} {prime}{extension}: {a} and {b}: checks={} bad={}", count.checks, count.bad);
    if let Some(name) = count.first {
        line!("differs first: {name}");
    }
    count
}
