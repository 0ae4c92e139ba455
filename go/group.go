package bucketwheel

import (
	"context"
	"math"
	"runtime"
	"unsafe"

	"github.com/consensys/gnark-crypto/ecc"
)

// Jacobian lists the methods of gnark-crypto's points in Jacobian coordinates that this package calls.
type Jacobian[J, P, S any] interface {
	*J
	FromAffine(*P) *J
	MultiExp(points []P, scalars []S, config ecc.MultiExpConfig) (*J, error)
}

// Group is a group of a curve, with gnark-crypto's types: P for affine points, S for scalars, J for Jacobian points.
type Group[P, S, J any, PJ Jacobian[J, P, S]] struct {
	curve, group uint32
	// Least numbers of points for which the library is faster than gnark-crypto on two CPUs, by BenchmarkBreakEven: with AVX-512 IFMA
	// and AVX2, and with ADX, which BW6-761 has on CPUs without AVX-512 IFMA.
	breakEven, breakEvenADX int
}

// MultiExp sets p to the sum of scalars[i] times points[i] and returns p, as the method of gnark-crypto does. It uses
// at most config.NbTasks threads, or at most GOMAXPROCS threads if NbTasks is 0.
func (g Group[P, S, J, PJ]) MultiExp(p *J, points []P, scalars []S, config ecc.MultiExpConfig) (*J, error) {
	return g.MultiExpContext(context.Background(), p, points, scalars, config)
}

// MultiExpContext is MultiExp that stops within milliseconds when ctx is cancelled. It returns the context's error then. Sums that
// gnark-crypto computes do not stop (docs/go.md says which).
func (g Group[P, S, J, PJ]) MultiExpContext(ctx context.Context, p *J, points []P, scalars []S, config ecc.MultiExpConfig) (*J, error) {
	// gnark-crypto reports wrong arguments.
	if len(points) < g.fewest(config.NbTasks) || len(points) != len(scalars) || config.NbTasks > maxTasks {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		return PJ(p).MultiExp(points, scalars, config)
	}
	return g.sum(ctx, p, points, scalars, config)
}

// fewest returns the least number of points for which the library is faster than gnark-crypto. On one CPU, the library was faster at
// each measured size, 1 to 1024 points, except in G2 with ADX.
func (g Group[P, S, J, PJ]) fewest(nbTasks int) int {
	if g.group == groupG1 && (g.breakEvenADX == 1 || threads(nbTasks) == 1) {
		return 1
	}
	// If the library does not load, the sum returns the error.
	switch layout, _ := g.Layout(context.Background()); {
	case layout != backendADX:
		return g.breakEven
	case g.group == groupG2:
		return math.MaxInt
	}
	return g.breakEvenADX
}

// sum computes a sum with the library.
func (g Group[P, S, J, PJ]) sum(ctx context.Context, p *J, points []P, scalars []S, config ecc.MultiExpConfig) (*J, error) {
	var result P
	err := withPoints(ctx, g.curve, g.group, Options{NbTasks: config.NbTasks}, func(arguments *arguments) []cPoints {
		return []cPoints{describePoints(arguments, points)}
	}, func(bases unsafe.Pointer) error {
		return runSum(ctx, bases, scalars, &result, config.NbTasks)
	})
	if err != nil {
		return nil, err
	}
	return PJ(p).FromAffine(&result), nil
}

// Prepare converts points for many sums. Close frees the points; so does the garbage collector.
func (g Group[P, S, J, PJ]) Prepare(ctx context.Context, points []P, options Options) (*Bases[P, S, J, PJ], error) {
	handle, err := prepare(ctx, g.curve, g.group, options, func(arguments *arguments) []cPoints {
		return []cPoints{describePoints(arguments, points)}
	})
	if err != nil {
		return nil, err
	}
	return &Bases[P, S, J, PJ]{handle}, nil
}

// Load prepares the points of a file: a table that WriteTable wrote, which is used where it lies, or any format of points that the
// library reads, gnark-crypto's among them.
func (g Group[P, S, J, PJ]) Load(ctx context.Context, path string, options Options) (*Bases[P, S, J, PJ], error) {
	handle, err := loadFile(ctx, g.curve, g.group, options, path)
	if err != nil {
		return nil, err
	}
	return &Bases[P, S, J, PJ]{handle}, nil
}

// Map prepares the points of a table in memory that Go does not manage: of a mapped file that WriteTable wrote. The bases use the
// table where it lies: nobody may change, unmap or free it before Close. All points are read once, to check their digest.
func (g Group[P, S, J, PJ]) Map(ctx context.Context, table []byte, options Options) (*Bases[P, S, J, PJ], error) {
	handle, err := mapTables(ctx, g.curve, g.group, options, table)
	if err != nil {
		return nil, err
	}
	return &Bases[P, S, J, PJ]{handle}, nil
}

// Layout names the layout in memory of points that this CPU prepares, BW_BACKEND_... of bucketwheel.h. Tables are in the layout of
// the CPU that made them, and CPUs without its instructions cannot use them. The environment variable BUCKETWHEEL_BACKEND may
// choose another layout than the fastest.
func (g Group[P, S, J, PJ]) Layout(ctx context.Context) (layout uint32, err error) {
	err = withPoints(ctx, g.curve, g.group, Options{}, func(*arguments) []cPoints {
		return []cPoints{{form: formMontgomery}}
	}, func(bases unsafe.Pointer) error {
		// The call that made the bases has loaded the library.
		lib, _ := load()
		layout = lib.basesBackend(bases)
		return nil
	})
	return layout, err
}

// Bases are points that are prepared for sums. Any number of goroutines may use them at once.
type Bases[P, S, J any, PJ Jacobian[J, P, S]] struct {
	handle *handle
}

// MultiExp sets p to the sum of scalars[i] times point i and returns p. There may be fewer scalars than points: points
// beyond the last scalar do not count.
func (b *Bases[P, S, J, PJ]) MultiExp(p *J, scalars []S, config ecc.MultiExpConfig) (*J, error) {
	return b.MultiExpContext(context.Background(), p, scalars, config)
}

// MultiExpContext is MultiExp that stops within milliseconds when ctx is cancelled. It returns the context's error then.
func (b *Bases[P, S, J, PJ]) MultiExpContext(ctx context.Context, p *J, scalars []S, config ecc.MultiExpConfig) (*J, error) {
	var result P
	if err := b.handle.sum(ctx, config, len(scalars), func(bases unsafe.Pointer) error {
		return runSum(ctx, bases, padded(scalars, b.handle.len), &result, config.NbTasks)
	}); err != nil {
		return nil, err
	}
	return PJ(p).FromAffine(&result), nil
}

// Commit returns the sum of scalars[i] times point i: over the points of a KZG SRS, the commitment to a polynomial with these
// coefficients. So bases in G1 are a Committer of the curve's kzg package.
func (b *Bases[P, S, J, PJ]) Commit(scalars []S) (P, error) {
	var result P
	err := b.handle.sum(context.Background(), ecc.MultiExpConfig{}, len(scalars), func(bases unsafe.Pointer) error {
		return runSum(context.Background(), bases, padded(scalars, b.handle.len), &result, 0)
	})
	return result, err
}

// Len returns the number of points; 0 after Close.
func (b *Bases[P, S, J, PJ]) Len() int { return b.handle.count() }

// WriteTable writes the points and their copies to a file that Load maps. The CPU of the reader must have the instruction set of
// the writer.
func (b *Bases[P, S, J, PJ]) WriteTable(path string) error { return b.handle.writeTable(path) }

// Close frees the points once the sums that are under way have ended. Later calls return [ErrClosed].
func (b *Bases[P, S, J, PJ]) Close() error { return b.handle.close() }

// Pair is both groups of a curve, for sums with the same scalars in both groups: the library sorts the scalars once.
type Pair[P1, P2, S any] struct {
	curve uint32
}

// Sums are a sum in G1 and a sum in G2.
type Sums[P1, P2 any] struct {
	G1 P1
	G2 P2
}

// MultiExp returns the sums of scalars[i] times g1[i] and of scalars[i] times g2[i].
func (p Pair[P1, P2, S]) MultiExp(ctx context.Context, g1 []P1, g2 []P2, scalars []S, config ecc.MultiExpConfig) (Sums[P1, P2], error) {
	var result Sums[P1, P2]
	err := withPoints(ctx, p.curve, groupPair, Options{NbTasks: config.NbTasks}, func(arguments *arguments) []cPoints {
		return []cPoints{describePoints(arguments, g1), describePoints(arguments, g2)}
	}, func(bases unsafe.Pointer) error {
		return runSum(ctx, bases, scalars, &result, config.NbTasks)
	})
	return result, err
}

// Prepare converts points for many sums, as [Group.Prepare] does.
func (p Pair[P1, P2, S]) Prepare(ctx context.Context, g1 []P1, g2 []P2, options Options) (*PairBases[P1, P2, S], error) {
	handle, err := prepare(ctx, p.curve, groupPair, options, func(arguments *arguments) []cPoints {
		return []cPoints{describePoints(arguments, g1), describePoints(arguments, g2)}
	})
	if err != nil {
		return nil, err
	}
	return &PairBases[P1, P2, S]{handle}, nil
}

// Map prepares the points of two tables, one of each group, as [Group.Map] does.
func (p Pair[P1, P2, S]) Map(ctx context.Context, table1, table2 []byte, options Options) (*PairBases[P1, P2, S], error) {
	handle, err := mapTables(ctx, p.curve, groupPair, options, table1, table2)
	if err != nil {
		return nil, err
	}
	return &PairBases[P1, P2, S]{handle}, nil
}

// PairBases are points of both groups that are prepared for sums. Any number of goroutines may use them at once.
type PairBases[P1, P2, S any] struct {
	handle *handle
}

// MultiExp returns the sums of scalars[i] times point i of each group. There may be fewer scalars than points: points
// beyond the last scalar do not count. It stops within milliseconds when ctx is cancelled and returns the context's
// error then.
func (b *PairBases[P1, P2, S]) MultiExp(ctx context.Context, scalars []S, config ecc.MultiExpConfig) (Sums[P1, P2], error) {
	var result Sums[P1, P2]
	err := b.handle.sum(ctx, config, len(scalars), func(bases unsafe.Pointer) error {
		return runSum(ctx, bases, padded(scalars, b.handle.len), &result, config.NbTasks)
	})
	return result, err
}

// Len returns the number of points in each group; 0 after Close.
func (b *PairBases[P1, P2, S]) Len() int { return b.handle.count() }

// Close frees the bases once the sums that are under way have ended. Later calls return [ErrClosed].
func (b *PairBases[P1, P2, S]) Close() error { return b.handle.close() }

// Largest number of tasks that gnark-crypto accepts.
const maxTasks = 1024

// threads returns the number of threads for a call with nbTasks: at most the number of threads that run Go code.
func threads(nbTasks int) uintptr {
	most := runtime.GOMAXPROCS(0)
	if nbTasks > 0 && nbTasks < most {
		return uintptr(nbTasks)
	}
	return uintptr(most)
}

// padded returns n scalars: the given scalars, followed by zeros.
func padded[S any](scalars []S, n int) []S {
	if len(scalars) >= n {
		return scalars
	}
	all := make([]S, n)
	copy(all, scalars)
	return all
}
