//! Names and codes of formats and of sections.

use crate::named::named;

named! {
    /// A format of points files.
    FormatId:
    /// Our own format: a header, then little-endian integers
    Bucketwheel = 1 => "bucketwheel",
    /// Output of arkworks' `serialize_uncompressed` for a `Vec` of affine points
    Arkworks = 2 => "arkworks",
    /// Output of arkworks' `serialize_compressed` for a `Vec` of affine points
    ArkworksCompressed = 3 => "arkworks-compressed",
    /// Zcash's and IETF's encoding of BLS12-381, point after point
    Zcash = 4 => "zcash",
    /// Zcash's and IETF's encoding of compressed points of BLS12-381, point after point
    ZcashCompressed = 5 => "zcash-compressed",
    /// Output of gnark-crypto's `Encoder` for a slice of points with `RawEncoding`
    Gnark = 6 => "gnark",
    /// Output of gnark-crypto's `Encoder` for a slice of points, compressed by default
    GnarkCompressed = 7 => "gnark-compressed",
    /// A section of snarkjs's powers of tau
    Ptau = 8 => "ptau",
    /// A section of the text of Ethereum's KZG set-up
    Kzg = 9 => "kzg",
    /// Ethereum's precompiles, point after point
    Eip2537 = 10 => "eip2537",
    /// A section of Ethereum's KZG set-up as JSON; read only
    KzgJson = 11 => "kzg-json",
    /// A whole KZG SRS of gnark-crypto, by `WriteRawTo`; read only
    GnarkSrs = 12 => "gnark-srs",
    /// A whole KZG SRS of gnark-crypto, compressed, by `WriteTo`; read only
    GnarkSrsCompressed = 13 => "gnark-srs-compressed",
    /// A whole KZG SRS of gnark-crypto, from memory, by `WriteDump`; read only
    GnarkSrsDump = 14 => "gnark-srs-dump",
    /// A challenge of a ceremony for powers of tau; read only
    Challenge = 15 => "challenge",
    /// A response in a ceremony for powers of tau; read only
    Response = 16 => "response",
    /// Parameters of halo2's KZG commitments with raw bytes; read only
    Halo2 = 17 => "halo2",
    /// Parameters of halo2's KZG commitments, processed to compressed points; read only
    Halo2Processed = 18 => "halo2-processed",
    /// A proving or verifying key of Groth16 by arkworks; read only
    ArkworksKey = 19 => "arkworks-key",
    /// A compressed proving or verifying key of Groth16 by arkworks; read only
    ArkworksKeyCompressed = 20 => "arkworks-key-compressed"
}

named! {
    /// A section of a file that has several.
    Section:
    /// ptau: tau^i G1
    TauG1 = 2 => "tauG1",
    /// ptau: tau^i G2
    TauG2 = 3 => "tauG2",
    /// ptau: alpha tau^i G1
    AlphaTauG1 = 4 => "alphaTauG1",
    /// ptau: beta tau^i G1
    BetaTauG1 = 5 => "betaTauG1",
    /// ptau: beta G2
    BetaG2 = 6 => "betaG2",
    /// response, gnark-srs: the points of a key in G1
    KeyG1 = 7 => "keyG1",
    /// response: the points of a key in G2
    KeyG2 = 8 => "keyG2",
    /// kzg: Lagrange polynomials at tau in G1
    G1Lagrange = 16 => "g1-lagrange",
    /// kzg: powers of tau in G2
    G2Monomial = 17 => "g2-monomial",
    /// kzg: powers of tau in G1
    G1Monomial = 18 => "g1-monomial",
    /// arkworks-key: alpha in G1
    AlphaG1 = 32 => "alpha-g1",
    /// arkworks-key: beta, gamma and delta in G2
    BetaGammaDeltaG2 = 33 => "beta-gamma-delta-g2",
    /// arkworks-key: a point for the constant and each public input
    GammaAbcG1 = 34 => "gamma-abc-g1",
    /// arkworks-key: beta and delta in G1
    BetaDeltaG1 = 35 => "beta-delta-g1",
    /// arkworks-key: the query a
    AQuery = 36 => "a-query",
    /// arkworks-key: the query b in G1
    BG1Query = 37 => "b-g1-query",
    /// arkworks-key: the query b in G2
    BG2Query = 38 => "b-g2-query",
    /// arkworks-key: the query h
    HQuery = 39 => "h-query",
    /// arkworks-key: the query l
    LQuery = 40 => "l-query"
}

impl FormatId {
    /// The formats that are written. All other formats are read only.
    pub const WRITTEN: &'static [FormatId] = &[
        FormatId::Bucketwheel,
        FormatId::Arkworks,
        FormatId::ArkworksCompressed,
        FormatId::Zcash,
        FormatId::ZcashCompressed,
        FormatId::Gnark,
        FormatId::GnarkCompressed,
        FormatId::Ptau,
        FormatId::Kzg,
        FormatId::Eip2537,
    ];
}
