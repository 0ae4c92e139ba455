//! Plans of sums: `bw_plan`.

use bucketwheel::{CurveId, GroupId};
use bucketwheel_dynamic::{group, DynGroup};

use crate::abi::*;
use crate::border::{self, Place};
use crate::error::Error;
use crate::options::{self, Options};

/// Returns the time and memory of a sum of `n` uniform scalars times points that are prepared with these options. The
/// call takes microseconds, or milliseconds if the options set `memory`. `memory_bytes` is an upper bound. It is a
/// generous bound with copies, with a choice of the endomorphism or with BW_CHECK_CURVE; then `window` and `additions`
/// ignore the option `window`.
///
/// # Safety
/// - `options` is NULL or points to a struct of `options.size` bytes, which nobody changes or frees during the call; its `cancel` is
///   NULL or a handle.
/// - `result` is NULL or points to a struct of `result.size` bytes, which nobody else uses during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_plan(
    curve: u32,
    group: u32,
    n: usize,
    options: *const bw_options,
    result: *mut bw_plan_result,
) -> bw_status {
    border::work(|| {
        // SAFETY: `result` points to `size` bytes that only this call uses, and `options` to `size` bytes and a handle
        // or NULL.
        let ((result, size), options) =
            unsafe { (Place::sized(result, "result", "bw_plan_result")?, Options::new(options)?) };
        let (curve, group) = options::kind(curve, group)?;
        result.set(bw_plan_result { size, ..plan(curve, group, n, &options)? });
        Ok(())
    })
}

/// Returns the plan of a sum of `n` points in a group or both.
fn plan(curve: CurveId, id: GroupId, n: usize, options: &Options) -> Result<bw_plan_result, Error> {
    // Both groups use the windows of G2, the last part, because its additions cost more.
    let parts = id.parts();
    let last = of_group(&*group(curve, parts[parts.len() - 1])?, n, options, None)?;
    if parts.len() == 1 {
        return Ok(last);
    }
    let first = of_group(&*group(curve, parts[0])?, n, options, Some(last.window))?;
    Ok(bw_plan_result {
        additions: first.additions.saturating_add(last.additions),
        memory_bytes: first.memory_bytes.saturating_add(last.memory_bytes),
        bases_bytes: first.bases_bytes.saturating_add(last.bases_bytes),
        ..last
    })
}

/// Returns the plan in one group, with windows of `window` bits if another group sets the width.
fn of_group(
    group: &dyn DynGroup,
    n: usize,
    options: &Options,
    window: Option<u32>,
) -> Result<bw_plan_result, Error> {
    let table = group.table_plan(options.bases(), n)?;
    let backend = options.backend().map_or_else(|| group.default_backend(), Ok)?;
    let is_default = table.copies <= 1 && options.has_default_images();
    let window = window.or((!is_default).then_some(table.window)).filter(|&window| window > 0);
    let msm = window.map_or(options.msm(), |window| options.window_or(window));
    let plan = group.plan(msm, backend, n)?;
    let (copies, bases_bytes, size) = (table.copies, table.bytes, size_of::<bw_plan_result>());
    if is_default {
        let (windows, memory_bytes) = (plan.windows as u32, plan.memory_bytes);
        let bw = bw_plan_result {
            size,
            window: plan.window,
            windows,
            copies,
            additions: plan.additions,
            memory_bytes,
            bases_bytes,
        };
        return Ok(bw);
    }
    Ok(bw_plan_result {
        size,
        window: table.window,
        windows: table.bucket_sets as u32,
        copies,
        additions: table.additions,
        // The engine's bound holds for points without a table and scalars that are halved up to some number of
        // points. Scalars that are halved or whole otherwise, or have a step's windows rounded up for each copy, have
        // at most twice the digits, magnitudes and sets of buckets.
        memory_bytes: plan.memory_bytes.saturating_mul(2),
        bases_bytes,
    })
}
