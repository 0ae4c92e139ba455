// Command rapidsnark makes proofs by go-rapidsnark, with whichever library it
// was linked with.
//
// Its arguments are the key, the witness, and the files for a proof and for
// its public signals.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/iden3/go-rapidsnark/prover"
	"github.com/iden3/go-rapidsnark/types"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "rapidsnark:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("want key, witness, proof, public signals; got %d arguments", len(args))
	}
	key, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	witness, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	proof, public, err := prover.Groth16ProverRaw(key, witness)
	if err != nil {
		return err
	}
	if err := os.WriteFile(args[2], []byte(proof), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(args[3], []byte(public), 0o644); err != nil {
		return err
	}

	// Another one, parsed: its signals are the same.
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

	// And what there is none of.
	if _, _, err := prover.Groth16ProverRaw(key[:len(key)/2], witness); err == nil {
		return errors.New("half a key makes a proof")
	}
	if _, _, err := prover.Groth16ProverRaw(key, key); err == nil {
		return errors.New("a key is taken for a witness")
	}
	return nil
}

// complete says whether all of a proof was parsed.
func complete(proof *types.ZKProof) error {
	data := proof.Proof
	if len(data.A) != 3 || len(data.B) != 3 || len(data.C) != 3 || data.Protocol != "groth16" {
		return fmt.Errorf("not all of a proof: %+v", data)
	}
	return nil
}
