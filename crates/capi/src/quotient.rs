//! Quotients of Groth16 as coefficients, for provers that hold circuits and keys elsewhere: `bw_quotient`.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use ark_ec::CurveConfig;
use bucketwheel::{config, Control, CurveId, Error as EngineError, Form};
use bucketwheel_transform::{Domain, Elements, Error as TransformError, Ntt, Transform, TransformField, Way};

use crate::abi::*;
use crate::border;
use crate::error::Error;
use crate::options::{self, Options};

/// Index `i` has the coefficient of `X^i`.
pub const BW_ORDER_NATURAL: u32 = 1;
/// Index `i` has the coefficient of `X^j`, j being i with its `log_size` bits in reverse: gnark's keys.
pub const BW_ORDER_BIT_REVERSED: u32 = 2;

/// Computes the coefficients of the quotient `h = (A B - C) / (X^n - 1)`. A and B are the polynomials of degree below
/// `n = 2^log_size` that take the values `a` and `b` on the powers of a root of unity; values that are missing are 0. C takes the
/// products of these values. The coefficients, n elements in Montgomery form, are written to `out`, a buffer of `size` bytes, in
/// the order BW_ORDER_...; the highest one is 0. `root` is one scalar, the root of unity of order n; NULL is the root of arkworks.
/// `threads` and `cancel` of the options matter. The curves are BN254, BLS12-381, BLS12-377 and BW6-761.
///
/// # Safety
/// - `a`, `b` and `root` are NULL or point to a `bw_scalars`, whose `data` is NULL or points to `count` times `stride`
///   bytes.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `out` is NULL or points to `size` bytes that nobody else uses during the call.
/// - Nobody changes or frees the memory of `a`, `b`, `root`, each `data` and `options` during the call.
#[no_mangle]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn bw_quotient(
    curve: u32,
    log_size: u32,
    a: *const bw_scalars,
    b: *const bw_scalars,
    root: *const bw_scalars,
    order: u32,
    options: *const bw_options,
    out: *mut c_void,
    size: usize,
) -> bw_status {
    border::work(|| {
        // SAFETY: `options` is NULL or points to `size` bytes, and to a handle or NULL.
        let options = unsafe { Options::new(options) }?;
        let is_reversed = options::is_bit_reversed(order)?;
        let curve = options::curve(curve)?;
        if out.is_null() {
            return Err(Error::Null("out"));
        }
        let element = curve.scalar_bytes();
        // SAFETY: `a` and `b` are NULL or point to a description. Its values stay until this call returns, and so do the slices.
        let (a, b) = unsafe { (Values::new(a, element, "a")?, Values::new(b, element, "b")?) };
        let root = match root.is_null() {
            true => None,
            // SAFETY: `root` points to a description. Its values stay until this call returns, and so does the slice.
            false => Some(unsafe { Values::new(root, element, "root") }?),
        };
        let call = Call { log_size, values: [a, b], root, is_reversed, options: &options };
        // SAFETY: `out` is not NULL, so it points to `size` bytes that nobody else uses during the call.
        unsafe {
            match curve {
                #[cfg(feature = "bn254")]
                CurveId::Bn254 => call.run::<Scalar<config::Bn254::g1::Config>>(out, size),
                #[cfg(feature = "bls12-381")]
                CurveId::Bls12_381 => call.run::<Scalar<config::Bls12_381::g1::Config>>(out, size),
                #[cfg(feature = "bls12-377")]
                CurveId::Bls12_377 => call.run::<Scalar<config::Bls12_377::g1::Config>>(out, size),
                #[cfg(feature = "bw6-761")]
                CurveId::Bw6_761 => call.run::<Scalar<config::Bw6_761>>(out, size),
                _ => Err(Error::NoTransforms(curve)),
            }
        }
    })
}

type Scalar<C> = <C as CurveConfig>::ScalarField;

/// The arguments of a call.
struct Call<'a> {
    log_size: u32,
    values: [Values<'a>; 2],
    root: Option<Values<'a>>,
    is_reversed: bool,
    options: &'a Options,
}

impl Call<'_> {
    /// Computes a quotient over the scalars of a curve, and writes it.
    ///
    /// # Errors
    /// [`Error::Room`] for a buffer that is too small; the errors of the arguments, and the engine's.
    ///
    /// # Safety
    /// - `out` is not null and has `size` bytes.
    /// - Nobody else uses these bytes before the call returns, so they are not among `values`.
    unsafe fn run<F: TransformField>(self, out: *mut c_void, size: usize) -> Result<(), Error> {
        let root = self.root.map(Values::only::<F>).transpose()?;
        let quotient = Quotient::new(self.log_size, root, size)?;
        let coefficients = quotient.coefficients(self.values, self.options)?;
        // SAFETY: `out` has `size` bytes, no fewer than the elements take (`Quotient::new`), and only this call uses them. An array of
        // bytes needs no alignment, and `MaybeUninit` allows uninitialised bytes.
        let out = unsafe { std::slice::from_raw_parts_mut(out.cast::<MaybeUninit<u8>>(), quotient.bytes()) };
        quotient.write(&coefficients, self.is_reversed, out)
    }
}

/// The bytes of a scalar.
const fn element_bytes<F: TransformField>() -> usize {
    size_of::<F::BigInt>()
}

/// Values in a caller's memory.
#[derive(Clone, Copy)]
struct Values<'a> {
    bytes: &'a [u8],
    /// At least the bytes of an element.
    stride: usize,
    form: Form,
}

impl<'a> Values<'a> {
    /// Reads a description of values of `element` bytes.
    ///
    /// # Errors
    /// For a null pointer, and for invalid codes and strides.
    ///
    /// # Safety
    /// - `values` is null or points to a `bw_scalars`.
    /// - Its `data` is null or has `count` times `stride` bytes, which nobody changes as long as the result is used.
    unsafe fn new(values: *const bw_scalars, element: usize, what: &'static str) -> Result<Self, Error> {
        // SAFETY: `values` is NULL or points to a description.
        let values = unsafe { border::read(values, what) }?;
        let form = options::form(values.form)?;
        let stride = if values.stride == 0 { element } else { values.stride };
        if stride < element {
            return Err(EngineError::Stride { stride, least: element }.into());
        }
        // SAFETY: `data` is NULL or points to `count` times `stride` bytes, which nobody changes while 'a lasts.
        let bytes = unsafe { border::bytes(values.data, values.count, stride, what) }?;
        Ok(Values { bytes, stride, form })
    }

    /// Returns the number of values.
    fn len(self) -> usize {
        self.bytes.len() / self.stride
    }

    /// Returns a value.
    ///
    /// # Errors
    /// [`EngineError::ScalarRange`].
    fn get<F: TransformField>(self, index: usize) -> Result<F, EngineError> {
        let bytes = &self.bytes[index * self.stride..][..element_bytes::<F>()];
        let mut integer = F::BigInt::default();
        for (word, bytes) in integer.as_mut().iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        if integer >= F::MODULUS {
            return Err(EngineError::ScalarRange { index });
        }
        Ok(match self.form {
            Form::Montgomery => F::from_montgomery(integer),
            Form::Canonical => F::from_bigint(integer).ok_or(EngineError::ScalarRange { index })?,
        })
    }

    /// Returns the only value.
    ///
    /// # Errors
    /// [`Error::Root`] unless there is exactly one value, and the errors of [`get`](Self::get).
    fn only<F: TransformField>(self) -> Result<F, Error> {
        match self.len() {
            1 => Ok(self.get(0)?),
            found => Err(Error::Root { found }),
        }
    }
}

/// A domain of n points, and its coset by the field's generator g, on which `X^n - 1` equals `g^n - 1` everywhere.
struct Quotient<F> {
    log_size: u32,
    root: F,
    domain: Domain<F>,
}

/// Number of elements that a task reads or writes.
const BLOCK: usize = 1 << 10;

impl<F: TransformField> Quotient<F> {
    /// Returns the quotient for a buffer of `size` bytes.
    ///
    /// # Errors
    /// [`TransformError::Domain`], [`TransformError::Root`]; [`Error::Room`] for a buffer that is too small.
    fn new(log_size: u32, root: Option<F>, size: usize) -> Result<Self, Error> {
        if log_size > F::TWO_ADICITY {
            return Err(TransformError::Domain { log_size, max: F::TWO_ADICITY }.into());
        }
        // The caller has this much memory, so the tables of the domain, which are smaller, fit, too.
        let expected = element_bytes::<F>() << log_size;
        if size < expected {
            return Err(Error::Room { size, expected });
        }
        let root = root.or_else(|| F::get_root_of_unity(1 << log_size)).expect("a root of this order");
        let backend = bucketwheel::default_backend()?;
        let domain = Domain::with_root(log_size, backend, root, F::GENERATOR)?;
        Ok(Quotient { log_size, root, domain })
    }

    fn len(&self) -> usize {
        1 << self.log_size
    }

    /// Returns the bytes of all coefficients.
    fn bytes(&self) -> usize {
        element_bytes::<F>() << self.log_size
    }

    /// Returns the coefficients of h times `(g^n - 1) / R`, in natural order; R is the factor of the Montgomery form.
    fn coefficients(&self, values: [Values<'_>; 2], options: &Options) -> Result<Vec<F>, Error> {
        let control = options.transform();
        let mut evaluations = self.domain.evaluations()?;
        for (vector, (mut elements, values)) in evaluations.elements().into_iter().zip(values).enumerate() {
            if values.len() > elements.len() {
                let length = TransformError::Length { found: values.len(), log_size: self.log_size };
                return Err(length.into());
            }
            let mut blocks: Vec<Elements<'_, F::Element>> = Vec::new();
            while elements.len() > BLOCK {
                let (block, rest) = elements.split_at(BLOCK);
                blocks.push(block);
                elements = rest;
            }
            blocks.push(elements);
            // Elements behind the last value stay 0.
            blocks.truncate(values.len().div_ceil(BLOCK));
            let threads = Control::new(control.threads, control.cancel, None);
            let written = threads.chunks(&mut blocks, 1, |block, elements| {
                let [elements] = elements else { unreachable!("chunks of one") };
                let start = block * BLOCK;
                for index in start..values.len().min(start + BLOCK) {
                    *elements.at(index - start) = values.get::<F>(index)?.montgomery_words();
                }
                Ok::<_, EngineError>(())
            });
            written.map_err(|error| Error::Vector { vector, source: Box::new(error.into()) })?;
        }
        // Integers v below the modulus. Read as Montgomery forms, they stand for v / R.
        let values = evaluations.quotient(&control)?.values;
        let mut elements = Vec::new();
        let room = elements.try_reserve_exact(self.len());
        room.map_err(|_| EngineError::OutOfMemory { bytes: self.len() * element_bytes::<F>() })?;
        elements.extend(values.as_ref().iter().map(|&value| F::from_montgomery(value)));
        // The transform needs the memory of these values.
        drop(values);
        let ntt = Ntt::with_root(self.log_size, self.domain.backend(), self.root, F::GENERATOR)?;
        ntt.transform(Way::CosetInverse, &mut elements, &control)?;
        Ok(elements)
    }

    /// Writes the coefficients that [`coefficients`](Self::coefficients) returns, without its factor.
    fn write(&self, coefficients: &[F], is_reversed: bool, out: &mut [MaybeUninit<u8>]) -> Result<(), Error> {
        let size = element_bytes::<F>();
        let divisor = F::GENERATOR.pow([self.len() as u64]) - F::ONE;
        let factor = F::from(2u64).pow([8 * size as u64]) / divisor;
        let shift = usize::BITS - self.log_size;
        // Nobody stops this pass, because a call that is cancelled writes nothing.
        Control::new(None, None, None).chunks(out, BLOCK * size, |block, out| {
            for (index, out) in (block * BLOCK..).zip(out.chunks_exact_mut(size)) {
                let from = match is_reversed && self.log_size > 0 {
                    true => index.reverse_bits() >> shift,
                    false => index,
                };
                let product = [coefficients[from] * factor];
                let [words] = F::as_montgomery(&product) else { unreachable!("one element") };
                for (out, word) in out.as_chunks_mut().0.iter_mut().zip(words.as_ref()) {
                    *out = word.to_le_bytes().map(MaybeUninit::new);
                }
            }
            Ok::<_, Error>(())
        })
    }
}
