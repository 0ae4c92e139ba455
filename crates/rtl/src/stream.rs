//! The sending side of streams.

/// The sending side of a stream: the number of the next entry, and a flag that says whether it is offered.
#[derive(Debug, Default)]
pub(crate) struct Sender {
    /// The next entry to offer; this number of entries have been taken.
    pub next: usize,
    /// Number of entries.
    pub len: usize,
    /// True if the entry is offered; it stays offered until it is taken.
    offered: bool,
}

impl Sender {
    pub fn new(len: usize) -> Self {
        Sender { next: 0, len, offered: false }
    }

    /// Offers the next entry if `willing`, or if it was offered before. Returns true if an entry is offered in this
    /// cycle.
    pub fn offer(&mut self, willing: bool) -> bool {
        self.offered = self.next < self.len && (self.offered || willing);
        self.offered
    }

    /// Ends the cycle. Returns true if an entry was offered and taken.
    pub fn step(&mut self, ready: bool) -> bool {
        let taken = self.offered && ready;
        self.next += usize::from(taken);
        self.offered &= !taken;
        taken
    }

    /// Returns true if the next entry is the last of a packet.
    pub fn is_last(&self, packet: usize) -> bool {
        (self.next + 1).is_multiple_of(packet)
    }
}
