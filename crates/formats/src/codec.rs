//! The encoding of one point.

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use ark_ff::{Field, PrimeField, Zero};
use bucketwheel::{CoordinateField, Curve, CurveId, GroupId};

use crate::element::Elements;
use crate::error::PointError;

/// Flag bits above the integers, in the most significant byte of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagBits {
    /// No flags. The point at infinity is all zeros, which is no point of these curves.
    None,
    /// Two flags: y is the larger of its two values (also if y is stored); infinity.
    Arkworks,
    /// Three flags: compressed; infinity; y is the larger of its two values, for compressed points only.
    Zcash,
    /// Two flags, for a field that leaves no third bit: 10 is a compressed point with the smaller y, 11 a compressed
    /// point with the larger y, 01 compressed infinity, and 00 an uncompressed point. Uncompressed infinity is zeros.
    GnarkTwo,
    /// Two flags of the crate `pairing` for these fields: y is the larger of its two values, for compressed points
    /// only; infinity.
    PairingTwo,
    /// Two flags, for compressed points only: infinity; y is odd. Uncompressed infinity is zeros.
    Halo2,
}

impl FlagBits {
    /// Returns the mask of the flags in their byte.
    fn mask(self) -> u8 {
        match self {
            FlagBits::None => 0,
            FlagBits::Arkworks | FlagBits::GnarkTwo | FlagBits::PairingTwo | FlagBits::Halo2 => 0b1100_0000,
            FlagBits::Zcash => 0b1110_0000,
        }
    }

    /// Returns the flag that distinguishes y from -y.
    pub(crate) fn sign<F: CoordinateField>(self, y: &F) -> bool {
        match self {
            FlagBits::Halo2 => F::as_words(&y.to_integers()).first().is_some_and(|word| word & 1 == 1),
            _ => is_larger(y),
        }
    }
}

/// Encoding of a point: x, then y unless compressed, with flags in the most significant byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codec {
    /// The coordinates.
    pub elements: Elements,
    /// The flags.
    pub flags: FlagBits,
    /// True if only a flag of y is stored.
    pub compressed: bool,
}

/// A point as far as its bytes tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoded<F> {
    /// The point at infinity.
    Infinity,
    /// Both coordinates, which may not satisfy the curve's equation.
    Point(F, F),
    /// x, and the flag that distinguishes y from -y: by default true for the larger y. There may be no y.
    Compressed(F, bool),
}

/// Meaning of a point's flags.
enum Flags {
    Infinity,
    Finite {
        /// True if y is the larger of its two values; `None` if the flags do not say.
        larger: Option<bool>,
    },
}

/// Returns true if y is larger than -y, as integers. Elements of an extension compare the coefficient of u first.
fn is_larger<F: CoordinateField>(y: &F) -> bool {
    let integers = y.to_integers();
    let words = F::as_words(&integers);
    let mut coefficients = words.chunks(words.len() / F::extension_degree() as usize).rev();
    let half = F::BasePrimeField::MODULUS_MINUS_ONE_DIV_TWO;
    let nonzero = coefficients.find(|words| words.iter().any(|&word| word != 0));
    nonzero.is_some_and(|words| words.iter().rev().gt(half.as_ref().iter().rev()))
}

impl Codec {
    /// Returns the bytes of a point. The [example](crate::Elements) uses it.
    pub fn point_bytes<C: Curve>(&self) -> usize {
        let coordinates = if self.compressed { 1 } else { 2 };
        self.elements.element_bytes::<C::BaseField>().saturating_mul(coordinates)
    }

    /// Returns the bytes of a point of a group that is known at run time, as [`point_bytes`](Self::point_bytes) does for a type.
    ///
    /// The [example](crate) uses it.
    pub fn bytes(&self, curve: CurveId, group: GroupId) -> usize {
        let coordinates = if self.compressed { 1 } else { 2 };
        self.elements.bytes.saturating_mul(curve.coefficients(group) * coordinates)
    }

    /// Reads one point of [`point_bytes`](Self::point_bytes) bytes. `inverse` undoes the factor of the elements.
    pub(crate) fn read<C: Curve>(
        &self,
        bytes: &[u8],
        inverse: Option<<C::BaseField as Field>::BasePrimeField>,
    ) -> Result<Encoded<C::BaseField>, PointError> {
        let mask = self.flags.mask();
        let top = if self.elements.big_endian { 0 } else { bytes.len() - 1 };
        let larger = match self.read_flags(bytes[top] & mask)? {
            Flags::Infinity => {
                let zero = |(i, &byte): (usize, &u8)| byte & if i == top { !mask } else { 0xff } == 0;
                let zeros = bytes.iter().enumerate().all(zero);
                return if zeros { Ok(Encoded::Infinity) } else { Err(PointError::Infinity) };
            }
            Flags::Finite { larger } => larger,
        };
        let (x, y) = bytes.split_at(self.elements.element_bytes::<C::BaseField>());
        let x_has_flags = self.elements.big_endian || self.compressed;
        let read = |bytes: &[u8], flags: bool| {
            let element = self.elements.read(bytes, if flags { mask } else { 0 }, inverse);
            element.ok_or(PointError::Coordinate)
        };
        let x: C::BaseField = read(x, x_has_flags)?;
        if self.compressed {
            return Ok(Encoded::Compressed(x, larger == Some(true)));
        }
        let y_bytes = y;
        let y: C::BaseField = read(y_bytes, !x_has_flags)?;
        if y.is_zero() && x.is_zero() {
            // In arkworks, (0, 0) is the point at infinity. With flags, (0, 0) is a point that is on no curve.
            return if self.zero_is_infinity() { Ok(Encoded::Infinity) } else { Err(PointError::NotOnCurve) };
        }
        let is_larger =
            || self.elements.is_larger::<C::BaseField>(y_bytes, if x_has_flags { 0 } else { mask });
        if larger.is_some_and(|larger| larger != is_larger()) {
            return Err(PointError::Flags);
        }
        Ok(Encoded::Point(x, y))
    }

    /// Appends a point. `factor` is the factor of the elements.
    pub(crate) fn write<C: Curve>(
        &self,
        point: &Affine<C>,
        factor: Option<<C::BaseField as Field>::BasePrimeField>,
        out: &mut Vec<u8>,
    ) {
        let start = out.len();
        let zero = C::BaseField::zero();
        let (x, y) = point.xy().unwrap_or((zero, zero));
        self.elements.write(&x, factor, out);
        if !self.compressed {
            self.elements.write(&y, factor, out);
        }
        let top = if self.elements.big_endian { start } else { out.len() - 1 };
        out[top] |= self.write_flags(point.is_zero(), || self.flags.sign(&y));
    }

    fn zero_is_infinity(&self) -> bool {
        let unflagged = [FlagBits::GnarkTwo, FlagBits::Halo2].contains(&self.flags) && !self.compressed;
        self.flags == FlagBits::None || unflagged
    }

    fn read_flags(&self, bits: u8) -> Result<Flags, PointError> {
        let finite = |larger| Ok(Flags::Finite { larger });
        match (self.flags, self.compressed, bits >> 5) {
            (FlagBits::None, ..) | (FlagBits::GnarkTwo | FlagBits::Halo2, false, 0b000) => finite(None),
            (FlagBits::Arkworks, _, 0b010) | (FlagBits::GnarkTwo, true, 0b010) => Ok(Flags::Infinity),
            (FlagBits::PairingTwo, _, 0b010) | (FlagBits::Halo2, true, 0b100) => Ok(Flags::Infinity),
            (FlagBits::PairingTwo, false, 0b000) => finite(None),
            (FlagBits::PairingTwo | FlagBits::Halo2, true, 0b000) => finite(Some(false)),
            (FlagBits::PairingTwo, true, 0b100) | (FlagBits::Halo2, true, 0b010) => finite(Some(true)),
            (FlagBits::Arkworks, _, 0b000) | (FlagBits::GnarkTwo, true, 0b100) => finite(Some(false)),
            (FlagBits::Arkworks, _, 0b100) | (FlagBits::GnarkTwo, true, 0b110) => finite(Some(true)),
            (FlagBits::Zcash, false, 0b000) => finite(None),
            (FlagBits::Zcash, false, 0b010) | (FlagBits::Zcash, true, 0b110) => Ok(Flags::Infinity),
            (FlagBits::Zcash, true, 0b100) => finite(Some(false)),
            (FlagBits::Zcash, true, 0b101) => finite(Some(true)),
            (FlagBits::Zcash, compressed, bits) if (bits & 0b100 != 0) != compressed => {
                Err(PointError::Compression { expected: compressed })
            }
            _ => Err(PointError::Flags),
        }
    }

    fn write_flags(&self, infinity: bool, larger: impl FnOnce() -> bool) -> u8 {
        let bits = match (self.flags, self.compressed) {
            (FlagBits::None, _) | (FlagBits::GnarkTwo | FlagBits::Halo2, false) => 0,
            (FlagBits::PairingTwo, _) if infinity => 0b010,
            (FlagBits::PairingTwo, compressed) => u8::from(compressed && larger()) << 2,
            (FlagBits::Halo2, true) if infinity => 0b100,
            (FlagBits::Halo2, true) => u8::from(larger()) << 1,
            (FlagBits::Arkworks, _) | (FlagBits::GnarkTwo, true) if infinity => 0b010,
            (FlagBits::Arkworks, _) => u8::from(larger()) << 2,
            (FlagBits::GnarkTwo, true) => 0b100 | u8::from(larger()) << 1,
            (FlagBits::Zcash, compressed) if infinity => u8::from(compressed) << 2 | 0b010,
            (FlagBits::Zcash, false) => 0,
            (FlagBits::Zcash, true) => 0b100 | u8::from(larger()),
        };
        bits << 5
    }
}
