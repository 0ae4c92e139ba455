//! AXI4-Lite as a host has it, whatever wires a bench has for it.

use crate::Fault;

/// Request of a host on the bus in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Nothing.
    Idle,
    /// Address and data of a write, of the bytes that have a strobe.
    Write {
        /// Address of the register, in bytes.
        address: u32,
        /// The word.
        data: u32,
        /// A bit for each byte that is written.
        strobes: u32,
    },
    /// It takes the answer to a write.
    Written,
    /// Address of a read.
    Read {
        /// Address of the register, in bytes.
        address: u32,
    },
    /// It takes what was read.
    Data,
}

/// Answer of the hardware in the same cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Takes a write.
    pub takes_write: bool,
    /// Takes a read.
    pub takes_read: bool,
    /// The response to a write, once the host has taken it, which it need not do at once.
    pub written: Option<u32>,
    /// The word that was read, and the response, once the host has taken it.
    pub data: Option<(u32, u32)>,
}

/// All strobes: a whole word.
pub(crate) const WORD: u32 = 0b1111;
/// More cycles than an answer ever takes.
const LIMIT: u32 = 10_000;

/// A machine with registers.
pub trait Bus {
    /// A cycle with this on the bus.
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

    /// Writes those bytes of a register that have a bit in `strobes`, the lowest first.
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
