//! The CPU's features.

/// True if the CPU has all of the features: asked at run time, or, without `std`, at compile time.
macro_rules! has_features {
    ($($feature:tt),*) => {{
        #[cfg(feature = "std")]
        let has = $(std::arch::is_x86_feature_detected!($feature))&&*;
        #[cfg(not(feature = "std"))]
        let has = $(cfg!(target_feature = $feature))&&*;
        has
    }};
}

pub(crate) use has_features;
