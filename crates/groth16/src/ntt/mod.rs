//! The quotient of a Groth16 proof by number-theoretic transforms in SIMD lanes.

mod field;
mod jobs;
mod layers;
mod passes;
mod quotient;
mod vector;

pub use field::TransformField;
pub use quotient::{Domain, Evaluations, Quotient, QuotientOptions};
pub use vector::{Elements, Words};
