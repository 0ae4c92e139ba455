//! Measures the memory of bounded proofs and of imports of jsnark's circuits, and counts the constraints of these
//! circuits. SimdMSM's six workloads are jsnark's output, which is not in this repository. `BUCKETWHEEL_JSNARK` names a
//! folder with them (docs/reproduction.md says how they are made).

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use ark_bn254::Fr;
use ark_ff::{BigInt, Field, PrimeField};
use bucketwheel::{Cancel, Progress};
use bucketwheel_groth16::file::{write_r1cs, R1cs, R1csHeader, Wtns, Zkey};
use bucketwheel_groth16::setup::Setup;
use bucketwheel_groth16::{check_witness, jsnark, Bls12_381, Bn254, CurveId, Error, ProveOptions, Prover};

/// The six circuits' names and the lengths of their vectors in SimdMSM's Table 7, which are their numbers of constraints.
const CIRCUITS: [(&str, usize); 6] = [
    ("AES_Circuit", 14_240),
    ("sha_256", 25_656),
    ("rsa2048_encryption", 93_658),
    ("tree_64", 98_902),
    ("rsa2048_sha256_sig_verify", 117_666),
    ("augmented_auction_10", 540_878),
];

/// Bytes that an import may take besides its files.
const ANYWAY: u64 = 64 << 20;

struct Silent;

impl Progress for Silent {
    fn report(&self, _: usize, _: usize) {}
}

/// There is one test alone, since memory is measured for the whole process.
#[test]
fn memory_is_bounded() {
    proofs_keep_to_their_bound();
    imports_take_memory_in_proportion();
}

fn imports_take_memory_in_proportion() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    subset_sums(&at.join("sums.arith"), &at.join("sums.in")).unwrap();
    // Constraints are the bits, their sum, and an output for each of three sums.
    assert_eq!(import(at, at, "sums"), 64 * (1024 + 1 + 3));

    let Some(circuits) = std::env::var_os("BUCKETWHEEL_JSNARK") else {
        eprintln!("BUCKETWHEEL_JSNARK names no folder: the circuits of SimdMSM's Table 7 are left out");
        return;
    };
    for (name, constraints) in CIRCUITS {
        for kind in ["arith", "in"] {
            uncompressed(Path::new(&circuits), &format!("{name}.{kind}"), at);
        }
        assert_eq!(import(at, at, name), constraints, "{name}");
    }
}

/// Points of a key for which a proof takes some passes.
const SQUARES: usize = 1 << 17;

fn proofs_keep_to_their_bound() {
    let (key, witness) = squares();
    let prover = Prover::new(Zkey::<Bn254>::parse(&key).unwrap()).unwrap();
    let prove = |bytes| prover.prove(&witness, ProveOptions::new().memory(bytes)).map(|_| ());
    let least = match prove(1) {
        Err(Error::Memory { bytes: 1, least }) => least as u64,
        other => panic!("{other:?}"),
    };
    for bytes in [least, 2 * least] {
        bucketwheel::release_memory();
        let Some(before) = status("RssAnon:") else { return };
        let (done, peak) = (AtomicBool::new(false), AtomicU64::new(0));
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    peak.fetch_max(status("RssAnon:").unwrap_or(0), Ordering::Relaxed);
                    thread::sleep(Duration::from_millis(1));
                }
            });
            let proven = prove(bytes as usize);
            done.store(true, Ordering::Relaxed);
            proven.unwrap();
        });
        let taken = peak.into_inner().saturating_sub(before);
        eprintln!("a proof in {} MB takes {}, beside its witness", bytes >> 20, taken >> 20);
        assert!(taken <= bytes, "{taken} bytes: expected at most {bytes}");
    }
}

/// Returns key and witness of a chain of squares.
fn squares() -> (Vec<u8>, Vec<BigInt<4>>) {
    let one = |wire: usize| vec![(wire as u32, BigInt::one())];
    let header = R1csHeader {
        curve: CurveId::Bn254,
        wires: SQUARES,
        outputs: 0,
        public_inputs: 1,
        private_inputs: SQUARES - 2,
        labels: SQUARES as u64,
        constraints: SQUARES - 2,
    };
    let constraints = (1..SQUARES - 1).map(|wire| [one(wire), one(wire), one(wire + 1)]);
    let circuit = write_r1cs(io::Cursor::new(Vec::new()), &header, constraints).unwrap().into_inner();
    let setup = Setup::<Bn254>::insecure_seed(R1cs::parse(&circuit).unwrap(), 1).unwrap();
    let key = setup.write_zkey(io::Cursor::new(Vec::new()), &Cancel::new(), &Silent).unwrap().into_inner();
    let values = std::iter::successors(Some(Fr::from(3u64)), |value| Some(value.square()));
    let witness = std::iter::once(Fr::from(1u64)).chain(values).take(SQUARES);
    (key, witness.map(|value| value.into_bigint()).collect())
}

/// Copies a file of the folder, which may be compressed by xz.
fn uncompressed(circuits: &Path, file: &str, to: &Path) {
    let (from, to) = (circuits.join(file), to.join(file));
    if from.exists() {
        fs::copy(from, to).unwrap();
        return;
    }
    let compressed = circuits.join(format!("{file}.xz"));
    assert!(compressed.exists(), "{} is missing, and so is {}", from.display(), compressed.display());
    let status = Command::new("xz").arg("-dc").arg(compressed).stdout(File::create(to).unwrap()).status();
    assert!(status.unwrap().success());
}

/// Imports a circuit. Checks the memory that the import takes, and that the witness satisfies the circuit. Returns the
/// number of constraints.
fn import(from: &Path, to: &Path, name: &str) -> usize {
    let path = |folder: &Path, kind: &str| folder.join(format!("{name}.{kind}"));
    let [r1cs, wtns] = ["r1cs", "wtns"].map(|kind| path(to, kind));
    let before = forget_peak();
    // The files are as the command has them, but in the process's own memory.
    let [circuit, inputs] = ["arith", "in"].map(|kind| fs::read(path(from, kind)).unwrap());
    let create = |path| BufWriter::new(File::create(path).unwrap());
    let imported =
        jsnark::import::<Bls12_381, _>(&circuit, &inputs, create(&r1cs), &Cancel::new(), &Silent).unwrap();
    imported.write_wtns::<Bls12_381, _>(create(&wtns)).unwrap();
    let arith = circuit.len() as u64;
    drop((circuit, inputs));
    if let Some(peak) = status("VmHWM:") {
        let [r1cs, wtns] = [&r1cs, &wtns].map(|path| fs::metadata(path).unwrap().len());
        let most = 5 * arith + r1cs + wtns + ANYWAY;
        let mb = |bytes: u64| bytes >> 20;
        eprintln!(
            "{name}: {} MB, at most {}; {} before; .arith {}, .r1cs {}, .wtns {}",
            mb(peak),
            mb(most),
            mb(before),
            mb(arith),
            mb(r1cs),
            mb(wtns)
        );
        assert!(peak <= most, "{name}: {peak} bytes at most: expected {most}");
    }
    let [r1cs, wtns] = [r1cs, wtns].map(|path| fs::read(path).unwrap());
    let (r1cs, wtns) = (R1cs::parse(&r1cs).unwrap(), Wtns::parse(&wtns).unwrap());
    check_witness(&r1cs, &wtns, &Cancel::new(), &Silent).unwrap();
    imported.constraints
}

/// Resets the peak to the memory in use now, and returns this memory; 0 if the system does not say.
fn forget_peak() -> u64 {
    let _ = fs::write("/proc/self/clear_refs", "5");
    status("VmRSS:").unwrap_or_default()
}

/// Returns a line of the process's status, in bytes.
fn status(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// Writes a circuit like jsnark's Merkle tree, whose hashes are sums of 1024 bits times constants. Each sum's wire
/// carries one term more than the wire before it, as often as there are bits.
fn subset_sums(arith: &Path, inputs: &Path) -> io::Result<()> {
    let [mut arith, mut values] = [arith, inputs].map(|path| BufWriter::new(File::create(path).unwrap()));
    writeln!(arith, "total {}\ninput 0 # The one-input wire.", 1 << 20)?;
    writeln!(values, "0 1")?;
    let mut wire = 1;
    let mut next = |count: u32| {
        wire += count;
        wire - count
    };
    for hash in 0..64u64 {
        let number = next(1);
        writeln!(arith, "nizkinput {number}")?;
        writeln!(values, "{number} {:x}", 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(hash + 1))?;
        let bits = next(1024);
        let list: Vec<_> = (bits..bits + 1024).map(|bit| bit.to_string()).collect();
        writeln!(arith, "split in 1 <{number}> out 1024 <{}>", list.join(" "))?;
        for output in 0..3u64 {
            let mut sum = None;
            for bit in bits..bits + 1024 {
                let factor = (u64::from(bit) << 32 | (output + 1)).wrapping_mul(0x2545_f491_4f6c_dd1d);
                let product = next(1);
                writeln!(arith, "const-mul-{factor:x}{factor:x}{factor:x} in 1 <{bit}> out 1 <{product}>")?;
                sum = Some(match sum {
                    None => product,
                    Some(before) => {
                        let sum = next(1);
                        writeln!(arith, "add in 2 <{before} {product}> out 1 <{sum}>")?;
                        sum
                    }
                });
            }
            sum.map_or(Ok(()), |sum| writeln!(arith, "output {sum}"))?;
        }
    }
    arith.flush()?;
    values.flush()
}
