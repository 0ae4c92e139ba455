//! Checks quotients against the definition, at a random point.

use std::ffi::c_void;
use std::ptr;

use ark_ff::{BigInteger, FftField, PrimeField};
use ark_std::rand::rngs::StdRng;
use ark_std::rand::SeedableRng;
use bucketwheel_c::*;

use crate::kit::{call, ok, options};

/// Bytes of elements in a form, at an odd address and with a gap behind each element.
struct Elements {
    bytes: Vec<u8>,
    scalars: bw_scalars,
}

const GAP: usize = 5;

impl Elements {
    fn new<F: PrimeField>(values: &[F], form: u32) -> Self {
        let r = if form == BW_FORM_MONTGOMERY { r() } else { F::ONE };
        let mut bytes = vec![0xee];
        for value in values {
            bytes.extend((*value * r).into_bigint().to_bytes_le());
            bytes.extend([0xa5; GAP]);
        }
        let scalars = bw_scalars {
            data: bytes[1..].as_ptr().cast(),
            count: values.len(),
            stride: size::<F>() + GAP,
            form,
        };
        Elements { bytes, scalars }
    }
}

/// The bytes of an element.
fn size<F: PrimeField>() -> usize {
    8 * F::BigInt::NUM_LIMBS
}

/// The factor of Montgomery forms.
fn r<F: PrimeField>() -> F {
    F::from(2u64).pow([8 * size::<F>() as u64])
}

/// Elements in Montgomery form.
fn read<F: PrimeField>(bytes: &[u8]) -> Vec<F> {
    let r = r::<F>().inverse().unwrap();
    bytes.chunks_exact(size::<F>()).map(|bytes| F::from_le_bytes_mod_order(bytes) * r).collect()
}

/// Returns the value at `x` of the polynomial that takes `values` on the powers of `root`.
fn interpolate<F: PrimeField>(values: &[F], root: F, size: usize, x: F) -> F {
    let mut power = F::ONE;
    let mut sum = F::ZERO;
    for &value in values {
        sum += value * power / (x - power);
        power *= root;
    }
    sum * (x.pow([size as u64]) - F::ONE) / F::from(size as u64)
}

fn check<F: PrimeField + FftField>(curve: u32) {
    let mut rng = StdRng::seed_from_u64(40);
    for log_size in [0u32, 1, 2, 5, 11, 12] {
        let n = 1usize << log_size;
        for (order, own_root) in [(BW_ORDER_NATURAL, false), (BW_ORDER_BIT_REVERSED, true)] {
            let root = F::get_root_of_unity(n as u64).unwrap();
            // The cube of the root is another root of the same order.
            let root = if own_root { root.pow([3]) } else { root };
            let a: Vec<F> = (0..n).map(|_| F::rand(&mut rng)).collect();
            let b: Vec<F> = (0..n.div_ceil(2)).map(|_| F::rand(&mut rng)).collect();
            let c: Vec<F> = a.iter().zip(&b).map(|(&a, &b)| a * b).collect();
            let (a_bytes, b_bytes) =
                (Elements::new(&a, BW_FORM_MONTGOMERY), Elements::new(&b, BW_FORM_CANONICAL));
            let root_bytes = Elements::new(&[root], BW_FORM_CANONICAL);
            let root_pointer = if own_root { &raw const root_bytes.scalars } else { ptr::null() };
            let mut out = vec![0u8; n * size::<F>() + 1];
            let (a_pointer, b_pointer) = (&raw const a_bytes.scalars, &raw const b_bytes.scalars);
            let place = out[1..].as_mut_ptr().cast();
            let (none, room) = (ptr::null(), n * size::<F>());
            ok(call!(bw_quotient(
                curve,
                log_size,
                a_pointer,
                b_pointer,
                root_pointer,
                order,
                none,
                place,
                room
            )));
            assert_eq!(a_bytes.bytes.len(), 1 + n * (size::<F>() + GAP));
            let mut h: Vec<F> = read(&out[1..]);
            if order == BW_ORDER_BIT_REVERSED && log_size > 0 {
                let shift = usize::BITS - log_size;
                h = (0..n).map(|i| h[i.reverse_bits() >> shift]).collect();
            }
            assert!(h[n - 1].is_zero(), "the highest coefficient");
            let x = F::rand(&mut rng);
            let at_x = h.iter().rev().fold(F::ZERO, |sum, &h| sum * x + h);
            let [a, b, c] = [a, b, c].map(|values| interpolate(&values, root, n, x));
            assert_eq!(at_x * (x.pow([n as u64]) - F::ONE), a * b - c, "size {n}, order {order}");
        }
    }
}

#[test]
fn quotients_have_their_definition() {
    check::<ark_bn254::Fr>(BW_CURVE_BN254);
    check::<ark_bls12_381::Fr>(BW_CURVE_BLS12_381);
    check::<ark_bls12_377::Fr>(BW_CURVE_BLS12_377);
    #[cfg(feature = "bw6-761")]
    check::<ark_bw6_761::Fr>(BW_CURVE_BW6_761);
}

#[test]
fn wrong_quotients_are_errors() {
    type F = ark_bn254::Fr;
    let values = Elements::new(&[F::from(3u64); 4], BW_FORM_CANONICAL);
    let one = Elements::new(&[F::from(1u64)], BW_FORM_CANONICAL);
    let mut too_large = Elements::new(&[F::from(3u64); 4], BW_FORM_CANONICAL);
    too_large.bytes[1 + 2 * (32 + GAP)..][..32].fill(0xff);
    let good = &raw const values.scalars;
    let mut out = [0u8; 128];
    let found = |curve, log_size, a, b, root, order, out: *mut c_void, size| {
        let status = call!(bw_quotient(curve, log_size, a, b, root, order, ptr::null(), out, size));
        (status, bw_error_index())
    };
    let null = ptr::null();
    let place = out.as_mut_ptr().cast::<c_void>();
    let none = BW_NO_INDEX;
    let (bn, natural) = (BW_CURVE_BN254, BW_ORDER_NATURAL);
    assert_eq!(found(bn, 2, good, good, null, natural, place, 128), (BW_OK, none));
    assert_eq!(found(bn, 2, null, good, null, natural, place, 128), (BW_ERROR_NULL, none));
    assert_eq!(found(bn, 2, good, null, null, natural, place, 128), (BW_ERROR_NULL, none));
    assert_eq!(found(bn, 2, good, good, null, natural, ptr::null_mut(), 128), (BW_ERROR_NULL, none));
    assert_eq!(found(bn, 2, good, good, null, natural, place, 127), (BW_ERROR_BUFFER, none));
    assert_eq!(found(bn, 2, good, good, null, 3, place, 128), (BW_ERROR_ARGUMENT, none));
    assert_eq!(found(bn, 1, good, good, null, natural, place, 128), (BW_ERROR_COUNT, none));
    assert_eq!(found(bn, 29, good, good, null, natural, place, 128), (BW_ERROR_ARGUMENT, none));
    assert_eq!(found(bn, 64, good, good, null, natural, place, 128), (BW_ERROR_ARGUMENT, none));
    // The field has a root of this order, but neither the buffer nor any memory has the room.
    assert_eq!(found(BW_CURVE_BLS12_377, 47, good, good, null, natural, place, 128), (BW_ERROR_BUFFER, none));
    assert_eq!(found(bn, 2, good, good, good, natural, place, 128), (BW_ERROR_COUNT, none));
    // 1 is not a root of order 4.
    assert_eq!(found(bn, 2, good, good, &one.scalars, natural, place, 128), (BW_ERROR_ARGUMENT, none));
    assert_eq!(found(BW_CURVE_PALLAS, 2, good, good, null, natural, place, 128), (BW_ERROR_CURVE, none));
    assert_eq!(found(99, 2, good, good, null, natural, place, 128), (BW_ERROR_CURVE, none));
    assert_eq!(found(bn, 2, good, &too_large.scalars, null, natural, place, 128), (BW_ERROR_SCALAR, 2));
}

#[test]
fn a_cancelled_quotient_writes_nothing() {
    let values = Elements::new(&vec![ark_bn254::Fr::from(3u64); 1 << 12], BW_FORM_CANONICAL);
    let mut out = vec![7u8; 32 << 12];
    let mut cancel = None;
    ok(call!(bw_cancel_new(&mut cancel)));
    let cancel: Option<Box<bw_cancel>> = cancel;
    ok(bw_cancel_request(cancel.as_deref()));
    let options = bw_options { cancel: cancel.as_deref().map_or(ptr::null(), ptr::from_ref), ..options() };
    let (values, place, size) = (&raw const values.scalars, out.as_mut_ptr().cast(), out.len());
    let (curve, order) = (BW_CURVE_BN254, BW_ORDER_NATURAL);
    let status = call!(bw_quotient(curve, 12, values, values, ptr::null(), order, &options, place, size));
    assert_eq!(status, BW_ERROR_CANCELLED);
    assert!(out.iter().all(|&byte| byte == 7));
    bw_cancel_free(cancel);
}
