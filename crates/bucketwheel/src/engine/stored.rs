//! Turns points at rest into bytes, and bytes into points.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use bucketwheel_lanes::{LaneField, OutOfLine, MAX_LANES};

use crate::control::Control;
use crate::engine::at_rest::{store, Coordinates, Point};
use crate::engine::coefficients::Coefficients;
use crate::error::TableError;
use crate::memory::Uninit;
use crate::Error;

/// The bytes of a file from some position on, with any owner.
pub(crate) struct FileBytes {
    file: Box<dyn AsRef<[u8]> + Send + Sync>,
    offset: usize,
}

impl FileBytes {
    pub fn new(file: impl AsRef<[u8]> + Send + Sync + 'static, offset: usize) -> Self {
        FileBytes { file: Box::new(file), offset }
    }

    fn bytes(&self) -> &[u8] {
        (*self.file).as_ref().get(self.offset..).unwrap_or_default()
    }

    /// Returns the bytes as points, if they are aligned and `len` points long.
    fn points<E>(&self, len: usize) -> Option<&[Point<E>]> {
        let bytes = self.bytes();
        let start = bytes.as_ptr().cast::<Point<E>>();
        let fits = bytes.len() == len * std::mem::size_of::<Point<E>>() && start.is_aligned();
        // SAFETY: the bytes are aligned and in bounds. Any bytes are elements, though perhaps not reduced
        // (`LaneField::Elem`).
        fits.then(|| unsafe { std::slice::from_raw_parts(start, len) })
    }
}

/// The points of a layout.
pub(crate) enum PointArray<E> {
    /// Points made in this process, all of them written.
    Made(Uninit<Point<E>>),
    /// The bytes of a file, aligned, and the number of points in them.
    FileBytes(FileBytes, usize),
}

impl<E: Copy> PointArray<E> {
    /// Returns all points.
    pub fn as_slice(&self) -> &[Point<E>] {
        match self {
            // SAFETY: all points are written.
            PointArray::Made(points) => unsafe { points.as_slice() },
            // The owner of the bytes is asked again, because its next answer may be another one.
            PointArray::FileBytes(file, len) => {
                file.points(*len).expect("the file's bytes stay where they are")
            }
        }
    }
}

/// A look at a block of points that starts at an index; each point is in one block, on any thread. Returns the position in the block
/// of the first point whose words are not reduced.
pub type Inspect<'a, W> = dyn Fn(usize, &[Coordinates<W>]) -> Option<usize> + Sync + 'a;

/// Points that were written, to be looked at and used.
pub struct Restored<'a, W> {
    pub(crate) file: FileBytes,
    pub(crate) len: usize,
    /// Number of points, at the start, that all others are multiples of.
    pub(crate) stride: usize,
    pub(crate) curve: Coefficients<W>,
    /// True to keep the points in the curve's Edwards form too.
    pub(crate) edwards: bool,
    pub(crate) inspect: &'a Inspect<'a, W>,
    pub(crate) control: &'a Control<'a>,
}

/// Points that a task looks at.
const BLOCK: usize = 1 << 10;

impl<W: Copy + Default + PartialEq> Restored<'_, W> {
    /// Returns the points, and whether a multiple of a finite point is at infinity. Each point must have the digits
    /// that the backend gives its words. Each point is a step of progress.
    pub(crate) fn points<L: LaneField<Words = W>>(
        self,
        lanes: L,
    ) -> Result<(PointArray<L::Elem>, bool), Error> {
        let Restored { file, len, stride, inspect, control, .. } = self;
        let points = match file.points::<L::Elem>(len) {
            Some(_) => PointArray::FileBytes(file, len),
            None => {
                let points = Uninit::<Point<L::Elem>>::new(len)?;
                let bytes = file.bytes();
                assert!(bytes.len() == len * std::mem::size_of::<Point<L::Elem>>(), "the length was checked");
                // SAFETY: the bytes fill the room of `len` points, by the assertion, and any bytes are elements.
                unsafe {
                    std::ptr::copy_nonoverlapping(bytes.as_ptr(), points.as_mut_ptr().cast(), bytes.len());
                }
                PointArray::Made(points)
            }
        };
        let all = points.as_slice();
        let first_bad = AtomicUsize::new(usize::MAX);
        let vanished = control.for_each(
            len.div_ceil(BLOCK),
            || false,
            |vanished, block| {
                let start = block * BLOCK;
                let block = &all[start..len.min(start + BLOCK)];
                let canonical = canonical(lanes, block);
                let differs = |&i: &usize| bytes_of(&block[i..=i]) != bytes_of(&canonical.points()[i..=i]);
                // One comparison of a whole block takes less time than a comparison of each point.
                let all_same = bytes_of(block) == bytes_of(canonical.points());
                let different = if all_same { None } else { (0..block.len()).find(differs) };
                if let Some(bad) = inspect(start, &canonical.words).into_iter().chain(different).min() {
                    first_bad.fetch_min(start + bad, Ordering::Relaxed);
                }
                // Infinity has one form: a point with other bytes is finite.
                let infinite =
                    |i: &usize| canonical.words[*i].iter().all(|words| *words == L::Words::default());
                let original = |i: usize| bytes_of(&all[(start + i) % stride..][..1]);
                *vanished |=
                    (0..block.len()).filter(infinite).any(|i| bytes_of(&block[i..=i]) != original(i));
                control.advance(block.len());
            },
        );
        control.check()?;
        match first_bad.into_inner() {
            usize::MAX => Ok((points, vanished.contains(&true))),
            index => Err(TableError::Point { index }.into()),
        }
    }
}

/// Appends the bytes of the points in `range`; `visit` sees their words.
pub(crate) fn append_canonical<L: LaneField>(
    lanes: L,
    points: &[Point<L::Elem>],
    range: Range<usize>,
    bytes: &mut Vec<u8>,
    visit: &mut dyn FnMut(usize, &Coordinates<L::Words>),
) {
    let canonical = canonical(lanes, &points[range.clone()]);
    bytes.extend_from_slice(bytes_of(canonical.points()));
    range.zip(&canonical.words).for_each(|(index, words)| visit(index, words));
}

/// Returns the bytes of points at rest.
fn bytes_of<E>(points: &[Point<E>]) -> &[u8] {
    // SAFETY: points at rest are plain integers without padding (`LaneField::Elem`).
    unsafe { std::slice::from_raw_parts(points.as_ptr().cast(), std::mem::size_of_val(points)) }
}

/// Points as the backend makes them of their words, and the words.
struct Canonical<L: LaneField> {
    points: Uninit<Point<L::Elem>>,
    words: Vec<Coordinates<L::Words>>,
}

impl<L: LaneField> Canonical<L> {
    fn points(&self) -> &[Point<L::Elem>] {
        // SAFETY: `canonical` writes all points.
        unsafe { self.points.as_slice() }
    }
}

fn canonical<L: LaneField>(lanes: L, points: &[Point<L::Elem>]) -> Canonical<L> {
    let len = points.len();
    let room = Uninit::new(len).expect("memory for a block of points");
    let mut canonical = Canonical { points: room, words: Vec::with_capacity(len) };
    Normalize { lanes: OutOfLine::of(lanes), points, canonical: &mut canonical }.run();
    canonical
}

/// Takes points to words and back.
struct Normalize<'a, L: LaneField> {
    lanes: OutOfLine<L>,
    points: &'a [Point<L::Elem>],
    /// Room for all points.
    canonical: &'a mut Canonical<L>,
}

impl<L: LaneField> Normalize<'_, L> {
    fn run(self) {
        let Normalize { lanes, points, canonical } = self;
        let target = canonical.points.as_mut_ptr();
        for first in (0..points.len()).step_by(L::LANES) {
            // Lanes without a point repeat the last point.
            let index = |lane: usize| (points.len() - 1).min(first + lane);
            let x: [*const L::Elem; MAX_LANES] = std::array::from_fn(|lane| &raw const points[index(lane)].x);
            let y: [*const L::Elem; MAX_LANES] = std::array::from_fn(|lane| &raw const points[index(lane)].y);
            // SAFETY: references are valid.
            let (x, y) = unsafe { (lanes.load(&x), lanes.load(&y)) };
            let (x, y) = (lanes.decode(&x), lanes.decode(&y));
            for lane in 0..L::LANES.min(points.len() - first) {
                canonical.words.push([x[lane], y[lane]]);
            }
            let (x, y) = (lanes.encode(&x), lanes.encode(&y));
            let place = std::array::from_fn(|lane| target.wrapping_add(index(lane)).cast());
            // SAFETY: `target` has room for the points of all lanes.
            unsafe { store(lanes, [&x, &y], place) };
        }
    }
}
