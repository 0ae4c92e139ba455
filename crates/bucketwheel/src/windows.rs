//! Windows: pieces of a scalar's bits.

/// Width of the smallest window, in bits.
pub const MIN_WINDOW: u32 = 1;
/// Width of the largest window, in bits. Its buckets take some gigabytes, and no sum is long enough for it.
pub const MAX_WINDOW: u32 = 22;
/// Widths that a plan chooses from.
pub(crate) const WIDTHS: std::ops::RangeInclusive<u32> = 2..=20;

/// A scalar's bits, cut into steps of a table. Each step is cut into windows, as even as possible.
///
/// Window w of every step belongs to the same set of buckets. Its points are in the step's copy. Without a table, all
/// bits are one step, and each window has a set of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    bits: u32,
    step: u32,
    sets: u32,
}

impl Windows {
    /// Returns the fewest windows of at most `width` bits for scalars of `bits` bits and one more bit, for a carry.
    pub fn new(bits: u32, width: u32, step: u32) -> Self {
        let bits = bits + 1;
        let step = step.min(bits);
        Windows { bits, step, sets: step.div_ceil(width) }
    }

    /// Returns windows of exactly `width` bits for scalars of `bits` bits. The last window has the remaining bits.
    pub fn exact(bits: u32, width: u32) -> Self {
        let sets = (bits + 1).div_ceil(width);
        Windows { bits: bits + 1, step: sets * width, sets }
    }

    /// Returns the number of windows.
    pub fn count(self) -> usize {
        let (steps, rest) = (self.bits / self.step, self.bits % self.step);
        // Window w of the last step begins at its bit w step / sets, rounded up.
        let begun = if rest > 0 { (rest - 1) * self.sets / self.step + 1 } else { 0 };
        (steps * self.sets + begun) as usize
    }

    /// Returns the number of sets of buckets.
    pub fn sets(self) -> usize {
        self.sets as usize
    }

    /// Returns, for each set of buckets, the windows that share it: one window of each step.
    pub fn by_set(self) -> impl Iterator<Item = impl Iterator<Item = usize>> {
        let (sets, count) = (self.sets(), self.count());
        (0..sets).map(move |set| (set..count).step_by(sets))
    }

    /// Returns the bits of a step.
    pub fn step(self) -> u32 {
        self.step
    }

    /// Returns the first bit of a window; for window `count`, the number of bits.
    pub fn start(self, window: usize) -> u32 {
        let window = window as u32;
        // Most windows are in the first step. Divisions take much of the planning of a small sum.
        let (step, window) =
            if window < self.sets { (0, window) } else { (window / self.sets, window % self.sets) };
        self.bits.min(step * self.step + (self.step * window).div_ceil(self.sets))
    }

    /// Returns the bits of a window.
    pub fn width(self, window: usize) -> u32 {
        self.start(window + 1) - self.start(window)
    }

    /// Returns the bits of the widest window.
    pub fn max_width(self) -> u32 {
        self.step.div_ceil(self.sets)
    }

    /// Returns the buckets of the widest window.
    pub fn buckets(self) -> usize {
        1 << (self.max_width() - 1)
    }

    /// Returns the window of the first step that contains a bit.
    pub fn containing(self, bit: u32) -> usize {
        // The last window w with step w / sets <= bit; from `bits` on, all bits are in the last window.
        let window = if bit < self.bits { bit * self.sets / self.step } else { self.sets };
        window.min(self.sets - 1) as usize
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
                    assert_eq!(windows.by_set().map(|windows| windows.count()).sum::<usize>(), count);
                    for window in 0..count {
                        // The position of the window in its step, and the number of the copy.
                        let (copy, set) = (window / windows.sets(), window % windows.sets());
                        assert_eq!(windows.start(window), copy as u32 * windows.step() + windows.start(set));
                    }
                    assert!(windows.max_width() <= width);
                    for bit in 0..bits + 2 {
                        let last = (0..windows.sets()).rfind(|&window| windows.start(window) <= bit);
                        assert_eq!(Some(windows.containing(bit)), last);
                    }
                }
            }
        }
    }
}
