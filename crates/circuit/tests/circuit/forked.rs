//! A process that forks leaves the library's threads behind.

use std::fs;
use std::process;

use bucketwheel::{Cancel, Progress};
use bucketwheel_circuit::{Access, Circuit, Error, GnarkVerifier, KeyPoints, Loaded, Sums};
use bucketwheel_groth16::file::R1cs;
use bucketwheel_groth16::{CurveId, ProveOptions, TextClaim};

use crate::{data, load, witness};

struct Silent;

impl Progress for Silent {
    fn report(&self, _: usize, _: usize) {}
}

fn is_forked<T>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::Forked(_)))
}

/// Runs `work` in a forked process, which must return true within a minute.
fn holds_in_a_fork(work: impl FnOnce() -> bool) {
    // SAFETY: the new process has one thread and a copy of the memory. It may allocate, because the C library takes its own locks
    // before it forks. It returns only errors before any work, so it waits for no lock that another thread held. It runs no code
    // of the test's other threads and ends by `_exit`.
    match unsafe { libc::fork() } {
        0 => {
            // SAFETY: `alarm` and `_exit` take numbers only.
            unsafe {
                libc::alarm(60);
                libc::_exit(i32::from(!work()))
            }
        }
        child => {
            assert!(child > 0, "{}", std::io::Error::last_os_error());
            let mut status = 0;
            // SAFETY: `status` is a valid place for the status of the child.
            assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
            assert!(libc::WIFEXITED(status), "the forked process waited for threads: status {status}");
            assert_eq!(libc::WEXITSTATUS(status), 0, "a call in the forked process returned another result");
        }
    }
}

#[test]
fn a_forked_process_gets_errors() {
    let curve = CurveId::Bn254;
    // One circuit has its prover before the fork, the other circuit would make its prover afterwards.
    let (fresh, used) = (load(curve, Access::Map), load(curve, Access::Map));
    let file = witness(curve);
    let values = used.values(&file).unwrap();
    let proven = used.prove(&values, ProveOptions::new()).unwrap();
    let (public, proof) = (proven.public_text(), proven.proof_text());
    let claim = TextClaim { public: public.as_bytes(), proof: proof.as_bytes() };
    let powers = fs::read(data(curve, "../ceremony/bn254-3.ptau")).unwrap();
    let constraints = fs::read(data(curve, "power.r1cs")).unwrap();
    let constraints = R1cs::parse(&constraints).unwrap();
    let key = fs::read(data(curve, "../../../../formats/tests/samples/gnark-bn254.vk")).unwrap();
    let (cancel, sums) = (Cancel::new(), Sums::default());

    let refuses = |loaded: &Loaded| {
        let circuit: &dyn Circuit = loaded.circuit();
        is_forked(loaded.values(&file))
            && is_forked(loaded.prove(&values, ProveOptions::new()))
            && is_forked(loaded.prove_from(&values, &sums, ProveOptions::new()))
            && is_forked(circuit.prove(&values, ProveOptions::new()))
            && is_forked(circuit.prove_from(&values, &sums, ProveOptions::new()))
            && is_forked(circuit.prepare(KeyPoints::InKey))
            && is_forked(circuit.quotient(&values, ProveOptions::new()))
            && is_forked(circuit.verify(&[claim]))
            && is_forked(circuit.check_points(&cancel, &Silent))
            && is_forked(circuit.check_agreement(&cancel, &Silent))
            && is_forked(circuit.check_powers(&powers, &cancel, &Silent))
            && is_forked(GnarkVerifier::new(&key))
            && is_forked(circuit.check_circuit(&constraints, &powers, &cancel, &Silent))
    };
    let parent = process::id();
    holds_in_a_fork(|| process::id() != parent && refuses(&used) && refuses(&fresh));
    // The parent keeps its threads.
    used.prove(&values, ProveOptions::new()).unwrap();
}
