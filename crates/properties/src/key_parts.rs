//! Proving keys, taken apart to be changed.

use std::io::Cursor;

use bucketwheel_groth16::file::{Coefficient, Points, Zkey, ZkeyHeader, ZkeyWriter};
use bucketwheel_groth16::PairingCurve;

/// A key with its parts in memory, to be changed.
pub struct Parts<E: PairingCurve> {
    /// The header.
    pub header: ZkeyHeader<E>,
    /// Points of the public signals.
    pub ic: Vec<E::G1Affine>,
    /// Entries of the matrices A and B.
    pub coefficients: Vec<Coefficient>,
    /// Points A.
    pub a: Vec<E::G1Affine>,
    /// Points B in the first group.
    pub b1: Vec<E::G1Affine>,
    /// Points B in the second group.
    pub b2: Vec<E::G2Affine>,
    /// Points C.
    pub c: Vec<E::G1Affine>,
    /// Points H.
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
