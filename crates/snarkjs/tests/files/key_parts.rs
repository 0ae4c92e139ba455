//! Takes keys apart to change them, for the tests of this crate and for `torture keys`.

use std::io::Cursor;

use bucketwheel_groth16::file::{Coefficient, Points, Zkey, ZkeyHeader, ZkeyWriter};
use bucketwheel_groth16::PairingCurve;

/// A key with its parts in memory, to be changed.
pub struct Parts<E: PairingCurve> {
    pub header: ZkeyHeader<E>,
    pub ic: Vec<E::G1Affine>,
    pub coefficients: Vec<Coefficient>,
    pub a: Vec<E::G1Affine>,
    pub b1: Vec<E::G1Affine>,
    pub b2: Vec<E::G2Affine>,
    pub c: Vec<E::G1Affine>,
    pub h: Vec<E::G1Affine>,
}

impl<E: PairingCurve> Parts<E> {
    /// Takes apart a key that can be read.
    pub fn read(key: &[u8]) -> Self {
        let key = Zkey::<E>::parse(key).unwrap();
        let g1 = |points: &Points<'_, E::G1Curve>| points.iter().collect::<Vec<_>>();
        Parts {
            header: key.header.clone(),
            ic: g1(&key.ic),
            coefficients: key.coefficients.iter().collect(),
            a: g1(&key.a),
            b1: g1(&key.b1),
            b2: key.b2.iter().collect(),
            c: g1(&key.c),
            h: g1(&key.h),
        }
    }

    /// Returns the key of these parts.
    pub fn write(self) -> Vec<u8> {
        let mut writer = ZkeyWriter::<_, E>::new(Cursor::new(Vec::new()), self.header).unwrap();
        writer.ic(self.ic).unwrap();
        writer.coefficients(self.coefficients).unwrap();
        writer.a(self.a).unwrap();
        writer.b1(self.b1).unwrap();
        writer.b2(self.b2).unwrap();
        writer.c(self.c).unwrap();
        writer.h(self.h).unwrap();
        writer.finish(&[0; 64]).unwrap().into_inner()
    }
}
