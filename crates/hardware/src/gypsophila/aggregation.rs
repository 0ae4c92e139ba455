//! The shared adders (3.3): bucket and result aggregation, like `hdl/rtl/pe/gypsophila_post.sv`.
//!
//! First `R <- 2^c R`, where R is the sum of the windows above, then `T <- T + S_b`, `R <- R + T` for each bucket
//! from the top. The additions follow each other. An adder serves one element's window at a time, in the order in
//! which elements finish.

use std::collections::VecDeque;

use super::pe::Pe;
use super::Parameters;
use crate::digits::Windows;
use crate::Group;

/// Sums that the shared adders make of an element's buckets, independent of time.
pub struct Running<G> {
    windows: Windows,
    /// Buckets that are still to come, of the window and of all windows.
    of_window: usize,
    of_all: usize,
    pub sum: G,
    total: G,
    pub additions: u64,
}

impl<G: Group> Running<G> {
    pub fn new(windows: Windows) -> Self {
        let of_all = windows.count() as usize * windows.buckets();
        Running { windows, of_window: windows.buckets(), of_all, sum: G::ZERO, total: G::ZERO, additions: 0 }
    }

    /// Returns true if all buckets have come.
    pub fn is_done(&self) -> bool {
        self.of_all == 0
    }

    /// Adds the next bucket.
    pub fn add(&mut self, bucket: G) {
        if self.of_window == 0 {
            self.sum = (0..self.windows.width()).fold(self.sum, |sum, _| sum.plus(sum));
            self.additions += u64::from(self.windows.width());
            (self.of_window, self.total) = (self.windows.buckets(), G::ZERO);
        }
        self.total = self.total.plus(bucket);
        self.sum = self.sum.plus(self.total);
        self.additions += 2;
        self.of_window -= 1;
        self.of_all -= 1;
    }
}

/// State of a shared adder: its next addition.
#[derive(Clone, Copy)]
enum State {
    Idle,
    /// Remaining doublings.
    Double(u32),
    /// Remaining buckets; the next one is added to T.
    AddT(usize),
    /// Remaining buckets; T is ready to be added to R.
    AddR(usize),
    Done,
}

struct Lane<G> {
    state: State,
    /// First cycle in which this is possible.
    ready: u64,
    pe: usize,
    sum: G,
    total: G,
}

/// The sum of an element, after its last window.
struct Sum<G> {
    windows: u32,
    value: G,
}

pub struct Aggregation<G> {
    windows: Windows,
    cycles: u64,
    lanes: Vec<Lane<G>>,
    sums: Vec<Sum<G>>,
    /// Elements that have an adder or wait for one, in the order of waiting.
    listed: Vec<bool>,
    order: VecDeque<usize>,
    /// Number of sums that have left.
    left: usize,
    pub additions: u64,
}

impl<G: Group> Aggregation<G> {
    pub fn new(parameters: &Parameters, windows: Windows, tasks: usize) -> Self {
        let lane = |_| Lane { state: State::Idle, ready: 0, pe: 0, sum: G::ZERO, total: G::ZERO };
        Aggregation {
            windows,
            cycles: parameters.shared_adder_cycles.into(),
            // More adders than elements would have no work.
            lanes: (0..tasks.min(parameters.shared_adders as usize)).map(lane).collect(),
            sums: (0..tasks).map(|_| Sum { windows: 0, value: G::ZERO }).collect(),
            listed: vec![false; tasks],
            order: VecDeque::new(),
            left: 0,
            additions: 0,
        }
    }

    /// Returns true if all sums have left.
    pub fn is_done(&self) -> bool {
        self.left == self.sums.len()
    }

    pub fn into_sums(self) -> Vec<G> {
        self.sums.into_iter().map(|sum| sum.value).collect()
    }

    /// Runs one cycle, before the elements run theirs.
    #[inline]
    pub fn step(&mut self, now: u64, pes: &mut [Pe<G>]) {
        for lane in &mut self.lanes {
            if matches!(lane.state, State::Done) && lane.ready <= now {
                lane.state = State::Idle;
                self.sums[lane.pe] = Sum { windows: self.sums[lane.pe].windows + 1, value: lane.sum };
                self.listed[lane.pe] = false;
            }
        }
        self.left += usize::from(self.is_leaving());
        let fresh = self.fresh(pes);
        if let Some(lane) = self.lanes.iter_mut().find(|lane| matches!(lane.state, State::Idle)) {
            if let Some(pe) = self.order.pop_front() {
                let above = &self.sums[pe];
                let state = match above.windows {
                    0 => State::AddT(self.windows.buckets()),
                    _ => State::Double(self.windows.width()),
                };
                *lane = Lane { state, ready: now + 1, pe, sum: above.value, total: G::ZERO };
            }
        }
        for lane in &mut self.lanes {
            if lane.ready <= now {
                self.additions += u64::from(lane.add(&self.windows, now + self.cycles, &mut pes[lane.pe]));
            }
        }
        if let Some(pe) = fresh {
            self.listed[pe] = true;
            self.order.push_back(pe);
        }
    }

    /// Returns the next cycle in which something may happen here, unless the elements must act first.
    pub fn next_event(&self, now: u64, pes: &[Pe<G>]) -> Option<u64> {
        let idle = |lane: &Lane<G>| matches!(lane.state, State::Idle);
        let at_once = self.is_leaving()
            || self.fresh(pes).is_some()
            || (!self.order.is_empty() && self.lanes.iter().any(idle));
        let busy = self.lanes.iter().filter(|lane| !idle(lane)).map(|lane| lane.ready.max(now + 1));
        if at_once {
            Some(now + 1)
        } else {
            busy.min()
        }
    }

    /// Returns true if a sum leaves; at most one leaves in a cycle.
    fn is_leaving(&self) -> bool {
        self.sums.get(self.left).is_some_and(|sum| sum.windows == self.windows.count())
    }

    /// Returns the first element whose buckets ask for an adder.
    fn fresh(&self, pes: &[Pe<G>]) -> Option<usize> {
        pes.iter().zip(&self.listed).position(|(pe, &listed)| pe.buckets.valid && !listed)
    }
}

impl<G: Group> Lane<G> {
    /// Begins the next addition, which ends at `end`. Returns true if there is one.
    fn add(&mut self, windows: &Windows, end: u64, pe: &mut Pe<G>) -> bool {
        self.state = match self.state {
            State::Double(left) => {
                self.sum = self.sum.plus(self.sum);
                if left > 1 {
                    State::Double(left - 1)
                } else {
                    State::AddT(windows.buckets())
                }
            }
            State::AddT(left) if pe.buckets.valid => {
                self.total = self.total.plus(pe.buckets.take());
                State::AddR(left)
            }
            State::AddR(left) => {
                self.sum = self.sum.plus(self.total);
                if left > 1 {
                    State::AddT(left - 1)
                } else {
                    State::Done
                }
            }
            State::Idle | State::AddT(_) | State::Done => return false,
        };
        self.ready = end;
        true
    }
}
