//! The shared adders (3.3): bucket and result aggregation, as `hdl/rtl/pe/gypsophila_post.sv` has it.
//!
//! `R <- 2^c R`, for R the sum of the windows above, then `T <- T + S_b`, `R <- R + T` for each bucket from the top. One
//! addition after the other; an adder serves one element's window at a time, in the order in which elements finish.

use std::collections::VecDeque;

use super::pe::Pe;
use super::Parameters;
use crate::digits::Windows;
use crate::Group;

/// Sums that the shared adders make of an element's buckets, whenever that is.
pub struct Running<G> {
    windows: Windows,
    /// Buckets that are still to come, of the window and of all.
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
    /// Doublings that are left.
    Double(u32),
    /// Buckets that are left, the next of which is added to T.
    AddT(usize),
    /// Buckets that are left, T being there to be added to R.
    AddR(usize),
    Done,
}

struct Lane<G> {
    state: State,
    /// Cycle from which on that may be.
    ready: u64,
    pe: usize,
    sum: G,
    total: G,
}

/// An element's sum down to its last window.
struct Sum<G> {
    windows: u32,
    value: G,
}

pub struct Aggregation<G> {
    windows: Windows,
    cycles: u64,
    lanes: Vec<Lane<G>>,
    sums: Vec<Sum<G>>,
    /// Elements that have an adder or wait for one, and the order of those that wait.
    listed: Vec<bool>,
    order: VecDeque<usize>,
    /// Sums that have left.
    left: usize,
    pub additions: u64,
}

impl<G: Group> Aggregation<G> {
    pub fn new(parameters: &Parameters, windows: Windows, tasks: usize) -> Self {
        let lane = |_| Lane { state: State::Idle, ready: 0, pe: 0, sum: G::ZERO, total: G::ZERO };
        Aggregation {
            windows,
            cycles: parameters.shared_adder_cycles.into(),
            // More than one for each element have nothing to do.
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

    /// One cycle, before the elements'.
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

    /// The next cycle in which something may happen here, if it is not for the elements to happen first.
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

    /// Returns true if a sum leaves; one in a cycle.
    fn is_leaving(&self) -> bool {
        self.sums.get(self.left).is_some_and(|sum| sum.windows == self.windows.count())
    }

    /// The first element whose buckets ask for an adder.
    fn fresh(&self, pes: &[Pe<G>]) -> Option<usize> {
        pes.iter().zip(&self.listed).position(|(pe, &listed)| pe.buckets.valid && !listed)
    }
}

impl<G: Group> Lane<G> {
    /// Begins the next addition, which is over at `end`. Returns whether there is one.
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
