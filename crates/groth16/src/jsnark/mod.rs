//! jsnark's circuits, libsnark's input: from `.arith` and `.in` to constraints and a witness.
//!
//! A circuit is a list of lines, with comments after `#`:
//!
//! ```text
//! total N                               the number of wires: all are below
//! input w                               a public input
//! nizkinput w                           a private input
//! output w                              a wire that is public too
//! mul in 2 <a b> out 1 <c>              c = a b
//! add in n <a ...> out 1 <c>            c is the sum
//! const-mul-HEX in 1 <a> out 1 <c>      c = HEX a; const-mul-neg-HEX: c = -HEX a
//! xor in 2 <a b> out 1 <c>              a and b are bits, or likewise
//! split in 1 <a> out n <b0 ...>         a is the sum of the bits b_i 2^i
//! pack in n <b0 ...> out 1 <a>          the same backwards; the b_i may be any values
//! zerop in 1 <a> out 2 <m c>            c is 1 if a is not 0, else 0; m is of no use to others
//! assert in 2 <a b> out 1 <c>           a b = c, of wires that are there already
//! ```
//!
//! Inputs are lines of a wire and its value in hexadecimal. As in libsnark, sums and multiples by constants (add,
//! const-mul, pack) take no constraints: a wire is a linear combination of variables. An output with a variable of
//! its own, as in jsnark's circuits, takes none either. So the circuit has the number of constraints that libsnark
//! makes of it.

mod builder;
mod error;
mod imported;
mod outline;
mod parse;
mod terms;

pub use builder::import;
pub use error::{ImportError, JsnarkError, Problem};
pub use imported::Imported;
