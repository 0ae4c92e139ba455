//! Sample files: of read-only formats, which the formats' own tools wrote (crates/formats/tests/samples/README.md), and
//! generated files.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use bucketwheel::{Curve, CurveId, GroupId};
use bucketwheel_formats::{encode, FormatId, Section, Target};

/// A file that the format's own tool wrote, its format and its curve.
pub type Sample = (FormatId, CurveId, Vec<u8>);

/// Reads the bytes of a file in the folder of samples.
macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!("../../formats/tests/samples/", $name)).to_vec()
    };
}

/// The first points of each list of Ethereum's set-up.
pub const KZG_JSON: &[u8] = include_bytes!("../../formats/tests/samples/kzg.json");

/// Returns the lines behind a verifying key of gnark. All files of a curve have the same lines: four lists of `count`
/// lines of four coordinates.
fn lines(compressed: &[u8], (count, coordinate): (usize, usize)) -> &[u8] {
    &compressed[compressed.len() - 4 * count * 4 * coordinate..]
}

/// Returns the files of gnark-crypto, with tau 5 and four points.
pub fn gnark() -> Vec<Sample> {
    let files = [
        (
            CurveId::Bn254,
            (66, 32),
            [sample!("gnark-bn254.srs"), sample!("gnark-bn254-raw.srs"), sample!("gnark-bn254-dump.srs")],
        ),
        (
            CurveId::Bls12_381,
            (63, 48),
            [
                sample!("gnark-bls12-381.srs"),
                sample!("gnark-bls12-381-raw.srs"),
                sample!("gnark-bls12-381-dump.srs"),
            ],
        ),
        (
            CurveId::Bls12_377,
            (63, 48),
            [
                sample!("gnark-bls12-377.srs"),
                sample!("gnark-bls12-377-raw.srs"),
                sample!("gnark-bls12-377-dump.srs"),
            ],
        ),
    ];
    let samples = files.into_iter().flat_map(|(curve, sizes, [compressed, raw, dump])| {
        let lines = lines(&compressed, sizes).to_vec();
        // The verifying key has three points, with ten coordinates in total.
        let (key, behind) = dump.split_at(10 * sizes.1);
        let dump = [key, &lines, behind].concat();
        let raw = [raw, lines].concat();
        [
            (FormatId::GnarkSrsCompressed, curve, compressed),
            (FormatId::GnarkSrs, curve, raw),
            (FormatId::GnarkSrsDump, curve, dump),
        ]
    });
    samples.collect()
}

/// Returns a set-up of gnark-crypto in Lagrange form.
pub fn gnark_lagrange() -> Sample {
    let file = [&sample!("gnark-bn254-lagrange.srs"), lines(&sample!("gnark-bn254.srs"), (66, 32))].concat();
    (FormatId::GnarkSrsCompressed, CurveId::Bn254, file)
}

/// Returns the files of a ceremony of snarkjs, of power 1.
pub fn ceremonies() -> Vec<Sample> {
    vec![
        (FormatId::Challenge, CurveId::Bn254, sample!("bn254.challenge")),
        (FormatId::Response, CurveId::Bn254, sample!("bn254.response")),
        (FormatId::Challenge, CurveId::Bls12_381, sample!("bls12-381.challenge")),
        (FormatId::Response, CurveId::Bls12_381, sample!("bls12-381.response")),
    ]
}

/// Returns the parameters of halo2, with four points.
pub fn halo2() -> Vec<Sample> {
    vec![
        (FormatId::Halo2, CurveId::Bn254, sample!("halo2.params")),
        (FormatId::Halo2Processed, CurveId::Bn254, sample!("halo2-processed.params")),
    ]
}

/// Returns the keys of a circuit whose public input is the square of its private input.
pub fn arkworks() -> Vec<Sample> {
    let keys = |curve, [key, vk, compressed, compressed_vk]: [Vec<u8>; 4]| {
        [
            (FormatId::ArkworksKey, curve, key),
            (FormatId::ArkworksKey, curve, vk),
            (FormatId::ArkworksKeyCompressed, curve, compressed),
            (FormatId::ArkworksKeyCompressed, curve, compressed_vk),
        ]
    };
    let bn254 = [
        sample!("arkworks-bn254.pk"),
        sample!("arkworks-bn254.vk"),
        sample!("arkworks-bn254-compressed.pk"),
        sample!("arkworks-bn254-compressed.vk"),
    ];
    let bls12_381 = [
        sample!("arkworks-bls12-381.pk"),
        sample!("arkworks-bls12-381.vk"),
        sample!("arkworks-bls12-381-compressed.pk"),
        sample!("arkworks-bls12-381-compressed.vk"),
    ];
    [keys(CurveId::Bn254, bn254), keys(CurveId::Bls12_381, bls12_381)].concat()
}

/// Returns all files of read-only formats.
pub fn samples() -> Vec<Sample> {
    let json = vec![(FormatId::KzgJson, CurveId::Bls12_381, KZG_JSON.to_vec())];
    [json, gnark(), vec![gnark_lagrange()], ceremonies(), halo2(), arkworks()].concat()
}

/// Powers of tau of snarkjs: of power 1, and of a higher power.
pub const PTAU: [&[u8]; 2] = [
    include_bytes!("../../formats/tests/samples/bn254.ptau"),
    include_bytes!("../../formats/tests/samples/bls12-381.ptau"),
];

/// Returns the bytes of a file in any format.
pub fn file<C: Curve>(
    id: FormatId,
    curve: CurveId,
    group: GroupId,
    section: Option<Section>,
    points: &[Affine<C>],
) -> Option<Vec<u8>> {
    let format = id.format();
    let codec = format.codec(curve, group)?;
    let target = Target { curve, group, section, count: points.len() as u64 };
    let mut bytes = format.start(target).ok()?;
    bytes.extend(format.wrap(encode(&codec, points).unwrap(), codec.bytes(curve, group)).unwrap());
    Some(bytes)
}

/// Returns all curves of the formats, and their groups.
pub fn kinds() -> impl Iterator<Item = (CurveId, GroupId)> {
    CurveId::ALL
        .iter()
        .filter(|curve| curve.has_pairing())
        .flat_map(|&curve| [GroupId::G1, GroupId::G2].map(|group| (curve, group)))
}

/// Returns a few multiples of the generator: both signs, infinity, and a number of points that fits every section of
/// powers.
pub fn multiples<C: Curve>(count: usize) -> Vec<Affine<C>> {
    let multiples = [0i64, 1, -1, 2, 3, -7, 1 << 40, -(1 << 41)].into_iter().cycle().take(count);
    let multiples: Vec<_> = multiples
        .enumerate()
        .map(|(i, k)| {
            Projective::<C>::from(Affine::generator()) * C::ScalarField::from(k * (1 + i as i64 / 8))
        })
        .collect();
    Projective::normalize_batch(&multiples)
}
