//! The library for C and Go: one C program of calls, linked with our library and, if Go has it, with rapidsnark's; and
//! unchanged go-rapidsnark on our library. A test skips missing tools, and prints a line about it.

mod keys;
mod tools;

use std::fs;
use std::process::Command;

use tools::{library, run, source, Program, Rapidsnark};

/// Functions of the two headers.
const FUNCTIONS: [&str; 10] = [
    "groth16_proof_size",
    "groth16_prover",
    "groth16_prover_create",
    "groth16_prover_create_zkey_file",
    "groth16_prover_destroy",
    "groth16_prover_prove",
    "groth16_prover_zkey_file",
    "groth16_public_size_for_zkey_buf",
    "groth16_public_size_for_zkey_file",
    "groth16_verify",
];

#[test]
fn the_shared_library_has_rapidsnarks_functions_and_nothing_else() {
    if tools::has("nm", "binutils has it") {
        let symbols = run(Command::new("nm").args(["-D", "--defined-only"]).arg(library("so")));
        let names: Vec<_> = symbols.lines().filter_map(|line| line.split(' ').next_back()).collect();
        assert_eq!(names, FUNCTIONS);
    }
}

#[test]
fn headers_are_c_and_cpp_with_either_type_of_sizes() {
    if !tools::has_compiler() {
        return;
    }
    for language in [["c", "-std=c99"], ["c++", "-std=c++11"]] {
        for sizes in ["-URAPIDSNARK_UNSIGNED_LONG_LONG", "-DRAPIDSNARK_UNSIGNED_LONG_LONG"] {
            for header in ["prover.h", "verifier.h"] {
                let mut compiler = tools::compiler();
                compiler.args(["-x", language[0], language[1], sizes, "-fsyntax-only"]);
                run(compiler.arg(source("include").join(header)));
            }
        }
    }
}

/// Compiles and runs the program of docs/c.md.
#[test]
fn the_documented_program_proves() {
    if !tools::has_compiler() {
        return;
    }
    let folder = keys::folder();
    let text = fs::read_to_string(source("../../docs/c.md")).unwrap();
    let programs = text.split("```c\n").skip(1).filter_map(|text| text.split("```").next());
    let program = programs.into_iter().find(|program| program.contains("<prover.h>")).unwrap();
    let [code, object] = ["program.c", "program.o"].map(|name| folder.path().join(name));
    fs::write(&code, program).unwrap();
    run(tools::compiler().arg("-c").arg("-I").arg(source("include")).arg(&code).arg("-o").arg(&object));
    let program = Program::of_shared_library(&object);
    for circuit in ["power", "many", "none"] {
        let mut command = Command::new(program.path());
        command
            .args(["zkey", "wtns", "json"].map(|ending| folder.path().join(format!("{circuit}.{ending}"))));
        assert!(run(&mut command).starts_with("{\"pi_a\":[\""));
    }
    let output = Command::new(program.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn calls_do_what_rapidsnarks_do() {
    if !tools::has_compiler() {
        return;
    }
    let folder = keys::folder();
    let object = tools::compile(folder.path(), &[]);
    let ours = [Program::of_archive(&object, &[]), Program::of_shared_library(&object)];
    for (program, step) in ours.iter().zip(["2", "20"]) {
        run(program.command("all").arg(folder.path()).arg(step));
    }

    let Some(rapidsnark) = Rapidsnark::find() else { return };
    // Links the same object file with rapidsnark's library.
    let theirs = Program::of_rapidsnark(&object, &rapidsnark);
    run(theirs.command("both").arg(folder.path()).arg("1"));
    for (prover, verifier) in [(&ours[0], &theirs), (&theirs, &ours[0]), (&ours[0], &ours[1])] {
        for circuit in ["power", "many"] {
            let file = |ending: &str| folder.path().join(format!("{circuit}.{ending}"));
            let (proof, public) = (file("proof"), file("public"));
            run(prover.command("prove").args([&file("zkey"), &file("wtns"), &proof, &public]));
            let code = run(verifier.command("verify").args([&proof, &public, &file("json")]));
            assert_eq!(code, "0\n");
            assert_eq!(fs::read(&public).unwrap(), fs::read(file("expected")).unwrap());
        }
    }
}

#[test]
fn calls_touch_no_memory_but_their_own() {
    if !tools::has_compiler() {
        return;
    }
    let folder = keys::folder();
    if tools::links("-fsanitize=address", folder.path()) {
        let flags = ["-fsanitize=address"];
        let program = Program::of_archive(&tools::compile(folder.path(), &flags), &flags);
        run(program.command("all").arg(folder.path()).arg("20"));
    }
    if tools::has("valgrind", "Debian's package of the same name has it") {
        let program = Program::of_archive(&tools::compile(folder.path(), &[]), &[]);
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["-q", "--error-exitcode=9", "--leak-check=full"]);
        valgrind.args(["--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]);
        // valgrind has no AVX-512, so this run uses AVX2.
        run(valgrind.arg(program.path()).arg("all").arg(folder.path()).arg("100"));
    }
}

/// rayon panics where it cannot start its threads. Here, only addresses for their stacks are missing.
#[test]
#[cfg(target_os = "linux")]
fn a_panic_is_an_error() {
    if !tools::has_compiler() {
        return;
    }
    let folder = keys::folder();
    let object = tools::compile(folder.path(), &[]);
    let program = Program::of_archive(&object, &[]);
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 4000000 && exec \"$0\" \"$@\""]).arg(program.path()).arg("prove");
    shell.args(["power.zkey", "power.wtns", "proof", "public"]).current_dir(folder.path());
    let output = shell.env("RUST_MIN_STACK", (1u64 << 36).to_string()).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("panicked at") && stderr.contains("conformance: no proof: internal error"),
        "{stderr}"
    );
}

#[test]
fn go_rapidsnark_proves_with_it() {
    if !tools::has_compiler() || Rapidsnark::find().is_none() {
        return;
    }
    let folder = keys::folder();
    // go-rapidsnark links with GMP, which our library does not use.
    if !tools::links("-lgmp", folder.path()) {
        return;
    }
    let libraries = library("so");
    let libraries = libraries.parent().unwrap();
    let program = folder.path().join("go");
    let mut go = Command::new("go");
    go.current_dir(source("tests/go")).args(["build", "-tags", "dynamic", "-o"]).arg(&program).arg(".");
    go.env("CGO_CFLAGS", format!("-I{}", source("include").display()));
    go.env("CGO_LDFLAGS", format!("-L{}", libraries.display()));
    run(&mut go);
    let verifier = Program::of_archive(&tools::compile(folder.path(), &[]), &[]);
    // The text of the second circuit's signals has 24 KB, more than go-rapidsnark's first buffers.
    for circuit in ["power", "many"] {
        let file = |ending: &str| folder.path().join(format!("{circuit}.{ending}"));
        let (proof, public) = (file("proof"), file("public"));
        let mut go = Command::new(&program);
        go.env("LD_LIBRARY_PATH", libraries).args([&file("zkey"), &file("wtns"), &proof, &public]);
        run(go.arg("check"));
        assert_eq!(run(verifier.command("verify").args([&proof, &public, &file("json")])), "0\n");
        assert_eq!(fs::read(&public).unwrap(), fs::read(file("expected")).unwrap());
    }
}
