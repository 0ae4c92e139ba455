// Package bucketwheel computes multi-scalar multiplications, sums of scalars times points, over the types of gnark-crypto.
//
// Each group of a curve is a variable: [BN254G1], [BN254G2], [BLS12381G1] and so on. Its MultiExp takes the arguments and returns
// the errors of gnark-crypto's method of that name:
//
//	var sum bn254.G1Jac
//	_, err := bucketwheel.BN254G1.MultiExp(&sum, points, scalars, ecc.MultiExpConfig{})
//
// The library reads points and scalars where they lie; nothing is copied into C's memory, and no pointer stays there after a call.
// Prepare converts points once for many sums. Sums of few points are gnark-crypto's own, because they are faster there.
//
// Points must be in the prime-order subgroup, as gnark-crypto's decoders check by default. [Options] has a check.
//
// docs/go.md has programs, and says how to build the library.
package bucketwheel
