package main

import (
	"context"
	"fmt"
	"math/big"
	"runtime"

	fr_bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	fft_bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377/fr/fft"
	fr_bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	fft_bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
	fr_bn254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	fft_bn254 "github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
	fr_bw6761 "github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	fft_bw6761 "github.com/consensys/gnark-crypto/ecc/bw6-761/fr/fft"
	"github.com/consensys/gnark-crypto/parallel"

	"bucketwheel"
)

// compareQuotients compares the quotients of Groth16 of all curves. gnark's prover computes them by gnark-crypto's transforms.
func compareQuotients(size, rounds int) {
	{
		domain := fft_bn254.NewDomain(1 << size)
		compareQuotient("BN254", size, rounds, bucketwheel.BN254Quotient, &domain.Generator, &domain.FrMultiplicativeGen,
			func(values []fr_bn254.Element) { domain.FFTInverse(values, fft_bn254.DIF) },
			func(values []fr_bn254.Element) { domain.FFT(values, fft_bn254.DIT, fft_bn254.OnCoset()) },
			func(values []fr_bn254.Element) { domain.FFTInverse(values, fft_bn254.DIF, fft_bn254.OnCoset()) })
	}
	{
		domain := fft_bls12381.NewDomain(1 << size)
		compareQuotient("BLS12-381", size, rounds, bucketwheel.BLS12381Quotient, &domain.Generator, &domain.FrMultiplicativeGen,
			func(values []fr_bls12381.Element) { domain.FFTInverse(values, fft_bls12381.DIF) },
			func(values []fr_bls12381.Element) { domain.FFT(values, fft_bls12381.DIT, fft_bls12381.OnCoset()) },
			func(values []fr_bls12381.Element) {
				domain.FFTInverse(values, fft_bls12381.DIF, fft_bls12381.OnCoset())
			})
	}
	{
		domain := fft_bls12377.NewDomain(1 << size)
		compareQuotient("BLS12-377", size, rounds, bucketwheel.BLS12377Quotient, &domain.Generator, &domain.FrMultiplicativeGen,
			func(values []fr_bls12377.Element) { domain.FFTInverse(values, fft_bls12377.DIF) },
			func(values []fr_bls12377.Element) { domain.FFT(values, fft_bls12377.DIT, fft_bls12377.OnCoset()) },
			func(values []fr_bls12377.Element) {
				domain.FFTInverse(values, fft_bls12377.DIF, fft_bls12377.OnCoset())
			})
	}
	{
		domain := fft_bw6761.NewDomain(1 << size)
		compareQuotient("BW6-761", size, rounds, bucketwheel.BW6761Quotient, &domain.Generator, &domain.FrMultiplicativeGen,
			func(values []fr_bw6761.Element) { domain.FFTInverse(values, fft_bw6761.DIF) },
			func(values []fr_bw6761.Element) { domain.FFT(values, fft_bw6761.DIT, fft_bw6761.OnCoset()) },
			func(values []fr_bw6761.Element) { domain.FFTInverse(values, fft_bw6761.DIF, fft_bw6761.OnCoset()) })
	}
}

// field has the methods of gnark-crypto's scalars that the comparison calls.
type field[S any] interface {
	*S
	Equal(*S) bool
	Exp(S, *big.Int) *S
	Inverse(*S) *S
	Mul(a, b *S) *S
	MustSetRandom() *S
	SetOne() *S
	Sub(a, b *S) *S
}

func compareQuotient[S any, PS field[S]](
	name string, size, rounds int, quotient bucketwheel.Quotient[S], root, generator *S, inverse, coset, cosetInverse func([]S),
) {
	n := 1 << size
	a, b, c, h := make([]S, n), make([]S, n), make([]S, n), make([]S, n)
	var native, library clocks
	for range rounds {
		for i := range n {
			PS(&a[i]).MustSetRandom()
			PS(&b[i]).MustSetRandom()
			PS(&c[i]).Mul(&a[i], &b[i])
		}
		library.add(func() { fail(quotient.Coefficients(context.Background(), h, a, b, root)) })
		native.add(func() { gnarkQuotient[S, PS](a, b, c, generator, inverse, coset, cosetInverse) })
		for i := range n {
			if !PS(&h[i]).Equal(&c[i]) {
				fail(fmt.Errorf("%s: coefficient %d is not gnark's", name, i))
			}
		}
	}
	clock := turnClock()
	x, y := median(native[clock]).Seconds(), median(library[clock]).Seconds()
	fmt.Printf("2^%d constraints over %s, %d CPUs: quotient by gnark-crypto %.1f ms, by bucketwheel %.1f ms: %.2fx\n",
		size, name, runtime.NumCPU(), x*1e3, y*1e3, x/y)
}

// gnarkQuotient makes c the coefficients of the quotient as gnark's prover does, in bit-reversed order. Inverse returns from values to
// coefficients, coset from there to values on the coset by generator, cosetInverse back from there.
func gnarkQuotient[S any, PS field[S]](a, b, c []S, generator *S, inverse, coset, cosetInverse func([]S)) {
	for _, values := range [][]S{a, b, c} {
		inverse(values)
		coset(values)
	}
	// The coset's value of X^n - 1.
	var divisor, one S
	PS(&divisor).Exp(*generator, big.NewInt(int64(len(a))))
	PS(PS(&divisor).Sub(&divisor, PS(&one).SetOne())).Inverse(&divisor)
	parallel.Execute(len(a), func(start, end int) {
		for i := start; i < end; i++ {
			PS(&a[i]).Mul(&a[i], &b[i])
			PS(PS(&c[i]).Sub(&a[i], &c[i])).Mul(&c[i], &divisor)
		}
	})
	cosetInverse(c)
}
