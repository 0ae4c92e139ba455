//! The prover, on keys of snarkjs and of arkworks.

#[cfg(feature = "arkworks")]
mod arkworks;
mod keys;
mod many;
#[path = "../snarkjs/mod.rs"]
mod snarkjs;
