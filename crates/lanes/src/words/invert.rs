//! The inverse of a single element.

use super::mul;
use crate::prime::WordTable;

/// Words of 62 bits that hold a signed value of 768 bits and a little. An inverse uses as many words as its field needs.
const INVERSE_WORDS: usize = 13;
const MASK62: u64 = u64::MAX >> 2;

/// Returns the Montgomery form of the inverse, or `None` for 0. Variable time.
///
/// Bernstein and Yang's division steps, 62 at a time, in the variable-time form that libsecp256k1 documents
/// (doc/safegcd_implementation.md).
///
/// The [example](crate::LaneField) uses it.
pub fn invert<const N: usize>(a: &[u64; N], prime: &WordTable<N>) -> Option<[u64; N]> {
    if a.iter().all(|&word| word == 0) {
        return None;
    }
    let modulus = to_signed62(&prime.modulus);
    // p^-1 mod 2^62
    let p_inverse = prime.n0.wrapping_neg() & MASK62;
    let len = (64 * N + 1) / 62 + 1;
    let (mut f, mut g) = (modulus, to_signed62(a));
    let (mut d, mut e) = ([0i64; INVERSE_WORDS], [0i64; INVERSE_WORDS]);
    e[0] = 1;
    let mut eta = -1;
    while g[..len].iter().any(|&word| word != 0) {
        let (next_eta, step) = division_steps(eta, f[0] as u64, g[0] as u64);
        eta = next_eta;
        update_de(&mut d[..len], &mut e[..len], &step, &modulus[..len], p_inverse);
        update_fg(&mut f[..len], &mut g[..len], &step);
    }
    // f = +-1 and d = +-1/a mod p, in -2p..p.
    let inverse = from_signed62(&d, f[len - 1] < 0, &modulus, len);
    // The inverse of a R is (1/a) / R. Two factors R bring it back to Montgomery form.
    Some(mul(&inverse, &prime.r_cubed, prime))
}

fn to_signed62<const N: usize>(a: &[u64; N]) -> [i64; INVERSE_WORDS] {
    let mut out = [0; INVERSE_WORDS];
    for (i, word) in out.iter_mut().enumerate() {
        let (index, shift) = (62 * i / 64, 62 * i % 64);
        if index < N {
            let high = if index + 1 < N && shift > 0 { a[index + 1] << (64 - shift) } else { 0 };
            *word = ((a[index] >> shift | high) & MASK62) as i64;
        }
    }
    out
}

/// Returns `d` or `-d` reduced to `0..p`, for `d` in `-2p..p`.
fn from_signed62<const N: usize>(
    d: &[i64; INVERSE_WORDS],
    negate: bool,
    p: &[i64; INVERSE_WORDS],
    len: usize,
) -> [u64; N] {
    let mut value = *d;
    let normalise = |value: &mut [i64; INVERSE_WORDS]| {
        for i in 0..len - 1 {
            value[i + 1] += value[i] >> 62;
            value[i] &= MASK62 as i64;
        }
    };
    if value[len - 1] < 0 {
        value.iter_mut().zip(p).for_each(|(x, p)| *x += p);
    }
    if negate {
        value.iter_mut().for_each(|x| *x = -*x);
    }
    normalise(&mut value);
    if value[len - 1] < 0 {
        value.iter_mut().zip(p).for_each(|(x, p)| *x += p);
        normalise(&mut value);
    }
    let mut out = [0u64; N];
    for (i, word) in out.iter_mut().enumerate() {
        let (index, shift) = (64 * i / 62, 64 * i % 62);
        *word = (value[index] as u64) >> shift;
        *word |= (value[index + 1] as u64) << (62 - shift);
    }
    out
}

/// Matrix of 62 division steps, scaled by 2^62.
struct Step {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

#[inline]
fn division_steps(mut eta: i64, f0: u64, g0: u64) -> (i64, Step) {
    let (mut u, mut v, mut q, mut r) = (1u64, 0u64, 0u64, 1u64);
    let (mut f, mut g) = (f0, g0);
    let mut left = 62;
    loop {
        let zeros = (g | (u64::MAX << left)).trailing_zeros();
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        eta -= zeros as i64;
        left -= zeros;
        if left == 0 {
            break;
        }
        // The factor of f that clears several low bits of g.
        let w;
        if eta < 0 {
            eta = -eta;
            (f, g) = (g, f.wrapping_neg());
            (u, q) = (q, u.wrapping_neg());
            (v, r) = (r, v.wrapping_neg());
            let limit = (eta + 1).min(left as i64) as u32;
            let mask = (u64::MAX >> (64 - limit)) & 63;
            w = f.wrapping_mul(g).wrapping_mul(f.wrapping_mul(f).wrapping_sub(2)) & mask;
        } else {
            let limit = (eta + 1).min(left as i64) as u32;
            let mask = (u64::MAX >> (64 - limit)) & 15;
            let inverse = f.wrapping_add((f.wrapping_add(1) & 4) << 1);
            w = inverse.wrapping_neg().wrapping_mul(g) & mask;
        }
        g = g.wrapping_add(f.wrapping_mul(w));
        q = q.wrapping_add(u.wrapping_mul(w));
        r = r.wrapping_add(v.wrapping_mul(w));
    }
    (eta, Step { u: u as i64, v: v as i64, q: q as i64, r: r as i64 })
}

/// Computes `(d, e) = step (d, e) / 2^62 mod p`.
#[inline]
fn update_de(d: &mut [i64], e: &mut [i64], step: &Step, p: &[i64], p_inverse: u64) {
    let len = d.len();
    let (u, v, q, r) = (step.u as i128, step.v as i128, step.q as i128, step.r as i128);
    let (d_sign, e_sign) = (d[len - 1] >> 63, e[len - 1] >> 63);
    // Multiples of p that keep d and e in range and clear their low 62 bits.
    let mut md = (step.u & d_sign).wrapping_add(step.v & e_sign);
    let mut me = (step.q & d_sign).wrapping_add(step.r & e_sign);
    let mut cd = u * d[0] as i128 + v * e[0] as i128;
    let mut ce = q * d[0] as i128 + r * e[0] as i128;
    md = md.wrapping_sub((p_inverse.wrapping_mul(cd as u64).wrapping_add(md as u64) & MASK62) as i64);
    me = me.wrapping_sub((p_inverse.wrapping_mul(ce as u64).wrapping_add(me as u64) & MASK62) as i64);
    cd += p[0] as i128 * md as i128;
    ce += p[0] as i128 * me as i128;
    cd >>= 62;
    ce >>= 62;
    for i in 1..len {
        cd += u * d[i] as i128 + v * e[i] as i128 + p[i] as i128 * md as i128;
        ce += q * d[i] as i128 + r * e[i] as i128 + p[i] as i128 * me as i128;
        d[i - 1] = cd as i64 & MASK62 as i64;
        e[i - 1] = ce as i64 & MASK62 as i64;
        cd >>= 62;
        ce >>= 62;
    }
    d[len - 1] = cd as i64;
    e[len - 1] = ce as i64;
}

/// Computes `(f, g) = step (f, g) / 2^62`, exactly.
#[inline]
fn update_fg(f: &mut [i64], g: &mut [i64], step: &Step) {
    let len = f.len();
    let (u, v, q, r) = (step.u as i128, step.v as i128, step.q as i128, step.r as i128);
    let mut cf = (u * f[0] as i128 + v * g[0] as i128) >> 62;
    let mut cg = (q * f[0] as i128 + r * g[0] as i128) >> 62;
    for i in 1..len {
        cf += u * f[i] as i128 + v * g[i] as i128;
        cg += q * f[i] as i128 + r * g[i] as i128;
        f[i - 1] = cf as i64 & MASK62 as i64;
        g[i - 1] = cg as i64 & MASK62 as i64;
        cf >>= 62;
        cg >>= 62;
    }
    f[len - 1] = cf as i64;
    g[len - 1] = cg as i64;
}
