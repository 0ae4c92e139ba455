//! Gives the shared library a name (soname) that contains the number of the interface. A program asks for this name
//! when it starts, so it never loads a library with another interface.

/// `BW_ABI_VERSION`; a test checks that both numbers are equal.
const ABI: u32 = 0;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libbucketwheel.so.{ABI}");
    }
}
