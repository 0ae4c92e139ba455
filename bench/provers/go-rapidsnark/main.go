// Command go-rapidsnark makes one proof as programs in Go do that use this
// package: with rapidsnark's library, or, linked with -tags dynamic, with
// another one of the same functions.
//
// Its arguments are the key, the witness, the files for the proof and for the
// public signals, and the number of threads, which is that of the processors
// the process may use in any case. It prints the seconds that it took to read
// the files and to prove.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/iden3/go-rapidsnark/prover"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "go-rapidsnark:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 5 {
		return fmt.Errorf("want key, witness, proof, public signals, threads; got %d arguments", len(args))
	}
	start := time.Now()
	key, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	witness, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	loaded := time.Now()
	proof, public, err := prover.Groth16ProverRaw(key, witness)
	if err != nil {
		return err
	}
	proved := time.Now()
	if err := os.WriteFile(args[2], []byte(proof), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(args[3], []byte(public), 0o644); err != nil {
		return err
	}
	fmt.Printf("{\"load\":%f,\"prove\":%f}\n", loaded.Sub(start).Seconds(), proved.Sub(loaded).Seconds())
	return nil
}
