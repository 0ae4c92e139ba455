//! The golden vectors of `hdl/vectors`, for any simulator. Big integers, arkworks and the cycle models make them, never
//! the RTL, which this program does not contain. For an arithmetic block, a line has the operands and the result, in
//! hexadecimal digits. For blocks that can wait, and for machines, each stream has a file ([`streams`]).
//!
//! `hdl/tb/memory_kinds.h` has the kinds of memory of crates/hardware.
//!
//!     RTL_VECTORS=write cargo test --package bucketwheel-rtl --test vectors

mod numbers;
mod streams;

use std::fs;
use std::path::{Path, PathBuf};

use ark_bls12_377::{Fq as Fq377, G1TEProjective};
use ark_bn254::{Fq as Fq254, G1Projective};
use ark_ff::{AdditiveGroup, Field, PrimeField, UniformRand, Zero};
use bucketwheel_hardware::memory::Kind;
use num_bigint::BigUint;
use rand::Rng;

use self::numbers::{below, edwards_sum, extended_affine, random, word, Form};

const LINES: usize = 64;

/// Numbers of a line, each with its number of bits.
type Line = Vec<(BigUint, u64)>;

/// Returns the file's text: each number in all of its digits, with lines between them.
fn text(lines: &[Line]) -> String {
    assert_eq!(lines.len(), LINES);
    let number = |(x, bits): &(BigUint, u64)| format!("{x:0>width$x}", width = *bits as usize / 4);
    let line = |line: &Line| line.iter().map(number).collect::<Vec<_>>().join("_") + "\n";
    lines.iter().map(line).collect()
}

/// Returns pairs of operands below a bound: corner cases, then random pairs.
fn pairs(bound: &BigUint, rng: &mut impl Rng) -> Vec<(BigUint, BigUint)> {
    let corners = [BigUint::default(), BigUint::from(1u32), bound / 2u32, bound / 2u32 + 1u32, bound - 1u32];
    let mut pairs: Vec<_> =
        corners.iter().flat_map(|a| corners.iter().map(move |b| (a.clone(), b.clone()))).collect();
    pairs.resize_with(LINES, || (below(bound, rng), below(bound, rng)));
    pairs
}

fn products(
    bits: u64,
    out: u64,
    bound: &BigUint,
    rng: &mut impl Rng,
    f: impl Fn(&BigUint, &BigUint) -> BigUint,
) -> String {
    let line = |(a, b): (BigUint, BigUint)| {
        let p = f(&a, &b);
        vec![(a, bits), (b, bits), (p, out)]
    };
    text(&pairs(bound, rng).into_iter().map(line).collect::<Vec<_>>())
}

/// Returns points to add: the exceptional cases of other formulas come first.
fn summands<G: AdditiveGroup>(rng: &mut impl Rng) -> Vec<(G, G)> {
    let (p, q) = (G::rand(rng), G::rand(rng));
    let mut pairs = vec![(p, q), (p, p), (p, -p), (p, G::ZERO), (G::ZERO, p), (G::ZERO, G::ZERO)];
    pairs.resize_with(LINES, || (G::rand(rng), G::rand(rng)));
    pairs
}

/// Returns a representative with a random Z.
fn scaled(p: G1TEProjective, rng: &mut impl Rng) -> [Fq377; 4] {
    let z = Fq377::rand(rng);
    [p.x * z, p.y * z, p.z * z, p.t * z]
}

/// Computes the addition law of te_madd and te_add, from C = k T1 T2 and D = 2 Z1 Z2 on.
fn edwards([x1, y1]: [Fq377; 2], [x2, y2]: [Fq377; 2], c: Fq377, d: Fq377) -> [Fq377; 4] {
    let (a, b) = ((y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2));
    let (e, f, g, h) = (b - a, d - c, d + c, b + a);
    [e * f, g * h, f * g, e * h]
}

fn encoded<F: PrimeField>(form: Form, elements: &[F]) -> Line {
    elements.iter().map(|&x| (form.encode(x), word::<F>())).collect()
}

fn te_madd(rng: &mut impl Rng) -> String {
    let line = |(p, q)| {
        let ([x1, y1, z1, t1], [x2, y2, u2]) = (scaled(p, rng), extended_affine(q));
        let sum = edwards([x1, y1], [x2, y2], t1 * u2, z1.double());
        edwards_sum(sum, p + q).unwrap();
        encoded(Form::Montgomery, &[[x1, y1, z1, t1].as_slice(), &[x2, y2, u2], &sum].concat())
    };
    let pairs = summands::<G1TEProjective>(&mut random());
    text(&pairs.into_iter().map(line).collect::<Vec<_>>())
}

fn te_add(rng: &mut impl Rng) -> String {
    let k = extended_affine(G1TEProjective::rand(rng));
    let k = k[2] / (k[0] * k[1]);
    let line = |(p, q)| {
        let ([x1, y1, z1, t1], [x2, y2, z2, t2]) = (scaled(p, rng), scaled(q, rng));
        let sum = edwards([x1, y1], [x2, y2], k * t1 * t2, (z1 * z2).double());
        edwards_sum(sum, p + q).unwrap();
        encoded(Form::Plain, &[[x1, y1, z1, t1], [x2, y2, z2, t2], sum].concat())
    };
    let pairs = summands::<G1TEProjective>(&mut random());
    text(&pairs.into_iter().map(line).collect::<Vec<_>>())
}

/// Computes Renes, Costello, Batina, Algorithm 7, as in rcb_add.
fn rcb_add(rng: &mut impl Rng) -> String {
    let b3 = Fq254::from(9u64);
    let mut scaled = |p: G1Projective| {
        // Converts Jacobian to homogeneous coordinates.
        let (x, y, z) = if p.is_zero() {
            (Fq254::ZERO, Fq254::ONE, Fq254::ZERO)
        } else {
            (p.x * p.z, p.y, p.z.square() * p.z)
        };
        let factor = Fq254::rand(rng);
        [x * factor, y * factor, z * factor]
    };
    let line = |(p, q): (G1Projective, G1Projective)| {
        let ([x1, y1, z1], [x2, y2, z2]) = (scaled(p), scaled(q));
        let (xx, yy, zz) = (x1 * x2, y1 * y2, z1 * z2);
        let (xy, yz, xz) = (x1 * y2 + x2 * y1, y1 * z2 + y2 * z1, x1 * z2 + x2 * z1);
        let (plus, minus, three) = (yy + b3 * zz, yy - b3 * zz, xx + xx + xx);
        let [x, y, z] = [xy * minus - yz * b3 * xz, minus * plus + three * b3 * xz, yz * plus + three * xy];
        let sum = p + q;
        assert_eq!(z.is_zero(), sum.is_zero());
        assert!(
            sum.is_zero() || (x * sum.z.square() == sum.x * z && y * sum.z.square() * sum.z == sum.y * z)
        );
        encoded(Form::Montgomery, &[x1, y1, z1, x2, y2, z2, x, y, z])
    };
    let pairs = summands::<G1Projective>(&mut random());
    text(&pairs.into_iter().map(line).collect::<Vec<_>>())
}

fn files() -> Vec<(&'static str, String)> {
    let rng = &mut random();
    let power = |bits: u32| BigUint::from(1u32) << bits;
    let p: BigUint = Fq377::MODULUS.into();
    let q: BigUint = Fq254::MODULUS.into();
    let inverse = |modulus: &BigUint, bits| power(bits).modinv(modulus).expect("an odd modulus");
    let (by_p, by_q) = (inverse(&p, 384), inverse(&q, 256));
    vec![
        ("karatsuba_384", products(384, 768, &power(384), rng, |a, b| a * b)),
        ("hybrid_256", products(256, 512, &power(256), rng, |a, b| a * b)),
        ("hybrid_low_256", products(256, 256, &power(256), rng, |a, b| a * b % power(256))),
        ("montgomery_377", products(384, 384, &(&p * 2u32), rng, |a, b| a * b * &by_p % &p)),
        ("montgomery_254", products(256, 256, &(&q * 2u32), rng, |a, b| a * b * &by_q % &q)),
        ("barrett_377", products(384, 384, &(&p * 2u32), rng, |a, b| a * b % &p)),
        ("mod_add_377", products(384, 384, &p, rng, |a, b| (a + b) % &p)),
        ("mod_sub_377", products(384, 384, &p, rng, |a, b| (&p + a - b) % &p)),
        ("te_madd_377", te_madd(rng)),
        ("te_add_377", te_add(rng)),
        ("rcb_add_254", rcb_add(rng)),
    ]
}

fn folder() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    Path::new(&manifest).join("../../hdl/vectors")
}

/// Returns the header with the kinds of memory, in the order of [`Kind::ALL`].
fn memory_kinds() -> String {
    let line = |kind: Kind| {
        let numbers = kind.timing().numbers().map(|number| number.to_string()).join(", ");
        format!("    {{\"{}\", {{{numbers}}}}},\n", kind.name())
    };
    format!(
        "// SPDX-License-Identifier: MIT OR Apache-2.0\n\
        // The kinds of memory of crates/hardware/src/memory/timing.rs, written by its tests of vectors (README.md).\n\
        constexpr Kind KINDS[] = {{\n{}}};\n",
        Kind::ALL.map(line).concat()
    )
}

#[test]
fn vectors_are_up_to_date() {
    let write = std::env::var_os("RTL_VECTORS").is_some();
    let arithmetic = files().into_iter().map(|(name, text)| (name.to_owned(), text));
    let hex = arithmetic.chain(streams::files()).map(|(name, text)| (name + ".hex", text));
    for (name, text) in hex.chain([("../tb/memory_kinds.h".to_owned(), memory_kinds())]) {
        let path = folder().join(name);
        if write {
            fs::write(&path, &text).unwrap();
        }
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            text,
            "{}: run with RTL_VECTORS=write",
            path.display()
        );
    }
}
