/* blst_p1s_mult_pippenger and blst_p2s_mult_pippenger by Bucketwheel, on all threads of the library. Include this file in
 * place of <blst.h>, or after it, and link both libraries. All other functions stay blst's own. This includes
 * blst_p1s_mult_pippenger_scratch_sizeof, although the functions here do not use `scratch`, which may be NULL.
 *
 * Arguments are as for blst. `points` and `scalars` are arrays of pointers, one to each point or scalar. An array may end with a
 * NULL: its last pointer then points to all remaining points or scalars, one after the other. Scalars have `nbits` bits, at most
 * 65536, in whole bytes, and may exceed the order. Points must be in the prime-order subgroup; blst demands this only if scalars
 * are not below the order.
 *
 * Unlike blst's functions, these functions return a bw_status (bucketwheel.h). After an error, `ret` holds bytes of 0xff, which
 * are not on the curve, so a caller that ignores the error gets no point. With `npoints` 0, `ret` is the point at infinity. */
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
