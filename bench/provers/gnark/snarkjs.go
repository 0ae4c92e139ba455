package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"

	"github.com/consensys/gnark-crypto/ecc"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark/backend/groth16"
	groth16bls12381 "github.com/consensys/gnark/backend/groth16/bls12-381"
	groth16bn254 "github.com/consensys/gnark/backend/groth16/bn254"
	"github.com/consensys/gnark/constraint"
)

type constraintSystem = constraint.ConstraintSystem

// curve joins the parts that differ between curves: keys and proofs in snarkjs' form.
type curve struct {
	id    ecc.ID
	proof func(groth16.Proof) map[string]any
	key   func(groth16.VerifyingKey) map[string]any
}

var curves = map[string]curve{
	"bn128": {
		id: ecc.BN254,
		proof: func(proof groth16.Proof) map[string]any {
			p := proof.(*groth16bn254.Proof)
			return proofJSON("bn128", bn254G1(&p.Ar), bn254G2(&p.Bs), bn254G1(&p.Krs))
		},
		key: func(key groth16.VerifyingKey) map[string]any {
			vk := key.(*groth16bn254.VerifyingKey)
			ic := make([]any, len(vk.G1.K))
			for i := range ic {
				ic[i] = bn254G1(&vk.G1.K[i])
			}
			return keyJSON("bn128", bn254G1(&vk.G1.Alpha), bn254G2(&vk.G2.Beta), bn254G2(&vk.G2.Gamma), bn254G2(&vk.G2.Delta), ic)
		},
	},
	"bls12381": {
		id: ecc.BLS12_381,
		proof: func(proof groth16.Proof) map[string]any {
			p := proof.(*groth16bls12381.Proof)
			return proofJSON("bls12381", bls12381G1(&p.Ar), bls12381G2(&p.Bs), bls12381G1(&p.Krs))
		},
		key: func(key groth16.VerifyingKey) map[string]any {
			vk := key.(*groth16bls12381.VerifyingKey)
			ic := make([]any, len(vk.G1.K))
			for i := range ic {
				ic[i] = bls12381G1(&vk.G1.K[i])
			}
			return keyJSON("bls12381", bls12381G1(&vk.G1.Alpha), bls12381G2(&vk.G2.Beta), bls12381G2(&vk.G2.Gamma), bls12381G2(&vk.G2.Delta), ic)
		},
	},
}

func bn254G1(p *bn254.G1Affine) any       { return g1(&p.X, &p.Y) }
func bn254G2(p *bn254.G2Affine) any       { return g2(&p.X.A0, &p.X.A1, &p.Y.A0, &p.Y.A1) }
func bls12381G1(p *bls12381.G1Affine) any { return g1(&p.X, &p.Y) }
func bls12381G2(p *bls12381.G2Affine) any { return g2(&p.X.A0, &p.X.A1, &p.Y.A0, &p.Y.A1) }

// element is a coordinate. Its String may write a negative number.
type element interface {
	BigInt(*big.Int) *big.Int
}

func decimal(e element) string {
	return e.BigInt(new(big.Int)).String()
}

func g1(x, y element) any {
	return []string{decimal(x), decimal(y), "1"}
}

func g2(x0, x1, y0, y1 element) any {
	return [][]string{{decimal(x0), decimal(x1)}, {decimal(y0), decimal(y1)}, {"1", "0"}}
}

func proofJSON(name string, a, b, c any) map[string]any {
	return map[string]any{"pi_a": a, "pi_b": b, "pi_c": c, "protocol": "groth16", "curve": name}
}

func keyJSON(name string, alpha, beta, gamma, delta any, ic []any) map[string]any {
	return map[string]any{
		"protocol": "groth16", "curve": name, "nPublic": len(ic) - 1,
		"vk_alpha_1": alpha, "vk_beta_2": beta, "vk_gamma_2": gamma, "vk_delta_2": delta, "IC": ic,
	}
}

func writeJSON(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// walk computes the end of the chain.
func walk(field *big.Int, steps int, start, c string) (*big.Int, error) {
	x, ok := new(big.Int).SetString(start, 10)
	constant, isNumber := new(big.Int).SetString(c, 10)
	if !ok || !isNumber {
		return nil, fmt.Errorf("start and c are not numbers: %s, %s", start, c)
	}
	for range steps {
		x.Mul(x, x).Add(x, constant).Mod(x, field)
	}
	return x, nil
}
