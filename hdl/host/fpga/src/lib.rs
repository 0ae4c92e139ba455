//! The driver that the host program of CycloneMSM's authors calls, for any [`Card`].
//!
//! The crate `cyclone-msm` asks for a crate `cyclone-fpga`, whose [`F1`] is a card in an instance of AWS. Here, the program puts a card
//! behind `F1`. The names and the traits are the original's, because the host uses them.
//!
//! This crate has no dependencies: `cyclone-msm` does not compile beside `serde_json`, whose comparison of `usize` with a JSON
//! value makes the type of a cast in the host ambiguous.

use core::cell::RefCell;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

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
    /// This slot has no card.
    Slot(i32),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error::Slot(slot) = self;
        write!(f, "slot {slot} has no card: `F1::of` takes a simulated card")
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

/// The card behind an [`F1`].
pub trait Card: Send {
    /// Writes the register with this number.
    fn write(&mut self, register: u32, word: u32);

    /// Reads the register with this number.
    fn read(&mut self, register: u32) -> u32;

    /// Writes the packet with this number.
    fn packet(&mut self, index: u32, packet: &[u64; 8]);
}

/// The card that the host drives.
pub struct F1 {
    // The host reads through a shared reference.
    card: RefCell<Box<dyn Card>>,
}

impl F1 {
    /// Always fails, because this crate drives no real card. The arguments are a slot and places in the address spaces of PCIe.
    ///
    /// # Errors
    /// [`Error::Slot`].
    pub fn new(slot: i32, _registers: usize, _streams: usize, _streams_size: usize) -> Result<Self> {
        Err(Error::Slot(slot))
    }

    /// Returns this card.
    pub fn of(card: impl Card + 'static) -> Self {
        F1 { card: RefCell::new(Box::new(card)) }
    }
}

impl Flush for F1 {
    fn flush(&mut self) {}
}

impl Write<u32> for F1 {
    fn write(&mut self, index: usize, value: &u32) {
        self.card.get_mut().write(index as u32, *value);
    }
}

impl ReadWrite<u32> for F1 {
    fn read(&self, index: usize) -> u32 {
        self.card.borrow_mut().read(index as u32)
    }
}

impl Write<Packet> for F1 {
    fn write(&mut self, index: usize, packet: &Packet) {
        self.card.get_mut().packet(index as u32, packet);
    }
}
