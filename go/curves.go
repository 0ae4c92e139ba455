package bucketwheel

import (
	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	fr_bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	fr_bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	fr_bn254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	bw6761 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	fr_bw6761 "github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
)

// The groups.
var (
	BN254G1    = Group[bn254.G1Affine, fr_bn254.Element, bn254.G1Jac, *bn254.G1Jac]{curveBN254, groupG1, 1, 1}
	BN254G2    = Group[bn254.G2Affine, fr_bn254.Element, bn254.G2Jac, *bn254.G2Jac]{curveBN254, groupG2, 1, 1}
	BLS12381G1 = Group[bls12381.G1Affine, fr_bls12381.Element, bls12381.G1Jac, *bls12381.G1Jac]{curveBLS12381, groupG1, 1, 1}
	BLS12381G2 = Group[bls12381.G2Affine, fr_bls12381.Element, bls12381.G2Jac, *bls12381.G2Jac]{curveBLS12381, groupG2, 1, 1}
	BLS12377G1 = Group[bls12377.G1Affine, fr_bls12377.Element, bls12377.G1Jac, *bls12377.G1Jac]{curveBLS12377, groupG1, 1, 1}
	BLS12377G2 = Group[bls12377.G2Affine, fr_bls12377.Element, bls12377.G2Jac, *bls12377.G2Jac]{curveBLS12377, groupG2, 1, 1}
	BW6761G1   = Group[bw6761.G1Affine, fr_bw6761.Element, bw6761.G1Jac, *bw6761.G1Jac]{curveBW6761, groupG1, 32, 96}
)

// Both groups of a curve.
var (
	BN254    = Pair[bn254.G1Affine, bn254.G2Affine, fr_bn254.Element]{curveBN254}
	BLS12381 = Pair[bls12381.G1Affine, bls12381.G2Affine, fr_bls12381.Element]{curveBLS12381}
	BLS12377 = Pair[bls12377.G1Affine, bls12377.G2Affine, fr_bls12377.Element]{curveBLS12377}
)

// The scalar fields.
var (
	BN254Quotient    = Quotient[fr_bn254.Element]{curveBN254}
	BLS12381Quotient = Quotient[fr_bls12381.Element]{curveBLS12381}
	BLS12377Quotient = Quotient[fr_bls12377.Element]{curveBLS12377}
	BW6761Quotient   = Quotient[fr_bw6761.Element]{curveBW6761}
)
