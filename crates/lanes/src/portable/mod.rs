//! Any CPU: products in plain code, for [`Radix64`](crate::Radix64).

pub(crate) use crate::radix64::visit_plain as visit;

pub(crate) fn is_supported() -> bool {
    true
}
