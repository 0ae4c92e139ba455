package groth16

import (
	"bufio"
	"bytes"
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
)

// ErrMappedKey is wrapped by the error of OpenMapped for a file that is not a whole mapped key.
var ErrMappedKey = errors.New("not a mapped key")

// A mapped key is a header, the key without its points as gnark dumps it, and five arrays of points as they lie in memory: A, B, Z
// and K in G1, B in G2. Each starts at a multiple of mappedAlign bytes.
const (
	mappedMagic  = 0x01_59_45_4b_57_42_4b_47
	mappedAlign  = 64
	mappedArrays = 5
)

// mappedHeader is the start of a mapped key, in the byte order of the CPUs that the library knows.
type mappedHeader struct {
	Magic, Curve uint64
	// Numbers of points.
	Points [mappedArrays]uint64
	// Bytes of the key without its points.
	Small uint64
	// SHA-256 of the key without its points. The points have no checksum: a key opens without a look at them.
	Digest [sha256.Size]byte
}

// points is one of a key's arrays of points.
type points interface {
	len() int
	size() int
	bytes() []byte
	set([]byte)
}

type pointsOf[P any] struct{ slice *[]P }

func (p pointsOf[P]) len() int  { return len(*p.slice) }
func (p pointsOf[P]) size() int { var point P; return int(unsafe.Sizeof(point)) }
func (p pointsOf[P]) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(*p.slice))), p.len()*p.size())
}

// set makes the array these bytes, which lie at a multiple of mappedAlign.
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
	header := mappedHeader{Magic: mappedMagic, Curve: uint64(pk.CurveID()), Small: uint64(dump.Len()), Digest: sha256.Sum256(dump.Bytes())}
	for i, points := range all {
		header.Points[i] = uint64(points.len())
	}
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
	out := bufio.NewWriter(file)
	if err := binary.Write(out, binary.LittleEndian, header); err != nil {
		return err
	}
	if _, err := out.Write(dump.Bytes()); err != nil {
		return err
	}
	end := binary.Size(header) + dump.Len()
	for _, points := range all {
		start := aligned(uint64(end))
		if _, err := out.Write(make([]byte, start-uint64(end))); err != nil {
			return err
		}
		if _, err := out.Write(points.bytes()); err != nil {
			return err
		}
		end = int(start) + len(points.bytes())
	}
	if err := out.Flush(); err != nil {
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

func aligned(offset uint64) uint64 { return (offset + mappedAlign - 1) / mappedAlign * mappedAlign }

// An alias, whose name hides the field from other packages: a key that outlives its file would read what is there no more.
type provingKey = ProvingKey

// MappedKey is a proving key whose points lie in a file. It opens in milliseconds, and pages of the file that memory lacks are read
// as a proof needs them. Nobody may change or shorten the file before Close.
type MappedKey struct {
	provingKey
	// Held for reading by proofs.
	mutex sync.RWMutex
	file  []byte
}

// OpenMapped opens a key that WriteMapped wrote. It trusts the points: a file from a stranger may hold others than it should.
func OpenMapped(path string) (*MappedKey, error) {
	file, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	pk, err := readMapped(file)
	if err != nil {
		unmapFile(file)
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &MappedKey{provingKey: pk, file: file}, nil
}

func readMapped(file []byte) (ProvingKey, error) {
	var header mappedHeader
	if binary.Read(bytes.NewReader(file), binary.LittleEndian, &header) != nil || header.Magic != mappedMagic {
		return nil, fmt.Errorf("%w: expected a file of WriteMapped", ErrMappedKey)
	}
	var pk ProvingKey
	switch header.Curve {
	case uint64(ecc.BN254), uint64(ecc.BLS12_381), uint64(ecc.BLS12_377), uint64(ecc.BW6_761):
		pk = NewProvingKey(ecc.ID(header.Curve))
	default:
		return nil, fmt.Errorf("%w: curve %d; expected one with Groth16", ErrMappedKey, header.Curve)
	}
	start := uint64(binary.Size(header))
	if header.Small > uint64(len(file))-start || sha256.Sum256(file[start:start+header.Small]) != header.Digest {
		return nil, fmt.Errorf("%w: its start is incomplete or damaged; write it again", ErrMappedKey)
	}
	if err := pk.ReadDump(bytes.NewReader(file[start : start+header.Small])); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMappedKey, err)
	}
	start += header.Small
	for i, points := range arrays(pk) {
		start = aligned(start)
		count, size := header.Points[i], uint64(points.size())
		if start > uint64(len(file)) || count > (uint64(len(file))-start)/size {
			return nil, fmt.Errorf("%w: %d bytes are too few for its points; the file is incomplete", ErrMappedKey, len(file))
		}
		end := start + count*size
		points.set(file[start:end:end])
		start = end
	}
	if start != uint64(len(file)) {
		return nil, fmt.Errorf("%w: %d bytes; expected %d", ErrMappedKey, len(file), start)
	}
	return pk, nil
}

// use calls body with the key as gnark has it. Close waits until it returns.
func (k *MappedKey) use(body func(pk ProvingKey) (Proof, error)) (Proof, error) {
	k.mutex.RLock()
	defer k.mutex.RUnlock()
	if k.file == nil {
		return nil, fmt.Errorf("%w: it is closed", ErrKey)
	}
	return body(k.provingKey)
}

// Close gives the file back once the proofs under way have ended. Nobody may be in another method of the key.
func (k *MappedKey) Close() error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.file == nil {
		return nil
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
