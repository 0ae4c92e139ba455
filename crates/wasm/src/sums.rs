//! Sums over a group that the host names: over prepared points, and over points that are used once.

use std::borrow::Cow;

use ark_ec::short_weierstrass::Projective;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, PrimeField};
use bucketwheel::{
    Backend, Bases, BasesOptions, Cancel, Curve, Error as EngineError, Form, Infinity, Msm, PointLayout,
    Points, Scalars,
};

use crate::error::Error;
use crate::host::Ear;
use crate::objects::{self, AnyBases, Id, Object};
use crate::threads::make_room;

/// Bytes of a scalar.
const SCALAR: usize = 32;

/// Evaluates `$body` with `$curve` bound to the configuration of a group that the host names.
macro_rules! with_group {
    ($group:expr, $curve:ident => $body:expr) => {
        match $group {
            #[cfg(feature = "bn254")]
            0 => {
                type $curve = ark_bn254::g1::Config;
                $body
            }
            #[cfg(feature = "bn254")]
            1 => {
                type $curve = ark_bn254::g2::Config;
                $body
            }
            #[cfg(feature = "bls12-381")]
            2 => {
                type $curve = ark_bls12_381::g1::Config;
                $body
            }
            #[cfg(feature = "bls12-381")]
            3 => {
                type $curve = ark_bls12_381::g2::Config;
                $body
            }
            group => Err(Error::Group(group)),
        }
    };
}

/// Returns the code of the instruction set in use.
#[no_mangle]
pub extern "C" fn backend() -> u32 {
    Backend::detect().code().into()
}

/// Prepares points for sums: affine coordinates in little-endian words of 64 bits, infinity as zeros. Groups are 0 and 1 for G1 and
/// G2 of BN254, 2 and 3 for G1 and G2 of BLS12-381. `montgomery` is 0 for integers, 1 for Montgomery forms.
#[no_mangle]
pub extern "C" fn new_bases(group: u32, points: Id, montgomery: u32) -> Id {
    objects::insert(|| {
        let points = objects::copy_buffer(points)?;
        make_room(points.len());
        Ok(Object::Bases(prepare(group, &points, form(montgomery))?.into()))
    })
}

/// Returns a buffer with the sum of prepared points times scalars: affine coordinates, integers, infinity as zeros. Scalars have
/// four little-endian words of 64 bits each.
#[no_mangle]
pub extern "C" fn sum(bases: Id, scalars: Id, montgomery: u32) -> Id {
    objects::insert(|| {
        let bases = objects::bases(bases)?;
        let scalars = objects::copy_buffer(scalars)?;
        make_room(scalars.len());
        Ok(Object::Buffer(bases.sum(&scalars, form(montgomery))?))
    })
}

/// Returns a buffer with the sum of points that are used once, times integers. The buffers of points and scalars are freed.
#[no_mangle]
pub extern "C" fn sum_once(group: u32, points: Id, scalars: Id, montgomery: u32) -> Id {
    objects::insert(|| {
        let [points, scalars] = [points, scalars].map(objects::take_buffer);
        let (points, scalars) = (points?, scalars?);
        make_room(points.len() + scalars.len());
        Ok(Object::Buffer(once(group, points, &scalars, form(montgomery))?))
    })
}

/// Returns a buffer with two sums of points that are used once, times the same integers: the sum over this group, a G1, and the
/// sum over the G2 of the same curve. The buffers of points and scalars are freed.
#[no_mangle]
pub extern "C" fn sum_pair_once(group: u32, points: Id, others: Id, scalars: Id, montgomery: u32) -> Id {
    objects::insert(|| {
        let [points, others, scalars] = [points, others, scalars].map(objects::take_buffer);
        let (points, others, scalars) = (points?, others?, scalars?);
        make_room(points.len() + others.len() + scalars.len());
        Ok(Object::Buffer(pair_once(group, points, others, &scalars, form(montgomery))?))
    })
}

fn form(montgomery: u32) -> Form {
    match montgomery {
        0 => Form::Canonical,
        _ => Form::Montgomery,
    }
}

impl<C: Curve> AnyBases for Bases<C> {
    fn sum(&self, scalars: &[u8], form: Form) -> Result<Vec<u8>, Error> {
        let scalars = Scalars::<C::ScalarField>::raw(scalars, SCALAR, form)?;
        Ok(integers(run(|msm| msm.run(self, scalars))?))
    }
}

/// Runs a sum, and reports its progress to the host.
fn run<T>(sum: impl FnOnce(Msm<'_>) -> Result<T, EngineError>) -> Result<T, EngineError> {
    let cancel = Cancel::new();
    let ear = Ear::new(&cancel);
    sum(Msm::new().cancel(&cancel).progress(&ear))
}

/// Returns the integers of a point's coordinates; zeros for infinity.
fn integers<C: Curve>(point: Projective<C>) -> Vec<u8> {
    let zero = C::BaseField::ZERO;
    let (x, y) = point.into_affine().xy().unwrap_or((zero, zero));
    let coordinates = [x, y].into_iter().flat_map(|x| x.to_base_prime_field_elements().collect::<Vec<_>>());
    let words = coordinates.flat_map(|x| x.into_bigint().as_ref().to_vec());
    words.flat_map(u64::to_le_bytes).collect()
}

/// Returns the bytes of a point of a group.
fn stride<C: Curve>() -> usize {
    let bits = <C::BaseField as Field>::BasePrimeField::MODULUS_BIT_SIZE as usize;
    2 * 8 * bits.div_ceil(64) * C::BaseField::extension_degree() as usize
}

fn points<C: Curve>(bytes: &[u8], form: Form) -> Result<Points<'_, C>, EngineError> {
    Points::raw(bytes, PointLayout { stride: stride::<C>(), form, infinity: Infinity::Zeros })
}

/// Prepares points of a group.
fn prepare(group: u32, bytes: &[u8], form: Form) -> Result<Box<dyn AnyBases>, Error> {
    with_group!(group, C => Ok(Box::new(BasesOptions::new().prepare(points::<C>(bytes, form)?)?)))
}

fn once(group: u32, bytes: Vec<u8>, scalars: &[u8], form: Form) -> Result<Vec<u8>, Error> {
    with_group!(group, C => {
        let terms = Terms::new(scalars)?;
        let bases = terms.prepare::<C>(bytes, form)?;
        let sum = run(|msm| msm.run(&bases, terms.scalars::<C>()?));
        Ok(integers(sum.map_err(|error| terms.name(error))?))
    })
}

fn pair_once(group: u32, g1: Vec<u8>, g2: Vec<u8>, scalars: &[u8], form: Form) -> Result<Vec<u8>, Error> {
    match group {
        #[cfg(feature = "bn254")]
        0 => pair_in::<ark_bn254::g1::Config, ark_bn254::g2::Config>(g1, g2, scalars, form),
        #[cfg(feature = "bls12-381")]
        2 => pair_in::<ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>(g1, g2, scalars, form),
        _ => Err(Error::Group(group)),
    }
}

fn pair_in<C: Curve, D: Curve<ScalarField = C::ScalarField>>(
    g1: Vec<u8>,
    g2: Vec<u8>,
    scalars: &[u8],
    form: Form,
) -> Result<Vec<u8>, Error> {
    let terms = Terms::new(scalars)?;
    let bases = (terms.prepare::<C>(g1, form)?, terms.prepare::<D>(g2, form)?);
    let sums = run(|msm| msm.run_pair((&bases.0, &bases.1), terms.scalars::<C>()?));
    let (first, second) = sums.map_err(|error| terms.name(error))?;
    Ok([integers(first), integers(second)].concat())
}

/// Scalars of points that are used once. Points with the scalar 0 are left out before the others are prepared.
struct Terms<'a> {
    /// Number of scalars, zeros included.
    len: usize,
    /// Indices of the scalars that are not 0, if some are 0.
    indices: Option<Vec<usize>>,
    /// The scalars that are not 0.
    scalars: Cow<'a, [u8]>,
}

impl<'a> Terms<'a> {
    fn new(scalars: &'a [u8]) -> Result<Self, EngineError> {
        let (all, rest) = scalars.as_chunks::<SCALAR>();
        if !rest.is_empty() {
            return Err(EngineError::Records { bytes: scalars.len(), size: SCALAR });
        }
        let indices: Vec<_> = (0..all.len()).filter(|&i| all[i] != [0; SCALAR]).collect();
        if indices.len() == all.len() {
            return Ok(Terms { len: all.len(), indices: None, scalars: scalars.into() });
        }
        let scalars = gather(scalars, SCALAR, &indices).into();
        Ok(Terms { len: all.len(), indices: Some(indices), scalars })
    }

    fn scalars<C: Curve>(&self) -> Result<Scalars<'_, C::ScalarField>, EngineError> {
        Scalars::raw(&self.scalars, SCALAR, Form::Canonical)
    }

    /// Prepares the points of the scalars. Images of the points do not pay if few scalars are long.
    fn prepare<C: Curve>(&self, mut bytes: Vec<u8>, form: Form) -> Result<Bases<C>, EngineError> {
        let all = points::<C>(&bytes, form)?;
        if all.len() != self.len {
            return Err(EngineError::Length { points: all.len(), scalars: self.len });
        }
        if let Some(indices) = &self.indices {
            let is_left_out = |i: &usize| indices.binary_search(i).is_err();
            if let Some(index) = (0..self.len).filter(is_left_out).find(|&i| all.get(i).is_none()) {
                return Err(EngineError::CoordinateRange { index });
            }
            bytes = gather(&bytes, stride::<C>(), indices);
        }
        let (scalars, _) = self.scalars.as_chunks::<SCALAR>();
        let long = scalars.iter().filter(|scalar| scalar[SCALAR / 2..] != [0; SCALAR / 2]).count();
        let options = BasesOptions::new().endomorphism(2 * long >= scalars.len());
        options.prepare(points::<C>(&bytes, form)?).map_err(|error| self.name(error))
    }

    /// Returns an error with the index that a scalar or point has among all of them.
    fn name(&self, error: EngineError) -> EngineError {
        let index = |index| self.indices.as_ref().map_or(index, |indices| indices[index]);
        match error {
            EngineError::ScalarRange { index: i } => EngineError::ScalarRange { index: index(i) },
            EngineError::CoordinateRange { index: i } => EngineError::CoordinateRange { index: index(i) },
            error => error,
        }
    }
}

/// Returns the records of these indices.
fn gather(bytes: &[u8], stride: usize, indices: &[usize]) -> Vec<u8> {
    let mut records = Vec::with_capacity(stride * indices.len());
    for index in indices {
        records.extend_from_slice(&bytes[stride * index..][..stride]);
    }
    records
}

#[cfg(test)]
mod tests {
    use bucketwheel::GroupId;
    use bucketwheel_groth16::CURVES;

    use super::*;

    /// Returns the entries of an object of numbers, which JavaScript's source has in one line behind `start`.
    fn object(source: &str, start: &str) -> Vec<(String, usize)> {
        let (_, behind) = source.split_once(start).expect("the object");
        let (entries, _) = behind.split_once('}').expect("the end of the object");
        let entry = |entry: &str| {
            let (name, value) = entry.split_once(':').expect("a name and a value");
            (name.trim().trim_matches('\'').into(), value.trim().parse().expect("a number"))
        };
        entries.split(',').map(entry).collect()
    }

    #[test]
    fn javascript_has_the_groups_of_the_catalogue() {
        let numbers = object(include_str!("../js/engine.mjs"), "export const groups = {");
        let sizes = object(include_str!("../js/pool.mjs"), "const sizes = {");
        let groups = CURVES.iter().flat_map(|curve| [(*curve, GroupId::G1), (*curve, GroupId::G2)]);
        let mut count = 0;
        for (number, (curve, group)) in groups.enumerate() {
            let name = format!("{}.{}", curve.name(), group.name());
            let size = curve.point_bytes(group) / 2;
            assert_eq!(numbers[number], (name.clone(), number));
            assert_eq!(sizes[number], (name, size));
            let bases = prepare(number as u32, &vec![0; 2 * size], Form::Canonical).expect("a point");
            let sum = bases.sum(&[0; SCALAR], Form::Canonical).expect("a sum");
            assert_eq!(sum, vec![0; 2 * size]);
            assert_eq!(curve.scalar_bytes(), SCALAR);
            count += 1;
        }
        assert_eq!((numbers.len(), sizes.len()), (count, count));
        assert!(matches!(prepare(count as u32, &[], Form::Canonical), Err(Error::Group(_))));
    }
}
