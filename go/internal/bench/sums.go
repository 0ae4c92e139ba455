package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	bw6761 "github.com/consensys/gnark-crypto/ecc/bw6-761"

	"bucketwheel"
)

// sums compares the sums of a group at these sizes and returns a cell for each.
type sums func(sizes []int, rounds int) []string

// groups are the groups of multiexp, in the order of the table.
func groups() (names []string, compare map[string]sums) {
	compare = make(map[string]sums)
	add := func(name string, sums sums) {
		names = append(names, name)
		compare[name] = sums
	}
	_, _, bn1, bn2 := bn254.Generators()
	add("bn254-g1", sumsOf(bucketwheel.BN254G1, bn1))
	add("bn254-g2", sumsOf(bucketwheel.BN254G2, bn2))
	_, _, bls1, bls2 := bls12381.Generators()
	add("bls12-381-g1", sumsOf(bucketwheel.BLS12381G1, bls1))
	add("bls12-381-g2", sumsOf(bucketwheel.BLS12381G2, bls2))
	_, _, inner1, inner2 := bls12377.Generators()
	add("bls12-377-g1", sumsOf(bucketwheel.BLS12377G1, inner1))
	add("bls12-377-g2", sumsOf(bucketwheel.BLS12377G2, inner2))
	_, _, outer1, _ := bw6761.Generators()
	add("bw6-761-g1", sumsOf(bucketwheel.BW6761G1, outer1))
	return names, compare
}

func groupNames() []string {
	names, _ := groups()
	return names
}

// tabulateSums prints a line for each group: gnark-crypto's time and the library's, and their ratio, then the ratio with prepared points.
func tabulateSums(sizes []int, names []string, rounds int) {
	fmt.Printf("%d CPUs: milliseconds of gnark-crypto, milliseconds of bucketwheel, ratio (ratio with prepared points)\n| group |", runtime.NumCPU())
	for _, size := range sizes {
		fmt.Printf(" 2^%d |", size)
	}
	fmt.Printf("\n|---|%s\n", strings.Repeat("---|", len(sizes)))
	_, compare := groups()
	for _, name := range names {
		sums, ok := compare[name]
		if !ok {
			fail(fmt.Errorf("no group %s: expected %s", name, strings.Join(groupNames(), ", ")))
		}
		fmt.Printf("| %s | %s |\n", name, strings.Join(sums(sizes, rounds), " | "))
	}
}

// longest is the time after which a size has no more rounds.
const longest = time.Second

func sumsOf[P, S, J any, PJ interface {
	bucketwheel.Jacobian[J, P, S]
	AddMixed(*P) *J
}, PP interface {
	*P
	FromJacobian(*J) *P
}, PS interface {
	*S
	MustSetRandom() *S
}](group bucketwheel.Group[P, S, J, PJ], generator P) sums {
	return func(sizes []int, rounds int) (cells []string) {
		most := 0
		for _, size := range sizes {
			most = max(most, 1<<size)
		}
		// Multiples of the generator in sequence.
		all, scalars := make([]P, most), make([]S, most)
		var multiple J
		PJ(&multiple).FromAffine(&generator)
		for i := range most {
			PJ(&multiple).AddMixed(&generator)
			PP(&all[i]).FromJacobian(&multiple)
			PS(&scalars[i]).MustSetRandom()
		}
		for _, size := range sizes {
			cells = append(cells, compareSums(group, all[:1<<size], scalars[:1<<size], rounds))
		}
		return cells
	}
}

func compareSums[P, S, J any, PJ bucketwheel.Jacobian[J, P, S]](group bucketwheel.Group[P, S, J, PJ], points []P, scalars []S, rounds int) string {
	bases, err := group.Prepare(context.Background(), points, bucketwheel.Options{})
	fail(err)
	defer bases.Close()
	var native, library, prepared clocks
	var sum J
	// Short sums several times.
	repeat := max(1, (1<<12)/len(points))
	start := time.Now()
	for round := 0; round < rounds && time.Since(start) < longest; round++ {
		native.add(func() {
			for range repeat {
				_, err := PJ(&sum).MultiExp(points, scalars, ecc.MultiExpConfig{})
				fail(err)
			}
		})
		library.add(func() {
			for range repeat {
				_, err := group.MultiExp(&sum, points, scalars, ecc.MultiExpConfig{})
				fail(err)
			}
		})
		prepared.add(func() {
			for range repeat {
				_, err := bases.MultiExp(&sum, scalars, ecc.MultiExpConfig{})
				fail(err)
			}
		})
	}
	clock := turnClock()
	each := func(times clocks) float64 { return median(times[clock]).Seconds() * 1e3 / float64(repeat) }
	a, b, c := each(native), each(library), each(prepared)
	return fmt.Sprintf("%s, %s, %.1f (%.1f)", digits(a), digits(b), a/b, a/c)
}

// digits returns a time with three digits or more.
func digits(milliseconds float64) string {
	if milliseconds >= 100 {
		return fmt.Sprintf("%.0f", milliseconds)
	}
	return fmt.Sprintf("%.3g", milliseconds)
}
