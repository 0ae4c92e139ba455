package groth16

import (
	"context"
	"fmt"
	"hash"
	"math/big"
	"slices"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/constraint/solver"
	fcs "github.com/consensys/gnark/frontend/cs"
	"github.com/consensys/gnark/logger"

	"bucketwheel"
)

// Methods of gnark-crypto's types that the prover calls: scalars, affine points, Jacobian points.
type (
	scalar[S any] interface {
		*S
		BigInt(*big.Int) *big.Int
		Marshal() []byte
		Mul(a, b *S) *S
		Neg(*S) *S
		SetBigInt(*big.Int) *S
		SetBytes([]byte) *S
		SetRandom() (*S, error)
	}
	affine[P, J any] interface {
		*P
		FromJacobian(*J) *P
	}
	jacobian[J, P any] interface {
		*J
		AddAssign(*J) *J
		AddMixed(*P) *J
		FromAffine(*P) *J
		ScalarMultiplication(*J, *big.Int) *J
	}
	committed interface {
		Marshal() []byte
	}
)

// curve has the functions that differ between curves.
type curve[S, P1, J1, P2 any] struct {
	// Bits of a scalar.
	bits int
	// Computes the coefficients of the quotient in bit-reversed order.
	quotient func(ctx context.Context, h, a, b []S, root *S) error
	// Computes a sum in G1.
	sum func(ctx context.Context, p *J1, points []P1, scalars []S, config ecc.MultiExpConfig) (*J1, error)
	// Computes a sum in G1 and a sum in G2 with the same scalars.
	sums func(ctx context.Context, g1 []P1, g2 []P2, scalars []S) (P1, P2, error)
	// Prepares the points of a table in G1.
	open func(ctx context.Context, table []byte) (bases[S, J1], error)
	// Prepares the points of tables in G1 and G2.
	openPair func(ctx context.Context, table1, table2 []byte) (pairBases[S, P1, P2], error)
	// Returns the hash function of commitments.
	newHash func() hash.Hash
	// Returns a scalar that depends on a message.
	challenge func(message []byte) (S, error)
	// Returns the sum of points[i] times challenge^i.
	fold func(points []P1, challenge S) (P1, error)
}

// bases are prepared points in G1.
type bases[S, J1 any] interface {
	opened
	MultiExpContext(ctx context.Context, p *J1, scalars []S, config ecc.MultiExpConfig) (*J1, error)
}

// pairBases are prepared points in G1 and in G2.
type pairBases[S, P1, P2 any] interface {
	opened
	MultiExp(ctx context.Context, scalars []S, config ecc.MultiExpConfig) (bucketwheel.Sums[P1, P2], error)
}

// key is a proving key of gnark.
type key[S, P1, J1, P2 any] struct {
	alpha1, beta1, delta1 *P1
	beta2, delta2         *P2
	a, b1, k, z           []P1
	b2                    []P2
	infinityA, infinityB  []bool
	// Tables of the arrays; nil for a key without tables.
	tables *tables
	// Size of the domain, and its root of unity.
	cardinality uint64
	generator   *S
	// Pairs of a basis and its multiple by the trapdoor.
	commitments [][2][]P1
}

// circuit has the parts of a constraint system that the prover needs.
type circuit[S any] struct {
	curve  ecc.ID
	system constraint.ConstraintSystem
	// The number of wires.
	wires       int
	commitments constraint.Groth16Commitments
	solve       func(options []solver.Option) (w, a, b, c []S, err error)
}

// proof has the points of a proof.
type proof[P1, P2 any] struct {
	ar, krs     P1
	bs          P2
	commitments []P1
	pok         P1
}

// newCircuit describes a constraint system, whose solver returns a solution of type *T.
func newCircuit[S, T any](curve ecc.ID, system constraint.ConstraintSystem, commitments any, fullWitness witness.Witness, open func(*T) (w, a, b, c []S)) (*circuit[S], error) {
	info, ok := commitments.(constraint.Groth16Commitments)
	if !ok {
		return nil, fmt.Errorf("the commitments of the circuit are %T: expected those of Groth16", commitments)
	}
	internal, secret, public := system.GetNbVariables()
	return &circuit[S]{
		curve: curve, system: system, wires: internal + secret + public, commitments: info,
		solve: func(options []solver.Option) (w, a, b, c []S, err error) {
			solved, err := system.Solve(fullWitness, options...)
			if err != nil {
				return nil, nil, nil, nil, err
			}
			solution, ok := solved.(*T)
			if !ok {
				return nil, nil, nil, nil, fmt.Errorf("the solution is %T: expected %T", solved, solution)
			}
			w, a, b, c = open(solution)
			return w, a, b, c, nil
		},
	}, nil
}

// removed returns the sorted wires without a point in K: the wires whose values the commitments hold, and the
// commitments.
func (c *circuit[S]) removed() []int {
	all := c.commitments.CommitmentIndexes()
	for _, committed := range c.commitments.GetPrivateCommitted() {
		all = append(all, committed...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// check compares the sizes of a key with the circuit's.
func (k *key[S, P1, J1, P2]) check(wires, private, constraints int, commitments constraint.Groth16Commitments) error {
	a, b := count(k.infinityA, false), count(k.infinityB, false)
	sizes := []struct {
		what            string
		found, expected int
	}{
		{"InfinityA", len(k.infinityA), wires},
		{"InfinityB", len(k.infinityB), wires},
		{"G1.A", len(k.a), a},
		{"G1.B", len(k.b1), b},
		{"G2.B", len(k.b2), b},
		{"G1.K", len(k.k), private},
		{"Domain.Cardinality", int(k.cardinality), int(ecc.NextPowerOfTwo(uint64(constraints)))},
		{"G1.Z", len(k.z), int(k.cardinality) - 1},
		{"CommitmentKeys", len(k.commitments), len(commitments)},
	}
	for i := range min(len(k.commitments), len(commitments)) {
		for j, what := range []string{"Basis", "BasisExpSigma"} {
			sizes = append(sizes, struct {
				what            string
				found, expected int
			}{fmt.Sprintf("CommitmentKeys[%d].%s", i, what), len(k.commitments[i][j]), len(commitments[i].PrivateCommitted)})
		}
	}
	for _, size := range sizes {
		if size.found != size.expected {
			return fmt.Errorf("%w: %s is %d; expected %d", ErrKey, size.what, size.found, size.expected)
		}
	}
	return nil
}

func count(bits []bool, value bool) int {
	n := 0
	for _, bit := range bits {
		if bit == value {
			n++
		}
	}
	return n
}

// prove makes a proof: gnark's formulas, in its order of random numbers.
func prove[S, P1, J1, P2, J2 any, PS scalar[S], PP1 interface {
	affine[P1, J1]
	committed
}, PJ1 jacobian[J1, P1], PP2 affine[P2, J2], PJ2 jacobian[J2, P2]](
	ctx context.Context, curve *curve[S, P1, J1, P2], key *key[S, P1, J1, P2], circuit *circuit[S], opts []backend.ProverOption,
) (*proof[P1, P2], error) {
	opt, err := backend.NewProverConfig(opts...)
	if err != nil {
		return nil, fmt.Errorf("new prover config: %w", err)
	}
	if opt.HashToFieldFn == nil {
		opt.HashToFieldFn = curve.newHash()
	}
	removed, public := circuit.removed(), circuit.system.GetNbPublicVariables()
	if err := key.check(circuit.wires, circuit.wires-public-len(removed), circuit.system.GetNbConstraints(), circuit.commitments); err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}

	proof := &proof[P1, P2]{commitments: make([]P1, len(circuit.commitments))}
	committedValues := make([][]S, len(circuit.commitments))
	commit := func(_ *big.Int, in, out []*big.Int) error {
		i := int(in[0].Int64())
		hashed := in[1 : 1+len(circuit.commitments[i].PublicAndCommitmentCommitted)]
		values := in[1+len(hashed):]
		committedValues[i] = make([]S, len(circuit.commitments[i].PrivateCommitted))
		for j, value := range values {
			PS(&committedValues[i][j]).SetBigInt(value)
		}
		if err := sumTo[S, P1, J1, P2, PP1](ctx, curve, &proof.commitments[i], key.commitments[i][0], committedValues[i]); err != nil {
			return err
		}
		bytes := (curve.bits + 7) / 8
		opt.HashToFieldFn.Write(constraint.SerializeCommitment(PP1(&proof.commitments[i]).Marshal(), hashed, bytes))
		digest := opt.HashToFieldFn.Sum(nil)
		opt.HashToFieldFn.Reset()
		var value S
		PS(&value).SetBytes(digest[:min(bytes, opt.HashToFieldFn.Size())])
		PS(&value).BigInt(out[0])
		return nil
	}
	options := append(slices.Clip(opt.SolverOpts), solver.OverrideHint(solver.GetHintID(fcs.Bsb22CommitmentComputePlaceholder), commit))
	w, va, vb, vc, err := circuit.solve(options)
	if err != nil {
		return nil, err
	}

	start := time.Now()
	if err := proveKnowledge[S, P1, J1, P2, PS, PP1](ctx, curve, key, circuit, committedValues, w, proof); err != nil {
		return nil, err
	}
	// In the memory of C's values, which the quotient does not need, if that is large enough.
	h := slices.Grow(vc[:0], int(key.cardinality))[:key.cardinality]
	if err := curve.quotient(ctx, h, va, vb, key.generator); err != nil {
		return nil, err
	}
	// The key lacks points at infinity, so their scalars are left out.
	scalarsA, scalarsB := without(va, w, key.infinityA), without(vb, w, key.infinityB)

	var r, s, rs S
	if _, err := PS(&r).SetRandom(); err != nil {
		return nil, err
	}
	if _, err := PS(&s).SetRandom(); err != nil {
		return nil, err
	}
	PS(PS(&rs).Mul(&r, &s)).Neg(&rs)
	var rInt, sInt, rsInt big.Int
	PS(&r).BigInt(&rInt)
	PS(&s).BigInt(&sInt)
	PS(&rs).BigInt(&rsInt)

	var ar, krs, z, term J1
	if err := key.sum(ctx, curve, &z, arrayZ, key.z, h[:len(key.z)]); err != nil {
		return nil, err
	}
	if err := key.sum(ctx, curve, &ar, arrayA, key.a, scalarsA); err != nil {
		return nil, err
	}
	b1, b2, err := key.sums(ctx, curve, scalarsB)
	if err != nil {
		return nil, err
	}
	if err := key.sum(ctx, curve, &krs, arrayK, key.k, withoutIndices(w[public:], public, removed)); err != nil {
		return nil, err
	}

	// A = alpha + sum + r delta
	var delta J1
	PJ1(&delta).FromAffine(key.delta1)
	PJ1(&ar).AddMixed(key.alpha1)
	PJ1(&ar).AddAssign(PJ1(&term).ScalarMultiplication(&delta, &rInt))
	PP1(&proof.ar).FromJacobian(&ar)
	// B1 = beta + sum + s delta
	var bs1 J1
	PJ1(&bs1).FromAffine(&b1)
	PJ1(&bs1).AddMixed(key.beta1)
	PJ1(&bs1).AddAssign(PJ1(&term).ScalarMultiplication(&delta, &sInt))
	// K + Z + s A + r B1 - r s delta
	PJ1(&krs).AddAssign(&z)
	PJ1(&krs).AddAssign(PJ1(&term).ScalarMultiplication(&ar, &sInt))
	PJ1(&krs).AddAssign(PJ1(&term).ScalarMultiplication(&bs1, &rInt))
	PJ1(&krs).AddAssign(PJ1(&term).ScalarMultiplication(&delta, &rsInt))
	PP1(&proof.krs).FromJacobian(&krs)
	// B = beta + sum + s delta in G2
	var bs, delta2, term2 J2
	PJ2(&bs).FromAffine(&b2)
	PJ2(&bs).AddMixed(key.beta2)
	PJ2(&delta2).FromAffine(key.delta2)
	PJ2(&bs).AddAssign(PJ2(&term2).ScalarMultiplication(&delta2, &sInt))
	PP2(&proof.bs).FromJacobian(&bs)

	log := logger.Logger()
	log.Debug().Str("curve", circuit.curve.String()).Str("acceleration", "bucketwheel").
		Int("nbConstraints", circuit.system.GetNbConstraints()).Str("backend", "groth16").Dur("took", time.Since(start)).Msg("prover done")
	return proof, nil
}

// sum sets p to the sum over one of the key's arrays in G1.
func (k *key[S, P1, J1, P2]) sum(ctx context.Context, curve *curve[S, P1, J1, P2], p *J1, which int, points []P1, scalars []S) error {
	bases, err := prepared(ctx, k.tables, []int{which}, func(tables [][]byte) (bases[S, J1], error) { return curve.open(ctx, tables[0]) })
	switch {
	case err != nil:
	case bases != nil:
		_, err = bases.MultiExpContext(ctx, p, scalars, ecc.MultiExpConfig{})
	default:
		_, err = curve.sum(ctx, p, points, scalars, ecc.MultiExpConfig{})
	}
	return err
}

// sums returns the sums over the key's points B in both groups.
func (k *key[S, P1, J1, P2]) sums(ctx context.Context, curve *curve[S, P1, J1, P2], scalars []S) (P1, P2, error) {
	bases, err := prepared(ctx, k.tables, []int{arrayB1, arrayB2}, func(tables [][]byte) (pairBases[S, P1, P2], error) {
		return curve.openPair(ctx, tables[0], tables[1])
	})
	switch {
	case err != nil:
		var none bucketwheel.Sums[P1, P2]
		return none.G1, none.G2, err
	case bases != nil:
		sums, err := bases.MultiExp(ctx, scalars, ecc.MultiExpConfig{})
		return sums.G1, sums.G2, err
	}
	return curve.sums(ctx, k.b1, k.b2, scalars)
}

// proveKnowledge computes the proof that the prover knows the committed values.
func proveKnowledge[S, P1, J1, P2 any, PS scalar[S], PP1 affine[P1, J1]](
	ctx context.Context, curve *curve[S, P1, J1, P2], key *key[S, P1, J1, P2], circuit *circuit[S], values [][]S, w []S, proof *proof[P1, P2],
) error {
	poks := make([]P1, len(key.commitments))
	for i, commitment := range key.commitments {
		if err := sumTo[S, P1, J1, P2, PP1](ctx, curve, &poks[i], commitment[1], values[i]); err != nil {
			return err
		}
	}
	bytes := (curve.bits + 7) / 8
	serialized := make([]byte, bytes*len(circuit.commitments))
	for i, commitment := range circuit.commitments {
		copy(serialized[bytes*i:], PS(&w[commitment.CommitmentIndex]).Marshal())
	}
	challenge, err := curve.challenge(serialized)
	if err != nil {
		return err
	}
	proof.pok, err = curve.fold(poks, challenge)
	return err
}

// sumTo sets p to a sum in G1.
func sumTo[S, P1, J1, P2 any, PP1 affine[P1, J1]](ctx context.Context, curve *curve[S, P1, J1, P2], p *P1, points []P1, scalars []S) error {
	var sum J1
	if _, err := curve.sum(ctx, &sum, points, scalars, ecc.MultiExpConfig{}); err != nil {
		return err
	}
	PP1(p).FromJacobian(&sum)
	return nil
}

// without returns the values whose entry in skip is false, in the memory of room if that is large enough.
func without[S any](room, values []S, skip []bool) []S {
	kept := room[:0]
	for i := range values {
		if !skip[i] {
			kept = append(kept, values[i])
		}
	}
	return kept
}

// withoutIndices returns the values except the values at indices, which are sorted and count from first.
func withoutIndices[S any](values []S, first int, indices []int) []S {
	if len(indices) == 0 {
		return values
	}
	kept := make([]S, 0, len(values))
	next := 0
	for _, index := range indices {
		if index < first {
			continue
		}
		kept = append(kept, values[next:index-first]...)
		next = index - first + 1
	}
	return append(kept, values[next:]...)
}
