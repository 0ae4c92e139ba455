//! Writes the names of the instruction sets, and the way from a name to the lanes of a prime.

use super::instruction_set::{InstructionSet, Names};
use super::primes::{Prime, PRIMES};
use super::{backend_names, INSTRUCTION_SETS};

/// Returns the call of `backends!` (`src/backend.rs`).
pub fn backends() -> String {
    let backend = |Names { variant, folder, code, about, .. }| {
        format!("    /// {about}\n    {variant} = {code}, \"{folder}\";\n")
    };
    format!("backends! {{\n{}}}\n", backend_names().into_iter().map(backend).collect::<String>())
}

/// Returns the calls of `supported!` and `lane_prime!` (`src/visit.rs`).
pub fn dispatch() -> String {
    let set = |set: &&dyn InstructionSet| {
        let Names { variant, folder, builds, .. } = set.names();
        format!("    #[cfg({builds})] {variant} {folder};\n")
    };
    let supported = format!("supported! {{\n{}}}\n", INSTRUCTION_SETS.iter().map(set).collect::<String>());
    supported + &PRIMES.iter().map(lane_prime).collect::<String>()
}

fn lane_prime(prime: &Prime) -> String {
    let lanes = |set: &&dyn InstructionSet| {
        let Names { variant, folder, builds, .. } = set.names();
        let digits = set.lanes(prime)?;
        let without = if digits.is_empty() { builds_without_words(prime) } else { "any()".into() };
        Some(format!("    #[cfg(all({builds}, not({without})))] {variant} {folder} [{digits}];\n"))
    };
    format!(
        "lane_prime! {{\n    crate::{}, {};\n{}}}\n",
        prime.name,
        prime.limbs(),
        INSTRUCTION_SETS.iter().filter_map(lanes).collect::<String>()
    )
}

/// Returns the builds that have better lanes of a prime than lanes in words, as a predicate of `cfg`.
fn builds_without_words(prime: &Prime) -> String {
    let replaces = |set: &&&dyn InstructionSet| set.replaces_words() && set.lanes(prime).is_some();
    let builds: Vec<_> = INSTRUCTION_SETS.iter().filter(replaces).map(|set| set.names().builds).collect();
    format!("any({})", builds.join(", "))
}
