//! Times the cells and proofs of a blob, beside c-kzg-4844 with its table of 96 MiB, on one thread.
//!
//! `cargo run --release -p bucketwheel-kzg --example cells -- trusted_setup.txt [ROUNDS]`

use std::time::{Duration, Instant};

use bucketwheel_kzg::{Settings, BYTES_PER_BLOB};
use rand::rngs::StdRng;
use rand::{RngCore, SeedableRng};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("the path of c-kzg-4844's trusted_setup.txt is missing")?;
    let rounds: usize = arguments.next().map_or(Ok(9), |rounds| rounds.parse())?;
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let mut blob = vec![0; BYTES_PER_BLOB];
    StdRng::seed_from_u64(1).fill_bytes(&mut blob);
    blob.chunks_exact_mut(32).for_each(|element| element[0] &= 0x3f);

    let start = Instant::now();
    let ours = Settings::read(&std::fs::read_to_string(path)?)?;
    println!("trusted setup: {:.2} s, {ours:?}", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let peer = c_kzg::ethereum_kzg_settings(8);
    println!("trusted setup of c-kzg: {:.2} s", start.elapsed().as_secs_f64());
    let peer_blob = c_kzg::Blob::from_bytes(&blob)?;
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        let start = Instant::now();
        let (_, proofs) = ours.compute_cells_and_kzg_proofs(&blob)?;
        times[0].push(start.elapsed());
        let start = Instant::now();
        let (_, expected) = peer.compute_cells_and_kzg_proofs(&peer_blob)?;
        times[1].push(start.elapsed());
        assert!(proofs.iter().zip(expected.iter()).all(|(proof, expected)| proof[..] == expected.as_slice()[..]));
    }
    let [ours, peer] = times.map(|mut times: Vec<Duration>| {
        times.sort();
        (times[times.len() / 2].as_secs_f64() * 1e3, times[0].as_secs_f64() * 1e3)
    });
    println!("ms, median (fastest): ours {:.1} ({:.1}), c-kzg {:.1} ({:.1})", ours.0, ours.1, peer.0, peer.1);
    println!("c-kzg's time over ours: {:.2}", peer.0 / ours.0);
    Ok(())
}
