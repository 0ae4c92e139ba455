package groth16

import (
	"context"
	"math/big"

	"github.com/consensys/gnark-crypto/parallel"
)

// gnarkQuotient is gnark's way to the coefficients of the quotient, for fields whose transforms the library does not have. Inverse
// returns from values to coefficients, coset from there to values on the coset by generator, cosetInverse back from there.
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
	// The coset's value of X^n - 1.
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
