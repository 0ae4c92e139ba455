//! The facts about an instruction set that the generator needs.

use super::primes::Prime;

/// An instruction set of the lanes. The defaults are for lanes in words without assembly.
pub trait InstructionSet: Sync {
    fn names(&self) -> Names;

    /// Returns the arguments of the folder's `visit` behind the number of words, or `None` if the prime has no lanes here.
    fn lanes(&self, _prime: &Prime) -> Option<String> {
        Some(String::new())
    }

    /// Returns true if builds with this set have no lanes in words of the primes that this set takes.
    fn replaces_words(&self) -> bool {
        false
    }

    /// Returns the code of a prime's numbers in digits of this set's own.
    fn numbers(&self, _prime: &Prime) -> String {
        String::new()
    }

    /// Returns code that primes have in common.
    fn common_numbers(&self) -> String {
        String::new()
    }

    /// Returns the kernels: the name and the content of a file. A library is for the builds of the set alone.
    fn kernels(&self) -> Option<(&'static str, Vec<u8>)> {
        None
    }
}

/// Names of an instruction set.
pub struct Names {
    /// The variant of `Backend`.
    pub variant: &'static str,
    /// The folder in `src`, and the name on the command line.
    pub folder: &'static str,
    /// The code in files. No other instruction set ever gets it.
    pub code: u8,
    /// The documentation of the variant.
    pub about: &'static str,
    /// The builds that have the folder, as a predicate of `cfg`.
    pub builds: &'static str,
}
