package kzg

import (
	"context"
	"crypto/sha256"
	"errors"
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254/kzg"

	"bucketwheel"
)

func TestOpenings(t *testing.T) {
	srs, err := kzg.NewSRS(1000, big.NewInt(40))
	if err != nil {
		t.Fatal(err)
	}
	polynomials, digests := make([][]fr.Element, 3), make([]kzg.Digest, 3)
	bases, err := Prepare(context.Background(), srs.Pk, bucketwheel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer bases.Close()
	for i := range polynomials {
		polynomials[i] = make([]fr.Element, 1000-i*300)
		for j := range polynomials[i] {
			polynomials[i][j].MustSetRandom()
		}
		digests[i], err = Commit(polynomials[i], srs.Pk)
		expected, _ := kzg.Commit(polynomials[i], srs.Pk)
		prepared, preparedErr := bases.Commit(polynomials[i])
		if err != nil || preparedErr != nil || digests[i] != expected || prepared != expected {
			t.Fatalf("a commitment is not gnark-crypto's: %v, %v", err, preparedErr)
		}
	}
	var point fr.Element
	point.SetUint64(12345)
	proof, err := Open(polynomials[0], point, srs.Pk)
	if err != nil || kzg.Verify(&digests[0], &proof, point, srs.Vk) != nil {
		t.Fatalf("an opening: %v", err)
	}
	batch, err := BatchOpenSinglePoint(polynomials, digests, point, sha256.New(), srs.Pk)
	if err != nil || kzg.BatchVerifySinglePoint(digests, &batch, point, sha256.New(), srs.Vk) != nil {
		t.Fatalf("an opening of three: %v", err)
	}
	proof, err = kzg.OpenWithCommitter(polynomials[0], point, bases)
	if err != nil || kzg.Verify(&digests[0], &proof, point, srs.Vk) != nil {
		t.Fatalf("an opening with prepared points: %v", err)
	}

	long := make([]fr.Element, 1001)
	if _, err := Commit(long, srs.Pk); !errors.Is(err, kzg.ErrInvalidPolynomialSize) {
		t.Fatal(err)
	}
	if _, err := Open(long, point, srs.Pk); !errors.Is(err, kzg.ErrInvalidPolynomialSize) {
		t.Fatal(err)
	}
	if _, err := BatchOpenSinglePoint([][]fr.Element{long}, digests[:1], point, sha256.New(), srs.Pk); !errors.Is(err, kzg.ErrInvalidPolynomialSize) {
		t.Fatal(err)
	}
	if _, err := BatchOpenSinglePoint(polynomials, digests[:1], point, sha256.New(), srs.Pk); !errors.Is(err, kzg.ErrInvalidNbDigests) {
		t.Fatal(err)
	}
}
