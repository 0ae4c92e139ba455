//! Pippenger's algorithm as a program: steps 1 and 2 of the paper (2.2).

use super::assembly::{assemble, AssemblyError};
use super::isa::Instruction;
use super::Hardware;

/// The program of a processing element for an MSM of any length.
///
/// The input's points go into buckets, all windows of a point in one batch. Conflicts are processed when the FIFO is
/// almost full and at the end. Then each window's buckets are added up from the last one on, `sum += total` and
/// `total += bucket`, all windows of a bucket in one batch. The sums leave in the order of the windows.
///
/// # Errors
/// If there are more windows or buckets than instructions can address.
pub fn pippenger(hardware: &Hardware) -> Result<Vec<Instruction>, AssemblyError> {
    assemble(&pippenger_text(hardware))
}

/// The text of [`pippenger`].
pub fn pippenger_text(hardware: &Hardware) -> String {
    let latency = hardware.latency;
    let windows = hardware.windows.count();
    let buckets = hardware.windows.buckets();
    let threshold = hardware.conflict_threshold;
    // Both additions of a bucket take the total as it was before; the first total is there a latency after its addition
    // has begun, of which the batch itself takes some.
    let wait = latency.saturating_sub(windows);
    let [top, counter] = [buckets - 1, buckets.saturating_sub(2)];
    let step_1 = format!(
        "\
; Step 1: points into buckets
start:
    jmp   input, point
    nop   1                         ; until the last point's conflicts are in the FIFO
rest:
    jmp   conflict, again
    nop   {latency:<25} ; until all buckets are written
    jmp   always, aggregate
point:
    padd  {windows}, bucket[0, {buckets}], input -> bucket[0, {buckets}]
    jmp   almost_full, drain
    jmp   always, start
drain:
    padd  {threshold}, bucket[0, {buckets}], conflict -> bucket[0, {buckets}]
    jmp   almost_full, drain
    jmp   always, start
again:
    padd  {windows}, bucket[0, {buckets}], conflict -> bucket[0, {buckets}]
    jmp   always, rest
"
    );
    let begin = format!(
        "\
; Step 2: temp[0..] are the sums, temp[{windows}..] the totals
aggregate:
    padd  {windows}, zero, zero -> temp[0, 1]
    padd  {windows}, zero, bucket[{top}, {buckets}] -> temp[{windows}, 1]
    nop   {latency}
"
    );
    let turn = format!(
        "    \
    set   {counter}
next:
    padd  {windows}, temp[0, 1], temp[{windows}, 1] -> temp[0, 1]
    padd  {windows}, temp[{windows}, 1], bucket[0, {buckets}, counter] -> temp[{windows}, 1]
    nop   {wait}
    jmp   loop, next
"
    );
    let end = format!(
        "    \
    padd  {windows}, temp[0, 1], temp[{windows}, 1] -> output
    nop   {latency}
"
    );
    step_1 + &begin + &turn + &end
}
