//! The benches that read files, which need neither Rust nor their own C++ (`hdl/wave.sh`).

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

fn run(command: &mut Command) -> Output {
    command.output().expect("a program that runs")
}

/// Runs all arithmetic blocks at once: the vectors hold, and a changed digit of any vector is found.
#[test]
fn vectors_hold() {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let hdl = manifest.join("../../hdl");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut verilator = Command::new("verilator");
    verilator.args(["--binary", "--timing", "--top-module", "check_vectors", "-GKIND=0", "--Mdir"]);
    verilator.arg(folder.join("check_vectors")).args(["-Wno-fatal", "--timescale", "1ns/1ps"]);
    verilator.args(["--expand-limit", "0", "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"]);
    verilator
        .arg("-F")
        .arg(hdl.join("rtl.f"))
        .arg("-y")
        .arg(hdl.join("tb"))
        .arg(hdl.join("tb/check_vectors.sv"));
    let built = run(&mut verilator);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let check = |vectors: &Path| {
        let mut simulation = Command::new(folder.join("check_vectors/Vcheck_vectors"));
        run(simulation.arg(format!("+vectors={}", vectors.display())))
    };
    let output = check(&hdl.join("vectors"));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("vectors: all as it should be"), "{said}");

    // Streams of blocks that can wait have two dots in their names.
    let changed = folder.join("changed_vectors");
    fs::create_dir_all(&changed).unwrap();
    let files = fs::read_dir(hdl.join("vectors")).unwrap().map(|entry| entry.unwrap().path());
    let arithmetic: Vec<_> = files.filter(|path| path.with_extension("").extension().is_none()).collect();
    assert_eq!(arithmetic.len(), 11);
    for path in arithmetic {
        let mut bytes = fs::read(&path).unwrap();
        let last = bytes.len() - 2;
        bytes[last] = if bytes[last] == b'0' { b'1' } else { b'0' };
        fs::write(changed.join(path.file_name().unwrap()), bytes).unwrap();
    }
    let output = check(&changed);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && said.contains("11 words are wrong"), "{said}");
}
