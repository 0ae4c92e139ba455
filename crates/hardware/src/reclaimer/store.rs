//! The values of a simulation, by number. The machine knows only the numbers, so that it is compiled once for all curves.

use crate::{combine, Group};

/// The numbers of the parts that the aggregation leaves of a window: the sums of the buckets whose number has bit l, in place l,
/// and the sum of all buckets in the last place.
pub type Parts = Vec<Option<u32>>;

/// Values that a machine adds. A number that is handed over is free again.
pub trait Values {
    /// Returns the number of a point of the input, or of its inverse.
    fn input(&mut self, point: usize, negative: bool) -> u32;

    /// Returns the number of the sum of two values, which are handed over.
    fn sum(&mut self, left: u32, right: u32) -> u32;

    /// Returns the number of another copy of a value.
    fn copy(&mut self, value: u32) -> u32;

    /// Returns true if the sum is a doubling.
    fn is_doubling(&self, left: u32, right: u32) -> bool;
}

/// The input, and all values that are somewhere in the machine.
pub struct Store<'a, G> {
    points: &'a [G],
    values: Vec<G>,
    free: Vec<u32>,
}

impl<'a, G: Group> Store<'a, G> {
    pub fn new(points: &'a [G]) -> Self {
        Store { points, values: Vec::new(), free: Vec::new() }
    }

    fn put(&mut self, value: G) -> u32 {
        if size_of::<G>() == 0 {
            return 0;
        }
        match self.free.pop() {
            Some(number) => {
                self.values[number as usize] = value;
                number
            }
            None => {
                self.values.push(value);
                self.values.len() as u32 - 1
            }
        }
    }

    fn get(&self, number: u32) -> G {
        if size_of::<G>() == 0 {
            return G::ZERO;
        }
        self.values[number as usize]
    }

    fn take(&mut self, number: u32) -> G {
        if size_of::<G>() > 0 {
            self.free.push(number);
        }
        self.get(number)
    }

    /// Returns the sum of a window from its parts, as the host computes it. Bucket b counts b + 1 times.
    pub fn window(&self, parts: &[Option<u32>]) -> G {
        let parts: Vec<G> = parts.iter().map(|part| part.map_or(G::ZERO, |part| self.get(part))).collect();
        match parts.split_last() {
            Some((&all, bits)) => combine(bits, 1).plus(all),
            None => G::ZERO,
        }
    }
}

impl<G: Group> Values for Store<'_, G> {
    fn input(&mut self, point: usize, negative: bool) -> u32 {
        self.put(self.points[point].signed(negative))
    }

    fn sum(&mut self, left: u32, right: u32) -> u32 {
        let sum = self.take(left).plus(self.take(right));
        self.put(sum)
    }

    fn copy(&mut self, value: u32) -> u32 {
        self.put(self.get(value))
    }

    fn is_doubling(&self, left: u32, right: u32) -> bool {
        self.get(left).is_doubled_by(self.get(right))
    }
}
