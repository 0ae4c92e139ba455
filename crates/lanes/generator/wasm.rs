//! WebAssembly's kernels as libraries of object code, in relaxed SIMD and in plain SIMD: products row by row, in an order that keeps
//! few values alive.
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
//! 4. **Two pairs of five digits take turns** (`Kernel::add_two_pairs`): the products of a pair's row run while the other
//!    pair's quotient digit waits for its column. A product takes 13.0 ns instead of 16.0 (Node 24, a Zen 4). Eight
//!    digits of two pairs do not fit the registers: an earlier product took 50 ns instead of 33.
//! 5. **The next row of products follows a quotient digit** where pairs come one after the other (`Kernel::add_pair`), before the
//!    products of the quotient digit, which wait for it.
//! 6. **Object code instead of Rust.** `src/doubles/kernels.rs` defines the kernels. Compiled from there, they take
//!    1.5x as long, because LLVM moves loads and additions together.
//! 7. **Narrow digits in plain SIMD.** Without fused multiply-adds, digits have 24 bits, so columns of doubles hold exact sums of
//!    products. A digit is the column less its rounding to a multiple of 2^24. A pair has the 16 registers for itself.
//! 8. **A pair of narrow digits carries during the next pair's rows** (`Kernel::store_before`). A carry takes four instructions that
//!    wait for each other, and nothing else is left to do. So a pair leaves its columns in scratch memory, and each row of the next
//!    pair stores one digit.
//!
//! With departures 5 and 8, a product of 11 narrow digits takes 32.6 ns instead of 48.4, a product of 16 takes 64.5 instead of 83.4
//! (Node 24, a Zen 4). With departure 5, a product of 8 wide digits takes 34.4 ns instead of 36.6.
//!
//! # Contract of the kernels
//! - Arguments are in the comment above each function here. The second half of a sum's factors is behind the first.
//! - Scratch memory has 16 N bytes, aligned to 16, and overlaps no argument. It need not be initialised. Kernels of wide digits
//!   leave it alone.
//! - Digits of factors are within the ranges of docs/kernels.md, which `doubles.rs` checks for each prime.

use super::doubles;
use super::instruction_set::{InstructionSet, Names};
use super::primes::{Prime, Radix};
use super::wasm_object::{archive, object, Code, Function, Local};

/// Relaxed SIMD, with fused multiply-adds.
pub struct Relaxed;

impl InstructionSet for Relaxed {
    fn names(&self) -> Names {
        Names {
            variant: "Wasm",
            folder: "wasm",
            code: 6,
            about: "WebAssembly's SIMD, relaxed or plain; eight lanes.",
            builds: "all(target_arch = \"wasm32\", target_feature = \"relaxed-simd\")",
        }
    }

    fn lanes(&self, prime: &Prime) -> Option<String> {
        relaxed_radix(prime).map(|radix| radix.digits.to_string())
    }

    // A build with SIMD is for hosts that have it. Lanes in words would double the build's size.
    fn replaces_words(&self) -> bool {
        true
    }

    fn numbers(&self, prime: &Prime) -> String {
        doubles::numbers(prime, relaxed_radix(prime))
    }

    fn kernels(&self) -> Option<(&'static str, Vec<u8>)> {
        Some(("libbucketwheel_wasm.a", library(&[WIDE, NARROW], &["relaxed-simd", "simd128"])))
    }
}

/// SIMD without fused multiply-adds.
pub struct Plain;

impl InstructionSet for Plain {
    fn names(&self) -> Names {
        Names {
            builds: "all(target_arch = \"wasm32\", target_feature = \"simd128\", not(target_feature = \"relaxed-simd\"))",
            ..Relaxed.names()
        }
    }

    fn lanes(&self, prime: &Prime) -> Option<String> {
        plain_radix(prime).map(|radix| radix.digits.to_string())
    }

    fn replaces_words(&self) -> bool {
        true
    }

    fn numbers(&self, prime: &Prime) -> String {
        doubles::numbers(prime, plain_radix(prime))
    }

    fn kernels(&self) -> Option<(&'static str, Vec<u8>)> {
        Some(("libbucketwheel_wasm_plain.a", library(&[PLAIN_WIDE, PLAIN_NARROW], &["simd128"])))
    }
}

/// Radices of primes of six words, and of four words.
const WIDE: Radix = Radix { width: 51, digits: 8, terms: 5 };
const NARROW: Radix = Radix { width: 51, digits: 5, terms: 5 };
/// These radices without fused multiply-adds.
const PLAIN_WIDE: Radix = Radix { width: 24, digits: 16, terms: 5 };
const PLAIN_NARROW: Radix = Radix { width: 24, digits: 11, terms: 5 };

pub fn relaxed_radix(prime: &Prime) -> Option<Radix> {
    by_words(prime, NARROW, WIDE)
}

fn plain_radix(prime: &Prime) -> Option<Radix> {
    by_words(prime, PLAIN_NARROW, PLAIN_WIDE)
}

fn by_words(prime: &Prime, four: Radix, six: Radix) -> Option<Radix> {
    match prime.limbs() {
        4 => Some(four),
        6 => Some(six),
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
const UNIT: usize = 160;
const SHIFTED: usize = 176;

/// Pairs of lanes in a vector.
const PAIRS: usize = 4;

/// Returns a static library with the kernels of these radices, for engines with these features.
fn library(radices: &[Radix], features: &[&str]) -> Vec<u8> {
    let functions: Vec<Function> =
        radices.iter().flat_map(|&radix| [mul(radix), square(radix), mul_add(radix)]).collect();
    archive("kernels.o", &object(&functions, features))
}

/// Returns the offset of the columns' start values: for products, squares, or sums of two products.
fn starts(n: usize, kind: usize) -> usize {
    SHIFTED + 16 * (2 * n + 2 * n * kind)
}

/// Returns the product `(out, a, b, table, step, scratch)`. The step is in bytes.
fn mul(radix: Radix) -> Function {
    let (mut code, n) = (Code::with_parameters(6), radix.digits);
    let [out, a, b, table, step, scratch] = code.parameters();
    let pairs = pairs_at_a_time(radix);
    let mut factors = vec![b];
    while factors.len() < pairs {
        factors.push(code.sum(factors[factors.len() - 1], step));
    }
    let mut kernel = Kernel::new(&mut code, table, radix, starts(n, 0));
    kernel.for_each_pair(out, [a, scratch], |kernel, row| {
        let x = kernel.load(a, row);
        for j in 0..n {
            let y = kernel.load_from(factors[kernel.pair], j);
            kernel.add_product(x, y, row + j);
        }
    });
    kernel.advance(&[out, a]);
    for &pointer in &factors {
        (0..pairs).for_each(|_| kernel.code.add_to(pointer, step));
    }
    kernel.end();
    code.function(format!("bucketwheel_wasm_mul_{n}"))
}

/// Returns the square `(out, a, table, scratch)`.
fn square(radix: Radix) -> Function {
    let (mut code, n) = (Code::with_parameters(4), radix.digits);
    let [out, a, table, scratch] = code.parameters();
    let mut kernel = Kernel::new(&mut code, table, radix, starts(n, 1));
    kernel.for_each_pair(out, [a, scratch], |kernel, row| {
        let x = kernel.load(a, row);
        kernel.add_product(x, x, 2 * row);
        if row + 1 < n {
            let twice = kernel.code.f64x2_add(x, x);
            for j in row + 1..n {
                let y = kernel.load(a, j);
                kernel.add_product(twice, y, row + j);
            }
        }
    });
    kernel.advance(&[out, a]);
    kernel.end();
    code.function(format!("bucketwheel_wasm_square_{n}"))
}

/// Returns the sum of two products `(out, a, b, c, table, scratch)`. The second half of a lies behind the first.
fn mul_add(radix: Radix) -> Function {
    let (mut code, n) = (Code::with_parameters(6), radix.digits);
    let [out, a, b, c, table, scratch] = code.parameters();
    let mut kernel = Kernel::new(&mut code, table, radix, starts(n, 2));
    kernel.for_each_pair(out, [a, scratch], |kernel, row| {
        for (first, second) in [(row, b), (row + PAIRS * n, c)] {
            let x = kernel.load(a, first);
            for j in 0..n {
                let y = kernel.load(second, j);
                kernel.add_product(x, y, row + j);
            }
        }
    });
    kernel.advance(&[out, a, b, c]);
    kernel.end();
    code.function(format!("bucketwheel_wasm_mul_add_{n}"))
}

/// Returns the number of pairs whose rows take turns. Two pairs of more than five digits are too much for the registers.
fn pairs_at_a_time(radix: Radix) -> usize {
    match radix.digits {
        ..=5 => 2,
        _ => 1,
    }
}

/// Code of a kernel for the pairs of a turn.
struct Kernel<'a> {
    code: &'a mut Code,
    table: Local,
    n: usize,
    /// The offset of the start values of columns.
    starts: usize,
    /// True for digits of 24 bits.
    is_plain: bool,
    /// Constants of every product of 51-bit digits, in locals that all pairs share. `high` also rounds to digits.
    high: Local,
    low: Local,
    /// The turns left.
    turns: Local,
    /// The columns of each pair of a turn.
    columns: Vec<Vec<Option<Local>>>,
    /// The pair whose code comes next.
    pair: usize,
    /// Pointers to the columns and to the digits of the pair before, of 24-bit digits.
    before: Option<[Local; 2]>,
    /// The carry to the next digit of the pair before.
    carry: Option<Local>,
}

impl<'a> Kernel<'a> {
    fn new(code: &'a mut Code, table: Local, radix: Radix, starts: usize) -> Self {
        let (n, pairs) = (radix.digits, pairs_at_a_time(radix));
        let is_plain = radix.width == PLAIN_NARROW.width;
        let high = code.load(table, HIGH);
        let low = if is_plain { high } else { code.load(table, LOW) };
        let turns = code.counter(PAIRS / pairs);
        let columns = vec![vec![None; 2 * n]; pairs];
        Kernel {
            code,
            table,
            n,
            starts,
            is_plain,
            high,
            low,
            turns,
            columns,
            pair: 0,
            before: None,
            carry: None,
        }
    }

    /// Begins the loop over all pairs, and emits the products of a turn. `add_row` emits the products of a factor's row. Pairs of
    /// 24-bit digits leave columns in `scratch`. The first turn has no pair before it: it reads `a` in place of columns, and the digits
    /// that it makes stay unused in `scratch`.
    fn for_each_pair(&mut self, out: Local, [a, scratch]: [Local; 2], add_row: impl Fn(&mut Self, usize)) {
        if self.is_plain {
            self.before = Some([a, scratch].map(|pointer| self.code.copy(pointer)));
        }
        self.code.begin_loop();
        if self.columns.len() == 1 {
            self.add_pair(add_row);
        } else {
            self.add_two_pairs(add_row);
        }
        let Some([source, target]) = self.before else {
            return self.store(out);
        };
        for j in 0..self.n - 1 {
            let column = self.column(self.n + j);
            self.code.store(scratch, 16 * j, column);
        }
        self.code.assign(source, scratch);
        self.code.assign(target, out);
    }

    /// Adds the rows of two pairs, and reduces all but the last row of the second pair. The products of a pair stand between the
    /// reductions of the other pair.
    fn add_two_pairs(&mut self, add_row: impl Fn(&mut Self, usize)) {
        for row in 0..self.n {
            add_row(self, row);
            self.pair = 1;
            if row > 0 {
                self.reduce_row(row - 1);
            }
            add_row(self, row);
            self.pair = 0;
            self.reduce_row(row);
        }
    }

    /// Adds the rows of a pair and reduces them. The products of the next row stand between a quotient digit and its products.
    fn add_pair(&mut self, add_row: impl Fn(&mut Self, usize)) {
        add_row(self, 0);
        for row in 0..self.n {
            let quotient = self.quotient(row);
            if row + 1 < self.n {
                add_row(self, row + 1);
            }
            self.clear(row, quotient);
            if self.is_plain {
                self.store_before(row);
            }
        }
    }

    /// Stores digit j of the pair before, and carries.
    fn store_before(&mut self, j: usize) {
        let [source, target] = self.before.expect("the pointers of narrow digits");
        let carry = self.carry.take();
        if j + 1 == self.n {
            return self.code.store(target, 16 * j, carry.expect("the carry from digit n - 2"));
        }
        let mut column = self.code.load(source, 16 * j);
        if let Some(carry) = carry {
            column = self.code.f64x2_add(column, carry);
        }
        let (digit, rest) = self.split_double(column);
        self.code.store(target, 16 * j, digit);
        self.carry = Some(self.times_unit(rest));
    }

    /// Ends the loop, whose pointers have been moved. Stores the digits of the last pair.
    fn end(&mut self) {
        self.code.end_loop(self.turns);
        if self.is_plain {
            (0..self.n).for_each(|j| self.store_before(j));
        }
    }

    /// Loads digit j of the pair.
    fn load(&mut self, pairs: Local, j: usize) -> Local {
        self.load_from(pairs, self.pair * self.n + j)
    }

    /// Loads digit j behind a pointer.
    fn load_from(&mut self, pointer: Local, j: usize) -> Local {
        self.code.load(pointer, 16 * j)
    }

    fn constant(&mut self, offset: usize) -> Local {
        self.code.load(self.table, offset)
    }

    /// Returns a column, which begins at its first use.
    fn column(&mut self, i: usize) -> Local {
        match self.columns[self.pair][i] {
            Some(column) => column,
            None => {
                assert!(!self.is_plain, "column {i} has no products");
                let column = self.constant(self.starts + 16 * i);
                self.columns[self.pair][i] = Some(column);
                column
            }
        }
    }

    fn add_to_column(&mut self, i: usize, x: Local) {
        let column = self.column(i);
        self.columns[self.pair][i] = Some(self.code.i64x2_add(column, x));
    }

    /// Adds `x y` to column i; the upper halves of 51-bit digits' products go to the column above it.
    fn add_product(&mut self, x: Local, y: Local, i: usize) {
        if self.is_plain {
            let product = self.code.f64x2_mul(x, y);
            self.add_double(i, product);
            return;
        }
        let high = self.code.madd(x, y, self.high);
        let rest = self.code.f64x2_sub(self.low, high);
        let low = self.code.madd(x, y, rest);
        self.add_to_column(i + 1, high);
        self.add_to_column(i, low);
    }

    /// Adds a double to column i, which may begin with it.
    fn add_double(&mut self, i: usize, x: Local) {
        let sum = match self.columns[self.pair][i] {
            Some(column) => self.code.f64x2_add(column, x),
            None => x,
        };
        self.columns[self.pair][i] = Some(sum);
    }

    /// Returns the balanced digit of a column of doubles, and the rest of the column.
    fn split_double(&mut self, column: Local) -> (Local, Local) {
        let rounded = self.code.f64x2_add(column, self.high);
        let rest = self.code.f64x2_sub(rounded, self.high);
        (self.code.f64x2_sub(column, rest), rest)
    }

    /// Returns the carry of a column's rest to the next column.
    fn times_unit(&mut self, rest: Local) -> Local {
        let unit = self.constant(UNIT);
        self.code.f64x2_mul(rest, unit)
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

    /// Returns the quotient digit of a row, and carries its column if N' clears the column.
    fn quotient(&mut self, row: usize) -> Local {
        let is_last = row + 1 == self.n;
        if self.is_plain {
            let column = self.column(row);
            let (digit, rest) = self.split_double(column);
            if is_last {
                return self.last_plain_quotient(digit);
            }
            let carry = self.times_unit(rest);
            self.add_double(row + 1, carry);
            return digit;
        }
        let digit = self.digit(row);
        if is_last {
            return self.last_quotient(digit);
        }
        self.carry(row);
        digit
    }

    /// Returns the last quotient digit, which also brings the value close to 0.
    fn last_quotient(&mut self, digit: Local) -> Local {
        let last = self.column(2 * self.n - 1);
        let [pending, scale, scale_offset, n0] =
            [PENDING, SCALE, SCALE_OFFSET, N0].map(|offset| self.constant(offset));
        let last = self.code.i64x2_add(last, pending);
        let value = self.code.madd(last, scale, scale_offset);
        let rounded = self.code.madd(digit, n0, value);
        let rounded = self.code.f64x2_add(rounded, self.high);
        let rest = self.code.f64x2_sub(self.high, rounded);
        self.code.madd(digit, n0, rest)
    }

    /// Does the work of `last_quotient` on columns of doubles.
    fn last_plain_quotient(&mut self, digit: Local) -> Local {
        let [scale, n0] = [SCALE, N0].map(|offset| self.constant(offset));
        let last = self.column(2 * self.n - 2);
        let value = self.code.f64x2_mul(last, scale);
        let product = self.code.f64x2_mul(digit, n0);
        let rounded = self.code.f64x2_add(product, value);
        let rounded = self.code.f64x2_add(rounded, self.high);
        let rounded = self.code.f64x2_sub(rounded, self.high);
        self.code.f64x2_sub(product, rounded)
    }

    /// Clears the column of a row by the quotient digit times N', in the last row times p.
    fn clear(&mut self, row: usize, quotient: Local) {
        let n = self.n;
        let is_last = row + 1 == n;
        let (first, factor) = if is_last { (row, SHIFTED + 16 * n) } else { (row + 1, SHIFTED) };
        for j in 0..n {
            let y = self.constant(factor + 16 * j);
            self.add_product(quotient, y, first + j);
        }
        if is_last && self.is_plain {
            let column = self.column(row);
            let carry = self.times_unit(column);
            self.add_double(row + 1, carry);
        } else if is_last {
            self.carry(row);
        }
    }

    /// Reduces a row: clears its column, and adds the carry to the next column.
    fn reduce_row(&mut self, row: usize) {
        let quotient = self.quotient(row);
        self.clear(row, quotient);
    }

    /// Stores the digits of the results, after the reduction of the second pair's last row.
    fn store(&mut self, out: Local) {
        let n = self.n;
        for pair in 0..self.columns.len() {
            self.pair = pair;
            if pair > 0 {
                self.reduce_row(n - 1);
            }
            for j in 0..n {
                let digit = if j + 1 < n {
                    let digit = self.digit(n + j);
                    self.carry(n + j);
                    digit
                } else {
                    let (column, integer) = (self.column(2 * n - 1), self.constant(INTEGER));
                    self.code.f64x2_sub(column, integer)
                };
                self.code.store(out, 16 * (pair * n + j), digit);
            }
        }
    }

    /// Moves pointers to the pairs of the next turn.
    fn advance(&mut self, pointers: &[Local]) {
        for &pointer in pointers {
            self.code.add_constant(pointer, 16 * self.n * self.columns.len());
        }
    }
}
