//! AVX2: four lanes, signed digits of 30 or 29 bits in 64-bit lanes, `vpmuldq`.
//!
//! One kernel call multiplies four pairs. Rows are Montgomery's: row `i` adds `a[i] * b` to the columns
//! `i..i+N` and clears column `i` by adding a multiple of the modulus, for all but the last digit of
//! `N' = (k p + 1) / 2^W` one column up, so that the quotient digit is the column's own low digit. Columns
//! carry a bias of 2^63, so that a logical shift moves a signed carry. The ranges are checked in
//! `constants.rs` and derived in docs/kernels.md.
//!
//! Registers: N accumulators, then one for the digit of `a`, one for the quotient digit, one temporary: 16
//! of 16 for N = 13. Everything else is a memory operand.
//!
//! Sums of two products, for the quadratic extension, have one reduction; their columns are carried once more on
//! the way.

use std::ops::Range;

use super::primes::{Radix, AVX2_NARROW, AVX2_WIDE};
use super::Asm;

/// Byte offsets into `Avx2Table` (src/avx2.rs).
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

pub fn assembly() -> String {
    let mut asm = Asm::default();
    for radix in [AVX2_WIDE, AVX2_NARROW] {
        for kind in Kind::ALL {
            kernel(&mut asm, radix, kind);
        }
    }
    asm.finish()
}

/// What a kernel computes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// a b
    Product,
    /// The same, where both may be differences.
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

    fn name(self) -> &'static str {
        match self {
            Kind::Product => "mul",
            Kind::WideProduct => "mul_wide",
            Kind::Square => "square",
            Kind::SumOfProducts => "mul_add",
            Kind::DifferenceOfProducts => "mul_sub",
        }
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

    /// The columns that are carried half-way, after the row, because the whole sum does not fit.
    pub fn carry(self, radix: Radix) -> Option<(usize, Range<usize>)> {
        let wide = !matches!(self, Kind::Product | Kind::Square);
        (wide && radix.digits == AVX2_WIDE.digits).then_some((5, 7..17))
    }
}

fn kernel(asm: &mut Asm, radix: Radix, kind: Kind) {
    let Radix { width, digits: n, .. } = radix;
    let (a, m, t) = (format!("%ymm{n}"), format!("%ymm{}", n + 1), format!("%ymm{}", n + 2));
    let table = Table::new(n);
    let constant = |offset: usize| format!("{offset}(%rcx)");
    let digit = |base: &str, j: usize| format!("{}({base})", 32 * j);
    asm.function(&format!("bucketwheel_avx2_{}_{n}", kind.name()), kind.registers());
    if kind == Kind::Square {
        // 2 a[j] for the products off the diagonal, on the stack.
        asm.push("movq %rsp, %rdx");
        asm.push(format!("subq ${}, %rsp", 32 * n + 32));
        asm.push("andq $-32, %rsp");
        for j in 1..n {
            asm.push(format!("vmovdqa {}, {t}", digit("%rsi", j)));
            asm.push(format!("vpaddd {t}, {t}, {t}"));
            asm.push(format!("vmovdqa {t}, {}", digit("%rsp", j)));
        }
    }
    // The second factor of row i in column i + j; a square needs only j >= i, once or doubled.
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
    let add_second = |asm: &mut Asm, i: usize, acc: &[String]| {
        let Some(instruction) = second else { return };
        asm.push(format!("vmovdqa {}, {a}", digit("%rsi", n + i)));
        for (j, column) in acc.iter().enumerate() {
            asm.push(format!("vpmuldq {}, {a}, {t}", digit("%r8", j)));
            asm.push(format!("{instruction} {t}, {column}, {column}"));
        }
    };
    // acc[j] is the register of column i + j.
    let mut acc: Vec<String> = (0..n).map(|j| format!("%ymm{j}")).collect();
    asm.push(format!("vmovdqa {}, {a}", digit("%rsi", 0)));
    for (j, column) in acc.iter().enumerate() {
        asm.push(format!("vpmuldq {}, {a}, {column}", factor(0, j).expect("row 0 is complete")));
        let bias = if j == 0 { table.bias } else { table.column };
        asm.push(format!("vpaddq {}, {column}, {column}", constant(bias)));
    }
    add_second(asm, 0, &acc);
    for i in 1..n {
        asm.push(format!("vmovdqa {}, {a}", digit("%rsi", i)));
        asm.push(format!("vpand {}, {}, {m}", constant(table.mask), acc[0]));
        asm.push(format!("vpsrlq ${width}, {}, {}", acc[0], acc[0]));
        asm.push(format!("vpaddq {}, {}, {}", acc[0], acc[1], acc[1]));
        acc.rotate_left(1);
        let add_product = |asm: &mut Asm, j: usize| {
            let Some(factor) = factor(i, j) else { return };
            if j == n - 1 {
                // A new column, and one of the result's.
                asm.push(format!("vpmuldq {factor}, {a}, {}", acc[j]));
                asm.push(format!("vpaddq {}, {}, {}", constant(table.output_column), acc[j], acc[j]));
            } else {
                asm.push(format!("vpmuldq {factor}, {a}, {t}"));
                asm.push(format!("vpaddq {t}, {}, {}", acc[j], acc[j]));
            }
        };
        let add_multiple = |asm: &mut Asm, j: usize| {
            asm.push(format!("vpmuldq {}, {m}, {t}", constant(table.shifted + 32 * j)));
            asm.push(format!("vpaddq {t}, {}, {}", acc[j], acc[j]));
        };
        // The next quotient digit waits for column 0 alone: the products' first part goes ahead of the
        // multiples, to cover the latency of the digit before.
        let ahead = 4;
        for j in 0..ahead {
            add_product(asm, j);
        }
        add_multiple(asm, 0);
        for j in ahead..n {
            add_product(asm, j);
        }
        add_second(asm, i, &acc);
        for j in 1..n {
            add_multiple(asm, j);
        }
        if let Some((row, columns)) = kind.carry(radix) {
            if row == i {
                carry_columns(asm, radix, &acc[columns.start - i..=columns.end - i], [&a, &t]);
            }
        }
    }
    // The last column is cleared by a multiple of p itself: the result stays below 2p.
    asm.push(format!("vpmuludq {}, {}, {m}", constant(table.n0), acc[0]));
    asm.push(format!("vpand {}, {m}, {m}", constant(table.mask)));
    for (j, column) in acc.iter().enumerate() {
        asm.push(format!("vpmuldq {}, {m}, {t}", constant(table.modulus + 32 * j)));
        asm.push(format!("vpaddq {t}, {column}, {column}"));
    }
    asm.push(format!("vpsrlq ${width}, {}, {}", acc[0], acc[0]));
    asm.push(format!("vpaddq {}, {}, {}", acc[0], acc[1], acc[1]));
    // Balanced digits: half a digit is in the columns' constant already.
    for j in 1..n {
        let (column, free) = (&acc[j], &acc[0]);
        asm.push(format!("vpand {}, {column}, {m}", constant(table.mask)));
        asm.push(format!("vpsrlq ${width}, {column}, {free}"));
        asm.push(format!("vpsubq {}, {m}, {m}", constant(table.half)));
        asm.push(format!("vmovdqa {m}, {}", digit("%rdi", j - 1)));
        if j + 1 < n {
            asm.push(format!("vpaddq {free}, {0}, {0}", acc[j + 1]));
        } else {
            asm.push(format!("vpsubq {}, {free}, {free}", constant(table.top_bias)));
            asm.push(format!("vmovdqa {free}, {}", digit("%rdi", n - 1)));
        }
    }
    if kind == Kind::Square {
        asm.push("movq %rdx, %rsp");
    }
    asm.push("retq");
}

/// Carries all columns but the last of these at the same time, each into the next one. They keep their bias.
fn carry_columns(asm: &mut Asm, radix: Radix, columns: &[String], [carry, free]: [&String; 2]) {
    let table = Table::new(radix.digits);
    let constant = |offset: usize| format!("{offset}(%rcx)");
    let last = columns.len() - 1;
    for (j, column) in columns.iter().enumerate() {
        // Two registers in turn: the carry into this column waits while the one out of it is made.
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
