package main

import (
	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

var bls12381Base = field[fp.Element]{
	size: fp.Bytes,
	get:  func(b []byte) (fp.Element, error) { return fp.LittleEndian.Element((*[fp.Bytes]byte)(b)) },
	put:  func(b []byte, e fp.Element) { fp.LittleEndian.PutElement((*[fp.Bytes]byte)(b), e) },
}

var bls12381Scalars = field[fr.Element]{
	size: fr.Bytes,
	get:  func(b []byte) (fr.Element, error) { return fr.LittleEndian.Element((*[fr.Bytes]byte)(b)) },
	put:  func(b []byte, e fr.Element) { fr.LittleEndian.PutElement((*[fr.Bytes]byte)(b), e) },
}

var bls12381G1 = group[curve.G1Affine, curve.G1Jac, fr.Element]{
	pointSize: 2 * fp.Bytes,
	point: func(b []byte, p *curve.G1Affine) error {
		return bls12381Base.read(b, &p.X, &p.Y)
	},
	scalars:  bls12381Scalars,
	multiExp: (*curve.G1Jac).MultiExp,
	encode: func(sum *curve.G1Jac) []byte {
		var p curve.G1Affine
		p.FromJacobian(sum)
		return bls12381Base.write(p.X, p.Y)
	},
}

var bls12381G2 = group[curve.G2Affine, curve.G2Jac, fr.Element]{
	pointSize: 4 * fp.Bytes,
	point: func(b []byte, p *curve.G2Affine) error {
		return bls12381Base.read(b, &p.X.A0, &p.X.A1, &p.Y.A0, &p.Y.A1)
	},
	scalars:  bls12381Scalars,
	multiExp: (*curve.G2Jac).MultiExp,
	encode: func(sum *curve.G2Jac) []byte {
		var p curve.G2Affine
		p.FromJacobian(sum)
		return bls12381Base.write(p.X.A0, p.X.A1, p.Y.A0, p.Y.A1)
	},
}
