//! BMI2 and ADX: products with `mulx`, `adcx` and `adox`, for [`Radix64`](crate::Radix64).

mod kernels;
