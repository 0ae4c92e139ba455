//! `check`: checks all points of a file.

use std::io::Write;
use std::path::{Path, PathBuf};

use bucketwheel::{Check, CurveId, GroupId};
use bucketwheel_dynamic::group;
use serde::Serialize;

use super::convert::{for_each_block, identify, open};
use crate::args::formats::CheckArgs;
use crate::error::{in_file, Error};
use crate::files;
use crate::format::{FormatError, FormatId, Kind, Section};
use crate::output::{self, visible};
use crate::runtime::Context;

/// Points in a part of the file, and the result of their check.
#[derive(Serialize)]
struct Part {
    format: FormatId,
    section: Option<Section>,
    curve: CurveId,
    group: GroupId,
    points: usize,
    checked: &'static str,
    valid: bool,
    /// The first point that fails.
    bad_index: Option<usize>,
    reason: Option<String>,
}

/// Checks the parts of a file: both groups of a pair, and all sections unless the user names one.
///
/// # Errors
/// For unusable files and files without points, the first point that fails, and cancellation.
pub fn run(args: &CheckArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let map = files::map(&args.file, Kind::Points)?;
    let (id, wanted) = identify(&args.file, &map, args.encoding, args.points.into())?;
    let wanted = id.format().parts(&map, wanted);
    let wanted = wanted.map_err(in_file(&args.file))?;
    let (check, checked) =
        if args.subgroup { (Check::Subgroup, "subgroup") } else { (Check::Curve, "curve") };
    let pool = args.threads.pool()?;
    let mut parts = Vec::new();
    let mut first_error = None;
    for wanted in wanted {
        let path = named(&args.file, wanted.section);
        let body = open(&path, id, &map, wanted)?;
        let group = group(body.curve, body.group)?;
        let result = pool.install(|| for_each_block(&*group, &path, &body, check, context, |_| Ok(())));
        let fault = match &result {
            Err(Error::Content { source, .. }) => source.downcast_ref(),
            _ => None,
        };
        let (bad_index, reason) = match (fault, &result) {
            (Some(FormatError::Point { index, reason, .. }), _) => (Some(*index), Some(reason.to_string())),
            // This part has no result, for example after cancellation.
            (_, Err(_)) => return result,
            (_, Ok(())) => (None, None),
        };
        parts.push(Part {
            format: id,
            section: wanted.section,
            curve: body.curve,
            group: body.group,
            points: body.count(),
            checked,
            valid: result.is_ok(),
            bad_index,
            reason,
        });
        first_error = first_error.or(result.err());
    }
    if parts.iter().all(|part| part.points == 0) {
        return Err(in_file(&args.file)(FormatError::Empty));
    }
    if args.output.json {
        output::json(out, &parts)?;
    }
    match first_error {
        Some(error) => Err(error),
        None if args.output.json => Ok(()),
        None => parts.iter().try_for_each(|part| print(out, &args.file, part)),
    }
}

/// Returns a file's section as a path for errors.
fn named(path: &Path, section: Option<Section>) -> PathBuf {
    section.map_or(path.into(), |section| format!("{}, section {section}", path.display()).into())
}

fn print(out: &mut dyn Write, path: &Path, part: &Part) -> Result<(), Error> {
    let Part { format, curve, group, points, .. } = part;
    let proven = if part.checked == "subgroup" { "in the prime-order subgroup" } else { "on the curve" };
    let path = named(path, part.section);
    writeln!(out, "{}: {format}, {points} {curve} {group} points, all {proven}", visible(path.display()))?;
    Ok(())
}
