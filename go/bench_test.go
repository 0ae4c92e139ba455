package bucketwheel

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	bw6761 "github.com/consensys/gnark-crypto/ecc/bw6-761"
)

// BenchmarkBreakEven compares short sums of gnark-crypto and of the library. The numbers that fewest returns come from here. The ratio of the medians is gnark-crypto's time divided by the library's.
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
	for _, n := range []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024} {
		b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
			factors, scalars := make([]S, n), make([]S, n)
			for i := range n {
				for _, value := range []*S{&factors[i], &scalars[i]} {
					if _, err := PS(value).SetRandom(); err != nil {
						b.Fatal(err)
					}
				}
			}
			points := multiples(&generator, factors)
			var sum J
			var native, library []time.Duration
			timed := func(sums func(*J, []P, []S, ecc.MultiExpConfig) (*J, error)) time.Duration {
				start := time.Now()
				if _, err := sums(&sum, points, scalars, ecc.MultiExpConfig{}); err != nil {
					b.Fatal(err)
				}
				return time.Since(start)
			}
			// The libraries run in turn, so other load on the machine affects both.
			for b.Loop() {
				native = append(native, timed(func(p *J, points []P, scalars []S, config ecc.MultiExpConfig) (*J, error) {
					return PJ(p).MultiExp(points, scalars, config)
				}))
				library = append(library, timed(func(p *J, points []P, scalars []S, config ecc.MultiExpConfig) (*J, error) {
					return g.sum(context.Background(), p, points, scalars, config)
				}))
			}
			slices.Sort(native)
			slices.Sort(library)
			theirs, ours := float64(native[len(native)/2]), float64(library[len(library)/2])
			b.ReportMetric(theirs, "gnark-crypto-ns")
			b.ReportMetric(ours, "bucketwheel-ns")
			b.ReportMetric(theirs/ours, "ratio")
		})
	}
}
