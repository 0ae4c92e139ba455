//! AVX2: four lanes, signed digits of 30 or 29 bits in 64-bit lanes, `vpmuldq`. A call multiplies four pairs.
//!
//! ```text
//! column[j] = bias + a[0] b[j]                                    for all N digits j
//! for i in 1..N:                                                  Montgomery's rows
//!     m = column[0] mod 2^W                                       the quotient digit of row i - 1
//!     column[1] += column[0] >> W; drop column[0], append a column
//!     column[j] += a[i] b[j] + m N'[j]                            for all j, with N' = (k p + 1) / 2^W
//! m = column[0] n0 mod 2^W
//! column[j] += m p[j]                                             for all j
//! for j in 1..N:
//!     column[j] += column[j - 1] >> W
//!     result[j - 1] = column[j] mod 2^W, balanced                 the last digit is the whole of the last carry
//! ```
//!
//! The ranges are derived in docs/kernels.md and checked in `signed_digits.rs`.
//!
//! # Departures from the pseudo-code
//! 1. **A bias of 2^63** in each column, because AVX2 has no arithmetic shift of 64-bit lanes: a logical shift moves a
//!    signed carry. Result columns start with half a digit more, which balances the masked digit.
//! 2. **The last digit is cleared by p**, the others by N': the quotient digit is then the column's own, without a
//!    multiplication. The result stays below 2p. If p = 1 mod 2^W (BLS12-377), N' clears the last digit too: 27
//!    instructions fewer.
//! 3. **Additions wait for their products** ([`Products`]): an addition directly behind its multiplication keeps a port
//!    waiting. On Zen 5, a 13-digit product takes 221 cycles for four lanes instead of 225, and a 9-digit product 111
//!    instead of 114. The short N' of BLS12-377 makes it 210.
//! 4. **Four products go ahead of the multiples of N'** in each row, to cover the latency of the quotient digit.
//! 5. **Squares** use doubled digits from the stack for products off the diagonal.
//! 6. **Sums of two products**, for the quadratic extension, have one reduction: 3 N^2 multiplications instead of 4
//!    N^2. With 13 digits their columns are carried once on the way, after row 5, because they would leave the bias's
//!    range.
//!
//! # Contract of the kernels
//! - Registers: N accumulators, one for the digit of a, one for the quotient digit. All others are temporaries, only one if N
//!   is 13. All other operands are in memory.
//! - Arguments and clobbered registers are in the comment above each kernel ([`Kind::registers`]). Arguments may alias.
//! - Digits of factors are within the ranges of docs/kernels.md. The upper halves of lanes do not matter.

use std::collections::VecDeque;
use std::ops::Range;

use super::asm::Asm;
use super::instruction_set::{InstructionSet, Names};
use super::primes::{Prime, Radix, PRIMES};
use super::signed_digits;

pub struct Avx2;

impl InstructionSet for Avx2 {
    fn names(&self) -> Names {
        Names {
            variant: "Avx2",
            folder: "avx2",
            code: 2,
            about: "AVX2; four lanes.",
            builds: "target_arch = \"x86_64\"",
        }
    }

    fn lanes(&self, prime: &Prime) -> Option<String> {
        radix(prime).map(|radix| format!("{}, {}", radix.digits, radix.digits.div_ceil(2)))
    }

    fn numbers(&self, prime: &Prime) -> String {
        signed_digits::numbers(prime)
    }

    fn common_numbers(&self) -> String {
        [WIDE, NARROW].map(signed_digits::common_numbers).concat()
    }

    fn kernels(&self) -> Option<(&'static str, Vec<u8>)> {
        Some(("avx2.s", assembly().into()))
    }
}

/// Radix of the 377- and 381-bit primes, and of the 254- and 255-bit primes.
const WIDE: Radix = Radix { width: 30, digits: 13, terms: 2 };
const NARROW: Radix = Radix { width: 29, digits: 9, terms: 7 };

/// Returns the digits of a prime.
pub fn radix(prime: &Prime) -> Option<Radix> {
    match prime.limbs() {
        4 => Some(NARROW),
        6 => Some(WIDE),
        _ => None,
    }
}

/// Byte offsets into `Avx2Table` (src/avx2/table.rs).
struct Table {
    shifted: usize,
    modulus: usize,
    n0: usize,
    mask: usize,
    bias: usize,
    column: usize,
    output_column: usize,
    top_bias: usize,
    half: usize,
}

impl Table {
    fn new(digits: usize) -> Self {
        let vectors = |n: usize| 32 * (2 * digits + n);
        Table {
            shifted: 0,
            modulus: 32 * digits,
            n0: vectors(0),
            mask: vectors(1),
            bias: vectors(2),
            column: vectors(3),
            output_column: vectors(4),
            top_bias: vectors(5),
            half: vectors(6),
        }
    }
}

fn assembly() -> String {
    let mut asm = Asm::with_comments("#");
    for prime in &PRIMES {
        let Some(radix) = radix(prime) else { continue };
        for kind in Kind::ALL {
            kernel(&mut asm, prime, radix, kind);
        }
    }
    asm.finish()
}

/// Operation of a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// a b
    Product,
    /// a b, where both factors may be differences
    WideProduct,
    /// a^2
    Square,
    /// a[0] b + a[1] c
    SumOfProducts,
    /// a[0] b - a[1] c
    DifferenceOfProducts,
}

impl Kind {
    pub const ALL: [Kind; 5] =
        [Kind::Product, Kind::WideProduct, Kind::Square, Kind::SumOfProducts, Kind::DifferenceOfProducts];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Product => "mul",
            Kind::WideProduct => "mul_wide",
            Kind::Square => "square",
            Kind::SumOfProducts => "mul_add",
            Kind::DifferenceOfProducts => "mul_sub",
        }
    }

    /// Returns the name of the kernel for a prime.
    pub fn symbol(self, prime: &Prime) -> String {
        format!("bucketwheel_avx2_{}_{}", self.name(), prime.name.to_lowercase())
    }

    fn registers(self) -> &'static str {
        match self {
            Kind::Product | Kind::WideProduct => {
                "rdi: result, rsi: a, rdx: b, rcx: table; may alias; clobbers the vector registers"
            }
            Kind::Square => {
                "rdi: result, rsi: a, rcx: table; may alias; clobbers the vector registers, rdx, the red zone"
            }
            Kind::SumOfProducts | Kind::DifferenceOfProducts => {
                "rdi: result, rsi: a, rdx: b, rcx: table, r8: c; may alias; clobbers the vector registers"
            }
        }
    }

    /// Returns the columns to be carried half-way, and the row after which they are, because the whole sum does not fit.
    pub fn carry(self, radix: Radix) -> Option<(usize, Range<usize>)> {
        let wide = !matches!(self, Kind::Product | Kind::Square);
        (wide && radix.digits == WIDE.digits).then_some((5, 7..17))
    }
}

fn kernel(asm: &mut Asm, prime: &Prime, radix: Radix, kind: Kind) {
    let Radix { width, digits: n, .. } = radix;
    let last = n - 1;
    let table = Table::new(n);
    let constant = |offset: usize| format!("{offset}(%rcx)");
    let digit = |base: &str, j: usize| format!("{}({base})", 32 * j);
    // acc[j] is the register of column i + j.
    let mut acc: Vec<String> = (0..n).map(register).collect();
    let (a, m) = (register(n), register(n + 1));
    let temporaries: Vec<String> = (n + 2..16).map(register).collect();
    let t = &temporaries[0];
    asm.function(&kind.symbol(prime), kind.registers());
    if kind == Kind::Square {
        // 2 a[j] on the stack, for the products off the diagonal.
        asm.push("movq %rsp, %rdx");
        asm.push(format!("subq ${}, %rsp", 32 * n + 32));
        asm.push("andq $-32, %rsp");
        for j in 1..n {
            asm.push(format!("vmovdqa {}, {t}", digit("%rsi", j)));
            asm.push(format!("vpaddd {t}, {t}, {t}"));
            asm.push(format!("vmovdqa {t}, {}", digit("%rsp", j)));
        }
    }
    // The second factor of row i in column i + j. A square needs only j >= i, once or doubled.
    let factor = |i: usize, j: usize| match kind {
        Kind::Square if j < i => None,
        Kind::Square if j == i => Some(a.clone()),
        Kind::Square => Some(digit("%rsp", j)),
        _ => Some(digit("%rdx", j)),
    };
    // The second product of a sum or difference.
    let second = match kind {
        Kind::SumOfProducts => Some("vpaddq"),
        Kind::DifferenceOfProducts => Some("vpsubq"),
        _ => None,
    };
    let add_second = |asm: &mut Asm, products: &mut Products, i: usize, acc: &[String]| {
        let Some(instruction) = second else { return };
        asm.push(format!("vmovdqa {}, {a}", digit("%rsi", n + i)));
        for (j, column) in acc.iter().enumerate() {
            products.add(asm, instruction, [&digit("%r8", j), &a], column);
        }
    };
    asm.push(format!("vmovdqa {}, {a}", digit("%rsi", 0)));
    asm.push(format!("vmovdqa {}, {m}", constant(table.column)));
    for (j, column) in acc.iter().enumerate() {
        asm.push(format!("vpmuldq {}, {a}, {column}", factor(0, j).expect("row 0 is complete")));
        let bias = if j == 0 { constant(table.bias) } else { m.clone() };
        asm.push(format!("vpaddq {bias}, {column}, {column}"));
    }
    let mut products = Products::new(&temporaries);
    add_second(asm, &mut products, 0, &acc);
    for i in 1..n {
        products.finish(asm);
        asm.push(format!("vmovdqa {}, {a}", digit("%rsi", i)));
        asm.push(format!("vpand {}, {}, {m}", constant(table.mask), acc[0]));
        asm.push(format!("vpsrlq ${width}, {}, {}", acc[0], acc[0]));
        asm.push(format!("vpaddq {}, {}, {}", acc[0], acc[1], acc[1]));
        acc.rotate_left(1);
        // The register of the last column is free until that column begins.
        let mut row = Products::new(temporaries.iter().chain([&acc[last]]));
        let add_product = |asm: &mut Asm, products: &mut Products, j: usize| {
            if let Some(factor) = factor(i, j) {
                products.add(asm, "vpaddq", [&factor, &a], &acc[j]);
            }
        };
        let add_multiple = |asm: &mut Asm, products: &mut Products, j: usize| {
            products.add(asm, "vpaddq", [&constant(table.shifted + 32 * j), &m], &acc[j]);
        };
        // The next quotient digit waits for column 0 alone. So the first products go ahead of the multiples, to cover
        // the latency of the previous quotient digit.
        let ahead = 4;
        for j in 0..ahead {
            add_product(asm, &mut row, j);
        }
        add_multiple(asm, &mut row, 0);
        for j in ahead..last {
            add_product(asm, &mut row, j);
        }
        for j in 1..last {
            add_multiple(asm, &mut row, j);
        }
        row.finish(asm);
        // A new column begins, which may be a column of the result.
        let product = factor(i, last).expect("a square, too, has it");
        asm.push(format!("vpmuldq {product}, {a}, {}", acc[last]));
        asm.push(format!("vpaddq {}, {1}, {1}", constant(table.output_column), acc[last]));
        products = Products::new(&temporaries);
        if !prime.is_one_modulo(width) {
            add_multiple(asm, &mut products, last);
        }
        add_second(asm, &mut products, i, &acc);
        if let Some((row, columns)) = kind.carry(radix) {
            if row == i {
                products.finish(asm);
                carry_columns(asm, radix, &acc[columns.start - i..=columns.end - i], [&a, t]);
            }
        }
    }
    products.finish(asm);
    let mut products = Products::new(temporaries.iter().chain([&a]));
    if prime.is_one_modulo(width) {
        asm.push(format!("vpand {}, {}, {m}", constant(table.mask), acc[0]));
        for j in 0..last {
            products.add(asm, "vpaddq", [&constant(table.shifted + 32 * j), &m], &acc[j + 1]);
        }
    } else {
        // The last column is cleared by a multiple of p itself: the result stays below 2p.
        asm.push(format!("vpmuludq {}, {}, {m}", constant(table.n0), acc[0]));
        asm.push(format!("vpand {}, {m}, {m}", constant(table.mask)));
        for (j, column) in acc.iter().enumerate() {
            products.add(asm, "vpaddq", [&constant(table.modulus + 32 * j), &m], column);
        }
    }
    products.finish(asm);
    // Balanced digits: half a digit is in the columns' constant already.
    let (mask, half) = (&a, t);
    asm.push(format!("vmovdqa {}, {mask}", constant(table.mask)));
    asm.push(format!("vmovdqa {}, {half}", constant(table.half)));
    asm.push(format!("vpsrlq ${width}, {}, {}", acc[0], acc[0]));
    asm.push(format!("vpaddq {}, {}, {}", acc[0], acc[1], acc[1]));
    for j in 1..n {
        let column = &acc[j];
        asm.push(format!("vpand {mask}, {column}, {m}"));
        asm.push(format!("vpsrlq ${width}, {column}, {column}"));
        asm.push(format!("vpsubq {half}, {m}, {m}"));
        asm.push(format!("vmovdqa {m}, {}", digit("%rdi", j - 1)));
        if j < last {
            asm.push(format!("vpaddq {column}, {0}, {0}", acc[j + 1]));
        } else {
            asm.push(format!("vpsubq {}, {column}, {column}", constant(table.top_bias)));
            asm.push(format!("vmovdqa {column}, {}", digit("%rdi", last)));
        }
    }
    if kind == Kind::Square {
        asm.push("movq %rdx, %rsp");
    }
    asm.push("retq");
}

fn register(index: usize) -> String {
    format!("%ymm{index}")
}

/// Products on their way into columns. A product is added after the next multiplications have been issued, one for each
/// temporary. An addition right behind its own multiplication would wait, and the ports with it.
struct Products {
    free: Vec<String>,
    /// Instruction, temporary, column.
    pending: VecDeque<[String; 3]>,
}

impl Products {
    fn new<'a>(temporaries: impl IntoIterator<Item = &'a String>) -> Self {
        Products { free: temporaries.into_iter().cloned().collect(), pending: VecDeque::new() }
    }

    /// Adds the product of the factors to the column, or subtracts it, as `instruction` says.
    fn add(&mut self, asm: &mut Asm, instruction: &str, [memory, register]: [&str; 2], column: &str) {
        let t = self.free.pop().expect("a temporary");
        asm.push(format!("vpmuldq {memory}, {register}, {t}"));
        self.pending.push_back([instruction.into(), t, column.into()]);
        if self.free.is_empty() {
            self.add_first(asm);
        }
    }

    fn add_first(&mut self, asm: &mut Asm) {
        if let Some([instruction, t, column]) = self.pending.pop_front() {
            asm.push(format!("{instruction} {t}, {column}, {column}"));
            self.free.push(t);
        }
    }

    /// Adds the products that are still pending.
    fn finish(&mut self, asm: &mut Asm) {
        while !self.pending.is_empty() {
            self.add_first(asm);
        }
    }
}

/// Carries all of these columns except the last at the same time, each into the next one. The columns keep their bias.
fn carry_columns(asm: &mut Asm, radix: Radix, columns: &[String], [carry, free]: [&String; 2]) {
    let table = Table::new(radix.digits);
    let constant = |offset: usize| format!("{offset}(%rcx)");
    let last = columns.len() - 1;
    for (j, column) in columns.iter().enumerate() {
        // Two registers take turns: the carry into this column waits while the carry out of it is made.
        let (incoming, outgoing) = if j % 2 == 0 { (free, carry) } else { (carry, free) };
        if j < last {
            asm.push(format!("vpsrlq ${}, {column}, {outgoing}", radix.width));
            asm.push(format!("vpand {}, {column}, {column}", constant(table.mask)));
            let bias = if j == 0 { table.bias } else { table.column };
            asm.push(format!("vpaddq {}, {column}, {column}", constant(bias)));
        } else {
            asm.push(format!("vpsubq {}, {column}, {column}", constant(table.top_bias)));
        }
        if j > 0 {
            asm.push(format!("vpaddq {incoming}, {column}, {column}"));
        }
    }
}
