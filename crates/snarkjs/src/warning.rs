//! Warnings about a file that is readable nevertheless.

/// A fault of a file that does not change its content, and that the file's owner should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileWarning {
    /// The file ends behind a section, before all sections that it declares.
    #[error("the file declares {declared} sections and ends after {found}: every section that is needed is whole; if the file was downloaded, compare its digest")]
    FewerSections {
        /// Number of sections in the container's header.
        declared: u32,
        /// Number of sections in the file.
        found: u32,
    },
    /// The key's delta is the generator.
    #[error("delta is the generator: nobody has contributed to this key, and everybody can forge proofs; contribute to it, or get the key of the ceremony's end")]
    NoContribution,
}
