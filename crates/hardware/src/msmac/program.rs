//! Pippenger's algorithm as a program: steps 1 and 2 of the paper (2.2).

use super::assembly::{assemble, AssemblyError};
use super::isa::Instruction;
use super::Hardware;

/// Returns the program of a processing element for an MSM of any length.
///
/// The [example](crate#parameters-and-programs) uses it.
///
/// The points of the input go into buckets, all windows of a point in one batch. The program processes conflicts when
/// the FIFO is almost full, and at the end. Then it adds up each window's buckets from the last bucket on,
/// `sum += total` and `total += bucket`, all windows of a bucket in one batch. With several segments, each has its
/// own sum and total. Their batches follow each other, so the adder waits less; at the end the program joins the
/// segments. The sums leave in the order of the windows.
///
/// # Errors
/// An error if there are more windows or buckets than instructions can address.
pub fn pippenger(hardware: &Hardware) -> Result<Vec<Instruction>, AssemblyError> {
    assemble(&pippenger_text(hardware))
}

/// Returns the text of [`pippenger`].
///
/// The [example](crate::msmac) uses it.
pub fn pippenger_text(hardware: &Hardware) -> String {
    let latency = hardware.latency;
    let windows = hardware.windows.count();
    let buckets = hardware.windows.buckets();
    let threshold = hardware.conflict_threshold;
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
    step_1 + &aggregation(hardware)
}

/// Step 2. Segment j has L buckets from j L on, its sum `R_j` and its total `T_j`. The sum of a window is
/// `sum_j R_j + sum_j T_j + L sum_j j T_j`.
fn aggregation(hardware: &Hardware) -> String {
    let latency = hardware.latency;
    let windows = hardware.windows.count();
    let buckets = hardware.windows.buckets();
    let segments = hardware.segments;
    let of_each = buckets / segments as usize;
    let sum = |segment: u32| format!("temp[{}, 1]", 2 * segment * windows);
    let total = |segment: u32| format!("temp[{}, 1]", (2 * segment + 1) * windows);
    let bucket =
        |segment: u32, last: usize| format!("bucket[{}, {buckets}", segment as usize * of_each + last);
    let padd = |left: &str, right: &str, to: &str| format!("    padd  {windows}, {left}, {right} -> {to}\n");
    let nop = |cycles: u32| if cycles > 0 { format!("    nop   {cycles}\n") } else { String::new() };

    let mut text = match segments {
        1 => format!("; Step 2: temp[0..] are the sums, temp[{windows}..] the totals\n"),
        _ => {
            format!("; Step 2: from temp[{} j] on are the sums of segment j, then its totals\n", 2 * windows)
        }
    };
    text += "aggregate:\n";
    for j in 0..segments {
        text += &padd("zero", "zero", &sum(j));
        text += &padd("zero", &(bucket(j, of_each - 1) + "]"), &total(j));
    }
    text += &nop(latency);
    text += &format!("    set   {}\nnext:\n", of_each.saturating_sub(2));
    for j in 0..segments {
        // Both additions of a bucket take the previous total.
        text += &padd(&sum(j), &total(j), &sum(j));
        text += &padd(&total(j), &(bucket(j, 0) + ", counter]"), &total(j));
    }
    // A total is ready one latency after its addition has begun; the other batches fill some of this time.
    text += &nop(latency.saturating_sub((2 * segments - 1) * windows));
    text += "    jmp   loop, next\n";
    let top = segments - 1;
    if segments > 1 {
        text += &format!(
            "; Sums of all segments to {}; totals, j times that of segment j, to {}\n",
            sum(0),
            total(top)
        );
        text += &nop(latency);
        for j in (0..top).rev() {
            // Each total becomes the total of all segments from its own on. These totals, without the first, are
            // added up.
            if j + 1 < top {
                text += &padd(&total(top), &total(j + 1), &total(top));
            }
            text += &padd(&total(j), &total(j + 1), &total(j));
            text += &padd(&sum(j), &sum(j + 1), &sum(j));
            text += &nop(latency);
        }
        text += &padd(&sum(0), &total(0), &sum(0));
        text += &format!("    set   {}\ndouble:\n", of_each.ilog2() - 1);
        text += &padd(&total(top), &total(top), &total(top));
        text += &nop(latency.saturating_sub(windows));
        text += "    jmp   loop, double\n";
    }
    text += &padd(&sum(0), &total(top), "output");
    text + &nop(latency)
}
