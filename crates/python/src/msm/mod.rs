//! Points and their sums.

mod bases;
mod functions;
mod names;
mod reading;
mod shared;
mod stream;

pub use bases::Bases;
pub use functions::{check_curve, curves, decode, encode, generate, generate_points, generate_scalars};
pub use names::{curve_of, group_of};
pub use stream::Stream;
