//! Points prepared once, used for many MSMs.

#[cfg(feature = "additions")]
pub(crate) mod additions;
pub(crate) mod duplicates;
#[cfg(feature = "tables")]
mod file;
pub(crate) mod header;
#[cfg(feature = "inspection")]
pub(crate) mod ordinates;
pub(crate) mod points;
mod table_options;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::OnceLock;

use ark_ec::short_weierstrass::Affine;
use bucketwheel_lanes::Backend;

use crate::backend::{default_backend_of, environment_backend};
use crate::bases::duplicates::Duplicates;
use crate::bases::points::Points;
use crate::control::{Cancel, Control, First, Progress};
#[cfg(feature = "inspection")]
use crate::curve::check::first_failure;
use crate::curve::endomorphism::Endomorphism;
use crate::curve::{coefficients, endomorphism, to_coordinates, CoordinateField, Curve, Words};
use crate::digits::table::{Multiples, Table};
use crate::engine;
use crate::engine::adder::AdderKind;
use crate::engine::at_rest::Coordinates;
use crate::engine::points::{Prepared, Source};
use crate::engine::Engine;
use crate::error::Unfit;
use crate::plan::costs::{are_few, Costs};
use crate::plan::table::Wanted;
use crate::provider::{Abilities, Cpu, Provider};
use crate::scalars::Split;
use crate::schedule::Ref;
use crate::Error;

/// Options for preparing points. Every option has a default that is right for trusted points.
///
/// ```
/// use ark_bn254::{g1::Config, Fr, G1Affine};
/// use ark_ec::AffineRepr;
/// use bucketwheel::{default_backend_of, AdderKind, Bases, BasesOptions, Cancel, Check, Error, Msm, TableHeader};
///
/// let points = vec![G1Affine::generator(); 100];
/// let scalars: Vec<Fr> = (0..100u64).map(Fr::from).collect();
///
/// // Checked points, on one thread and in portable code, unless somebody cancels.
/// let cancel = Cancel::new();
/// let options = BasesOptions::new().check(Check::Subgroup).threads(1).cancel(&cancel);
/// options.verify(&points)?;
/// let bases = options.backend(bucketwheel::Backend::Portable).prepare(&points)?;
/// let sum = Msm::new().run(&bases, &scalars)?;
/// cancel.cancel();
/// assert_eq!(options.prepare(&points).err(), Some(Error::Cancelled));
///
/// // A table in a file, which another process loads.
/// let options = BasesOptions::new().copies(4);
/// let plan = options.plan::<Config>(100)?;
/// println!("{} additions instead of {}", plan.additions, plan.additions_without);
/// let mut file = std::io::Cursor::new(Vec::new());
/// options.prepare(&points)?.write_table(&mut file)?;
/// let file = file.into_inner();
/// assert!(TableHeader::is_table(&file) && TableHeader::parse(&file)?.is_of::<Config>());
/// let loaded: Bases<Config> = BasesOptions::new().load(file)?;
/// assert_eq!((loaded.len(), loaded.backend()), (100, default_backend_of::<Config>()?));
/// assert_eq!(Msm::new().run(&loaded, &scalars)?, sum);
///
/// // Other tables: the best of 1 MiB, bucket sets, the multiples by the 15 largest digits of 8 bits.
/// let table = BasesOptions::new();
/// for options in [table.memory(1 << 20), table.bucket_set(2), table.k_points(15, 8)?, table.endomorphism(false)] {
///     assert_eq!(Msm::new().run(&options.prepare(&points)?, &scalars)?, sum);
/// }
///
/// // Points that are made one by one; scalars of equal points are added first.
/// let bases = BasesOptions::new().deduplicate(true).prepare_from(100, |_| G1Affine::generator())?;
/// let (same, report) = Msm::new().run_reported(&bases, &scalars)?;
/// assert_eq!((same, report.deduplication.map(|found| found.distinct)), (sum, Some(1)));
///
/// // The Edwards form exists on BLS12-377 and not on BN254.
/// assert!(!AdderKind::Edwards.is_for::<Config>() && table.edwards(true).prepare(&points).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct BasesOptions<'a> {
    backend: Option<Backend>,
    check: Check,
    endomorphism: Option<bool>,
    pub(crate) edwards: bool,
    pub(crate) wanted: Wanted,
    deduplicate: bool,
    threads: Option<usize>,
    cancel: Option<&'a Cancel>,
    progress: Option<&'a dyn Progress>,
}

impl std::fmt::Debug for BasesOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BasesOptions")
            .field("backend", &self.backend)
            .field("check", &self.check)
            .field("endomorphism", &self.endomorphism)
            .field("edwards", &self.edwards)
            .field("table", &self.wanted)
            .field("deduplicate", &self.deduplicate)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// Check of points before they are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// No check: the caller vouches that the points are on the curve and in the prime-order subgroup.
    #[default]
    None,
    /// The curve's equation. Points may lie outside of the subgroup, where scalars r - k and -k are not the same. MSMs
    /// then avoid the subgroup's shortcuts, and are exact (except with the projective adder, whose formulas are
    /// complete in the subgroup only).
    Curve,
    /// The equation and the prime-order subgroup.
    Subgroup,
}

impl<'a> BasesOptions<'a> {
    /// Returns the defaults: the fastest backend of this CPU (or the backend of the environment variable
    /// `BUCKETWHEEL_BACKEND`), no checks, all threads of the current rayon pool. The [example](Self) uses it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses this instruction set. The [example](Self) uses it.
    pub fn backend(self, backend: Backend) -> Self {
        BasesOptions { backend: Some(backend), ..self }
    }

    /// Checks the points. The [example](Self) uses it.
    #[cfg(feature = "inspection")]
    pub fn check(self, check: Check) -> Self {
        BasesOptions { check, ..self }
    }

    /// Sets whether to keep the points' images under the curve's endomorphism too. Images halve the scalars and double
    /// the memory of the bases. By default, up to 2^18 points get images, or the number that the
    /// [profile](crate::Profile) says. After [`Check::Curve`], no points get images, because the endomorphism is wrong
    /// outside of the prime-order subgroup. With a table ([`copies`](Self::copies)), points get none by default,
    /// because the table halves scalars without images; `false` keeps the scalars whole.
    pub fn endomorphism(self, endomorphism: bool) -> Self {
        BasesOptions { endomorphism: Some(endomorphism), ..self }
    }

    /// Sets whether to keep all points in the curve's twisted Edwards form too, for [`AdderKind::Edwards`] and
    /// [`AdderKind::EdwardsUnified`]. Takes three times the memory. The form is right for points of the prime-order
    /// subgroup only, hence not with [`Check::Curve`]. The [example](Self) uses it.
    pub fn edwards(self, edwards: bool) -> Self {
        BasesOptions { edwards, ..self }
    }

    /// Keeps this table.
    pub(crate) fn with_table(self, wanted: Wanted) -> Self {
        BasesOptions { wanted, ..self }
    }

    /// Sets whether to look for equal points. An MSM then adds up the scalars of equal points first, modulo the order,
    /// hence never after [`Check::Curve`]. The search costs some hundred nanoseconds a point. It decides whether enough
    /// points repeat for MSMs to gain ([`Deduplication`](crate::Deduplication) reports its result); if not, MSMs take
    /// all points as they are. The [example](Self) uses it.
    #[cfg(feature = "inspection")]
    pub fn deduplicate(self, deduplicate: bool) -> Self {
        BasesOptions { deduplicate, ..self }
    }

    /// Uses at most this many threads of the current rayon pool; 1 runs on the calling thread alone.
    /// The [example](Self) uses it.
    pub fn threads(self, threads: usize) -> Self {
        BasesOptions { threads: Some(threads), ..self }
    }

    /// Stops when `cancel` says so. The [example](Self) uses it.
    pub fn cancel(self, cancel: &'a Cancel) -> Self {
        BasesOptions { cancel: Some(cancel), ..self }
    }

    /// Reports to `progress`. The [example](crate::Progress) uses it.
    pub fn progress(self, progress: &'a dyn Progress) -> Self {
        BasesOptions { progress: Some(progress), ..self }
    }

    /// Prepares points. Without a check, preparation takes as long as copying the points. [`Check::Subgroup`] may take
    /// longer than an MSM. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::TooManyPoints`], [`Error::UnsupportedBackend`], [`Error::UnknownBackend`], [`Error::NotOnCurve`] or
    /// [`Error::NotInSubgroup`] for the first point that fails the check, [`Error::CoordinateRange`], [`Error::Adder`]
    /// if the points cannot have the Edwards form, [`Error::Cancelled`].
    pub fn prepare<'p, C: Curve>(self, points: impl Into<Points<'p, C>>) -> Result<Bases<C>, Error> {
        self.prepare_by(&self.cpu::<C>()?, points)
    }

    /// Prepares points as [`prepare`](Self::prepare) does, for MSMs by this provider. The backend is then the
    /// provider's. The [example](crate::provider::Provider) uses it.
    ///
    /// # Errors
    /// The errors of [`prepare`](Self::prepare), and the provider's errors.
    pub fn prepare_by<'p, C: Curve>(
        self,
        provider: &dyn Provider<C::BaseField>,
        points: impl Into<Points<'p, C>>,
    ) -> Result<Bases<C>, Error> {
        let points = points.into();
        self.prepare_each(
            provider,
            Each {
                len: points.len(),
                point: &|index| points.point(index),
                coordinates: &|index| points.coordinates(index),
                factor: points.factor(),
            },
        )
    }

    /// Prepares points as [`prepare`](Self::prepare) does, but makes them one by one: `point(i)` for every `i` below
    /// `len`, each a few times and in any order, on any thread. Use it for points that lie elsewhere in another form.
    /// The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`prepare`](Self::prepare).
    pub fn prepare_from<C: Curve>(
        self,
        len: usize,
        point: impl Fn(usize) -> Affine<C> + Sync,
    ) -> Result<Bases<C>, Error> {
        let coordinates = &|index| Some(to_coordinates(&point(index)));
        self.prepare_each(&self.cpu::<C>()?, Each { len, point: &point, coordinates, factor: None })
    }

    fn prepare_each<C: Curve>(
        self,
        provider: &dyn Provider<C::BaseField>,
        points: Each<'_, C>,
    ) -> Result<Bases<C>, Error> {
        let Each { len, point, coordinates, factor } = points;
        if len > Ref::MAX_INDEX {
            return Err(Error::TooManyPoints { points: len, max: Ref::MAX_INDEX });
        }
        let abilities = provider.abilities()?;
        let control = &self.control();
        let in_subgroup = self.in_subgroup::<C>();
        self.check_edwards::<C>(in_subgroup)?;
        let duplicates = (cfg!(feature = "inspection") && self.deduplicate && in_subgroup)
            .then(|| Duplicates::find(len, point))
            .transpose()?;
        // From here on, only the remaining points count.
        let len = duplicates.as_ref().map_or(len, Duplicates::left);
        let original = |index| duplicates.as_ref().map_or(index, |duplicates| duplicates.first(index));
        control.expect(len * (self.check.steps::<C>() + 1));
        #[cfg(feature = "inspection")]
        inspect(len, &|index| point(original(index)), self.check, provider, control).map_err(|error| {
            match error {
                Error::NotOnCurve { index } => Error::NotOnCurve { index: original(index) },
                Error::NotInSubgroup { index } => Error::NotInSubgroup { index: original(index) },
                error => error,
            }
        })?;
        let points = self.tabled::<C>(&abilities, len, in_subgroup);
        let table = self.table::<C>(&abilities, &points)?;
        let (split, images) = (points.split(&table), endomorphism::<C>().filter(|_| points.images.is_some()));
        control.expect(table.doublings() + if self.edwards { table.total() } else { 0 });
        // Points are read once. The same reading finds coordinates out of range and points at infinity.
        let (infinities, unreduced) = (Bits::new(len), First::default());
        let read = |index| {
            let coordinates = coordinates(original(index)).unwrap_or_else(|| {
                unreduced.found(original(index), Error::CoordinateRange { index: original(index) });
                Default::default()
            });
            if coordinates.iter().all(|coordinate| *coordinate == Words::<C>::default()) {
                infinities.set(index);
            }
            coordinates
        };
        let source = Source {
            len,
            point: &read,
            curve: coefficients::<C>(),
            factor,
            beta: images.map(|endomorphism| endomorphism.beta.to_words()),
            table,
            edwards: self.edwards,
            control,
        };
        let engine = provider.engine()?;
        let has_no_table = table.copies == 1 && table.multiples == Multiples::One;
        let are_few = are_few(len, abilities.few_points, split.is_some());
        let (prepared, few) = if are_few && has_no_table {
            let points = (0..len).map(|index| {
                read(index);
                point(original(index))
            });
            let few = Few { points: points.collect(), engine };
            control.check()?;
            (OnceLock::new(), Some(few))
        } else {
            (OnceLock::from(engine.prepare(source)?), None)
        };
        unreduced.into_result()?;
        control.finish();
        let (infinities, edwards) = (infinities.ascending(), self.edwards);
        Ok(Bases {
            prepared,
            abilities,
            len,
            infinities,
            in_subgroup,
            edwards,
            split,
            table,
            duplicates,
            few,
        })
    }

    /// Returns the CPU with the backend that the caller asked for, or else with the fastest backend.
    pub(crate) fn cpu<C: Curve>(self) -> Result<Cpu, Error> {
        self.backend.map_or_else(default_backend_of::<C>, Ok).map(Cpu)
    }

    /// Returns the backend that the caller or the environment asked for, if any.
    pub(crate) fn backend_asked_for(self) -> Result<Option<Backend>, Error> {
        self.backend.map_or_else(environment_backend, |backend| Ok(Some(backend)))
    }

    pub(crate) fn control(self) -> Control<'a> {
        Control::new(self.threads, self.cancel, self.progress)
    }

    /// Returns an error if the caller wants the Edwards form of points that have none.
    pub(crate) fn check_edwards<C: Curve>(&self, in_subgroup: bool) -> Result<(), Error> {
        match self.edwards {
            true => AdderKind::Edwards.check::<C>(in_subgroup),
            false => Ok(()),
        }
    }

    pub(crate) fn in_subgroup<C: Curve>(&self) -> bool {
        self.check != Check::Curve || C::cofactor_is_one()
    }

    /// Checks points as [`prepare`](Self::prepare) does, and prepares nothing. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`prepare`](Self::prepare).
    #[cfg(feature = "inspection")]
    pub fn verify<'p, C: Curve>(self, points: impl Into<Points<'p, C>>) -> Result<(), Error> {
        let points = points.into();
        let cpu = self.cpu::<C>()?;
        let control = &self.control();
        points.check(control)?;
        control.expect(points.len() * self.check.steps::<C>());
        inspect(points.len(), &|index| points.point(index), self.check, &cpu, control)?;
        control.finish();
        Ok(())
    }

    /// Returns true if scalars may be halved without images, because the caller made no decision about images.
    pub(crate) fn may_halve(&self) -> bool {
        self.endomorphism.is_none()
    }

    /// Returns the endomorphism if images of `n` points of the prime-order subgroup are kept.
    pub(crate) fn endomorphism_of<C: Curve>(
        self,
        costs: &Costs,
        n: usize,
    ) -> Option<&'static Endomorphism<C::BaseField>> {
        let by_default =
            matches!(self.wanted, Wanted::Copies(0..=1, Multiples::One)) && n <= costs.endomorphism_points;
        let wanted = self.endomorphism.unwrap_or(by_default);
        endomorphism::<C>().filter(|_| wanted && n <= Ref::MAX_INDEX / 2)
    }
}

/// Points that are read one by one.
struct Each<'a, C: Curve> {
    len: usize,
    /// Returns a point as arkworks has it.
    point: &'a (dyn Fn(usize) -> Affine<C> + Sync),
    /// Returns words that become a point's coordinates when multiplied by the factor, zeros for infinity; `None` if a
    /// coordinate is not below the modulus.
    coordinates: &'a (dyn Fn(usize) -> Option<Coordinates<Words<C>>> + Sync),
    factor: Option<Words<C>>,
}

/// A set of indices that threads share.
struct Bits(Vec<AtomicU64>);

impl Bits {
    /// Returns `len` bits, none of them set.
    fn new(len: usize) -> Self {
        Bits((0..len.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    fn set(&self, index: usize) {
        self.0[index / 64].fetch_or(1 << (index % 64), Ordering::Relaxed);
    }

    fn ascending(self) -> Vec<u32> {
        let of_word = |(i, word): (usize, AtomicU64)| {
            let word = word.into_inner();
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * i as u32 + bit)
        };
        self.0
            .into_iter()
            .enumerate()
            .filter(|(_, word)| word.load(Ordering::Relaxed) != 0)
            .flat_map(of_word)
            .collect()
    }
}

impl Check {
    /// Returns the rough cost of checking a point, in units of its conversion into the layout.
    fn steps<C: Curve>(self) -> usize {
        match self {
            Check::None => 0,
            Check::Subgroup if !C::cofactor_is_one() => 150,
            Check::Curve | Check::Subgroup => 1,
        }
    }

    /// Returns the number of points of a block: some milliseconds of work, and full lanes.
    fn block<C: Curve>(self) -> usize {
        (STEPS / self.steps::<C>().max(1)).next_multiple_of(engine::MAX_LANES)
    }
}

/// Steps between two looks at the cancellation: some milliseconds.
const STEPS: usize = 4096;

/// Checks the points.
#[cfg(feature = "inspection")]
pub(crate) fn inspect<C: Curve>(
    len: usize,
    point: &(dyn Fn(usize) -> Affine<C> + Sync),
    check: Check,
    provider: &dyn Provider<C::BaseField>,
    control: &Control<'_>,
) -> Result<(), Error> {
    if check == Check::None {
        return Ok(());
    }
    let first = First::default();
    let block_len = check.block::<C>();
    control.for_each(
        len.div_ceil(block_len),
        || (),
        |_, block| {
            let start = block * block_len;
            let range = start..len.min(start + block_len);
            let steps = range.len() * check.steps::<C>();
            if first.is_behind(start) {
                let points: Vec<Affine<C>> = range.map(point).collect();
                match provider
                    .engine()
                    .map(|engine| first_failure(&*engine, &points, check == Check::Subgroup))
                {
                    Ok(None) => {}
                    Ok(Some((index, failure))) => first.found(start + index, failure.error(start + index)),
                    Err(error) => first.found(start, error),
                }
            }
            control.advance(steps);
        },
    );
    control.check()?;
    first.into_result()
}

/// Points prepared once, in the layout of one backend, for any number of MSMs.
///
/// Takes 128 bytes a point over Fp, 256 over Fp2 (the portable and ADX backends, and AVX2 and IFMA over fields of four
/// words: the coordinates' words). The images ([`BasesOptions::endomorphism`]) take as much again, and so does each
/// copy ([`BasesOptions::copies`]). The Edwards form ([`BasesOptions::edwards`]) takes twice the total more.
pub struct Bases<C: Curve> {
    /// The points in the provider's layout; of few points, once they are needed there.
    prepared: OnceLock<Box<dyn Prepared<Words<C>>>>,
    /// Abilities of the points' provider.
    pub(crate) abilities: Abilities,
    /// Number of points; of distinct points if scalars of equal points are added up.
    pub(crate) len: usize,
    /// Indices of the points at infinity, ascending.
    pub(crate) infinities: Vec<u32>,
    /// True if the points are known, or said, to be in the prime-order subgroup.
    pub(crate) in_subgroup: bool,
    /// True if the points are also there in the curve's Edwards form.
    pub(crate) edwards: bool,
    /// Split of scalars, if the points have images or the table is for halves of scalars.
    pub(crate) split: Option<&'static Split>,
    /// The copies of the points.
    pub(crate) table: Table,
    pub(crate) duplicates: Option<Duplicates>,
    /// The points as they came, if they are few enough to be added up without buckets.
    pub(crate) few: Option<Few<C>>,
}

/// Few points, and the engine that has not prepared them: a sum of them takes less time than that.
pub(crate) struct Few<C: Curve> {
    pub(crate) points: Box<[Affine<C>]>,
    engine: Box<dyn Engine<Words<C>>>,
}

impl<C: Curve> std::fmt::Debug for Bases<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bases({} points, {})", self.len(), self.backend())
    }
}

impl<C: Curve> Bases<C> {
    /// Prepares points for the fastest backend, without checks. The [example](crate::BasesOptions) uses it.
    ///
    /// # Errors
    /// [`Error::TooManyPoints`]; [`Error::UnknownBackend`] or [`Error::UnsupportedBackend`] if the environment names a
    /// backend that does not exist or that this CPU lacks.
    pub fn new(points: &[Affine<C>]) -> Result<Self, Error> {
        BasesOptions::new().prepare(points)
    }

    /// Returns the points in the provider's layout. Few points are brought into it by the first call.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], for few points.
    pub(crate) fn prepared(&self) -> Result<&dyn Prepared<Words<C>>, Error> {
        if let (None, Some(Few { points, engine })) = (self.prepared.get(), &self.few) {
            let endomorphism = endomorphism::<C>().filter(|_| self.split.is_some());
            let source = Source {
                len: points.len(),
                point: &|index: usize| to_coordinates(&points[index]),
                curve: coefficients::<C>(),
                factor: None,
                beta: endomorphism.map(|endomorphism| endomorphism.beta.to_words()),
                table: self.table,
                edwards: self.edwards,
                control: &Control::new(Some(1), None, None),
            };
            let prepared = engine.prepare(source)?;
            // Another thread may have been faster.
            let _ = self.prepared.set(prepared);
        }
        Ok(&**self.prepared.get().expect("points are few or prepared"))
    }

    /// Returns the number of points. The [example](crate::BasesOptions) uses it.
    pub fn len(&self) -> usize {
        self.duplicates.as_ref().map_or(self.len, Duplicates::points)
    }

    /// Returns true if scalars of equal points are added up first.
    pub(crate) fn merges(&self) -> bool {
        self.duplicates.as_ref().is_some_and(Duplicates::pays)
    }

    /// Returns true if there are no points. See the [example](crate::BasesOptions).
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns an error unless this adder can add these points.
    pub(crate) fn check_adder(&self, adder: AdderKind) -> Result<(), Error> {
        adder.check::<C>(self.in_subgroup)?;
        match adder.is_edwards() && !self.edwards {
            true => Err(Error::Adder { adder, reason: Unfit::NotPrepared }),
            false => Ok(()),
        }
    }

    /// Returns the instruction set that works on these points. The [example](crate::BasesOptions) uses it.
    pub fn backend(&self) -> Backend {
        self.abilities.backend
    }
}
