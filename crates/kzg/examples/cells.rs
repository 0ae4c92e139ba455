//! Times the calls for the cells and proofs of a blob beside c-kzg-4844 with its table of 96 MiB, on one thread, in turns.
//!
//! `CARGO_PROFILE_RELEASE_OPT_LEVEL=3 cargo run --release -p bucketwheel-kzg --example cells -- [ROUNDS]`

use std::time::{Duration, Instant};

use bucketwheel_kzg::{Settings, BYTES_PER_BLOB, CELLS};
use rand::rngs::StdRng;
use rand::{RngCore, SeedableRng};

/// Prints the median time of both calls, and the median of their ratios.
fn compare(what: &str, rounds: usize, ours: &dyn Fn(), peer: &dyn Fn()) {
    let time = |call: &dyn Fn()| {
        let start = Instant::now();
        call();
        start.elapsed()
    };
    ours();
    peer();
    let mut times: Vec<[Duration; 2]> = (0..rounds).map(|_| [time(ours), time(peer)]).collect();
    let median = |which: usize, times: &mut [[Duration; 2]]| {
        times.sort_by_key(|pair| pair[which]);
        times[rounds / 2][which].as_secs_f64() * 1e3
    };
    let mut ratios: Vec<f64> =
        times.iter().map(|[ours, peer]| peer.as_secs_f64() / ours.as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    let [ours, peer] = [median(0, &mut times), median(1, &mut times)];
    let [least, ratio, most] = [0, rounds / 2, rounds - 1].map(|i| ratios[i]);
    println!("{what:<32} {ours:>8.2} ms, c-kzg {peer:>8.2} ms, ratio {ratio:.2} ({least:.2} to {most:.2})");
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds: usize = std::env::args().nth(1).map_or(Ok(9), |rounds| rounds.parse())?;
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let mut blob = vec![0; BYTES_PER_BLOB];
    StdRng::seed_from_u64(1).fill_bytes(&mut blob);
    blob.chunks_exact_mut(32).for_each(|element| element[0] &= 0x3f);

    let start = Instant::now();
    let ours = Settings::ethereum()?;
    println!("{} in {:.2} s, {ours:?}", bucketwheel::default_backend()?, start.elapsed().as_secs_f64());
    let peer = c_kzg::ethereum_kzg_settings(8);
    let peer_blob = c_kzg::Blob::from_bytes(&blob)?;

    let (cells, proofs) = ours.compute_cells_and_kzg_proofs(&blob)?;
    let (peer_cells, peer_proofs) = peer.compute_cells_and_kzg_proofs(&peer_blob)?;
    assert!(proofs
        .iter()
        .zip(peer_proofs.iter())
        .all(|(proof, peer)| *proof == peer.to_bytes().into_inner()));
    let commitment = ours.blob_to_kzg_commitment(&blob)?;
    let peer_commitment = c_kzg::Bytes48::from(commitment);
    let indices: Vec<u64> = (0..CELLS as u64).collect();
    let half: Vec<u64> = (0..CELLS as u64 / 2).collect();
    let commitments = [commitment; CELLS];
    let peer_commitments = [peer_commitment; CELLS];
    let peer_proofs: Vec<c_kzg::Bytes48> = proofs.iter().map(|proof| c_kzg::Bytes48::from(*proof)).collect();

    compare(
        "blob_to_kzg_commitment",
        rounds,
        &|| assert_eq!(ours.blob_to_kzg_commitment(&blob).expect("a blob"), commitment),
        &|| assert_eq!(peer.blob_to_kzg_commitment(&peer_blob).expect("a blob").to_bytes(), peer_commitment),
    );
    compare(
        "compute_cells_and_kzg_proofs",
        rounds,
        &|| drop(ours.compute_cells_and_kzg_proofs(&blob).expect("a blob")),
        &|| drop(peer.compute_cells_and_kzg_proofs(&peer_blob).expect("a blob")),
    );
    compare(
        "recover_cells_and_kzg_proofs",
        rounds,
        &|| drop(ours.recover_cells_and_kzg_proofs(&half, &cells[..CELLS / 2]).expect("half of the cells")),
        &|| {
            drop(
                peer.recover_cells_and_kzg_proofs(&half, &peer_cells[..CELLS / 2])
                    .expect("half of the cells"),
            )
        },
    );
    compare(
        "verify_cell_kzg_proof_batch, 128",
        rounds,
        &|| {
            assert!(ours
                .verify_cell_kzg_proof_batch(&commitments, &indices, &cells, &proofs)
                .expect("a batch"))
        },
        &|| {
            let valid = peer.verify_cell_kzg_proof_batch(
                &peer_commitments,
                &indices,
                peer_cells.as_slice(),
                &peer_proofs,
            );
            assert!(valid.expect("a batch"));
        },
    );
    Ok(())
}
