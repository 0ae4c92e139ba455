//! Reading ahead: a thread prepares the next points and scalars while the engine computes.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::mpsc::SyncSender;

use bucketwheel_dynamic::DynGroups;

use super::checkpoint::{Digests, Hashers};
use super::input::Input;
use super::scalars::ScalarsInput;
use crate::error::Error;
use crate::runtime::Pool;

/// Number of points that are read at a time.
pub const PIECE: usize = 1 << 14;
/// Number of pieces in memory at once: one in the engine, one waiting, one in the making.
pub const PIECES: usize = 3;

/// Some points and their scalars.
pub struct Piece<'f> {
    pub range: Range<usize>,
    /// The points of each group, as integers.
    pub parts: Vec<Cow<'f, [u8]>>,
    pub scalars: &'f [u8],
    /// Digests of all inputs up to here, for a checkpoint.
    pub digests: Option<Digests>,
}

/// The thread's work.
pub struct Reader<'f> {
    pub groups: &'f dyn DynGroups,
    pub input: &'f Input<'f>,
    pub scalars: &'f ScalarsInput<'f>,
    /// Threads that decode the points.
    pub pool: &'f Pool,
    /// Number of points that the engine computes with at a time. The reader asks the system for the same number ahead
    /// of their use.
    pub block: usize,
    /// Digests of the consumed inputs, for a checkpoint.
    pub hashers: Option<Hashers>,
}

impl<'f> Reader<'f> {
    /// Sends the pieces from `position` on, until the last piece, an error, or the end of the receiver.
    pub fn run(mut self, position: usize, pieces: SyncSender<Result<Piece<'f>, Error>>) {
        let count = self.input.count;
        self.ask_for(position..count.min(position + self.block));
        for start in (position..count).step_by(PIECE) {
            let range = start..count.min(start + PIECE);
            self.ask_for(count.min(range.start + self.block)..count.min(range.end + self.block));
            let piece = self.piece(range);
            let failed = piece.is_err();
            if pieces.send(piece).is_err() || failed {
                return;
            }
        }
    }

    fn piece(&mut self, range: Range<usize>) -> Result<Piece<'f>, Error> {
        let Reader { groups, input, scalars, pool, .. } = *self;
        match &mut self.hashers {
            Some(hashers) => hashers.consume(input, &scalars.file, &range),
            None => self.touch(&range),
        }
        let digests = self.hashers.as_ref().map(Hashers::digests);
        let parts = pool.install(|| input.parts(groups, &range))?;
        Ok(Piece { parts, scalars: scalars.file.bytes(&range), range, digests })
    }

    /// Tells the system to start reading.
    fn ask_for(&self, range: Range<usize>) {
        for body in 0..self.input.bodies.len() {
            self.input.map.will_need(self.input.bytes(body, &range));
        }
        self.scalars.map.will_need(self.scalars.file.bytes(&range));
    }

    /// Waits here, and not in the engine, for pages that are not in memory yet.
    fn touch(&self, range: &Range<usize>) {
        let bodies = (0..self.input.bodies.len()).map(|body| self.input.bytes(body, range));
        for bytes in bodies.chain([self.scalars.file.bytes(range)]) {
            bytes.iter().step_by(PAGE).for_each(|byte| {
                std::hint::black_box(*byte);
            });
        }
    }
}

/// The smallest size of a page on any system.
const PAGE: usize = 4096;
