//! `generate`: a points file and a scalars file.

use std::io::Write;

use bucketwheel::{Cancel, Control, Curve, Error as EngineError, GroupId};

use crate::args::GenerateArgs;
use crate::domain::{Domain, GroupVisitor};
use crate::error::Error;
use crate::files::Output;
use crate::format::{encode_points, encode_scalars, padding, Header};
use crate::inputs::{ScalarSequence, Walk, BLOCK, BLOCKS_AT_ONCE};
use crate::output::visible;
use crate::runtime::{pool, Bar};
use crate::with_domain;

/// Writes both files; neither appears if anything goes wrong before they are complete.
///
/// # Errors
/// For paths that cannot be written, or if cancelled.
pub fn run(args: &GenerateArgs, cancel: &Cancel, out: &mut dyn Write) -> Result<(), Error> {
    let points = Output::create(&args.points)?;
    let scalars = Output::create(&args.scalars)?;
    let steps = args.count() * (args.group.parts().len() + 1);
    let bar = Bar::with_length("generating", steps as u64);
    let pool = pool(args.threads)?;
    let (points, scalars) = pool.install(|| {
        let points = Writer { args, cancel, bar: &bar, file: points };
        let scalars = Writer { args, cancel, bar: &bar, file: scalars };
        with_domain!(args.curve, args.group, D => write::<D>(points, scalars))
    })?;
    points.finish()?;
    scalars.finish()?;
    drop(bar);
    let (curve, group, count) = (args.curve, args.group, args.count());
    writeln!(out, "{count} {curve} {group} points: {}", visible(args.points.display()))?;
    writeln!(out, "{count} {curve} scalars: {}", visible(args.scalars.display()))?;
    Ok(())
}

fn write<D: Domain>(mut points: Writer<'_>, mut scalars: Writer<'_>) -> Result<(Output, Output), Error> {
    let args = points.args;
    points.header(Some(args.group))?;
    D::for_each_group(&mut points)?;
    scalars.header(None)?;
    let sequence = ScalarSequence::<D::Scalar>::new(args.distribution, args.seed);
    scalars.blocks(|index, len, bytes| encode_scalars(&sequence.block(index)[..len], bytes))?;
    Ok((points.file, scalars.file))
}

/// One of the files, as far as it is written.
struct Writer<'a> {
    args: &'a GenerateArgs,
    cancel: &'a Cancel,
    bar: &'a Bar,
    file: Output,
}

impl Writer<'_> {
    fn header(&mut self, group: Option<GroupId>) -> Result<(), Error> {
        let header = Header { curve: self.args.curve, group, count: self.args.count() as u64 };
        self.file.write(&header.encode())
    }

    /// Appends all blocks; `encode` appends the first elements of one to the bytes.
    fn blocks(
        &mut self,
        encode: impl Fn(usize, usize, &mut Vec<u8>) -> Result<(), EngineError> + Sync,
    ) -> Result<(), Error> {
        let count = self.args.count();
        let blocks = count.div_ceil(BLOCK);
        let (cancel, bar) = (self.cancel, self.bar);
        let encode = |index: usize| {
            let mut bytes = Vec::new();
            let len = BLOCK.min(count - index * BLOCK);
            encode(index, len, &mut bytes)?;
            bar.advance(len as u64);
            Ok::<_, EngineError>(bytes)
        };
        let control = Control::new(None, Some(cancel), None);
        for start in (0..blocks).step_by(BLOCKS_AT_ONCE) {
            let encoded = control.map(BLOCKS_AT_ONCE.min(blocks - start), |block| encode(start + block))?;
            encoded.into_iter().try_for_each(|bytes| self.file.write(&bytes?))?;
        }
        Ok(())
    }
}

impl GroupVisitor for Writer<'_> {
    fn visit<C: Curve>(&mut self, group: GroupId) -> Result<(), Error> {
        let walk = Walk::<C>::new(group, self.args.seed);
        self.blocks(|index, len, bytes| encode_points(&walk.block(index)[..len], bytes))?;
        if self.args.group == GroupId::Pair && group == GroupId::G1 {
            let zeros = [0; 64];
            self.file.write(&zeros[..padding(self.args.curve, self.args.count() as u64)])?;
        }
        Ok(())
    }
}
