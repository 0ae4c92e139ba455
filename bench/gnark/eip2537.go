package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// padded is the size of a coordinate in a call: 16 zeros and the field's integer.
const padded = 64

var precompiles = map[string]func([]byte) ([]byte, error){
	"g1add": addG1,
	"g2add": addG2,
	"g1msm": msmG1,
	"g2msm": msmG2,
}

// servePrecompiles answers calls of Ethereum's precompiles (EIP-2537), on one
// task. Each precompile takes the steps of go-ethereum's precompile. A request is a line: the precompile,
// the number of calls, the input in hexadecimal. The reply is the nanoseconds
// of all calls, and the result in hexadecimal.
func servePrecompiles(in *bufio.Reader, out io.Writer) error {
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		var name, text string
		var count int
		if _, err := fmt.Sscan(line, &name, &count, &text); err != nil {
			return err
		}
		call, ok := precompiles[name]
		if !ok {
			return fmt.Errorf("no precompile %s", name)
		}
		input, err := hex.DecodeString(text)
		if err != nil {
			return err
		}
		// The collector's work for earlier calls must not count in these calls.
		runtime.GC()
		var output []byte
		start := time.Now()
		for range count {
			if output, err = call(input); err != nil {
				return err
			}
		}
		fmt.Fprintf(out, "%d %x\n", time.Since(start).Nanoseconds(), output)
	}
}

// read reads coordinates.
func read(input []byte, coordinates ...*fp.Element) error {
	for i, coordinate := range coordinates {
		bytes := input[i*padded : (i+1)*padded]
		if err := coordinate.SetBytesCanonical(bytes[padded-fp.Bytes:]); err != nil {
			return err
		}
	}
	return nil
}

// write writes coordinates.
func write(coordinates ...fp.Element) []byte {
	output := make([]byte, len(coordinates)*padded)
	for i, coordinate := range coordinates {
		fp.BigEndian.PutElement((*[fp.Bytes]byte)(output[(i+1)*padded-fp.Bytes:]), coordinate)
	}
	return output
}

var (
	errCurve    = errors.New("a point is not on the curve")
	errSubgroup = errors.New("a point is not in the subgroup")
)

func readG1(input []byte) (p curve.G1Affine, err error) {
	if err = read(input, &p.X, &p.Y); err == nil && !p.IsOnCurve() {
		err = errCurve
	}
	return p, err
}

func readG2(input []byte) (p curve.G2Affine, err error) {
	if err = read(input, &p.X.A0, &p.X.A1, &p.Y.A0, &p.Y.A1); err == nil && !p.IsOnCurve() {
		err = errCurve
	}
	return p, err
}

func writeG1(p *curve.G1Affine) []byte { return write(p.X, p.Y) }

func writeG2(p *curve.G2Affine) []byte { return write(p.X.A0, p.X.A1, p.Y.A0, p.Y.A1) }

func addG1(input []byte) ([]byte, error) {
	a, err := readG1(input[:2*padded])
	if err != nil {
		return nil, err
	}
	b, err := readG1(input[2*padded:])
	if err != nil {
		return nil, err
	}
	return writeG1(a.Add(&a, &b)), nil
}

func addG2(input []byte) ([]byte, error) {
	a, err := readG2(input[:4*padded])
	if err != nil {
		return nil, err
	}
	b, err := readG2(input[4*padded:])
	if err != nil {
		return nil, err
	}
	return writeG2(a.Add(&a, &b)), nil
}

func msmG1(input []byte) ([]byte, error) {
	points, scalars, err := pairs(input, 2*padded, readG1, (*curve.G1Affine).IsInSubGroup)
	if err != nil {
		return nil, err
	}
	var sum curve.G1Affine
	_, err = sum.MultiExp(points, scalars, ecc.MultiExpConfig{NbTasks: 1})
	return writeG1(&sum), err
}

func msmG2(input []byte) ([]byte, error) {
	points, scalars, err := pairs(input, 4*padded, readG2, (*curve.G2Affine).IsInSubGroup)
	if err != nil {
		return nil, err
	}
	var sum curve.G2Affine
	_, err = sum.MultiExp(points, scalars, ecc.MultiExpConfig{NbTasks: 1})
	return writeG2(&sum), err
}

// pairs reads points of size bytes, each before its scalar, and checks that
// the points are in the subgroup.
func pairs[A any](input []byte, size int, read func([]byte) (A, error), isInSubgroup func(*A) bool) ([]A, []fr.Element, error) {
	count := len(input) / (size + fr.Bytes)
	points, scalars := make([]A, count), make([]fr.Element, count)
	for i := range points {
		pair := input[i*(size+fr.Bytes):]
		var err error
		if points[i], err = read(pair); err != nil {
			return nil, nil, err
		}
		if !isInSubgroup(&points[i]) {
			return nil, nil, errSubgroup
		}
		scalars[i].SetBytes(pair[size : size+fr.Bytes])
	}
	return points, scalars, nil
}
