//! Keys and proofs of snarkjs, of arkworks, and of our own set-up.

#[cfg(feature = "arkworks")]
mod arkworks;
mod keys;
mod many;
mod progress;
mod setup;
mod snarkjs;
mod solidity;
