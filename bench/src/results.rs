//! What a run found out.

use crate::cell::Cell;
use crate::peers::PeerKind;
use std::time::Duration;

/// One library's times on one cell.
pub struct Timing {
    pub peer: PeerKind,
    pub median: Duration,
    pub min: Duration,
    pub max: Duration,
    pub repetitions: usize,
}

impl Timing {
    /// Of at least one sample.
    pub fn new(peer: PeerKind, mut samples: Vec<Duration>) -> Self {
        samples.sort_unstable();
        let count = samples.len();
        Self {
            peer,
            median: (samples[(count - 1) / 2] + samples[count / 2]) / 2,
            min: samples[0],
            max: samples[count - 1],
            repetitions: count,
        }
    }
}

/// All libraries' times on one cell.
pub struct CellResult {
    pub cell: Cell,
    /// Core clock just before the cell.
    pub ghz: f64,
    pub timings: Vec<Timing>,
}

impl CellResult {
    pub fn ours(&self) -> Option<&Timing> {
        self.timings.iter().find(|timing| timing.peer.is_ours())
    }

    pub fn fastest_peer(&self) -> Option<&Timing> {
        let peers = self.timings.iter().filter(|timing| !timing.peer.is_ours());
        peers.min_by_key(|timing| timing.median)
    }

    /// How many times faster ours is than the fastest peer.
    pub fn ratio(&self) -> Option<f64> {
        let (ours, peer) = (self.ours()?, self.fastest_peer()?);
        Some(peer.median.as_secs_f64() / ours.median.as_secs_f64())
    }
}

pub fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_sample_or_between_two() {
        let timing = |micros: &[u64]| {
            let samples = micros.iter().map(|&us| Duration::from_micros(us));
            Timing::new(PeerKind::Blst, samples.collect())
        };
        assert_eq!(timing(&[9, 1, 4]).median, Duration::from_micros(4));
        let even = timing(&[9, 1, 4, 6]);
        assert_eq!(even.median, Duration::from_micros(5));
        assert_eq!(even.min, Duration::from_micros(1));
        assert_eq!(even.max, Duration::from_micros(9));
        assert_eq!(even.repetitions, 4);
    }
}
