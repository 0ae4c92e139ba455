//! Primes in 64-bit words, and the instruction set of any CPU.

use num_bigint::BigUint;

use super::instruction_set::{InstructionSet, Names};
use super::primes::{digits, list, Prime, Radix};

pub struct Portable;

impl InstructionSet for Portable {
    fn names(&self) -> Names {
        Names {
            variant: "Portable",
            folder: "portable",
            code: 0,
            about: "64-bit words, for any CPU; four lanes.",
            builds: "all()",
        }
    }
}

/// Returns the prime's numbers in words.
pub fn numbers(prime: &Prime) -> String {
    let words = prime.limbs();
    format!(
        "impl Words64<{words}> for {} {{ const TABLE: &'static WordTable<{words}> = &{}; }}\n",
        prime.name,
        word_table(prime)
    )
}

fn word_table(prime: &Prime) -> String {
    let n = prime.limbs();
    let limbs = |x: &BigUint| list(&digits(x, Radix { width: 64, digits: n, terms: 1 }));
    let bound = prime.modulus() << usize::from(prime.bits() + 2 <= 64 * n);
    format!(
        "WordTable {{ modulus: {}, n0: {}, bound: {}, one: {}, r_squared: {}, r_cubed: {}, beta: {} }}",
        limbs(&prime.modulus()),
        prime.negated_inverse(64),
        limbs(&bound),
        limbs(&prime.power_of_two(64 * n)),
        limbs(&prime.power_of_two(128 * n)),
        limbs(&prime.power_of_two(192 * n)),
        prime.beta,
    )
}
