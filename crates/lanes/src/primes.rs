//! The primes. The generator writes them (generator/primes.rs).

#[cfg(target_arch = "x86_64")]
use crate::avx2::kernels;
#[cfg(target_arch = "x86_64")]
use crate::prime::{Avx2Table, Radix, SignedDigits};
use crate::prime::{Digits52, DoubleDigits, DoubleTable, IfmaTable, Prime, WordTable, Words64};
use crate::visit::lane_prime;

include!(concat!(env!("OUT_DIR"), "/constants.rs"));
