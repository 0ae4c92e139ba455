//! The kernel generator refuses primes and sizes for which its kernels are not right, by name.

#[allow(dead_code)]
#[path = "../generator/mod.rs"]
mod generator;

use generator::primes::{Prime, PRIMES};

#[test]
#[should_panic(expected = "Secp256k1Fq: its 256 bits leave no spare bit in 4 words")]
fn refuses_a_prime_without_a_spare_bit() {
    let secp256k1 = Prime {
        name: "Secp256k1Fq",
        title: "secp256k1 Fq",
        field: "base field of secp256k1",
        beta: 0,
        hex: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
    };
    secp256k1.check();
}

#[test]
fn accepts_its_own_primes() {
    PRIMES.iter().for_each(Prime::check);
}

#[test]
#[should_panic(expected = "Curve25519Fq: R / p leaves no room for products")]
fn refuses_doubles_without_room_for_products() {
    let curve25519 = Prime {
        name: "Curve25519Fq",
        title: "Curve25519 Fq",
        field: "base field of Curve25519",
        beta: 0,
        hex: "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed",
    };
    generator::doubles::numbers(&curve25519, generator::wasm::relaxed_radix(&curve25519));
}
