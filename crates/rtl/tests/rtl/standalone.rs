//! The benches that read files, which need neither Rust nor C++ of their own.

/// The plain testbench: the vectors hold, and one digit that is changed is found.
#[test]
fn vectors_hold() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut verilator = Command::new("verilator");
    verilator.args(["--binary", "--timing", "--top-module", "check_vectors", "-GKIND=0", "--Mdir"]);
    verilator.arg(folder.join("check_vectors")).args(["-Wno-fatal", "-Wno-WIDTH", "--expand-limit", "0"]);
    verilator.args(["-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"]);
    for part in ["tb", "rtl/common", "rtl/field", "rtl/curve"] {
        verilator.arg("-y").arg(hdl().join(part));
    }
    let packages = ["field_pkg", "bls12_377_pkg", "bn254_pkg"];
    verilator.args(packages.map(|name| hdl().join("rtl/field").join(name).with_extension("sv")));
    verilator.arg(hdl().join("tb/check_vectors.sv"));
    let run = |command: &mut Command| -> Output { command.output().expect("a program that runs") };
    let built = run(&mut verilator);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let check = |vectors: &Path| {
        let mut simulation = Command::new(folder.join("check_vectors/Vcheck_vectors"));
        run(simulation.arg(format!("+vectors={}", vectors.display())))
    };
    let output = check(&hdl().join("vectors"));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("all vectors of 11 blocks hold"), "{said}");

    let changed = folder.join("changed_vectors");
    fs::create_dir_all(&changed).unwrap();
    for (name, _) in files() {
        let mut bytes = fs::read(hdl().join("vectors").join(name).with_extension("hex")).unwrap();
        let last = bytes.len() - 2;
        bytes[last] = if bytes[last] == b'0' { b'1' } else { b'0' };
        fs::write(changed.join(name).with_extension("hex"), bytes).unwrap();
    }
    let output = check(&changed);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && said.contains("11 results are wrong"), "{said}");
}
