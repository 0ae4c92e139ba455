package groth16

import (
	"context"
	"hash"

	"github.com/consensys/gnark-crypto/ecc"
	crypto "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr/hash_to_field"
	"github.com/consensys/gnark/backend"
	gnark "github.com/consensys/gnark/backend/groth16/bn254"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	cs "github.com/consensys/gnark/constraint/bn254"

	"bucketwheel"
)

var curveBN254 = curve[fr.Element, crypto.G1Affine, crypto.G1Jac, crypto.G2Affine]{
	bits:     fr.Bits,
	quotient: bucketwheel.BN254Quotient.Coefficients,
	sum:      bucketwheel.BN254G1.MultiExpContext,
	sums: func(ctx context.Context, g1 []crypto.G1Affine, g2 []crypto.G2Affine, scalars []fr.Element) (crypto.G1Affine, crypto.G2Affine, error) {
		sums, err := bucketwheel.BN254.MultiExp(ctx, g1, g2, scalars, ecc.MultiExpConfig{})
		return sums.G1, sums.G2, err
	},
	open: func(ctx context.Context, table []byte) (bases[fr.Element, crypto.G1Jac], error) {
		return bucketwheel.BN254G1.Map(ctx, table, bucketwheel.Options{})
	},
	openPair: func(ctx context.Context, table1, table2 []byte) (pairBases[fr.Element, crypto.G1Affine, crypto.G2Affine], error) {
		return bucketwheel.BN254.Map(ctx, table1, table2, bucketwheel.Options{})
	},
	newHash: func() hash.Hash { return hash_to_field.New([]byte(constraint.CommitmentDst)) },
	challenge: func(message []byte) (fr.Element, error) {
		elements, err := fr.Hash(message, []byte("G16-BSB22"), 1)
		if err != nil {
			return fr.Element{}, err
		}
		return elements[0], nil
	},
	fold: func(points []crypto.G1Affine, challenge fr.Element) (sum crypto.G1Affine, err error) {
		_, err = sum.Fold(points, challenge, ecc.MultiExpConfig{NbTasks: 1})
		return sum, err
	},
}

func proveBN254(ctx context.Context, r1cs *cs.R1CS, pk *gnark.ProvingKey, tables *tables, fullWitness witness.Witness, opts []backend.ProverOption) (Proof, error) {
	circuit, err := newCircuit(crypto.ID, r1cs, r1cs.CommitmentInfo, fullWitness, func(s *cs.R1CSSolution) (w, a, b, c []fr.Element) {
		return s.W, s.A, s.B, s.C
	})
	if err != nil {
		return nil, err
	}
	key := &key[fr.Element, crypto.G1Affine, crypto.G1Jac, crypto.G2Affine]{
		alpha1: &pk.G1.Alpha, beta1: &pk.G1.Beta, delta1: &pk.G1.Delta, beta2: &pk.G2.Beta, delta2: &pk.G2.Delta,
		a: pk.G1.A, b1: pk.G1.B, k: pk.G1.K, z: pk.G1.Z, b2: pk.G2.B,
		infinityA: pk.InfinityA, infinityB: pk.InfinityB, cardinality: pk.Domain.Cardinality, generator: &pk.Domain.Generator, tables: tables,
	}
	for _, commitment := range pk.CommitmentKeys {
		key.commitments = append(key.commitments, [2][]crypto.G1Affine{commitment.Basis, commitment.BasisExpSigma})
	}
	proof, err := prove[fr.Element, crypto.G1Affine, crypto.G1Jac, crypto.G2Affine, crypto.G2Jac](ctx, &curveBN254, key, circuit, opts)
	if err != nil {
		return nil, err
	}
	return &gnark.Proof{Ar: proof.ar, Krs: proof.krs, Bs: proof.bs, Commitments: proof.commitments, CommitmentPok: proof.pok}, nil
}

func arraysBN254(pk *gnark.ProvingKey) []points {
	g1 := newTableMaker(bucketwheel.BN254G1)
	return []points{
		pointsOf[crypto.G1Affine]{&pk.G1.A, g1}, pointsOf[crypto.G1Affine]{&pk.G1.B, g1}, pointsOf[crypto.G1Affine]{&pk.G1.Z, g1},
		pointsOf[crypto.G1Affine]{&pk.G1.K, g1}, pointsOf[crypto.G2Affine]{&pk.G2.B, newTableMaker(bucketwheel.BN254G2)},
	}
}

func smallBN254(pk *gnark.ProvingKey) *gnark.ProvingKey {
	small := &gnark.ProvingKey{
		Domain:    *fft.NewDomain(pk.Domain.Cardinality, fft.WithoutPrecompute(), fft.WithShift(pk.Domain.FrMultiplicativeGen)),
		InfinityA: pk.InfinityA, InfinityB: pk.InfinityB, NbInfinityA: pk.NbInfinityA, NbInfinityB: pk.NbInfinityB,
		CommitmentKeys: pk.CommitmentKeys,
	}
	small.G1.Alpha, small.G1.Beta, small.G1.Delta = pk.G1.Alpha, pk.G1.Beta, pk.G1.Delta
	small.G2.Beta, small.G2.Delta = pk.G2.Beta, pk.G2.Delta
	return small
}
