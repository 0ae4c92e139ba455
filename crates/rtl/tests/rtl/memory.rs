//! The memory of the benches against the model's.

use std::collections::VecDeque;

use bucketwheel_hardware::memory::{Inputs, Kind, Outputs, Port};
use bucketwheel_rtl::BenchPort;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::numbers::random;

/// A master of AXI4, with its habits and the answers that it still waits for.
struct Master {
    /// Chances of a read, of a write, and of a beat or a response that is taken or sent.
    habits: [f64; 3],
    /// True if bursts follow each other in memory.
    sequential: bool,
    next: [u64; 2],
    inputs: Inputs,
    beats: VecDeque<(u64, bool)>,
    /// Beats that its bursts still have to send, and the beats of each burst without a response that are not sent.
    unsent: u32,
    writes: VecDeque<u32>,
    answers: [u32; 2],
}

impl Master {
    fn new(habits: [f64; 3], sequential: bool) -> Self {
        let (beats, writes) = Default::default();
        let next = [0, 1 << 20];
        Master {
            habits,
            sequential,
            next,
            inputs: Inputs::default(),
            beats,
            unsent: 0,
            writes,
            answers: [0; 2],
        }
    }

    fn burst(&mut self, direction: usize, rng: &mut ChaCha8Rng) -> Option<(u64, u32)> {
        if !rng.gen_bool(self.habits[direction]) {
            return None;
        }
        let beats = rng.gen_range(1..=64);
        let begin = if self.sequential { self.next[direction] } else { rng.gen_range(0..1 << 28) };
        self.next[direction] = begin + u64::from(beats);
        Some((begin, beats))
    }

    /// Returns the inputs of a cycle. An offer that was not taken stays.
    fn offer(&mut self, rng: &mut ChaCha8Rng) -> Inputs {
        let before = self.inputs;
        self.inputs = Inputs {
            read: before.read.or_else(|| self.burst(0, rng)),
            write: before.write.or_else(|| self.burst(1, rng)),
            data: before.data || (self.unsent > 0 && rng.gen_bool(self.habits[2])),
            takes_data: rng.gen_bool(self.habits[2]),
            takes_response: rng.gen_bool(self.habits[2]),
        };
        self.inputs
    }

    /// Checks the outputs of the same cycle, and ends it.
    fn step(&mut self, outputs: Outputs) {
        if let Some(beat) = outputs.data {
            assert_eq!(self.beats.front(), Some(&beat), "a beat out of order, or of no burst");
            if self.inputs.takes_data {
                self.beats.pop_front();
                self.answers[0] += 1;
            }
        }
        if outputs.response {
            assert_eq!(self.writes.front(), Some(&0), "a response before the last beat, or to no burst");
            if self.inputs.takes_response {
                self.writes.pop_front();
                self.answers[1] += 1;
            }
        }
        assert!(!outputs.takes_data || self.unsent > 0, "a beat is wanted that no burst has");
        if outputs.takes_data && self.inputs.data {
            self.inputs.data = false;
            self.unsent -= 1;
            *self.writes.iter_mut().find(|left| **left > 0).expect("a burst with beats") -= 1;
        }
        if let Some((begin, beats)) = self.inputs.read.take_if(|_| outputs.takes_read) {
            self.beats.extend((1..=beats).map(|i| (begin + u64::from(i) - 1, i == beats)));
        }
        if let Some((_, beats)) = self.inputs.write.take_if(|_| outputs.takes_write) {
            self.unsent += beats;
            self.writes.push_back(beats);
        }
    }
}

/// Both ports have the same outputs in each cycle, for masters of all habits, and keep AXI's promises: an offer stays
/// until it is taken, and each burst gets its beats in their order or one response.
#[test]
fn ports_are_the_models() {
    let rng = &mut random();
    let habits = [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.02, 0.02, 0.5], [1.0, 1.0, 0.9]];
    for kind in Kind::ALL {
        for (sequential, habits) in habits.into_iter().flat_map(|habits| [(true, habits), (false, habits)]) {
            for pauses in [0, 90] {
                let (core_khz, phase) = (rng.gen_range(100_000..500_000), rng.gen());
                let mut port = Port::new(kind.timing(), core_khz, phase, pauses);
                let mut bench = BenchPort::new(kind.timing(), core_khz, phase, pauses);
                let mut master = Master::new(habits, sequential);
                let mut waiting = Outputs::default();
                for cycle in 0..5000 {
                    let outputs = port.outputs();
                    assert!(waiting.data.is_none() || waiting.data == outputs.data, "a beat does not stay");
                    assert!(!waiting.response || outputs.response, "a response does not stay");
                    let inputs = master.offer(rng);
                    master.step(outputs);
                    waiting = Outputs {
                        data: outputs.data.filter(|_| !inputs.takes_data),
                        response: outputs.response && !inputs.takes_response,
                        ..outputs
                    };
                    port.cycle(inputs);
                    assert_eq!(
                        bench.cycle(inputs),
                        port.outputs(),
                        "{kind:?}, {sequential}, {habits:?}, cycle {cycle}"
                    );
                }
                let least = if sequential { 20 } else { 5 };
                assert!(habits[0] == 0.0 || master.answers[0] >= least, "{:?}", master.answers);
                assert!(habits[1] == 0.0 || master.answers[1] > 0, "{:?}", master.answers);
            }
        }
    }
}
