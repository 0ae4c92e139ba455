//! Links the image, and takes the adders from the engine.
//!
//! The adders are written against `std` but need only `Vec`, `Box` and the scheduler's ids from it. Their files are copied
//! without the parts that cannot be included elsewhere; the code does not change.

use std::path::Path;
use std::{env, fs};

fn main() {
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    let engine = Path::new(&here).join("../../crates/bucketwheel/src");

    for flag in ["-nostartfiles", "-nostdlib", "-static"] {
        println!("cargo:rustc-link-arg-bins={flag}");
    }
    println!("cargo:rustc-link-arg-bins=-Wl,--script={here}/image.ld");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=image.ld");

    let copy = |from: &str, to: &str, keep: fn(&str) -> bool| {
        let from = engine.join(from);
        println!("cargo:rerun-if-changed={}", from.display());
        let text = fs::read_to_string(&from).unwrap_or_else(|e| panic!("{}: {e}", from.display()));
        // Comments on a file itself are not allowed in an included text.
        let lines = text.lines().filter(|line| !line.starts_with("//!") && keep(line));
        fs::write(Path::new(&out).join(to), lines.collect::<Vec<_>>().join("\n"))
            .expect("OUT_DIR is writable");
    };
    for file in ["at_rest", "coefficients", "infinities"] {
        copy(&format!("engine/{file}.rs"), &format!("{file}.rs"), |_| true);
    }
    // The interface of an adder, without the module paths of the adders.
    copy("engine/adder/mod.rs", "adder.rs", |line| {
        !(line.starts_with("mod ") || line.starts_with("pub use ") || line.starts_with("pub(crate) use "))
    });
    for adder in ["affine", "columns", "projective", "xyzz"] {
        copy(&format!("engine/adder/{adder}.rs"), &format!("{adder}.rs"), |_| true);
    }
    // The formulas, without the module paths of the formulas.
    copy("engine/adder/edwards/mod.rs", "edwards.rs", |line| {
        let line = line.trim_start_matches("pub ");
        !(line.starts_with("#[cfg(test)]") || line.starts_with("#[allow(") || line.starts_with("mod "))
    });
    copy("engine/adder/edwards/law.rs", "law.rs", |_| true);
    // The ids, and the only scheduler whose runs adders take.
    copy("schedule/tree.rs", "tree.rs", |_| true);
    copy("schedule/mod.rs", "schedule.rs", |line| {
        let line = line.trim_start_matches("pub ");
        !(line == "#[cfg(test)]" || line.starts_with("mod ") || line.starts_with("use "))
    });
}
