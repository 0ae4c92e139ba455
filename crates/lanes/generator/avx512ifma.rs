//! AVX-512 IFMA: eight lanes, unsigned digits of 52 bits, `vpmadd52{l,h}uq`. A call multiplies eight pairs.
//!
//! ```text
//! column[c] = 0                                                   for all 2N columns c
//! for i in 0..N, j in 0..N:
//!     column[i + j], column[i + j + 1] += a[i] b[j]               low and high 52 bits
//! for i in 0..N-1:                                                Montgomery's reduction
//!     column[i + 1] += column[i] >> 52
//!     column[i + 1 ..] += (column[i] mod 2^52) N'                 with N' = (k p + 1) / 2^52
//! m = column[N - 1] n0 mod 2^52
//! column[N - 1 ..] += m p
//! for c in N-1..2N-1:
//!     column[c + 1] += column[c] >> 52
//!     result[c - N] = column[c] mod 2^52                          from column N on
//! ```
//!
//! The ranges are derived in docs/kernels.md.
//!
//! # Departures from the pseudo-code
//! 1. **The quotient digit is not masked**: `vpmadd52` reads the low 52 bits of the column by itself.
//! 2. **The last digit is cleared by p**, the others by N' one column up, so the quotient digit needs no
//!    multiplication.
//! 3. **Squares** add products off the diagonal once, double all columns, and add the diagonal.
//! 4. **Products in an extension** are Karatsuba's three, subtracted in columns without carries before two reductions:
//!    252 multiply-adds with the reductions instead of 302 for five digits. The columns are then signed, hence arithmetic
//!    shifts.
//! 5. **Products of eight digits** are Karatsuba's three of halves: 225 multiply-adds with the reduction instead of 257, and 546 instead
//!    of 642 in an extension. Additions run beside multiply-adds on CPUs that have units for both.
//! 6. **Digits of b stay in registers** up to eight digits. Fifteen digits leave no register for them: b's digits are
//!    loaded as they are needed, one load for two multiply-adds.
//!
//! On a Zen 4, which starts one multiply-add of eight lanes in a cycle, a call multiplies eight pairs of eight digits in 239 cycles. On a
//! Zen 5, which starts two, a product in BN254's extension takes 19.7 cycles an element, and 16 are the least.
//!
//! # Contract of the kernels
//! - Registers: zmm0 to zmm29 are the columns. Up to eight digits leave zmm16 to zmm23 for the digits of b, and zmm24
//!   and zmm25 for another product's column and a sum. In a product of halves, zmm16 to zmm27 then have the halves' sums, and k1 and k2
//!   their last bits. zmm30 is a digit of a, zmm31 a digit of b, a carry, or the mask.
//! - Arguments and clobbered registers are in the comment above each kernel. Arguments may alias, except the room.
//! - The low 52 bits of a factor's digits are exact. Eight digits are also below 2^52, because their products read all 64 bits.

use super::asm::Asm;
use super::digits52;
use super::instruction_set::{InstructionSet, Names};
use super::primes::{Prime, Radix, PRIMES};

pub struct Avx512Ifma;

impl InstructionSet for Avx512Ifma {
    fn names(&self) -> Names {
        Names {
            variant: "Avx512Ifma",
            folder: "avx512ifma",
            code: 3,
            about: "AVX-512 with IFMA; eight lanes.",
            builds: "target_arch = \"x86_64\"",
        }
    }

    fn lanes(&self, prime: &Prime) -> Option<String> {
        radix(prime).map(|radix| radix.digits.to_string())
    }

    fn numbers(&self, prime: &Prime) -> String {
        digits52::numbers(prime)
    }

    fn kernels(&self) -> Option<(&'static str, Vec<u8>)> {
        Some(("avx512ifma.s", assembly().into()))
    }
}

/// The same lanes in plain Rust: the same digits, and no kernels.
pub struct Model;

impl InstructionSet for Model {
    fn names(&self) -> Names {
        Names {
            variant: "Model",
            folder: "model",
            code: 4,
            about: "Model of `Avx512Ifma` in plain Rust, equal bit for bit: for tests on any CPU, with the feature `model`.",
            builds: "feature = \"model\"",
        }
    }

    fn lanes(&self, prime: &Prime) -> Option<String> {
        radix(prime).map(|radix| radix.digits.to_string())
    }
}

/// Radix of the 753- and 761-bit primes, of the 377- and 381-bit primes, and of the 254- and 255-bit primes.
const WIDEST: Radix = Radix { width: 52, digits: 15, terms: 10 };
const WIDE: Radix = Radix { width: 52, digits: 8, terms: 10 };
const NARROW: Radix = Radix { width: 52, digits: 5, terms: 10 };

/// Returns the digits of a prime.
pub fn radix(prime: &Prime) -> Option<Radix> {
    match prime.limbs() {
        4 => Some(NARROW),
        6 => Some(WIDE),
        12 => Some(WIDEST),
        _ => None,
    }
}

/// Returns the radices and betas of all extensions, each pair once.
fn extensions() -> Vec<(Radix, u32)> {
    let mut extensions: Vec<(Radix, u32)> = Vec::new();
    for prime in PRIMES.iter().filter(|prime| prime.beta != 0) {
        let (Some(radix), beta) = (radix(prime), prime.beta) else { continue };
        if !extensions.iter().any(|&(known, of)| (known.digits, of) == (radix.digits, beta)) {
            extensions.push((radix, beta));
        }
    }
    extensions
}

const MULTIPLIER: &str = "%zmm30";
const TEMPORARY: &str = "%zmm31";
const OTHER: &str = "%zmm24";
const SUM: &str = "%zmm25";

// Arguments of the kernels.
const OUT: &str = "%rdi";
const A: &str = "%rsi";
const B: &str = "%rdx";
const TABLE: &str = "%rcx";
const ROOM: &str = "%r8";

/// Vectors in memory, one for each digit or column, from vector `first` behind the address in `base` on.
#[derive(Clone, Copy)]
struct Digits {
    base: &'static str,
    first: usize,
}

impl Digits {
    const fn at(base: &'static str, first: usize) -> Self {
        Digits { base, first }
    }

    fn digit(self, j: usize) -> String {
        format!("{}({})", 64 * (self.first + j), self.base)
    }
}

fn assembly() -> String {
    let mut asm = Asm::with_comments("#");
    for radix in [WIDEST, WIDE, NARROW] {
        let n = radix.digits;
        asm.function(
            &format!("bucketwheel_ifma_mul_{n}"),
            "rdi: a b, rsi: a, rdx: b, rcx: table; may alias; clobbers the vector and mask registers",
        );
        clear_columns(&mut asm, n);
        add_product(&mut asm, n, Digits::at(A, 0), Digits::at(B, 0));
        reduce(&mut asm, radix, Digits::at(OUT, 0));
        asm.push("retq");

        asm.function(
            &format!("bucketwheel_ifma_square_{n}"),
            "rdi: a^2, rsi: a, rcx: table; may alias; clobbers the vector and mask registers",
        );
        clear_columns(&mut asm, n);
        add_square(&mut asm, n, Digits::at(A, 0));
        reduce(&mut asm, radix, Digits::at(OUT, 0));
        asm.push("retq");
    }
    for (radix, beta) in extensions() {
        let n = radix.digits;
        asm.function(
            &format!("bucketwheel_ifma_mul_quadratic_{beta}_{n}"),
            "rdi: a b, rsi: a, rdx: b, rcx: table, r8: room; may alias, except the room; clobbers the vector and mask registers",
        );
        quadratic(&mut asm, radix, beta, Some(B));
        asm.function(
            &format!("bucketwheel_ifma_square_quadratic_{beta}_{n}"),
            "rdi: a^2, rsi: a, rcx: table, r8: room; may alias, except the room; clobbers the vector and mask registers",
        );
        quadratic(&mut asm, radix, beta, None);
    }
    asm.finish()
}

/// Emits the product of a and b, or the square of a, in the extension by a root of -beta, with two reductions: of
/// `a0 b0 - beta a1 b1` and of `(a0 + a1)(b0 + b1) - a0 b0 - a1 b1`.
///
/// The room has 2 N vectors for the columns of `a1 b1`, then of the sum of both products, and N vectors for the digits
/// of each factor of the third product. All of a and b is read before anything is written.
fn quadratic(asm: &mut Asm, radix: Radix, beta: u32, b_base: Option<&'static str>) {
    let n = radix.digits;
    let (columns, sum_a, sum_b) = (Digits::at(ROOM, 0), Digits::at(ROOM, 2 * n), Digits::at(ROOM, 3 * n));
    let product = |asm: &mut Asm, a: Digits, b: Option<Digits>| {
        clear_columns(asm, n);
        match b {
            Some(b) => add_product(asm, n, a, b),
            None => add_square(asm, n, a),
        }
    };
    sum(asm, radix, A, sum_a);
    if let Some(base) = b_base {
        sum(asm, radix, base, sum_b);
    }
    product(asm, Digits::at(A, n), b_base.map(|base| Digits::at(base, n)));
    for i in 0..2 * n {
        asm.push(format!("vmovdqa64 {}, {}", column(i), columns.digit(i)));
    }
    product(asm, Digits::at(A, 0), b_base.map(|base| Digits::at(base, 0)));
    for i in 0..2 * n {
        let (value, other) = (column(i), columns.digit(i));
        asm.push(format!("vmovdqa64 {other}, {OTHER}"));
        asm.push(format!("vpaddq {OTHER}, {value}, {SUM}"));
        asm.push(format!("vmovdqa64 {SUM}, {other}"));
        asm.push(format!("vpsubq {OTHER}, {value}, {value}"));
        match beta {
            1 => {}
            5 => {
                asm.push(format!("vpsllq $2, {OTHER}, {OTHER}"));
                asm.push(format!("vpsubq {OTHER}, {value}, {value}"));
            }
            _ => panic!("beta is 1 or 5, not {beta}"),
        }
        // The `offset` in the table: N + 1 words behind 2 N + 2 other words.
        if i + 1 >= n {
            asm.push(format!("vpaddq {}({TABLE}){{1to8}}, {value}, {value}", 8 * (n + 3 + i)));
        }
    }
    reduce(asm, radix, Digits::at(OUT, 0));
    product(asm, sum_a, b_base.map(|_| sum_b));
    for i in 0..2 * n {
        asm.push(format!("vpsubq {}, {1}, {1}", columns.digit(i), column(i)));
    }
    reduce(asm, radix, Digits::at(OUT, n));
    asm.push("retq");
}

/// Writes the sum of an element's two coordinates, with digits whose low 52 bits are exact. Halves of digits are added, so eight
/// digits are exact.
fn sum(asm: &mut Asm, radix: Radix, base: &'static str, out: Digits) {
    let Radix { width, digits: n, .. } = radix;
    for j in 0..n {
        let digit = b(j);
        asm.push(format!("vmovdqa64 {}, {digit}", Digits::at(base, 0).digit(j)));
        asm.push(format!("vpaddq {}, {digit}, {digit}", Digits::at(base, n).digit(j)));
        if j > 0 {
            asm.push(format!("vpaddq {TEMPORARY}, {digit}, {digit}"));
        }
        if j + 1 < n {
            asm.push(format!("vpsraq ${width}, {digit}, {TEMPORARY}"));
            if n == HALVED {
                asm.push(format!("vpandq {}{{1to8}}, {digit}, {digit}", mask(n)));
            }
        }
        asm.push(format!("vmovdqa64 {digit}, {}", out.digit(j)));
    }
}

fn column(i: usize) -> String {
    format!("%zmm{i}")
}

/// Most digits that have registers of their own beside the columns.
const MOST_KEPT: usize = 8;

/// Returns the register of a digit of b, if the digits are in registers.
fn b(j: usize) -> String {
    format!("%zmm{}", 16 + j)
}

/// Returns the place of the mask of 52 bits in a table of n digits.
fn mask(n: usize) -> String {
    format!("{}({TABLE})", 16 * n + 8)
}

fn clear_columns(asm: &mut Asm, n: usize) {
    for i in 0..2 * n {
        // The short form cannot name registers from 16 on.
        asm.push(match i {
            ..16 => format!("vpxor %xmm{i}, %xmm{i}, %xmm{i}"),
            _ => format!("vpxorq %zmm{i}, %zmm{i}, %zmm{i}"),
        });
    }
}

/// Adds the low and high half of `x * y` to columns `i` and `i + 1`.
fn add(asm: &mut Asm, x: &str, y: &str, i: usize) {
    asm.push(format!("vpmadd52luq {y}, {x}, {}", column(i)));
    asm.push(format!("vpmadd52huq {y}, {x}, {}", column(i + 1)));
}

/// A factor's digits: in the registers of b if there are enough of them, else in memory.
#[derive(Clone, Copy)]
enum Factor {
    Kept,
    InMemory(Digits),
}

impl Factor {
    fn load(asm: &mut Asm, n: usize, digits: Digits) -> Self {
        if n > MOST_KEPT {
            return Factor::InMemory(digits);
        }
        for j in 0..n {
            asm.push(format!("vmovdqa64 {}, {}", digits.digit(j), b(j)));
        }
        Factor::Kept
    }

    /// Returns the register that has a digit: `room` if the digit is loaded.
    fn digit(self, asm: &mut Asm, j: usize, room: &str) -> String {
        match self {
            Factor::Kept => b(j),
            Factor::InMemory(digits) => {
                asm.push(format!("vmovdqa64 {}, {room}", digits.digit(j)));
                room.to_owned()
            }
        }
    }
}

/// Digits of a factor that is multiplied in halves, by Karatsuba's method.
const HALVED: usize = 8;

/// Adds a product to columns that are 0. With eight digits, the columns are signed.
fn add_product(asm: &mut Asm, n: usize, first: Digits, second: Digits) {
    if n == HALVED {
        return product_of_halves(asm, first, second);
    }
    let second = Factor::load(asm, n, second);
    for i in 0..n {
        asm.push(format!("vmovdqa64 {}, {MULTIPLIER}", first.digit(i)));
        for j in 0..n {
            let digit = second.digit(asm, j, TEMPORARY);
            add(asm, MULTIPLIER, &digit, i + j);
        }
    }
}

/// Adds a product to columns that are 0, in halves of H = 4 digits: with `w = 2^(52 H)`,
///
/// ```text
/// a b = low + (s - low - high) w + high w^2      low = a0 b0, high = a1 b1, s = (a0 + a1) (b0 + b1)
/// ```
///
/// The digits of a sum of halves are carried, so that the low 52 bits of each digit are exact. A bit may remain above the last
/// digit: the mask k1 has this bit of a, k2 of b. So s is the product of the digits, and
/// `k1 (b0 + b1) w + k2 (a0 + a1) w - k1 k2 w^2`, where the sums of halves need no carries.
fn product_of_halves(asm: &mut Asm, first: Digits, second: Digits) {
    const HALF: usize = HALVED / 2;
    let (sum_a, sum_b, carried_b) =
        (|j: usize| column(24 + j), |j: usize| column(16 + j), |j: usize| column(20 + j));
    for j in 0..HALVED {
        asm.push(format!("vmovdqa64 {}, {}", second.digit(j), b(j)));
    }
    for half in [0, HALF] {
        for i in 0..HALF {
            asm.push(format!("vmovdqa64 {}, {MULTIPLIER}", first.digit(half + i)));
            for j in 0..HALF {
                add(asm, MULTIPLIER, &b(half + j), 2 * half + i + j);
            }
        }
    }
    // The columns of low + (s - low - high) w + high w^2 without s. Registers: low has the columns from 0 on, high from 2 H on.
    for k in 0..HALF {
        let [low, low_above, high, high_above] = [0, 1, 2, 3].map(|part| column(part * HALF + k));
        asm.push(format!("vpsubq {high}, {low_above}, {TEMPORARY}"));
        asm.push(format!("vpsubq {low_above}, {high}, {high}"));
        asm.push(format!("vpsubq {high_above}, {high}, {high}"));
        asm.push(format!("vpsubq {low}, {TEMPORARY}, {low_above}"));
    }
    for j in 0..HALF {
        asm.push(format!("vmovdqa64 {}, {}", first.digit(j), sum_a(j)));
        asm.push(format!("vpaddq {}, {1}, {1}", first.digit(HALF + j), sum_a(j)));
        asm.push(format!("vpaddq {}, {1}, {1}", b(HALF + j), sum_b(j)));
    }
    for j in 1..HALF {
        let before = if j == 1 { sum_b(0) } else { carried_b(j - 1) };
        asm.push(format!("vpsrlq $52, {before}, {TEMPORARY}"));
        asm.push(format!("vpaddq {TEMPORARY}, {}, {}", sum_b(j), carried_b(j)));
    }
    asm.push(format!("vpcmpnleuq {}{{1to8}}, {}, %k2", mask(HALVED), carried_b(HALF - 1)));
    for i in 0..HALF {
        if i == 0 {
            asm.push(format!("vmovdqa64 {}, {MULTIPLIER}", sum_a(0)));
        } else {
            asm.push(format!("vpsrlq $52, {MULTIPLIER}, {TEMPORARY}"));
            asm.push(format!("vpaddq {TEMPORARY}, {}, {MULTIPLIER}", sum_a(i)));
        }
        for j in 0..HALF {
            let digit = if j == 0 { sum_b(0) } else { carried_b(j) };
            add(asm, MULTIPLIER, &digit, HALF + i + j);
        }
    }
    asm.push(format!("vpcmpnleuq {}{{1to8}}, {MULTIPLIER}, %k1", mask(HALVED)));
    for j in 0..HALF {
        let sum = column(2 * HALF + j);
        asm.push(format!("vpaddq {}, {sum}, {sum} {{%k1}}", sum_b(j)));
        asm.push(format!("vpaddq {}, {sum}, {sum} {{%k2}}", sum_a(j)));
    }
    asm.push("kandw %k1, %k2, %k1");
    asm.push(format!("vpternlogd $255, {TEMPORARY}, {TEMPORARY}, {TEMPORARY}"));
    asm.push(format!("vpaddq {TEMPORARY}, {0}, {0} {{%k1}}", column(3 * HALF)));
}

/// Adds the products off the diagonal once, doubles all columns, and adds the diagonal.
fn add_square(asm: &mut Asm, n: usize, factor: Digits) {
    let factor = Factor::load(asm, n, factor);
    for i in 0..n {
        let first = factor.digit(asm, i, MULTIPLIER);
        for j in i + 1..n {
            let second = factor.digit(asm, j, TEMPORARY);
            add(asm, &first, &second, i + j);
        }
    }
    for i in 1..2 * n - 1 {
        asm.push(format!("vpaddq {0}, {0}, {0}", column(i)));
    }
    for i in 0..n {
        let digit = factor.digit(asm, i, MULTIPLIER);
        add(asm, &digit, &digit, 2 * i);
    }
}

/// Emits Montgomery's reduction of the columns, and the carries of the result.
fn reduce(asm: &mut Asm, radix: Radix, out: Digits) {
    let Radix { width, digits: n, .. } = radix;
    let shifted = |j: usize| format!("{}({TABLE}){{1to8}}", 8 * j);
    let modulus = |j: usize| format!("{}({TABLE}){{1to8}}", 8 * (n + j));
    let n0 = format!("{}({TABLE}){{1to8}}", 16 * n);
    for i in 0..n - 1 {
        asm.push(format!("vpsraq ${width}, {}, {TEMPORARY}", column(i)));
        let quotient = column(i);
        for j in 0..n {
            add(asm, &quotient, &shifted(j), i + 1 + j);
            if j == 0 {
                asm.push(format!("vpaddq {TEMPORARY}, {0}, {0}", column(i + 1)));
            }
        }
    }
    let last = n - 1;
    asm.push(format!("vpxorq {MULTIPLIER}, {MULTIPLIER}, {MULTIPLIER}"));
    asm.push(format!("vpmadd52luq {n0}, {}, {MULTIPLIER}", column(last)));
    for j in 0..n {
        add(asm, MULTIPLIER, &modulus(j), last + j);
    }
    // The last quotient digit is no longer needed.
    asm.push(format!("vpbroadcastq {}, {MULTIPLIER}", mask(n)));
    for i in last..2 * n - 1 {
        asm.push(format!("vpsraq ${width}, {}, {TEMPORARY}", column(i)));
        asm.push(format!("vpaddq {TEMPORARY}, {0}, {0}", column(i + 1)));
        if i > last {
            asm.push(format!("vpandq {MULTIPLIER}, {0}, {0}", column(i)));
            asm.push(format!("vmovdqa64 {}, {}", column(i), out.digit(i - n)));
        }
    }
    asm.push(format!("vmovdqa64 {}, {}", column(2 * n - 1), out.digit(n - 1)));
}
