package bucketwheel

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"unsafe"

	"github.com/consensys/gnark-crypto/ecc"
)

// Check names the properties of points that Prepare checks.
type Check uint32

const (
	// CheckNone checks nothing: the caller vouches that all points are on the curve and in the prime-order subgroup.
	CheckNone Check = iota
	// CheckCurve checks the curve's equation. Points may lie outside of the subgroup; sums of these points are right, but
	// take longer.
	CheckCurve
	// CheckSubgroup checks the curve's equation and the prime-order subgroup. This check may take longer than a sum.
	CheckSubgroup
)

// Options are options of the preparation of points. Their zero value is right for most programs.
type Options struct {
	// Check names the properties of the points to check.
	Check Check
	// Copies is the largest number of copies of the points to keep, each multiplied by a power of two: a table, with which
	// sums need fewer additions. 0 and 1 keep no table.
	Copies int
	// Memory chooses the table that makes sums fastest within this number of bytes; 0 is no table.
	Memory int
	// NbTasks is the largest number of threads; 0 is GOMAXPROCS.
	NbTasks int
}

func (o Options) c(cancel unsafe.Pointer) (*cOptions, error) {
	if o.Copies < 0 || o.Memory < 0 {
		return nil, &Error{CodeArgument, "options Copies and Memory are negative: expected 0 or more", -1}
	}
	return &cOptions{
		size: unsafe.Sizeof(cOptions{}), threads: threads(o.NbTasks), copies: uintptr(o.Copies), memory: uintptr(o.Memory),
		check: uint32(o.Check), cancel: cancel,
	}, nil
}

// handle owns bases of the library.
type handle struct {
	// Calls that use the bases hold it for reading; freeing the bases holds it for writing.
	mutex   sync.RWMutex
	pointer unsafe.Pointer
	len     int
	cleanup runtime.Cleanup
}

// create prepares points with a call of the library.
func create(ctx context.Context, options Options, make func(lib *library, options *cOptions, out *unsafe.Pointer) int32) (unsafe.Pointer, error) {
	var bases unsafe.Pointer
	err := withCancel(ctx, func(cancel unsafe.Pointer) error {
		options, err := options.c(cancel)
		if err != nil {
			return err
		}
		return call(func(lib *library) int32 { return make(lib, options, &bases) })
	})
	return bases, err
}

// createFrom prepares points that describe describes.
func createFrom(ctx context.Context, curve, group uint32, options Options, describe func(*arguments) []cPoints) (unsafe.Pointer, error) {
	var arguments arguments
	defer arguments.release()
	descriptions := describe(&arguments)
	return create(ctx, options, func(lib *library, options *cOptions, out *unsafe.Pointer) int32 {
		return lib.basesFromPoints(curve, group, &descriptions[0], options, out)
	})
}

// withPoints prepares points for the time of a call of use.
func withPoints(ctx context.Context, curve, group uint32, options Options, describe func(*arguments) []cPoints, use func(bases unsafe.Pointer) error) error {
	bases, err := createFrom(ctx, curve, group, options, describe)
	if err != nil {
		return err
	}
	defer freeBases(bases)
	return use(bases)
}

func prepare(ctx context.Context, curve, group uint32, options Options, describe func(*arguments) []cPoints) (*handle, error) {
	bases, err := createFrom(ctx, curve, group, options, describe)
	if err != nil {
		return nil, err
	}
	return newHandle(bases), nil
}

func loadFile(ctx context.Context, curve, group uint32, options Options, path string) (*handle, error) {
	name, err := cString(path)
	if err != nil {
		return nil, err
	}
	source := cSource{curve: curve, group: group}
	bases, err := create(ctx, options, func(lib *library, options *cOptions, out *unsafe.Pointer) int32 {
		return lib.basesFromFile(name, &source, options, out)
	})
	if err != nil {
		return nil, err
	}
	return newHandle(bases), nil
}

// mapTables makes bases from the table of each group, which lies outside of Go's memory and stays in use.
func mapTables(ctx context.Context, curve, group uint32, options Options, tables ...[]byte) (*handle, error) {
	var lent []cTable
	for _, table := range tables {
		// The table is not pinned, because a pin would end with this call: cgo panics if the table lies in Go's memory.
		lent = append(lent, cTable{data: unsafe.Pointer(unsafe.SliceData(table)), size: uintptr(len(table))})
	}
	bases, err := create(ctx, options, func(lib *library, options *cOptions, out *unsafe.Pointer) int32 {
		return lib.basesFromTables(curve, group, &lent[0], options, out)
	})
	if err != nil {
		return nil, err
	}
	return newHandle(bases), nil
}

func newHandle(bases unsafe.Pointer) *handle {
	// The call that made the bases has loaded the library.
	lib, _ := load()
	h := &handle{pointer: bases, len: lib.basesLen(bases)}
	h.cleanup = runtime.AddCleanup(h, freeBases, bases)
	return h
}

func freeBases(bases unsafe.Pointer) {
	lib, _ := load()
	lib.basesFree(bases)
}

// use calls body with the bases, which nobody frees before it returns.
func (h *handle) use(body func(bases unsafe.Pointer) error) error {
	h.mutex.RLock()
	defer h.mutex.RUnlock()
	if h.pointer == nil {
		return ErrClosed
	}
	return body(h.pointer)
}

// count returns the number of points; 0 after close. It waits for close, so calls inside of use read len instead.
func (h *handle) count() int {
	h.mutex.RLock()
	defer h.mutex.RUnlock()
	return h.len
}

// sum checks the arguments of a sum, as gnark-crypto does, and computes it.
func (h *handle) sum(ctx context.Context, config ecc.MultiExpConfig, scalars int, body func(bases unsafe.Pointer) error) error {
	return h.use(func(bases unsafe.Pointer) error {
		if scalars > h.len {
			return errors.New("len(scalars) > len(points)")
		}
		if config.NbTasks > maxTasks {
			return errors.New("invalid config: config.NbTasks > 1024")
		}
		return body(bases)
	})
}

func (h *handle) writeTable(path string) error {
	name, err := cString(path)
	if err != nil {
		return err
	}
	return h.use(func(bases unsafe.Pointer) error {
		return call(func(lib *library) int32 { return lib.basesWriteTable(bases, name) })
	})
}

func (h *handle) close() error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.pointer != nil {
		h.cleanup.Stop()
		freeBases(h.pointer)
		h.pointer, h.len = nil, 0
	}
	return nil
}

// runSum computes a sum over bases, or both sums of a pair, and writes the result to out.
func runSum[S, Out any](ctx context.Context, bases unsafe.Pointer, scalars []S, out *Out, nbTasks int) error {
	var arguments arguments
	defer arguments.release()
	values, sums := describeScalars(&arguments, scalars), describeSums(&arguments, out)
	return withCancel(ctx, func(cancel unsafe.Pointer) error {
		options, err := Options{NbTasks: nbTasks}.c(cancel)
		if err != nil {
			return err
		}
		return call(func(lib *library) int32 { return lib.msm(bases, &values, options, &sums) })
	})
}

// cString returns the bytes of a path, followed by a NUL.
func cString(path string) (*byte, error) {
	bytes := append([]byte(path), 0)
	for _, b := range bytes[:len(path)] {
		if b == 0 {
			return nil, &Error{CodeFile, "the path has a NUL: expected a file's name", -1}
		}
	}
	return &bytes[0], nil
}

// ReleaseMemory frees the memory that earlier calls kept for later calls.
func ReleaseMemory() {
	if lib, err := load(); err == nil {
		lib.releaseMemory()
	}
}

// Version returns the version of the library.
func Version() (string, error) {
	lib, err := load()
	if err != nil {
		return "", err
	}
	return lib.version(), nil
}
