//! Progress of a proof over its time.

use std::io::Cursor;
use std::sync::Mutex;
use std::time::Duration;

use ark_bn254::Fr;
use ark_ff::{BigInt, Field, PrimeField};
use bucketwheel::{Cancel, Progress};
use bucketwheel_groth16::file::{write_r1cs, R1cs, R1csHeader, Zkey};
use bucketwheel_groth16::setup::Setup;
use bucketwheel_groth16::{Bn254, CurveId, ProveOptions, Prover};
use cpu_time::ThreadTime;

/// Constraints of the circuit.
const CONSTRAINTS: usize = 1 << 14;

/// Processor time and steps done of each report, and the last total.
#[derive(Default)]
struct Reports(Mutex<Vec<(Duration, usize, usize)>>);

impl Progress for Reports {
    fn report(&self, done: usize, total: usize) {
        self.0.lock().unwrap().push((ThreadTime::now().as_duration(), done, total));
    }
}

/// Returns key and witness of a circuit that squares a signal `squares` times, and has bits as its other signals.
fn circuit(squares: usize) -> (Vec<u8>, Vec<BigInt<4>>) {
    let wires = CONSTRAINTS + 2;
    let one = |wire: usize| vec![(wire as u32, BigInt::one())];
    let header = R1csHeader {
        curve: CurveId::Bn254,
        wires,
        outputs: 0,
        public_inputs: 1,
        private_inputs: wires - 2,
        labels: wires as u64,
        constraints: CONSTRAINTS,
    };
    let constraints = (1..=CONSTRAINTS).map(|wire| match wire <= squares {
        true => [one(wire), one(wire), one(wire + 1)],
        false => [one(wire + 1), one(wire + 1), one(wire + 1)],
    });
    let circuit = write_r1cs(Cursor::new(Vec::new()), &header, constraints).unwrap().into_inner();
    let setup = Setup::<Bn254>::insecure_seed(R1cs::parse(&circuit).unwrap(), 1).unwrap();
    let silent = Reports::default();
    let key = setup.write_zkey(Cursor::new(Vec::new()), &Cancel::new(), &silent).unwrap().into_inner();
    let values = std::iter::successors(Some(Fr::from(3u64)), |value| Some(value.square()));
    let bits = (0u64..).map(|i| Fr::from(i / 3 % 2));
    let witness = std::iter::once(Fr::from(1u64)).chain(values.take(squares + 1)).chain(bits).take(wires);
    (key, witness.map(|value| value.into_bigint()).collect())
}

/// Returns the first report of a proof after which the time left that follows from the steps is wrong. From a tenth of
/// the proof's time on, it must be at most three times the true one and at least a third of it, give or take a twentieth
/// of the whole time. Without optimisation, points take longer to prepare.
fn wrong_estimate(prover: &Prover<Bn254, Zkey<'_, Bn254>>, witness: &[BigInt<4>]) -> Option<String> {
    let reports = Reports::default();
    let start = ThreadTime::now().as_duration();
    prover.prove(witness, ProveOptions::new().progress(&reports)).unwrap();
    let whole = (ThreadTime::now().as_duration() - start).as_secs_f64();
    let reports = reports.0.into_inner().unwrap();
    let (_, done, total) = *reports.last().unwrap();
    assert_eq!(done, total, "the last report is the end");
    reports.into_iter().find_map(|(at, done, of)| {
        assert_eq!(of, total, "the total stays");
        let passed = (at - start).as_secs_f64();
        let (left, share) = (whole - passed, done as f64 / total as f64);
        let (estimate, slack) = (passed * (1.0 - share) / share, whole / 20.0);
        let fits = estimate < 3.0 * left + slack && left < 3.0 * estimate + slack;
        (passed > whole / 10.0 && !fits)
            .then(|| format!("after {passed:.4} s of {whole:.4} s, {share:.3} of the steps are done"))
    })
}

/// Other work on the machine disturbs a proof, but not all of ten.
#[test]
fn steps_take_equal_time() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for squares in [CONSTRAINTS, CONSTRAINTS / 8, 1] {
        let (key, witness) = circuit(squares);
        let prover = Prover::new(Zkey::<Bn254>::parse(&key).unwrap()).unwrap();
        let wrong: Vec<_> =
            (0..10).map_while(|_| pool.install(|| wrong_estimate(&prover, &witness))).collect();
        assert!(wrong.len() < 10, "{squares} squares: {wrong:#?}");
    }
}
