//! The libraries that are compared, one file each, all of one shape.

mod arkworks;
mod blst;
#[cfg(feature = "engine")]
mod bucketwheel;
mod gnark;
mod halo2curves;
mod mcl;

use crate::inputs::AnyInput;
use anyhow::Result;
use clap::ValueEnum;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::ops::Range;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PeerKind {
    /// This project's engine
    #[cfg(feature = "engine")]
    Bucketwheel,
    Arkworks,
    Blst,
    #[value(name = "gnark-crypto")]
    GnarkCrypto,
    Halo2curves,
    Mcl,
}

impl PeerKind {
    pub fn is_ours(self) -> bool {
        #[cfg(feature = "engine")]
        return self == Self::Bucketwheel;
        #[cfg(not(feature = "engine"))]
        false
    }

    pub fn create(self) -> Result<Box<dyn Peer>> {
        Ok(match self {
            #[cfg(feature = "engine")]
            Self::Bucketwheel => Box::new(bucketwheel::Bucketwheel),
            Self::Arkworks => Box::new(arkworks::Arkworks),
            Self::Blst => Box::new(blst::Blst),
            Self::GnarkCrypto => Box::new(gnark::Gnark::build()?),
            Self::Halo2curves => Box::new(halo2curves::Halo2curves),
            Self::Mcl => Box::new(mcl::Mcl),
        })
    }
}

/// A library that computes MSMs.
pub trait Peer {
    /// Brings the input into the library's own form, outside the timed region.
    /// `None` where the library does not offer the group.
    ///
    /// The job uses as many threads as `pool` has. Jobs over different curves
    /// must not be alive together: mcl keeps its curve in global variables.
    fn prepare<'a>(&self, input: AnyInput<'a>, pool: &'a ThreadPool) -> Result<Option<Job<'a>>>;
}

/// One MSM, ready to be computed again and again.
pub type Job<'a> = Box<dyn FnMut() -> Result<Outcome> + 'a>;

pub struct Outcome {
    /// Time of the library's own call alone.
    pub elapsed: Duration,
    /// The sum, encoded as in [`crate::inputs::encoding`].
    pub sum: Vec<u8>,
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

/// For libraries without threads of their own: runs `part` on one range of
/// `0..len` for each thread of the current pool and adds the results.
fn split<T: Send>(len: usize, part: impl Fn(Range<usize>) -> T + Sync, add: impl Fn(T, T) -> T) -> T {
    let parts = rayon::current_num_threads().min(len);
    let bound = |index| len * index / parts;
    let sums: Vec<T> = (0..parts).into_par_iter().map(|index| part(bound(index)..bound(index + 1))).collect();
    sums.into_iter().reduce(add).expect("inputs are not empty")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Distribution;
    use crate::inputs::{Input, Setting, encoding, points, scalars};
    use ark_ec::short_weierstrass::Projective;

    fn check<C: Setting>(peers: &[(PeerKind, Box<dyn Peer>)], pool: &ThreadPool) {
        let points = points::generate::<C>(3, 300);
        for &distribution in Distribution::value_variants() {
            let scalars = scalars::generate::<C::ScalarField>(distribution, 3, points.len());
            let sum: Projective<C> = points.iter().zip(&scalars).map(|(&p, s)| p * s).sum();
            let sum = encoding::encode_sum(sum);
            for (kind, peer) in peers {
                let input = C::erase(Input { points: &points, scalars: &scalars });
                let Some(mut job) = peer.prepare(input, pool).unwrap() else {
                    continue;
                };
                let place = format!("{kind} {} {} {distribution}", C::CURVE, C::GROUP);
                assert!(job().unwrap().sum == sum, "{place}");
                assert!(job().unwrap().sum == sum, "{place}, repeated");
            }
        }
    }

    /// One test, because mcl allows one curve at a time in a process.
    #[test]
    fn every_peer_agrees_with_the_definition() {
        let peers: Vec<_> =
            PeerKind::value_variants().iter().map(|&kind| (kind, kind.create().unwrap())).collect();
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            check::<ark_bls12_381::g1::Config>(&peers, &pool);
            check::<ark_bls12_381::g2::Config>(&peers, &pool);
            check::<ark_bls12_377::g1::Config>(&peers, &pool);
            check::<ark_bls12_377::g2::Config>(&peers, &pool);
            check::<ark_bn254::g1::Config>(&peers, &pool);
            check::<ark_bn254::g2::Config>(&peers, &pool);
        }
    }
}
