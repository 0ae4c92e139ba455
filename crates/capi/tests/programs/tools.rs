//! Programs that the tests run if they are installed.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the path of a file of this crate.
pub fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the path of the library, which cargo leaves beside the tests that are linked with it.
pub fn library(ending: &str) -> PathBuf {
    let test = env::current_exe().unwrap();
    let library = test.parent().unwrap().join(format!("libbucketwheel_c.{ending}"));
    assert!(library.exists(), "{}", library.display());
    library
}

/// Runs a command that must succeed, and returns its output.
pub fn run(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{command:?}: {}\n{stdout}{stderr}", output.status);
    stdout.into()
}

fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).output().is_ok_and(|output| output.status.success())
}

/// Returns true if a program is installed; otherwise prints a line.
pub fn has(program: &str, hint: &str) -> bool {
    let found = succeeds(Command::new(program).arg("--version"));
    if !found {
        eprintln!("skipped: there is no {program}; {hint}");
    }
    found
}

fn compiler_name() -> String {
    env::var("CC").unwrap_or("cc".into())
}

pub fn has_compiler() -> bool {
    has(&compiler_name(), "tools/setup.sh installs it")
}

/// Returns the C compiler, which treats warnings as errors.
pub fn compiler() -> Command {
    let mut compiler = Command::new(compiler_name());
    compiler.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-O1", "-I"]).arg(source("include"));
    compiler
}

/// Compiles a file as C or C++.
pub fn compile(code: &Path, folder: &Path, flags: &[&str]) -> PathBuf {
    let object = folder.join("program.o");
    run(compiler().arg("-c").args(flags).arg(code).arg("-o").arg(&object));
    object
}

/// Returns true if a program can be linked with a flag; otherwise prints a line.
pub fn links(flag: &str, folder: &Path) -> bool {
    let empty = folder.join("main.c");
    fs::write(&empty, "int main(void) { return 0; }").unwrap();
    let linked = succeeds(compiler().arg(&empty).arg(flag).arg("-o").arg(folder.join("main")));
    if !linked {
        eprintln!("skipped: the compiler cannot link with {flag}; tools/setup.sh installs what it takes");
    }
    linked
}

/// Links a program with the static library.
pub fn with_archive(object: &Path, flags: &[&str]) -> PathBuf {
    let mut compiler = compiler();
    compiler.args(flags).arg(object).arg(library("a"));
    // `rustc --print native-static-libs`
    compiler.args(["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"]);
    link(compiler, object, "archive")
}

/// Links a program with the shared library, which the loader finds by its soname.
pub fn with_shared_library(object: &Path) -> PathBuf {
    let folder = object.parent().unwrap();
    let named = folder.join("libbucketwheel.so.0");
    fs::copy(library("so"), &named).unwrap();
    let mut compiler = compiler();
    compiler.arg(object).arg(&named).arg("-lpthread").arg(format!("-Wl,-rpath,{}", folder.display()));
    link(compiler, object, "shared")
}

fn link(mut compiler: Command, object: &Path, name: &str) -> PathBuf {
    let program = object.with_file_name(name);
    run(compiler.arg("-o").arg(&program));
    program
}
