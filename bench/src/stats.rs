//! Repeated measurements as one figure and its spread.

/// The middle of some measurements and how far they reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub median: f64,
    pub low: f64,
    pub high: f64,
}

impl Spread {
    /// Takes the range from the least to the greatest of at least one sample.
    pub fn range(samples: Vec<f64>) -> Self {
        Self::without(0.0, samples)
    }

    /// Takes the middle half of at least one sample, for large numbers of samples with some interrupted ones among them.
    pub fn quartiles(samples: Vec<f64>) -> Self {
        Self::without(0.25, samples)
    }

    /// Drops this share of the samples at either end.
    fn without(share: f64, mut samples: Vec<f64>) -> Self {
        samples.sort_unstable_by(f64::total_cmp);
        let last = samples.len() - 1;
        let outside = (share * last as f64) as usize;
        Self {
            median: (samples[last / 2] + samples[last.div_ceil(2)]) / 2.0,
            low: samples[outside],
            high: samples[last - outside],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_sample_or_between_two() {
        assert_eq!(Spread::range(vec![9.0, 1.0, 4.0]).median, 4.0);
        let even = Spread::range(vec![9.0, 1.0, 4.0, 6.0]);
        assert_eq!(even, Spread { median: 5.0, low: 1.0, high: 9.0 });
    }

    #[test]
    fn quartiles_leave_outliers_out() {
        let spread = Spread::quartiles(vec![5.0, 100.0, 4.0, 0.0, 6.0]);
        assert_eq!(spread, Spread { median: 5.0, low: 4.0, high: 6.0 });
        assert_eq!(Spread::quartiles(vec![7.0]), Spread { median: 7.0, low: 7.0, high: 7.0 });
    }
}
