// Package kzg commits to polynomials over BLS12381 with gnark-crypto's KZG SRS and the sums of bucketwheel. Its functions have the
// arguments and results of gnark-crypto's package of that name.
package kzg

import (
	"context"
	"hash"

	"github.com/consensys/gnark-crypto/ecc"
	crypto "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/kzg"

	"bucketwheel"
)

// Commit commits to a polynomial in canonical form.
func Commit(p []fr.Element, pk kzg.ProvingKey, nbTasks ...int) (kzg.Digest, error) {
	if len(p) > len(pk.G1) {
		return kzg.Digest{}, kzg.ErrInvalidPolynomialSize
	}
	var config ecc.MultiExpConfig
	if len(nbTasks) > 0 {
		config.NbTasks = nbTasks[0]
	}
	var sum crypto.G1Jac
	if _, err := bucketwheel.BLS12381G1.MultiExp(&sum, pk.G1[:len(p)], p, config); err != nil {
		return kzg.Digest{}, err
	}
	var digest kzg.Digest
	return *digest.FromJacobian(&sum), nil
}

// Open computes an opening proof of a polynomial at a point.
func Open(p []fr.Element, point fr.Element, pk kzg.ProvingKey) (kzg.OpeningProof, error) {
	if len(p) > len(pk.G1) {
		return kzg.OpeningProof{}, kzg.ErrInvalidPolynomialSize
	}
	return kzg.OpenWithCommitter(p, point, committer{pk})
}

// BatchOpenSinglePoint computes an opening proof of several polynomials at a point.
func BatchOpenSinglePoint(polynomials [][]fr.Element, digests []kzg.Digest, point fr.Element, hf hash.Hash, pk kzg.ProvingKey, dataTranscript ...[]byte) (kzg.BatchOpeningProof, error) {
	for _, p := range polynomials {
		if len(p) > len(pk.G1) {
			return kzg.BatchOpeningProof{}, kzg.ErrInvalidPolynomialSize
		}
	}
	return kzg.BatchOpenSinglePointWithCommitter(polynomials, digests, point, hf, committer{pk}, dataTranscript...)
}

// Prepare converts the points of a key for many commitments. The result is a [kzg.Committer].
func Prepare(ctx context.Context, pk kzg.ProvingKey, options bucketwheel.Options) (*bucketwheel.Bases[crypto.G1Affine, fr.Element, crypto.G1Jac, *crypto.G1Jac], error) {
	return bucketwheel.BLS12381G1.Prepare(ctx, pk.G1, options)
}

// committer commits with a key that is not prepared.
type committer struct{ pk kzg.ProvingKey }

// Commit implements [kzg.Committer].
func (c committer) Commit(p []fr.Element) (kzg.Digest, error) { return Commit(p, c.pk) }
