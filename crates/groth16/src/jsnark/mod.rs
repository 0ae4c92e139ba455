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
//! const-mul, pack) take no constraints: a wire is a linear combination of variables. An output with a variable of its
//! own, as in jsnark's circuits, takes no constraint either. So a circuit has the same number of constraints as in
//! libsnark.
//!
//! ```
//! # struct Silent;
//! # impl bucketwheel::Progress for Silent {
//! #     fn report(&self, _: usize, _: usize) {}
//! # }
//! use std::io::Cursor;
//!
//! use bucketwheel::Cancel;
//! use bucketwheel_groth16::file::R1cs;
//! use bucketwheel_groth16::{jsnark::import, Bn254};
//!
//! let circuit = b"total 3\ninput 0\nnizkinput 1\nmul in 2 <1 0> out 1 <2>\noutput 2\n";
//! let mut r1cs = Cursor::new(Vec::new());
//! let imported = import::<Bn254, _>(circuit, b"0 3\n1 5\n", &mut r1cs, &Cancel::new(), &Silent)?;
//! let r1cs = r1cs.into_inner();
//! assert_eq!((imported.constraints, R1cs::parse(&r1cs)?.header.constraints), (1, 1));
//! let witness = imported.write_wtns::<Bn254, _>(Cursor::new(Vec::new()))?.into_inner();
//! assert!(witness.starts_with(b"wtns"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod error;
mod imported;
mod outline;
mod parse;
mod terms;

pub use builder::import;
pub use error::{ImportError, JsnarkError, Problem};
pub use imported::Imported;
