//! `convert`: converts points from one format to another, a block at a time.

use std::io::Write;
use std::path::Path;

use bucketwheel::{Check, GroupId};
use bucketwheel_dynamic::{group, DynGroup};

use crate::args::formats::{ConvertArgs, Source};
use crate::error::{in_file, Error};
use crate::files::{self, destination, Output};
use crate::format::{detect, Body, Failure, FormatError, FormatId};
use crate::format::{Kind, Target, Wanted};
use crate::output::visible;
use crate::runtime::Context;

/// Number of points in memory at once.
const BLOCK: usize = 1 << 13;

/// Converts a file; the output appears whole or not at all.
///
/// # Errors
/// For unusable files, points that fail the check, and cancellation.
pub fn run(args: &ConvertArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let map = files::map(&args.input, Kind::Points)?;
    let (from, wanted) = identify(&args.input, &map, args.from, args.points.into())?;
    let body = open(&args.input, from, &map, wanted)?;
    let Body { curve, group: group_id, .. } = body;
    let group = group(curve, group_id)?;
    let target = Target { curve, group: group_id, section: args.to_section, count: body.count() as u64 };
    let to = args.to.format();
    let start = to.start(target).map_err(in_file(&args.output))?;
    // `start` has refused formats without a codec.
    let codec = to.codec(curve, group_id).unwrap_or(body.codec);
    let mut output = Output::create(destination(&args.output))?;
    output.write(&start)?;
    let mut is_first = true;
    let pool = args.threads.pool()?;
    pool.install(|| {
        for_each_block(&*group, &args.input, &body, args.check.into(), context, |points| {
            let encoded = group.encode(&codec, points);
            let encoded = encoded.map_err(|failure| failed(&args.output, group_id, 0, failure))?;
            if std::mem::take(&mut is_first) {
                to.admit(target, &encoded).map_err(in_file(&args.output))?;
            }
            let wrapped =
                to.wrap(encoded, codec.bytes(target.curve, group_id)).map_err(in_file(&args.output))?;
            Ok(output.write(&wrapped)?)
        })
    })?;
    output.finish()?;
    writeln!(
        out,
        "{} {curve} {group_id} points, {from} to {}: {}",
        target.count,
        args.to,
        visible(args.output.display())
    )?;
    Ok(())
}

/// Returns the file's format and the known properties of its points.
///
/// # Errors
/// If the format must be detected and cannot be.
pub fn identify(
    path: &Path,
    file: &[u8],
    source: Source,
    wanted: Wanted,
) -> Result<(FormatId, Wanted), Error> {
    let found = source.0.map_or_else(|| detect(file, wanted), |id| Ok((id, wanted)));
    found.map_err(in_file(path))
}

/// Finds the points in a file.
///
/// # Errors
/// If the file has another structure than the format, or does not name its content.
pub fn open<'a>(path: &Path, id: FormatId, file: &'a [u8], wanted: Wanted) -> Result<Body<'a>, Error> {
    id.format().open(file, wanted).map_err(in_file(path))
}

/// Reads and checks points, and passes them on in blocks, as integers.
///
/// # Errors
/// For the first point that fails, an error of `next`, and cancellation.
pub fn for_each_block(
    group: &dyn DynGroup,
    path: &Path,
    body: &Body<'_>,
    check: Check,
    context: Context<'_>,
    mut next: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let Body { curve, group: group_id, codec, ref bytes } = *body;
    let (size, bar) = (codec.bytes(curve, group_id), context.bar_of("read", path).steps(body.count() as u64));
    for (block, bytes) in bytes.chunks(BLOCK * size).enumerate() {
        context.check()?;
        let points = group.decode(&codec, bytes, check);
        next(&points.map_err(|failure| failed(path, group_id, block * BLOCK, failure))?)?;
        bar.advance((bytes.len() / size) as u64);
    }
    Ok(())
}

/// Returns the error of the points of a file from `start` on.
pub fn failed(path: &Path, group: GroupId, start: usize, failure: Failure) -> Error {
    match failure {
        Failure::Point(index, reason) => {
            in_file(path)(FormatError::Point { group, index: start + index, reason })
        }
        Failure::Engine(error) => error.into(),
    }
}
