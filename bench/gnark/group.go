package main

import (
	"io"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
)

// field reads and writes elements of E as canonical little-endian bytes.
type field[E any] struct {
	size int
	get  func([]byte) (E, error)
	put  func([]byte, E)
}

func (f field[E]) read(bytes []byte, elements ...*E) error {
	for i, element := range elements {
		value, err := f.get(bytes[i*f.size : (i+1)*f.size])
		if err != nil {
			return err
		}
		*element = value
	}
	return nil
}

func (f field[E]) write(elements ...E) []byte {
	bytes := make([]byte, len(elements)*f.size)
	for i, element := range elements {
		f.put(bytes[i*f.size:(i+1)*f.size], element)
	}
	return bytes
}

// group joins the library's functions for one group: A is its affine point, J
// its Jacobian point and S its scalar.
type group[A, J, S any] struct {
	pointSize int
	point     func([]byte, *A) error
	scalars   field[S]
	multiExp  func(*J, []A, []S, ecc.MultiExpConfig) (*J, error)
	encode    func(*J) []byte
}

func (g group[A, J, S]) load(in io.Reader, count int) (msm, error) {
	points := make([]A, count)
	buffer := make([]byte, g.pointSize)
	for i := range points {
		if _, err := io.ReadFull(in, buffer); err != nil {
			return nil, err
		}
		if err := g.point(buffer, &points[i]); err != nil {
			return nil, err
		}
	}
	scalars := make([]S, count)
	buffer = make([]byte, g.scalars.size)
	for i := range scalars {
		if _, err := io.ReadFull(in, buffer); err != nil {
			return nil, err
		}
		if err := g.scalars.read(buffer, &scalars[i]); err != nil {
			return nil, err
		}
	}
	return func(config ecc.MultiExpConfig) (time.Duration, []byte, error) {
		var sum J
		start := time.Now()
		_, err := g.multiExp(&sum, points, scalars, config)
		elapsed := time.Since(start)
		return elapsed, g.encode(&sum), err
	}, nil
}
