//! blst, called as revm calls it: one pair by a multiplication, more pairs by Pippenger's method, without points at infinity.

use crate::peers::blst::BlstGroup;
use anyhow::{Result, ensure};
use blst::*;
use bucketwheel_dynamic::precompile::Precompile;

/// Bytes of a coordinate: 16 zeros, and the field's integer.
const PADDED: usize = 64;
const FIELD_BYTES: usize = 48;
const SCALAR_BYTES: usize = 32;
const SCALAR_BITS: usize = 255;

pub fn call(precompile: Precompile, input: &[u8]) -> Result<Vec<u8>> {
    match precompile {
        Precompile::G1Add => add::<blst_p1>(input),
        Precompile::G2Add => add::<blst_p2>(input),
        Precompile::G1Msm => msm::<blst_p1>(input),
        Precompile::G2Msm => msm::<blst_p2>(input),
    }
}

/// Functions of blst over G1 and G2 that only precompiles need.
trait PrecompileGroup: BlstGroup<Affine: Default> + Default {
    const POINT_BYTES: usize;

    /// Reads big-endian coordinates, without a check.
    fn read(bytes: &[u8]) -> Self::Affine;
    fn write(&self) -> Vec<u8>;
    fn is_on_curve(point: &Self::Affine) -> bool;
    fn is_in_subgroup(point: &Self::Affine) -> bool;
    fn add(a: &Self::Affine, b: &Self::Affine) -> Self;
    fn multiply(point: &Self::Affine, scalar: &[u8; SCALAR_BYTES]) -> Self;
}

macro_rules! precompile {
    (
        $point:ident, $affine:ident, [$($coordinate:tt)*], $on_curve:ident, $in_subgroup:ident, $from_affine:ident,
        $add:ident, $multiply:ident, $to_affine:ident
    ) => {
        impl PrecompileGroup for $point {
            const POINT_BYTES: usize = PADDED * [$(stringify!($coordinate)),*].len();

            fn read(bytes: &[u8]) -> Self::Affine {
                let mut point = $affine::default();
                let mut coordinates = bytes.chunks_exact(PADDED);
                $(read_coordinate(coordinates.next().expect("a point's bytes"), &mut precompile!(@ point $coordinate));)*
                point
            }

            fn write(&self) -> Vec<u8> {
                let mut point = $affine::default();
                // SAFETY: both pointers refer to initialised points.
                unsafe { $to_affine(&mut point, self) };
                let mut bytes = vec![0; Self::POINT_BYTES];
                let mut coordinates = bytes.chunks_exact_mut(PADDED);
                $(write_coordinate(&precompile!(@ point $coordinate), coordinates.next().expect("a point's bytes"));)*
                bytes
            }

            fn is_on_curve(point: &Self::Affine) -> bool {
                // SAFETY: the pointer refers to an initialised point.
                unsafe { $on_curve(point) }
            }

            fn is_in_subgroup(point: &Self::Affine) -> bool {
                // SAFETY: the pointer refers to an initialised point.
                unsafe { $in_subgroup(point) }
            }

            fn add(a: &Self::Affine, b: &Self::Affine) -> Self {
                let (mut first, mut sum) = (Self::default(), Self::default());
                // SAFETY: all pointers refer to initialised points.
                unsafe {
                    $from_affine(&mut first, a);
                    $add(&mut sum, &first, b);
                }
                sum
            }

            fn multiply(point: &Self::Affine, scalar: &[u8; SCALAR_BYTES]) -> Self {
                let (mut base, mut product) = (Self::default(), Self::default());
                // SAFETY: all pointers refer to initialised points, and the scalar has SCALAR_BITS bits.
                unsafe {
                    $from_affine(&mut base, point);
                    $multiply(&mut product, &base, scalar.as_ptr(), SCALAR_BITS);
                }
                product
            }
        }
    };
    (@ $point:ident ($coordinate:ident $($part:literal)?)) => { $point.$coordinate$(.fp[$part])? };
}
precompile!(
    blst_p1,
    blst_p1_affine,
    [(x)(y)],
    blst_p1_affine_on_curve,
    blst_p1_affine_in_g1,
    blst_p1_from_affine,
    blst_p1_add_or_double_affine,
    blst_p1_mult,
    blst_p1_to_affine
);
precompile!(
    blst_p2,
    blst_p2_affine,
    [(x 0) (x 1) (y 0) (y 1)],
    blst_p2_affine_on_curve,
    blst_p2_affine_in_g2,
    blst_p2_from_affine,
    blst_p2_add_or_double_affine,
    blst_p2_mult,
    blst_p2_to_affine
);

fn read_coordinate(bytes: &[u8], coordinate: &mut blst_fp) {
    let bytes = &bytes[PADDED - FIELD_BYTES..];
    assert_eq!(bytes.len(), FIELD_BYTES);
    // SAFETY: blst reads FIELD_BYTES bytes (asserted).
    unsafe { blst_fp_from_bendian(coordinate, bytes.as_ptr()) };
}

fn write_coordinate(coordinate: &blst_fp, bytes: &mut [u8]) {
    let bytes = &mut bytes[PADDED - FIELD_BYTES..];
    assert_eq!(bytes.len(), FIELD_BYTES);
    // SAFETY: blst writes FIELD_BYTES bytes (asserted).
    unsafe { blst_bendian_from_fp(bytes.as_mut_ptr(), coordinate) };
}

/// Returns a scalar modulo the order, in little-endian bytes.
fn reduced(scalar: &[u8]) -> [u8; SCALAR_BYTES] {
    let mut reduced = blst_scalar::default();
    // SAFETY: blst reads all bytes of the slice. Its result says whether the scalar is 0, and 0 is a valid scalar here.
    unsafe { blst_scalar_from_be_bytes(&mut reduced, scalar.as_ptr(), scalar.len()) };
    reduced.b
}

/// Returns a point of the curve; `None` for infinity.
fn decode<G: PrecompileGroup>(bytes: &[u8]) -> Result<Option<G::Affine>> {
    if bytes.iter().all(|&byte| byte == 0) {
        return Ok(None);
    }
    let point = G::read(bytes);
    ensure!(G::is_on_curve(&point), "a point is not on the curve");
    Ok(Some(point))
}

fn add<G: PrecompileGroup>(input: &[u8]) -> Result<Vec<u8>> {
    ensure!(input.len() == 2 * G::POINT_BYTES, "two points have another length");
    let (first, second) = input.split_at(G::POINT_BYTES);
    let [first, second] = [decode::<G>(first)?.unwrap_or_default(), decode::<G>(second)?.unwrap_or_default()];
    Ok(G::add(&first, &second).write())
}

fn msm<G: PrecompileGroup>(input: &[u8]) -> Result<Vec<u8>> {
    let (mut points, mut scalars) = (Vec::new(), Vec::new());
    for pair in input.chunks(G::POINT_BYTES + SCALAR_BYTES) {
        let (point, scalar) = pair.split_at(G::POINT_BYTES);
        if let Some(point) = decode::<G>(point)? {
            ensure!(G::is_in_subgroup(&point), "a point is not in the subgroup");
            points.push(point);
            scalars.push(reduced(scalar));
        }
    }
    let sum = match (&points[..], &scalars[..]) {
        ([], _) => G::default(),
        ([point], [scalar]) => G::multiply(point, scalar),
        _ => G::msm(&points, scalars.as_flattened()),
    };
    Ok(sum.write())
}
