//! Tests that provers make valid proofs, and that invalid proofs are found.

use super::check::Products;
use super::imported::{Imported, chain as chain_of_profile, jsnark};
use super::kind::Prover;
use super::prove;
use super::provers::Programs;
use super::workload::{self, Workload};
use crate::args::ProveArgs;
use crate::files::map;
use bucketwheel_groth16::{CurveId, PairingCurve, with_pairing};
use std::fs;
use std::path::{Path, PathBuf};

/// A separate folder for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("bucketwheel-bench-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Returns a workload from the data of the crate's tests.
    fn workload(&self, curve: &str) -> Workload {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/snarkjs/tests/data").join(curve);
        let folder = self.0.join(curve);
        fs::create_dir_all(&folder).unwrap();
        fs::copy(data.join("power.zkey"), folder.join("circuit.zkey")).unwrap();
        fs::copy(data.join("power.wtns"), folder.join("witness.wtns")).unwrap();
        for name in ["proof.json", "public.json"] {
            fs::copy(data.join(name), self.0.join(name)).unwrap();
        }
        workload::find(&self.0, &[curve.to_owned()]).unwrap().remove(0)
    }

    fn products(&self) -> Products {
        Products { folder: self.0.clone() }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const CURVES: [&str; 2] = ["bn254", "bls12-381"];

#[test]
fn libraries_make_proofs_that_hold() {
    let folder = Folder::new("libraries");
    for curve in CURVES {
        let workload = folder.workload(curve);
        let products = folder.products();
        let programs = Programs::new(&[]).unwrap();
        programs.prepare(&[Prover::Arkworks], &workload).unwrap();
        for (prover, key) in
            [(Prover::Bucketwheel, workload.key()), (Prover::Arkworks, programs.arkworks_key())]
        {
            products.clear().unwrap();
            let (proof, public) = (products.proof(), products.public());
            prove(&ProveArgs { prover, key, witness: workload.witness(), proof, public, threads: 2 })
                .unwrap();
            products.check(prover, &workload).unwrap();
        }
    }
}

#[test]
fn proofs_that_do_not_hold_are_found() {
    let folder = Folder::new("check");
    for curve in CURVES {
        let workload = folder.workload(curve);
        let products = folder.products();
        let good = fs::read_to_string(products.proof()).unwrap();
        // A and C are both in G1; exchanged, they are not a proof.
        let exchanged = good.replace("pi_a", "pi_x").replace("pi_c", "pi_a").replace("pi_x", "pi_c");
        // arkworks checks our proofs, and our verifier checks the others.
        for prover in [Prover::Bucketwheel, Prover::Snarkjs] {
            fs::write(products.proof(), &good).unwrap();
            products.check(prover, &workload).unwrap();
            fs::write(products.proof(), &exchanged).unwrap();
            let error = products.check(prover, &workload).unwrap_err();
            assert_eq!(error.to_string(), "the proof does not hold");
        }
        fs::write(products.proof(), &good).unwrap();
        let other = Workload { public: vec!["1".to_owned()], ..workload };
        let error = products.check(Prover::Snarkjs, &other).unwrap_err();
        assert_eq!(error.to_string(), "other public signals than the witness has");
        products.clear().unwrap();
        assert!(products.check(Prover::Snarkjs, &other).is_err());
    }
}

#[test]
fn programs_in_go_make_proofs_that_hold() {
    let folder = Folder::new("go");
    let products = folder.products();
    let provers = [Prover::Gnark, Prover::Rapidsnark, Prover::GoRapidsnark];
    let programs = Programs::new(&provers).unwrap();
    let processors = super::process::processors().unwrap();
    for curve in CURVES {
        let power = folder.workload(curve);
        let chain = chain(&folder, folder.workload(curve));
        for (prover, workload) in provers.into_iter().zip([&chain, &power, &power]) {
            let Some(mut job) = programs.job(prover, workload, &processors[..1], &products).unwrap() else {
                assert!(prover != Prover::Gnark && workload.curve == CurveId::Bls12_381);
                continue;
            };
            for _ in 0..2 {
                products.clear().unwrap();
                let attempt = job(super::process::Watch::Memory).unwrap();
                products.check(prover, workload).unwrap();
                assert!(attempt.seconds > 0.0 && attempt.report.prove > 0.0);
                // gnark is a server; another process may end before its memory is sampled, because the proof is small.
                assert!(attempt.memory.is_none() || prover != Prover::Gnark);
            }
        }
        assert!(programs.job(Prover::Gnark, &power, &processors, &products).unwrap().is_none());
    }
}

/// A chain of 2^4 - 2 multiplications that starts at 3, with c = 5.
fn chain(folder: &Folder, workload: Workload) -> Workload {
    fn end<E: PairingCurve>() -> String {
        let [start, c] = [3_u64, 5].map(E::ScalarField::from);
        (0..14).fold(start, |x, _| x * x + c).to_string()
    }
    fs::write(folder.0.join("input.json"), r#"{"start":"3","c":"5"}"#).unwrap();
    let end = with_pairing!(workload.curve, E => end::<E>()).unwrap();
    Workload { name: "chain-4".to_owned(), folder: folder.0.clone(), public: vec![end], ..workload }
}

#[test]
fn imported_circuits_are_workloads_of_proofs_that_hold() {
    let folder = Folder::new("imported");
    let products = folder.products();
    let prove = |imported: &Imported| {
        let workload = &imported.workload;
        products.clear().unwrap();
        let (key, witness) = (workload.key(), workload.witness());
        let (proof, public) = (products.proof(), products.public());
        prove(&ProveArgs { prover: Prover::Bucketwheel, key, witness, proof, public, threads: 1 }).unwrap();
        products.check(Prover::Bucketwheel, workload).unwrap();
    };
    let chain = chain_of_profile(5).unwrap();
    // With the constant and the output, these are all rows of the domain.
    assert_eq!((chain.workload.constraints, chain.workload.public.len()), (30, 1));
    prove(&chain);
    let left = chain.workload.folder.clone();
    drop(chain);
    assert!(!left.exists());

    let name = format!("imported-{}", std::process::id());
    let error = jsnark(&folder.0, &name).err().unwrap().to_string();
    assert!(error.contains(".arith nor") && error.contains(".arith.xz is there"), "{error}");
    let circuit = "total 3\ninput 0\nnizkinput 1\nmul in 2 <0 1> out 1 <2>\noutput 2\n";
    fs::write(folder.0.join(format!("{name}.arith")), circuit).unwrap();
    fs::write(folder.0.join(format!("{name}.in")), "0 3\n1 5\n").unwrap();
    let product = jsnark(&folder.0, &name).unwrap();
    assert_eq!(product.workload.public, ["15", "3"]);
    prove(&product);
}

#[test]
fn folders_without_what_is_needed_are_errors() {
    let folder = Folder::new("errors");
    let error = |names: &[&str]| {
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        workload::find(&folder.0, &names).err().map(|error| format!("{error:#}")).unwrap()
    };
    assert!(error(&[]).contains("expected folders with circuit.zkey and witness.wtns"));
    assert!(error(&["absent"]).contains("circuit.zkey"));
    folder.workload("bn254");
    folder.workload("bls12-381");
    let swap = |curve: &str| folder.0.join(curve).join("witness.wtns");
    fs::copy(swap("bn254"), swap("bls12-381")).unwrap();
    assert!(error(&["bls12-381"]).contains("expected"), "{}", error(&["bls12-381"]));
    fs::write(swap("bn254"), &map(&swap("bls12-381")).unwrap()[..40]).unwrap();
    assert!(error(&[]).contains("witness.wtns"));
}
