//! MSMs over more points than memory holds: start, update, finish.
//!
//! The three stages are from SimdMSM, section 5.3: a point is used once and released. The buckets of all windows stay
//! from update to update, and are aggregated once, at the end. A block bounds the memory: points wait, in the lanes'
//! layout, with their scalars, until there are enough of them to be worth a sort.
//!
//! A [flush](Stream::flush) aggregates early. Then the whole state of the stream is one point, and a checkpoint of a
//! long run keeps only this point.

mod sums;

use std::sync::atomic::{AtomicUsize, Ordering};

use ark_ec::short_weierstrass::Projective;

use self::sums::{Both, One, Sums, Terms};
use crate::backend::default_among;
use crate::bases::points::Points;
use crate::bases::Check;
use crate::control::{Control, Progress};
use crate::curve::{CoordinateField, Curve};
use crate::digits::table::Table;
use crate::digits::{arrange, classes, Digits, Sharing};
use crate::memory::{release_memory, Output};
use crate::msm::{Msm, PairSums};
use crate::plan::stream::Demand;
use crate::plan::SETS;
use crate::provider::{Cpu, Provider};
use crate::scalars::{Fold, MagnitudeLayout, Magnitudes, ScalarWords, Scalars};
use crate::windows::Windows;
use crate::{Backend, Error, PairError};

pub use crate::plan::stream::StreamPlan;

/// Options of a stream. Every option has a default.
#[derive(Clone, Copy, Debug)]
pub struct StreamOptions {
    backend: Option<Backend>,
    check: Check,
    points: usize,
    memory: usize,
}

impl Default for StreamOptions {
    fn default() -> Self {
        StreamOptions { backend: None, check: Check::None, points: 1 << 20, memory: 1 << 30 }
    }
}

impl StreamOptions {
    /// Returns the defaults: the fastest backend (or the backend of the environment variable `BUCKETWHEEL_BACKEND`), no
    /// checks, a million expected points, 1 GiB of memory. The [example](crate::Stream) uses it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses this instruction set. The [example](crate::PairStream) uses it.
    pub fn backend(self, backend: Backend) -> Self {
        StreamOptions { backend: Some(backend), ..self }
    }

    /// Checks the points, as [`BasesOptions::check`](crate::BasesOptions::check) does.
    /// The [example](crate::PairStream) uses it.
    #[cfg(feature = "inspection")]
    pub fn check(self, check: Check) -> Self {
        StreamOptions { check, ..self }
    }

    /// Sets the expected number of points. The windows depend on it, so a stream with another number of points is
    /// slower but not wrong. The [example](crate::Stream) uses it.
    pub fn points(self, points: usize) -> Self {
        StreamOptions { points, ..self }
    }

    /// Sets the most bytes that the stream takes, for any points ([`StreamPlan::memory_bytes`]). With little memory,
    /// windows are narrower and sums take longer: 2^24 points over Fp do best with 2 GiB, and take about 1.1x the
    /// additions in 64 MiB. The [example](crate::Stream) uses it.
    pub fn memory(self, bytes: usize) -> Self {
        StreamOptions { memory: bytes, ..self }
    }

    /// Returns the CPU with the backend that the caller asked for, or else with the fastest backend.
    fn cpu<C: Curve>(self) -> Result<Cpu, Error> {
        self.backend.map_or_else(|| default_among(C::BaseField::backends()), Ok).map(Cpu)
    }
}

/// Part that all streams have in common.
struct StreamState<'a, S: Sums> {
    msm: Msm<'a>,
    backend: Backend,
    check: Check,
    /// Expected number of points.
    expected: usize,
    /// True if scalars may be folded.
    in_subgroup: bool,
    /// True if the scheduler takes points sorted by bucket.
    sorted: bool,
    windows: Windows,
    plan: StreamPlan,
    /// Number of threads that there is memory for.
    threads: usize,
    sums: S,
    /// The scalars of the block, and room for later ones.
    magnitudes: Vec<u64>,
    layout: MagnitudeLayout,
    /// The number of scalars of the block.
    waiting: usize,
    /// Number of scalars of the block of each length.
    lengths: Vec<usize>,
    /// Number of points taken so far.
    len: usize,
    /// True if an update broke off and left buckets with unknown sums.
    broken: bool,
}

impl<'a, S: Sums> StreamState<'a, S> {
    fn start<F: ScalarWords>(
        msm: Msm<'a>,
        options: StreamOptions,
        provider: S::Provider<'_>,
    ) -> Result<Self, Error> {
        msm.check_window()?;
        let StreamOptions { check, points, memory, .. } = options;
        let abilities = S::abilities(provider)?;
        let threads = Control::new(msm.threads, None, None).threads;
        let in_subgroup = check != Check::Curve || S::cofactors_are_one();
        S::check_adder(msm.strategy.adder, in_subgroup)?;
        let sorted = abilities.needs_sorted(msm.strategy);
        msm.strategy.check(sorted)?;
        // A folded scalar is at most half of the order, which is odd.
        let bits = F::MODULUS_BIT_SIZE - u32::from(in_subgroup);
        let (point_bytes, bucket_bytes) = S::bytes(msm.strategy);
        let (window, costs) = (msm.window, abilities.costs);
        let demand = Demand { points, bits, window, point_bytes, bucket_bytes, threads, costs };
        let (windows, plan) = demand.plan(memory)?;
        let (strategy, block, windows_at_a_time) =
            (msm.strategy.resolve(), plan.block, at_a_time(windows, sorted));
        let terms = Terms { windows, strategy, block, windows_at_a_time, threads };
        let layout = MagnitudeLayout::of::<F>(&Fold { in_subgroup, split: None });
        Ok(StreamState {
            msm,
            backend: abilities.backend,
            check,
            expected: points,
            in_subgroup,
            sorted,
            windows,
            plan,
            threads,
            sums: S::open(terms, provider)?,
            magnitudes: Vec::new(),
            layout,
            waiting: 0,
            lengths: Vec::new(),
            len: 0,
            broken: false,
        })
    }

    /// Adds the known sum of `len` points.
    fn resume(&mut self, len: usize, sum: S::Sum) {
        self.len = self.len.saturating_add(len);
        self.sums.add(sum);
    }

    fn update<F: ScalarWords>(
        &mut self,
        points: S::Points<'_>,
        scalars: Scalars<'_, F>,
    ) -> Result<(), S::Error> {
        if self.broken {
            return Err(Error::Cancelled.into());
        }
        let control = self.control(None);
        // All errors of the input show before any of it is used.
        let len = S::count(points, scalars.len())?;
        S::verify(points, self.check, Cpu(self.backend), &control)?;
        if let Some(index) = control.find_first(len, PART, |range| scalars.out_of_range(range)) {
            return Err(Error::ScalarRange { index }.into());
        }
        self.broken = true;
        let mut next = 0;
        while next < len {
            let range = next..len.min(next + self.plan.block - self.waiting);
            let left_out = self.sums.load(points, &range, &control)?;
            self.make_room()?;
            let (position, stride) = (self.waiting, self.plan.block);
            let fold = Fold { in_subgroup: self.in_subgroup, split: None };
            let room = Output::new(self.magnitudes.as_mut_ptr());
            // SAFETY: `make_room` has made room for the scalars of a block.
            let mut lengths = unsafe {
                fold.write(&scalars, range.clone(), (&room, position, stride), self.backend, &control)?
            };
            let left_out = left_out.iter().map(|&offset| position + offset as usize);
            self.layout.clear(&mut self.magnitudes, stride, left_out, &mut lengths);
            self.waiting += range.len();
            self.lengths.resize(lengths.len(), 0);
            self.lengths.iter_mut().zip(lengths).for_each(|(sum, count)| *sum += count);
            self.len = self.len.saturating_add(range.len());
            next = range.end;
            if self.waiting == self.plan.block {
                self.accumulate()?;
            }
        }
        self.broken = false;
        Ok(())
    }

    /// Makes room for the scalars of a block, if there is none.
    fn make_room(&mut self) -> Result<(), Error> {
        let len = self.plan.block * self.layout.words;
        let missing = len - self.magnitudes.len();
        let no_room = |_| Error::OutOfMemory { bytes: missing * size_of::<u64>() };
        self.magnitudes.try_reserve_exact(missing).map_err(no_room)?;
        self.magnitudes.resize(len, 0);
        Ok(())
    }

    /// Adds the block to the buckets.
    fn accumulate(&mut self) -> Result<(), Error> {
        let points = std::mem::take(&mut self.waiting);
        let share = self.share(self.len - points, points);
        let control = self.control(share.as_ref());
        let StreamState { windows, sorted, backend, .. } = *self;
        let magnitudes = Magnitudes::new(&self.magnitudes, points, self.layout);
        let classes = &classes(magnitudes, &self.lengths, windows, &control)?;
        let sharing = Sharing::new(windows, &Table::none(points));
        let digits = Digits { magnitudes, classes, windows, sharing, backend };
        control.expect(S::GROUPS * digits.count(&(0..windows.count())));
        let at_a_time = at_a_time(windows, sorted);
        for first in (0..windows.count()).step_by(at_a_time) {
            let sets = first..windows.count().min(first + at_a_time);
            let arranged = arrange(digits, sets, sorted, &control)?;
            // A budget leaves no room for unused arrays.
            release_memory();
            self.sums.accumulate(&arranged, first, &control)?;
        }
        self.sums.empty();
        release_memory();
        self.lengths.clear();
        control.finish();
        Ok(())
    }

    fn flush(&mut self) -> Result<S::Sum, Error> {
        if std::mem::replace(&mut self.broken, true) {
            return Err(Error::Cancelled);
        }
        if self.waiting > 0 {
            self.accumulate()?;
        }
        let share = self.share(self.len, self.tail());
        let control = self.control(share.as_ref());
        self.sums.collect(self.windows, &control)?;
        control.finish();
        self.broken = false;
        Ok(self.sums.total())
    }

    fn control<'c>(&self, share: Option<&'c Share<'a>>) -> Control<'c>
    where
        'a: 'c,
    {
        let progress = share.map(|share| share as &dyn Progress);
        Control::new(Some(self.threads), self.msm.cancel, progress)
    }

    /// Returns the cost of the aggregation, in points: two additions for each bucket. A point takes one addition for each window.
    fn tail(&self) -> usize {
        2 * self.windows.buckets()
    }

    /// Returns the progress of work on `points` points.
    fn share(&self, before: usize, points: usize) -> Option<Share<'a>> {
        let total = self.expected.max(self.len).saturating_add(self.tail());
        let share = |progress| Share { progress, before, points, total, most: AtomicUsize::new(before) };
        self.msm.progress.map(share)
    }
}

/// Returns the number of windows whose digits are sorted at a time, or of all windows if no digits are sorted.
fn at_a_time(windows: Windows, sorted: bool) -> usize {
    if sorted {
        SETS.min(windows.count())
    } else {
        windows.count()
    }
}

/// Scalars that a task reads.
const PART: usize = 1 << 14;

/// A part of a stream's progress, in points of the expected number.
struct Share<'a> {
    progress: &'a dyn Progress,
    before: usize,
    points: usize,
    total: usize,
    /// The most points that were reported. Of two groups, the second starts its count again.
    most: AtomicUsize,
}

impl Progress for Share<'_> {
    fn report(&self, done: usize, total: usize) {
        let here =
            self.before.saturating_add((self.points as u64 * done as u64 / total.max(1) as u64) as usize);
        self.progress.report(self.most.fetch_max(here, Ordering::Relaxed).max(here), self.total);
    }

    fn on_thread(&self, share: &mut dyn FnMut()) {
        self.progress.on_thread(share);
    }
}

/// An MSM whose points and scalars come in parts of any sizes. Its memory depends on [`StreamOptions::memory`], not on
/// the number of points.
///
/// ```
/// # use ark_bls12_381::{g1::Config, Fr, G1Affine};
/// # use ark_ec::AffineRepr;
/// # use bucketwheel::{Msm, StreamOptions};
/// # fn parts() -> impl Iterator<Item = (Vec<G1Affine>, Vec<Fr>)> {
/// #     (1..4u64).map(|i| (vec![G1Affine::generator(); i as usize], vec![Fr::from(i); i as usize]))
/// # }
/// # fn main() -> Result<(), bucketwheel::Error> {
/// let mut stream = Msm::new().start::<Config>(StreamOptions::new().points(1 << 24).memory(256 << 20))?;
/// for (points, scalars) in parts() {
///     stream.update(&points, &scalars)?;
/// }
/// let sum = stream.finish()?;
/// # assert_eq!(sum, G1Affine::generator() * Fr::from(1 + 4 + 9));
/// # Ok(())
/// # }
/// ```
///
/// Threads, cancellation, progress (in points), adder and scheduler are the [`Msm`]'s. A stream uses at most the
/// threads of the rayon pool where it was started. A stream may go from thread to thread, but its parts come one after
/// the other: it is `Send`, not `Sync`. Unlike an MSM over [`Bases`](crate::Bases), a stream does not use the
/// endomorphism, which pays for short sums only. A stream has to choose its windows before it has seen a scalar. Still,
/// zeros cost nothing, and short scalars cost only the windows that they reach.
///
/// An error in the points or scalars of an update leaves the stream as it was before the update. The error's index
/// counts from the update's first point. A cancelled stream is over: every later call returns [`Error::Cancelled`]. Its
/// state at the last [`flush`](Self::flush) can be [resumed](Self::resume) in a new stream.
pub struct Stream<'a, C: Curve>(StreamState<'a, One<C>>);

/// A [`Stream`] of the sums over two groups with the same scalars, usually G1 and G2, which shares digits and sorting.
///
/// ```
/// use ark_bn254::{g1, g2, Fr, G1Affine, G2Affine};
/// use ark_ec::AffineRepr;
/// use bucketwheel::{Backend, Check, Msm, StreamOptions};
///
/// let (p, q, scalars) = ([G1Affine::generator(); 10], [G2Affine::generator(); 10], [Fr::from(3); 10]);
/// let options = StreamOptions::new().points(20).check(Check::Curve).backend(Backend::Portable);
/// let mut stream = Msm::new().start_pair::<g1::Config, g2::Config>(options)?;
/// stream.update((&p, &q), &scalars[..])?;
///
/// // A checkpoint is two points and a number. A new stream goes on from there.
/// let (len, sums) = (stream.len(), stream.flush()?);
/// let mut stream = Msm::new().start_pair::<g1::Config, g2::Config>(options)?.resume(len, sums);
/// stream.update((&p, &q), &scalars[..])?;
/// stream.skip(5);
/// assert_eq!((stream.len(), stream.backend()), (25, Backend::Portable));
/// println!("{} bytes", stream.plan().memory_bytes);
/// assert_eq!(stream.finish()?, (p[0] * Fr::from(60), q[0] * Fr::from(60)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PairStream<'a, C: Curve, D: Curve>(StreamState<'a, Both<C, D>>);

impl<'a> Msm<'a> {
    /// Starts a stream. The [example](crate::Stream) uses it.
    ///
    /// # Errors
    /// [`Error::Window`], [`Error::Memory`], [`Error::Adder`], [`Error::ThreadsByLoop`], [`Error::UnsupportedBackend`],
    /// [`Error::UnknownBackend`].
    pub fn start<C: Curve>(self, options: StreamOptions) -> Result<Stream<'a, C>, Error> {
        self.start_by(&options.cpu::<C>()?, options)
    }

    /// Starts a stream as [`start`](Self::start) does, by this provider. The backend is then the provider's.
    /// See the [example](crate::Stream).
    ///
    /// # Errors
    /// The errors of [`start`](Self::start), and the provider's errors.
    pub fn start_by<C: Curve>(
        self,
        provider: &dyn Provider<C::BaseField>,
        options: StreamOptions,
    ) -> Result<Stream<'a, C>, Error> {
        StreamState::start::<C::ScalarField>(self, options, provider).map(Stream)
    }

    /// Starts a stream of two sums. The [example](crate::PairStream) uses it.
    ///
    /// # Errors
    /// The errors of [`start`](Self::start).
    pub fn start_pair<C: Curve, D: Curve<ScalarField = C::ScalarField>>(
        self,
        options: StreamOptions,
    ) -> Result<PairStream<'a, C, D>, Error> {
        StreamState::start::<C::ScalarField>(self, options, options.cpu::<C>()?).map(PairStream)
    }
}

impl<C: Curve> Stream<'_, C> {
    /// Adds `sum scalars[i] points[i]`, at once or later. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::CoordinateRange`], [`Error::NotOnCurve`] or
    /// [`Error::NotInSubgroup`] for the first point that fails the check, [`Error::ScalarRange`]: nothing is added.
    /// [`Error::Cancelled`].
    pub fn update<'p, 's>(
        &mut self,
        points: impl Into<Points<'p, C>>,
        scalars: impl Into<Scalars<'s, C::ScalarField>>,
    ) -> Result<(), Error> {
        self.0.update(points.into(), scalars.into())
    }

    /// Returns the sum of all points added so far. Save it together with [`len`](Self::len) as a checkpoint. Costs two
    /// additions for each bucket that holds a point. One of the two is saved again when the next points find the bucket
    /// empty. The [example](crate::PairStream) uses it.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn flush(&mut self) -> Result<Projective<C>, Error> {
        self.0.flush()
    }

    /// Adds the known sum of `len` points, so that a new stream continues from a checkpoint. The
    /// [example](crate::PairStream) uses it.
    pub fn resume(mut self, len: usize, sum: Projective<C>) -> Self {
        self.0.resume(len, sum);
        self
    }

    /// Returns the sum of all points. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn finish(mut self) -> Result<Projective<C>, Error> {
        self.flush()
    }
}

impl<C: Curve, D: Curve<ScalarField = C::ScalarField>> PairStream<'_, C, D> {
    /// Adds `sum scalars[i] points[i]` in both groups, at once or later. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`Stream::update`]. [`PairError::group`] says which group's points fail their check; the first
    /// group is checked before the second.
    pub fn update<'p, 's>(
        &mut self,
        points: (impl Into<Points<'p, C>>, impl Into<Points<'p, D>>),
        scalars: impl Into<Scalars<'s, C::ScalarField>>,
    ) -> Result<(), PairError> {
        self.0.update((points.0.into(), points.1.into()), scalars.into())
    }

    /// Returns the sums so far, as [`Stream::flush`] does. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn flush(&mut self) -> Result<PairSums<C, D>, Error> {
        self.0.flush()
    }

    /// Adds the known sums of points, as [`Stream::resume`] does. The [example](Self) uses it.
    pub fn resume(mut self, len: usize, sums: PairSums<C, D>) -> Self {
        self.0.resume(len, sums);
        self
    }

    /// Returns the sums of all points. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn finish(mut self) -> Result<PairSums<C, D>, Error> {
        self.flush()
    }
}

macro_rules! common {
    ($stream:ident<$($group:ident),*>) => {
        impl<$($group: Curve),*> $stream<'_, $($group),*> {
            /// Returns the number of points taken so far, including the points of a resumed stream before its
            /// checkpoint; at most [`usize::MAX`]. The [example](crate::PairStream) uses it.
            pub fn len(&self) -> usize {
                self.0.len
            }

            /// Counts `len` points with the scalar 0. A caller that knows their scalars need not make the points. The
            /// [example](crate::PairStream) uses it.
            pub fn skip(&mut self, len: usize) {
                self.0.len = self.0.len.saturating_add(len);
            }

            /// Returns true if there were no points. See the [example](crate::PairStream).
            pub fn is_empty(&self) -> bool {
                self.0.len == 0
            }

            /// Returns the windows, the block and the memory. The [example](crate::PairStream) uses it.
            pub fn plan(&self) -> StreamPlan {
                self.0.plan
            }

            /// Returns the instruction set. The [example](crate::PairStream) uses it.
            pub fn backend(&self) -> Backend {
                self.0.backend
            }
        }

        impl<$($group: Curve),*> std::fmt::Debug for $stream<'_, $($group),*> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({} points, {})", stringify!($stream), self.len(), self.backend())
            }
        }
    };
}

common!(Stream<C>);
common!(PairStream<C, D>);
