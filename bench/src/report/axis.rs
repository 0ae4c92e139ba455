//! The axes of a panel: times with ticks at 1, 2 and 5 times powers of ten, and sizes with a tick at each measured
//! size. (plotters' logarithmic axis searches for its ticks without end on some short ranges.)

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use std::ops::Range;

/// Positive values between these bounds.
#[derive(Clone)]
pub struct LogAxis(pub Range<f64>);

impl Ranged for LogAxis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let share = (value / self.0.start).ln() / (self.0.end / self.0.start).ln();
        start + (share * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        let decades = self.0.start.log10().floor() as i32..=self.0.end.log10().floor() as i32;
        let ticks = decades.flat_map(|decade| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(decade)));
        ticks.filter(|tick| self.0.contains(tick)).collect()
    }

    fn range(&self) -> Range<f64> {
        self.0.clone()
    }
}

/// Logarithms of sizes, and the measured sizes among them in ascending order.
#[derive(Clone)]
pub struct SizeAxis(pub Vec<i32>);

impl SizeAxis {
    fn ends(&self) -> (i32, i32) {
        let first = self.0.first().copied().unwrap_or(0);
        (first, self.0.last().copied().unwrap_or(0).max(first + 1))
    }
}

impl Ranged for SizeAxis {
    type FormatOption = DefaultFormatting;
    type ValueType = i32;

    fn map(&self, value: &i32, (start, end): (i32, i32)) -> i32 {
        let (first, last) = self.ends();
        start + (end - start) * (value - first) / (last - first)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<i32> {
        self.0.clone()
    }

    fn range(&self) -> Range<i32> {
        let (first, last) = self.ends();
        first..last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_range() {
        let ticks = |range| LogAxis(range).key_points(10);
        assert_eq!(ticks(15.0..600.0), [20.0, 50.0, 100.0, 200.0, 500.0]);
        assert!(ticks(21.0..49.0).is_empty());
    }

    #[test]
    fn sizes_have_a_tick_where_they_were_measured() {
        let axis = SizeAxis(vec![10, 12, 13, 20]);
        assert_eq!(axis.key_points(3), [10, 12, 13, 20]);
        assert_eq!(
            axis.0.iter().map(|size| axis.map(size, (50, 250))).collect::<Vec<_>>(),
            [50, 90, 110, 250]
        );
        assert_eq!(SizeAxis(vec![10]).map(&10, (50, 250)), 50);
    }

    #[test]
    fn equal_ratios_are_equal_distances() {
        let axis = LogAxis(10.0..1000.0);
        let place = |value: f64| axis.map(&value, (200, 0));
        assert_eq!([10.0, 100.0, 1000.0].map(place), [200, 100, 0]);
    }
}
