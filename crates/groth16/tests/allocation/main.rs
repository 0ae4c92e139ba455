//! Memory that files ask for: no array is much larger than the file, for any counts in the header.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Cursor;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bucketwheel::{Cancel, Progress};
use bucketwheel_groth16::file::{R1cs, VerifyingKeyJson, Wtns, Zkey};
use bucketwheel_groth16::setup::Setup;
use bucketwheel_groth16::witness::Inputs;
use bucketwheel_groth16::{
    check_witness, jsnark, with_pairing, Bn254, PairingCurve, ProveOptions, Prover, CURVES,
};

/// The system's memory. Keeps the size of the largest request, and refuses requests that are too large for any of
/// these files, before the machine suffers from them.
struct Requests;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

/// Size of a request that the tests' files could never need, in bytes.
const ABSURD: usize = 1 << 30;

fn request(size: usize) -> bool {
    LARGEST.fetch_max(size, Ordering::Relaxed);
    size < ABSURD
}

// SAFETY: each method returns the system's result, or null, which says that there is no memory. None unwinds.
unsafe impl GlobalAlloc for Requests {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if request(layout.size()) {
            // SAFETY: the layout has a size, which the caller promised.
            unsafe { System.alloc(layout) }
        } else {
            std::ptr::null_mut()
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if request(layout.size()) {
            // SAFETY: the layout has a size, which the caller promised.
            unsafe { System.alloc_zeroed(layout) }
        } else {
            std::ptr::null_mut()
        }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if request(size) {
            // SAFETY: the system made the memory with this layout, since all methods call it, and the caller promised a valid size.
            unsafe { System.realloc(pointer, layout, size) }
        } else {
            std::ptr::null_mut()
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the system made the memory with this layout, since all methods call it.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static REQUESTS: Requests = Requests;

/// Bytes that a file may cost at once: a number for each of its own bytes, and a constant for threads and the engine.
const PER_BYTE: usize = 256;
const ANYWAY: usize = 1 << 20;

/// Reads and uses a file, and looks at the memory that it takes.
fn measure(what: &str, file: &[u8], work: impl FnOnce(&[u8])) {
    LARGEST.store(0, Ordering::Relaxed);
    work(file);
    let largest = LARGEST.load(Ordering::Relaxed);
    assert!(largest <= ANYWAY + PER_BYTE * file.len(), "{what}, {} bytes: {largest} at once", file.len());
}

/// Wrong counts: some need more than all memory, and for some the memory could just be had.
const COUNTS: [u32; 5] = [1 << 20, 1 << 26, 1 << 28, (1 << 31) - 1, u32::MAX];

/// Measures with every integer near the beginning of a section replaced by these counts.
fn with_counts(what: &str, file: &[u8], work: impl Fn(&[u8])) {
    measure(what, file, &work);
    let mut places: Vec<usize> = (8..12).collect();
    let mut at = 12;
    while at < file.len() {
        let length = u64::from_le_bytes(file[at + 4..][..8].try_into().unwrap()) as usize;
        places.extend(at..at + 12 + length.min(96));
        at += 12 + length;
    }
    for at in places {
        for count in COUNTS {
            let mut file = file.to_vec();
            let end = file.len().min(at + 4);
            file[at..end].copy_from_slice(&count.to_le_bytes()[..end - at]);
            measure(&format!("{what}, {count} at {at}"), &file, &work);
        }
    }
}

struct Silent;

impl Progress for Silent {
    fn report(&self, _: usize, _: usize) {}
}

/// Uses a circuit whose counts are new. Circuits with the original's counts are skipped, but the original is used
/// once.
fn circuit<E: PairingCurve>(file: &[u8], original: &[u8], witness: &[u8]) {
    let Ok(circuit) = R1cs::parse(file) else { return };
    if file != original && circuit.header == R1cs::parse(original).unwrap().header {
        return;
    }
    assert!(circuit.blocks(1).len() == circuit.constraints().count());
    // The witness may or may not satisfy the damaged circuit.
    let _ = check_witness(&circuit, &Wtns::parse(witness).unwrap(), &Cancel::new(), &Silent);
    if let Ok(setup) = Setup::<E>::insecure_seed(circuit, 1) {
        setup.write_zkey(Cursor::new(Vec::new()), &Cancel::new(), &Silent).unwrap();
    }
}

/// Uses a key whose counts are new. Keys with the original's counts are skipped, but the original is used once.
fn key<E: PairingCurve>(file: &[u8], original: &[u8], witness: &[u8]) {
    let Ok(key) = Zkey::<E>::parse(file) else { return };
    let counts = |key: &Zkey<'_, E>| {
        (key.header.signals, key.header.public, key.header.domain_size, key.coefficients.len())
    };
    if file != original && counts(&key) == counts(&Zkey::parse(original).unwrap()) {
        return;
    }
    let Ok(prover) = Prover::new(key) else { return };
    // The proof may or may not hold.
    let _ = prover.prove(&Wtns::parse(witness).unwrap().to_vec().unwrap(), ProveOptions::new());
}

fn files<E: PairingCurve>() {
    let folder = E::ID;
    let read = |name: &str| {
        std::fs::read(format!("{}/../snarkjs/tests/data/{folder}/{name}", env!("CARGO_MANIFEST_DIR")))
            .unwrap()
    };
    let witness = read("power.wtns");
    with_counts(".wtns", &witness, |file| drop(Wtns::parse(file).map(|witness| witness.to_vec().unwrap())));
    let zkey = read("power.zkey");
    with_counts(".zkey", &zkey, |file| key::<E>(file, &zkey, &witness));
    let r1cs = read("power.r1cs");
    for r1cs in [without_labels(&r1cs), r1cs] {
        with_counts(".r1cs", &r1cs, |file| circuit::<E>(file, &r1cs, &witness));
    }
    let text = String::from_utf8(read("verification_key.json")).unwrap();
    for count in COUNTS {
        let text = text.replacen("\"nPublic\": 2", &format!("\"nPublic\": {count}"), 1);
        measure("nPublic", text.as_bytes(), |text| assert!(VerifyingKeyJson::parse(text).is_err()));
    }
}

/// Returns the sections of a circuit without the labels, which no result depends on.
fn without_labels(file: &[u8]) -> Vec<u8> {
    let mut rest = &file[12..];
    let mut sections = Vec::new();
    while !rest.is_empty() {
        let length = u64::from_le_bytes(rest[4..12].try_into().unwrap()) as usize;
        let (section, others) = rest.split_at(12 + length);
        if section[0] != 3 {
            sections.extend_from_slice(section);
        }
        rest = others;
    }
    [&file[..8], &2u32.to_le_bytes(), &sections].concat()
}

/// There is one test alone, since memory is measured for the whole process.
#[test]
fn counts_in_files_do_not_take_memory() {
    for curve in CURVES {
        with_pairing!(curve, E => files::<E>()).unwrap();
    }
    // The file has the largest number of sections that fits. It is read in linear time.
    let count = 1 << 20;
    let mut file = [&b"r1cs"[..], &1u32.to_le_bytes(), &(count as u32).to_le_bytes()].concat();
    file.extend((0..count).flat_map(|_| [77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    let start = Instant::now();
    measure("empty sections", &file, |file| assert!(R1cs::parse(file).is_err()));
    assert!(start.elapsed() < Duration::from_secs(10));

    for count in COUNTS {
        let circuit = format!("total {count}\ninput 1\noutput 1\n");
        measure("total", circuit.as_bytes(), |circuit| {
            let out = Cursor::new(Vec::new());
            jsnark::import::<Bn254, _>(circuit, b"1 1", out, &Cancel::new(), &Silent).unwrap();
        });
    }
    // One long name for the signals of a bus.
    let fields: Vec<_> = (0..10_000).map(|i| format!("\"{i}\":1")).collect();
    let inputs = format!("{{\"{}\":{{{}}}}}", "b".repeat(100_000), fields.join(","));
    measure("inputs", inputs.as_bytes(), |inputs| drop(Inputs::from_json(inputs)));
}
