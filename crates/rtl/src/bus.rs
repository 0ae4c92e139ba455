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
