package groth16

import (
	"context"
	"math/big"

	"github.com/consensys/gnark-crypto/parallel"
)

// gnarkQuotient computes the coefficients of the quotient as gnark does, for fields without transforms in the library.
// Inverse converts values to coefficients, coset converts coefficients to values on the coset by generator, and
// cosetInverse converts them back.
func gnarkQuotient[S any, PS interface {
	scalar[S]
	Exp(S, *big.Int) *S
	Inverse(*S) *S
	SetOne() *S
	Sub(a, b *S) *S
}](ctx context.Context, a, b, c []S, cardinality uint64, generator *S, inverse, coset, cosetInverse func([]S)) ([]S, error) {
	for _, values := range []*[]S{&a, &b, &c} {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		*values = append(*values, make([]S, int(cardinality)-len(*values))...)
		inverse(*values)
		coset(*values)
	}
	// The value of X^n - 1 on the coset.
	var divisor, one S
	PS(&divisor).Exp(*generator, new(big.Int).SetUint64(cardinality))
	PS(PS(&divisor).Sub(&divisor, PS(&one).SetOne())).Inverse(&divisor)
	parallel.Execute(len(a), func(start, end int) {
		for i := start; i < end; i++ {
			PS(&a[i]).Mul(&a[i], &b[i])
			PS(PS(&c[i]).Sub(&a[i], &c[i])).Mul(&c[i], &divisor)
		}
	})
	cosetInverse(c)
	return c, context.Cause(ctx)
}
