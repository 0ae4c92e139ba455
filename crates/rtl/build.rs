//! Compiles each bench of `hdl/tb` with Verilator to a C++ model, and the shim that gives the models a C ABI.

#[cfg(feature = "rtl")]
#[path = "benches.rs"]
mod benches;

#[cfg(not(feature = "rtl"))]
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
}

#[cfg(feature = "rtl")]
fn main() {
    if let Err(message) = verilated::build() {
        eprintln!("{message}");
        std::process::exit(1);
    }
}

#[cfg(feature = "rtl")]
mod verilated {
    use std::fmt::Write;
    use std::io::ErrorKind;
    use std::path::{Path, PathBuf};
    use std::process::Command;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::{env, fs, thread};

    use super::benches::{Bench, BENCHES};

    /// Environment variable with the folder for the lines that benches have run; benches write it when they are
    /// closed. Without it, they do not count.
    const COVERAGE: &str = "RTL_COVERAGE";

    /// Environment variable that includes the long benches in the tests.
    const LONG: &str = "RTL_LONG";

    /// Environment variable with the names of the only benches to compile, separated by commas. Without it, the features
    /// say which benches to compile.
    const ONLY: &str = "RTL_BENCHES";

    pub fn build() -> Result<(), String> {
        // The folder at run time, not at the compilation of this script, because a copy of the tree has its own
        // sources.
        let of_cargo =
            |name: &str| env::var_os(name).map(PathBuf::from).ok_or(format!("cargo does not set {name}"));
        let hdl = of_cargo("CARGO_MANIFEST_DIR")?.join("../../hdl");
        let out = of_cargo("OUT_DIR")?;
        for path in ["benches.rs", "build.rs"] {
            println!("cargo:rerun-if-changed={path}");
        }
        for path in ["rtl", "rtl.f", "tb"] {
            println!("cargo:rerun-if-changed={}", hdl.join(path).display());
        }
        for variable in [COVERAGE, LONG, ONLY] {
            println!("cargo:rerun-if-env-changed={variable}");
        }
        let blocks = cfg!(feature = "blocks");
        let long = !blocks || env::var_os(LONG).is_some();
        println!("cargo:rustc-check-cfg=cfg(long_benches)");
        if long {
            println!("cargo:rustc-cfg=long_benches");
        }
        // Clippy links nothing, and would otherwise compile all machines again.
        if env::var("RUSTC_WORKSPACE_WRAPPER").is_ok_and(|wrapper| wrapper.contains("clippy")) {
            return Ok(());
        }

        let only = env::var(ONLY).ok();
        let only: Option<Vec<_>> = only.as_ref().map(|names| names.split(',').collect());
        let has_name = |name: &&&str| BENCHES.iter().any(|bench| bench.name == **name);
        if let Some(name) = only.iter().flatten().find(|name| !has_name(name)) {
            return Err(format!("{ONLY}: benches.rs has no bench `{name}`"));
        }
        let wanted = |bench: &&Bench| match &only {
            Some(only) => only.contains(&bench.name),
            None => (blocks || bench.is_machine()) && (long || !bench.long),
        };
        let benches: Vec<&Bench> = BENCHES.iter().filter(wanted).collect();
        let next = AtomicUsize::new(0);
        let threads = thread::available_parallelism().map_or(1, |n| n.get());
        thread::scope(|scope| {
            let worker = || {
                while let Some(bench) = benches.get(next.fetch_add(1, Ordering::Relaxed)) {
                    compile(bench, &hdl, &out)?;
                }
                Ok::<(), String>(())
            };
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("no panics"))
        })?;

        let mut registry = String::new();
        for Bench { name, .. } in &benches {
            let _ = writeln!(registry, "#include \"{name}/{}.h\"", model(name));
        }
        registry.push_str("static const struct { const char* name; Bench* (*open)(); } BENCHES[] = {\n");
        for Bench { name, traced, .. } in &benches {
            let _ = writeln!(registry, "    {{\"{name}\", open<{}, {traced}>}},", model(name));
        }
        registry.push_str("};\n");
        fs::write(out.join("benches.h"), registry)
            .map_err(|error| format!("cannot write benches.h: {error}"))?;

        let include = run(Command::new("verilator").args(["--getenv", "VERILATOR_ROOT"]))?;
        let include = Path::new(include.trim()).join("include");
        let mut shim = cc::Build::new();
        shim.cpp(true)
            .std("c++17")
            .opt_level(1)
            .warnings(false)
            .includes([&include, &include.join("vltstd"), &out])
            .file(hdl.join("tb/bench.cpp"))
            .file(include.join("verilated.cpp"))
            .file(include.join("verilated_threads.cpp"))
            .file(include.join("verilated_vcd_c.cpp"));
        if env::var_os(COVERAGE).is_some() {
            shim.define("COVERAGE", None).file(include.join("verilated_cov.cpp"));
        }
        shim.try_compile("bench").map_err(|error| format!("cannot compile hdl/tb/bench.cpp: {error}"))?;
        for Bench { name, .. } in &benches {
            println!("cargo:rustc-link-search=native={}", out.join(name).display());
            println!("cargo:rustc-link-lib=static:+verbatim={}__ALL.a", model(name));
        }
        println!("cargo:rustc-link-lib=pthread");
        Ok(())
    }

    /// Returns Verilator's name for a bench: for its class, its header and its library.
    fn model(name: &str) -> String {
        format!("V{name}")
    }

    /// Warnings are errors, so every simulated bench is lint-clean.
    fn compile(bench: &Bench, hdl: &Path, out: &Path) -> Result<(), String> {
        // An archive keeps the objects of an earlier version of the bench.
        let library = out.join(bench.name).join(format!("{}__ALL.a", model(bench.name)));
        if let Err(error) = fs::remove_file(&library) {
            if error.kind() != ErrorKind::NotFound {
                return Err(format!("{}: {error}", library.display()));
            }
        }
        let mut command = Command::new("verilator");
        if bench.traced {
            command.arg("--trace");
        }
        if bench.has_whole_sums() {
            command.arg("+define+WHOLE_SUMS");
        }
        if env::var_os(COVERAGE).is_some() {
            // Lint checks the benches without coverage, because the coverage build folds a comparison of constants.
            command.args(["--coverage-line", "-Wno-fatal"]);
        }
        // Machines and cards compute for a long time, blocks for a moment: optimising blocks takes longer than it saves.
        let level = i32::from(bench.computes_sums());
        command
            .args(["--cc", "--build", "-Wall", "--assert", "-O3", "--no-timing"])
            // Wide operations are calls, because word by word they take minutes to compile. Functions must fit a
            // thread's stack, because frames are large without optimisation.
            .args(["--expand-limit", "0", "--output-split-cfuncs", "300"])
            .args(["--x-assign", "fast", "--x-initial", "fast"])
            .args(["--top-module", bench.top, "--prefix", &model(bench.name)])
            .arg("--Mdir")
            .arg(out.join(bench.name))
            .args(["-MAKEFLAGS", &format!("OPT_FAST=-O{level} OPT_SLOW=-O0 OPT_GLOBAL=-O{level}")])
            .args(bench.parameters.iter().map(|parameter| argument(parameter)))
            .arg(hdl.join("tb/shared.vlt"))
            // Verilator reads the files of a bench, and only when they have changed.
            .arg("-F")
            .arg(hdl.join("rtl.f"))
            .arg("-y")
            .arg(hdl.join("tb"))
            .arg(hdl.join("tb").join(format!("{}.sv", bench.top)));
        run(&mut command).map(drop).map_err(|message| format!("{}: {message}", bench.name))
    }

    /// Returns `NAME=value` in Verilator's form: names are strings, everything else is a number.
    fn argument(parameter: &str) -> String {
        match parameter.split_once('=') {
            Some((name, value)) if value.starts_with(|first: char| first.is_ascii_alphabetic()) => {
                format!("-G{name}=\"{value}\"")
            }
            _ => format!("-G{parameter}"),
        }
    }

    fn run(command: &mut Command) -> Result<String, String> {
        let output = command
            .output()
            .map_err(|error| format!("cannot run verilator ({error}); tools/setup.sh installs it"))?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            Err(format!(
                "verilator failed\n{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            ))
        }
    }
}
