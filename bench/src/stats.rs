//! Repeated measurements in one figure and its spread.

/// The middle of some measurements and how far they reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

impl Spread {
    /// Of at least one sample.
    pub fn new(mut samples: Vec<f64>) -> Self {
        samples.sort_unstable_by(f64::total_cmp);
        let count = samples.len();
        Self {
            median: (samples[(count - 1) / 2] + samples[count / 2]) / 2.0,
            min: samples[0],
            max: samples[count - 1],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_sample_or_between_two() {
        assert_eq!(Spread::new(vec![9.0, 1.0, 4.0]).median, 4.0);
        let even = Spread::new(vec![9.0, 1.0, 4.0, 6.0]);
        assert_eq!(even, Spread { median: 5.0, min: 1.0, max: 9.0 });
    }
}
