//! Results of a run of MSMs.

use crate::cell::Cell;
use crate::peers::Competitor;
use crate::stats::Spread;
use bucketwheel::Backend;

/// One library's times on one cell.
pub struct Timing {
    pub competitor: Competitor,
    /// True if the library computed with AVX-512.
    pub avx512: bool,
    /// Milliseconds to convert points and scalars to the library's own form.
    pub prepare: f64,
    /// Milliseconds of the first call, with cold caches and memory that is new to the process.
    pub first: f64,
    /// Times of the calls that count.
    pub milliseconds: Spread,
}

/// All libraries' times on one cell.
pub struct CellResult {
    pub cell: Cell,
    /// Core clock just before the cell.
    pub ghz: f64,
    pub repetitions: usize,
    pub timings: Vec<Timing>,
}

impl CellResult {
    pub fn timing(&self, competitor: Competitor) -> Option<&Timing> {
        self.timings.iter().find(|timing| timing.competitor == competitor)
    }

    /// Returns our instruction sets, in the order of the run.
    pub fn backends(&self) -> impl Iterator<Item = Backend> {
        self.timings.iter().filter_map(|timing| match timing.competitor {
            Competitor::Ours(backend) => Some(backend),
            Competitor::Strategy(..) | Competitor::Peer(_) => None,
        })
    }

    /// Returns the fastest peer without better instructions than `backend`'s: without AVX-512, it is compared with
    /// peers without AVX-512.
    pub fn best_peer(&self, backend: Backend) -> Option<&Timing> {
        let peers = self.timings.iter().filter(|timing| {
            let is_peer = matches!(timing.competitor, Competitor::Peer(_));
            is_peer && (backend == Backend::Avx512Ifma || !timing.avx512)
        });
        peers.min_by(|a, b| a.milliseconds.median.total_cmp(&b.milliseconds.median))
    }

    /// Returns the factor by which `backend` is faster than [`Self::best_peer`].
    pub fn ratio(&self, backend: Backend) -> Option<f64> {
        let ours = self.timing(Competitor::Ours(backend))?;
        Some(self.best_peer(backend)?.milliseconds.median / ours.milliseconds.median)
    }

    /// Returns the factor by which `backend` is faster than with one thread on the same input, if that cell is among
    /// `results` and this is another cell.
    pub fn speedup(&self, backend: Backend, results: &[Self]) -> Option<f64> {
        let single = Cell { threads: 1, ..self.cell };
        let single = results.iter().find(|result| result.cell == single && self.cell.threads > 1)?;
        let median = |result: &Self| Some(result.timing(Competitor::Ours(backend))?.milliseconds.median);
        Some(median(single)? / median(self)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Group;
    use crate::peers::PeerKind::{Blst, Mcl};
    use crate::report::samples;

    #[test]
    fn a_backend_without_avx512_is_compared_with_peers_without_it() {
        let mut result = samples::cell(Group::G1, 14);
        let best = |result: &CellResult, backend| result.best_peer(backend).unwrap().competitor;
        assert_eq!(best(&result, Backend::Avx512Ifma), Competitor::Peer(Mcl));
        assert_eq!(best(&result, Backend::Avx2), Competitor::Peer(Blst));
        assert_eq!(result.ratio(Backend::Avx512Ifma), Some(3.0));
        assert_eq!(result.ratio(Backend::Avx2), Some(2.0));
        assert_eq!(result.ratio(Backend::Adx), None);
        // On a CPU without AVX-512, mcl works without it too.
        result.timings.iter_mut().for_each(|timing| timing.avx512 = false);
        assert_eq!(best(&result, Backend::Avx2), Competitor::Peer(Mcl));
    }

    #[test]
    fn the_speedup_is_over_one_thread_on_the_same_input() {
        let single = samples::cell(Group::G1, 14);
        let mut double = samples::cell(Group::G1, 14);
        double.cell.threads = 2;
        double.timings[0].milliseconds.median /= 1.9;
        let results = [samples::cell(Group::G2, 14), single, double];
        let speedup = |index: usize| results[index].speedup(Backend::Avx512Ifma, &results);
        assert_eq!(speedup(1), None);
        assert!((speedup(2).unwrap() - 1.9).abs() < 1e-9);
    }
}
