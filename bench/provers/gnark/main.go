// Command gnark-groth16 proves a chain of multiplications, x <- x^2 + c, with
// gnark, as often as it is asked to.
//
// Its arguments are the curve, the number of multiplications, the start, c,
// the folder where its keys are kept, and the files for the proof, the public
// signals and the verifying key, all as snarkjs writes them. It answers
// "ready", and from then on every line with the seconds that gnark's call took.
// The program ends with its input.
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
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/logger"
)

// chain is the circuit of circuits/chain.circom: Steps constraints, and one constraint for the public end.
type chain struct {
	Steps int               `gnark:"-"`
	End   frontend.Variable `gnark:",public"`
	Start frontend.Variable
	C     frontend.Variable
}

func (c *chain) Define(api frontend.API) error {
	x := c.Start
	for range c.Steps {
		x = api.Add(api.Mul(x, x), c.C)
	}
	api.AssertIsEqual(x, c.End)
	return nil
}

func main() {
	logger.Disable()
	if err := serve(os.Args[1:], bufio.NewReader(os.Stdin), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gnark-groth16:", err)
		os.Exit(1)
	}
}

func serve(args []string, in *bufio.Reader, out io.Writer) error {
	if len(args) != 8 {
		return fmt.Errorf("want curve, steps, start, c, keys, proof, public signals, verifying key; got %d arguments", len(args))
	}
	curve, ok := curves[args[0]]
	if !ok {
		return fmt.Errorf("no curve %s", args[0])
	}
	steps, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	field := curve.id.ScalarField()
	system, err := frontend.Compile(field, r1cs.NewBuilder, &chain{Steps: steps})
	if err != nil {
		return err
	}
	pk, vk, err := keys(system, curve.id, fmt.Sprintf("%s/gnark-chain-%s-%d", args[4], args[0], steps))
	if err != nil {
		return err
	}
	end, err := walk(field, steps, args[2], args[3])
	if err != nil {
		return err
	}
	full, err := frontend.NewWitness(&chain{Steps: steps, Start: args[2], C: args[3], End: end}, field)
	if err != nil {
		return err
	}
	if err := writeJSON(args[7], curve.key(vk)); err != nil {
		return err
	}
	fmt.Fprintln(out, "ready")
	for {
		if _, err := in.ReadString('\n'); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		proof, elapsed, err := prove(system, pk, full)
		if err != nil {
			return err
		}
		if err := writeJSON(args[5], curve.proof(proof)); err != nil {
			return err
		}
		if err := writeJSON(args[6], []string{end.String()}); err != nil {
			return err
		}
		fmt.Fprintf(out, "{\"load\":0,\"prove\":%f}\n", elapsed.Seconds())
	}
}

func prove(system constraintSystem, pk groth16.ProvingKey, full witness.Witness) (groth16.Proof, time.Duration, error) {
	// The collector's work for earlier proofs must not count in this proof.
	runtime.GC()
	start := time.Now()
	proof, err := groth16.Prove(system, pk, full)
	return proof, time.Since(start), err
}

// keys reads the keys, or makes them and writes them for the next time.
func keys(system constraintSystem, id ecc.ID, path string) (groth16.ProvingKey, groth16.VerifyingKey, error) {
	pk, vk := groth16.NewProvingKey(id), groth16.NewVerifyingKey(id)
	if read(path+".pk", pk.ReadDump) == nil && read(path+".vk", func(in io.Reader) error {
		_, err := vk.ReadFrom(in)
		return err
	}) == nil {
		return pk, vk, nil
	}
	pk, vk, err := groth16.Setup(system)
	if err != nil {
		return nil, nil, err
	}
	if err := write(path+".pk", pk.WriteDump); err != nil {
		return nil, nil, err
	}
	return pk, vk, write(path+".vk", func(out io.Writer) error {
		_, err := vk.WriteTo(out)
		return err
	})
}

func read(path string, decode func(io.Reader) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return decode(bufio.NewReaderSize(file, 1<<20))
}

// write replaces the file in one step.
func write(path string, encode func(io.Writer) error) error {
	file, err := os.Create(path + ".tmp")
	if err != nil {
		return err
	}
	defer file.Close()
	buffered := bufio.NewWriterSize(file, 1<<20)
	if err := encode(buffered); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}
