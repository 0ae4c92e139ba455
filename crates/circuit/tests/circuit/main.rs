//! Circuits of both curves from files and bytes, files that change, and the part that an error blames.

mod arkworks;
mod foreign;
#[cfg(unix)]
mod forked;
mod gnark;

use std::fs;
use std::path::{Path, PathBuf};

use bucketwheel::{Cancel, Progress};
use bucketwheel_circuit::{Access, Error, Fault, KeyPoints, Loaded, Source};
use bucketwheel_groth16::file::{public_to_json, FileWarning, Holder, R1cs, Wtns, Zkey};
use bucketwheel_groth16::{with_pairing, CurveId, ProveOptions, Prover, TextClaim, VerifyingCurve, CURVES};

fn data(curve: CurveId, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data").join(curve.name()).join(name)
}

fn load(curve: CurveId, access: Access) -> Loaded {
    Loaded::new(Source::open(&data(curve, "power.zkey"), access).unwrap()).unwrap()
}

fn witness(curve: CurveId) -> Vec<u8> {
    fs::read(data(curve, "power.wtns")).unwrap()
}

#[test]
fn proofs_are_those_of_the_prover() {
    for curve in CURVES {
        with_pairing!(curve, E => {
            let (key, witness) = (fs::read(data(curve, "power.zkey")).unwrap(), witness(curve));
            let values = Wtns::parse(&witness).unwrap().to_vec().unwrap();
            let prover = Prover::new(Zkey::<E>::parse(&key).unwrap()).unwrap();
            let expected = prover.prove(&values, ProveOptions::new().insecure_seed(1)).unwrap();
            for (access, points) in [(Access::Map, KeyPoints::InKey), (Access::Copy, KeyPoints::Retained)] {
                let loaded = load(curve, access);
                let info = loaded.circuit().info();
                assert_eq!((info.curve, info.signals, info.public), (E::ID, values.len(), expected.public.len()));
                loaded.circuit().prepare(points).unwrap();
                assert_eq!(loaded.values(&witness).unwrap(), values);
                let options = ProveOptions::new().insecure_seed(1);
                let witnesses = [&values[..], &values];
                for proven in loaded.prove_many(witnesses, options) {
                    let proven = proven.unwrap();
                    assert_eq!(proven.proof.decode::<E>().unwrap(), expected.proof);
                    assert_eq!(proven.public_text(), public_to_json(&expected.public));
                }
                let (public, proof) = (public_to_json(&expected.public), fs::read(data(curve, "proof.json")).unwrap());
                let claim = TextClaim { public: public.as_bytes(), proof: &proof };
                assert!(loaded.circuit().verify(&[claim]).unwrap().is_none());
                let other = TextClaim { public: br#"["1","1"]"#, ..claim };
                assert_eq!(loaded.circuit().verify(&[claim, other]).unwrap().unwrap().index, 1);
                let text = fs::read_to_string(data(curve, "verification_key.json")).unwrap();
                assert_eq!(loaded.circuit().verifying_key().unwrap().to_text(), text);
            }
        })
        .unwrap();
    }
}

#[test]
fn errors_say_whose_fault_they_are() {
    let fault = |result: Result<(), Error>| result.unwrap_err().fault();
    let loaded = load(CurveId::Bn254, Access::Map);
    let values = loaded.values(&witness(CurveId::Bn254)).unwrap();
    let prove = |values: &[_], options| loaded.prove(values, options).map(drop);

    assert_eq!(fault(Loaded::new(Source::of(vec![1, 2, 3])).map(drop)), Fault::Key);
    assert_eq!(fault(loaded.values(b"wtns").map(drop)), Fault::Witness);
    assert_eq!(fault(loaded.values(&witness(CurveId::Bls12_381)).map(drop)), Fault::Witness);
    assert_eq!(fault(prove(&values[1..], ProveOptions::new())), Fault::Witness);
    let mut wrong = values.clone();
    wrong[3] = 12345u64.into();
    assert_eq!(fault(prove(&wrong, ProveOptions::new())), Fault::Witness);
    assert_eq!(fault(prove(&values, ProveOptions::new().memory(1))), Fault::Limits);
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(fault(prove(&values, ProveOptions::new().cancel(&cancel))), Fault::Cancelled);
    let claim = TextClaim { public: b"[]", proof: b"{}" };
    assert_eq!(fault(loaded.circuit().verify(&[claim]).map(drop)), Fault::Claim);
    assert_eq!(fault(loaded.circuit().verify(&[]).map(drop)), Fault::Claim);

    // The last coordinate of a point of A is changed.
    let key = fs::read(data(CurveId::Bn254, "power.zkey")).unwrap();
    let mut damaged = key.clone();
    let parsed = Zkey::<bucketwheel_groth16::Bn254>::parse(&key).unwrap();
    let point = parsed.a.get(1);
    let mut bytes = Vec::new();
    bucketwheel_groth16::file::Montgomery::write_montgomery(&point.y, &mut bytes);
    let at = key.windows(32).position(|window| window == bytes).expect("the point's y");
    damaged[at] ^= 1;
    let damaged = Loaded::new(Source::of(damaged)).unwrap();
    assert_eq!(fault(damaged.prove(&values, ProveOptions::new()).map(drop)), Fault::Key);
}

/// A mapped file gives its pages back, and reads the same bytes again.
#[test]
#[cfg(target_os = "linux")]
fn pages_are_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let bytes: Vec<u8> = (0..4_u32 << 18).flat_map(u32::to_le_bytes).collect();
    fs::write(&path, &bytes).unwrap();
    let resident = || {
        let maps = fs::read_to_string("/proc/self/smaps").unwrap();
        let mut lines = maps.lines().skip_while(|line| !line.ends_with(path.to_str().unwrap()));
        let line = lines.find_map(|line| line.strip_prefix("Rss:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
    };
    let file = Source::open(&path, Access::Map).unwrap();
    assert_eq!(&file[..], bytes);
    assert_eq!(resident(), bytes.len());
    file.release(&file[1 << 20..3 << 20]);
    // A huge page goes as a whole.
    assert!(resident() <= bytes.len() / 2);
    assert_eq!(&file[..], bytes);
    // These bytes are not the file's.
    file.release(&bytes);
    Source::of(bytes).release(&file);
    assert_eq!(resident(), file.len());
}

/// Progress that nobody sees.
struct Silent;

impl Progress for Silent {
    fn report(&self, _: usize, _: usize) {}
}

#[test]
fn keys_are_checked_and_warn() {
    let ceremony = |name| fs::read(data(CurveId::Bn254, "..").join("ceremony").join(name)).unwrap();
    let (file, powers) = (fs::read(data(CurveId::Bn254, "power.r1cs")).unwrap(), ceremony("bn254-3.ptau"));
    let (circuit, cancel) = (R1cs::parse(&file).unwrap(), Cancel::new());
    for (name, warnings) in
        [("bn254-3.zkey", vec![]), ("bn254-3-first.zkey", vec![FileWarning::NoContribution])]
    {
        let loaded = Loaded::new(Source::of(ceremony(name))).unwrap();
        let key = loaded.circuit();
        assert_eq!(key.warnings(), warnings);
        key.check_points(&cancel, &Silent).unwrap();
        key.check_agreement(&cancel, &Silent).unwrap();
        key.check_powers(&powers, &cancel, &Silent).unwrap();
        key.check_circuit(&circuit, &powers, &cancel, &Silent).unwrap();
        let other = key.check_circuit(&circuit, &ceremony("bn254-4.ptau"), &cancel, &Silent).unwrap_err();
        assert_eq!(other.fault(), Fault::Key);
        assert!(other.to_string().contains("alpha1 differs from the alpha1 of the powers of tau"), "{other}");
        assert_eq!(key.check_powers(&file, &cancel, &Silent).unwrap_err().fault(), Fault::Powers);
    }
    // Behind lengths, primes and counts come alpha1, beta1, beta2, gamma2, and then delta1.
    let mut key = fs::read(data(CurveId::Bn254, "power.zkey")).unwrap();
    key[40 + 84 + 6 * 64..][..64].fill(0);
    let loaded = Loaded::new(Source::of(key)).unwrap();
    for error in [
        loaded.circuit().prepare(KeyPoints::InKey).unwrap_err(),
        loaded.circuit().prepare(KeyPoints::Retained).unwrap_err(),
        loaded.circuit().check_agreement(&cancel, &Silent).unwrap_err(),
    ] {
        assert_eq!(error.fault(), Fault::Key);
        assert!(error.to_string().starts_with("delta1 is the point at infinity"), "{error}");
    }
}

#[test]
fn files_that_change_are_noticed_and_copies_do_not_mind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("circuit.zkey");
    let values = load(CurveId::Bn254, Access::Map).values(&witness(CurveId::Bn254)).unwrap();
    let key = fs::read(data(CurveId::Bn254, "power.zkey")).unwrap();
    for access in [Access::Map, Access::Copy] {
        for replaced in [false, true] {
            fs::write(&path, &key).unwrap();
            let loaded = Loaded::new(Source::open(&path, access).unwrap()).unwrap();
            loaded.prove(&values, ProveOptions::new()).unwrap();
            if replaced {
                // The file is replaced by renaming, which does not change the mapped file.
                let new = folder.path().join("new");
                fs::write(&new, b"another file").unwrap();
                fs::rename(&new, &path).unwrap();
            } else if access == Access::Copy {
                // The file is overwritten, as `cp` does, which would end a process that has mapped the file.
                fs::write(&path, b"another file").unwrap();
            } else {
                let file = fs::OpenOptions::new().append(true).open(&path).unwrap();
                file.set_len(key.len() as u64 + 1).unwrap();
            }
            match loaded.prove(&values, ProveOptions::new()) {
                Err(Error::Changed { path: changed }) => {
                    assert_eq!((access, replaced, changed), (Access::Map, false, path.clone()));
                }
                proven => assert!(proven.is_ok() && (replaced || access == Access::Copy), "{proven:?}"),
            }
        }
    }
}

#[test]
fn what_is_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for access in [Access::Map, Access::Copy] {
        let error = Source::open(folder.path(), access).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
        let error = Source::open(&folder.path().join("none"), access).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    }
}
