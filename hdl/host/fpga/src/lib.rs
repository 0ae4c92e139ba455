//! The driver that the host program of CycloneMSM's authors calls, for a simulated card.
//!
//! The crate `cyclone-msm` asks for a crate `cyclone-fpga`, whose [`F1`] is a card in an instance of AWS. Here, `F1` is
//! `hdl/rtl/card/cyclone_f1.sv`, simulated. The traits, and what they promise, are the original's, because the host names them.

use core::cell::RefCell;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use bucketwheel_rtl::{cyclone, Bus, Fault};

/// A value at an address that is a multiple of 64.
#[repr(align(64))]
#[derive(Clone, Copy, Debug, Default)]
pub struct Aligned<T>(T);

impl<T> Deref for Aligned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// 512 bits.
pub type Packet = Aligned<[u64; 8]>;

/// Reason why a card cannot be opened.
#[derive(Debug)]
pub enum Error {
    /// There is one card, in slot 0.
    Slot(i32),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error::Slot(slot) = self;
        write!(f, "slot {slot} has no card: the simulated card is in slot 0")
    }
}

impl core::error::Error for Error {}

/// Result of opening a card.
pub type Result<T> = core::result::Result<T, Error>;

/// A card whose writes may wait on their way.
pub trait Flush {
    /// Sends the writes that wait.
    fn flush(&mut self);
}

/// A card that takes values.
pub trait Write<V>: Flush {
    /// Writes the value with this number.
    fn write(&mut self, index: usize, value: &V);
}

/// A card that gives values, too.
pub trait ReadWrite<V>: Write<V> {
    /// Reads the value with this number.
    fn read(&self, index: usize) -> V;
}

/// Decides when a stream waits for the card.
pub trait Backoff<F> {
    /// Called after each packet, with the number of the next packet.
    fn backoff(fpga: &mut F, offset: usize);
}

/// Waiting policies that need no card.
pub mod null {
    /// Never waits.
    pub struct Backoff;

    impl<F> super::Backoff<F> for Backoff {
        fn backoff(_: &mut F, _: usize) {}
    }
}

/// Values that are written with consecutive numbers.
pub struct Stream<'a, P, F: Write<P>, B = null::Backoff> {
    fpga: &'a mut F,
    offset: usize,
    types: PhantomData<(P, B)>,
}

impl<P, F: Write<P>, B: Backoff<F>> Stream<'_, P, F, B> {
    /// Writes the next value.
    pub fn write(&mut self, packet: &P) {
        self.fpga.write(self.offset, packet);
        self.offset += 1;
        B::backoff(self.fpga, self.offset);
    }
}

impl<P, F: Write<P>, B> Flush for Stream<'_, P, F, B> {
    fn flush(&mut self) {
        self.fpga.flush();
    }
}

/// A card that takes streams of values.
pub trait Streamable<'a, P, B: Backoff<Self> = null::Backoff>: Sized + Write<P> {
    /// Begins a stream at this number.
    fn stream(&'a mut self, offset: usize) -> Stream<'a, P, Self, B>;
}

impl<'a, P, F: Write<P>, B: Backoff<F>> Streamable<'a, P, B> for F {
    fn stream(&'a mut self, offset: usize) -> Stream<'a, P, F, B> {
        Stream { fpga: self, offset, types: PhantomData }
    }
}

/// The simulated card. Time passes in it only while the host writes or reads.
pub struct F1 {
    // The host reads through a shared reference.
    card: RefCell<cyclone::F1>,
}

impl F1 {
    /// Opens the card. The places in the address spaces of PCIe have no meaning here, because numbers are not turned into addresses.
    ///
    /// # Errors
    /// [`Error::Slot`].
    pub fn new(slot: i32, _registers: usize, _streams: usize, _streams_size: usize) -> Result<Self> {
        match slot {
            0 => Ok(F1 { card: cyclone::F1::new("cyclone_f1").into() }),
            _ => Err(Error::Slot(slot)),
        }
    }

    /// Returns the number of simulated cycles.
    pub fn cycles(&self) -> u64 {
        self.card.borrow().cycles()
    }

    /// Returns true if an assertion of the RTL has failed.
    pub fn failed(&self) -> bool {
        self.card.borrow().failed()
    }
}

/// The interface has no errors, so a broken card ends the host.
fn or_end<T>(result: core::result::Result<T, Fault>) -> T {
    result.unwrap_or_else(|fault| panic!("the simulated card: {fault}"))
}

impl Flush for F1 {
    fn flush(&mut self) {}
}

impl Write<u32> for F1 {
    fn write(&mut self, index: usize, value: &u32) {
        or_end(self.card.get_mut().write(4 * index as u32, *value));
    }
}

impl ReadWrite<u32> for F1 {
    fn read(&self, index: usize) -> u32 {
        or_end(self.card.borrow_mut().read(4 * index as u32))
    }
}

impl Write<Packet> for F1 {
    fn write(&mut self, index: usize, packet: &Packet) {
        or_end(self.card.get_mut().packet(index as u32, packet));
    }
}
