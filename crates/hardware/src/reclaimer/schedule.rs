//! The times of a batch, which are the same for all batches.
//!
//! A batch is a frame of cycles. A pair that an adder takes in a cycle of the frame has that place in the batch; a place
//! without a pair has the difference 1. Place i belongs to chain i mod `chains`, so a chain has a multiplication in
//! flight for as long as a turn of all chains takes. In the first turn no chain multiplies, in the others each does.
//!
//! ```text
//! each adder:   p_i = p_(i - chains) d_i                       one product a cycle
//! root unit:    tree of the chains' products of all adders     one product a cycle, up
//!               inverse of the root                            one divstep a cycle
//!               tree, from the root to the chains              one product a cycle, down
//! each adder:   1 / d_i = s_i p_(i - chains),  s_(i - chains) = s_i d_i
//!               the last turn first                            two products a cycle
//! ```

use super::Parameters;
use crate::Error;

/// Returns the divsteps after which the inverse of an element of a field of this many bits is there: the bound of
/// Wuille's safegcd-bounds for the variant that begins with delta = 1/2 (genproofhd.md).
pub fn divsteps(bits: u32) -> u32 {
    (45_907 * bits + 26_313) / 19_929
}

/// Cycles in front of the chains, beside a sum: the difference is compared with 0, and the adder chooses.
const CHOICE: u64 = 2;
/// Cycles of the inverter beside its divsteps and one product: it is loaded, it is read, and its sign is applied.
const INVERTER: u64 = 3;

#[derive(Clone, Debug)]
pub struct Schedule {
    batch: u64,
    chains: u64,
    /// Cycles from the beginning of a batch to its first sum.
    first_sum: u64,
    /// Products of the trees of a batch.
    pub root_products: u64,
}

impl Schedule {
    /// Returns the schedule, if every unit is ready for the next batch in time.
    pub fn new(parameters: &Parameters) -> Result<Self, Error> {
        let [batch, chains, sum] =
            [parameters.batch, parameters.chains, parameters.sum_stages].map(u64::from);
        // A product, and the register that chooses its operands.
        let product = u64::from(parameters.multiplier_stages) + 1;
        let refuse = |name, value: u32, expected: String| {
            Err(Error::Parameter { name, value: value.to_string(), expected })
        };
        if chains < product {
            return refuse("chains", parameters.chains, format!("at least {product}, a product's stages"));
        }
        if batch % chains != 0 || batch == 0 {
            return refuse("batch", parameters.batch, format!("a multiple of the {chains} chains"));
        }
        let leaves = chains * u64::from(parameters.adders + 1);
        let (up, climbing) = ascend(leaves, chains, product);
        let (down, descending) = descend(leaves, product);
        let inverting = u64::from(divsteps(parameters.curve.coordinate_bits())) + INVERTER;
        let longest = climbing.max(descending).max(inverting);
        if longest > batch {
            let expected = format!("at least {longest}, because the root of a batch takes as long");
            return refuse("batch", parameters.batch, expected);
        }
        let before = batch - chains + sum + CHOICE + product;
        let root = up + inverting + product + down;
        // 1 / d, the slope, its square, and the product for y; three sums beside them, and a choice.
        let behind = 4 * product + 3 * sum + CHOICE;
        Ok(Schedule { batch, chains, first_sum: before + root + behind, root_products: 3 * (leaves - 1) })
    }

    /// Returns the place in its batch of a pair that an adder takes in this cycle.
    #[inline]
    pub fn place(&self, cycle: u64) -> u64 {
        cycle % self.batch
    }

    /// Returns true if the pair in this place is multiplied in its chain.
    #[inline]
    pub fn is_multiplied(&self, place: u64) -> bool {
        place >= self.chains
    }

    /// Returns true if this place is the batch's last.
    #[inline]
    pub fn is_last(&self, place: u64) -> bool {
        place + 1 == self.batch
    }

    /// Returns the cycles until the sum of a pair in this place leaves the adder. The last turn leaves first.
    #[inline]
    pub fn latency(&self, place: u64) -> u64 {
        let (turn, chain) = (place / self.chains, place % self.chains);
        let turns = self.batch / self.chains;
        self.first_sum + (turns - 1 - turn) * self.chains + chain - place
    }

    /// Returns the mean of the latencies of a batch.
    pub fn mean_latency(&self) -> u64 {
        self.first_sum
    }

    /// Returns the largest latency.
    pub fn longest_latency(&self) -> u64 {
        self.latency(0)
    }
}

/// Returns the cycles from the first chains' products to the root of a tree, and the cycles for which its multiplier is
/// in use. All adders have the product of the same chain in a cycle.
fn ascend(leaves: u64, chains: u64, product: u64) -> (u64, u64) {
    let adders = leaves / chains;
    let mut level: Vec<u64> = (0..leaves).map(|leaf| leaf / adders).collect();
    let mut free = 0;
    while level.len() > 1 {
        let join = |pair: &[u64]| match *pair {
            [left, right] => {
                let begin = free.max(left).max(right);
                free = begin + 1;
                begin + product
            }
            _ => pair[0],
        };
        level = level.chunks(2).map(join).collect();
    }
    (level[0], free)
}

/// Returns the cycles from the inverse of the root to the inverses of all chains' products, and the cycles for which the
/// multiplier is in use. Each node makes the inverses of its two children, by two products.
fn descend(leaves: u64, product: u64) -> (u64, u64) {
    let mut sizes = vec![leaves];
    while let Some(&size) = sizes.last().filter(|&&size| size > 1) {
        sizes.push(size.div_ceil(2));
    }
    let mut level = vec![0];
    let mut free = 0;
    for &size in sizes.iter().rev().skip(1) {
        let mut children = Vec::new();
        for &there in &level {
            if children.len() as u64 + 1 == size {
                children.push(there);
                continue;
            }
            for _ in 0..2 {
                let begin = free.max(there);
                free = begin + 1;
                children.push(begin + product);
            }
        }
        level = children;
    }
    (level.into_iter().max().unwrap_or(0), free)
}

impl Parameters {
    /// Returns the mean number of cycles from a pair at an adder to its sum. The [example](crate::reclaimer) uses it.
    ///
    /// # Errors
    /// As [`Model::simulate`](crate::Model::simulate).
    pub fn latency(&self) -> Result<u64, Error> {
        Ok(Schedule::new(self)?.mean_latency())
    }
}
