package bucketwheel

import (
	"context"
	"fmt"
	"math/bits"
	"unsafe"
)

// Quotient computes the quotients of Groth16 over the scalars S of a curve.
type Quotient[S any] struct {
	curve uint32
}

// Coefficients sets h to the coefficients of (A B - C) / (X^n - 1) in gnark's bit-reversed order. n is len(h), a power
// of two. A and B are the polynomials of degree below n whose values on the powers of root are a and b; missing values
// count as 0. The values of C are the products of these values.
func (q Quotient[S]) Coefficients(ctx context.Context, h, a, b []S, root *S) error {
	if bits.OnesCount(uint(len(h))) != 1 {
		return &Error{CodeCount, fmt.Sprintf("%d coefficients: expected a power of two", len(h)), -1}
	}
	var arguments arguments
	defer arguments.release()
	va, vb, vroot := describeScalars(&arguments, a), describeScalars(&arguments, b), describeScalars(&arguments, unsafe.Slice(root, 1))
	out, size := data(&arguments, h), uintptr(len(h))*unsafe.Sizeof(*root)
	return withCancel(ctx, func(cancel unsafe.Pointer) error {
		options, err := Options{}.c(cancel)
		if err != nil {
			return err
		}
		return call(func(lib *library) int32 {
			return lib.quotient(q.curve, uint32(bits.TrailingZeros(uint(len(h)))), &va, &vb, &vroot, orderBitReversed, options, out, size)
		})
	})
}
