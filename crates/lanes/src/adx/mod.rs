//! BMI2 and ADX: products with `mulx`, `adcx` and `adox`, for [`Radix64`](crate::Radix64).

mod kernels;

use crate::features::has_features;

pub(crate) use crate::radix64::visit_assembly as visit;

pub(crate) fn is_supported() -> bool {
    has_features!("adx", "bmi2")
}
