//! WebAssembly's kernels in relaxed SIMD, as a library of object code: products row by row, in an order that keeps few
//! values alive.
//!
//! ```text
//! for each of the four pairs of lanes:
//!     for i in 0..N:
//!         column[i + j], column[i + j + 1] += a[i] b[j]           low and high 51 bits, for all j
//!         m = column[i] mod 2^51, balanced                        the quotient digit
//!         column[i + 1] += column[i] >> 51
//!         column[i + 1 ..] += m N'                                with N' = (k p + 1) / 2^51
//!     result[j] = column[N + j] mod 2^51, balanced, with carries
//! ```
//!
//! # Departures from the pseudo-code
//! 1. **Products of doubles are two fused multiply-adds** (`Kernel::add_product`). Columns add the bits of both halves
//!    as integers, and start with minus all constants that will come (docs/kernels.md).
//! 2. **A column begins at its first use**, which keeps few values alive.
//! 3. **The last row adds a multiple of p** instead of N'. Its quotient digit also brings the value close to 0, so a
//!    vector needs no reduction before it is stored or compared. The multiple takes three instructions more.
//! 4. **Object code instead of Rust.** `src/radix51/kernels.rs` defines the kernels. Compiled from there, they take
//!    1.5x as long, because LLVM moves loads and additions together.
//!
//! # Contract of the kernels
//! - Arguments are in the comment above each function here. The second half of a sum's factors is behind the first.
//! - Digits of factors are within the ranges of docs/kernels.md, which `doubles.rs` checks for each prime.

use super::doubles;
use super::instruction_set::{InstructionSet, Names};
use super::primes::{Prime, Radix};
use super::wasm_object::{archive, object, Code, Function, Local};

pub struct Wasm;

impl InstructionSet for Wasm {
    fn names(&self) -> Names {
        Names {
            variant: "Wasm",
            folder: "wasm",
            code: 6,
            about: "WebAssembly's relaxed SIMD; eight lanes.",
            builds: "all(target_arch = \"wasm32\", target_feature = \"relaxed-simd\")",
        }
    }

    fn lanes(&self, prime: &Prime) -> Option<String> {
        radix(prime).map(|radix| radix.digits.to_string())
    }

    // A build with relaxed SIMD is for hosts that have it. Lanes in words would double the build's size.
    fn replaces_words(&self) -> bool {
        true
    }

    fn numbers(&self, prime: &Prime) -> String {
        doubles::numbers(prime)
    }

    fn kernels(&self) -> Option<(&'static str, Vec<u8>)> {
        Some(("libbucketwheel_wasm.a", library()))
    }
}

/// Radix of the 377- and 381-bit primes, and of the 254- and 255-bit primes.
const WIDE: Radix = Radix { width: 51, digits: 8, terms: 5 };
const NARROW: Radix = Radix { width: 51, digits: 5, terms: 5 };

/// Returns the digits of a prime.
pub fn radix(prime: &Prime) -> Option<Radix> {
    match prime.limbs() {
        4 => Some(NARROW),
        6 => Some(WIDE),
        _ => None,
    }
}

/// Byte offsets of the fields of a `DoubleTable<N>`, up to the fields of N entries.
const HIGH: usize = 0;
const LOW: usize = 16;
const MASK: usize = 32;
const EXPONENT: usize = 48;
const HALF: usize = 64;
const INTEGER: usize = 80;
const N0: usize = 96;
const PENDING: usize = 112;
const SCALE: usize = 128;
const SCALE_OFFSET: usize = 144;
const SHIFTED: usize = 160;

/// Pairs of lanes in a vector.
const PAIRS: usize = 4;

/// Returns a static library with the kernels of all radices.
fn library() -> Vec<u8> {
    let functions: Vec<Function> =
        [WIDE, NARROW].into_iter().flat_map(|radix| [mul(radix), square(radix), mul_add(radix)]).collect();
    archive("kernels.o", &object(&functions))
}

/// Returns the offset of the columns' start values: for products, squares, or sums of two products.
fn starts(n: usize, kind: usize) -> usize {
    SHIFTED + 16 * (2 * n + 2 * n * kind)
}

/// Returns the product `(out, a, b, table, step)`. The step is in bytes.
fn mul(radix: Radix) -> Function {
    let (mut code, n) = (Code::with_parameters(5), radix.digits);
    let [out, a, b, table, step] = code.parameters();
    let mut kernel = Kernel::new(&mut code, table, n, starts(n, 0));
    kernel.for_each_pair(|kernel| {
        for row in 0..n {
            let x = kernel.load(a, row);
            for j in 0..n {
                let y = kernel.load(b, j);
                kernel.add_product(x, y, row + j);
            }
            kernel.reduce_row(row);
        }
        kernel.store(out);
        kernel.advance(&[out, a]);
        kernel.advance_by(b, step);
    });
    code.function(format!("bucketwheel_wasm_mul_{n}"))
}

/// Returns the square `(out, a, table)`.
fn square(radix: Radix) -> Function {
    let (mut code, n) = (Code::with_parameters(3), radix.digits);
    let [out, a, table] = code.parameters();
    let mut kernel = Kernel::new(&mut code, table, n, starts(n, 1));
    kernel.for_each_pair(|kernel| {
        for row in 0..n {
            let x = kernel.load(a, row);
            kernel.add_product(x, x, 2 * row);
            if row + 1 < n {
                let twice = kernel.code.f64x2_add(x, x);
                for j in row + 1..n {
                    let y = kernel.load(a, j);
                    kernel.add_product(twice, y, row + j);
                }
            }
            kernel.reduce_row(row);
        }
        kernel.store(out);
        kernel.advance(&[out, a]);
    });
    code.function(format!("bucketwheel_wasm_square_{n}"))
}

/// Returns the sum of two products `(out, a, b, c, table)`. The second half of a lies behind the first.
fn mul_add(radix: Radix) -> Function {
    let (mut code, n) = (Code::with_parameters(5), radix.digits);
    let [out, a, b, c, table] = code.parameters();
    let mut kernel = Kernel::new(&mut code, table, n, starts(n, 2));
    kernel.for_each_pair(|kernel| {
        for row in 0..n {
            for (first, second) in [(row, b), (row + PAIRS * n, c)] {
                let x = kernel.load(a, first);
                for j in 0..n {
                    let y = kernel.load(second, j);
                    kernel.add_product(x, y, row + j);
                }
            }
            kernel.reduce_row(row);
        }
        kernel.store(out);
        kernel.advance(&[out, a, b, c]);
    });
    code.function(format!("bucketwheel_wasm_mul_add_{n}"))
}

/// Code of a kernel for one pair.
struct Kernel<'a> {
    code: &'a mut Code,
    table: Local,
    n: usize,
    /// The offset of the start values of columns.
    starts: usize,
    /// Constants of every product, in locals that all pairs share.
    high: Local,
    low: Local,
    columns: Vec<Option<Local>>,
}

impl<'a> Kernel<'a> {
    fn new(code: &'a mut Code, table: Local, n: usize, starts: usize) -> Self {
        let (high, low) = (code.load(table, HIGH), code.load(table, LOW));
        Kernel { code, table, n, starts, high, low, columns: vec![None; 2 * n] }
    }

    /// Emits the body for one pair after the other.
    fn for_each_pair(&mut self, body: impl Fn(&mut Self)) {
        let count = self.code.counter(PAIRS);
        self.code.begin_loop();
        self.columns.fill(None);
        body(self);
        self.code.end_loop(count);
    }

    /// Loads digit j of a pair.
    fn load(&mut self, pair: Local, j: usize) -> Local {
        self.code.load(pair, 16 * j)
    }

    fn constant(&mut self, offset: usize) -> Local {
        self.code.load(self.table, offset)
    }

    /// Returns a column, which begins at its first use.
    fn column(&mut self, i: usize) -> Local {
        match self.columns[i] {
            Some(column) => column,
            None => {
                let column = self.constant(self.starts + 16 * i);
                self.columns[i] = Some(column);
                column
            }
        }
    }

    fn add_to_column(&mut self, i: usize, x: Local) {
        let column = self.column(i);
        self.columns[i] = Some(self.code.i64x2_add(column, x));
    }

    /// Adds the halves of `x y` to column i and the column above it.
    fn add_product(&mut self, x: Local, y: Local, i: usize) {
        let high = self.code.madd(x, y, self.high);
        let rest = self.code.f64x2_sub(self.low, high);
        let low = self.code.madd(x, y, rest);
        self.add_to_column(i + 1, high);
        self.add_to_column(i, low);
    }

    /// Returns the balanced digit of column i as a double.
    fn digit(&mut self, i: usize) -> Local {
        let column = self.column(i);
        let [mask, exponent, half] = [MASK, EXPONENT, HALF].map(|offset| self.constant(offset));
        let digit = self.code.and(column, mask);
        let digit = self.code.or(digit, exponent);
        self.code.f64x2_sub(digit, half)
    }

    fn carry(&mut self, i: usize) {
        let column = self.column(i);
        let carry = self.code.shift_right(column, 51);
        self.add_to_column(i + 1, carry);
    }

    /// Clears the column of a row by N'. The last row adds a multiple of p that also brings the value close to 0.
    fn reduce_row(&mut self, row: usize) {
        let n = self.n;
        let digit = self.digit(row);
        if row + 1 < n {
            self.carry(row);
            for j in 0..n {
                let shifted = self.constant(SHIFTED + 16 * j);
                self.add_product(digit, shifted, row + 1 + j);
            }
            return;
        }
        let last = self.column(2 * n - 1);
        let [pending, scale, scale_offset, n0] =
            [PENDING, SCALE, SCALE_OFFSET, N0].map(|offset| self.constant(offset));
        let last = self.code.i64x2_add(last, pending);
        let value = self.code.madd(last, scale, scale_offset);
        let rounded = self.code.madd(digit, n0, value);
        let rounded = self.code.f64x2_add(rounded, self.high);
        let rest = self.code.f64x2_sub(self.high, rounded);
        let quotient = self.code.madd(digit, n0, rest);
        for j in 0..n {
            let modulus = self.constant(SHIFTED + 16 * (n + j));
            self.add_product(quotient, modulus, row + j);
        }
        self.carry(row);
    }

    /// Stores the digits of the result.
    fn store(&mut self, out: Local) {
        let n = self.n;
        for j in 0..n {
            let digit = if j + 1 < n {
                let digit = self.digit(n + j);
                self.carry(n + j);
                digit
            } else {
                let (column, integer) = (self.column(2 * n - 1), self.constant(INTEGER));
                self.code.f64x2_sub(column, integer)
            };
            self.code.store(out, 16 * j, digit);
        }
    }

    /// Moves pointers to the next pair.
    fn advance(&mut self, pointers: &[Local]) {
        for &pointer in pointers {
            self.code.add_constant(pointer, 16 * self.n);
        }
    }

    fn advance_by(&mut self, pointer: Local, step: Local) {
        self.code.add_to(pointer, step);
    }
}
