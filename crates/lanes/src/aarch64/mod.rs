//! 64-bit Arm: hand-scheduled products, squares and butterflies (EdMSM, section 5), for
//! [`Radix64`](crate::Radix64).

mod kernels;
