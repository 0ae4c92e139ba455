//go:build !cgo || bucketwheel_purego

package bucketwheel

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// library has the functions of the shared library, which the first call loads.
type library struct {
	abiVersion      func() uint32
	version         func() string
	errorMessage    func() string
	errorIndexC     func() uintptr
	releaseMemory   func()
	cancelNew       func(out *unsafe.Pointer) int32
	cancelRequest   func(cancel unsafe.Pointer) int32
	cancelFree      func(cancel unsafe.Pointer)
	basesFromPoints func(curve, group uint32, points *cPoints, options *cOptions, out *unsafe.Pointer) int32
	basesFromFile   func(path *byte, source *cSource, options *cOptions, out *unsafe.Pointer) int32
	basesFromTables func(curve, group uint32, tables *cTable, options *cOptions, out *unsafe.Pointer) int32
	basesWriteTable func(bases unsafe.Pointer, path *byte) int32
	basesLenC       func(bases unsafe.Pointer) uintptr
	basesBackend    func(bases unsafe.Pointer) uint32
	basesFree       func(bases unsafe.Pointer)
	msm             func(bases unsafe.Pointer, scalars *cScalars, options *cOptions, sums *cSums) int32
	streamNewC      func(curve, group uint32, points uintptr, options *cOptions, out *unsafe.Pointer) int32
	streamUpdate    func(stream unsafe.Pointer, points *cPoints, scalars *cScalars) int32
	streamFlush     func(stream unsafe.Pointer, sums *cSums) int32
	streamLenC      func(stream unsafe.Pointer) uintptr
	streamFree      func(stream unsafe.Pointer)
	quotient        func(curve, logSize uint32, a, b, root *cScalars, order uint32, options *cOptions, out unsafe.Pointer, size uintptr) int32
}

func (lib *library) errorIndex() int { return int(lib.errorIndexC()) }

func (lib *library) basesLen(bases unsafe.Pointer) int { return int(lib.basesLenC(bases)) }

func (lib *library) streamLen(stream unsafe.Pointer) int { return int(lib.streamLenC(stream)) }

func (lib *library) streamNew(curve, group uint32, points int, options *cOptions, out *unsafe.Pointer) int32 {
	return lib.streamNewC(curve, group, uintptr(points), options, out)
}

// LibraryVariable is the environment variable with the path of the shared library. Without it, the system looks for
// libbucketwheel.so.0, or libbucketwheel.dylib on macOS.
const LibraryVariable = "BUCKETWHEEL_LIBRARY"

var load = sync.OnceValues(func() (*library, error) {
	path := os.Getenv(LibraryVariable)
	if path == "" {
		path = fmt.Sprintf("libbucketwheel.so.%d", abiVersion)
		if runtime.GOOS == "darwin" {
			path = "libbucketwheel.dylib"
		}
	}
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("%w: %v; put its path into the environment variable %s", ErrLibrary, err, LibraryVariable)
	}
	lib := new(library)
	for name, function := range map[string]any{
		"bw_abi_version": &lib.abiVersion, "bw_version": &lib.version, "bw_error_message": &lib.errorMessage,
		"bw_error_index": &lib.errorIndexC, "bw_release_memory": &lib.releaseMemory,
		"bw_cancel_new": &lib.cancelNew, "bw_cancel_request": &lib.cancelRequest, "bw_cancel_free": &lib.cancelFree,
		"bw_bases_from_points": &lib.basesFromPoints, "bw_bases_from_file": &lib.basesFromFile,
		"bw_bases_from_tables": &lib.basesFromTables, "bw_bases_write_table": &lib.basesWriteTable, "bw_bases_len": &lib.basesLenC,
		"bw_bases_backend": &lib.basesBackend, "bw_bases_free": &lib.basesFree,
		"bw_msm": &lib.msm, "bw_stream_new": &lib.streamNewC, "bw_stream_update": &lib.streamUpdate,
		"bw_stream_flush": &lib.streamFlush, "bw_stream_len": &lib.streamLenC, "bw_stream_free": &lib.streamFree,
		"bw_quotient": &lib.quotient,
	} {
		symbol, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %v; expected the library of this module's version", ErrLibrary, path, err)
		}
		purego.RegisterFunc(function, symbol)
	}
	if found := lib.abiVersion(); found != abiVersion {
		return nil, fmt.Errorf("%w: %s has interface %d; expected %d", ErrLibrary, path, found, abiVersion)
	}
	return lib, nil
})
