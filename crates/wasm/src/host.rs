//! Functions of the host: randomness, and progress, which may ask to stop.

use bucketwheel::{Cancel, Progress};

#[cfg(target_family = "wasm")]
mod imports {
    #[link(wasm_import_module = "host")]
    extern "C" {
        /// Fills memory with random bytes. Targets with WASI have an import of their own.
        #[cfg(target_os = "unknown")]
        pub fn random(address: *mut u8, len: usize);
        /// Reports progress; returns 1 to stop.
        pub fn progress(done: u32, total: u32) -> u32;
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn random(bytes: &mut [u8]) -> Result<(), getrandom::Error> {
    // SAFETY: the host writes only to these bytes, which the slice lends.
    unsafe { imports::random(bytes.as_mut_ptr(), bytes.len()) };
    Ok(())
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
getrandom::register_custom_getrandom!(random);

/// Listener that reports progress to the host.
pub struct Ear {
    cancel: Cancel,
}

impl Ear {
    /// Returns a listener that stops work with this token.
    pub fn new(cancel: &Cancel) -> Self {
        Ear { cancel: cancel.clone() }
    }
}

impl Progress for Ear {
    fn report(&self, done: usize, total: usize) {
        #[cfg(target_family = "wasm")]
        // SAFETY: the host gets two numbers and no address.
        let stop = unsafe { imports::progress(done as u32, total as u32) } != 0;
        #[cfg(not(target_family = "wasm"))]
        let stop = done > total;
        if stop {
            self.cancel.cancel();
        }
    }
}
