//! AVX2 and ADX together: six lanes, four in vectors and two in words.
//!
//! ```text
//! for both products in words:
//!     t = a b / 2^(64 W)                          the rows of `adx.rs`
//!     m = t n0 mod 2^s, s = w N - 64 W
//!     result = (t + m p) / 2^s                    R = 2^(w N), as in the vectors
//!     result -= p, if it is at least p            only without room for 3.6p
//! beside it, instruction by instruction: the kernel of `avx2.rs`
//! ```
//!
//! The multiplier of words and the vectors' multipliers are different units. A product of four lanes leaves the first idle, and
//! the front end of a CPU has room for both. On Zen 5, a product of 13 digits takes some 220 cycles for four lanes, and some 240
//! for six.
//!
//! # Contract of the kernel
//! - An operand is N vectors and, behind them, the words of two elements (`SixVec` in src/avx2/six_lanes.rs). Arguments are in the
//!   registers of `avx2.rs`, and may alias.
//! - Digits are in the ranges of docs/kernels.md. Words of an operand, and of the result, are at most 2p, or at most p without
//!   room ([`has_room`]).

use super::adx::{one_product, row};
use super::asm::Asm;
use super::avx2::{self, Base, Bases, Kind, Table};
use super::primes::{Prime, Radix};

/// Lanes in words.
const LANES: usize = 2;
/// Registers that belong to the caller.
const SAVED: [&str; 5] = ["%rbx", "%rbp", "%r12", "%r13", "%r14"];

/// Returns the name of the kernel for a prime.
pub fn symbol(prime: &Prime) -> String {
    format!("bucketwheel_avx2_six_mul_{}", prime.name.to_lowercase())
}

/// Returns true if elements in words are at most 2p, and numbers on the way up to 3.6p. Without this room, elements are at most p.
pub fn has_room(prime: &Prime) -> bool {
    (prime.modulus() * 18u32 / 5u32).bits() as usize <= 64 * prime.limbs()
}

/// Emits the product of a prime. There is no square: with nine digits it would take as long, with 13 digits 0.94 times as long.
pub fn kernel(asm: &mut Asm, prime: &Prime, radix: Radix) {
    let (n, words) = (radix.digits, Table::new(radix.digits).words);
    // The words of an operand are within 128 bytes of its register, whose instructions are shorter then.
    let ahead = |offset: usize| offset + 64;
    let bases = Bases {
        result: Base("%rdi", 0),
        a: Base("%rsi", ahead(32 * n)),
        b: Base("%rbx", ahead(32 * n)),
        c: Base("%rbx", 0),
        table: Base("%rcx", ahead(words)),
    };
    let mut vectors = Asm::with_comments("#");
    avx2::kernel(&mut vectors, prime, radix, Kind::Product, &bases);
    let mut scalars = Asm::with_comments("#");
    (0..LANES).for_each(|lane| product(&mut scalars, prime, radix, lane, &bases));

    let registers =
        "rdi: result, rsi: a, rdx: b, rcx: table; may alias; clobbers the vector registers; System V";
    asm.function(&symbol(prime), registers);
    SAVED.iter().for_each(|register| asm.push(format!("pushq {register}")));
    asm.push(format!("leaq {}(%rdx), {}", bases.b.1, bases.b.0));
    for Base(register, ahead) in [bases.a, bases.table] {
        asm.push(format!("addq ${ahead}, {register}"));
    }
    interleave(asm, &vectors.into_lines(), &scalars.into_lines());
    SAVED.iter().rev().for_each(|register| asm.push(format!("popq {register}")));
    asm.push("retq");
}

/// Emits a product of words, and its division by 2^s.
fn product(asm: &mut Asm, prime: &Prime, radix: Radix, lane: usize, bases: &Bases) {
    let w = prime.limbs();
    let shift = radix.width * radix.digits - 64 * w;
    let word = |base: Base, j: usize| base.at(32 * radix.digits + 8 * (lane * w + j));
    let table = |j: usize| bases.table.at(Table::new(radix.digits).words + 8 * j);
    let t = one_product(asm, w, |j| word(bases.a, j), |i| word(bases.b, i), table);
    asm.push(format!("movq {}, %rdx", table(w)));
    asm.push(format!("imulq {}, %rdx", t[0]));
    asm.push(format!("andl ${}, %edx", (1 << shift) - 1));
    asm.push("xorl %eax, %eax");
    row(asm, &t, table);
    // A product by 2^(64 - s) has word j + 1 of t in two parts, which belong to words j and j + 1 of the result.
    asm.push(format!("movabsq ${}, %rdx", 1u64 << (64 - shift)));
    asm.push(format!("mulxq {}, %rax, {}", t[0], t[0]));
    for j in 0..w {
        asm.push(format!("mulxq {0}, %rax, {0}", t[j + 1]));
        asm.push(format!("orq %rax, {}", t[j]));
        asm.push(format!("movq {}, {}", t[j], word(bases.result, j)));
    }
    if has_room(prime) {
        return;
    }
    for (j, word) in t[..w].iter().enumerate() {
        asm.push(format!("{} {}, {word}", if j == 0 { "subq" } else { "sbbq" }, table(j)));
    }
    for (j, register) in t[..w].iter().enumerate() {
        asm.push(format!("cmovcq {}, {register}", word(bases.result, j)));
        asm.push(format!("movq {register}, {}", word(bases.result, j)));
    }
}

/// Emits two streams of instructions that share no register and no flag, evenly mixed.
fn interleave(asm: &mut Asm, long: &[String], short: &[String]) {
    let mut taken = 0;
    for (index, line) in long.iter().enumerate() {
        asm.push(line);
        let due = (index + 1) * short.len() / long.len();
        short[taken..due].iter().for_each(|line| asm.push(line));
        taken = due;
    }
}
