//! Writes the constants and the assembly kernels of every field into `OUT_DIR` (see `generator/mod.rs`).

#[path = "generator/mod.rs"]
mod generator;

use generator::{constants, dispatch, INSTRUCTION_SETS};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=generator");
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let write = |name: &str, text: Vec<u8>| {
        std::fs::write(out.join(name), text).unwrap_or_else(|e| panic!("cannot write {name}: {e}"))
    };
    write("backends.rs", dispatch::backends().into());
    write("dispatch.rs", dispatch::dispatch().into());
    write("constants.rs", constants::rust_source().into());
    for (name, kernels) in INSTRUCTION_SETS.iter().filter_map(|set| set.kernels()) {
        write(name, kernels);
        let library = name.strip_prefix("lib").and_then(|name| name.strip_suffix(".a"));
        if let Some(library) = library.filter(|library| Some(*library) == kernels_of_wasm()) {
            println!("cargo:rustc-link-search=native={}", out.display());
            println!("cargo:rustc-link-lib=static={library}");
        }
    }
}

/// Returns the library that the build needs: only WebAssembly's kernels are object code.
fn kernels_of_wasm() -> Option<&'static str> {
    let set = |name: &str| std::env::var(name).unwrap_or_default();
    let features = set("CARGO_CFG_TARGET_FEATURE");
    let has = |name: &str| features.split(',').any(|feature| feature == name);
    match set("CARGO_CFG_TARGET_ARCH") == "wasm32" {
        true if has("relaxed-simd") => Some("bucketwheel_wasm"),
        true if has("simd128") => Some("bucketwheel_wasm_plain"),
        _ => None,
    }
}
