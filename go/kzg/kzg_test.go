// Package kzg_test compares the packages of all curves with gnark-crypto's.
package kzg_test

import (
	"crypto/sha256"
	"errors"
	"hash"
	"math/big"
	"reflect"
	"testing"

	fr_bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	gnark_bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377/kzg"
	fr_bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	gnark_bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381/kzg"
	fr_bn254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	gnark_bn254 "github.com/consensys/gnark-crypto/ecc/bn254/kzg"
	fr_bw6761 "github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	gnark_bw6761 "github.com/consensys/gnark-crypto/ecc/bw6-761/kzg"

	kzg_bls12377 "bucketwheel/kzg/bls12-377"
	kzg_bls12381 "bucketwheel/kzg/bls12-381"
	kzg_bn254 "bucketwheel/kzg/bn254"
	kzg_bw6761 "bucketwheel/kzg/bw6-761"
)

// scheme has the functions of a package for scalars S, keys K, commitments D, openings O and openings of several polynomials B.
type scheme[S, K, D, O, B any] struct {
	commit func(p []S, pk K, nbTasks ...int) (D, error)
	open   func(p []S, point S, pk K) (O, error)
	batch  func(polynomials [][]S, digests []D, point S, hf hash.Hash, pk K, dataTranscript ...[]byte) (B, error)
}

func compare[S, K, D, O, B any, PS interface {
	*S
	SetRandom() (*S, error)
}](t *testing.T, name string, pk K, sizeError, digestsError error, ours, gnarks scheme[S, K, D, O, B]) {
	t.Run(name, func(t *testing.T) {
		// The polynomial has one coefficient more than the key has points.
		random := make([]S, 201)
		for i := range random {
			if _, err := PS(&random[i]).SetRandom(); err != nil {
				t.Fatal(err)
			}
		}
		polynomials := [][]S{random[:200], random[50:100], random[3:4]}
		point := random[7]
		digests := make([]D, len(polynomials))
		for i, p := range polynomials {
			expected, err := gnarks.commit(p, pk)
			if err != nil {
				t.Fatal(err)
			}
			if digests[i], err = ours.commit(p, pk, 1); err != nil || !reflect.DeepEqual(digests[i], expected) {
				t.Fatalf("a commitment is not gnark-crypto's: %v", err)
			}
			opening, err := gnarks.open(p, point, pk)
			if err != nil {
				t.Fatal(err)
			}
			if found, err := ours.open(p, point, pk); err != nil || !reflect.DeepEqual(found, opening) {
				t.Fatalf("an opening is not gnark-crypto's: %v", err)
			}
		}
		batch, err := gnarks.batch(polynomials, digests, point, sha256.New(), pk, []byte("data"))
		if err != nil {
			t.Fatal(err)
		}
		if found, err := ours.batch(polynomials, digests, point, sha256.New(), pk, []byte("data")); err != nil || !reflect.DeepEqual(found, batch) {
			t.Fatalf("an opening of several polynomials is not gnark-crypto's: %v", err)
		}
		if _, err := ours.commit(random, pk); !errors.Is(err, sizeError) {
			t.Fatalf("a commitment to too many coefficients: %v", err)
		}
		if _, err := ours.open(random, point, pk); !errors.Is(err, sizeError) {
			t.Fatalf("an opening of too many coefficients: %v", err)
		}
		if _, err := ours.batch(polynomials, digests[1:], point, sha256.New(), pk); !errors.Is(err, digestsError) {
			t.Fatalf("too few commitments: %v", err)
		}
	})
}

func key[SRS any](t *testing.T, newSRS func(size uint64, alpha *big.Int) (SRS, error)) SRS {
	t.Helper()
	srs, err := newSRS(200, big.NewInt(40))
	if err != nil {
		t.Fatal(err)
	}
	return srs
}

func TestAllCurves(t *testing.T) {
	compare(t, "bn254", key(t, gnark_bn254.NewSRS).Pk, gnark_bn254.ErrInvalidPolynomialSize, gnark_bn254.ErrInvalidNbDigests,
		scheme[fr_bn254.Element, gnark_bn254.ProvingKey, gnark_bn254.Digest, gnark_bn254.OpeningProof, gnark_bn254.BatchOpeningProof]{
			kzg_bn254.Commit, kzg_bn254.Open, kzg_bn254.BatchOpenSinglePoint,
		},
		scheme[fr_bn254.Element, gnark_bn254.ProvingKey, gnark_bn254.Digest, gnark_bn254.OpeningProof, gnark_bn254.BatchOpeningProof]{
			gnark_bn254.Commit, gnark_bn254.Open, gnark_bn254.BatchOpenSinglePoint,
		})
	compare(t, "bls12-381", key(t, gnark_bls12381.NewSRS).Pk, gnark_bls12381.ErrInvalidPolynomialSize, gnark_bls12381.ErrInvalidNbDigests,
		scheme[fr_bls12381.Element, gnark_bls12381.ProvingKey, gnark_bls12381.Digest, gnark_bls12381.OpeningProof, gnark_bls12381.BatchOpeningProof]{
			kzg_bls12381.Commit, kzg_bls12381.Open, kzg_bls12381.BatchOpenSinglePoint,
		},
		scheme[fr_bls12381.Element, gnark_bls12381.ProvingKey, gnark_bls12381.Digest, gnark_bls12381.OpeningProof, gnark_bls12381.BatchOpeningProof]{
			gnark_bls12381.Commit, gnark_bls12381.Open, gnark_bls12381.BatchOpenSinglePoint,
		})
	compare(t, "bls12-377", key(t, gnark_bls12377.NewSRS).Pk, gnark_bls12377.ErrInvalidPolynomialSize, gnark_bls12377.ErrInvalidNbDigests,
		scheme[fr_bls12377.Element, gnark_bls12377.ProvingKey, gnark_bls12377.Digest, gnark_bls12377.OpeningProof, gnark_bls12377.BatchOpeningProof]{
			kzg_bls12377.Commit, kzg_bls12377.Open, kzg_bls12377.BatchOpenSinglePoint,
		},
		scheme[fr_bls12377.Element, gnark_bls12377.ProvingKey, gnark_bls12377.Digest, gnark_bls12377.OpeningProof, gnark_bls12377.BatchOpeningProof]{
			gnark_bls12377.Commit, gnark_bls12377.Open, gnark_bls12377.BatchOpenSinglePoint,
		})
	compare(t, "bw6-761", key(t, gnark_bw6761.NewSRS).Pk, gnark_bw6761.ErrInvalidPolynomialSize, gnark_bw6761.ErrInvalidNbDigests,
		scheme[fr_bw6761.Element, gnark_bw6761.ProvingKey, gnark_bw6761.Digest, gnark_bw6761.OpeningProof, gnark_bw6761.BatchOpeningProof]{
			kzg_bw6761.Commit, kzg_bw6761.Open, kzg_bw6761.BatchOpenSinglePoint,
		},
		scheme[fr_bw6761.Element, gnark_bw6761.ProvingKey, gnark_bw6761.Digest, gnark_bw6761.OpeningProof, gnark_bw6761.BatchOpeningProof]{
			gnark_bw6761.Commit, gnark_bw6761.Open, gnark_bw6761.BatchOpenSinglePoint,
		})
}
