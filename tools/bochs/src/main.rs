//! Runs the AVX-512 IFMA backend on a CPU with these instructions: an emulated CPU, without operating system.
//!
//! All results are compared with the results of the backend model, bit for bit: of every operation, in every field and
//! extension, and of the engine's adders. `run.sh` builds and starts this program.

#![no_std]
#![no_main]

extern crate alloc;
// The engine's adders call `core` by this name.
extern crate core as std;

#[macro_use]
mod machine;
mod curves;
mod fields;
mod lanes;
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

    module!(at_rest, "/at_rest.rs");
    module!(coefficients, "/coefficients.rs");
    module!(infinities, "/infinities.rs");

    #[allow(dead_code, unused_imports)]
    pub mod adder {
        use alloc::boxed::Box;
        use alloc::vec::Vec;

        include!(concat!(env!("OUT_DIR"), "/adder.rs"));

        module!(affine, "/affine.rs");
        module!(columns, "/columns.rs");
        module!(
            edwards,
            "/edwards.rs",
            mod law {
                include!(concat!(env!("OUT_DIR"), "/law.rs"));
            },
            /// Points are converted here by hand.
            mod convert {
                use bucketwheel_lanes::LaneField;

                use crate::engine::at_rest::Point;
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

/// Stand-in for a module that the adders' files name, but that this program does not use.
mod control {
    pub struct Control<'a>(core::marker::PhantomData<&'a ()>);
}

/// Stand-in for a type that the adders' files name, but that this program does not use.
pub struct Error;

/// Arrays of points in the engine's form.
mod memory {
    use alloc::vec::Vec;

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

    /// Scratch memory, on the heap here.
    #[derive(Debug)]
    pub struct Array<T>(Vec<T>);

    impl<T: Copy> Array<T> {
        pub const fn empty() -> Self {
            Array(Vec::new())
        }

        pub fn make_room(&mut self, len: usize, element: T) {
            if self.0.len() < len {
                self.0.resize(len, element);
            }
        }
    }

    impl<T> core::ops::Deref for Array<T> {
        type Target = [T];

        fn deref(&self) -> &[T] {
            &self.0
        }
    }

    impl<T> core::ops::DerefMut for Array<T> {
        fn deref_mut(&mut self) -> &mut [T] {
            &mut self.0
        }
    }
}

/// The ids of points, and runs of them (build.rs).
#[allow(dead_code)]
mod schedule {
    use alloc::vec::Vec;

    mod tree {
        use alloc::vec::Vec;

        include!(concat!(env!("OUT_DIR"), "/tree.rs"));
    }

    include!(concat!(env!("OUT_DIR"), "/schedule.rs"));
}

use core::arch::global_asm;

use bucketwheel_lanes::radix52::Digits52;
use bucketwheel_lanes::{
    Avx512Ifma, Bls12_377Fq, Bls12_381Fq, Bls12_381Fr, Bn254Fq, Bn254Fr, Bw6_761Fq, Model, Prime, PrimeLanes,
    Quadratic, Words64,
};

use curves::CoefficientA;
use engine::adder::affine::BatchAffine;
use engine::adder::edwards::{Dedicated, Edwards, Unified};
use engine::adder::projective::CompleteProjective;
use engine::adder::xyzz::Xyzz;
use lanes::Lanes;
use samples::{Sample, Shape};
use trace::Count;

// The boot sector jumps to the start of the image.
global_asm!(
    ".pushsection .text.start, \"ax\"",
    ".globl _start",
    "_start:",
    "    call {main}",
    "    ud2",
    ".popsection",
    main = sym crate::main,
);

/// Number of rounds for each field.
const ROUNDS: usize = 100;

/// Runs the checks of a prime in words and digits.
macro_rules! check {
    ($check:ident, $prime:ty, $words:literal, $digits:literal) => {{
        let words = <$prime as Words64<$words>>::TABLE;
        let digits = <$prime as Digits52<$digits>>::TABLE;
        let top_digit = digits.modulus[$digits - 1];
        $check(
            <$prime as Prime>::NAME,
            Avx512Ifma::detect(digits, words).expect("supported"),
            Model::detect(digits, words).expect("supported"),
            &Shape { modulus: &words.modulus, digits: $digits, top_digit },
        )
    }};
}

extern "sysv64" fn main() -> ! {
    let mut total = Count::default();
    total.add(check!(prime, Bls12_381Fq, 6, 8));
    total.add(check!(prime, Bls12_377Fq, 6, 8));
    total.add(check!(prime, Bn254Fq, 4, 5));
    total.add(check!(alone, Bw6_761Fq, 12, 15));
    total.add(check!(scalars, Bls12_381Fr, 4, 5));
    total.add(check!(scalars, Bn254Fr, 4, 5));
    line!("total: checks={} bad={}", total.checks, total.bad);
    machine::shut_down()
}

/// Checks a prime that no curve here uses for coordinates.
fn scalars<A, B>(name: &str, a: A, b: B, shape: &Shape) -> Count
where
    A: PrimeLanes<Words: Sample> + Lanes,
    B: PrimeLanes<Words = A::Words> + Lanes,
{
    let mut total = field(name, 0, a, b, shape);
    total.add(report::<A, B>("lazy sums", name, 0, fields::compare_lazy(a, b, shape, ROUNDS)));
    total
}

/// Checks a prime of curves that have no group over its extension.
fn alone<A, B>(name: &str, a: A, b: B, shape: &Shape) -> Count
where
    A: PrimeLanes<Words: Sample> + Lanes,
    B: PrimeLanes<Words = A::Words> + Lanes,
{
    let mut total = scalars(name, a, b, shape);
    total.add(curve(name, 0, a, b, shape));
    total
}

/// Checks a prime with a second group over its extension.
fn prime<A, B>(name: &str, a: A, b: B, shape: &Shape) -> Count
where
    A: PrimeLanes<Words: Sample> + Lanes,
    B: PrimeLanes<Words = A::Words> + Lanes,
    [A::Words; 2]: Sample,
{
    let (a2, b2, beta) = (Quadratic::over(a), Quadratic::over(b), a.beta());
    let mut total = field(name, 0, a, b, shape);
    total.add(field(name, beta, a2, b2, shape));
    total.add(curve(name, 0, a, b, shape));
    total.add(curve(name, beta, a2, b2, shape));
    total
}

/// Compares two backends of a field.
fn field<A, B>(prime: &str, beta: u32, a: A, b: B, shape: &Shape) -> Count
where
    A: Lanes<Words: Sample>,
    B: Lanes<Words = A::Words>,
{
    report::<A, B>("field", prime, beta, fields::compare(a, b, shape, ROUNDS))
}

/// Compares the adders on two backends.
fn curve<A, B>(prime: &str, beta: u32, a: A, b: B, shape: &Shape) -> Count
where
    A: Lanes<Words: Sample>,
    B: Lanes<Words = A::Words>,
{
    let affine = curves::compare::<A, B, BatchAffine<A>, BatchAffine<B>>(a, b, shape, CoefficientA::Any);
    let projective = curves::compare::<A, B, CompleteProjective<A>, CompleteProjective<B>>(
        a,
        b,
        shape,
        CoefficientA::Zero,
    );
    let xyzz = curves::compare::<A, B, Xyzz<A>, Xyzz<B>>(a, b, shape, CoefficientA::Any);
    let dedicated = curves::compare::<A, B, Edwards<A, Dedicated>, Edwards<B, Dedicated>>(
        a,
        b,
        shape,
        CoefficientA::Zero,
    );
    let unified =
        curves::compare::<A, B, Edwards<A, Unified>, Edwards<B, Unified>>(a, b, shape, CoefficientA::Zero);
    let mut total = report::<A, B>("affine adder", prime, beta, affine);
    total.add(report::<A, B>("edwards adder", prime, beta, dedicated));
    total.add(report::<A, B>("edwards-unified adder", prime, beta, unified));
    total.add(report::<A, B>("projective adder", prime, beta, projective));
    total.add(report::<A, B>("xyzz adder", prime, beta, xyzz));
    total
}

fn report<A: Lanes, B: Lanes>(what: &str, prime: &str, beta: u32, count: Count) -> Count {
    let extension = ["", ", u^2 = -1", "", "", "", ", u^2 = -5"][beta as usize];
    let (a, b) = (A::BACKEND.name(), B::BACKEND.name());
    line!("{what} {prime}{extension}: {a} and {b}: checks={} bad={}", count.checks, count.bad);
    if let Some(name) = count.first {
        line!("differs first: {name}");
    }
    count
}
