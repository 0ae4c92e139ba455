//! AXI4-Lite from a host's view, for any wires of a bench.

use crate::Fault;

/// Request of a host on the bus in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// No request.
    Idle,
    /// Address and data of a write, and the bytes that it writes.
    Write {
        /// Address of the register, in bytes.
        address: u32,
        /// The word.
        data: u32,
        /// One bit for each written byte.
        strobes: u32,
    },
    /// Takes the answer to a write.
    Written,
    /// Address of a read.
    Read {
        /// Address of the register, in bytes.
        address: u32,
    },
    /// Takes the word that was read.
    Data,
}

/// Answer of the hardware in the same cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// True if the hardware takes a write.
    pub takes_write: bool,
    /// True if the hardware takes a read.
    pub takes_read: bool,
    /// Response to a write, once the host has taken it; the host may take it later.
    pub written: Option<u32>,
    /// The word and the response of a read, once the host has taken them.
    pub data: Option<(u32, u32)>,
}

/// A request on the wires of a bench. The bus has the same bits in the benches `tb_gypsophila` and `tb_reclaimer`.
pub(crate) struct Access {
    request: Request,
    takes_answer: bool,
    /// The address of a write, or the address of a read times 2^16.
    pub address: u32,
    pub data: u32,
    /// Bits 0 to 4, and the strobes from bit 8 on.
    pub flags: u32,
}

impl Access {
    /// Makes the wires. The host takes an answer in this cycle if `chance` is true.
    pub fn new(request: Request, chance: impl FnOnce() -> bool) -> Self {
        let takes_answer = matches!(request, Request::Written | Request::Data) && chance();
        let (address, data, flags) = match request {
            Request::Idle => (0, 0, 0),
            Request::Write { address, data, strobes } => (address, data, 3 | strobes << 8),
            Request::Written => (0, 0, u32::from(takes_answer) << 2),
            Request::Read { address } => (address << 16, 0, 1 << 3),
            Request::Data => (0, 0, u32::from(takes_answer) << 4),
        };
        Access { request, takes_answer, address, data, flags }
    }

    /// Returns the answer in the word and the flags of the same cycle.
    pub fn reply(&self, word: u32, flags: u32) -> Reply {
        let has = |bit: u32| flags >> bit & 1 == 1;
        let answers = |to, valid| self.takes_answer && self.request == to && has(valid);
        Reply {
            takes_write: has(0) && has(1),
            takes_read: has(3),
            written: answers(Request::Written, 2).then_some(flags >> 8 & 3),
            data: answers(Request::Data, 4).then_some((word, flags >> 10 & 3)),
        }
    }
}

/// Strobes of a whole word.
pub(crate) const WORD: u32 = 0b1111;
/// Number of cycles that no answer ever takes.
const LIMIT: u32 = 10_000;

/// A machine with registers.
pub trait Bus {
    /// Runs a cycle with this request on the bus.
    fn access(&mut self, request: Request) -> Reply;

    /// Reads a register.
    ///
    /// # Errors
    /// [`Fault::Register`].
    fn read(&mut self, address: u32) -> Result<u32, Fault> {
        let taken = (0..LIMIT).any(|_| self.access(Request::Read { address }).takes_read);
        match (0..LIMIT).filter(|_| taken).find_map(|_| self.access(Request::Data).data) {
            Some((data, 0)) => Ok(data),
            _ => Err(Fault::Register { address }),
        }
    }

    /// Writes a register.
    ///
    /// # Errors
    /// [`Fault::Register`].
    fn write(&mut self, address: u32, data: u32) -> Result<(), Fault> {
        self.write_bytes(address, data, WORD)
    }

    /// Writes the bytes of a register that have a bit in `strobes`, the lowest first.
    ///
    /// # Errors
    /// [`Fault::Register`].
    fn write_bytes(&mut self, address: u32, data: u32, strobes: u32) -> Result<(), Fault> {
        let taken = (0..LIMIT).any(|_| self.access(Request::Write { address, data, strobes }).takes_write);
        match (0..LIMIT).filter(|_| taken).find_map(|_| self.access(Request::Written).written) {
            Some(0) => Ok(()),
            _ => Err(Fault::Register { address }),
        }
    }
}
