//! AVX-512 IFMA: eight lanes, unsigned digits of 52 bits, `vpmadd52{l,h}uq`.
//!
//! One kernel call multiplies eight pairs: first the whole product into 2N columns, then Montgomery's
//! reduction row by row. As in the AVX2 kernels all digits but the last are cleared by `N'` one column up
//! (`vpmadd52` reads the low 52 bits of the quotient digit by itself, so not even a mask is needed), the last
//! by p. Ranges: docs/kernels.md.
//!
//! Registers: zmm0..zmm15 the columns, zmm16..zmm23 the digits of b, zmm24 a digit of a, zmm25 carries,
//! zmm26 the mask.

use super::primes::{Radix, IFMA_NARROW, IFMA_WIDE};
use super::Asm;

const MULTIPLIER: &str = "%zmm24";
const CARRY: &str = "%zmm25";
const MASK: &str = "%zmm26";

pub fn assembly() -> String {
    let mut asm = Asm::with_comments("#");
    for radix in [IFMA_WIDE, IFMA_NARROW] {
        let n = radix.digits;
        asm.function(
            &format!("bucketwheel_ifma_mul_{n}"),
            "rdi: a b, rsi: a, rdx: b, rcx: table; may alias; clobbers the vector registers",
        );
        clear_columns(&mut asm, n);
        add_product(&mut asm, n, "%rsi", "%rdx");
        reduce(&mut asm, radix);

        asm.function(
            &format!("bucketwheel_ifma_mul2_{n}"),
            "rdi: a b + c d, rsi: a, rdx: b, rcx: table, r8: c, r9: d; may alias; clobbers the vector registers",
        );
        clear_columns(&mut asm, n);
        add_product(&mut asm, n, "%rsi", "%rdx");
        add_product(&mut asm, n, "%r8", "%r9");
        reduce(&mut asm, radix);

        asm.function(
            &format!("bucketwheel_ifma_square_{n}"),
            "rdi: a^2, rsi: a, rcx: table; may alias; clobbers the vector registers",
        );
        clear_columns(&mut asm, n);
        add_square(&mut asm, n);
        reduce(&mut asm, radix);
    }
    asm.finish()
}

fn column(i: usize) -> String {
    format!("%zmm{i}")
}

fn b(j: usize) -> String {
    format!("%zmm{}", 16 + j)
}

fn clear_columns(asm: &mut Asm, n: usize) {
    for i in 0..2 * n {
        asm.push(format!("vpxor %xmm{i}, %xmm{i}, %xmm{i}"));
    }
}

/// Columns `i` and `i + 1` += the low and high half of `x * y`.
fn add(asm: &mut Asm, x: &str, y: &str, i: usize) {
    asm.push(format!("vpmadd52luq {y}, {x}, {}", column(i)));
    asm.push(format!("vpmadd52huq {y}, {x}, {}", column(i + 1)));
}

fn add_product(asm: &mut Asm, n: usize, a_base: &str, b_base: &str) {
    for j in 0..n {
        asm.push(format!("vmovdqa64 {}({b_base}), {}", 64 * j, b(j)));
    }
    for i in 0..n {
        asm.push(format!("vmovdqa64 {}({a_base}), {MULTIPLIER}", 64 * i));
        for j in 0..n {
            add(asm, MULTIPLIER, &b(j), i + j);
        }
    }
}

/// The products off the diagonal once, all columns doubled, then the diagonal.
fn add_square(asm: &mut Asm, n: usize) {
    for j in 0..n {
        asm.push(format!("vmovdqa64 {}(%rsi), {}", 64 * j, b(j)));
    }
    for i in 0..n {
        for j in i + 1..n {
            add(asm, &b(i), &b(j), i + j);
        }
    }
    for i in 1..2 * n - 1 {
        asm.push(format!("vpaddq {0}, {0}, {0}", column(i)));
    }
    for i in 0..n {
        add(asm, &b(i), &b(i), 2 * i);
    }
}

/// Montgomery's reduction of the columns, and the carries of the result.
fn reduce(asm: &mut Asm, radix: Radix) {
    let Radix { width, digits: n, .. } = radix;
    let shifted = |j: usize| format!("{}(%rcx){{1to8}}", 8 * j);
    let modulus = |j: usize| format!("{}(%rcx){{1to8}}", 8 * (n + j));
    let (n0, mask) = (format!("{}(%rcx){{1to8}}", 16 * n), format!("{}(%rcx)", 16 * n + 8));
    for i in 0..n - 1 {
        asm.push(format!("vpsrlq ${width}, {}, {CARRY}", column(i)));
        let quotient = column(i);
        for j in 0..n {
            add(asm, &quotient, &shifted(j), i + 1 + j);
            if j == 0 {
                asm.push(format!("vpaddq {CARRY}, {0}, {0}", column(i + 1)));
            }
        }
    }
    let last = n - 1;
    asm.push(format!("vpxorq {MULTIPLIER}, {MULTIPLIER}, {MULTIPLIER}"));
    asm.push(format!("vpmadd52luq {n0}, {}, {MULTIPLIER}", column(last)));
    for j in 0..n {
        add(asm, MULTIPLIER, &modulus(j), last + j);
    }
    asm.push(format!("vpbroadcastq {mask}, {MASK}"));
    for i in last..2 * n - 1 {
        asm.push(format!("vpsrlq ${width}, {}, {CARRY}", column(i)));
        asm.push(format!("vpaddq {CARRY}, {0}, {0}", column(i + 1)));
        if i > last {
            asm.push(format!("vpandq {MASK}, {0}, {0}", column(i)));
            asm.push(format!("vmovdqa64 {}, {}(%rdi)", column(i), 64 * (i - n)));
        }
    }
    asm.push(format!("vmovdqa64 {}, {}(%rdi)", column(2 * n - 1), 64 * (n - 1)));
    asm.push("retq");
}
