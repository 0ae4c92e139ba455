//! Faults that prove that a key does not come from a set-up.

use crate::Section;

/// A fault that proves that a key does not come from a set-up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyFault {
    /// A point is infinity where set-ups have none.
    #[error("{point} is the point at infinity: expected another point; such a key hides no witness or proves nothing, get it from a source you trust")]
    Infinity {
        /// Name of the point.
        point: String,
    },
    /// Points in G1 and in G2 stand for different scalars.
    #[error("{what} in G1 and in G2 stand for different secrets: expected the same ones; the key is damaged or not to be trusted")]
    Groups {
        /// Name of the points.
        what: &'static str,
    },
    /// A count differs from the circuit's.
    #[error("the key has {found} {what}: expected {expected}, as the circuit has; was it made for another circuit?")]
    Count {
        /// Name of the count.
        what: &'static str,
        /// Number in the key.
        found: usize,
        /// Number in the circuit.
        expected: usize,
    },
    /// A secret of the key differs from the ceremony's.
    #[error("{point} differs from the {point} of the powers of tau: expected the same point; was the key made with another .ptau?")]
    Secret {
        /// Name of the point.
        point: &'static str,
    },
    /// A section does not follow from the circuit and the powers of tau.
    #[error("{section} does not follow from the circuit and the powers of tau: expected the points that they make; was the key made for another circuit, or with another .ptau?")]
    Section {
        /// The section.
        section: Section,
    },
    /// A section of a `.ptau` does not have the powers of one secret.
    #[error("{section} does not have the powers of one tau: expected a ceremony's; the file is damaged or not to be trusted")]
    Powers {
        /// The section.
        section: Section,
    },
    /// The `.ptau` has too few powers of tau.
    #[error("the file has the powers for domains of 2^{found}: expected at least 2^{expected}, the key's domain; get a larger one")]
    Power {
        /// Logarithm of the largest domain of the `.ptau`.
        found: u32,
        /// Logarithm of the key's domain.
        expected: u32,
    },
}
