package bucketwheel

import (
	"fmt"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	bw6761 "github.com/consensys/gnark-crypto/ecc/bw6-761"
)

// BenchmarkBreakEven measures short sums of gnark-crypto and of the library, whatever breakEven says: it comes from here.
func BenchmarkBreakEven(b *testing.B) {
	_, _, bn1, bn2 := bn254.Generators()
	benchmarkGroup(b, "BN254G1", BN254G1, bn254.BatchScalarMultiplicationG1, bn1)
	benchmarkGroup(b, "BN254G2", BN254G2, bn254.BatchScalarMultiplicationG2, bn2)
	_, _, b381, b381g2 := bls12381.Generators()
	benchmarkGroup(b, "BLS12381G1", BLS12381G1, bls12381.BatchScalarMultiplicationG1, b381)
	benchmarkGroup(b, "BLS12381G2", BLS12381G2, bls12381.BatchScalarMultiplicationG2, b381g2)
	_, _, b377, b377g2 := bls12377.Generators()
	benchmarkGroup(b, "BLS12377G1", BLS12377G1, bls12377.BatchScalarMultiplicationG1, b377)
	benchmarkGroup(b, "BLS12377G2", BLS12377G2, bls12377.BatchScalarMultiplicationG2, b377g2)
	_, _, bw, _ := bw6761.Generators()
	benchmarkGroup(b, "BW6761G1", BW6761G1, bw6761.BatchScalarMultiplicationG1, bw)
}

func benchmarkGroup[P, S, J any, PJ Jacobian[J, P, S], PS testScalar[S]](b *testing.B, name string, g Group[P, S, J, PJ], multiples func(*P, []S) []P, generator P) {
	g.breakEven = 0
	for log := range 11 {
		n := 1 << log
		points, scalars := somePoints[P, S, PS](b, n, multiples, generator), make([]S, n)
		for i := range scalars {
			if _, err := PS(&scalars[i]).SetRandom(); err != nil {
				b.Fatal(err)
			}
		}
		var sum J
		b.Run(fmt.Sprintf("%s/%d/gnark-crypto", name, n), func(b *testing.B) {
			for b.Loop() {
				if _, err := PJ(&sum).MultiExp(points, scalars, ecc.MultiExpConfig{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%s/%d/bucketwheel", name, n), func(b *testing.B) {
			for b.Loop() {
				if _, err := g.MultiExp(&sum, points, scalars, ecc.MultiExpConfig{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
