//! A clock that also works where the standard library has none.

use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

/// A moment. On `wasm32-unknown-unknown`, whose `Instant` panics, all moments are the same, and durations are 0.
#[derive(Clone, Copy, Debug)]
pub struct Moment(#[cfg(not(all(target_family = "wasm", target_os = "unknown")))] Instant);

impl Moment {
    /// Returns the present moment.
    pub fn now() -> Self {
        Moment(
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            Instant::now(),
        )
    }

    /// Returns the time from an earlier moment to this one.
    pub fn since(self, earlier: Moment) -> Duration {
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        return self.0 - earlier.0;
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        {
            let _ = earlier;
            Duration::ZERO
        }
    }

    /// Returns the time since this moment.
    pub fn elapsed(self) -> Duration {
        Moment::now().since(self)
    }
}
