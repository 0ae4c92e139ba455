//! Streams of a core from its card's memory, as the cards of `hdl/rtl/card` read them (`card_reader.sv`).

use super::{Inputs, Kind, Port};

/// Bits of a beat.
pub(crate) const BEAT: u64 = 512;
/// Beats of a burst: the cards'.
const BURST: u64 = 16;
/// Beats between the port and the first word that is not whole: a queue of two, and a beat in the gearbox.
const PARTIAL: u64 = 3;
/// Words on the way to the core's clock: two register slices of two, and a queue of 16 whose writer learns of a read three cycles
/// later.
pub(crate) const CROSSING: u64 = 17;

/// The ports of a card on its core's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ports {
    pub kind: Kind,
    pub core_khz: u32,
    /// Bursts of a port that wait for data, at most.
    pub outstanding: u32,
}

/// Words in memory, without gaps in each packet, and a packet from a new beat on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Bits of a word.
    pub bits: u64,
    /// True if packets lie one behind the other, false if each packet is read from the same place.
    pub advances: bool,
}

impl Layout {
    /// Returns the beats of a packet.
    pub fn beats(&self, words: u64) -> u64 {
        (words * self.bits).div_ceil(BEAT)
    }
}

/// Beats that a task of packets reads: from the ports of a coordinate and of the other stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traffic {
    beats: [u64; 2],
}

impl Traffic {
    /// Returns the beats of `sent` words in packets of `words` words.
    pub fn new(sent: u64, words: usize, layouts: [Layout; 2]) -> Self {
        let packets = sent / words.max(1) as u64;
        Traffic { beats: layouts.map(|layout| packets * layout.beats(words as u64)) }
    }

    /// Returns the bytes of both, each over this number of ports.
    pub fn bytes(&self, ports: [u64; 2]) -> [u64; 2] {
        [0, 1].map(|i| ports[i] * self.beats[i] * BEAT / 8)
    }

    /// Returns the beats by the names of the cards' counters.
    pub fn counters(&self) -> [(&'static str, u64); 2] {
        [("point_beats", self.beats[0]), ("stream_beats", self.beats[1])]
    }
}

/// A stream and its port.
struct Reader {
    port: Port,
    layout: Layout,
    /// Words and beats of a packet, and beats of all packets.
    words: u64,
    beats: u64,
    all_beats: u64,
    /// Beats in requested bursts, and beats that have come.
    requested: u64,
    received: u64,
    open_bursts: u32,
    outstanding: u32,
    /// Words that have left the gearbox.
    made: u64,
}

impl Reader {
    /// Returns the beats that have the first words of the stream.
    fn beats_of(&self, words: u64) -> u64 {
        words / self.words * self.beats + self.layout.beats(words % self.words)
    }

    /// Runs a cycle. `room` is the number of words that the stream is ahead of the core, at most.
    fn cycle(&mut self, taken: u64, room: u64) {
        let outputs = self.port.outputs();
        let packet = self.requested - self.requested % self.beats;
        let first = if self.layout.advances { self.requested } else { self.requested - packet };
        // Bursts end with an aligned block of beats.
        let beats = (BURST - first % BURST).min(packet + self.beats - self.requested);
        let asks = self.requested < self.all_beats && self.open_bursts < self.outstanding;
        let takes = self.received < self.beats_of(self.made) + PARTIAL;
        self.port.cycle(Inputs {
            read: asks.then_some((first, beats as u32)),
            takes_data: takes,
            ..Inputs::default()
        });
        let next = self.made + 1;
        self.made += u64::from(self.made - taken < room && self.beats_of(next) <= self.received);
        if asks && outputs.takes_read {
            self.requested += beats;
            self.open_bursts += 1;
        }
        if let (true, Some((_, last))) = (takes, outputs.data) {
            self.received += 1;
            self.open_bursts -= u32::from(last);
        }
    }
}

/// Streams, each from a channel of its own. The core takes a word of each stream in the same cycle.
pub(crate) struct Streams {
    readers: Vec<Reader>,
    taken: u64,
    /// Words of each stream that wait for the core, at most.
    places: u64,
}

impl Streams {
    /// Returns streams of `packets` packets of `words` words. Refreshes are spread evenly over the channels.
    pub fn new(ports: Ports, layouts: &[Layout], words: u64, packets: u64, places: u64) -> Self {
        let Ports { kind, core_khz, outstanding } = ports;
        let reader = |(i, &layout): (usize, &Layout)| Reader {
            port: Port::new(kind.timing(), core_khz, (256 * (i + 1) / layouts.len() - 1) as u8, 0),
            layout,
            words: words.max(1),
            beats: layout.beats(words).max(1),
            all_beats: packets * layout.beats(words),
            requested: 0,
            received: 0,
            open_bursts: 0,
            outstanding,
            made: 0,
        };
        Streams { readers: layouts.iter().enumerate().map(reader).collect(), taken: 0, places }
    }

    /// Returns true if the core may take a word of each stream in this cycle.
    pub fn has_words(&self) -> bool {
        self.readers.iter().all(|reader| reader.made > self.taken)
    }

    /// Runs a cycle, in which the core takes words or not.
    pub fn cycle(&mut self, takes: bool) {
        for reader in &mut self.readers {
            reader.cycle(self.taken, self.places);
        }
        self.taken += u64::from(takes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the cycles in which a core that takes words as soon as they come waits for them, behind the first.
    fn waits(kind: Kind, core_khz: u32, layouts: &[Layout], words: u64, packets: u64) -> u64 {
        let ports = Ports { kind, core_khz, outstanding: 8 };
        let mut streams = Streams::new(ports, layouts, words, packets, CROSSING);
        let (mut waits, mut left) = (0, words * packets);
        while !streams.has_words() {
            streams.cycle(false);
        }
        while left > 0 {
            let takes = streams.has_words();
            waits += u64::from(!takes);
            left -= u64::from(takes);
            streams.cycle(takes);
        }
        for reader in &streams.readers {
            assert_eq!((reader.requested, reader.received), (reader.all_beats, reader.all_beats));
            assert_eq!((reader.made, reader.open_bursts), (words * packets, 0));
        }
        waits
    }

    /// The last words of a packet come whole, for packets that fill their last beat and for packets that do not.
    #[test]
    fn all_words_come() {
        for (bits, advances) in [(384, false), (256, false), (16, true), (512, true), (40, true)] {
            for words in [1, 2, 3, 4, 5, 31, 32, 33, 100] {
                let layout = Layout { bits, advances };
                let few = waits(Kind::Ddr4At2400, 250_000, &[layout, layout], words, 7);
                assert!(few < 7 * words.max(40), "{bits} bits, {words} words: {few} waits");
            }
        }
    }

    /// A stream of three quarters of a beat a cycle waits for no refresh, and a stream above the channel's bandwidth comes at this
    /// bandwidth.
    #[test]
    fn streams_come_at_the_channels_pace() {
        let layout = Layout { bits: 384, advances: false };
        let words = 100_000;
        let share = |kind: Kind, core_khz| {
            words as f64 / (words + waits(kind, core_khz, &[layout; 3], words, 1)) as f64
        };
        assert!(share(Kind::Ddr4At2400, 200_000) > 0.99);
        for kind in Kind::ALL {
            let most = crate::memory::streams(kind, 1_000_000, 1, 32) / 0.75;
            let found = share(kind, 1_000_000);
            println!("{}: {found:.3} of {most:.3}", kind.name());
            assert!(found < most && found > 0.93 * most, "{found} of {most}");
        }
    }
}
