// Command go-rapidsnark makes one proof as Go programs with this package do: with rapidsnark's library, or, linked with
// -tags dynamic, with another library with the same functions.
//
// Its arguments are the key, the witness, the files for the proof and for the
// public signals, and the number of threads, which must be the number of
// processors that the process may use. It prints the seconds that it took to read
// the files and to prove. With the word check in place of the number, it also
// calls what else the package has.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/iden3/go-rapidsnark/prover"
	"github.com/iden3/go-rapidsnark/types"
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
	if args[4] == "check" {
		return check(key, witness, public)
	}
	return nil
}

// check makes another proof of the same public signals and parses it, and checks that other bytes are refused as a key
// or a witness.
func check(key, witness []byte, public string) error {
	parsed, err := prover.Groth16Prover(key, witness)
	if err != nil {
		return err
	}
	signals, err := json.Marshal(parsed.PubSignals)
	if err != nil {
		return err
	}
	if string(signals) != public {
		return fmt.Errorf("the proofs have the signals %s and %s", public, signals)
	}
	if err := complete(parsed); err != nil {
		return err
	}
	if _, _, err := prover.Groth16ProverRaw(key[:len(key)/2], witness); err == nil {
		return errors.New("half a key makes a proof")
	}
	if _, _, err := prover.Groth16ProverRaw(key, key); err == nil {
		return errors.New("a key is taken for a witness")
	}
	return nil
}

// complete returns an error unless all of a proof was parsed.
func complete(proof *types.ZKProof) error {
	data := proof.Proof
	if len(data.A) != 3 || len(data.B) != 3 || len(data.C) != 3 || data.Protocol != "groth16" {
		return fmt.Errorf("not all of a proof: %+v", data)
	}
	return nil
}
