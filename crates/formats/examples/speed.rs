//! Speed of reading and checking points, beside arkworks: `cargo run --release -p bucketwheel-formats --example speed`.
//!
//! Runs on one thread. Prints microseconds of the thread's own time for each point: the median of 5 runs in turn over
//! the same bytes, in arkworks' encoding. `--points N` takes N points (default 4096).

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize, Compress, Validate};
use bucketwheel::{with_curve, Check, Curve, CurveId, GroupId};
use bucketwheel_formats::{decode, FormatId, Wanted};

const RUNS: usize = 5;

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Returns the time that this thread has run. Other processes do not count.
fn thread_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to `time`, which is valid for writes.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Returns the median time of each function, in microseconds a point.
fn compare(count: usize, ours: impl Fn(), theirs: impl Fn()) -> [f64; 2] {
    let time = |call: &dyn Fn()| {
        let start = thread_seconds();
        call();
        (thread_seconds() - start) * 1e6 / count as f64
    };
    let (ours, theirs) = (0..RUNS).map(|_| (time(&ours), time(&theirs))).unzip();
    [median(ours), median(theirs)]
}

fn measure<C: Curve>(curve: CurveId, group: GroupId, count: usize) {
    let mut sum = Projective::<C>::from(Affine::generator());
    let points: Vec<_> = (0..count)
        .map(|_| {
            sum = sum + sum + Affine::<C>::generator();
            sum
        })
        .collect();
    let points = Projective::normalize_batch(&points);
    for (id, compress) in [(FormatId::Arkworks, Compress::No), (FormatId::ArkworksCompressed, Compress::Yes)]
    {
        let mut bytes = Vec::new();
        points.serialize_with_mode(&mut bytes, compress).expect("memory takes all bytes");
        for (check, validate) in [(Check::None, Validate::No), (Check::Subgroup, Validate::Yes)] {
            let read = || {
                let wanted = Wanted { curve: Some(curve), group: Some(group), section: None };
                let body = id.format().open(&bytes, wanted).expect("what arkworks wrote");
                decode::<C>(&body.codec, &body.bytes, check).expect("points of the subgroup")
            };
            let theirs = || {
                Vec::<Affine<C>>::deserialize_with_mode(&bytes[..], compress, validate)
                    .expect("what it wrote")
            };
            assert!(read() == points && theirs() == points);
            let [ours, arkworks] = compare(count, || drop(read()), || drop(theirs()));
            let checked = if check == Check::None { "as it is" } else { "checked" };
            println!(
                "{:9} {group} {:20} {checked:9} {ours:8.2} arkworks {arkworks:8.2} ratio {:6.2}",
                curve.name(),
                id.name(),
                arkworks / ours
            );
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<_> = std::env::args().collect();
    let count = match arguments.get(1).map(String::as_str) {
        Some("--points") => arguments.get(2).ok_or("expected a number")?.parse()?,
        _ => 4096,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("backend {}", bucketwheel::default_backend()?);
    for &curve in CurveId::ALL {
        for group in [GroupId::G1, GroupId::G2] {
            pool.install(|| with_curve!(curve, group, C => measure::<C>(curve, group, count)).unwrap());
        }
    }
    Ok(())
}
