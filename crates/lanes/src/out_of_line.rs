//! Lanes that make a call for each operation, for long code that seldom runs.

use crate::field::{LaneField, Task, MAX_LANES};
use crate::Backend;

/// The lanes of `L`, each operation compiled once, in a function of its own.
///
/// Operations inline wherever they are used, which is right for the few loops in which an MSM spends its time.
/// Elsewhere, formulas of some dozen products in a row would become hundreds of kilobytes of code. A call, and the way
/// of its operands through memory, cost a few nanoseconds, and a vector's product takes some forty.
#[derive(Clone, Copy, Debug)]
pub struct OutOfLine<L>(L);

impl<L: LaneField> OutOfLine<L> {
    /// Wraps these lanes. The [example](crate::Quadratic) uses it.
    pub fn of(lanes: L) -> Self {
        OutOfLine(lanes)
    }
}

/// Methods that run the inner lanes' methods of the same name, as tasks.
macro_rules! operations {
    ($a:lifetime; $(fn $name:ident($($argument:ident: $type:ty),*) -> $output:ty;)*) => {$(
        #[inline(never)]
        fn $name<$a>(self, $($argument: $type),*) -> $output {
            operations!(run $a, self, $name($($argument: $type),*) -> $output)
        }
    )*};
    ($a:lifetime; $(unsafe fn $name:ident($($argument:ident: $type:ty),*) -> $output:ty;)*) => {$(
        #[inline(never)]
        unsafe fn $name<$a>(self, $($argument: $type),*) -> $output {
            operations!(run $a, self, $name($($argument: $type),*) -> $output)
        }
    )*};
    (run $a:lifetime, $self:ident, $name:ident($($argument:ident: $type:ty),*) -> $output:ty) => {{
        struct Operation<$a, L: LaneField> {
            lanes: &$a L,
            $($argument: $type),*
        }

        impl<$a, L: LaneField> Task for Operation<$a, L> {
            type Output = $output;

            #[inline(always)]
            #[allow(unused_unsafe)]
            fn run(self) -> $output {
                // SAFETY: if the method is unsafe, the caller of the method that makes the task vouches for the pointers.
                unsafe { self.lanes.$name($(self.$argument),*) }
            }
        }

        $self.0.vectorize(Operation { lanes: &$self.0, $($argument),* })
    }};
}

impl<L: LaneField> LaneField for OutOfLine<L> {
    const LANES: usize = L::LANES;

    type Words = L::Words;
    type Elem = L::Elem;
    type Vec = L::Vec;
    type Factor = L::Factor;
    type Sum = L::Sum;

    fn backend(self) -> Backend {
        self.0.backend()
    }

    /// Runs the task as plain code: only the operations need the instruction set.
    #[inline(always)]
    fn vectorize<T: Task>(self, task: T) -> T::Output {
        task.run()
    }

    operations! { 'a;
        fn encode(words: &'a [L::Words]) -> L::Vec;
        fn decode(v: &'a L::Vec) -> [L::Words; MAX_LANES];
        fn splat(words: L::Words) -> L::Vec;
        fn one() -> L::Vec;
        fn mul(a: &'a L::Vec, b: &'a L::Factor, out: &'a mut L::Vec) -> ();
        fn square(a: &'a L::Vec, out: &'a mut L::Vec) -> ();
        fn lift(v: &'a L::Vec) -> L::Sum;
        fn negate(sum: &'a L::Sum, mask: u32) -> L::Sum;
        fn add(a: &'a L::Sum, b: &'a L::Sum) -> L::Sum;
        fn sub(a: &'a L::Sum, b: &'a L::Sum) -> L::Sum;
        fn factor(sum: &'a L::Sum) -> L::Factor;
        fn reduce_sum(sum: &'a L::Sum) -> L::Sum;
        fn vector(reduced: &'a L::Sum) -> L::Vec;
        fn reduce(sum: &'a L::Sum) -> L::Vec;
        fn zero_lanes(v: &'a L::Vec) -> u32;
        fn select(mask: u32, a: &'a L::Vec, b: &'a L::Vec) -> L::Vec;
        fn invert(v: &'a L::Vec) -> Option<L::Vec>;
    }

    operations! { 'a;
        unsafe fn load_sum(src: &'a [*const L::Elem; MAX_LANES]) -> L::Sum;
        unsafe fn load(src: &'a [*const L::Elem; MAX_LANES]) -> L::Vec;
        unsafe fn load_difference(
            left: &'a [*const L::Elem; MAX_LANES],
            right: &'a [*const L::Elem; MAX_LANES]
        ) -> L::Factor;
        unsafe fn store_sum(sum: &'a L::Sum, dst: &'a [*mut L::Elem; MAX_LANES]) -> ();
        unsafe fn store(v: &'a L::Vec, dst: &'a [*mut L::Elem; MAX_LANES]) -> ();
    }

    #[inline(always)]
    fn as_factor(v: &Self::Vec) -> &Self::Factor {
        L::as_factor(v)
    }

    #[inline(always)]
    fn prefetch(address: *const u8) {
        L::prefetch(address);
    }

    #[inline(always)]
    unsafe fn prefetch_near(address: *const u8) {
        // SAFETY: the caller vouches for the address.
        unsafe { L::prefetch_near(address) }
    }

    #[inline(always)]
    fn odd_lanes(self, numbers: &[u32]) -> u32 {
        self.0.odd_lanes(numbers)
    }
}
