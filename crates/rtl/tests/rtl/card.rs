//! The masters and gearboxes of `hdl/rtl/card` with a card's memory.

use std::collections::VecDeque;

use bucketwheel_rtl::{Bench, Inputs};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::numbers::random;

// Flags of the bench's input and output (hdl/tb/tb_card.sv).
const WORD: u32 = 1 << 0;
const LAST: u32 = 1 << 1;
const WRITE: u32 = 1 << 2;
const READ: u32 = 1 << 3;
const TAKE: u32 = 1 << 4;
const WORD_TAKEN: u32 = 1 << 0;
const WRITE_TAKEN: u32 = 1 << 1;
const READ_TAKEN: u32 = 1 << 2;
const WORD_THERE: u32 = 1 << 3;
const WORD_LAST: u32 = 1 << 4;
const WRITTEN: u32 = 1 << 5;
const WRITE_ERROR: u32 = 1 << 6;
const READ_ERROR: u32 = 1 << 7;
const BUSY: u32 = 1 << 8;

/// Number of beats of the bench's memory; a beat behind them does not exist.
const MEMORY: u32 = 1 << 16;

/// A stretch of memory, or a packet in it.
#[derive(Clone, Debug)]
struct Packet {
    first: u32,
    words: Vec<Vec<u32>>,
}

struct Card {
    bench: Bench,
    width: usize,
    /// Share of the cycles in which words come and leave.
    pace: f64,
    /// Bursts of either master that wait at most at a time.
    outstanding: u32,
    most: [u32; 2],
    errors: [u32; 2],
    cycles: u64,
}

impl Card {
    fn new(name: &str, width: usize, outstanding: u32) -> Self {
        let (most, errors) = Default::default();
        Card { bench: Bench::new(name), width, pace: 1.0, outstanding, most, errors, cycles: 0 }
    }

    fn beats(&self, packet: &Packet) -> u32 {
        (packet.words.len() * self.width).div_ceil(512) as u32
    }

    fn packet(&self, first: u32, words: usize, rng: &mut ChaCha8Rng) -> Packet {
        let mut word = || {
            let mut word: Vec<u32> = (0..self.width.div_ceil(32)).map(|_| rng.gen()).collect();
            if let (Some(top), rest @ 1..) = (word.last_mut(), self.width % 32) {
                *top &= (1 << rest) - 1;
            }
            word
        };
        Packet { first, words: (0..words).map(|_| word()).collect() }
    }

    /// Runs a cycle; returns the flags, and the word.
    fn cycle(&mut self, flags: u32, word: Option<&Vec<u32>>, stretch: [u32; 2]) -> (u32, Vec<u32>) {
        let words = self.width.div_ceil(32);
        let mut input = word.cloned().unwrap_or_else(|| vec![0; words]);
        input.extend([flags, stretch[0], stretch[1]]);
        let outputs = self.bench.cycle(Inputs { reset: false, ready: true, data: Some(&input) });
        let mut word = outputs.data.expect("all cycles are valid");
        let flags = word.pop().expect("a word of flags");
        for (master, shift) in [(0, 16), (1, 24)] {
            let open = flags >> shift & 0xff;
            assert!(open <= self.outstanding, "{open} bursts wait");
            self.most[master] = self.most[master].max(open);
        }
        self.errors[0] += u32::from(flags & WRITE_ERROR != 0);
        self.errors[1] += u32::from(flags & READ_ERROR != 0);
        self.cycles += 1;
        (flags, word)
    }

    /// Writes packets, and waits until all of them are written.
    fn write(&mut self, packets: &[Packet], rng: &mut ChaCha8Rng) {
        let mut stretches: VecDeque<_> =
            packets.iter().map(|packet| [packet.first, self.beats(packet)]).collect();
        let mut words: VecDeque<_> = packets
            .iter()
            .flat_map(|packet| {
                packet.words.iter().enumerate().map(|(i, word)| (word, i + 1 == packet.words.len()))
            })
            .collect();
        let (mut offered, mut written) = (false, 0);
        while written < packets.len() {
            offered = !words.is_empty() && (offered || rng.gen_bool(self.pace));
            let word = words.front().filter(|_| offered);
            let asks = word.map_or(0, |(_, last)| WORD | if *last { LAST } else { 0 });
            let write = if stretches.is_empty() { 0 } else { WRITE };
            let stretch = stretches.front().copied().unwrap_or_default();
            let (flags, _) = self.cycle(asks | write, word.map(|(word, _)| *word), stretch);
            if asks != 0 && flags & WORD_TAKEN != 0 {
                words.pop_front();
                offered = false;
            }
            if write != 0 && flags & WRITE_TAKEN != 0 {
                stretches.pop_front();
            }
            written += usize::from(flags & WRITTEN != 0);
            assert!(self.cycles < 1_000_000, "a packet is never written");
        }
    }

    /// Reads packets and compares them.
    fn read(&mut self, packets: &[Packet], rng: &mut ChaCha8Rng) {
        let mut stretches: VecDeque<_> =
            packets.iter().map(|packet| [packet.first, self.beats(packet)]).collect();
        for packet in packets {
            let mut left = packet.words.iter();
            let mut ended = false;
            while !ended {
                let take = if rng.gen_bool(self.pace) { TAKE } else { 0 };
                let read = if stretches.is_empty() { 0 } else { READ };
                let stretch = stretches.front().copied().unwrap_or_default();
                let (flags, word) = self.cycle(take | read, None, stretch);
                if read != 0 && flags & READ_TAKEN != 0 {
                    stretches.pop_front();
                }
                if take != 0 && flags & WORD_THERE != 0 {
                    // Zeros that fill the last beat may hold words too.
                    let expected = left.next().cloned().unwrap_or_else(|| vec![0; word.len()]);
                    assert_eq!(word, expected, "packet at beat {}", packet.first);
                    ended = flags & WORD_LAST != 0;
                    assert!(!ended || left.len() == 0, "{} words are missing", left.len());
                }
                assert!(self.cycles < 1_000_000, "a packet is never read");
            }
        }
    }

    /// Waits until no burst is outstanding, and checks that the bench has found no error.
    fn finish(mut self) {
        let mut idle = 0;
        while idle < 3 {
            idle = if self.cycle(0, None, [0; 2]).0 & BUSY == 0 { idle + 1 } else { 0 };
        }
        assert!(!self.bench.failed(), "an assertion of the bench failed");
        assert_eq!(self.most, [self.outstanding; 2], "the bound was never reached");
    }
}

/// Packets of all lengths, at any beat, from one word to many bursts, come back as they were; the masters reach their bound of
/// outstanding bursts and never exceed it.
fn packets_come_back(name: &str, width: usize, outstanding: u32) {
    let rng = &mut random();
    let mut card = Card::new(name, width, outstanding);
    for pace in [1.0, 0.4] {
        card.pace = pace;
        let mut first = rng.gen_range(0..64);
        let packets: Vec<_> = (0..24)
            .map(|i| {
                let words = if i % 3 == 0 { rng.gen_range(1..4) } else { rng.gen_range(1..120) };
                let packet = card.packet(first, words, rng);
                first += card.beats(&packet) + rng.gen_range(0..70);
                packet
            })
            .collect();
        card.write(&packets, rng);
        card.read(&packets, rng);
        // Again, the first and last packets alone, in the other order.
        card.read(&[packets[23].clone(), packets[0].clone()], rng);
    }
    assert_eq!(card.errors, [0, 0]);
    card.finish();
}

#[test]
fn spills_come_back() {
    packets_come_back("card", 1152, 4);
}

#[test]
fn points_come_back() {
    packets_come_back("card_points", 96, 2);
}

#[test]
fn words_of_a_prime_width_come_back() {
    packets_come_back("card_prime", 521, 3);
}

/// A stretch behind the end of memory is reported by both masters, a beat or a burst at a time, and nothing is stuck.
#[test]
fn errors_are_reported() {
    let rng = &mut random();
    let mut card = Card::new("card", 1152, 4);
    // 48 bursts of sixteen beats. The last 16 bursts are outside of the memory.
    let packet = card.packet(MEMORY - 512, 48 * 16 * 512 / 1152 + 1, rng);
    let inside = Packet { first: packet.first, words: packet.words[..220].to_vec() };
    card.write(std::slice::from_ref(&packet), rng);
    assert_eq!(card.errors, [17, 0], "16 bursts, and a burst for the rest of the last word");
    card.read(&[inside], rng);
    assert_eq!(card.errors, [17, 0]);
    let beats = card.beats(&packet);
    let (mut taken, mut ended) = (false, false);
    while !ended {
        let (flags, _) = card.cycle(if taken { TAKE } else { TAKE | READ }, None, [packet.first, beats]);
        taken |= flags & READ_TAKEN != 0;
        ended = flags & WORD_THERE != 0 && flags & WORD_LAST != 0;
    }
    assert_eq!(card.errors, [17, beats - 512]);
    card.finish();
}

/// A write of spills at full pace keeps the memory's port as busy as the model's.
#[test]
fn spills_have_the_models_bandwidth() {
    use bucketwheel_hardware::memory::{streams, Kind};

    let rng = &mut random();
    let mut card = Card::new("card", 1152, 4);
    let packet = card.packet(0, 4000, rng);
    let beats = f64::from(card.beats(&packet));
    card.write(std::slice::from_ref(&packet), rng);
    let write = beats / card.cycles as f64;
    card.cycles = 0;
    card.read(std::slice::from_ref(&packet), rng);
    let read = beats / card.cycles as f64;
    let model = streams(Kind::Ddr4At2400, 250_000, 1, 32);
    println!("{write:.3} beats a cycle written, {read:.3} read, {model:.3} in the model");
    assert!((0.9..=1.0).contains(&write) && (0.9..=1.0).contains(&read));
    card.finish();
}

/// Entries cross between two clocks of any ratio, at any pace of either side, in their order, which the bench checks. No entry
/// waits long after the writer has stopped.
#[test]
fn entries_cross_between_clocks() {
    const OFFERS: u32 = 1 << 2;
    const TAKES: u32 = 1 << 3;
    const RESET: u32 = 1 << 4;
    let rng = &mut random();
    let mut bench = Bench::new("crossing");
    let mut cycle = |input: u32| {
        let inputs = Inputs { reset: false, ready: true, data: Some(&[input]) };
        let counts = bench.cycle(inputs).data.expect("all cycles are valid");
        assert!(!bench.failed(), "an entry is lost, changed or out of order");
        counts
    };
    for _ in 0..20 {
        // Chances that a clock changes its level, and that the writer offers and the reader takes.
        let [write, read, offers, takes] = [(); 4].map(|()| rng.gen_range(0.2..1.0));
        let mut clocks = 0;
        let mut step = |flags: u32, rng: &mut ChaCha8Rng| {
            clocks ^= u32::from(rng.gen_bool(write)) | u32::from(rng.gen_bool(read)) << 1;
            let flag =
                |share: f64, flag: u32, rng: &mut ChaCha8Rng| if rng.gen_bool(share) { flag } else { 0 };
            let paces = flag(offers, OFFERS, rng) | flag(takes, TAKES, rng);
            cycle(clocks | if flags == 0 { paces } else { flags })
        };
        for _ in 0..200 {
            step(RESET, rng);
        }
        for _ in 0..2000 {
            step(0, rng);
        }
        let mut counts = Vec::new();
        for _ in 0..400 {
            counts = step(TAKES, rng);
        }
        assert!(counts[0] > 20 && counts[0] == counts[1], "{} entries came, {} left", counts[0], counts[1]);
    }
}
