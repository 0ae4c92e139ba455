//! Windows: a scalar's bits, cut.

/// The smallest window.
pub const MIN_WINDOW: u32 = 1;
/// The largest window: its buckets take some gigabytes, and no sum is long enough for it.
pub const MAX_WINDOW: u32 = 22;
/// The widths to choose from.
pub(crate) const WIDTHS: std::ops::RangeInclusive<u32> = 2..=20;

/// A scalar's bits cut into steps of a table, and each of these into windows, as even as possible.
///
/// Window w of every step belongs to the same set of buckets: its points are in the step's copy. Without a table all
/// bits are one step, and each window has a set of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    bits: u32,
    step: u32,
    sets: u32,
}

impl Windows {
    /// The fewest windows of at most `width` bits for scalars of `bits` bits: one bit more, for a carry.
    pub fn new(bits: u32, width: u32, step: u32) -> Self {
        let bits = bits + 1;
        let step = step.min(bits);
        Windows { bits, step, sets: step.div_ceil(width) }
    }

    /// Windows of exactly `width` bits for scalars of `bits` bits; the last one has the remaining bits.
    pub fn exact(bits: u32, width: u32) -> Self {
        let sets = (bits + 1).div_ceil(width);
        Windows { bits: bits + 1, step: sets * width, sets }
    }

    /// Their number.
    pub fn count(self) -> usize {
        let (steps, rest) = (self.bits / self.step, self.bits % self.step);
        // Window w of the last step begins at bit w step / sets of it, rounded up.
        let begun = if rest > 0 { (rest - 1) * self.sets / self.step + 1 } else { 0 };
        (steps * self.sets + begun) as usize
    }

    /// The number of sets of buckets.
    pub fn sets(self) -> usize {
        self.sets as usize
    }

    /// The windows that share a set of buckets: one of each step.
    pub fn of_set(self, set: usize) -> impl Iterator<Item = usize> {
        (set..self.count()).step_by(self.sets())
    }

    /// The bits of a step.
    pub fn step(self) -> u32 {
        self.step
    }

    /// The first bit of a window; of window `count`, the number of bits.
    pub fn start(self, window: usize) -> u32 {
        let (step, window) = (window as u32 / self.sets, window as u32 % self.sets);
        self.bits.min(step * self.step + (self.step * window).div_ceil(self.sets))
    }

    /// The bits of a window.
    pub fn width(self, window: usize) -> u32 {
        self.start(window + 1) - self.start(window)
    }

    /// The bits of the widest window.
    pub fn max_width(self) -> u32 {
        self.step.div_ceil(self.sets)
    }

    /// The buckets of the widest window.
    pub fn buckets(self) -> usize {
        1 << (self.max_width() - 1)
    }

    /// The window of the first step that a bit is in.
    pub fn containing(self, bit: u32) -> usize {
        (0..self.sets()).rfind(|&window| self.start(window) <= bit).expect("window 0 starts at bit 0")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_all_bits_and_share_sets() {
        for bits in [1, 30, 127, 253, 254, 255] {
            for step in [1, 2, 7, 16, 32, 51, 128, 255, u32::MAX] {
                for width in 1..=MAX_WINDOW {
                    let windows = Windows::new(bits, width, step);
                    let count = windows.count();
                    assert_eq!((windows.start(0), windows.start(count)), (0, bits + 1));
                    assert!((0..count).all(|w| (1..=windows.max_width()).contains(&windows.width(w))));
                    assert_eq!(
                        (0..windows.sets()).map(|set| windows.of_set(set).count()).sum::<usize>(),
                        count
                    );
                    for window in 0..count {
                        // The window's place in its step, and the copy's number.
                        let (copy, set) = (window / windows.sets(), window % windows.sets());
                        assert_eq!(windows.start(window), copy as u32 * windows.step() + windows.start(set));
                    }
                    assert!(windows.max_width() <= width);
                }
            }
        }
    }
}
