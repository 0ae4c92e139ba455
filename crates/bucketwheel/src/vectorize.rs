//! Plain loops over scalars and digits, compiled for the instructions that a backend needs anyway. The compiler turns
//! them into vector code, and products of two words keep both halves where they are needed.

use bucketwheel_lanes::Backend;

/// Work for [`vectorize`]. Mark `run` and all functions that it calls `#[inline(always)]`.
pub(crate) trait Task {
    /// Result of the task.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Runs a task compiled for this backend's CPU.
#[inline]
pub(crate) fn vectorize<T: Task>(backend: Backend, task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512dq,avx512vl,bmi1,bmi2")]
        unsafe fn avx512<T: Task>(task: T) -> T::Output {
            task.run()
        }

        #[target_feature(enable = "avx2,bmi1,bmi2")]
        unsafe fn avx2<T: Task>(task: T) -> T::Output {
            task.run()
        }

        match backend {
            // SAFETY: the backend is supported, and needs AVX-512 F, DQ, VL, BMI1 and BMI2.
            Backend::Avx512Ifma if backend.is_supported() => return unsafe { avx512(task) },
            // SAFETY: the backend is supported, and needs AVX2, BMI1 and BMI2.
            Backend::Avx2 if backend.is_supported() => return unsafe { avx2(task) },
            _ => {}
        }
    }
    let _ = backend;
    task.run()
}
