// Command samples writes verifying keys, proofs and public witnesses with gnark's own Groth16 to the folder that is its first argument:
// crates/formats/tests/samples. The other arguments name curves; the default is all. Setups are random, so each run writes other files.
package main

import (
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
)

// square proves that the prover knows an X with X^2 = Y.
type square struct {
	X frontend.Variable
	Y frontend.Variable `gnark:",public"`
}

func (c *square) Define(api frontend.API) error {
	api.AssertIsEqual(c.Y, api.Mul(c.X, c.X))
	return nil
}

// committed is square with three commitments: to X, to X and both public inputs, and to a secret and the first
// commitment.
type committed struct {
	square
	Z frontend.Variable `gnark:",public"`
}

func (c *committed) Define(api frontend.API) error {
	commit := api.(frontend.Committer).Commit
	first, err := commit(c.X)
	if err != nil {
		return err
	}
	second, err := commit(c.X, c.Y, c.Z)
	if err != nil {
		return err
	}
	third, err := commit(api.Mul(c.X, c.Z), first)
	if err != nil {
		return err
	}
	api.AssertIsDifferent(api.Mul(first, second, third), c.Z)
	return c.square.Define(api)
}

var curves = map[ecc.ID]string{
	ecc.BN254: "bn254", ecc.BLS12_381: "bls12-381", ecc.BLS12_377: "bls12-377", ecc.BW6_761: "bw6-761",
}

func main() {
	if len(os.Args) < 2 {
		log.Fatal("expected a folder")
	}
	for curve, name := range curves {
		if len(os.Args) > 2 && !slices.Contains(os.Args[2:], name) {
			continue
		}
		write(curve, "gnark-"+name, &square{}, &square{X: 3, Y: 9})
		write(curve, "gnark-"+name+"-committed", &committed{}, &committed{square: square{X: 3, Y: 9}, Z: 5})
	}
}

func write(curve ecc.ID, name string, circuit, assignment frontend.Circuit) {
	system, err := frontend.Compile(curve.ScalarField(), r1cs.NewBuilder, circuit)
	check(err)
	pk, vk, err := groth16.Setup(system)
	check(err)
	witness, err := frontend.NewWitness(assignment, curve.ScalarField())
	check(err)
	proof, err := groth16.Prove(system, pk, witness)
	check(err)
	public, err := witness.Public()
	check(err)
	check(groth16.Verify(proof, vk, public))
	save(name+".vk", vk.WriteTo)
	save(name+"-raw.vk", vk.WriteRawTo)
	save(name+".proof", proof.WriteTo)
	save(name+"-raw.proof", proof.WriteRawTo)
	save(name+".public", public.WriteTo)
}

func save(name string, writeTo func(io.Writer) (int64, error)) {
	file, err := os.Create(filepath.Join(os.Args[1], name))
	check(err)
	_, err = writeTo(file)
	check(err)
	check(file.Close())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
