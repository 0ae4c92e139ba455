//! A prover with a key and a statement, in its two forms.

use bucketwheel_ark::Prepared;

/// A prover on arkworks' types and on ours, with the same key, statement and randomness.
pub trait Case: Sync {
    /// Makes a proof with arkworks' sums; returns its bytes.
    fn original(&self) -> Vec<u8>;

    /// Computes, by arkworks, sums over the points of `original`, with the same number of terms.
    fn sums(&self);

    /// Makes the same proof with our sums.
    fn ours(&self) -> Vec<u8>;

    /// Prepares the points that all proofs use.
    fn prepare(&self) -> Prepared<'_>;

    /// Returns true if the verifier, on our types, accepts this proof.
    fn verifies(&self, proof: &[u8]) -> bool;
}
