// Command gnark computes one multi-scalar multiplication with gnark-crypto,
// as often as it is asked to.
//
// With the argument eip2537 it calls precompiles instead (eip2537.go).
//
// Its other arguments are the curve, the group, the number of points and the number
// of tasks. It reads the points and then the scalars from standard input (all
// little-endian and canonical), answers "ready", and from then on answers
// every line with the nanoseconds that the library's call took and the sum in
// hexadecimal. It ends with its input.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
)

func main() {
	if err := serve(os.Args[1:], bufio.NewReader(os.Stdin), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gnark:", err)
		os.Exit(1)
	}
}

func serve(args []string, in *bufio.Reader, out io.Writer) error {
	if len(args) == 1 && args[0] == "eip2537" {
		return servePrecompiles(in, out)
	}
	if len(args) != 4 {
		return fmt.Errorf("want curve, group, points, tasks; got %d arguments", len(args))
	}
	load, ok := groups[args[0]+" "+args[1]]
	if !ok {
		return fmt.Errorf("no group %s of curve %s", args[1], args[0])
	}
	count, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	tasks, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	msm, err := load(in, count)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "ready")
	for {
		if _, err := in.ReadString('\n'); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		// The collector's work for earlier calls must not count in this call.
		runtime.GC()
		elapsed, sum, err := msm(ecc.MultiExpConfig{NbTasks: tasks})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%d %x\n", elapsed.Nanoseconds(), sum)
	}
}

// msm computes the prepared sum and returns the time of the library's call.
type msm func(ecc.MultiExpConfig) (time.Duration, []byte, error)

// loader reads points and scalars and prepares their sum.
type loader func(in io.Reader, count int) (msm, error)

var groups = map[string]loader{
	"bls12-381 g1": bls12381G1.load,
	"bls12-381 g2": bls12381G2.load,
	"bls12-377 g1": bls12377G1.load,
	"bls12-377 g2": bls12377G2.load,
	"bn254 g1":     bn254G1.load,
	"bn254 g2":     bn254G2.load,
}
