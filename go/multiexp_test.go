package bucketwheel

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"github.com/consensys/gnark-crypto/ecc"
	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	fr_bn254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	bw6761 "github.com/consensys/gnark-crypto/ecc/bw6-761"
)

// testScalar and testPoint are the methods of gnark-crypto's types that tests need.
type testScalar[S any] interface {
	*S
	SetBigInt(*big.Int) *S
	SetRandom() (*S, error)
	SetUint64(uint64) *S
}

type testPoint[J any] interface {
	*J
	Equal(*J) bool
}

// somePoints returns points in the subgroup, some of them at infinity and some equal.
func somePoints[P, S any, PS testScalar[S]](t testing.TB, n int, multiples func(*P, []S) []P, generator P) []P {
	t.Helper()
	factors := make([]S, n)
	for i := range factors {
		switch i % 16 {
		case 3:
		case 5:
			PS(&factors[i]).SetUint64(7)
		default:
			PS(&factors[i]).SetUint64(rand.Uint64())
		}
	}
	return multiples(&generator, factors)
}

// someScalars returns random scalars, some of them 0, short, or the largest scalar.
func someScalars[S any, PS testScalar[S]](t testing.TB, n int) []S {
	t.Helper()
	scalars := make([]S, n)
	for i := range scalars {
		switch i % 8 {
		case 1:
		case 2:
			PS(&scalars[i]).SetUint64(rand.Uint64())
		case 3:
			PS(&scalars[i]).SetBigInt(big.NewInt(-1))
		default:
			if _, err := PS(&scalars[i]).SetRandom(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return scalars
}

// TestThreads counts the threads that compute: each thread that has at least an eighth of the processor time of some sums.
func TestThreads(t *testing.T) {
	// Otherwise Go may move the calls from thread to thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_, _, generator, _ := bn254.Generators()
	const n = 1 << 13
	points := somePoints[bn254.G1Affine, fr_bn254.Element](t, n, bn254.BatchScalarMultiplicationG1, generator)
	scalars := someScalars[fr_bn254.Element](t, n)
	for _, limits := range []struct{ maxProcs, nbTasks, expected int }{
		{runtime.NumCPU(), 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 0, min(2, runtime.NumCPU())}, {runtime.NumCPU(), 2, min(2, runtime.NumCPU())},
	} {
		before := runtime.GOMAXPROCS(limits.maxProcs)
		start := threadTimes(t)
		for range 20 {
			var sum bn254.G1Jac
			if _, err := BN254G1.MultiExp(&sum, points, scalars, ecc.MultiExpConfig{NbTasks: limits.nbTasks}); err != nil {
				t.Fatal(err)
			}
		}
		end := threadTimes(t)
		runtime.GOMAXPROCS(before)
		var total uint64
		for thread := range end {
			end[thread] -= start[thread]
			total += end[thread]
		}
		found := 0
		for _, time := range end {
			if 8*time >= total {
				found++
			}
		}
		if found != limits.expected {
			t.Errorf("GOMAXPROCS %d and NbTasks %d: %d threads compute; expected %d (%v ns)", limits.maxProcs, limits.nbTasks, found, limits.expected, end)
		}
	}
}

// threadTimes returns the nanoseconds that each thread of the process has run.
func threadTimes(t *testing.T) map[string]uint64 {
	t.Helper()
	files, err := filepath.Glob("/proc/self/task/*/schedstat")
	if err != nil || len(files) == 0 {
		t.Skip("this system does not tell the times of threads")
	}
	times := make(map[string]uint64)
	for _, file := range files {
		// A thread may have ended since.
		if text, err := os.ReadFile(file); err == nil {
			var time uint64
			if _, err := fmt.Sscan(string(text), &time); err != nil {
				t.Fatal(err)
			}
			times[file] = time
		}
	}
	return times
}

func testGroup[P, S, J any, PJ interface {
	Jacobian[J, P, S]
	testPoint[J]
}, PS testScalar[S]](t *testing.T, name string, g Group[P, S, J, PJ], multiples func(*P, []S) []P, generator P) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		const most = 2000
		points, scalars := somePoints[P, S, PS](t, most, multiples, generator), someScalars[S, PS](t, most)
		for _, n := range []int{0, 1, 2, 3, 31, 32, 33, 95, 96, 97, 257, most} {
			for _, config := range []ecc.MultiExpConfig{{}, {NbTasks: 1}, {NbTasks: 1024}} {
				var expected, found J
				if _, err := PJ(&expected).MultiExp(points[:n], scalars[:n], config); err != nil {
					t.Fatal(err)
				}
				p, err := g.MultiExp(&found, points[:n], scalars[:n], config)
				if err != nil {
					t.Fatal(err)
				}
				if p != &found || !PJ(&found).Equal(&expected) {
					t.Fatalf("the sum of %d points with %+v is not gnark-crypto's", n, config)
				}
			}
		}

		var before, p J
		for _, arguments := range []struct {
			scalars int
			config  ecc.MultiExpConfig
		}{{most - 1, ecc.MultiExpConfig{}}, {most, ecc.MultiExpConfig{NbTasks: 1025}}} {
			_, expected := PJ(new(J)).MultiExp(points, scalars[:arguments.scalars], arguments.config)
			_, err := g.MultiExp(&p, points, scalars[:arguments.scalars], arguments.config)
			if err == nil || err.Error() != expected.Error() {
				t.Fatalf("the error is %v; gnark-crypto has %v", err, expected)
			}
		}
		cancelled, cancel := context.WithCancel(context.Background())
		cancel()
		for _, n := range []int{1, most} {
			if _, err := g.MultiExpContext(cancelled, &p, points[:n], scalars[:n], ecc.MultiExpConfig{}); !errors.Is(err, context.Canceled) {
				t.Fatalf("a cancelled context: %v", err)
			}
		}
		if !PJ(&p).Equal(&before) {
			t.Fatal("a sum that failed has written its result")
		}

		// A scalar that is not reduced.
		bad := append([]S(nil), scalars...)
		words := unsafe.Slice((*byte)(unsafe.Pointer(&bad[1234])), unsafe.Sizeof(bad[0]))
		for i := range words {
			words[i] = 0xff
		}
		var ours *Error
		if _, err := g.sum(context.Background(), &p, points, bad, ecc.MultiExpConfig{}); !errors.As(err, &ours) || ours.Code != CodeScalar || ours.Index != 1234 {
			t.Fatalf("a scalar beyond the modulus: %v", err)
		}
		testBases[P, S, J, PJ](t, g, points, scalars)
		testStream[P, S, J, PJ](t, g, points, scalars)
	})
}

func testBases[P, S, J any, PJ interface {
	Jacobian[J, P, S]
	testPoint[J]
}](t *testing.T, g Group[P, S, J, PJ], points []P, scalars []S) {
	ctx := context.Background()
	var expected, prefix J
	if _, err := PJ(&expected).MultiExp(points, scalars, ecc.MultiExpConfig{}); err != nil {
		t.Fatal(err)
	}
	if _, err := PJ(&prefix).MultiExp(points[:777], scalars[:777], ecc.MultiExpConfig{}); err != nil {
		t.Fatal(err)
	}
	check := func(bases *Bases[P, S, J, PJ]) {
		t.Helper()
		var found J
		if _, err := bases.MultiExp(&found, scalars, ecc.MultiExpConfig{NbTasks: 2}); err != nil || !PJ(&found).Equal(&expected) {
			t.Fatalf("a sum over bases: %v", err)
		}
		commitment, err := bases.Commit(scalars[:777])
		if err != nil || !PJ(PJ(&found).FromAffine(&commitment)).Equal(&prefix) {
			t.Fatalf("a commitment: %v", err)
		}
		if _, err := bases.MultiExp(&found, append(scalars, scalars[0]), ecc.MultiExpConfig{}); err == nil {
			t.Fatal("more scalars than points are no error")
		}
	}
	bases, err := g.Prepare(ctx, points, Options{Check: CheckSubgroup})
	if err != nil {
		t.Fatal(err)
	}
	check(bases)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			var found J
			if _, err := bases.MultiExp(&found, scalars, ecc.MultiExpConfig{}); err != nil || !PJ(&found).Equal(&expected) {
				t.Errorf("one of 16 sums at once: %v", err)
			}
		})
	}
	group.Wait()
	// Bases are closed while another goroutine asks for their number of points.
	group.Go(func() {
		if n := bases.Len(); n != 0 && n != len(points) {
			t.Errorf("%d points: expected 0 or %d", n, len(points))
		}
	})
	if err := bases.Close(); err != nil || bases.Close() != nil {
		t.Fatal(err)
	}
	group.Wait()
	if n := bases.Len(); n != 0 {
		t.Fatalf("%d points of closed bases: expected 0", n)
	}
	var p J
	if _, err := bases.MultiExp(&p, scalars, ecc.MultiExpConfig{}); !errors.Is(err, ErrClosed) {
		t.Fatalf("a sum over closed bases: %v", err)
	}

	table, err := g.Prepare(ctx, points, Options{Copies: 3})
	if err != nil {
		t.Fatal(err)
	}
	check(table)
	path := filepath.Join(t.TempDir(), "table")
	if err := table.WriteTable(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := g.Load(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	check(loaded)
	loaded.Close()
	var ours *Error
	if _, err := g.Load(ctx, path+"\x00", Options{}); !errors.As(err, &ours) || ours.Code != CodeFile {
		t.Fatalf("a path with a NUL: %v", err)
	}
	if _, err := g.Load(ctx, path+".none", Options{}); !errors.As(err, &ours) || ours.Code != CodeFile {
		t.Fatalf("a missing file: %v", err)
	}
	bad := append([]P(nil), points...)
	*(*uint64)(unsafe.Pointer(&bad[99])) ^= 1
	if _, err := g.Prepare(ctx, bad, Options{Check: CheckCurve}); !errors.As(err, &ours) || ours.Code != CodeNotOnCurve || ours.Index != 99 {
		t.Fatalf("a point that is not on the curve: %v", err)
	}
	if _, err := g.Prepare(ctx, points, Options{Copies: -1}); !errors.As(err, &ours) || ours.Code != CodeArgument {
		t.Fatalf("negative copies: %v", err)
	}
}

func testStream[P, S, J any, PJ interface {
	Jacobian[J, P, S]
	testPoint[J]
}](t *testing.T, g Group[P, S, J, PJ], points []P, scalars []S) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stream, err := g.Start(ctx, StreamOptions{Points: len(points)})
	if err != nil {
		t.Fatal(err)
	}
	for start := 0; start < len(points); start += 1000 {
		end := min(start+1000, len(points))
		if err := stream.Update(points[start:end], scalars[start:end]); err != nil {
			t.Fatal(err)
		}
	}
	var expected, found J
	if _, err := PJ(&expected).MultiExp(points, scalars, ecc.MultiExpConfig{}); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Flush(&found); err != nil || !PJ(&found).Equal(&expected) || stream.Len() != len(points) {
		t.Fatalf("a stream: %v", err)
	}
	if err := stream.Update(points, scalars[1:]); err == nil {
		t.Fatal("fewer scalars than points are no error")
	}
	cancel()
	if err := stream.Update(points, scalars); !errors.Is(err, context.Canceled) {
		t.Fatalf("a stream whose context was cancelled: %v", err)
	}
	if err := stream.Close(); err != nil {
		t.Fatal(err)
	}
	if err := stream.Update(points, scalars); !errors.Is(err, ErrClosed) {
		t.Fatalf("a closed stream: %v", err)
	}
	// The garbage collector frees this stream.
	if _, err := g.Start(context.Background(), StreamOptions{}); err != nil {
		t.Fatal(err)
	}
}

// gnark-crypto computes the sums for which it is faster.
func TestFewest(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for layout, expected := range map[string]struct{ g1, g2, bw6, bw6Alone int }{
		"adx": {1, math.MaxInt, 96, 1}, "avx2": {1, 1, 32, 1}, "avx512ifma": {1, 1, 32, 1},
	} {
		t.Setenv("BUCKETWHEEL_BACKEND", layout)
		var ours *Error
		if _, err := BN254G1.Layout(context.Background()); errors.As(err, &ours) && ours.Code == CodeBackend {
			t.Logf("this CPU lacks %s", layout)
			continue
		}
		found := expected
		found.g1, found.g2, found.bw6, found.bw6Alone = BN254G1.fewest(0), BN254G2.fewest(1), BW6761G1.fewest(0), BW6761G1.fewest(1)
		if found != expected {
			t.Errorf("%s: %+v; expected %+v", layout, found, expected)
		}
	}
}

func TestGroups(t *testing.T) {
	_, _, bn1, bn2 := bn254.Generators()
	testGroup(t, "BN254G1", BN254G1, bn254.BatchScalarMultiplicationG1, bn1)
	testGroup(t, "BN254G2", BN254G2, bn254.BatchScalarMultiplicationG2, bn2)
	_, _, b381, b381g2 := bls12381.Generators()
	testGroup(t, "BLS12381G1", BLS12381G1, bls12381.BatchScalarMultiplicationG1, b381)
	testGroup(t, "BLS12381G2", BLS12381G2, bls12381.BatchScalarMultiplicationG2, b381g2)
	_, _, b377, b377g2 := bls12377.Generators()
	testGroup(t, "BLS12377G1", BLS12377G1, bls12377.BatchScalarMultiplicationG1, b377)
	testGroup(t, "BLS12377G2", BLS12377G2, bls12377.BatchScalarMultiplicationG2, b377g2)
	_, _, bw, _ := bw6761.Generators()
	testGroup(t, "BW6761G1", BW6761G1, bw6761.BatchScalarMultiplicationG1, bw)
}

func TestPair(t *testing.T) {
	_, _, g1, g2 := bn254.Generators()
	for _, n := range []int{0, 1, 500} {
		points1 := somePoints(t, n, bn254.BatchScalarMultiplicationG1, g1)
		points2 := somePoints(t, n, bn254.BatchScalarMultiplicationG2, g2)
		scalars := someScalars[fr_bn254.Element](t, n)
		sums, err := BN254.MultiExp(context.Background(), points1, points2, scalars, ecc.MultiExpConfig{})
		var expected Sums[bn254.G1Affine, bn254.G2Affine]
		expected.G1.MultiExp(points1, scalars, ecc.MultiExpConfig{})
		expected.G2.MultiExp(points2, scalars, ecc.MultiExpConfig{})
		if err != nil || sums != expected {
			t.Fatalf("the sums of %d points in both groups: %v", n, err)
		}
	}
}

// Both groups over prepared points, and over tables in mapped files.
func TestPairBases(t *testing.T) {
	_, _, g1, g2 := bn254.Generators()
	const n = 500
	ctx, folder := context.Background(), t.TempDir()
	points1 := somePoints(t, n, bn254.BatchScalarMultiplicationG1, g1)
	points2 := somePoints(t, n, bn254.BatchScalarMultiplicationG2, g2)
	scalars := someScalars[fr_bn254.Element](t, n)
	expected, err := BN254.MultiExp(ctx, points1, points2, scalars, ecc.MultiExpConfig{})
	if err != nil {
		t.Fatal(err)
	}
	prefix, err := BN254.MultiExp(ctx, points1[:300], points2[:300], scalars[:300], ecc.MultiExpConfig{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(bases *PairBases[bn254.G1Affine, bn254.G2Affine, fr_bn254.Element], err error) {
		t.Helper()
		if err != nil || bases.Len() != n {
			t.Fatal(err)
		}
		if sums, err := bases.MultiExp(ctx, scalars, ecc.MultiExpConfig{}); err != nil || sums != expected {
			t.Fatalf("the sums over a pair: %v", err)
		}
		if sums, err := bases.MultiExp(ctx, scalars[:300], ecc.MultiExpConfig{}); err != nil || sums != prefix {
			t.Fatalf("the sums of fewer scalars than points: %v", err)
		}
		if _, err := bases.MultiExp(ctx, make([]fr_bn254.Element, n+1), ecc.MultiExpConfig{}); err == nil {
			t.Fatal("more scalars than points are no error")
		}
		if bases.Close() != nil || bases.Close() != nil {
			t.Fatal("a pair does not close")
		}
		if _, err := bases.MultiExp(ctx, scalars, ecc.MultiExpConfig{}); !errors.Is(err, ErrClosed) {
			t.Fatalf("sums over a closed pair: %v", err)
		}
	}
	check(BN254.Prepare(ctx, points1, points2, Options{}))

	prepared1, err := BN254G1.Prepare(ctx, points1, Options{})
	if err != nil {
		t.Fatal(err)
	}
	prepared2, err := BN254G2.Prepare(ctx, points2, Options{})
	if err != nil {
		t.Fatal(err)
	}
	mapped := func(name string, write func(string) error) []byte {
		path := filepath.Join(folder, name)
		if err := write(path); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		table, err := syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = syscall.Munmap(table) })
		return table
	}
	table1, table2 := mapped("1", prepared1.WriteTable), mapped("2", prepared2.WriteTable)
	check(BN254.Map(ctx, table1, table2, Options{}))
	one, err := BN254G1.Map(ctx, table1, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	if sum, err := one.Commit(scalars); err != nil || sum != expected.G1 {
		t.Fatalf("a sum over a mapped table: %v", err)
	}
	var ours *Error
	for _, tables := range [][2][]byte{{table2, table1}, {table1, table2[:len(table2)-1]}, {table1, nil}} {
		if _, err := BN254.Map(ctx, tables[0], tables[1], Options{}); !errors.As(err, &ours) || ours.Code != CodeFormat {
			t.Fatalf("tables of another group or length: %v", err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := BN254G1.Map(cancelled, table1, Options{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("a cancelled context: %v", err)
	}
}

// A cancellation while the library works ends the call long before the sum is done.
func TestCancellationUnderWay(t *testing.T) {
	_, _, g1, _ := bn254.Generators()
	points := make([]bn254.G1Affine, 1<<20)
	few := somePoints(t, 1<<10, bn254.BatchScalarMultiplicationG1, g1)
	for i := range points {
		points[i] = few[i%len(few)]
	}
	scalars := someScalars[fr_bn254.Element](t, len(points))
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("why")
	done := make(chan error)
	go func() {
		var p bn254.G1Jac
		_, err := BN254G1.MultiExpContext(ctx, &p, points, scalars, ecc.MultiExpConfig{})
		done <- err
	}()
	cancel(why)
	if err := <-done; !errors.Is(err, why) {
		t.Fatalf("the error is %v", err)
	}
}

// Cleanups free objects that nobody closed, also while other goroutines work.
func TestGarbageCollection(t *testing.T) {
	_, _, g1, _ := bn254.Generators()
	points := somePoints(t, 300, bn254.BatchScalarMultiplicationG1, g1)
	scalars := someScalars[fr_bn254.Element](t, 300)
	var expected bn254.G1Affine
	expected.MultiExp(points, scalars, ecc.MultiExpConfig{})
	for range 50 {
		bases, err := BN254G1.Prepare(context.Background(), points, Options{})
		if err != nil {
			t.Fatal(err)
		}
		go runtime.GC()
		found, err := bases.Commit(scalars)
		if err != nil || found != expected {
			t.Fatalf("a commitment beside the garbage collector: %v", err)
		}
	}
	ReleaseMemory()
	if version, err := Version(); err != nil || version == "" {
		t.Fatalf("version %q: %v", version, err)
	}
}
