//go:build cgo && !bucketwheel_purego

package bucketwheel

/*
#cgo CFLAGS: -I${SRCDIR}/../crates/capi/include
#cgo !bucketwheel_test LDFLAGS: ${SRCDIR}/../target/capi/lib/libbucketwheel.a -lm
#cgo bucketwheel_test LDFLAGS: ${SRCDIR}/../target/go/libbucketwheel.a -lm
#cgo linux LDFLAGS: -lpthread -ldl
#include <bucketwheel.h>
*/
import "C"

import "unsafe"

// Each index is 0, or the compiler refuses it: structures have the sizes of the header, and constants its values.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(cPoints{})-C.sizeof_bw_points]
	_ = [1]struct{}{}[unsafe.Sizeof(cScalars{})-C.sizeof_bw_scalars]
	_ = [1]struct{}{}[unsafe.Sizeof(cSums{})-C.sizeof_bw_sums]
	_ = [1]struct{}{}[unsafe.Sizeof(cTable{})-C.sizeof_bw_table]
	_ = [1]struct{}{}[unsafe.Sizeof(cSource{})-C.sizeof_bw_source]
	_ = [1]struct{}{}[unsafe.Sizeof(cOptions{})-C.sizeof_bw_options]
	_ = [1]struct{}{}[unsafe.Offsetof(cPoints{}.infinityOffset)-unsafe.Offsetof(C.bw_points{}.infinity_offset)]
	_ = [1]struct{}{}[unsafe.Offsetof(cScalars{}.form)-unsafe.Offsetof(C.bw_scalars{}.form)]
	_ = [1]struct{}{}[unsafe.Offsetof(cSums{}.coordinates)-unsafe.Offsetof(C.bw_sums{}.coordinates)]
	_ = [1]struct{}{}[unsafe.Offsetof(cOptions{}.check)-unsafe.Offsetof(C.bw_options{}.check)]
	_ = [1]struct{}{}[unsafe.Offsetof(cOptions{}.cancel)-unsafe.Offsetof(C.bw_options{}.cancel)]
	_ = [1]struct{}{}[abiVersion-C.BW_ABI_VERSION]
	_ = [1]struct{}{}[curveBLS12381-C.BW_CURVE_BLS12_381]
	_ = [1]struct{}{}[curveBLS12377-C.BW_CURVE_BLS12_377]
	_ = [1]struct{}{}[curveBN254-C.BW_CURVE_BN254]
	_ = [1]struct{}{}[curveBW6761-C.BW_CURVE_BW6_761]
	_ = [1]struct{}{}[backendADX-C.BW_BACKEND_ADX]
)

// library has the functions of libbucketwheel.a, which the program is linked with.
type library struct{}

func load() (*library, error) { return &library{}, nil }

func (*library) version() string { return C.GoString(C.bw_version()) }

func (*library) errorMessage() string { return C.GoString(C.bw_error_message()) }

func (*library) errorIndex() int { return int(C.bw_error_index()) }

func (*library) releaseMemory() { C.bw_release_memory() }

func (*library) cancelNew(out *unsafe.Pointer) int32 {
	return int32(C.bw_cancel_new((**C.bw_cancel)(unsafe.Pointer(out))))
}

func (*library) cancelRequest(cancel unsafe.Pointer) int32 {
	return int32(C.bw_cancel_request((*C.bw_cancel)(cancel)))
}

func (*library) cancelFree(cancel unsafe.Pointer) { C.bw_cancel_free((*C.bw_cancel)(cancel)) }

func (*library) basesFromPoints(curve, group uint32, points *cPoints, options *cOptions, out *unsafe.Pointer) int32 {
	return int32(C.bw_bases_from_points(C.uint32_t(curve), C.uint32_t(group), (*C.bw_points)(unsafe.Pointer(points)),
		(*C.bw_options)(unsafe.Pointer(options)), (**C.bw_bases)(unsafe.Pointer(out))))
}

func (*library) basesFromFile(path *byte, source *cSource, options *cOptions, out *unsafe.Pointer) int32 {
	return int32(C.bw_bases_from_file((*C.char)(unsafe.Pointer(path)), (*C.bw_source)(unsafe.Pointer(source)),
		(*C.bw_options)(unsafe.Pointer(options)), (**C.bw_bases)(unsafe.Pointer(out))))
}

func (*library) basesFromTables(curve, group uint32, tables *cTable, options *cOptions, out *unsafe.Pointer) int32 {
	return int32(C.bw_bases_from_tables(C.uint32_t(curve), C.uint32_t(group), (*C.bw_table)(unsafe.Pointer(tables)),
		(*C.bw_options)(unsafe.Pointer(options)), (**C.bw_bases)(unsafe.Pointer(out))))
}

func (*library) basesWriteTable(bases unsafe.Pointer, path *byte) int32 {
	return int32(C.bw_bases_write_table((*C.bw_bases)(bases), (*C.char)(unsafe.Pointer(path))))
}

func (*library) basesLen(bases unsafe.Pointer) int { return int(C.bw_bases_len((*C.bw_bases)(bases))) }

func (*library) basesBackend(bases unsafe.Pointer) uint32 {
	return uint32(C.bw_bases_backend((*C.bw_bases)(bases)))
}

func (*library) basesFree(bases unsafe.Pointer) { C.bw_bases_free((*C.bw_bases)(bases)) }

func (*library) msm(bases unsafe.Pointer, scalars *cScalars, options *cOptions, sums *cSums) int32 {
	return int32(C.bw_msm((*C.bw_bases)(bases), (*C.bw_scalars)(unsafe.Pointer(scalars)),
		(*C.bw_options)(unsafe.Pointer(options)), (*C.bw_sums)(unsafe.Pointer(sums))))
}

func (*library) streamNew(curve, group uint32, points int, options *cOptions, out *unsafe.Pointer) int32 {
	return int32(C.bw_stream_new(C.uint32_t(curve), C.uint32_t(group), C.size_t(points),
		(*C.bw_options)(unsafe.Pointer(options)), (**C.bw_stream)(unsafe.Pointer(out))))
}

func (*library) streamUpdate(stream unsafe.Pointer, points *cPoints, scalars *cScalars) int32 {
	return int32(C.bw_stream_update((*C.bw_stream)(stream), (*C.bw_points)(unsafe.Pointer(points)),
		(*C.bw_scalars)(unsafe.Pointer(scalars))))
}

func (*library) streamFlush(stream unsafe.Pointer, sums *cSums) int32 {
	return int32(C.bw_stream_flush((*C.bw_stream)(stream), (*C.bw_sums)(unsafe.Pointer(sums))))
}

func (*library) streamLen(stream unsafe.Pointer) int {
	return int(C.bw_stream_len((*C.bw_stream)(stream)))
}

func (*library) streamFree(stream unsafe.Pointer) { C.bw_stream_free((*C.bw_stream)(stream)) }

func (*library) quotient(curve, logSize uint32, a, b, root *cScalars, order uint32, options *cOptions, out unsafe.Pointer, size uintptr) int32 {
	return int32(C.bw_quotient(C.uint32_t(curve), C.uint32_t(logSize), (*C.bw_scalars)(unsafe.Pointer(a)),
		(*C.bw_scalars)(unsafe.Pointer(b)), (*C.bw_scalars)(unsafe.Pointer(root)), C.uint32_t(order),
		(*C.bw_options)(unsafe.Pointer(options)), out, C.size_t(size)))
}
