package bucketwheel

import (
	"runtime"
	"unsafe"
)

// Codes of bucketwheel.h, with which the build with cgo compares them.
const (
	abiVersion = 0

	curveBLS12381 = 1
	curveBLS12377 = 2
	curveBN254    = 3
	curveBW6761   = 10

	groupG1   = 1
	groupG2   = 2
	groupPair = 3

	formMontgomery = 2
	affine         = 1

	orderBitReversed = 2

	backendADX = 2
)

// The structures of bucketwheel.h. The build with cgo compares them with the header.
type (
	cPoints struct {
		data           unsafe.Pointer
		count          uintptr
		stride         uintptr
		form           uint32
		infinity       uint32
		infinityOffset uintptr
	}
	cScalars struct {
		data   unsafe.Pointer
		count  uintptr
		stride uintptr
		form   uint32
	}
	cSums struct {
		data        unsafe.Pointer
		size        uintptr
		form        uint32
		coordinates uint32
	}
	cTable struct {
		data unsafe.Pointer
		size uintptr
	}
	cSource struct {
		format  uint32
		curve   uint32
		group   uint32
		section uint32
	}
	cOptions struct {
		size         uintptr
		threads      uintptr
		copies       uintptr
		memory       uintptr
		check        uint32
		backend      uint32
		endomorphism uint32
		window       uint32
		cancel       unsafe.Pointer
		progress     unsafe.Pointer
		user         unsafe.Pointer
	}
)

// call runs body, a call of the library that returns a status, and returns its error. The library keeps an error's message for
// the thread that made the call, so the goroutine stays on one thread.
func call(body func(lib *library) int32) error {
	lib, err := load()
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	code := body(lib)
	if code == 0 {
		return nil
	}
	return &Error{Code: Code(code), Message: lib.errorMessage(), Index: lib.errorIndex()}
}

// arguments holds the slices that the structures of a call point to. The garbage collector neither moves nor frees a
// pinned slice, and cgo allows pointers to it inside of structures.
type arguments struct {
	pinner runtime.Pinner
}

// data returns the address of a slice's elements, valid until release; nil if the slice is empty.
func data[T any](arguments *arguments, slice []T) unsafe.Pointer {
	if len(slice) == 0 {
		return nil
	}
	pointer := unsafe.SliceData(slice)
	arguments.pinner.Pin(pointer)
	return unsafe.Pointer(pointer)
}

func describePoints[P any](arguments *arguments, slice []P) cPoints {
	return cPoints{data: data(arguments, slice), count: uintptr(len(slice)), form: formMontgomery}
}

func describeScalars[S any](arguments *arguments, slice []S) cScalars {
	return cScalars{data: data(arguments, slice), count: uintptr(len(slice)), form: formMontgomery}
}

func describeSums[P any](arguments *arguments, sum *P) cSums {
	arguments.pinner.Pin(sum)
	return cSums{data: unsafe.Pointer(sum), size: unsafe.Sizeof(*sum), form: formMontgomery, coordinates: affine}
}

func (arguments *arguments) release() {
	arguments.pinner.Unpin()
}
