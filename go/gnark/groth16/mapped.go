package groth16

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"unsafe"

	"github.com/consensys/gnark-crypto/ecc"
	groth16_bls12377 "github.com/consensys/gnark/backend/groth16/bls12-377"
	groth16_bls12381 "github.com/consensys/gnark/backend/groth16/bls12-381"
	groth16_bn254 "github.com/consensys/gnark/backend/groth16/bn254"
	groth16_bw6761 "github.com/consensys/gnark/backend/groth16/bw6-761"

	"bucketwheel"
)

// ErrMappedKey is wrapped by the error of OpenMapped for a file that is not a whole mapped key, and by the error of a proof that finds
// a damaged table.
var ErrMappedKey = errors.New("not a mapped key")

// A mapped key has four parts: a header; the key without its points, as gnark dumps it; five arrays of points in
// gnark's memory layout; and a table of each array, with the points in the library's layout. Each array and each table
// starts at a multiple of mappedAlign bytes.
const (
	mappedMagic = 0x02_59_45_4b_57_42_4b_47
	mappedAlign = 64
)

// The arrays: A, B, Z and K in G1, B in G2.
const (
	arrayA = iota
	arrayB1
	arrayZ
	arrayK
	arrayB2
	mappedArrays
)

// mappedHeader is the start of a mapped key, in the byte order of the CPUs that the library knows.
type mappedHeader struct {
	Magic, Curve uint64
	// Numbers of points of the arrays.
	Points [mappedArrays]uint64
	// Bytes of each table; 0 for an array without a table.
	Tables [mappedArrays]uint64
	// The layout of the points in the tables, by Group.Layout.
	Layout uint64
	// Bytes of the key without its points.
	Small uint64
	// SHA-256 of the fields above and of the key without its points. A key opens without reading its points: each table
	// has its own digest, which the first proof checks, and arrays have no digest.
	Digest [sha256.Size]byte
}

// digest returns the digest of the start of a key.
func (h mappedHeader) digest(small []byte) [sha256.Size]byte {
	h.Digest = [sha256.Size]byte{}
	hash := sha256.New()
	// A hash accepts all bytes, and the header has a fixed size.
	_ = binary.Write(hash, binary.LittleEndian, h)
	hash.Write(small)
	return [sha256.Size]byte(hash.Sum(nil))
}

// points is one of a key's arrays of points.
type points interface {
	len() int
	size() int
	bytes() []byte
	set([]byte)
	// layout returns the layout of a table that this CPU makes.
	layout() (uint32, error)
	// hasTable is false for an array without points, and for an array in a group that the library lacks.
	hasTable() bool
	writeTable(path string) error
}

type pointsOf[P any] struct {
	slice *[]P
	// nil for a group that the library lacks.
	tables tableMaker[P]
}

// tableMaker makes tables of points.
type tableMaker[P any] interface {
	layout() (uint32, error)
	write(path string, points []P) error
}

type tablesOf[P, S, J any, PJ bucketwheel.Jacobian[J, P, S]] struct {
	group bucketwheel.Group[P, S, J, PJ]
}

func newTableMaker[P, S, J any, PJ bucketwheel.Jacobian[J, P, S]](group bucketwheel.Group[P, S, J, PJ]) tableMaker[P] {
	return tablesOf[P, S, J, PJ]{group}
}

func (t tablesOf[P, S, J, PJ]) layout() (uint32, error) { return t.group.Layout(context.Background()) }

func (t tablesOf[P, S, J, PJ]) write(path string, points []P) error {
	bases, err := t.group.Prepare(context.Background(), points, bucketwheel.Options{})
	if err != nil {
		return err
	}
	defer bases.Close()
	return bases.WriteTable(path)
}

func (p pointsOf[P]) layout() (uint32, error)      { return p.tables.layout() }
func (p pointsOf[P]) hasTable() bool               { return p.tables != nil && p.len() > 0 }
func (p pointsOf[P]) writeTable(path string) error { return p.tables.write(path, *p.slice) }

func (p pointsOf[P]) len() int  { return len(*p.slice) }
func (p pointsOf[P]) size() int { var point P; return int(unsafe.Sizeof(point)) }
func (p pointsOf[P]) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(*p.slice))), p.len()*p.size())
}

// set makes the array from these bytes, which lie at a multiple of mappedAlign.
func (p pointsOf[P]) set(data []byte) {
	*p.slice = unsafe.Slice((*P)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/p.size())
}

// arrays returns a key's arrays of points; nil for a key of an unknown type.
func arrays(pk ProvingKey) []points {
	switch pk := pk.(type) {
	case *groth16_bn254.ProvingKey:
		return arraysBN254(pk)
	case *groth16_bls12381.ProvingKey:
		return arraysBLS12381(pk)
	case *groth16_bls12377.ProvingKey:
		return arraysBLS12377(pk)
	case *groth16_bw6761.ProvingKey:
		return arraysBW6761(pk)
	}
	return nil
}

// small returns a copy of a key without its points, whose domain has no tables.
func small(pk ProvingKey) ProvingKey {
	switch pk := pk.(type) {
	case *groth16_bn254.ProvingKey:
		return smallBN254(pk)
	case *groth16_bls12381.ProvingKey:
		return smallBLS12381(pk)
	case *groth16_bls12377.ProvingKey:
		return smallBLS12377(pk)
	case *groth16_bw6761.ProvingKey:
		return smallBW6761(pk)
	}
	return nil
}

// WriteMapped writes a key to a file for OpenMapped. The file appears whole or not at all.
func WriteMapped(path string, pk ProvingKey) (err error) {
	all := arrays(pk)
	if all == nil {
		return fmt.Errorf("%w: its type is %T", ErrKey, pk)
	}
	var dump bytes.Buffer
	if err := small(pk).WriteDump(&dump); err != nil {
		return err
	}
	layout, err := all[arrayA].layout()
	if err != nil {
		return err
	}
	header := mappedHeader{Magic: mappedMagic, Curve: uint64(pk.CurveID()), Layout: uint64(layout), Small: uint64(dump.Len())}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	// The header follows at the end, when the sizes of the tables are known.
	end := uint64(binary.Size(header))
	if _, err := file.Seek(int64(end), io.SeekStart); err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	write := func(from io.Reader) (uint64, error) {
		n, err := io.Copy(out, from)
		end += uint64(n)
		return uint64(n), err
	}
	align := func() error {
		_, err := write(bytes.NewReader(make([]byte, aligned(end)-end)))
		return err
	}
	if _, err := write(bytes.NewReader(dump.Bytes())); err != nil {
		return err
	}
	for i, points := range all {
		header.Points[i] = uint64(points.len())
		if err := align(); err != nil {
			return err
		}
		if _, err := write(bytes.NewReader(points.bytes())); err != nil {
			return err
		}
	}
	for i, points := range all {
		if !points.hasTable() {
			continue
		}
		if err := align(); err != nil {
			return err
		}
		header.Tables[i], err = appendTable(write, points, file.Name()+".table")
		if err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	header.Digest = header.digest(dump.Bytes())
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := binary.Write(file, binary.LittleEndian, header); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// appendTable appends the table of points, for which it makes a temporary file.
func appendTable(write func(io.Reader) (uint64, error), points points, path string) (uint64, error) {
	defer os.Remove(path)
	if err := points.writeTable(path); err != nil {
		return 0, err
	}
	table, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer table.Close()
	return write(table)
}

func aligned(offset uint64) uint64 { return (offset + mappedAlign - 1) / mappedAlign * mappedAlign }

// An alias, whose name hides the field from other packages, because a key that outlives its file would read unmapped
// memory.
type provingKey = ProvingKey

// MappedKey is a proving key whose points lie in a file. It opens in milliseconds, and a proof reads pages of the file
// that memory lacks. Nobody may change or shorten the file before Close.
type MappedKey struct {
	provingKey
	// Proofs hold it for reading.
	mutex sync.RWMutex
	file  []byte
	// nil if the file has tables for another CPU.
	tables *tables
}

// opened has the methods that prepared tables of all curves and groups share.
type opened interface {
	io.Closer
	Len() int
}

// tables are the tables of a mapped key, by array. The first proof that needs a table prepares it, which reads its points.
type tables [mappedArrays]struct {
	bytes []byte
	// The number of points.
	len int
	// Holds a token while one proof prepares the table. Other proofs wait for the token, or for the end of their context.
	turn chan struct{}
	// The prepared table. The bases at B hold the points of both groups, stored with the table in G1.
	bases opened
}

// prepared returns the prepared tables of some arrays. open prepares them if no proof has needed them yet. The result is nil if the key
// has no tables of the arrays.
func prepared[B opened](ctx context.Context, all *tables, arrays []int, open func(tables [][]byte) (B, error)) (none B, _ error) {
	if all == nil {
		return none, nil
	}
	var bytes [][]byte
	for _, i := range arrays {
		if len(all[i].bytes) == 0 {
			return none, nil
		}
		bytes = append(bytes, all[i].bytes)
	}
	table := &all[arrays[0]]
	select {
	case table.turn <- struct{}{}:
		defer func() { <-table.turn }()
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
	if table.bases == nil {
		bases, err := open(bytes)
		var ours *bucketwheel.Error
		if errors.As(err, &ours) && ours.Code == bucketwheel.CodeFormat {
			return none, fmt.Errorf("%w: %w", ErrMappedKey, err)
		}
		if err != nil {
			return none, err
		}
		if found := bases.Len(); found != table.len {
			bases.Close()
			return none, fmt.Errorf("%w: a table has %d points; expected %d", ErrMappedKey, found, table.len)
		}
		table.bases = bases
	}
	return table.bases.(B), nil
}

// close frees the prepared tables.
func (t *tables) close() {
	for i := range t {
		if t[i].bases != nil {
			t[i].bases.Close()
		}
	}
}

// OpenMapped opens a key that WriteMapped wrote. It trusts the points: a file from a stranger may hold wrong points.
func OpenMapped(path string) (*MappedKey, error) {
	file, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	pk, tables, err := readMapped(file)
	if err != nil {
		unmapFile(file)
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &MappedKey{provingKey: pk, file: file, tables: tables}, nil
}

// readMapped reads a mapped key. It returns no tables if they are for another CPU.
func readMapped(file []byte) (ProvingKey, *tables, error) {
	var header mappedHeader
	if binary.Read(bytes.NewReader(file), binary.LittleEndian, &header) != nil || header.Magic != mappedMagic {
		return nil, nil, fmt.Errorf("%w: expected a file of WriteMapped", ErrMappedKey)
	}
	var pk ProvingKey
	switch header.Curve {
	case uint64(ecc.BN254), uint64(ecc.BLS12_381), uint64(ecc.BLS12_377), uint64(ecc.BW6_761):
		pk = NewProvingKey(ecc.ID(header.Curve))
	default:
		return nil, nil, fmt.Errorf("%w: curve %d; expected one with Groth16", ErrMappedKey, header.Curve)
	}
	start := uint64(binary.Size(header))
	if header.Small > uint64(len(file))-start || header.digest(file[start:start+header.Small]) != header.Digest {
		return nil, nil, fmt.Errorf("%w: its start is incomplete or damaged; write it again", ErrMappedKey)
	}
	if err := pk.ReadDump(bytes.NewReader(file[start : start+header.Small])); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrMappedKey, err)
	}
	end := start + header.Small
	// next returns the next count elements of size bytes.
	next := func(count, size uint64) ([]byte, error) {
		start := aligned(end)
		if start > uint64(len(file)) || count > (uint64(len(file))-start)/size {
			return nil, fmt.Errorf("%w: %d bytes are too few for its points; the file is incomplete", ErrMappedKey, len(file))
		}
		end = start + count*size
		return file[start:end:end], nil
	}
	all := arrays(pk)
	for i, points := range all {
		array, err := next(header.Points[i], uint64(points.size()))
		if err != nil {
			return nil, nil, err
		}
		points.set(array)
	}
	var tables tables
	for i := range tables {
		table := &tables[i]
		if header.Tables[i] == 0 {
			continue
		}
		var err error
		if table.bytes, err = next(header.Tables[i], 1); err != nil {
			return nil, nil, err
		}
		table.len, table.turn = all[i].len(), make(chan struct{}, 1)
	}
	if end != uint64(len(file)) {
		return nil, nil, fmt.Errorf("%w: %d bytes; expected %d", ErrMappedKey, len(file), end)
	}
	layout, err := all[arrayA].layout()
	if err != nil {
		return nil, nil, err
	}
	if header.Layout != uint64(layout) {
		return pk, nil, nil
	}
	return pk, &tables, nil
}

// use calls body, which uses the key. Close waits until it returns.
func (k *MappedKey) use(body func() (Proof, error)) (Proof, error) {
	k.mutex.RLock()
	defer k.mutex.RUnlock()
	if k.file == nil {
		return nil, fmt.Errorf("%w: it is closed", ErrKey)
	}
	return body()
}

// Close unmaps the file once the proofs under way have ended. No other method of the key may run meanwhile.
func (k *MappedKey) Close() error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.file == nil {
		return nil
	}
	if k.tables != nil {
		k.tables.close()
	}
	for _, points := range arrays(k.provingKey) {
		points.set(nil)
	}
	file := k.file
	k.file = nil
	return unmapFile(file)
}

var _ io.Closer = (*MappedKey)(nil)

// mapFile maps a file for reading.
func mapFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	if size == 0 || int64(int(size)) != size {
		return nil, fmt.Errorf("%s: %w: it has %d bytes", path, ErrMappedKey, size)
	}
	return syscall.Mmap(int(file.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
}

func unmapFile(file []byte) error { return syscall.Munmap(file) }
