//! Writes the constants and the assembly kernels of every field into `OUT_DIR` (see `generator/mod.rs`).

#[path = "generator/mod.rs"]
mod generator;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=generator");
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let write = |name: &str, text: Vec<u8>| {
        std::fs::write(out.join(name), text).unwrap_or_else(|e| panic!("cannot write {name}: {e}"))
    };
    write("constants.rs", generator::constants::rust_source().into());
    write("aarch64.s", generator::aarch64::assembly().into());
    write("adx.s", generator::adx::assembly().into());
    write("avx2.s", generator::avx2::assembly().into());
    write("avx512ifma.s", generator::avx512ifma::assembly().into());
    let set = |name: &str| std::env::var(name).unwrap_or_default();
    let features = set("CARGO_CFG_TARGET_FEATURE");
    if set("CARGO_CFG_TARGET_ARCH") == "wasm32"
        && features.split(',').any(|feature| feature == "relaxed-simd")
    {
        write("libbucketwheel_wasm.a", generator::wasm::library());
        println!("cargo:rustc-link-search=native={}", out.display());
        println!("cargo:rustc-link-lib=static=bucketwheel_wasm");
    }
}
