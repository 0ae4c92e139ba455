//! Many clients at once.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bucketwheel_groth16::file::{Wtns, Zkey};
use bucketwheel_groth16::{Bn254, ProveOptions, Prover};
use serde_json::{json, Value};

use crate::fixture::{options, Running};
use bucketwheel_server_kit::client::{BYTES, JSON};

const CLIENTS: usize = 32;

/// Returns the circuit Semaphore of depth 20, if tools/circuits.sh has built it.
fn semaphore() -> Option<PathBuf> {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/circuits");
    let circuits = std::env::var_os("BUCKETWHEEL_CIRCUITS").map_or(built.into(), PathBuf::from);
    let folder = circuits.join("semaphore");
    if !folder.join("witness.wtns").exists() {
        eprintln!("skipped: there is no {}, tools/circuits.sh makes it", folder.display());
        return None;
    }
    Some(folder)
}

/// Asks for `count` proofs. Returns the answers, and the time until the last one.
fn ask(circuits: &Path, witness: &[u8], count: usize) -> (Duration, Vec<Value>) {
    let server = Running::of(circuits, options());
    let (next, proofs) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                let mut client = server.client();
                while next.fetch_add(1, Ordering::Relaxed) < count {
                    let reply = client.post("/v1/prove/semaphore", BYTES, witness);
                    assert_eq!(reply.status, 200, "{}", reply.text());
                    proofs.lock().unwrap().push(reply.json());
                }
            });
        }
    });
    let (time, proofs) = (start.elapsed(), proofs.into_inner().unwrap());
    let claims: Vec<Value> = proofs
        .iter()
        .map(|proof| json!({ "proof": proof["proof"], "publicSignals": proof["publicSignals"] }))
        .collect();
    let verdict = server.client().post("/v1/verify/semaphore", JSON, json!(claims).to_string().as_bytes());
    assert_eq!(verdict.json(), json!({ "valid": true, "proofs": count }));
    // Each proof has its own blinding.
    let different: HashSet<_> = proofs.iter().map(|proof| proof["proof"].to_string()).collect();
    assert_eq!(different.len(), count);
    (time, proofs)
}

/// Returns a folder with only the circuit, in the server's layout.
fn circuit(folder: &Path) -> tempfile::TempDir {
    let at = tempfile::tempdir().unwrap();
    fs::copy(folder.join("circuit.zkey"), at.path().join("semaphore.zkey")).unwrap();
    at
}

#[test]
fn no_proof_is_lost() {
    let Some(folder) = semaphore() else { return };
    let witness = fs::read(folder.join("witness.wtns")).unwrap();
    let (_, proofs) = ask(circuit(&folder).path(), &witness, 100);
    assert_eq!(proofs.len(), 100);
}

/// The server makes the same number of proofs as two threads that call the prover in the same time. The test needs an
/// idle machine with two processors. BUCKETWHEEL_SERVED_PROOFS makes it shorter.
#[test]
#[ignore = "takes a minute, and the machine for itself"]
fn serving_costs_little() {
    let count = std::env::var("BUCKETWHEEL_SERVED_PROOFS").map_or(1000, |count| count.parse().unwrap());
    let Some(folder) = semaphore() else { return };
    let key = fs::read(folder.join("circuit.zkey")).unwrap();
    let witness = fs::read(folder.join("witness.wtns")).unwrap();
    let prover = Prover::new(Zkey::<Bn254>::parse(&key).unwrap()).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while next.fetch_add(1, Ordering::Relaxed) < count {
                    let values = Wtns::parse(&witness).unwrap().to_vec().unwrap();
                    pool.install(|| prover.prove(&values, ProveOptions::new())).unwrap();
                }
            });
        }
    });
    let called = start.elapsed();
    let (served, proofs) = ask(circuit(&folder).path(), &witness, count);
    assert_eq!(proofs.len(), count);
    eprintln!("{count} proofs: called {:.2} s, served {:.2} s", called.as_secs_f64(), served.as_secs_f64());
    assert!(served.as_secs_f64() < 1.1 * called.as_secs_f64(), "called {called:?}, served {served:?}");
}
