//! The quotient in three passes over memory.
//!
//! # Pseudo-code
//! ```text
//! for each column c:                                                     pass 1, Inverse
//!     C[., c] = A[., c] * B[., c]
//!     for V in A, B, C:
//!         V[., c] = inverse transform of V[., c]
//!         V[k1, c] *= (g w^-c)^k1 / n                                    for each k1
//! for V in A, B, C, for each row k1:                                     pass 2, Rows
//!     V[k1, .] = inverse transform of V[k1, .]                           coefficients
//!     V[k1, .] = transform of V[k1, .] to the coset of g^N1
//! for each column c:                                                     pass 3, Forward
//!     for V in A, B, C:
//!         V[k1, c] *= w^(c k1)                                           for each k1
//!         V[., c] = transform of V[., c]
//!     A[., c] = A[., c] * B[., c] - C[., c]                              integers
//! ```
//!
//! # Departures from the pseudo-code
//! 1. **A lane per column, then a lane per row.** Between the passes, square tiles are transposed in place: lane i of
//!    a tile's vector j becomes lane j of vector i. So no lane meets another one, and all lanes have the same
//!    twiddles.
//! 2. **No order is restored.** k1 and k2 stay in bit-reversed order, because the inverse transform starts from there
//!    (`layers.rs`).
//! 3. **Powers are computed column by column**, one product each, for A, B and C together: tables have N1 and N2
//!    constants, not n. SHA-256's quotient takes 19 cycles for each butterfly, where the first-level cache alone would
//!    allow 12.5. The products between the passes, 18 for each element, and fresh pages are the rest (docs/groth16.md).
//! 4. **Sums are lazy**: only the factor of a product has to be almost reduced (`layers.rs`). `PrimeLanes` bounds the
//!    number of terms.
//! 5. **The conversion to integers is part of pass 3** ([`Plan::leave`]): A and C are multiplied by a constant instead
//!    of the result.
//! 6. **Rows and columns fit the second-level cache** as far as they can ([`LOG_ROWS`], [`LOG_COLUMNS`]): up to
//!    n = 2^20 each step of a pass does.
//! 7. **Small domains**, with fewer than LANES^2 elements, have one row and use the first lane alone ([`Small`]).
//!
//! # Contract of [`AnyPlan::quotient`]
//! - The slots of A and B hold the words of their values, in Montgomery form. C may hold anything.
//! - The slots of A hold the words of the quotient's values afterwards, as integers. B and C are of no use.
//! - After an error, no vector is of use.
//! - `between` is called after each of the first two passes, except in a small domain.
//! - Jobs of a pass touch different slots: a column of slots in passes 1 and 3, LANES rows of one vector in pass 2.
//!
//! # Rows and columns
//! An index is `j = c + N2 r`, for column c and row r of N1 rows of N2 elements. The index of a coefficient is
//! `k = k1 + N1 k2`. With `w^(-jk) = w^(-c k1) w^(-N2 r k1) w^(-N1 c k2)`, a transform of size n is a transform of
//! size N1 of each column, a product with `w^(-c k1)`, and a transform of size N2 of each row. The inverse transforms
//! the rows, multiplies without the sign, and transforms the columns.
//!
//! # Cost
//! Six transforms are `3 n log2 n` butterflies. About 3 n of them have twiddle 1 and need no product. The passes add
//! about 18 n products.

use bucketwheel::Error;
use bucketwheel_lanes::{LaneField, OutOfLine, PrimeLanes, Task, Visitor, MAX_LANES};

use super::domain::Numbers;
use super::jobs::Jobs;
use super::layers::{one, Layers};
use super::vector::{Slots, Vector};

/// A domain in one backend's lanes.
pub trait AnyPlan: Send + Sync {
    /// Returns placement of elements in this backend's vectors.
    fn slots(&self) -> Slots;

    /// Transforms values of A and B on the domain (in Montgomery form) to values of A B - C on its coset (integers),
    /// in place of A. Calls `between` after each of the first two passes.
    fn quotient(&self, vectors: &mut [Vector; 3], jobs: Jobs, between: &mut dyn FnMut())
        -> Result<(), Error>;
}

/// Logarithm of the largest number of rows for which three columns and a table of powers fit the second-level cache.
const LOG_ROWS: u32 = 9;
/// Logarithm of the longest row for which the memory of a step fits the second-level cache.
const LOG_COLUMNS: u32 = 11;

/// 2^log_rows rows of 2^log_columns elements, in natural order row by row.
pub struct Plan<L: PrimeLanes> {
    lanes: L,
    log_rows: u32,
    log_columns: u32,
    /// Transforms of columns.
    columns: Layers<L>,
    /// Transforms of rows.
    rows: Layers<L>,
    /// The root of unity of the domain's order, and its inverse.
    root: L::Words,
    root_inverse: L::Words,
    /// Shift from the domain to its coset.
    shift: L::Words,
    /// 1 / n
    size_inverse: L::Words,
    /// Factor that turns a product of two elements in Montgomery form, as [`PrimeLanes::split`] takes them, into an
    /// integer.
    leave: L::Scalar,
}

impl<W: Copy + Send + Sync + 'static> Visitor<W> for Numbers<W> {
    type Output = Box<dyn AnyPlan>;

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> Box<dyn AnyPlan> {
        Box::new(Plan::new(lanes, &self))
    }
}

/// Returns the logarithm of the number of rows; 0 if there are too few elements to fill the lanes with rows and
/// columns.
pub fn log_rows<L: PrimeLanes>(log_size: u32) -> u32 {
    match log_size < 2 * L::LANES.trailing_zeros() {
        true => 0,
        false => (log_size / 2).min(LOG_ROWS.max(log_size.saturating_sub(LOG_COLUMNS))),
    }
}

impl<L: PrimeLanes> Plan<L> {
    fn new(lanes: L, &Numbers { log_size, root, shift, size_inverse, unit }: &Numbers<L::Words>) -> Self {
        let log_rows = log_rows::<L>(log_size);
        let log_columns = log_size - log_rows;
        let power_of_two = |x: L::Words, log: u32| (0..log).fold(x, |x, _| lanes.mul_words(&x, &x));
        // Montgomery forms outside have their own r: the integer R of the backend is R / r there, and leave is R / r^2.
        let radix = lanes.join(&lanes.lift(&lanes.one()))[0];
        let leave = lanes.scalar(&lanes.mul_words(&radix, &unit));
        Plan {
            lanes,
            log_rows,
            log_columns,
            columns: Layers::new(lanes, log_rows, power_of_two(root, log_columns), one(lanes)),
            rows: Layers::new(
                lanes,
                log_columns,
                power_of_two(root, log_rows),
                power_of_two(shift, log_rows),
            ),
            root,
            root_inverse: lanes.invert_words(&root).expect("a root of unity"),
            shift,
            size_inverse,
            leave,
        }
    }

    /// Returns the number of vectors in a row.
    fn width(&self) -> usize {
        (1usize << self.log_columns) / L::LANES
    }

    fn worker(&self, scratch: usize, table: usize) -> Worker<L> {
        Worker::new(self.lanes, scratch, table)
    }
}

/// Memory of a thread.
pub struct Worker<L: PrimeLanes> {
    pub scratch: Vec<L::Sum>,
    pub table: Vec<L::Vec>,
}

impl<L: PrimeLanes> Worker<L> {
    pub fn new(lanes: L, scratch: usize, table: usize) -> Self {
        let zero = lanes.split(&[L::Words::default(); MAX_LANES]);
        Worker { scratch: vec![zero; scratch], table: vec![lanes.vector(&zero); table] }
    }
}

/// The vectors of A, B and C, shared by jobs that touch different places: each has 2^(`log_rows`) rows of `width` slots, and a job of
/// a pass has one column of slots, some rows, or all.
#[derive(Clone, Copy)]
struct Shared<S>([*mut S; 3]);

// SAFETY: threads share only addresses. Each job reads and writes slots that no other job of its pass has, and passes come one after
// the other, so that no two threads use a slot at once.
unsafe impl<S: Send> Sync for Shared<S> {}
// SAFETY: slots are plain data, which any thread may use (`S: Send`), and the vectors are borrowed until all jobs are done.
unsafe impl<S: Send> Send for Shared<S> {}

impl<L: PrimeLanes> AnyPlan for Plan<L> {
    fn slots(&self) -> Slots {
        Slots::of::<L>()
    }

    fn quotient(
        &self,
        vectors: &mut [Vector; 3],
        jobs: Jobs,
        between: &mut dyn FnMut(),
    ) -> Result<(), Error> {
        let vectors = &Shared(vectors.each_mut().map(|vector| vector.as_mut_ptr::<L>()));
        let lanes = self.lanes;
        if self.log_rows == 0 {
            let size = 1 << self.log_columns;
            let worker = || self.worker(3 * size, 0);
            return jobs.run(1, worker, |worker, _| lanes.vectorize(Small { plan: self, vectors, worker }));
        }
        let (rows, columns) = (1 << self.log_rows, 1 << self.log_columns);
        let worker = || self.worker(3 * rows, rows);
        jobs.run(self.width(), worker, |worker, column| {
            lanes.vectorize(Inverse { plan: self, vectors, worker, column })
        })?;
        between();
        let worker = || self.worker(columns, 0);
        jobs.run(3 * rows / L::LANES, worker, |worker, index| {
            let (vector, block) = (index % 3, index / 3);
            // SAFETY: `block` is below rows / LANES, and each block has `columns` slots: `start` is within the vector's rows * width.
            let start = unsafe { vectors.0[vector].add(block * columns) };
            lanes.vectorize(Rows { plan: self, start, scratch: &mut worker.scratch })
        })?;
        between();
        let worker = || self.worker(2 * rows, rows);
        jobs.run(self.width(), worker, |worker, column| {
            lanes.vectorize(Forward { plan: self, vectors, worker, column })
        })
    }
}

/// Reads the words of the elements of a vector.
///
/// # Safety
/// - `slot` points to an aligned slot, at whose start are the words of all lanes.
/// - Nobody writes the slot during the call.
#[inline(always)]
unsafe fn read_words<L: PrimeLanes>(lanes: L, slot: *const L::Sum) -> L::Sum {
    // SAFETY: the words of all lanes are at the start of the slot, which has room for them (`Slots::of`) and their alignment or more.
    // Nobody writes them while the slice is used.
    lanes.split(unsafe { std::slice::from_raw_parts(slot.cast(), L::LANES) })
}

/// Writes the words of the elements into a vector.
///
/// # Safety
/// - `slot` points to an aligned slot.
/// - Nobody else uses the slot during the call.
#[inline(always)]
unsafe fn write_words<L: PrimeLanes>(slot: *mut L::Sum, words: &[L::Words; MAX_LANES]) {
    // SAFETY: a slot has room for the words of all lanes (`Slots::of`), and their alignment or more. Nobody else uses it, so that
    // `words` is elsewhere.
    unsafe { slot.cast::<L::Words>().copy_from_nonoverlapping(words.as_ptr(), L::LANES) }
}

/// Fills `table[r] = first base^k`, where k is r with its bits reversed; all values are reduced.
#[inline(always)]
pub fn powers_table<L: PrimeLanes>(lanes: L, first: &L::Vec, base: &L::Vec, table: &mut [L::Vec]) {
    let bits = table.len().trailing_zeros() as usize;
    let mut squares = [*base; usize::BITS as usize];
    for j in 1..bits {
        let mut square = squares[j - 1];
        lanes.square(&squares[j - 1], &mut square);
        squares[j] = lanes.reduce(&lanes.lift(&square));
    }
    table[0] = *first;
    for s in 0..bits {
        let (known, new) = table.split_at_mut(1 << s);
        for (known, new) in known.iter().zip(new) {
            lanes.mul(known, L::as_factor(&squares[bits - 1 - s]), new);
            *new = lanes.reduce(&lanes.lift(new));
        }
    }
}

/// Returns `first x^c` for the columns c of a vector.
pub fn column_powers<L: PrimeLanes>(lanes: L, first: L::Words, x: L::Words, column: usize) -> L::Vec {
    let mul = |a: &L::Words, b: &L::Words| lanes.mul_words(a, b);
    let first_column = column * L::LANES;
    let mut power = one(lanes);
    for bit in (0..usize::BITS - first_column.leading_zeros()).rev() {
        power = mul(&power, &power);
        if first_column >> bit & 1 == 1 {
            power = mul(&power, &x);
        }
    }
    power = mul(&first, &power);
    let mut words = [L::Words::default(); MAX_LANES];
    for words in &mut words[..L::LANES] {
        *words = power;
        power = mul(&power, &x);
    }
    OutOfLine::of(lanes).encode(&words)
}

/// Computes C = A B in some columns, and transforms these columns of A, B and C to rows of coefficients.
struct Inverse<'a, L: PrimeLanes> {
    plan: &'a Plan<L>,
    vectors: &'a Shared<L::Sum>,
    worker: &'a mut Worker<L>,
    /// The vector of the first row that holds these columns.
    column: usize,
}

impl<L: PrimeLanes> Task for Inverse<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Inverse { plan, vectors, worker: Worker { scratch, table }, column } = self;
        let (lanes, width) = (plan.lanes, plan.width());
        let rows = table.len();
        let (a, rest) = scratch.split_at_mut(rows);
        let (b, c) = rest.split_at_mut(rows);
        for row in 0..rows {
            let at = row * width + column;
            // SAFETY: `row < rows` and `column < width`, so that the slot is within both vectors. It is of this column, which no other
            // job has, and has the words that were written before this pass.
            unsafe {
                a[row] = read_words(lanes, vectors.0[0].add(at));
                b[row] = read_words(lanes, vectors.0[1].add(at));
            }
            c[row] = lanes.mul_lazy(&a[row], &lanes.vector(&b[row]));
        }
        // Element k of the spectrum of column c times (shift root^-c)^k / n.
        let base = column_powers(lanes, plan.shift, plan.root_inverse, column);
        powers_table(lanes, &lanes.splat(plan.size_inverse), &base, table);
        for (spectrum, vector) in [a, b, c].into_iter().zip(vectors.0) {
            plan.columns.to_permuted(spectrum);
            for (tile, (values, powers)) in
                spectrum.chunks_exact(L::LANES).zip(table.chunks_exact(L::LANES)).enumerate()
            {
                let mut transposed = [values[0]; MAX_LANES];
                for lane in 0..L::LANES {
                    transposed[lane] = lanes.mul_lazy(&values[lane], &powers[lane]);
                }
                lanes.transpose(&mut transposed);
                for lane in 0..L::LANES {
                    // SAFETY: the row is below `rows` and `column < width`, so that the slot is within the vector. It is of this
                    // column, which no other job has.
                    unsafe { *vector.add((tile * L::LANES + lane) * width + column) = transposed[lane] };
                }
            }
        }
    }
}

/// Transforms one row per lane, of one vector: to coefficients, and to the coset.
struct Rows<'a, L: PrimeLanes> {
    plan: &'a Plan<L>,
    /// The first slot of the job's rows. No other job of the pass has these rows.
    start: *mut L::Sum,
    scratch: &'a mut [L::Sum],
}

impl<L: PrimeLanes> Task for Rows<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Rows { plan, start, scratch } = self;
        let width = plan.width();
        for (column, vectors) in scratch.chunks_exact_mut(L::LANES).enumerate() {
            for lane in 0..L::LANES {
                // SAFETY: `lane < LANES` and `column < width`, so that the slot is one of the job's LANES * width from `start` on.
                vectors[lane] = unsafe { *start.add(lane * width + column) };
            }
        }
        let terms = plan.rows.to_permuted(scratch);
        plan.rows.to_natural(scratch, terms);
        for (column, vectors) in scratch.chunks_exact(L::LANES).enumerate() {
            for lane in 0..L::LANES {
                // SAFETY: `lane < LANES` and `column < width`, so that the slot is one of the job's LANES * width from `start` on.
                unsafe { *start.add(lane * width + column) = vectors[lane] };
            }
        }
    }
}

/// Transforms rows of A, B and C to columns on the coset, and computes A B - C.
struct Forward<'a, L: PrimeLanes> {
    plan: &'a Plan<L>,
    vectors: &'a Shared<L::Sum>,
    worker: &'a mut Worker<L>,
    column: usize,
}

impl<L: PrimeLanes> Task for Forward<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Forward { plan, vectors, worker: Worker { scratch, table }, column } = self;
        let (lanes, width) = (plan.lanes, plan.width());
        let rows = table.len();
        let (product, values) = scratch.split_at_mut(rows);
        // Element k of the spectrum of column c times root^(c k).
        powers_table(lanes, &lanes.one(), &column_powers(lanes, one(lanes), plan.root, column), table);
        for (index, vector) in vectors.0.into_iter().enumerate() {
            for (tile, (values, powers)) in
                values.chunks_exact_mut(L::LANES).zip(table.chunks_exact(L::LANES)).enumerate()
            {
                let mut transposed = [values[0]; MAX_LANES];
                for lane in 0..L::LANES {
                    // SAFETY: the row is below `rows` and `column < width`, so that the slot is within the vector. It is of this
                    // column, which no other job has.
                    transposed[lane] = unsafe { *vector.add((tile * L::LANES + lane) * width + column) };
                }
                lanes.transpose(&mut transposed);
                for lane in 0..L::LANES {
                    values[lane] = lanes.mul_lazy(&transposed[lane], &powers[lane]);
                }
            }
            plan.columns.to_natural(values, 1);
            for row in 0..rows {
                // SAFETY: `row < rows` and `column < width`, so that the slot is within A. It is of this column, which no other job
                // has, and this job has read A's values before.
                unsafe {
                    let slot = vectors.0[0].add(row * width + column);
                    plan.combine(index, &values[row], &mut product[row], slot);
                }
            }
        }
    }
}

impl<L: PrimeLanes> Plan<L> {
    /// Takes a value of A (`index` 0), of B (1) and of C (2) in turn. Keeps A's, then the product of A and B, in
    /// `product`, and writes the words of A B - C to `slot`.
    ///
    /// # Safety
    /// - `slot` points to an aligned slot.
    /// - Nobody else uses `slot` during the call.
    #[inline(always)]
    unsafe fn combine(&self, index: usize, value: &L::Sum, product: &mut L::Sum, slot: *mut L::Sum) {
        let lanes = self.lanes;
        match index {
            0 => *product = lanes.mul_scalar(value, &self.leave),
            1 => *product = lanes.mul_lazy(value, &lanes.reduce(product)),
            _ => {
                let difference = lanes.sub_lazy(product, &lanes.mul_scalar(value, &self.leave), 1);
                // SAFETY: `slot` points to an aligned slot, which nobody else uses.
                unsafe { write_words::<L>(slot, &lanes.join(&difference)) };
            }
        }
    }
}

/// Computes the quotient with too few elements for rows and columns, in the first lane alone.
struct Small<'a, L: PrimeLanes> {
    plan: &'a Plan<L>,
    vectors: &'a Shared<L::Sum>,
    worker: &'a mut Worker<L>,
}

impl<L: PrimeLanes> Task for Small<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Small { plan, vectors, worker: Worker { scratch, .. } } = self;
        let lanes = plan.lanes;
        let size = scratch.len() / 3;
        let slots = Slots::of::<L>();
        let slot = |vector: usize, index: usize| {
            // SAFETY: `index` is below `size`, the number of elements, so that its words are within the vector.
            unsafe { vectors.0[vector].cast::<u8>().add(slots.offset(index)).cast::<L::Words>() }
        };
        let (a, rest) = scratch.split_at_mut(size);
        let (b, c) = rest.split_at_mut(size);
        for i in 0..size {
            let mut words = [L::Words::default(); MAX_LANES];
            // SAFETY: `i < size`, so that there are the words of an element, aligned, which only this job uses: there is no other.
            words[0] = unsafe { *slot(0, i) };
            a[i] = lanes.split(&words);
            // SAFETY: `i < size`, so `slot` is the aligned place of an element's words. Only this job uses it, because
            // the pass has no other.
            words[0] = unsafe { *slot(1, i) };
            b[i] = lanes.split(&words);
            c[i] = lanes.mul_lazy(&a[i], &lanes.vector(&b[i]));
        }
        let size_inverse = lanes.scalar(&plan.size_inverse);
        for values in [&mut *a, b, c] {
            plan.rows.to_permuted(values);
            for value in values.iter_mut() {
                *value = lanes.mul_scalar(value, &size_inverse);
            }
            plan.rows.to_natural(values, 1);
        }
        for i in 0..size {
            let mut result = a[i];
            let mut words = a[i];
            for (index, value) in [a[i], b[i], c[i]].iter().enumerate() {
                // SAFETY: `words` is a slot of this function alone.
                unsafe { plan.combine(index, value, &mut result, &mut words) };
            }
            // SAFETY: `i < size`, so `slot` is the aligned place of an element's words, which only this job uses. `words` has the
            // first lane's words at its start.
            unsafe { *slot(0, i) = *(&raw const words).cast::<L::Words>() };
        }
    }
}
