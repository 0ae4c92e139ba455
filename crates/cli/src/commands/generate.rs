//! `generate`: writes a points file and a scalars file.

use std::io::Write;

use bucketwheel::{Control, Error as EngineError, GroupId};
use bucketwheel_dynamic::groups;
use bucketwheel_dynamic::inputs::{self, Blocks, BLOCK, BLOCKS_AT_ONCE};

use crate::args::shared::GroupArgs;
use crate::args::GenerateArgs;
use crate::error::Error;
use crate::files::Output;
use crate::format::{padding, Header};
use crate::output::visible;
use crate::runtime::{Bar, Context};

/// Writes both files. Neither appears if an error occurs before both are complete.
///
/// # Errors
/// For paths that cannot be written, and cancellation.
pub fn run(args: &GenerateArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let points = Output::create(&args.points)?;
    let scalars = Output::create(&args.scalars)?;
    let steps = args.count() * (args.on.group.parts().len() as u64 + 1);
    let bar = context.bar("generate", "generating").steps(steps);
    let pool = args.threads.pool()?;
    let (points, scalars) = pool.install(|| {
        let points = Writer { args, context, bar: &bar, file: points };
        let scalars = Writer { args, context, bar: &bar, file: scalars };
        write(points, scalars)
    })?;
    points.finish()?;
    scalars.finish()?;
    drop(bar);
    let (curve, group, count) = (args.on.curve, args.on.group, args.count());
    writeln!(out, "{count} {curve} {group} points: {}", visible(args.points.display()))?;
    writeln!(out, "{count} {curve} scalars: {}", visible(args.scalars.display()))?;
    Ok(())
}

fn write(mut points: Writer<'_>, mut scalars: Writer<'_>) -> Result<(Output, Output), Error> {
    let args = points.args;
    let GroupArgs { curve, group: all } = args.on;
    // Returns an error for a group that the curve does not have.
    groups(curve, all)?;
    points.header(Some(all))?;
    for &group in all.parts() {
        let size = curve.point_bytes(group);
        points.blocks(size, &inputs::points(curve, group, args.inputs.seed)?)?;
        if all == GroupId::Pair && group == GroupId::G1 {
            let zeros = [0; 64];
            points.file.write(&zeros[..padding(curve, args.count())])?;
        }
    }
    scalars.header(None)?;
    let sequence = inputs::scalars(curve, args.inputs.distribution, args.inputs.seed)?;
    scalars.blocks(curve.scalar_bytes(), &sequence)?;
    Ok((points.file, scalars.file))
}

/// One of the files while it is being written.
struct Writer<'a> {
    args: &'a GenerateArgs,
    context: Context<'a>,
    bar: &'a Bar,
    file: Output,
}

impl Writer<'_> {
    fn header(&mut self, group: Option<GroupId>) -> Result<(), Error> {
        let header = Header { curve: self.args.on.curve, group, count: self.args.count() };
        Ok(self.file.write(&header.encode())?)
    }

    /// Appends the elements of all blocks, of `size` bytes each.
    fn blocks(&mut self, size: usize, blocks: &Blocks) -> Result<(), Error> {
        let count = self.args.count();
        let number = count.div_ceil(BLOCK as u64) as usize;
        let (context, bar) = (self.context, self.bar);
        let block = |index: usize| {
            let mut bytes = blocks(index)?;
            let len = (BLOCK as u64).min(count - (index * BLOCK) as u64);
            bytes.truncate(len as usize * size);
            bar.advance(len);
            Ok::<_, EngineError>(bytes)
        };
        let control = Control::new(None, Some(context.cancel), None);
        for start in (0..number).step_by(BLOCKS_AT_ONCE) {
            let blocks = control.map(BLOCKS_AT_ONCE.min(number - start), |index| block(start + index))?;
            blocks.into_iter().try_for_each(|bytes| Ok::<_, Error>(self.file.write(&bytes?)?))?;
        }
        Ok(())
    }
}
