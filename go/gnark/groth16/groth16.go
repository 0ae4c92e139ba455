// Package groth16 is gnark's package of that name with another prover. A program changes its import line:
//
//   - "github.com/consensys/gnark/backend/groth16"
//   - "bucketwheel/gnark/groth16"
//
// Types are gnark's, so keys, proofs and files stay as they are. [Prove] lets gnark's solver find the witness's values; the quotient
// and the sums are the library's. With the same randomness, a proof is gnark's bit for bit.
package groth16

import (
	"context"
	"errors"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend"
	"github.com/consensys/gnark/backend/groth16"
	groth16_bls12377 "github.com/consensys/gnark/backend/groth16/bls12-377"
	groth16_bls12381 "github.com/consensys/gnark/backend/groth16/bls12-381"
	groth16_bn254 "github.com/consensys/gnark/backend/groth16/bn254"
	groth16_bw6761 "github.com/consensys/gnark/backend/groth16/bw6-761"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	cs_bls12377 "github.com/consensys/gnark/constraint/bls12-377"
	cs_bls12381 "github.com/consensys/gnark/constraint/bls12-381"
	cs_bn254 "github.com/consensys/gnark/constraint/bn254"
	cs_bw6761 "github.com/consensys/gnark/constraint/bw6-761"
)

// Types of gnark.
type (
	Proof        = groth16.Proof
	ProvingKey   = groth16.ProvingKey
	VerifyingKey = groth16.VerifyingKey
)

// ErrKey is wrapped by the error of a proof with a key of another circuit.
var ErrKey = errors.New("the proving key is not one of this circuit")

// Prove makes a proof, as gnark's function does. It honours gnark's options.
func Prove(r1cs constraint.ConstraintSystem, pk ProvingKey, fullWitness witness.Witness, opts ...backend.ProverOption) (Proof, error) {
	return ProveContext(context.Background(), r1cs, pk, fullWitness, opts...)
}

// ProveContext is Prove with a context. It returns the context's error when ctx is cancelled: at once before and after
// the solver, which cannot be cancelled, and within milliseconds in the quotient and in the sums.
func ProveContext(ctx context.Context, r1cs constraint.ConstraintSystem, pk ProvingKey, fullWitness witness.Witness, opts ...backend.ProverOption) (Proof, error) {
	if mapped, ok := pk.(*MappedKey); ok && mapped != nil {
		return mapped.use(func() (Proof, error) {
			return proveWith(ctx, r1cs, mapped.provingKey, mapped.tables, fullWitness, opts)
		})
	}
	return proveWith(ctx, r1cs, pk, nil, fullWitness, opts)
}

// proveWith makes a proof with a key of gnark's types, and with the tables of its points if there are any.
func proveWith(ctx context.Context, r1cs constraint.ConstraintSystem, pk ProvingKey, tables *tables, fullWitness witness.Witness, opts []backend.ProverOption) (Proof, error) {
	switch r1cs := r1cs.(type) {
	case *cs_bn254.R1CS:
		if pk, ok := pk.(*groth16_bn254.ProvingKey); ok && pk != nil {
			return proveBN254(ctx, r1cs, pk, tables, fullWitness, opts)
		}
	case *cs_bls12381.R1CS:
		if pk, ok := pk.(*groth16_bls12381.ProvingKey); ok && pk != nil {
			return proveBLS12381(ctx, r1cs, pk, tables, fullWitness, opts)
		}
	case *cs_bls12377.R1CS:
		if pk, ok := pk.(*groth16_bls12377.ProvingKey); ok && pk != nil {
			return proveBLS12377(ctx, r1cs, pk, tables, fullWitness, opts)
		}
	case *cs_bw6761.R1CS:
		if pk, ok := pk.(*groth16_bw6761.ProvingKey); ok && pk != nil {
			return proveBW6761(ctx, r1cs, pk, tables, fullWitness, opts)
		}
	default:
		return nil, fmt.Errorf("no R1CS of a curve with Groth16: %T", r1cs)
	}
	return nil, fmt.Errorf("%w: its type is %T, but the circuit is %T", ErrKey, pk, r1cs)
}

// Verify is gnark's function.
func Verify(proof Proof, vk VerifyingKey, publicWitness witness.Witness, opts ...backend.VerifierOption) error {
	return groth16.Verify(proof, vk, publicWitness, opts...)
}

// Setup is gnark's function.
func Setup(r1cs constraint.ConstraintSystem) (ProvingKey, VerifyingKey, error) {
	return groth16.Setup(r1cs)
}

// DummySetup is gnark's function.
func DummySetup(r1cs constraint.ConstraintSystem) (ProvingKey, error) {
	return groth16.DummySetup(r1cs)
}

// NewProvingKey is gnark's function.
func NewProvingKey(curveID ecc.ID) ProvingKey { return groth16.NewProvingKey(curveID) }

// NewVerifyingKey is gnark's function.
func NewVerifyingKey(curveID ecc.ID) VerifyingKey { return groth16.NewVerifyingKey(curveID) }

// NewProof is gnark's function.
func NewProof(curveID ecc.ID) Proof { return groth16.NewProof(curveID) }

// NewCS is gnark's function.
func NewCS(curveID ecc.ID) constraint.ConstraintSystem { return groth16.NewCS(curveID) }
