/* blst_p1s_mult_pippenger and blst_p2s_mult_pippenger by Bucketwheel, on all threads of the library's: include it in place of
 * <blst.h>, or after it, and link both libraries. Everything else stays blst's, blst_p1s_mult_pippenger_scratch_sizeof too, though
 * `scratch` is not used and may be NULL.
 *
 * Arguments are as for blst: `points` and `scalars` are pointers to each, or up to a NULL from where on they are one after the
 * other; scalars have `nbits` bits, at most 65536, in whole bytes and need not be below the order. Points have to be in the prime-order
 * subgroup; blst asks for this only if scalars are not below the order.
 *
 * Unlike blst's functions, these return a bw_status (bucketwheel.h). After an error, a caller that ignores it gets no point: bytes of
 * 0xff, not on the curve. With `npoints` 0 it is the point at infinity. */
#ifndef BUCKETWHEEL_BLST_H
#define BUCKETWHEEL_BLST_H

#include <blst.h>
#include <bucketwheel.h>

#ifdef __cplusplus
extern "C" {
#endif

bw_status bw_blst_p1s_mult_pippenger(blst_p1 *ret,
                                     const blst_p1_affine *const points[],
                                     size_t npoints,
                                     const byte *const scalars[],
                                     size_t nbits,
                                     void *scratch);

bw_status bw_blst_p2s_mult_pippenger(blst_p2 *ret,
                                     const blst_p2_affine *const points[],
                                     size_t npoints,
                                     const byte *const scalars[],
                                     size_t nbits,
                                     void *scratch);

#ifdef __cplusplus
}
#endif

#define blst_p1s_mult_pippenger bw_blst_p1s_mult_pippenger
#define blst_p2s_mult_pippenger bw_blst_p2s_mult_pippenger

#endif
