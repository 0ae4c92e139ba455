//! Cycles in which points are held back because they would meet full additions, like `hdl/rtl/pe/cyclone_slots.sv`.

use super::Parameters;

/// The held cycles of consecutive aggregations. Callers ask for cycles in ascending order.
#[derive(Debug)]
pub struct Holds {
    /// Cycles in which full additions are granted, from a window's second cycle on.
    grants: Vec<u64>,
    /// Number of cycles from a grant to a cycle that it holds, and the number of the next grant for this hold.
    behind: [(u64, usize); 4],
    /// Cycle in which the held window began.
    begin: u64,
    next: u64,
}

impl Holds {
    /// Returns holds for these grants. Nothing is held before the first aggregation [begins](Self::begin); without
    /// grants, nothing is ever held.
    pub fn new(parameters: &Parameters, grants: Vec<u64>) -> Self {
        // The points of the greedy scheduler come to the adder two cycles sooner.
        let later = if parameters.greedy_queue > 0 { 2 } else { 0 };
        let (product, third) = (parameters.before_product(), parameters.third_product());
        let behind = [0, 1, product, third].map(|cycles| (later + cycles + 2, grants.len()));
        Holds { grants, behind, begin: 0, next: u64::MAX }
    }

    /// Starts an aggregation in this cycle, and with it a window.
    pub fn begin(&mut self, cycle: u64) {
        self.begin = cycle;
        self.behind.iter_mut().for_each(|(_, grant)| *grant = 0);
        self.find(cycle);
    }

    /// Returns true if points are held in this cycle, which must not be earlier than the cycle of the previous call.
    #[inline]
    pub fn at(&mut self, cycle: u64) -> bool {
        if self.next < cycle {
            self.find(cycle);
        }
        self.next == cycle
    }

    fn find(&mut self, cycle: u64) {
        self.next = u64::MAX;
        for (behind, grant) in &mut self.behind {
            let due = |grant: usize| self.grants.get(grant).map(|granted| self.begin + granted + *behind);
            while due(*grant).is_some_and(|due| due < cycle) {
                *grant += 1;
            }
            self.next = self.next.min(due(*grant).unwrap_or(u64::MAX));
        }
    }
}
