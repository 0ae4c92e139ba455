//! Numbers and points in snarkjs' JSON.

use ark_ec::short_weierstrass::Affine;
use ark_ec::{AdditiveGroup, AffineRepr};
use ark_ff::{Field, PrimeField};
use bucketwheel::Curve;
use num_bigint::BigUint;
use serde::Serialize;

use super::points::check_point;
use super::{FileError, Object, Value};

/// Expected form of numbers and points, for errors.
pub const NUMBER: &str = "a decimal integer as a string";
pub const PAIR: &str = "a list of two decimal integers as strings";
pub const POINT: &str = "a list of three coordinates";

/// A coordinate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Coordinate {
    /// An element of a prime field.
    Prime(String),
    /// An element of its quadratic extension.
    Extension([String; 2]),
}

impl Coordinate {
    fn new<F: Field>(element: &F) -> Self {
        let mut coefficients = element.to_base_prime_field_elements().map(|element| element.to_string());
        match (coefficients.next(), coefficients.next()) {
            (Some(c0), Some(c1)) => Coordinate::Extension([c0, c1]),
            (c0, _) => Coordinate::Prime(c0.unwrap_or_default()),
        }
    }

    /// Reads a coordinate of a field of this degree, 1 or 2.
    pub fn read(value: Value<'_>, degree: usize, what: &str) -> Result<Self, FileError> {
        match degree {
            1 => Ok(Coordinate::Prime(read_number(value, what)?)),
            _ => Ok(Coordinate::Extension(read_list(value, what, PAIR, |value, what| {
                read_number(value, what)
            })?)),
        }
    }

    fn decode<F: Field>(&self, what: &str) -> Result<F, FileError> {
        let refuse = || FileError::Decimal { what: what.into() };
        let decode = |text: &String| decimal::<F::BasePrimeField>(text).ok_or_else(refuse);
        let coefficients = match self {
            Coordinate::Prime(element) => vec![decode(element)?],
            Coordinate::Extension([c0, c1]) => vec![decode(c0)?, decode(c1)?],
        };
        Ok(F::from_base_prime_field_elems(coefficients).expect("the reader counted the coefficients"))
    }
}

/// Returns a number that is a string.
pub fn read_number(value: Value<'_>, what: &str) -> Result<String, FileError> {
    Ok(value.string(|| what.into(), NUMBER)?.into_owned())
}

/// Returns a list of this number of values.
pub fn read_list<T, const N: usize>(
    value: Value<'_>,
    what: &str,
    expected: &'static str,
    read: impl Fn(Value<'_>, &str) -> Result<T, FileError>,
) -> Result<[T; N], FileError> {
    let elements = value.elements().ok_or_else(|| value.refuse(what, expected))?;
    let found = elements.len();
    let read = |(i, value)| read(value, &format!("{what}[{i}]"));
    let read: Vec<T> = (0..).zip(elements).take(N + 1).map(read).collect::<Result<_, _>>()?;
    let short = |_| FileError::Json { expected, reason: format!("{what} is a list of {found}") };
    read.try_into().map_err(short)
}

/// Returns the element of a canonical decimal.
pub fn decimal<F: PrimeField>(text: &str) -> Option<F> {
    // The decimal may be no longer than the modulus, because parsing takes quadratic time.
    let canonical = text.len() <= F::MODULUS_BIT_SIZE as usize / 3 + 1
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    let integer = if canonical { BigUint::parse_bytes(text.as_bytes(), 10) } else { None };
    integer.and_then(|integer| F::BigInt::try_from(integer).ok()).and_then(F::from_bigint)
}

/// Returns the element of hexadecimal digits, with or without leading zeros.
pub fn hexadecimal<F: PrimeField>(digits: &str) -> Option<F> {
    let digits_fit = digits.len() <= F::MODULUS_BIT_SIZE.div_ceil(8) as usize * 2;
    let canonical = digits_fit && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let integer = if canonical { BigUint::parse_bytes(digits.as_bytes(), 16) } else { None };
    integer.and_then(|integer| F::BigInt::try_from(integer).ok()).and_then(F::from_bigint)
}

/// A point: x, y and z.
pub type Point = [Coordinate; 3];

pub fn encode_point<C: Curve>(point: &Affine<C>) -> Point {
    let (zero, one) = (C::BaseField::ZERO, C::BaseField::ONE);
    let [x, y, z] = point.xy().map_or([zero, one, zero], |(x, y)| [x, y, one]);
    [Coordinate::new(&x), Coordinate::new(&y), Coordinate::new(&z)]
}

/// Reads the point with this name, over a field of this degree.
pub fn read_point(
    object: &Object<'_>,
    name: &str,
    degree: usize,
    expected: &'static str,
) -> Result<Point, FileError> {
    read_list(object.get(name, expected)?, name, POINT, |value, what| Coordinate::read(value, degree, what))
}

pub fn decode_point<C: Curve>(point: &Point, what: &str) -> Result<Affine<C>, FileError> {
    let coordinate = |i: usize| point[i].decode::<C::BaseField>(what);
    let (x, y, z) = (coordinate(0)?, coordinate(1)?, coordinate(2)?);
    let (zero, one) = (C::BaseField::ZERO, C::BaseField::ONE);
    if [x, y, z] == [zero, one, zero] {
        return Ok(Affine::identity());
    }
    if z != one {
        return Err(FileError::Point { what: what.into(), expected: "affine, with third coordinate 1" });
    }
    let point = Affine::new_unchecked(x, y);
    check_point(&point, || what.into())?;
    Ok(point)
}

/// Reads a secret of a verifying key. If a secret is infinity, proofs of everything hold.
pub fn decode_secret<C: Curve>(point: &Point, what: &str) -> Result<Affine<C>, FileError> {
    let point = decode_point(point, what)?;
    match point.is_zero() {
        false => Ok(point),
        true => {
            Err(FileError::Point { what: what.into(), expected: "a secret's point, which is never infinity" })
        }
    }
}
