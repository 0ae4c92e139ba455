//! Gives the shared library the name that programs ask for when they start: with the number of the interface, so that they
//! never find another one.

/// `BW_ABI_VERSION`, as a test checks.
const ABI: u32 = 0;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libbucketwheel.so.{ABI}");
    }
}
