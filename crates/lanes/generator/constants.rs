//! Writes each prime as Rust source: its type, its numbers in every radix, and the lists that tests walk through.

use super::instruction_set::{InstructionSet, Names};
use super::primes::{Prime, PRIMES};
use super::{backend_names, words, INSTRUCTION_SETS};

pub fn rust_source() -> String {
    let primes = PRIMES.iter().map(prime_source);
    let common = INSTRUCTION_SETS.iter().map(|set| set.common_numbers());
    primes.chain(common).chain([for_each_prime(), for_each_backend()]).collect()
}

/// Returns the type of a prime, with its numbers.
fn prime_source(prime: &Prime) -> String {
    prime.check();
    let Prime { name, title, field, .. } = prime;
    let has_digits = |set: &&dyn InstructionSet| set.lanes(prime).is_some_and(|digits| !digits.is_empty());
    let alone = if INSTRUCTION_SETS.iter().any(has_digits) { "" } else { ": words alone" };
    let numbers: String = INSTRUCTION_SETS.iter().map(|set| set.numbers(prime)).collect();
    format!(
        "/// The {field} ({} bits){alone}.\n\
         #[derive(Clone, Copy, Debug)]\n\
         pub struct {name};\n\
         impl Prime for {name} {{ const NAME: &'static str = \"{title}\"; }}\n\
         {}{numbers}",
        prime.bits(),
        words::numbers(prime)
    )
}

/// Returns a macro that passes all primes to another macro, for test suites: a name, the type, the number of words, beta.
fn for_each_prime() -> String {
    let entry = |prime: &Prime| {
        format!("{}: {}, {}, {}; ", prime.name.to_lowercase(), prime.name, prime.limbs(), prime.beta)
    };
    for_each("for_each_prime", PRIMES.iter().map(entry).collect())
}

/// Returns a macro that passes all backends to another macro, for test suites: a name, the backend.
fn for_each_backend() -> String {
    let entry = |Names { folder, variant, .. }| format!("{folder}: $crate::Backend::{variant}; ");
    for_each("for_each_backend", backend_names().into_iter().map(entry).collect())
}

fn for_each(name: &str, entries: String) -> String {
    format!(
        "#[doc(hidden)]\n#[macro_export]\nmacro_rules! {name} {{ ($with:ident) => {{ $with! {{ {entries}}} }} }}\n"
    )
}
