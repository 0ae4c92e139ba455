//! The library in the hands of C: its symbols, its header, and programs linked with it. A test skips programs that are
//! not installed, and prints a line about it.

mod keys;
mod tools;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{BigInteger, PrimeField};
use bucketwheel::{CurveId, GroupId};
use bucketwheel_formats::{encode_points, Header};
use tools::{compile, library, run, source, with_archive, with_shared_library};

/// Returns the names of the headers' functions, sorted.
fn functions() -> Vec<String> {
    let header = ["bucketwheel.h", "bucketwheel_blst.h"]
        .map(|name| fs::read_to_string(source("include").join(name)).unwrap());
    let header = header.concat();
    let declarations = header.lines().filter(|line| !line.starts_with([' ', '/', '#']) && line.contains('('));
    let name = |line: &str| {
        let start = line.find("bw_").filter(|_| !line.starts_with("typedef"))?;
        let name = line[..line.find('(')?].rsplit([' ', '*']).next()?;
        (start <= line.len()).then(|| name.to_owned())
    };
    let mut names: Vec<_> = declarations.filter_map(name).collect();
    names.sort();
    names
}

#[test]
fn the_shared_library_has_the_functions_of_the_headers_and_nothing_else() {
    let functions = functions();
    assert!(functions.len() > 25 && functions.iter().all(|name| name.starts_with("bw_")), "{functions:?}");
    if tools::has("nm", "binutils has it") {
        let symbols = run(Command::new("nm").args(["-D", "--defined-only"]).arg(library("so")));
        let names: Vec<_> = symbols.lines().filter_map(|line| line.split(' ').next_back()).collect();
        assert_eq!(names, functions);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_shared_library_names_its_interface() {
    let header = fs::read_to_string(source("include/bucketwheel.h")).unwrap();
    let version =
        header.split("#define BW_ABI_VERSION ").nth(1).and_then(|text| text.lines().next()).unwrap();
    if tools::has("readelf", "binutils has it") {
        let dynamic = run(Command::new("readelf").arg("-d").arg(library("so")));
        assert!(dynamic.contains(&format!("[libbucketwheel.so.{version}]")), "{dynamic}");
    }
}

#[test]
fn the_header_is_c_and_cpp() {
    if !tools::has_compiler() {
        return;
    }
    for language in [["c", "-std=c99"], ["c", "-std=c11"], ["c++", "-std=c++11"], ["c++", "-std=c++20"]] {
        let mut compiler = tools::compiler();
        compiler.args(["-x", language[0], language[1], "-fsyntax-only"]);
        run(compiler.arg(source("include/bucketwheel.h")));
    }
}

/// Types of blst.h that bucketwheel_blst.h names, and a call as programs write it.
const BLST: [&str; 2] = [
    "typedef unsigned char byte; typedef unsigned long limb_t;
    typedef struct { limb_t x[6], y[6], z[6]; } blst_p1; typedef struct { limb_t x[6], y[6]; } blst_p1_affine;
    typedef struct { limb_t x[12], y[12], z[12]; } blst_p2; typedef struct { limb_t x[12], y[12]; } blst_p2_affine;",
    "#include <stddef.h>
    #include <bucketwheel_blst.h>
    static blst_p1 sum1; static blst_p2 sum2; static blst_p1_affine points1[2]; static blst_p2_affine points2[2];
    int main(void) {
        static const byte bytes[64] = {1};
        const blst_p1_affine *const p1[] = {points1, NULL};
        const blst_p2_affine *const p2[] = {&points2[0], &points2[1]};
        const byte *const scalars[] = {bytes, NULL};
        limb_t scratch[1];
        blst_p1s_mult_pippenger(&sum1, p1, 2, scalars, 255, scratch);
        return blst_p2s_mult_pippenger(&sum2, p2, 2, scalars, 255, scratch);
    }",
];

#[test]
fn blsts_names_are_ours_by_a_header() {
    if !tools::has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [header, code] = ["blst.h", "program.c"].map(|name| folder.path().join(name));
    fs::write(header, BLST[0]).unwrap();
    fs::write(&code, BLST[1]).unwrap();
    let include = format!("-I{}", folder.path().display());
    for language in [["-x", "c", "-std=c11"], ["-x", "c++", "-std=c++11"]] {
        let object = compile(&code, folder.path(), &[&language[..], &[&include]].concat());
        run(&mut Command::new(with_archive(&object, &[])));
    }
}

/// Makes a folder with the keys and witnesses of a circuit on both curves, and with the WebAssembly of another circuit.
fn circuits() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for curve in ["bn254", "bls12-381"] {
        fs::create_dir(folder.path().join(curve)).unwrap();
        for name in ["power.zkey", "power.wtns", "verification_key.json"] {
            let from = source("../snarkjs/tests/data").join(curve).join(name);
            fs::copy(from, folder.path().join(curve).join(name)).unwrap();
        }
    }
    let at = |name| folder.path().join("bn254").join(name);
    for name in ["arrays.wasm", "arrays.json"] {
        fs::copy(keys::circom(name), at(name)).unwrap();
    }
    keys::write_key(&at("arrays.zkey"));
    folder
}

/// Compiles the program that makes all calls.
fn compile_calls(folder: &Path, flags: &[&str]) -> PathBuf {
    let calculator = cfg!(feature = "witness").then_some("-DHAS_CALCULATOR");
    let flags: Vec<_> = flags.iter().copied().chain(calculator).collect();
    compile(&source("tests/c/calls.c"), folder, &flags)
}

#[test]
fn calls_do_what_the_header_says() {
    if !tools::has_compiler() {
        return;
    }
    let folder = circuits();
    let object = compile_calls(folder.path(), &["-std=gnu11"]);
    run(Command::new(with_archive(&object, &[])).arg(folder.path()));
    run(Command::new(with_shared_library(&object)).arg(folder.path()));
    let object = compile_calls(folder.path(), &["-x", "c++", "-std=gnu++11"]);
    run(Command::new(with_archive(&object, &[])).arg(folder.path()));
}

#[test]
fn calls_touch_no_memory_but_their_own() {
    if !tools::has_compiler() {
        return;
    }
    let folder = circuits();
    if tools::links("-fsanitize=address", folder.path()) {
        let object = compile_calls(folder.path(), &["-std=gnu11", "-fsanitize=address"]);
        run(Command::new(with_archive(&object, &["-fsanitize=address"])).arg(folder.path()));
    }
    if tools::has("valgrind", "Debian's package of the same name has it") {
        let object = compile_calls(folder.path(), &["-std=gnu11"]);
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["-q", "--error-exitcode=9", "--leak-check=full"]);
        valgrind.args(["--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]);
        // valgrind has no AVX-512.
        if cfg!(target_arch = "x86_64") {
            valgrind.env("BUCKETWHEEL_BACKEND", "avx2");
        }
        run(valgrind.arg(with_archive(&object, &[])).arg(folder.path()));
    }
}

/// rayon panics where it cannot start its threads. Here, only addresses for their stacks are missing.
#[test]
#[cfg(target_os = "linux")]
fn a_panic_is_an_error() {
    if !tools::has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let object = compile_calls(folder.path(), &["-std=gnu11"]);
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 4000000 && exec \"$0\" \"$@\""]).arg(with_archive(&object, &[]));
    let output = shell.arg(folder.path()).env("RUST_MIN_STACK", (1u64 << 36).to_string()).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("panicked at") && stderr.contains("last error: internal error"), "{stderr}");
}

/// Compiles and runs the program of docs/c.md.
#[test]
fn the_documented_program_sums() {
    if !tools::has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(source("../../docs/c.md")).unwrap();
    let programs = text.split("```c\n").skip(1).filter_map(|text| text.split("```").next());
    let program = programs.into_iter().find(|program| program.contains("<bucketwheel.h>")).unwrap();
    let [code, points] = ["program.c", "g1.points"].map(|name| folder.path().join(name));
    fs::write(&code, program).unwrap();
    let program = with_shared_library(&compile(&code, folder.path(), &["-std=c11"]));

    let multiples: Vec<G1Affine> =
        (1..=100u64).map(|i| (G1Affine::generator() * Fr::from(i)).into_affine()).collect();
    let header = Header { curve: CurveId::Bls12_381, group: Some(GroupId::G1), count: 100 };
    let mut bytes = header.encode().to_vec();
    encode_points(&multiples, &mut bytes).unwrap();
    fs::write(&points, &bytes).unwrap();
    let sum: G1Projective = multiples.iter().zip(1u64..).map(|(point, i)| *point * Fr::from(i)).sum();
    let sum = sum.into_affine();
    let hexadecimal = |bytes: Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let expected = [sum.x, sum.y].map(|coordinate| hexadecimal(coordinate.into_bigint().to_bytes_be()));
    assert_eq!(run(Command::new(&program).arg(&points)), format!("{}\n{}\n", expected[0], expected[1]));

    fs::write(&points, &bytes[..1000]).unwrap();
    let output = Command::new(&program).arg(&points).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr.contains("g1.points: 1000 bytes: expected 9664"), "{stderr}");
}
