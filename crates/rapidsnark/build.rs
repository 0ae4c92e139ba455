//! Gives the shared library the name that rapidsnark's has, so that programs which were linked with either find both.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,librapidsnark.so");
    }
}
