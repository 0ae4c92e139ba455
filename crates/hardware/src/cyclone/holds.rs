//! Cycles in which points are held back, since they would meet full additions on their way, as `hdl/rtl/pe/cyclone_slots.sv` has
//! it.

use super::Parameters;

/// The cycles of one aggregation after the other, asked in their order.
#[derive(Debug)]
pub struct Holds {
    /// When full additions are granted, from a window's second cycle on.
    grants: Vec<u64>,
    /// Cycles from a grant to one that is held for it, and the number of the grant that is next to have it.
    behind: [(u64, usize); 4],
    /// When the window began whose points are held.
    begin: u64,
    next: u64,
}

impl Holds {
    /// Nothing is held before the first aggregation [begins](Self::begin); without grants, nothing ever.
    pub fn new(parameters: &Parameters, grants: Vec<u64>) -> Self {
        // The greedy scheduler's points come to the adder two cycles sooner.
        let later = if parameters.greedy_queue > 0 { 2 } else { 0 };
        let (product, third) = (parameters.before_product(), parameters.third_product());
        let behind = [0, 1, product, third].map(|cycles| (later + cycles + 2, grants.len()));
        Holds { grants, behind, begin: 0, next: u64::MAX }
    }

    /// An aggregation begins in this cycle, and with it a window.
    pub fn begin(&mut self, cycle: u64) {
        self.begin = cycle;
        self.behind.iter_mut().for_each(|(_, grant)| *grant = 0);
        self.find(cycle);
    }

    /// Returns true if points are held in this cycle, which is no earlier than the one before was.
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
