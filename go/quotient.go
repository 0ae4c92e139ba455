package bucketwheel

import (
	"context"
	"unsafe"
)

// Quotient computes the quotients of Groth16 over the scalars S of a curve.
type Quotient[S any] struct {
	curve uint32
}

// Coefficients sets h to the coefficients of (A B - C) / (X^n - 1), n = len(h) = 2^logSize, in gnark's bit-reversed
// order. A and B are the polynomials of degree below n whose values on the powers of root are a and b; missing values
// count as 0. The values of C are the products of these values.
func (q Quotient[S]) Coefficients(ctx context.Context, h, a, b []S, logSize int, root *S) error {
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
			return lib.quotient(q.curve, uint32(logSize), &va, &vb, &vroot, orderBitReversed, options, out, size)
		})
	})
}
