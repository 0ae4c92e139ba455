//! 64-bit Arm: hand-scheduled products, squares and butterflies (EdMSM, section 5), for
//! [`Radix64`](crate::Radix64).

mod kernels;

pub(crate) use crate::radix64::visit_assembly as visit;

pub(crate) fn is_supported() -> bool {
    true
}
