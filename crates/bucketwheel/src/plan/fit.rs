//! Fits the costs of this machine, the weights of a plan, to MSMs that were timed.

use crate::curve::{endomorphism, Curve};
use crate::digits::table::Table;
use crate::plan::costs::Costs;
use crate::plan::lengths::{Cost, Lengths, DIGIT, PER_BUCKET};
use crate::plan::table::magnitude_bits;
use crate::windows::Windows;

impl Costs {
    /// Returns the costs that come nearest to the times of these MSMs, all on one thread, of uniform scalars, with the
    /// default strategy: the nonnegative costs with the least squares of relative errors. Samples are worth most at
    /// sizes and windows around the best ones, with and without the endomorphism. A cost that the samples do not
    /// determine keeps its default: the cost of wide digits if no window has more than 16 bits, and the endomorphism's
    /// points beyond the largest sample.
    ///
    /// Takes microseconds.
    ///
    /// ```
    /// use ark_bn254::g1::Config;
    /// use bucketwheel::{Backend, Costs, Profile, Sample};
    ///
    /// // Times of MSMs on this machine; real ones come from `bucketwheel tune`.
    /// let sample = |points, window, seconds| Sample { points, window, endomorphism: false, seconds };
    /// let samples = [sample(1 << 10, 7, 2e-3), sample(1 << 10, 9, 3e-3), sample(1 << 14, 11, 2e-2)];
    /// let costs = Costs::fit::<Config>(&samples);
    /// let mut profile = Profile::default();
    /// profile.set::<Config>(Backend::Portable, costs);
    /// print!("{profile}");
    /// ```
    pub fn fit<C: Curve>(samples: &[Sample]) -> Self {
        let default = Self::DEFAULT;
        let rows: Vec<[f64; TERMS]> = samples.iter().map(|sample| sample.terms::<C>()).collect();
        let [all, wide, aggregation, window] = least_squares(&rows);
        if all == 0.0 {
            return default;
        }
        let seen = |term: usize| rows.iter().any(|row| row[term] > 0.0);
        Costs {
            wide_digit: if seen(WIDE) { (wide / all - 1.0).max(DIGIT) } else { default.wide_digit },
            aggregation: if seen(AGGREGATION) { aggregation / all } else { default.aggregation },
            window: window / all,
            endomorphism_points: endomorphism_points(samples, default.endomorphism_points),
        }
    }
}

/// Returns the number of points up to which keeping images loses least: the loss is the additional time of the worse
/// choice, summed over all sizes.
fn endomorphism_points(samples: &[Sample], default: usize) -> usize {
    let mut sizes: Vec<usize> = samples.iter().map(|sample| sample.points).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let (with, without): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|sample| sample.endomorphism);
    let fastest = |samples: &[&Sample], points: usize| {
        let samples = samples.iter().filter(|sample| sample.points == points);
        samples.map(|sample| sample.seconds).min_by(f64::total_cmp)
    };
    let gain = |&points: &usize| Some((points, (fastest(&without, points)? / fastest(&with, points)?).ln()));
    let gains: Vec<(usize, f64)> = sizes.iter().filter_map(gain).collect();
    let (mut best, mut most, mut sum) = (0, 0.0, 0.0);
    for &(points, gain) in &gains {
        sum += gain;
        if sum > most {
            (best, most) = (points, sum);
        }
    }
    // If images pay up to the largest size, or nothing was measured, no sample tells about larger sizes.
    match gains.last() {
        Some(&(largest, _)) if best < largest => best,
        _ => best.max(default),
    }
}

/// The time of an MSM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Number of points and uniform scalars.
    pub points: usize,
    /// Window that the caller asked for.
    pub window: u32,
    /// True if the points had images under the endomorphism.
    pub endomorphism: bool,
    /// Time of the MSM in seconds.
    pub seconds: f64,
}

/// Number of terms of a time: a constant term, wide digits, the aggregation, windows.
const TERMS: usize = 4;
const WIDE: usize = 1;
const AGGREGATION: usize = 2;

impl Sample {
    /// Returns how often each term counts, divided by the time, so that the right costs make 1 of every sample.
    fn terms<C: Curve>(&self) -> [f64; TERMS] {
        let split = endomorphism::<C>().filter(|_| self.endomorphism);
        let split = split.map(|endomorphism| &endomorphism.split);
        let in_subgroup = true;
        let bits = magnitude_bits::<C::ScalarField>(in_subgroup, split);
        let windows = Windows::new(bits, self.window, u32::MAX);
        let lengths = Lengths::uniform::<C::ScalarField>(self.points, split);
        let cost = Cost::new(&lengths.longer(), windows, &Table::none(self.points));
        let all = (1.0 + DIGIT) * cost.digits - cost.occupied + PER_BUCKET * cost.buckets;
        [all, cost.wide_digits, cost.aggregation, cost.windows].map(|term| term / self.seconds)
    }
}

/// Returns the factors of the columns, none of them negative, for which all rows come nearest to 1.
///
/// A column whose factor would be negative is left out, the worst column first. The result is exact for columns that
/// are at most slightly correlated, and never far off.
fn least_squares(rows: &[[f64; TERMS]]) -> [f64; TERMS] {
    let mut columns: Vec<usize> = (0..TERMS).filter(|&i| rows.iter().any(|row| row[i] != 0.0)).collect();
    loop {
        // The normal equations, with the right side last.
        let sum = |f: &dyn Fn(&[f64; TERMS]) -> f64| rows.iter().map(f).sum::<f64>();
        let equation = |&i: &usize| -> Vec<f64> {
            let left = columns.iter().map(|&j| sum(&|row| row[i] * row[j]));
            left.chain([sum(&|row| row[i])]).collect()
        };
        let solution = solve(columns.iter().map(equation).collect());
        let worst = (0..columns.len()).min_by(|&a, &b| solution[a].total_cmp(&solution[b]));
        match worst {
            Some(worst) if solution[worst] < 0.0 => drop(columns.remove(worst)),
            _ => {
                let mut factors = [0.0; TERMS];
                columns.iter().zip(solution).for_each(|(&column, factor)| factors[column] = factor);
                return factors;
            }
        }
    }
}

/// Solves equations by Gauss-Jordan elimination. Unknowns that the equations leave open are 0.
fn solve(mut equations: Vec<Vec<f64>>) -> Vec<f64> {
    let n = equations.len();
    for i in 0..n {
        let largest = (i..n).max_by(|&a, &b| equations[a][i].abs().total_cmp(&equations[b][i].abs()));
        equations.swap(i, largest.expect("row i is one of them"));
        let pivot = equations[i][i];
        if pivot == 0.0 {
            continue;
        }
        equations[i].iter_mut().for_each(|x| *x /= pivot);
        let row = equations[i].clone();
        for (_, other) in equations.iter_mut().enumerate().filter(|&(j, _)| j != i) {
            let factor = other[i];
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
        }
    }
    (0..n).map(|i| if equations[i][i] == 0.0 { 0.0 } else { equations[i][n] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_bls12_381::{g1, g2};

    /// Returns the time of an MSM if an addition takes a microsecond.
    fn sample<C: Curve>(points: usize, window: u32, endomorphism: bool, costs: &Costs) -> Sample {
        let sample = Sample { points, window, endomorphism, seconds: 1.0 };
        let [all, wide, aggregation, windows] = sample.terms::<C>();
        let additions =
            all + wide * (1.0 + costs.wide_digit) + aggregation * costs.aggregation + windows * costs.window;
        Sample { seconds: additions * 1e-6, ..sample }
    }

    fn samples<C: Curve>(sizes: std::ops::Range<u32>, costs: &Costs) -> Vec<Sample> {
        let sizes = sizes.flat_map(|size| (size - 4..size).map(move |window| (1 << size, window)));
        let all = sizes.flat_map(|(n, window)| [(n, window, false), (n, window, true)]);
        all.map(|(n, window, endomorphism)| sample::<C>(n, window, endomorphism, costs)).collect()
    }

    #[test]
    fn costs_are_found_again() {
        let costs = Costs { wide_digit: 0.4, aggregation: 1.7, window: 60.0, endomorphism_points: 0 };
        let found = Costs::fit::<g1::Config>(&samples::<g1::Config>(10..21, &costs));
        let near = |found: f64, cost: f64| assert!((found / cost - 1.0).abs() < 1e-3, "{found} for {cost}");
        near(found.wide_digit, costs.wide_digit);
        near(found.aggregation, costs.aggregation);
        near(found.window, costs.window);
    }

    #[test]
    fn what_samples_do_not_tell_keeps_its_default() {
        let default = Costs::DEFAULT;
        assert_eq!(Costs::fit::<g2::Config>(&[]), default);
        let costs = Costs { wide_digit: 0.4, aggregation: 1.1, window: 10.0, endomorphism_points: 0 };
        let found = Costs::fit::<g2::Config>(&samples::<g2::Config>(10..13, &costs));
        assert_eq!(found.wide_digit, default.wide_digit);
        assert!((found.aggregation - 1.1).abs() < 1e-3);
    }

    #[test]
    fn no_cost_is_negative() {
        // Here, wider windows gain time, which the model does not know.
        let times = samples::<g1::Config>(10..14, &Costs::DEFAULT);
        let odd = times.iter().map(|s| Sample { seconds: s.seconds * f64::from(s.window * s.window), ..*s });
        let costs = Costs::fit::<g1::Config>(&odd.collect::<Vec<_>>());
        assert!(costs.aggregation >= 0.0 && costs.window >= 0.0 && costs.wide_digit >= 0.0, "{costs:?}");
    }

    #[test]
    fn the_endomorphism_ends_where_that_loses_least() {
        let sample = |points, endomorphism, seconds| Sample { points, window: 8, endomorphism, seconds };
        let size = |points, with, without| [sample(points, true, with), sample(points, false, without)];
        let points = |sizes: &[[Sample; 2]]| endomorphism_points(&sizes.concat(), 1000);
        assert_eq!(points(&[]), 1000);
        assert_eq!(points(&[size(10, 1.0, 2.0), size(20, 3.0, 2.0), size(30, 1.0, 1.1)]), 10);
        assert_eq!(
            points(&[size(10, 1.0, 2.0), size(20, 1.1, 1.0), size(30, 1.0, 1.2), size(40, 2.0, 1.0)]),
            30
        );
        assert_eq!(points(&[size(10, 2.0, 1.0)]), 0);
        assert_eq!(points(&[size(10, 1.0, 2.0)]), 1000);
        assert_eq!(points(&[size(2000, 1.0, 2.0)]), 2000);
    }
}
