// Command bench compares gnark's prover and gnark-crypto's sums with the library's, taking turns. Both use the CPUs that the process
// may use (taskset), because gnark counts CPUs, not GOMAXPROCS.
//
//	bench key -sizes 22 -keys FOLDER
//	bench groth16 -sizes 16,18 -keys FOLDER
//	bench mapped -sizes 16,18 -keys FOLDER
//	bench memory -sizes 16 -keys FOLDER -prover gnark
//	bench multiexp -sizes 10,12,14,16,18,20 -groups bn254-g1,bls12-377-g2
//	bench quotient -sizes 16,18
//
// gnark's Setup makes a key once, and the key stays in FOLDER, in gnark's format and in the mapped format.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/logger"

	ours "bucketwheel/gnark/groth16"
)

func main() {
	logger.Disable()
	if len(os.Args) < 2 {
		fail(fmt.Errorf("no command: expected key, groth16, mapped, memory, multiexp or quotient"))
	}
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	sizes := flags.String("sizes", "16", "logarithms of sizes")
	keys := flags.String("keys", os.TempDir(), "folder where keys are kept")
	rounds := flags.Int("rounds", 5, "rounds, of which the median counts")
	prover := flags.String("prover", "ours", "gnark, ours, or mapped: ours with a mapped key")
	groups := flags.String("groups", strings.Join(groupNames(), ","), "groups of multiexp")
	flags.Parse(os.Args[2:])
	var logs []int
	for _, text := range strings.Split(*sizes, ",") {
		size, err := strconv.Atoi(text)
		fail(err)
		logs = append(logs, size)
	}
	if os.Args[1] == "multiexp" {
		tabulateSums(logs, strings.Split(*groups, ","), *rounds)
		return
	}
	for _, size := range logs {
		switch os.Args[1] {
		case "key":
			writeKey(size, *keys)
		case "groth16":
			compareProvers(size, *keys, *rounds)
		case "mapped":
			compareKeys(size, *keys, *rounds)
		case "memory":
			measureMemory(size, *keys, *prover)
		case "quotient":
			compareQuotients(size, *rounds)
		default:
			fail(fmt.Errorf("unknown command %s: expected key, groth16, mapped, memory, multiexp or quotient", os.Args[1]))
		}
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// chain is a circuit with this number of multiplications.
type chain struct {
	X      frontend.Variable
	Y      frontend.Variable `gnark:",public"`
	length int
}

func (c *chain) Define(api frontend.API) error {
	x := c.X
	for range c.length {
		x = api.Mul(x, x)
	}
	api.AssertIsEqual(x, c.Y)
	return nil
}

// job is a circuit and a witness.
type job struct {
	system  constraint.ConstraintSystem
	witness witness.Witness
}

func newJob(size int) job {
	field := ecc.BN254.ScalarField()
	circuit := &chain{length: 1<<size - 1}
	system, err := frontend.Compile(field, r1cs.NewBuilder, circuit)
	fail(err)
	y := big.NewInt(3)
	for range circuit.length {
		y.Mul(y, y).Mod(y, field)
	}
	full, err := frontend.NewWitness(&chain{X: 3, Y: y}, field)
	fail(err)
	return job{system, full}
}

func dumpPath(size int, keys string) string {
	return filepath.Join(keys, fmt.Sprintf("bench-%d.key", size))
}

func mappedPath(size int, keys string) string {
	return filepath.Join(keys, fmt.Sprintf("bench-%d.mapped", size))
}

// writeKey makes a key and writes it in both formats.
func writeKey(size int, keys string) {
	var job job
	compiling := timed(func() { job = newJob(size) })
	var pk groth16.ProvingKey
	setup := timed(func() {
		var err error
		pk, _, err = groth16.Setup(job.system)
		fail(err)
	})
	most := memory("VmHWM")
	dumping := timed(func() {
		file, err := os.Create(dumpPath(size, keys))
		fail(err)
		fail(pk.WriteDump(file))
		fail(file.Close())
	})
	mapping := timed(func() { fail(ours.WriteMapped(mappedPath(size, keys), pk)) })
	fmt.Printf("2^%d constraints, %d CPUs: compiled in %.1f s, Setup %.1f s with a peak of %d MiB, WriteDump %.1f s, WriteMapped %.1f s\n",
		size, runtime.NumCPU(), compiling.Seconds(), setup.Seconds(), most, dumping.Seconds(), mapping.Seconds())
}

// readKey returns gnark's key, and makes it first if it is missing.
func readKey(size int, keys string) groth16.ProvingKey {
	file, err := os.Open(dumpPath(size, keys))
	if errors.Is(err, fs.ErrNotExist) {
		writeKey(size, keys)
		file, err = os.Open(dumpPath(size, keys))
	}
	fail(err)
	defer file.Close()
	pk := groth16.NewProvingKey(ecc.BN254)
	fail(pk.ReadDump(file))
	return pk
}

func compareProvers(size int, keys string, rounds int) {
	pk, job := readKey(size, keys), newJob(size)
	var solver, native, library clocks
	for range rounds {
		solver.add(func() { _, err := job.system.Solve(job.witness); fail(err) })
		native.add(func() { _, err := groth16.Prove(job.system, pk, job.witness); fail(err) })
		library.add(func() { _, err := ours.Prove(job.system, pk, job.witness); fail(err) })
	}
	for clock, name := range clockNames {
		ratios := make([]float64, rounds)
		for i := range rounds {
			s := solver[clock][i]
			ratios[i] = float64(native[clock][i]-s) / float64(library[clock][i]-s)
		}
		s, n, l := median(solver[clock]), median(native[clock]), median(library[clock])
		fmt.Printf("2^%d constraints, %d CPUs, %s time: solver %.3f s, gnark's prover %.3f s, bucketwheel's %.3f s: %.2fx (%d rounds: %.2fx to %.2fx)\n",
			size, runtime.NumCPU(), name, s.Seconds(), (n - s).Seconds(), (l - s).Seconds(), float64(n-s)/float64(l-s),
			rounds, slices.Min(ratios), slices.Max(ratios))
	}
}

// compareKeys compares a key in memory with a mapped key, which it opens anew in each round.
func compareKeys(size int, keys string, rounds int) {
	pk, job := readKey(size, keys), newJob(size)
	// The first proof of a process takes longer than later proofs, because the library and Go get memory for it.
	_, err := ours.Prove(job.system, pk, job.witness)
	fail(err)
	var opening, solver, first, memory, mapped clocks
	for range rounds {
		solver.add(func() { _, err := job.system.Solve(job.witness); fail(err) })
		memory.add(func() { _, err := ours.Prove(job.system, pk, job.witness); fail(err) })
		var key *ours.MappedKey
		opening.add(func() {
			var err error
			key, err = ours.OpenMapped(mappedPath(size, keys))
			fail(err)
		})
		first.add(func() { _, err := ours.Prove(job.system, key, job.witness); fail(err) })
		mapped.add(func() { _, err := ours.Prove(job.system, key, job.witness); fail(err) })
		fail(key.Close())
	}
	for clock, name := range clockNames {
		s := median(solver[clock])
		fmt.Printf("2^%d constraints, %d CPUs, %s time without the solver: OpenMapped %.1f ms, first proof %.3f s, later proofs %.3f s, with a key in memory %.3f s\n",
			size, runtime.NumCPU(), name, median(opening[clock]).Seconds()*1e3, (median(first[clock]) - s).Seconds(),
			(median(mapped[clock]) - s).Seconds(), (median(memory[clock]) - s).Seconds())
	}
}

// measureMemory prints the memory of a proof. Pages of a mapped key count for as long as they are in the memory of the process;
// the system can take them back.
func measureMemory(size int, keys, prover string) {
	var pk groth16.ProvingKey
	if prover == "mapped" {
		var key *ours.MappedKey
		opening := timed(func() {
			var err error
			key, err = ours.OpenMapped(mappedPath(size, keys))
			fail(err)
		})
		defer key.Close()
		fmt.Printf("2^%d constraints: OpenMapped %.1f ms\n", size, opening.Seconds()*1e3)
		pk = key
	} else {
		pk = readKey(size, keys)
	}
	job := newJob(size)
	debug.FreeOSMemory()
	// From here on, the peak of the process is the peak of the proof.
	fail(os.WriteFile("/proc/self/clear_refs", []byte("5"), 0))
	before, filesBefore := memory("VmRSS"), memory("RssFile")
	prove := groth16.Prove
	if prover != "gnark" {
		prove = ours.Prove
	}
	proving := timed(func() { _, err := prove(job.system, pk, job.witness); fail(err) })
	most, files := memory("VmHWM"), memory("RssFile")
	fmt.Printf("2^%d constraints, %d CPUs, %s: %d MiB before the proof, peak %d MiB, %d MiB of files behind it, %.2f s with the solver\n",
		size, runtime.NumCPU(), prover, before, most, files, proving.Seconds())
	runtime.KeepAlive(pk)
	// The bound of docs/go.md.
	if took, bound := most-before-(files-filesBefore), 96+400<<size>>20; prover != "gnark" && took > bound {
		fail(fmt.Errorf("the proof took %d MiB; expected at most %d MiB", took, bound))
	}
}

// memory returns a value of /proc/self/status, in MiB.
func memory(name string) int {
	status, err := os.ReadFile("/proc/self/status")
	fail(err)
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); fields[0] == name+":" {
			kib, err := strconv.Atoi(fields[1])
			fail(err)
			return kib >> 10
		}
	}
	fail(fmt.Errorf("/proc/self/status has no %s: expected Linux", name))
	return 0
}

// clocks are times by the wall clock, and of the processors: other processes on the machine matter less there.
type clocks [2][]time.Duration

var clockNames = [2]string{"wall", "processor"}

func (c *clocks) add(work func()) {
	before := usage()
	c[0] = append(c[0], timed(work))
	after := usage()
	c[1] = append(c[1], time.Duration(after.Utime.Nano()+after.Stime.Nano()-before.Utime.Nano()-before.Stime.Nano()))
}

// turnClock returns the clock that counts where provers or sums take turns: on one CPU the processor's, to which other processes add
// nothing.
func turnClock() int {
	if runtime.NumCPU() == 1 {
		return 1
	}
	return 0
}

func timed(work func()) time.Duration {
	start := time.Now()
	work()
	return time.Since(start)
}

func usage() (usage syscall.Rusage) {
	fail(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage
}

func median(times []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(times))[len(times)/2]
}
