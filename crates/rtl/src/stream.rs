//! What is sent through a stream.

/// The sending side of a stream: which entry is next, and whether it is offered.
#[derive(Debug, Default)]
pub(crate) struct Sender {
    /// The entry that is offered next; as many have been taken.
    pub next: usize,
    /// Entries there are.
    pub len: usize,
    /// What is offered stays so.
    offered: bool,
}

impl Sender {
    pub fn new(len: usize) -> Self {
        Sender { next: 0, len, offered: false }
    }

    /// Whether an entry is offered in this cycle.
    pub fn offer(&mut self, willing: bool) -> bool {
        self.offered = self.next < self.len && (self.offered || willing);
        self.offered
    }

    /// Whether that was taken which was offered.
    pub fn step(&mut self, ready: bool) -> bool {
        let taken = self.offered && ready;
        self.next += usize::from(taken);
        self.offered &= !taken;
        taken
    }

    /// Whether the next entry is the last of a packet.
    pub fn is_last(&self, packet: usize) -> bool {
        (self.next + 1).is_multiple_of(packet)
    }
}
