//! The time of operations that are much shorter than a clock's tick.

use crate::machine::core_ghz;
use crate::stats::Spread;
use std::hint::black_box;
use std::time::Instant;

/// Seconds of a sample: short enough to be interrupted seldom, long enough for the timer.
const SAMPLE: f64 = 2e-4;

/// Cost of one operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Nanoseconds: the median and the quartiles.
    pub ns: Spread,
    /// Cycles of the core: the median.
    pub cycles: f64,
}

impl Cost {
    /// Returns the cost of one of the `operations` in a call of `work`. It is measured for `seconds`, after a tenth
    /// of that to warm up. Each sample has a clock of its own, measured directly after it.
    pub fn of(operations: usize, seconds: f64, mut work: impl FnMut()) -> Self {
        let mut calls = 0;
        let start = Instant::now();
        while calls == 0 || start.elapsed().as_secs_f64() < seconds / 10.0 {
            work();
            calls += 1;
        }
        let calls = (calls as f64 * SAMPLE / start.elapsed().as_secs_f64()).ceil() as usize;
        let (mut ns, mut cycles) = (Vec::new(), Vec::new());
        let start = Instant::now();
        while ns.is_empty() || start.elapsed().as_secs_f64() < seconds {
            let start = Instant::now();
            (0..calls).for_each(|_| work());
            let elapsed = start.elapsed().as_nanos() as f64 / (calls * operations) as f64;
            ns.push(elapsed);
            cycles.push(elapsed * core_ghz());
        }
        Self { ns: Spread::quartiles(ns), cycles: Spread::quartiles(cycles).median }
    }

    /// Returns the cost of `operation` on the entries of two slices of one length. The entries are independent of
    /// each other.
    pub fn pairwise<A, B, R: Clone>(
        left: &[A],
        right: &[B],
        result: R,
        seconds: f64,
        operation: impl Fn(&A, &B, &mut R),
    ) -> Self {
        let mut results = vec![result; left.len()];
        Self::of(left.len(), seconds, || {
            let operands = black_box(left).iter().zip(black_box(right));
            operands.zip(&mut results).for_each(|((a, b), result)| operation(a, b, result));
            black_box(&mut results);
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_cost_is_that_of_one_operation() {
        let cost = Cost::of(4, 0.1, || std::thread::sleep(Duration::from_millis(2)));
        // A call takes 2 ms or, on a machine with other work, more. An operation is a quarter of it.
        assert!((500_000.0..2_000_000.0).contains(&cost.ns.low), "{cost:?}");
        assert!(cost.ns.low <= cost.ns.median && cost.ns.median <= cost.ns.high);
        assert!(cost.cycles > 0.0);
    }
}
