//! The instruction sets: names and detection.

use core::fmt;
use core::str::FromStr;

/// The instruction set of the lanes. Its number is its code in files, which no other instruction set ever gets.
///
/// ```
/// use bucketwheel_lanes::Backend;
///
/// let backend = Backend::detect();
/// assert!(backend.is_supported());
/// assert_eq!(Backend::from_code(backend.code()), Some(backend));
/// assert_eq!(backend.name().parse(), Ok(backend));
/// assert_eq!(Backend::fastest(&[Backend::Portable]), Backend::Portable);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// 64-bit words, for any CPU; four lanes.
    Portable = 0,
    /// BMI2 and ADX: `mulx`, `adcx`, `adox`; four lanes.
    Adx = 1,
    /// 64-bit Arm; four lanes.
    Aarch64 = 5,
    /// WebAssembly's relaxed SIMD; eight lanes.
    Wasm = 6,
    /// AVX2; four lanes.
    Avx2 = 2,
    /// AVX-512 with IFMA; eight lanes.
    Avx512Ifma = 3,
    /// Model of `Avx512Ifma` in plain Rust, equal bit for bit. It is for tests on CPUs without AVX-512 IFMA, with the
    /// feature `model`.
    Model = 4,
}

impl Backend {
    /// All backends, the fastest first; the model is for tests only and last.
    pub const ALL: [Backend; 7] = [
        Backend::Avx512Ifma,
        Backend::Avx2,
        Backend::Adx,
        Backend::Aarch64,
        Backend::Wasm,
        Backend::Portable,
        Backend::Model,
    ];

    /// Returns the fastest backend of this CPU. The [example](Self) uses it.
    pub fn detect() -> Backend {
        Self::fastest(&Self::ALL)
    }

    /// Returns true if this CPU (and operating system) has the instructions, and this build has the backend.
    /// The [example](Self) uses it.
    pub fn is_supported(self) -> bool {
        match self {
            Backend::Portable => true,
            Backend::Model => cfg!(feature = "model"),
            Backend::Aarch64 => cfg!(target_arch = "aarch64"),
            Backend::Adx => has_adx(),
            Backend::Wasm => has_wasm(),
            Backend::Avx2 => has_avx2(),
            Backend::Avx512Ifma => has_avx512ifma(),
        }
    }

    /// Returns the code in files. The [example](Self) uses it.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Returns the backend of a file's code. The [example](Self) uses it.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|backend| backend.code() == code)
    }

    /// Returns the name on the command line. The [example](Self) uses it.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Portable => "portable",
            Backend::Adx => "adx",
            Backend::Aarch64 => "aarch64",
            Backend::Wasm => "wasm",
            Backend::Avx2 => "avx2",
            Backend::Avx512Ifma => "avx512ifma",
            Backend::Model => "model",
        }
    }

    /// Returns the fastest of these backends on this CPU. The [example](Self) uses it.
    pub fn fastest(of: &[Backend]) -> Backend {
        let fastest = Self::ALL.into_iter().find(|backend| of.contains(backend) && backend.is_supported());
        fastest.unwrap_or(Backend::Portable)
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of an unknown backend's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownBackend;

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown backend; expected one of")?;
        Backend::ALL.iter().try_for_each(|backend| write!(f, " {backend}"))
    }
}

impl core::error::Error for UnknownBackend {}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|backend| backend.name() == name).ok_or(UnknownBackend)
    }
}

/// True if the CPU has all of the features: asked at run time, or, without `std`, at compile time.
macro_rules! has_features {
    ($($feature:tt),*) => {{
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        let has = $(std::arch::is_x86_feature_detected!($feature))&&*;
        #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
        let has = $(cfg!(target_feature = $feature))&&*;
        has
    }};
}

fn has_adx() -> bool {
    has_features!("adx", "bmi2")
}

fn has_avx2() -> bool {
    has_features!("avx2", "bmi1", "bmi2")
}

/// Returns true if the build has relaxed SIMD, and the engine's multiply-add rounds once. An engine may also round the
/// product first.
fn has_wasm() -> bool {
    #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
    {
        use core::arch::wasm32::{f64x2_extract_lane, f64x2_relaxed_madd, f64x2_splat};
        let power = |exponent: u32| 1.0 / (1u64 << exponent) as f64;
        let x = f64x2_splat(core::hint::black_box(1.0 + power(27)));
        let rest = f64x2_relaxed_madd(x, x, f64x2_splat(core::hint::black_box(-(1.0 + power(26)))));
        f64x2_extract_lane::<0>(rest) == power(54)
    }
    #[cfg(not(all(target_arch = "wasm32", target_feature = "relaxed-simd")))]
    false
}

fn has_avx512ifma() -> bool {
    has_features!("avx512f", "avx512dq", "avx512vl", "avx512ifma", "bmi1", "bmi2")
}
