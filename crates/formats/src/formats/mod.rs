//! The formats, one file each, all of the same shape: the place of the points, and the encoding of one point. `format`
//! has the shared code, `id` the names.

mod arkworks;
mod arkworks_key;
mod basis;
mod bucketwheel;
mod challenge;
mod detect;
mod eip2537;
mod format;
mod gnark;
mod gnark_srs;
mod halo2;
mod id;
mod kzg;
mod kzg_json;
mod layout;
mod ptau;
mod zcash;

pub use detect::detect;
pub use format::{Body, Format, Target, Wanted};
pub use id::{FormatId, Section};

impl FormatId {
    /// Returns the format.
    ///
    /// The [example](crate) uses it.
    pub fn format(self) -> &'static dyn Format {
        match self {
            FormatId::Bucketwheel => &bucketwheel::Bucketwheel,
            FormatId::Arkworks => &arkworks::Arkworks { compressed: false },
            FormatId::ArkworksCompressed => &arkworks::Arkworks { compressed: true },
            FormatId::Zcash => &zcash::Zcash { compressed: false },
            FormatId::ZcashCompressed => &zcash::Zcash { compressed: true },
            FormatId::Gnark => &gnark::Gnark { compressed: false },
            FormatId::GnarkCompressed => &gnark::Gnark { compressed: true },
            FormatId::Ptau => &ptau::Ptau,
            FormatId::Kzg => &kzg::Kzg,
            FormatId::Eip2537 => &eip2537::Eip2537,
            FormatId::KzgJson => &kzg_json::KzgJson,
            FormatId::GnarkSrs => &gnark_srs::GnarkSrs::Raw,
            FormatId::GnarkSrsCompressed => &gnark_srs::GnarkSrs::Compressed,
            FormatId::GnarkSrsDump => &gnark_srs::GnarkSrs::Dump,
            FormatId::Challenge => &challenge::Challenge { response: false },
            FormatId::Response => &challenge::Challenge { response: true },
            FormatId::Halo2 => &halo2::Halo2 { processed: false },
            FormatId::Halo2Processed => &halo2::Halo2 { processed: true },
            FormatId::ArkworksKey => &arkworks_key::ArkworksKey { compressed: false },
            FormatId::ArkworksKeyCompressed => &arkworks_key::ArkworksKey { compressed: true },
        }
    }
}
