//! The primes. The generator writes them (generator/primes.rs).

use crate::prime::{Prime, WordTable, Words64};

include!(concat!(env!("OUT_DIR"), "/constants.rs"));
