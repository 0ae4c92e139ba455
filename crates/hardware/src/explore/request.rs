//! The subject of a sweep.

use crate::boards::Board;
use crate::resources::Density;
use crate::Curve;

/// The subject of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Points of one sum.
    pub points: u64,
    /// The curve.
    pub curve: Curve,
    /// The board.
    pub board: Board,
    /// The source of LUTs and DSPs.
    pub density: Density,
    /// The clock of all designs in MHz, or `None` for the papers' clocks.
    pub clock_mhz: Option<f64>,
    /// Share of the board's LUTs, DSPs and UltraRAMs that machines may take, up to 1.
    pub fill: f64,
}
