//! One transform in two passes over memory, in natural order on both sides.
//!
//! With `n = N1 N2`, the index of an input is `k = c + N2 r`, for column c of N2 and row r of N1 in an array of N1
//! rows. The index of an output is `j = j1 + N1 j2`. Then `w^(j k) = w^(N2 r j1) w^(c j1) w^(N1 c j2)`, so a
//! transform is a transform of size N1 of each column, a product with `w^(c j1)`, and a transform of size N2 of each
//! row:
//!
//! ```text
//! for each L columns                      # L lanes: neighbours in memory
//!     read them, rows in bit-reversed order
//!     transform; times scale before^c (w^c after)^j1
//!     transpose tiles of L x L; write to scratch memory
//! for each L rows j1
//!     read them, columns in bit-reversed order
//!     transform; times after^(N1 j2)
//!     write L neighbours for each j2, at j1 + N1 j2
//! ```
//!
//! The factors belong to the coset: input k times `before^k` (the transforms of the columns include `before^(N2 r)`),
//! output j times `after^j`. An inverse has the inverse root, and 1/n as its scale. Scratch memory that stays in a
//! cache reverses all orders.

use std::sync::OnceLock;

use bucketwheel::{Cancel, Error};
use bucketwheel_lanes::{PrimeLanes, Task, Visitor, MAX_LANES};

use super::domain::{Numbers, Way};
use super::jobs::Jobs;
use super::layers::{one, powers_from, reverse_bits, Layers};
use super::passes::{column_powers, log_rows, powers_table, Worker};
use super::vector::{Slots, Vector};

/// The transforms of a domain in one backend's lanes.
pub trait AnyNatural<W>: Send + Sync {
    /// Transforms one element for each point of the domain, in Montgomery form.
    fn transform(&self, way: Way, elements: &mut [W], jobs: Jobs) -> Result<(), Error>;
}

/// 2^log_rows rows of 2^log_columns elements, in natural order row by row.
struct Natural<L: PrimeLanes> {
    lanes: L,
    numbers: Numbers<L::Words>,
    log_rows: u32,
    log_columns: u32,
    /// Made at their first use.
    directions: [OnceLock<Direction<L>>; 4],
}

/// Tables of one direction.
struct Direction<L: PrimeLanes> {
    columns: Layers<L>,
    rows: Layers<L>,
    /// The root of unity or its inverse.
    root: L::Words,
    /// Input k is multiplied by `before^k`, output j by `scale after^j`.
    before: L::Words,
    after: L::Words,
    scale: L::Words,
    /// `after^(N1 j2)` for each j2; empty if `after` is 1.
    last: Vec<L::Scalar>,
}

/// A visitor that makes the transforms of a domain.
pub struct MakeNatural<W>(pub Numbers<W>);

impl<W: Copy + Send + Sync + 'static> Visitor<W> for MakeNatural<W> {
    type Output = Box<dyn AnyNatural<W>>;

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> Box<dyn AnyNatural<W>> {
        let MakeNatural(numbers) = self;
        let log_rows = log_rows::<L>(numbers.log_size);
        let log_columns = numbers.log_size - log_rows;
        Box::new(Natural { lanes, numbers, log_rows, log_columns, directions: Default::default() })
    }
}

impl<L: PrimeLanes> Natural<L> {
    fn direction(&self, way: Way) -> Direction<L> {
        let Natural { lanes, log_rows, log_columns, ref numbers, .. } = *self;
        let one = one(lanes);
        let inverse = |x: &L::Words| lanes.invert_words(x).expect("neither a root nor a shift is 0");
        let (root, before, after, scale) = match way {
            Way::Forward => (numbers.root, one, one, one),
            Way::CosetForward => (numbers.root, numbers.shift, one, one),
            Way::Inverse => (inverse(&numbers.root), one, one, numbers.size_inverse),
            Way::CosetInverse => (inverse(&numbers.root), one, inverse(&numbers.shift), numbers.size_inverse),
        };
        let power_of_two = |x: L::Words, log: u32| (0..log).fold(x, |x, _| lanes.mul_words(&x, &x));
        let columns =
            Layers::new(lanes, log_rows, power_of_two(root, log_columns), power_of_two(before, log_columns));
        let rows = Layers::new(lanes, log_columns, power_of_two(root, log_rows), one);
        let last = match after == one {
            true => Vec::new(),
            false => powers_from(lanes, one, power_of_two(after, log_rows), 1 << log_columns)
                .iter()
                .map(|power| lanes.scalar(power))
                .collect(),
        };
        Direction { columns, rows, root, before, after, scale, last }
    }

    /// Returns the number of vectors in a row.
    fn width(&self) -> usize {
        (1usize << self.log_columns) / L::LANES
    }
}

impl<L: PrimeLanes> AnyNatural<L::Words> for Natural<L> {
    fn transform(&self, way: Way, elements: &mut [L::Words], jobs: Jobs) -> Result<(), Error> {
        let lanes = self.lanes;
        let direction = self.directions[way as usize].get_or_init(|| self.direction(way));
        let (rows, columns) = (1usize << self.log_rows, 1usize << self.log_columns);
        assert_eq!(elements.len(), rows * columns);
        if self.log_rows == 0 {
            if jobs.cancel.is_some_and(Cancel::is_cancelled) {
                return Err(Error::Cancelled);
            }
            let worker = &mut Worker::new(lanes, columns, 0);
            lanes.vectorize(Small { lanes, direction, elements, worker });
            return Ok(());
        }
        let mut vector = Vector::new(Slots::of::<L>(), elements.len(), 0)?;
        let values = &Shared(vector.as_mut_ptr::<L>());
        let input = &*elements;
        jobs.run(
            self.width(),
            || Worker::new(lanes, rows, rows),
            |worker, column| {
                lanes.vectorize(Columns { plan: self, direction, input, values, worker, column });
            },
        )?;
        let output = &Shared(elements.as_mut_ptr());
        jobs.run(
            rows / L::LANES,
            || Worker::new(lanes, columns, 0),
            |worker, block| {
                lanes.vectorize(Rows { plan: self, direction, values, output, worker, block });
            },
        )
    }
}

/// Start of an array, for jobs that access different places of it.
struct Shared<T>(*mut T);

// SAFETY: only jobs of one pass use the pointer, their places differ (see `Columns` and `Rows`), and the array stays
// borrowed.
unsafe impl<T: Send> Sync for Shared<T> {}

/// One column per lane: from the input to rows of `j1`.
struct Columns<'a, L: PrimeLanes> {
    plan: &'a Natural<L>,
    direction: &'a Direction<L>,
    input: &'a [L::Words],
    /// Scratch memory with room for all elements of the input.
    values: &'a Shared<L::Sum>,
    worker: &'a mut Worker<L>,
    /// The vector of the first row that holds these columns; no other job of the pass has it.
    column: usize,
}

impl<L: PrimeLanes> Task for Columns<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Columns { plan, direction, input, values, worker: Worker { scratch, table }, column } = self;
        let (lanes, width, log_rows) = (plan.lanes, plan.width(), plan.log_rows);
        for (row, elements) in input.chunks_exact(width * L::LANES).enumerate() {
            let elements = &elements[column * L::LANES..][..L::LANES];
            scratch[reverse_bits(row, log_rows)] = lanes.split(elements);
        }
        direction.columns.to_natural(scratch, 1);
        // Element j1 of column c times scale before^c (root^c after)^j1.
        let first = column_powers(lanes, direction.scale, direction.before, column);
        let base = column_powers(lanes, direction.after, direction.root, column);
        powers_table(lanes, &first, &base, table);
        for (tile, sums) in scratch.chunks_exact(L::LANES).enumerate() {
            let mut transposed = [sums[0]; MAX_LANES];
            for lane in 0..L::LANES {
                let power = &table[reverse_bits(tile * L::LANES + lane, log_rows)];
                transposed[lane] = lanes.mul_lazy(&sums[lane], power);
            }
            lanes.transpose(&mut transposed);
            for lane in 0..L::LANES {
                // SAFETY: the place is within `values`, because `column < width` and the row is below 2^log_rows. It
                // belongs to this column, which no other job writes and no job reads in this pass.
                unsafe { *values.0.add((tile * L::LANES + lane) * width + column) = transposed[lane] };
            }
        }
    }
}

/// One row per lane: from rows of `j1` to the output.
struct Rows<'a, L: PrimeLanes> {
    plan: &'a Natural<L>,
    direction: &'a Direction<L>,
    values: &'a Shared<L::Sum>,
    output: &'a Shared<L::Words>,
    worker: &'a mut Worker<L>,
    /// The rows from `LANES block` on; no other job of the pass has them.
    block: usize,
}

impl<L: PrimeLanes> Task for Rows<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Rows { plan, direction, values, output, worker: Worker { scratch, .. }, block } = self;
        let (lanes, width, log_columns) = (plan.lanes, plan.width(), plan.log_columns);
        let first_row = block * L::LANES;
        for column in 0..width {
            for lane in 0..L::LANES {
                // SAFETY: the place is within `values`, because the row is below 2^log_rows. Nothing writes `values`
                // in this pass.
                let sum = unsafe { *values.0.add((first_row + lane) * width + column) };
                scratch[reverse_bits(column * L::LANES + lane, log_columns)] = sum;
            }
        }
        direction.rows.to_natural(scratch, 1);
        for (j2, sum) in scratch.iter().enumerate() {
            let sum = match direction.last.get(j2) {
                None => lanes.shrink(sum),
                Some(power) => lanes.mul_scalar(sum, power),
            };
            let words = lanes.join(&sum);
            // SAFETY: the places `first_row..first_row + LANES` of row j2 are within the output of 2^log_columns rows
            // of 2^log_rows elements. They belong to these rows j1, which no other job writes; nothing reads the
            // output in this pass.
            unsafe {
                let place = output.0.add((j2 << plan.log_rows) + first_row);
                place.copy_from_nonoverlapping(words.as_ptr(), L::LANES);
            }
        }
    }
}

/// Transforms a vector with too few elements for rows and columns, in the first lane alone.
struct Small<'a, L: PrimeLanes> {
    lanes: L,
    direction: &'a Direction<L>,
    elements: &'a mut [L::Words],
    worker: &'a mut Worker<L>,
}

impl<L: PrimeLanes> Task for Small<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Small { lanes, direction, elements, worker: Worker { scratch, .. } } = self;
        let log_size = elements.len().trailing_zeros();
        let powers = powers_from(lanes, direction.scale, direction.before, elements.len());
        for (index, (element, power)) in elements.iter().zip(&powers).enumerate() {
            let mut words = [L::Words::default(); MAX_LANES];
            words[0] = *element;
            let sum = lanes.split(&words[..L::LANES]);
            scratch[reverse_bits(index, log_size)] = lanes.mul_scalar(&sum, &lanes.scalar(power));
        }
        direction.rows.to_natural(scratch, 1);
        let powers = powers_from(lanes, one(lanes), direction.after, elements.len());
        for (element, (sum, power)) in elements.iter_mut().zip(scratch.iter().zip(&powers)) {
            *element = lanes.join(&lanes.mul_scalar(sum, &lanes.scalar(power)))[0];
        }
    }
}
