//! Converts the numbers of C to Rust's types.

use bucketwheel::{
    Backend, BasesOptions, Cancel, Check, CurveId, Form, GroupId, Infinity, Msm, StreamOptions,
};
use bucketwheel_dynamic::groups;
use bucketwheel_formats::{FormatId, Section};
#[cfg(feature = "witness")]
use bucketwheel_groth16::witness::Calculator;
use bucketwheel_groth16::ProveOptions;
use bucketwheel_transform::TransformOptions;

use crate::abi::*;
use crate::border::{self, Listener};
use crate::error::Error;

/// Returns the value for a code.
fn find<T>(
    (what, expected, status): (&'static str, &'static str, bw_status),
    code: u32,
    from_code: impl FnOnce(u8) -> Option<T>,
) -> Result<T, Error> {
    u8::try_from(code).ok().and_then(from_code).ok_or(Error::Code { what, code, expected, status })
}

/// Returns the value at an index of a list.
fn pick<T: Copy>(what: &'static str, expected: &'static str, code: u32, values: &[T]) -> Result<T, Error> {
    find((what, expected, BW_ERROR_ARGUMENT), code, |code| values.get(usize::from(code)).copied())
}

/// Returns a curve, or an error if this build lacks it.
pub fn curve(code: u32) -> Result<CurveId, Error> {
    find(("curve", CurveId::CODES, BW_ERROR_CURVE), code, CurveId::from_code)
}

/// Returns a group, which the curve may lack.
pub fn group(code: u32) -> Result<GroupId, Error> {
    find(("group", "1 to 3, BW_GROUP_...", BW_ERROR_GROUP), code, GroupId::from_code)
}

/// Returns a curve of this build and a group of this curve.
pub fn kind(curve_code: u32, group_code: u32) -> Result<(CurveId, GroupId), Error> {
    let (curve, group) = (curve(curve_code)?, group(group_code)?);
    groups(curve, group)?;
    Ok((curve, group))
}

/// Returns a section; `None` for 0.
pub fn section(code: u32) -> Result<Option<Section>, Error> {
    let expected = "0, 2 to 8, 16 to 18 or 32 to 40, BW_SECTION_...";
    optional(code, |code| find(("section", expected, BW_ERROR_ARGUMENT), code, Section::from_code))
}

/// Returns the value for a code; `None` for 0.
pub fn optional<T>(code: u32, find: impl FnOnce(u32) -> Result<T, Error>) -> Result<Option<T>, Error> {
    (code != 0).then(|| find(code)).transpose()
}

/// Format of bytes.
#[derive(Clone, Copy)]
pub enum Format {
    /// A file of points.
    Points(FormatId),
    /// A table.
    Table,
}

/// Returns a format; `None` for 0.
pub fn format(code: u32) -> Result<Option<Format>, Error> {
    let from_code = |code| match u32::from(code) {
        BW_FORMAT_TABLE => Some(Format::Table),
        _ => FormatId::from_code(code).map(Format::Points),
    };
    let expected = "0 to 20 or 255, BW_FORMAT_...";
    optional(code, |code| find(("format", expected, BW_ERROR_ARGUMENT), code, from_code))
}

/// Returns the form of field elements. A structure that nobody filled in has form 0, which is an error.
pub fn form(code: u32) -> Result<Form, Error> {
    let forms = [None, Some(Form::Canonical), Some(Form::Montgomery)];
    let expected = "1 (BW_FORM_CANONICAL) or 2 (BW_FORM_MONTGOMERY)";
    find(("form", expected, BW_ERROR_ARGUMENT), code, |code| *forms.get(usize::from(code))?)
}

/// Returns the form of the point at infinity.
pub fn infinity(points: &bw_points) -> Result<Infinity, Error> {
    let offset = points.infinity_offset;
    let rules = [Infinity::Zeros, Infinity::Flag(offset), Infinity::ZeroCoordinate(offset)];
    pick("infinity", "0 to 2, BW_INFINITY_...", points.infinity, &rules)
}

/// Coordinates of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// x and y.
    Affine,
    /// x, y and z.
    Jacobian,
}

impl Coordinates {
    /// Returns the number of coordinates.
    pub fn count(self) -> usize {
        match self {
            Coordinates::Affine => 2,
            Coordinates::Jacobian => 3,
        }
    }
}

/// Returns the coordinates of sums.
pub fn coordinates(code: u32) -> Result<Coordinates, Error> {
    let kinds = [None, Some(Coordinates::Affine), Some(Coordinates::Jacobian)];
    let expected = "1 (BW_AFFINE) or 2 (BW_JACOBIAN)";
    find(("coordinates", expected, BW_ERROR_ARGUMENT), code, |code| *kinds.get(usize::from(code))?)
}

/// Returns true if coefficients come in bit-reversed order.
pub fn is_bit_reversed(code: u32) -> Result<bool, Error> {
    let orders = [None, Some(false), Some(true)];
    let expected = "1 (BW_ORDER_NATURAL) or 2 (BW_ORDER_BIT_REVERSED)";
    find(("order", expected, BW_ERROR_ARGUMENT), code, |code| *orders.get(usize::from(code))?)
}

/// Options, and the objects behind their pointers.
#[derive(Default)]
pub struct Options {
    threads: Option<usize>,
    copies: usize,
    memory: Option<usize>,
    check: Check,
    backend: Option<Backend>,
    endomorphism: Option<bool>,
    window: Option<u32>,
    cancel: Option<Cancel>,
    listener: Option<Listener>,
}

impl Options {
    /// Reads a caller's options. NULL stands for the defaults.
    ///
    /// # Errors
    /// For unknown codes and invalid numbers.
    ///
    /// # Safety
    /// - `options` is NULL or points to a `usize`, and to that number of initialised bytes, which start with a [`bw_options`].
    /// - Its `cancel` is NULL or a handle that nobody frees during the call.
    /// - Nobody changes the bytes during the call.
    pub unsafe fn new(options: *const bw_options) -> Result<Self, Error> {
        if options.is_null() {
            return Ok(Options::default());
        }
        // SAFETY: `options` points to a struct whose first member states its bytes, which nobody changes.
        let options = unsafe { border::options(options) }?;
        let checks = [Check::None, Check::Curve, Check::Subgroup];
        let choices = [None, Some(true), Some(false)];
        if options.copies > 1 && options.memory > 0 {
            return Err(Error::CopiesAndMemory);
        }
        // SAFETY: `cancel` is NULL or a handle, which `bw_cancel_new` made: aligned, shared, and not freed during this
        // call. The clone belongs to this call, and stays valid when the handle is freed.
        let cancel = unsafe { options.cancel.as_ref() }.map(|cancel| cancel.0.clone());
        Ok(Options {
            threads: Some(options.threads).filter(|&threads| threads > 0),
            copies: options.copies,
            memory: match options.memory {
                0 => None,
                BW_MEMORY_LEAST => Some(0),
                bytes => Some(bytes),
            },
            check: pick("check", "0 to 2, BW_CHECK_...", options.check, &checks)?,
            backend: pick("backend", "0 to 5, BW_BACKEND_...", options.backend, &BACKENDS)?,
            endomorphism: pick(
                "endomorphism",
                "0 to 2, BW_DEFAULT, BW_YES or BW_NO",
                options.endomorphism,
                &choices,
            )?,
            window: Some(options.window).filter(|&window| window > 0),
            cancel,
            listener: Listener::new(&options),
        })
    }

    /// Returns an error if the caller has cancelled.
    pub fn check_cancelled(&self) -> Result<(), Error> {
        match self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            true => Err(bucketwheel::Error::Cancelled.into()),
            false => Ok(()),
        }
    }

    /// Returns the options for preparing points.
    pub fn bases(&self) -> BasesOptions<'_> {
        let mut options = BasesOptions::new().check(self.check).copies(self.copies);
        options = self.memory.map_or(options, |memory| options.memory(memory));
        options = self.backend.map_or(options, |backend| options.backend(backend));
        options = self.endomorphism.map_or(options, |endomorphism| options.endomorphism(endomorphism));
        options = self.threads.map_or(options, |threads| options.threads(threads));
        options = self.cancel.as_ref().map_or(options, |cancel| options.cancel(cancel));
        self.listener.as_ref().map_or(options, |listener| options.progress(listener))
    }

    /// Returns the options of a sum.
    pub fn msm(&self) -> Msm<'_> {
        let mut msm = Msm::new();
        msm = self.window.map_or(msm, |window| msm.window(window));
        msm = self.threads.map_or(msm, |threads| msm.threads(threads));
        msm = self.cancel.as_ref().map_or(msm, |cancel| msm.cancel(cancel));
        self.listener.as_ref().map_or(msm, |listener| msm.progress(listener))
    }

    /// Returns the options of a sum, with windows of `window` bits unless the caller chose a width.
    pub fn window_or(&self, window: u32) -> Msm<'_> {
        self.msm().window(self.window.unwrap_or(window))
    }

    /// Returns true if the images of the points are kept exactly where they are by default.
    pub fn has_default_images(&self) -> bool {
        self.endomorphism.is_none() && self.check != Check::Curve
    }

    /// Returns the options of a proof.
    pub fn prove(&self) -> ProveOptions<'_> {
        let mut options = ProveOptions::new();
        options = self.memory.map_or(options, |memory| options.memory(memory));
        options = self.cancel.as_ref().map_or(options, |cancel| options.cancel(cancel));
        self.listener.as_ref().map_or(options, |listener| options.progress(listener))
    }

    /// Returns the options of a transform.
    pub fn transform(&self) -> TransformOptions<'_> {
        TransformOptions { threads: self.threads, cancel: self.cancel.as_ref(), progress: None }
    }

    /// Returns a calculator of witnesses with the caller's limits.
    #[cfg(feature = "witness")]
    pub fn calculator(&self) -> Calculator {
        let mut calculator = Calculator::new();
        // No circuit runs in zero bytes, which ask for a proof in little memory.
        if let Some(memory) = self.memory.filter(|&memory| memory > 0) {
            calculator = calculator.memory_limit(memory);
        }
        match &self.cancel {
            Some(cancel) => calculator.cancel(cancel),
            None => calculator,
        }
    }

    /// Returns the options of a stream of about `points` points; 0 stands for any number.
    pub fn stream(&self, points: usize) -> StreamOptions {
        let mut options = StreamOptions::new().check(self.check);
        options = if points > 0 { options.points(points) } else { options };
        options = self.memory.map_or(options, |memory| options.memory(memory));
        self.backend.map_or(options, |backend| options.backend(backend))
    }

    /// Returns the backend that the caller asked for.
    pub fn backend(&self) -> Option<Backend> {
        self.backend
    }
}

/// The backends, in the order of their codes `BW_BACKEND_...`; backends for tests have no code.
const BACKENDS: [Option<Backend>; 6] = [
    None,
    Some(Backend::Portable),
    Some(Backend::Adx),
    Some(Backend::Aarch64),
    Some(Backend::Avx2),
    Some(Backend::Avx512Ifma),
];

/// Returns the code of a backend, or the default's code for a backend without one.
pub fn backend_code(backend: Backend) -> u32 {
    let code = BACKENDS.iter().position(|&known| known == Some(backend));
    code.map_or(BW_BACKEND_DEFAULT, |code| code as u32)
}
