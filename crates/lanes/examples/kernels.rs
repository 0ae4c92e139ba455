//! Nanoseconds and cycles per product and square of every backend: independent operands, minima.
//!
//! ```sh
//! cargo run --release --package bucketwheel-lanes --example kernels
//! ```

use std::fmt::Debug;
use std::hint::black_box;
use std::time::Instant;

use bucketwheel_lanes::*;

/// Vectors at work: enough to be independent of each other, few enough for the first-level cache.
const VECTORS: usize = 16;
/// Passes over them per sample, and samples.
const PASSES: usize = 20;
const SAMPLES: usize = 500;

#[derive(Clone, Copy)]
enum Operation {
    Product,
    Square,
}

/// Nanoseconds per element.
struct Sample<L: LaneField>(L, Operation);

impl<L: LaneField> Task for Sample<L> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let Sample(lanes, operation) = self;
        let (mut factors, mut results) = ([lanes.one(); VECTORS], [lanes.one(); VECTORS]);
        let mut best = f64::INFINITY;
        for _ in 0..SAMPLES {
            black_box(&mut factors);
            let start = Instant::now();
            for _ in 0..PASSES {
                for i in 0..VECTORS {
                    match operation {
                        Operation::Product => {
                            let other = L::as_factor(&factors[(i + 1) % VECTORS]);
                            lanes.mul(&factors[i], other, &mut results[i]);
                        }
                        Operation::Square => lanes.square(&factors[i], &mut results[i]),
                    }
                }
            }
            best = best.min(start.elapsed().as_nanos() as f64);
            black_box(&mut results);
        }
        best / (PASSES * VECTORS * L::LANES) as f64
    }
}

/// Core cycles per nanosecond, by a chain of additions, which take one cycle each.
#[cfg(target_arch = "x86_64")]
fn clock() -> f64 {
    const ADDITIONS: u64 = 200_000;
    let sample = || {
        let start = Instant::now();
        // SAFETY: adds a register to itself.
        unsafe {
            std::arch::asm!("2:", ".rept 20", "add {x}, {x}", ".endr", "dec {n}", "jnz 2b",
                x = inout(reg) 1u64 => _, n = inout(reg) ADDITIONS / 20 => _);
        }
        start.elapsed().as_nanos() as f64
    };
    ADDITIONS as f64 / (0..50).map(|_| sample()).fold(f64::INFINITY, f64::min)
}

/// Unknown: cycles are not shown.
#[cfg(not(target_arch = "x86_64"))]
fn clock() -> f64 {
    f64::NAN
}

struct Row(&'static str);

impl<W: Copy + PartialEq + Default + Debug + Send + Sync> Visitor<W> for Row {
    type Output = ();

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) {
        let extension = Quadratic::<L, 1>::over(lanes);
        let times = [
            lanes.vectorize(Sample(lanes, Operation::Product)),
            lanes.vectorize(Sample(lanes, Operation::Square)),
            extension.vectorize(Sample(extension, Operation::Product)),
            extension.vectorize(Sample(extension, Operation::Square)),
        ];
        let clock = clock();
        print!("{:14}{:12}", self.0, L::BACKEND);
        times.iter().for_each(|ns| print!("{ns:9.1} ns {:7.1} cy", ns * clock));
        println!();
    }
}

fn main() {
    println!("{:26}{:>22}{:>22}{:>22}{:>22}", "", "Fp product", "Fp square", "Fp2 product", "Fp2 square");
    for backend in Backend::ALL.into_iter().filter(|&backend| backend != Backend::Model) {
        // Where the CPU lacks the instructions there is no row.
        let _ = backend.visit::<Bls12_381Fq, _>(Row("BLS12-381"));
        let _ = backend.visit::<Bls12_377Fq, _>(Row("BLS12-377"));
        let _ = backend.visit::<Bn254Fq, _>(Row("BN254"));
    }
}
