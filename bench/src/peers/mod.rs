//! The compared libraries, one file each, all with the same structure.

mod arkworks;
pub mod blst;
mod bucketwheel;
mod gnark;
mod halo2curves;
mod kind;
mod library;
mod mcl;

use crate::cell::{Cell, Group};
use ::bucketwheel::{AdderKind, Backend, CurveId as Curve, SchedulerKind};
use anyhow::Result;
pub use kind::{PeerKind, Preparation};
pub use library::{Job, Library, Outcome};
use std::fmt;

/// A library in a run. Ours takes part once for each instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Competitor {
    Ours(Backend),
    /// Our engine with another scheduler and adder than the default.
    Strategy(Backend, SchedulerKind, AdderKind),
    Peer(PeerKind),
}

impl Competitor {
    pub fn create(self, preparation: Preparation) -> Result<Box<dyn Library>> {
        Ok(match self {
            Self::Ours(backend) => Box::new(bucketwheel::Bucketwheel::new(backend, preparation)),
            Self::Strategy(backend, scheduler, adder) => {
                Box::new(bucketwheel::Bucketwheel { backend, scheduler, adder, preparation })
            }
            Self::Peer(PeerKind::Arkworks) => Box::new(arkworks::Arkworks),
            Self::Peer(PeerKind::Blst) => Box::new(blst::Blst),
            Self::Peer(PeerKind::GnarkCrypto) => Box::new(gnark::Gnark::build()?),
            Self::Peer(PeerKind::Halo2curves) => Box::new(halo2curves::Halo2curves),
            Self::Peer(PeerKind::Mcl) => Box::new(mcl::Mcl),
        })
    }

    /// Returns true if the library computes the cell with AVX-512 on this CPU. mcl computes G1 of BLS12-381 with AVX-512.
    /// gnark-crypto has AVX-512 code for vectors of field elements, but its MSM does not call this code.
    pub fn uses_avx512(self, cell: &Cell) -> bool {
        let has_code = match self {
            Self::Ours(backend) | Self::Strategy(backend, ..) => backend == Backend::Avx512Ifma,
            Self::Peer(PeerKind::Mcl) => cell.curve == Curve::Bls12_381 && cell.group != Group::G2,
            Self::Peer(_) => false,
        };
        has_code && Backend::Avx512Ifma.is_supported()
    }
}

impl fmt::Display for Competitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ours(backend) => f.pad(&format!("bucketwheel ({backend})")),
            Self::Strategy(backend, scheduler, adder) => f.pad(&format!("{scheduler}, {adder} ({backend})")),
            Self::Peer(kind) => kind.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::CURVES;
    use crate::cell::Distribution;
    use crate::inputs::{CurveVisitor, Input, Setting, encoding, points, scalars, visit};
    use ark_ec::short_weierstrass::{Affine, Projective};
    use clap::ValueEnum;
    use rayon::ThreadPool;

    const COUNT: usize = 300;

    struct Check<'a> {
        libraries: &'a [(Competitor, Box<dyn Library>)],
        pools: &'a [ThreadPool],
    }

    impl CurveVisitor for Check<'_> {
        fn visit<G1: Setting, G2: Setting<ScalarField = G1::ScalarField>>(&mut self) -> Result<()> {
            let (g1, g2) = (points::generate::<G1>(3, COUNT), points::generate::<G2>(3, COUNT));
            for &distribution in Distribution::value_variants() {
                let scalars = scalars::generate::<G1::ScalarField>(distribution, 3, COUNT);
                let sums = [sum(&g1, &scalars), sum(&g2, &scalars)];
                let g1 = G1::erase(Input { points: &g1, scalars: &scalars });
                let g2 = G2::erase(Input { points: &g2, scalars: &scalars });
                for (competitor, library) in self.libraries {
                    let place = format!("{competitor} {} {distribution}", G1::CURVE);
                    for pool in self.pools {
                        check(library.prepare(g1, pool)?, &sums[0], &format!("{place} g1"));
                        check(library.prepare(g2, pool)?, &sums[1], &format!("{place} g2"));
                        let pair = library.prepare_pair(g1, g2, pool)?;
                        check(pair, &sums.concat(), &format!("{place} pair"));
                    }
                }
            }
            Ok(())
        }
    }

    fn sum<C: Setting>(points: &[Affine<C>], scalars: &[C::ScalarField]) -> Vec<u8> {
        let sum: Projective<C> = points.iter().zip(scalars).map(|(&p, s)| p * s).sum();
        encoding::encode_sum(sum)
    }

    fn check(job: Option<Job<'_>>, sum: &[u8], place: &str) {
        let Some(mut job) = job else {
            return;
        };
        assert!(job().unwrap().sum == sum, "{place}");
        assert!(job().unwrap().sum == sum, "{place}, repeated");
    }

    /// All libraries are in one test, because mcl allows only one curve at a time in a process.
    #[test]
    fn every_library_agrees_with_the_definition() {
        let ours = Competitor::Ours(Backend::detect());
        let peers = PeerKind::value_variants().iter().copied().map(Competitor::Peer);
        let competitors = peers.chain([ours]).map(|library| (library, Preparation::Once));
        let libraries: Vec<_> = competitors
            .chain([(ours, Preparation::EachSum)])
            .map(|(library, preparation)| (library, library.create(preparation).unwrap()))
            .collect();
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut check = Check { libraries: &libraries, pools: &[1, 3].map(pool) };
        CURVES.iter().for_each(|&curve| visit(curve, &mut check).unwrap());
    }
}
