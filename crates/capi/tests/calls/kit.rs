//! arkworks' points in the layouts of C, and calls that must succeed.

use std::ffi::{c_char, CStr};
use std::ptr;

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{
    Field, Fp, Fp2, Fp2Config, Fp4, Fp4Config, FpConfig, PrimeField, QuadExtField, UniformRand, Zero,
};
use ark_std::rand::rngs::StdRng;
use ark_std::rand::SeedableRng;
use bucketwheel_c::*;

/// Field elements as bytes.
pub trait Words: Field {
    fn words(&self, form: u32) -> Vec<u8>;
}

impl<P: FpConfig<N>, const N: usize> Words for Fp<P, N> {
    fn words(&self, form: u32) -> Vec<u8> {
        let words = if form == BW_FORM_MONTGOMERY { self.0 } else { self.into_bigint() };
        words.0.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

impl<P: Fp2Config<Fp: Words>> Words for Fp2<P> {
    fn words(&self, form: u32) -> Vec<u8> {
        let QuadExtField { c0, c1 } = self;
        [c0.words(form), c1.words(form)].concat()
    }
}

impl<P: Fp4Config<Fp2Config: Fp2Config<Fp: Words>>> Words for Fp4<P> {
    fn words(&self, form: u32) -> Vec<u8> {
        let QuadExtField { c0, c1 } = self;
        [c0.words(form), c1.words(form)].concat()
    }
}

/// A group whose elements can be laid out.
pub trait Group: SWCurveConfig<BaseField: Words, ScalarField: Words> {}

impl<C: SWCurveConfig<BaseField: Words, ScalarField: Words>> Group for C {}

/// A layout of points, without their address.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub form: u32,
    pub infinity: u32,
    /// Bytes between a point's parts and the next point.
    pub gap: usize,
}

pub const PACKED: Layout = Layout { form: BW_FORM_CANONICAL, infinity: BW_INFINITY_ZEROS, gap: 0 };

/// Points in a C layout, at an odd address.
pub struct Laid {
    bytes: Vec<u8>,
    points: bw_points,
}

impl Laid {
    pub fn new<C: Group>(points: &[Affine<C>], layout: Layout) -> Self {
        let Layout { form, infinity, gap } = layout;
        let size = C::BaseField::ONE.words(form).len();
        let infinity_offset = match infinity {
            // The flag is not right behind the coordinates.
            BW_INFINITY_FLAG => 2 * size + 3,
            BW_INFINITY_ZERO_COORDINATE => 2 * size,
            _ => 0,
        };
        let least = [2 * size, infinity_offset + 1, infinity_offset + size][infinity as usize];
        let mut bytes = vec![0xee];
        for point in points {
            let mut record = vec![0xa5; least + gap];
            match point.xy() {
                Some((x, y)) => {
                    record[..size].copy_from_slice(&x.words(form));
                    record[size..2 * size].copy_from_slice(&y.words(form));
                    match infinity {
                        BW_INFINITY_FLAG => record[infinity_offset] = 0,
                        BW_INFINITY_ZERO_COORDINATE => {
                            record[infinity_offset..][..size].copy_from_slice(&C::BaseField::ONE.words(form));
                        }
                        _ => {}
                    }
                }
                // With a flag or a third coordinate, the other bytes of a point at infinity may have any value.
                None => match infinity {
                    BW_INFINITY_FLAG => {}
                    BW_INFINITY_ZERO_COORDINATE => record[infinity_offset..][..size].fill(0),
                    _ => record[..2 * size].fill(0),
                },
            }
            bytes.extend(record);
        }
        // Without a gap, the library finds the stride itself.
        let stride = if gap == 0 { 0 } else { least + gap };
        let data = bytes[1..].as_ptr().cast();
        Laid {
            points: bw_points { data, count: points.len(), stride, form, infinity, infinity_offset },
            bytes,
        }
    }

    pub fn points(&self) -> bw_points {
        bw_points { data: self.bytes().as_ptr().cast(), ..self.points }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[1..]
    }
}

/// Scalars in a C layout, at an odd address.
pub struct LaidScalars {
    bytes: Vec<u8>,
    count: usize,
    stride: usize,
    form: u32,
}

impl LaidScalars {
    pub fn new<F: Words>(scalars: &[F], form: u32, gap: usize) -> Self {
        let words = |scalar: &F| [scalar.words(form), vec![0xa5; gap]].concat();
        let bytes = [0xee].into_iter().chain(scalars.iter().flat_map(words)).collect();
        let stride = if gap == 0 { 0 } else { F::ONE.words(form).len() + gap };
        LaidScalars { bytes, count: scalars.len(), stride, form }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[1..]
    }

    pub fn scalars(&self) -> bw_scalars {
        let data = self.bytes().as_ptr().cast();
        bw_scalars { data, count: self.count, stride: self.stride, form: self.form }
    }
}

/// Returns the bytes of a sum.
pub fn expected<C: Group>(sum: &Projective<C>, form: u32, coordinates: u32) -> Vec<u8> {
    let (zero, one) = (C::BaseField::zero(), C::BaseField::ONE);
    let (x, y, z) = sum.into_affine().xy().map_or((zero, zero, zero), |(x, y)| (x, y, one));
    let coordinates = if coordinates == BW_JACOBIAN { vec![x, y, z] } else { vec![x, y] };
    coordinates.iter().flat_map(|coordinate| coordinate.words(form)).collect()
}

/// Returns points, some at infinity, and scalars, some 0.
pub fn inputs<C: Group>(n: usize, seed: u64) -> (Vec<Affine<C>>, Vec<C::ScalarField>) {
    let rng = &mut StdRng::seed_from_u64(seed);
    // Points are sums of few random points, because each random point takes long.
    let steps: Vec<Projective<C>> = (0..8).map(|_| Projective::rand(rng)).collect();
    let mut last = steps[0];
    let mut points = Vec::new();
    for i in 0..n {
        last += steps[i % 7];
        points.push(last);
    }
    let mut points = Projective::normalize_batch(&points);
    (3..n).step_by(11).for_each(|i| points[i] = Affine::identity());
    let scalar = |i: usize, rng: &mut StdRng| match i % 13 {
        5 => C::ScalarField::zero(),
        7 => -C::ScalarField::ONE,
        _ => C::ScalarField::rand(rng),
    };
    (points, (0..n).map(|i| scalar(i, rng)).collect())
}

/// Returns how many points of [`inputs`] are finite and have a long scalar.
pub fn long_scalars(n: usize) -> usize {
    (0..n).filter(|i| i % 11 != 3 && !matches!(i % 13, 5 | 7)).count()
}

/// Returns the sum that arkworks computes.
pub fn sum<C: Group>(points: &[Affine<C>], scalars: &[C::ScalarField]) -> Projective<C> {
    points.iter().zip(scalars).map(|(point, scalar)| *point * scalar).sum()
}

/// Calls functions of the library and of blst as a C program does.
macro_rules! call {
    ($call:expr) => {{
        // SAFETY: pointers of a test's call are NULL, references, or pointers to arrays that the test keeps. Sizes and
        // strides are these arrays' own, or values that the library must refuse before it reads.
        unsafe { $call }
    }};
}
pub(crate) use call;

/// Returns the text of this thread's last error.
pub fn message() -> String {
    text(bw_error_message()).to_owned()
}

/// Returns a text of the library.
pub fn text(text: *const c_char) -> &'static str {
    // SAFETY: the library's texts are not NULL and end with a NUL. Each use of this text ends before the thread's next
    // error.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap()
}

/// Returns an empty plan for a call to fill in.
pub fn no_plan() -> bw_plan_result {
    bw_plan_result {
        size: size_of::<bw_plan_result>(),
        window: 0,
        windows: 0,
        copies: 0,
        additions: 0,
        memory_bytes: 0,
        bases_bytes: 0,
    }
}

#[track_caller]
pub fn ok(status: bw_status) {
    assert_eq!(status, BW_OK, "{}", message());
}

/// Checks for an error whose message has these words; returns its index.
#[track_caller]
pub fn fails(status: bw_status, expected: bw_status, words: &str) -> usize {
    assert_eq!(status, expected, "{}", message());
    assert!(message().contains(words), "{:?} is not in {:?}", words, message());
    bw_error_index()
}

/// Returns options that are all default.
pub fn options() -> bw_options {
    bw_options {
        size: size_of::<bw_options>(),
        threads: 0,
        copies: 0,
        memory: 0,
        check: 0,
        backend: 0,
        endomorphism: 0,
        window: 0,
        cancel: ptr::null(),
        progress: None,
        user: ptr::null_mut(),
    }
}

/// A handle that is freed when dropped.
pub struct Bases(pub Option<Box<bw_bases>>);

impl Drop for Bases {
    fn drop(&mut self) {
        bw_bases_free(self.0.take());
    }
}

impl Bases {
    pub fn of_points(curve: u32, group: u32, points: &[bw_points], options: &bw_options) -> Self {
        let mut bases = None;
        ok(call!(bw_bases_from_points(curve, group, points.as_ptr(), options, &mut bases)));
        Bases(bases)
    }

    pub fn handle(&self) -> Option<&bw_bases> {
        self.0.as_deref()
    }

    /// Computes a sum, which the call writes to an odd address.
    pub fn sum(&self, scalars: bw_scalars, options: &bw_options, form: u32, coordinates: u32) -> Vec<u8> {
        let bases = self.handle();
        let size = bw_sum_bytes(bw_bases_curve(bases), bw_bases_group(bases), coordinates);
        let mut bytes = vec![0xa5; size + 2];
        let sums = bw_sums { data: bytes[1..].as_mut_ptr().cast(), size, form, coordinates };
        ok(call!(bw_msm(bases, &scalars, options, &sums)));
        assert_eq!((bytes[0], bytes[size + 1]), (0xa5, 0xa5));
        bytes[1..=size].to_vec()
    }
}

/// Calls a function for each curve, with its code and arkworks' groups.
#[macro_export]
macro_rules! each_curve {
    ($check:ident) => {
        $check::<ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>(BW_CURVE_BLS12_381);
        $check::<ark_bls12_377::g1::Config, ark_bls12_377::g2::Config>(BW_CURVE_BLS12_377);
        $check::<ark_bn254::g1::Config, ark_bn254::g2::Config>(BW_CURVE_BN254);
    };
}
