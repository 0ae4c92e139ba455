//! The paper's equations.

/// Returns, by Equation 6, the additions of an MSM of `points` points with windows of s bits, for scalars of `bits`
/// bits.
///
/// The [example](crate::msmac::best_window) uses it.
pub fn additions(points: f64, window: u32, bits: u32) -> f64 {
    let windows = f64::from(bits) / f64::from(window);
    windows * points + 2.0 * windows * (f64::from(window).exp2() - 1.0)
}

/// Returns, as Figure 9 has it, the window with the fewest additions by Equation 6, among the windows that fit a card
/// (s up to 13).
///
/// ```
/// use bucketwheel_hardware::msmac::{additions, best_window};
///
/// let window = best_window(1e6, 254);
/// assert!((2..=13).all(|other| additions(1e6, window, 254) <= additions(1e6, other, 254)));
/// ```
pub fn best_window(points: f64, bits: u32) -> u32 {
    let cost = |window: &u32| additions(points, *window, bits);
    (2..=13).min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(13)
}
