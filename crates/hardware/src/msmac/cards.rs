//! Cards, processing elements and the host: where and when a sub-task runs (4).
//!
//! The sequencer hands sub-tasks to the queues of the processing elements in turn, card by card. Each element has two
//! buffers in its card's memory: one sub-task is sent while the previous one is computed. A card's link carries one
//! sub-task at a time. All cards together take no more bandwidth than the host's memory has. All times are in
//! milliseconds.

use super::Parameters;

/// Times of a sub-task.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Time at which the sub-task's processing element could have begun if the points had been there.
    pub idle_from: f64,
    /// Time at which the computation began.
    pub begun: f64,
    /// Time at which the computation ended.
    pub done: f64,
}

/// Returns the time of all sub-tasks together, and of each. `lens` are their numbers of points, and `compute(i)` is
/// the computing time of sub-task i in milliseconds.
pub fn timeline(
    parameters: &Parameters,
    lens: &[usize],
    compute: impl Fn(usize) -> f64,
) -> (f64, Vec<Times>) {
    let (cards, pes) = (parameters.cards as usize, parameters.pes as usize);
    let mut links = vec![0.0f64; cards];
    let mut host = 0.0f64;
    // Times at which an element's two buffers are free; the last sub-task's buffer comes second.
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

/// Returns the sub-tasks of a task as ranges of its points: `size` points each, and the rest in the last one.
pub fn split(points: usize, size: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    // A task without points still has one sub-task.
    let count = points.div_ceil(size).max(1);
    (0..count).map(move |i| i * size..points.min((i + 1) * size))
}

/// Returns the size of sub-tasks, a power of two, with which `tasks` tasks take the least time, if each sub-task
/// computes for a fixed time and a time for each point. This is the paper's exhaustive search (5.2), over the same
/// timeline.
pub fn best_size(
    parameters: &Parameters,
    points: usize,
    tasks: usize,
    fixed_ms: f64,
    point_ms: f64,
) -> usize {
    /// Sizes with more sub-tasks are not searched.
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
