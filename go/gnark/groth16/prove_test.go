package groth16

import (
	"bytes"
	"context"
	crypto_rand "crypto/rand"
	"crypto/sha256"
	"errors"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/quick"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend"
	native "github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/backend/solidity"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/logger"

	"bucketwheel"
)

func init() {
	logger.Disable()
	solver.RegisterHint(panicking)
}

var curves = []ecc.ID{ecc.BN254, ecc.BLS12_381, ecc.BLS12_377, ecc.BW6_761}

// chain is X^(2^Length) = Y, with additional public inputs, and commitments to some of its values.
type chain struct {
	X       frontend.Variable
	Secrets []frontend.Variable
	Y       frontend.Variable   `gnark:",public"`
	Inputs  []frontend.Variable `gnark:",public"`

	length, commitments int
	hint                bool
}

func newChain(length, inputs, commitments int) *chain {
	return &chain{
		Secrets: make([]frontend.Variable, 2*commitments), Inputs: make([]frontend.Variable, inputs),
		length: length, commitments: commitments,
	}
}

func (c *chain) Define(api frontend.API) error {
	x := c.X
	for range c.length {
		x = api.Mul(x, x)
	}
	api.AssertIsEqual(x, c.Y)
	for _, input := range c.Inputs {
		api.AssertIsDifferent(input, 0)
	}
	for i := range c.commitments {
		commitment, err := api.(frontend.Committer).Commit(c.Secrets[2*i], c.Secrets[2*i+1], x)
		if err != nil {
			return err
		}
		api.AssertIsDifferent(commitment, c.Secrets[2*i])
	}
	if c.hint {
		values, err := api.Compiler().NewHint(panicking, 1, c.X)
		if err != nil {
			return err
		}
		api.AssertIsEqual(values[0], c.X)
	}
	return nil
}

// assign fills in values.
func (c *chain) assign(field *big.Int, x int64) *chain {
	assigned := newChain(c.length, len(c.Inputs), c.commitments)
	y := big.NewInt(x)
	for range c.length {
		y.Mul(y, y).Mod(y, field)
	}
	assigned.X, assigned.Y = x, y
	for i := range assigned.Inputs {
		assigned.Inputs[i] = i + 1
	}
	for i := range assigned.Secrets {
		assigned.Secrets[i] = 2*i + 5
	}
	return assigned
}

func panicking(*big.Int, []*big.Int, []*big.Int) error { panic("the caller's") }

// compiled is a circuit with its keys.
type compiled struct {
	circuit *chain
	curve   ecc.ID
	system  constraint.ConstraintSystem
	pk      ProvingKey
	vk      VerifyingKey
}

func compile(t testing.TB, curve ecc.ID, circuit *chain) *compiled {
	t.Helper()
	system, err := frontend.Compile(curve.ScalarField(), r1cs.NewBuilder, circuit)
	if err != nil {
		t.Fatal(err)
	}
	pk, vk, err := Setup(system)
	if err != nil {
		t.Fatal(err)
	}
	return &compiled{circuit, curve, system, pk, vk}
}

func (c *compiled) witness(t testing.TB, x int64) (full, public witness.Witness) {
	t.Helper()
	full, err := frontend.NewWitness(c.circuit.assign(c.curve.ScalarField(), x), c.curve.ScalarField())
	if err != nil {
		t.Fatal(err)
	}
	public, err = full.Public()
	if err != nil {
		t.Fatal(err)
	}
	return full, public
}

// withRandomness runs body with bytes from a seed in place of the system's randomness.
func withRandomness(seed byte, body func()) {
	before := crypto_rand.Reader
	defer func() { crypto_rand.Reader = before }()
	crypto_rand.Reader = rand.NewChaCha8([32]byte{seed})
	body()
}

func serialize(t testing.TB, proof io.WriterTo) []byte {
	t.Helper()
	var buffer bytes.Buffer
	if _, err := proof.WriteTo(&buffer); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

// checkEqual proves with gnark and with the library from the same randomness.
func checkEqual(t testing.TB, c *compiled, x int64, opts ...backend.ProverOption) {
	t.Helper()
	full, _ := c.witness(t, x)
	var expected, found Proof
	var err, ours error
	withRandomness(byte(x), func() { expected, err = native.Prove(c.system, c.pk, full, opts...) })
	withRandomness(byte(x), func() { found, ours = Prove(c.system, c.pk, full, opts...) })
	if err != nil || ours != nil {
		t.Fatalf("gnark's error is %v, the library's is %v", err, ours)
	}
	if !bytes.Equal(serialize(t, expected), serialize(t, found)) {
		t.Fatalf("%v: the proof is not gnark's: %v, %v", c.curve, found, expected)
	}
}

func TestProofsAreGnarks(t *testing.T) {
	for _, curve := range curves {
		t.Run(curve.String(), func(t *testing.T) {
			for _, circuit := range []*chain{newChain(1, 0, 0), newChain(100, 3, 1), newChain(1000, 0, 2)} {
				c := compile(t, curve, circuit)
				checkEqual(t, c, 3)
				full, public := c.witness(t, 4)
				proof, err := Prove(c.system, c.pk, full)
				if err != nil {
					t.Fatal(err)
				}
				if err := Verify(proof, c.vk, public); err != nil {
					t.Fatal(err)
				}
				_, other := c.witness(t, 5)
				if Verify(proof, c.vk, other) == nil {
					t.Fatal("the proof holds for another public input")
				}
			}
		})
	}
}

func TestRandomCircuits(t *testing.T) {
	check := func(length uint8, inputs, commitments, which uint8, x uint8) bool {
		c := compile(t, curves[int(which)%len(curves)], newChain(int(length)+1, int(inputs%20), int(commitments%3)))
		checkEqual(t, c, int64(x)+2)
		return true
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 12}); err != nil {
		t.Fatal(err)
	}
}

func TestOptions(t *testing.T) {
	c := compile(t, ecc.BN254, newChain(10, 1, 1))
	checkEqual(t, c, 2, backend.WithProverHashToFieldFunction(sha256.New()))
	checkEqual(t, c, 2, solidity.WithProverTargetSolidityVerifier(backend.GROTH16))
	checkEqual(t, c, 2, backend.WithStatisticalZeroKnowledge(), backend.WithSolverOptions(solver.WithNbTasks(1)))
	full, _ := c.witness(t, 2)
	_, expected := native.Prove(c.system, c.pk, full, backend.WithIcicleAcceleration())
	_, err := Prove(c.system, c.pk, full, backend.WithIcicleAcceleration())
	if err == nil || err.Error() != expected.Error() {
		t.Fatalf("the error is %v; gnark has %v", err, expected)
	}
}

// The contract and its calldata come from gnark's exporters.
func TestSolidity(t *testing.T) {
	c := compile(t, ecc.BN254, newChain(10, 1, 1))
	full, _ := c.witness(t, 2)
	option := solidity.WithProverTargetSolidityVerifier(backend.GROTH16)
	calldata := func(prove func(constraint.ConstraintSystem, ProvingKey, witness.Witness, ...backend.ProverOption) (Proof, error)) []byte {
		var proof Proof
		var err error
		withRandomness(1, func() { proof, err = prove(c.system, c.pk, full, option) })
		if err != nil {
			t.Fatal(err)
		}
		return proof.(interface{ MarshalSolidity() []byte }).MarshalSolidity()
	}
	if ours, gnarks := calldata(Prove), calldata(native.Prove); len(ours) == 0 || !bytes.Equal(ours, gnarks) {
		t.Fatalf("the calldata is %x; gnark has %x", ours, gnarks)
	}
	var contract bytes.Buffer
	if err := c.vk.ExportSolidity(&contract); err != nil || !strings.Contains(contract.String(), "function verifyProof(") {
		t.Fatalf("the contract of a verifying key: %v", err)
	}
}

// keyFile collects the bytes of a key. gnark writes each number separately, in at most 8 bytes.
type keyFile struct {
	bytes []byte
	// Positions of bytes outside of numbers. gnark's readers allocate what a length says, so a damaged length can end the process.
	content []int
}

func (f *keyFile) Write(p []byte) (int, error) {
	if len(p) > 8 {
		for i := range p {
			f.content = append(f.content, len(f.bytes)+i)
		}
	}
	f.bytes = append(f.bytes, p...)
	return len(p), nil
}

func TestKeyFiles(t *testing.T) {
	for _, curve := range curves[:2] {
		c := compile(t, curve, newChain(50, 2, 1))
		var normal, raw, dump keyFile
		if _, err := c.pk.WriteTo(&normal); err != nil {
			t.Fatal(err)
		}
		if _, err := c.pk.WriteRawTo(&raw); err != nil {
			t.Fatal(err)
		}
		if err := c.pk.WriteDump(&dump); err != nil {
			t.Fatal(err)
		}
		read := func(reader func(ProvingKey, io.Reader) error, file []byte) (pk ProvingKey, err error) {
			// A damaged length makes gnark's readers panic.
			defer func() {
				if recover() != nil {
					err = errors.New("gnark's reader panics")
				}
			}()
			pk = NewProvingKey(curve)
			return pk, reader(pk, bytes.NewReader(file))
		}
		full, public := c.witness(t, 3)
		for _, kind := range []struct {
			file   keyFile
			reader func(ProvingKey, io.Reader) error
		}{
			{normal, func(pk ProvingKey, r io.Reader) error { _, err := pk.ReadFrom(r); return err }},
			{raw, func(pk ProvingKey, r io.Reader) error { _, err := pk.UnsafeReadFrom(r); return err }},
			{dump, func(pk ProvingKey, r io.Reader) error { return pk.ReadDump(r) }},
		} {
			pk, err := read(kind.reader, kind.file.bytes)
			if err != nil {
				t.Fatal(err)
			}
			if proof, err := Prove(c.system, pk, full); err != nil || Verify(proof, c.vk, public) != nil {
				t.Fatalf("a proof with a key from a file: %v", err)
			}
			for range 10 {
				if _, err := read(kind.reader, kind.file.bytes[:rand.IntN(len(kind.file.bytes))]); err == nil {
					t.Fatal("a truncated key is read")
				}
			}
			for range 20 {
				// The byte belongs to a point or a bit field: the prover must not panic. Some bits do not matter.
				bad := bytes.Clone(kind.file.bytes)
				bad[kind.file.content[rand.IntN(len(kind.file.content))]] ^= 1 << rand.IntN(8)
				pk, err := read(kind.reader, bad)
				if err == nil {
					_, _ = Prove(c.system, pk, full)
				}
			}
		}
	}
}

func TestOtherKeys(t *testing.T) {
	c := compile(t, ecc.BN254, newChain(50, 2, 1))
	full, _ := c.witness(t, 3)
	for _, other := range []*chain{newChain(49, 2, 1), newChain(50, 3, 1), newChain(50, 2, 2), newChain(500, 2, 1)} {
		pk := compile(t, ecc.BN254, other).pk
		if proof, err := Prove(c.system, pk, full); !errors.Is(err, ErrKey) || proof != nil {
			t.Fatalf("the key of another circuit: %v", err)
		}
	}
	if _, err := Prove(c.system, compile(t, ecc.BLS12_381, newChain(50, 2, 1)).pk, full); !errors.Is(err, ErrKey) {
		t.Fatalf("the key of another curve: %v", err)
	}
	if _, err := Prove(c.system, nil, full); !errors.Is(err, ErrKey) {
		t.Fatalf("no key: %v", err)
	}
}

func TestWrongWitness(t *testing.T) {
	c := compile(t, ecc.BN254, newChain(50, 2, 1))
	assigned := c.circuit.assign(c.curve.ScalarField(), 3)
	assigned.Y = 4
	full, err := frontend.NewWitness(assigned, c.curve.ScalarField())
	if err != nil {
		t.Fatal(err)
	}
	if proof, err := Prove(c.system, c.pk, full); err == nil || proof != nil {
		t.Fatal("a wrong witness makes a proof")
	}
}

func TestPanicInHint(t *testing.T) {
	circuit := newChain(5, 0, 0)
	circuit.hint = true
	c := compile(t, ecc.BN254, circuit)
	full, _ := c.witness(t, 3)
	func() {
		defer func() {
			if recover() == nil {
				t.Fatal("the panic is lost")
			}
		}()
		_, _ = Prove(c.system, c.pk, full, backend.WithSolverOptions(solver.WithNbTasks(1)))
	}()
	checkEqual(t, compile(t, ecc.BN254, newChain(5, 0, 0)), 3)
}

func TestConcurrency(t *testing.T) {
	c := compile(t, ecc.BN254, newChain(300, 2, 1))
	full, public := c.witness(t, 3)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			proof, err := Prove(c.system, c.pk, full)
			if err == nil {
				err = Verify(proof, c.vk, public)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestContexts(t *testing.T) {
	c := compile(t, ecc.BN254, newChain(2000, 0, 0))
	full, _ := c.witness(t, 3)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if proof, err := ProveContext(ctx, c.system, c.pk, full); !errors.Is(err, context.Canceled) || proof != nil {
		t.Fatalf("a cancelled context: %v", err)
	}
	// The context ends somewhere during the proof.
	why := errors.New("why")
	under, stop := context.WithCancelCause(context.Background())
	go stop(why)
	if proof, err := ProveContext(under, c.system, c.pk, full); err != nil && (!errors.Is(err, why) || proof != nil) {
		t.Fatalf("a cancelled context: %v", err)
	}
}

func TestMappedKeys(t *testing.T) {
	for _, curve := range curves {
		c := compile(t, curve, newChain(50, 2, 1))
		path := filepath.Join(t.TempDir(), "key")
		if err := WriteMapped(path, c.pk); err != nil {
			t.Fatal(err)
		}
		mapped, err := OpenMapped(path)
		if err != nil {
			t.Fatal(err)
		}
		full, public := c.witness(t, 3)
		var expected, found Proof
		withRandomness(1, func() { expected, err = native.Prove(c.system, c.pk, full) })
		if err != nil {
			t.Fatal(err)
		}
		// A proof that waits for another proof to prepare a table heeds its context.
		mapped.tables[arrayZ].turn <- struct{}{}
		waiting, stop := context.WithTimeout(context.Background(), 10*time.Millisecond)
		if proof, err := ProveContext(waiting, c.system, mapped, full); !errors.Is(err, context.DeadlineExceeded) || proof != nil {
			t.Fatalf("a proof whose context ends while it waits: %v", err)
		}
		stop()
		<-mapped.tables[arrayZ].turn
		withRandomness(1, func() { found, err = Prove(c.system, mapped, full) })
		if err != nil || !bytes.Equal(serialize(t, expected), serialize(t, found)) {
			t.Fatalf("a proof with a mapped key is not gnark's: %v", err)
		}
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				proof, err := Prove(c.system, mapped, full)
				if err != nil || Verify(proof, c.vk, public) != nil {
					t.Errorf("a proof with a mapped key: %v", err)
				}
			})
		}
		group.Wait()
		if mapped.Close() != nil || mapped.Close() != nil {
			t.Fatal("a mapped key does not close")
		}
		if _, err := Prove(c.system, mapped, full); !errors.Is(err, ErrKey) {
			t.Fatalf("a proof with a closed key: %v", err)
		}

		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		open := func(file []byte) (*MappedKey, error) {
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			return OpenMapped(path)
		}
		for _, n := range []int{0, 1, 8, 50, 100, 500, len(file) / 2, len(file) - 1} {
			if _, err := open(file[:n]); !errors.Is(err, ErrMappedKey) {
				t.Fatalf("%d bytes of a key: %v", n, err)
			}
		}
		if _, err := open(append(bytes.Clone(file), 0)); !errors.Is(err, ErrMappedKey) {
			t.Fatalf("a byte behind a key: %v", err)
		}
		for at := range 300 {
			bad := bytes.Clone(file)
			bad[at] ^= 0x40
			if _, err := open(bad); !errors.Is(err, ErrMappedKey) {
				t.Fatalf("byte %d of a key is wrong: %v", at, err)
			}
		}
		for range 5 {
			// Damages a point of the last table.
			bad := bytes.Clone(file)
			bad[len(bad)-1-rand.IntN(1000)] ^= 0xff
			mapped, err := open(bad)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if proof, err := Prove(c.system, mapped, full); !errors.Is(err, ErrMappedKey) || proof != nil {
					t.Fatalf("a proof with a damaged table: %v", err)
				}
			}
			mapped.Close()
		}
	}
}

// A key also serves CPUs with other instruction sets than the writer's, without its tables.
func TestMappedKeysOfOtherCPUs(t *testing.T) {
	const variable = "BUCKETWHEEL_BACKEND"
	for _, curve := range curves {
		c := compile(t, curve, newChain(300, 2, 1))
		var layouts []string
		for _, layout := range []string{"portable", "adx", "aarch64", "avx2", "avx512ifma"} {
			t.Setenv(variable, layout)
			var ours *bucketwheel.Error
			if _, err := arrays(c.pk)[arrayA].layout(); errors.As(err, &ours) && ours.Code == bucketwheel.CodeBackend {
				t.Logf("this CPU or %v lacks %s", curve, layout)
			} else if err != nil {
				t.Fatal(err)
			} else {
				layouts = append(layouts, layout)
			}
		}
		full, public := c.witness(t, 3)
		var expected Proof
		var err error
		withRandomness(1, func() { expected, err = native.Prove(c.system, c.pk, full) })
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		for _, writer := range layouts {
			path := filepath.Join(folder, writer)
			t.Setenv(variable, writer)
			if err := WriteMapped(path, c.pk); err != nil {
				t.Fatal(err)
			}
			for _, reader := range layouts {
				t.Setenv(variable, reader)
				mapped, err := OpenMapped(path)
				if err != nil {
					t.Fatal(err)
				}
				if (mapped.tables != nil) != (reader == writer) {
					t.Fatalf("%v: %s uses tables of %s: %t", curve, reader, writer, mapped.tables != nil)
				}
				for range 2 {
					var found Proof
					withRandomness(1, func() { found, err = Prove(c.system, mapped, full) })
					if err != nil || !bytes.Equal(serialize(t, expected), serialize(t, found)) {
						t.Fatalf("%v: a proof by %s with a key of %s is not gnark's: %v", curve, reader, writer, err)
					}
				}
				if err := mapped.Close(); err != nil {
					t.Fatal(err)
				}
			}
		}
		files, err := os.ReadDir(folder)
		if err != nil || len(files) != len(layouts) {
			t.Fatalf("WriteMapped leaves files behind: %v, %v", files, err)
		}
		if len(layouts) == 1 {
			continue
		}
		// Without its tables, a key's points are gnark's arrays, which have no digest: with a damaged point, no proof holds.
		path := filepath.Join(folder, layouts[1])
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file[bytes.Index(file, arrays(c.pk)[arrayK].bytes())] ^= 1
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv(variable, layouts[0])
		mapped, err := OpenMapped(path)
		if err != nil {
			t.Fatal(err)
		}
		if proof, err := Prove(c.system, mapped, full); err == nil && Verify(proof, c.vk, public) == nil {
			t.Fatal("a proof with a damaged point holds")
		}
		if err := mapped.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
