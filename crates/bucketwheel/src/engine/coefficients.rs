//! A curve as the adders know it: its coefficients as words.

/// The curve `y^2 = x^3 + a x + b`.
#[derive(Clone, Copy, Debug)]
pub struct Coefficients<W> {
    /// The coefficient a, if it is not 0.
    pub a: Option<W>,
    /// 3 b
    pub three_b: W,
    /// 3 b again, if it is a small integer, at most 15.
    pub small_three_b: Option<u32>,
    /// The endomorphism's factor of x, if one is known.
    pub beta: Option<W>,
    /// The twisted Edwards form, if one is known.
    pub edwards: Option<EdwardsForm<W>>,
}

/// Largest 3 b that is multiplied by additions, 6 of them at most. A dozen additions take as long as a product.
pub const MAX_SMALL: u32 = 15;

/// The map to the Edwards form, in the words of the coordinates' field (curve/edwards.rs).
#[derive(Clone, Copy, Debug)]
pub struct EdwardsForm<W> {
    pub root: W,
    pub s: W,
    pub r: W,
    pub d: W,
    pub half_d: W,
    /// n, where a is -(1 + 2 n).
    pub excess: u32,
}
