//! Gives the shared library the soname of rapidsnark's library, so that programs that were linked with either library
//! find both.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,librapidsnark.so");
    }
}
