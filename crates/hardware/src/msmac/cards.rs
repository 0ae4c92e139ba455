//! Cards, processing elements and the host: which sub-task runs where and when (4).
//!
//! The sequencer hands sub-tasks to the processing elements' queues in turn, card by card. Each element has two buffers
//! in its card's memory: a sub-task is sent while the one before is computed. A card's link carries one sub-task at a
//! time; all cards together take no more than the host's memory gives. All times are in milliseconds.

use super::Parameters;

/// Times of a sub-task.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// When its processing element could have begun had its points been there.
    pub idle_from: f64,
    /// When its computation began.
    pub begun: f64,
    /// When it ended.
    pub done: f64,
}

/// The time of all sub-tasks together, and of each. `lens` are their points, `compute(i)` the milliseconds that number i
/// computes for.
pub fn timeline(
    parameters: &Parameters,
    lens: &[usize],
    compute: impl Fn(usize) -> f64,
) -> (f64, Vec<Times>) {
    let (cards, pes) = (parameters.cards as usize, parameters.pes as usize);
    let mut links = vec![0.0f64; cards];
    let mut host = 0.0f64;
    // When an element's two buffers are free, the one of the last sub-task behind.
    let mut buffers = vec![[0.0f64; 2]; cards * pes];
    let mut times = Vec::with_capacity(lens.len());
    let mut end = 0.0f64;
    for (i, &len) in lens.iter().enumerate() {
        let (card, element) = (i % cards, i % (cards * pes));
        let [older, newer] = buffers[element];
        let bytes = (len as u64 * parameters.point_bytes) as f64;
        let start = older.max(links[card]).max(host) + parameters.sub_task_us * 1e-3;
        let sent = start + bytes / (parameters.card_gigabytes * 1e6);
        links[card] = sent;
        host = start + bytes / (parameters.host_gigabytes * 1e6);
        let begun = sent.max(newer);
        let done = begun + compute(i);
        buffers[element] = [newer, done];
        times.push(Times { idle_from: newer, begun, done });
        end = end.max(done);
    }
    (end + parameters.host_us * 1e-3, times)
}

/// Sub-tasks of a task, as ranges of its points: `size` points each, the last one with what is left.
pub fn split(points: usize, size: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    // A task without points is still one.
    let count = points.div_ceil(size).max(1);
    (0..count).map(move |i| i * size..points.min((i + 1) * size))
}

/// The size of sub-tasks, a power of two, with which `tasks` tasks take the least time, if each computes for a given time
/// and another for each of its points. That is the paper's exhaustive search (5.2), over the same timeline.
pub fn best_size(
    parameters: &Parameters,
    points: usize,
    tasks: usize,
    fixed_ms: f64,
    point_ms: f64,
) -> usize {
    /// More sub-tasks than that are not searched.
    const MOST: usize = 1 << 14;
    let sizes = (8..=usize::BITS - 1).map(|log_size| 1usize << log_size);
    let sizes = sizes.take_while(|&size| size < 2 * points.max(256));
    let time = |size: usize| {
        let one: Vec<usize> = split(points, size).map(|range| range.len()).collect();
        let lens = one.repeat(tasks);
        timeline(parameters, &lens, |i| fixed_ms + lens[i] as f64 * point_ms).0
    };
    let possible = sizes.filter(|&size| points.div_ceil(size) * tasks <= MOST || size >= points);
    possible.map(|size| (time(size), size)).min_by(|a, b| a.0.total_cmp(&b.0)).map_or(256, |best| best.1)
}
