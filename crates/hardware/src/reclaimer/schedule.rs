//! The times of a batch, which are the same for all batches.
//!
//! A batch is a frame of cycles. A pair that an adder takes in a cycle of the frame has that place in the batch; a place
//! without a pair has the difference 1. Place i belongs to chain i mod `chains`, so a chain has a multiplication in
//! flight for as long as a turn of all chains takes. In the first turn no chain multiplies, in the others each does.
//!
//! ```text
//! each adder:   p_i = p_(i - chains) d_i                       one product a cycle
//! root unit:    v_(leaves + t) = v_2t v_(2t + 1)               one product a cycle, up
//!               1 / v_(2 leaves - 2)                           one divstep a cycle
//!               w_(2t + 1) = w_(leaves + t) v_2t               one product a cycle, down
//!               w_2t = w_(leaves + t) v_(2t + 1)
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
/// Cycles of the inverter beside its divsteps: it is loaded, its sign is applied, and it is read.
const INVERTER: u64 = 3;
/// Cycles of a product of the root unit, beside the multiplier's, until its result is an operand: its operands are read and
/// chosen, and its result is written.
const TREE: u64 = 3;

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
        let adders = u64::from(parameters.adders) + 1;
        let leaves = chains * adders;
        let inverting = u64::from(divsteps(parameters.curve.coordinate_bits())) + INVERTER;
        let stages = u64::from(parameters.multiplier_stages);
        let (climbing, root) = ascend(leaves, adders, stages);
        let (descending, down) = descend(leaves, stages);
        let longest = climbing.max(descending).max(inverting);
        if longest > batch {
            let expected = format!("at least {longest}, because the root of a batch takes as long");
            return refuse("batch", parameters.batch, expected);
        }
        let before = batch - chains + sum + CHOICE + product;
        // 1 / d, the slope, its square, and the product for y; three sums beside them, and the choice of the result.
        let behind = 4 * product + 3 * sum + 1;
        let first_sum = before + root + inverting + down + behind;
        Ok(Schedule { batch, chains, first_sum, root_products: 3 * (leaves - 1) })
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

/// Returns the cycles from the first chains' products until the way up is free for the next batch, and until the root's product.
/// All adders have the product of the same chain in a cycle. Products begin in their order, when both operands are there.
fn ascend(leaves: u64, adders: u64, stages: u64) -> (u64, u64) {
    let mut begins: Vec<u64> = Vec::new();
    for t in 0..leaves - 1 {
        let operand = 2 * t + 1;
        let there = match operand.checked_sub(leaves) {
            None => operand / adders + 1,
            Some(product) => begins[product as usize] + stages + TREE,
        };
        begins.push(begins.last().map_or(0, |&begin| begin + 1).max(there));
    }
    let last = begins.last().map_or(0, |&begin| begin);
    (last + stages + TREE, last + stages + TREE - 1)
}

/// Returns the cycles from the root's inverse until the way down is free for the next batch, and until the first chains' inverses
/// leave. Each node makes the inverses of its two children, by two products, in their order.
fn descend(leaves: u64, stages: u64) -> (u64, u64) {
    // The cycle in which each inverse is an operand, the root's first.
    let mut there = vec![stages + TREE - 1];
    let mut free = 0;
    for node in 0..leaves - 1 {
        let begin = there[node as usize].max(free);
        there.extend([begin + stages + TREE, begin + 1 + stages + TREE]);
        free = begin + 2;
    }
    let last = there[there.len() - 1];
    (last, last + 1)
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
