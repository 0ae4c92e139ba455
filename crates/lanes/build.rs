//! Writes the constants and the assembly kernels of every field into `OUT_DIR` (see `generator/mod.rs`).

#[path = "generator/mod.rs"]
mod generator;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=generator");
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let write = |name: &str, text: String| {
        std::fs::write(out.join(name), text).unwrap_or_else(|e| panic!("cannot write {name}: {e}"))
    };
    write("constants.rs", generator::constants::rust_source());
    write("aarch64.s", generator::aarch64::assembly());
    write("adx.s", generator::adx::assembly());
    write("avx2.s", generator::avx2::assembly());
    write("avx512ifma.s", generator::avx512ifma::assembly());
}
