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
    let library = test.parent().unwrap().join(format!("librapidsnark.{ending}"));
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
    let found =
        succeeds(Command::new(program).arg("--version")) || succeeds(Command::new(program).arg("version"));
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
    compiler.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g"]);
    compiler
}

/// Compiles `conformance.c`.
pub fn compile(folder: &Path, flags: &[&str]) -> PathBuf {
    let object = folder.join("conformance.o");
    let mut compiler = compiler();
    compiler.args(["-std=c11", "-O1", "-c", "-I"]).arg(source("include")).args(flags);
    run(compiler.arg(source("tests/c/conformance.c")).arg("-o").arg(&object));
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

/// `conformance.c`, linked with a library.
pub struct Program(PathBuf);

impl Program {
    /// Links the program with our static library.
    pub fn of_archive(object: &Path, flags: &[&str]) -> Self {
        let mut compiler = compiler();
        compiler.args(flags).arg(object).arg(library("a"));
        // `rustc --print native-static-libs`
        compiler.args(["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"]);
        Self::link(compiler, object, "archive")
    }

    /// Links the program with our shared library.
    pub fn of_shared_library(object: &Path) -> Self {
        let mut compiler = compiler();
        let library = library("so");
        compiler.arg(object).arg(&library).arg("-lpthread");
        // The loader looks in these tags before cargo's library path, which may contain the library of an earlier
        // build.
        let folder = library.parent().unwrap().display();
        compiler.args(["-Wl,--disable-new-dtags".into(), format!("-Wl,-rpath,{folder}")]);
        Self::link(compiler, object, "shared")
    }

    /// Links the program with rapidsnark's library.
    pub fn of_rapidsnark(object: &Path, rapidsnark: &Rapidsnark) -> Self {
        let mut compiler = compiler();
        compiler.arg(object).args([&rapidsnark.library, &rapidsnark.gmp]);
        compiler.args(["-lstdc++", "-lgomp", "-lpthread", "-lm"]);
        Self::link(compiler, object, "rapidsnark")
    }

    fn link(mut compiler: Command, object: &Path, name: &str) -> Self {
        let program = object.with_file_name(name);
        run(compiler.arg("-o").arg(&program));
        Program(program)
    }

    /// Returns the path of the program.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns a command that runs one of the program's commands.
    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.0);
        command.arg(name);
        command
    }
}

/// rapidsnark's own library, and the GMP library that it needs.
pub struct Rapidsnark {
    library: PathBuf,
    gmp: PathBuf,
}

impl Rapidsnark {
    /// Finds the libraries in go-rapidsnark's module.
    pub fn find() -> Option<Self> {
        const MODULE: &str = "github.com/iden3/go-rapidsnark/prover";
        if !has("go", "https://go.dev has it") {
            return None;
        }
        let go = |arguments: &[&str]| {
            let output = Command::new("go").current_dir(source("tests/go")).args(arguments).output().ok()?;
            output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let folder = go(&["mod", "download"]).and_then(|_| go(&["list", "-m", "-f", "{{.Dir}}", MODULE]));
        let Some(folder) = folder.filter(|folder| !folder.is_empty()) else {
            eprintln!("skipped: Go cannot download {MODULE}");
            return None;
        };
        let system = match (env::consts::OS, env::consts::ARCH) {
            ("linux", "x86_64") => "linux-amd64",
            ("linux", "aarch64") => "linux-arm64",
            (system, processor) => {
                eprintln!("skipped: {MODULE} has no library for {system} on {processor}");
                return None;
            }
        };
        let file = |name| Path::new(&folder).join(format!("rapidsnark_vendor/{name}-{system}.a"));
        Some(Rapidsnark { library: file("librapidsnark"), gmp: file("libgmp") })
    }
}
