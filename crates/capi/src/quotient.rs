//! Quotients of Groth16 as coefficients, for provers that hold circuits and keys elsewhere: `bw_quotient`.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use ark_ff::BigInt;
use bucketwheel::{Control, Error as EngineError, Form};
use bucketwheel_groth16::ntt::{
    Domain, Elements, Error as TransformError, Ntt, Transform, TransformField, Way,
};
use bucketwheel_groth16::{with_pairing, MissingCurve, PairingCurve};

use crate::abi::*;
use crate::border;
use crate::error::Error;
use crate::options::{self, Options};

/// Index `i` has the coefficient of `X^i`.
pub const BW_ORDER_NATURAL: u32 = 1;
/// Index `i` has the coefficient of `X^j`, j being i with its `log_size` bits in reverse: gnark's keys.
pub const BW_ORDER_BIT_REVERSED: u32 = 2;

/// Computes the coefficients of the quotient `h = (A B - C) / (X^n - 1)`. A and B are the polynomials of degree below
/// `n = 2^log_size` whose values on the powers of a root of unity are `a` and `b`; missing values count as 0. The
/// values of C are the products of these values. The call writes the coefficients, n elements in Montgomery form, to
/// `out`, a buffer of `size` bytes, in the order `order` (BW_ORDER_...); the highest coefficient is 0. `root` is one
/// scalar, the root of unity of order n; NULL stands for arkworks' root. The options `threads` and `cancel` matter. The
/// curves are BN254 and BLS12-381.
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
        // SAFETY: `a` and `b` are NULL or point to a `bw_scalars`. Its values stay until this call returns; the slices
        // end before.
        let (a, b) = unsafe { (Values::new(a, "a")?, Values::new(b, "b")?) };
        let root = match root.is_null() {
            true => None,
            // SAFETY: `root` points to a `bw_scalars`. Its values stay until this call returns; the slice ends before.
            false => Some(unsafe { Values::new(root, "root") }?),
        };
        let call = Call { log_size, values: [a, b], root, is_reversed, options: &options };
        // SAFETY: `out` is not NULL, so it points to `size` bytes that nobody else uses during the call.
        with_pairing!(curve, E => unsafe { call.run::<E>(out, size) })
            .map_err(|MissingCurve(curve)| Error::NoTransforms(curve))?
    })
}

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
    unsafe fn run<E: PairingCurve>(self, out: *mut c_void, size: usize) -> Result<(), Error> {
        let root = self.root.map(Values::only::<E::ScalarField>).transpose()?;
        let quotient = Quotient::new(self.log_size, root)?;
        let expected = quotient.len() * ELEMENT;
        if size < expected {
            return Err(Error::Room { size, expected });
        }
        let coefficients = quotient.coefficients(self.values, self.options)?;
        // SAFETY: `out` has `size` bytes, no fewer than the elements take, and nobody else uses them. A byte array has
        // alignment 1, and `MaybeUninit` permits uninitialised contents.
        let out = unsafe { std::slice::from_raw_parts_mut(out.cast::<Room>(), quotient.len()) };
        quotient.write(&coefficients, self.is_reversed, out)
    }
}

/// The bytes of a scalar of the two curves.
const ELEMENT: usize = 32;

/// Memory for one written element.
type Room = MaybeUninit<[u8; ELEMENT]>;

/// Values in a caller's memory.
#[derive(Clone, Copy)]
struct Values<'a> {
    bytes: &'a [u8],
    stride: usize,
    form: Form,
}

impl<'a> Values<'a> {
    /// Reads a caller's description of values.
    ///
    /// # Errors
    /// For a null pointer, and for invalid codes and strides.
    ///
    /// # Safety
    /// - `values` is null or points to a `bw_scalars`.
    /// - Its `data` is null or has `count` times `stride` bytes, which nobody changes as long as the result is used.
    unsafe fn new(values: *const bw_scalars, what: &'static str) -> Result<Self, Error> {
        // SAFETY: `values` is NULL or points to a description.
        let values = unsafe { border::read(values, what) }?;
        let form = options::form(values.form)?;
        let stride = if values.stride == 0 { ELEMENT } else { values.stride };
        if stride < ELEMENT {
            return Err(EngineError::Stride { stride, least: ELEMENT }.into());
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
        let bytes = &self.bytes[index * self.stride..][..ELEMENT];
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_le_bytes(bytes.try_into().expect("chunks of eight bytes"));
        }
        let integer = BigInt(words);
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
    fn new(log_size: u32, root: Option<F>) -> Result<Self, Error> {
        let too_large = TransformError::Domain { log_size, max: F::TWO_ADICITY };
        let size = 1u64.checked_shl(log_size).ok_or(too_large)?;
        let too_large = TransformError::Domain { log_size, max: F::TWO_ADICITY };
        let root = root.or_else(|| F::get_root_of_unity(size)).ok_or(too_large)?;
        let backend = bucketwheel::default_backend()?;
        let domain = Domain::with_root(log_size, backend, root, F::GENERATOR)?;
        Ok(Quotient { log_size, root, domain })
    }

    fn len(&self) -> usize {
        1 << self.log_size
    }

    /// Returns the coefficients of h times `(g^n - 1) / R`, R being 2^256, in natural order.
    fn coefficients(&self, values: [Values<'_>; 2], options: &Options) -> Result<Vec<F>, Error> {
        let control = options.transform();
        let mut evaluations = self.domain.evaluations()?;
        for (vector, (mut elements, values)) in evaluations.elements().into_iter().zip(values).enumerate() {
            if values.len() > elements.len() {
                let length = TransformError::Length { found: values.len(), log_size: self.log_size };
                return Err(length.into());
            }
            let mut blocks: Vec<Elements<'_>> = Vec::new();
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
        room.map_err(|_| EngineError::OutOfMemory { bytes: self.len() * ELEMENT })?;
        elements.extend(values.as_ref().iter().map(|&value| F::from_montgomery(value)));
        // The transform needs the memory of these values.
        drop(values);
        let ntt = Ntt::with_root(self.log_size, self.domain.backend(), self.root, F::GENERATOR)?;
        ntt.transform(Way::CosetInverse, &mut elements, &control)?;
        Ok(elements)
    }

    /// Writes the coefficients that [`coefficients`](Self::coefficients) returns, after removing its factor.
    fn write(&self, coefficients: &[F], is_reversed: bool, out: &mut [Room]) -> Result<(), Error> {
        let divisor = F::GENERATOR.pow([self.len() as u64]) - F::ONE;
        let factor = F::from(2u64).pow([256]) / divisor;
        let shift = usize::BITS - self.log_size;
        // No cancellation stops this pass, because a cancelled call must write nothing.
        Control::new(None, None, None).chunks(out, BLOCK, |block, out| {
            for (index, out) in (block * BLOCK..).zip(out) {
                let from = match is_reversed && self.log_size > 0 {
                    true => index.reverse_bits() >> shift,
                    false => index,
                };
                let words = (coefficients[from] * factor).montgomery_words();
                let mut bytes = [0; ELEMENT];
                for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
                    bytes.copy_from_slice(&word.to_le_bytes());
                }
                out.write(bytes);
            }
            Ok::<_, Error>(())
        })
    }
}
