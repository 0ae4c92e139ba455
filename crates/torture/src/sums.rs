//! Sums of random inputs with random options, against the second arithmetic.

use std::io::Cursor;
use std::ops::Range;
use std::time::Duration;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveConfig};
use ark_ff::{BigInteger, Field, PrimeField, Zero};
use bucketwheel::{
    AdderKind, Backend, Bases, BasesOptions, Check, CoordinateField, Curve, Error, Msm, Points,
    SchedulerKind, StreamOptions, ThreadsBy,
};
use rand::seq::{IteratorRandom, SliceRandom};
use rand::Rng;

use crate::drive::Session;
use crate::inputs::{affine, groups, size, with_group, Inputs, Vector};
use crate::reference::Point;
use crate::shared::{Random, THREADS};

/// Most points in memory; the smallest block of a stream has 4096 points.
const MOST: usize = 4000;
const MOST_STREAMED: usize = 3 * 4096;
/// Most points with a table, which has many copies of each.
const MOST_TABLED: usize = 300;

/// Runs cases.
///
/// # Errors
/// The first failure.
pub fn run(session: &Session, time: Duration) -> Result<String, String> {
    session.run("sums", "", time, Duration::from_secs(300), case)
}

fn case(rng: &mut Random) {
    let group = groups().choose(rng).expect("groups");
    match rng.gen_range(0..10) {
        0..=4 => with_group!(group, C => in_memory::<C>(rng)),
        5..=7 => with_group!(group, C => streamed::<C>(rng)),
        8 => pairs(rng, Pairs { streamed: false }),
        _ => pairs(rng, Pairs { streamed: true }),
    }
}

/// Pairs of groups with the same scalars.
struct Pairs {
    streamed: bool,
}

fn pairs(rng: &mut Random, how: Pairs) {
    let (curve, _) = groups().choose(rng).expect("groups");
    // The same group twice is a pair, too.
    macro_rules! one {
        ($config:ty) => {
            how.run::<$config, $config>(rng)
        };
    }
    macro_rules! both {
        ($g1:ty, $g2:ty) => {
            match rng.gen_range(0..3) {
                0 => how.run::<$g1, $g2>(rng),
                1 => how.run::<$g2, $g1>(rng),
                _ => how.run::<$g1, $g1>(rng),
            }
        };
    }
    bucketwheel::match_curve!(curve, one, both).expect("the build has all curves");
}

impl Pairs {
    fn run<C: Curve, D: Curve<ScalarField = C::ScalarField>>(self, rng: &mut Random) {
        match self.streamed {
            true => streamed_pair::<C, D>(rng),
            false => pair_in_memory::<C, D>(rng),
        }
    }
}

/// The table to keep for the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Table {
    None,
    Copies(usize),
    BucketSet(usize),
    Largest(usize, u32),
    Within(usize),
}

/// Options for the preparation of points.
#[derive(Clone, Copy, Debug)]
struct Preparation {
    backend: Backend,
    check: Check,
    endomorphism: Option<bool>,
    edwards: bool,
    table: Table,
    deduplicate: bool,
    threads: usize,
    /// True if the table is written to a file and loaded again.
    reload: bool,
}

impl Preparation {
    fn random<C: Curve>(outside: bool, rng: &mut Random) -> Self {
        let check = check(outside, rng);
        let table = match rng.gen_range(0..10) {
            0 | 1 => Table::Copies(rng.gen_range(0..=40)),
            2 => Table::BucketSet(rng.gen_range(0..=20)),
            3 => Table::Largest(rng.gen_range(0..=40), rng.gen_range(1..=12)),
            4 => Table::Within(rng.gen_range(0..1 << 23)),
            _ => Table::None,
        };
        let edwards = check != Check::Curve && AdderKind::Edwards.is_for::<C>() && rng.gen();
        let deduplicate = rng.gen_ratio(1, 4);
        Preparation {
            backend: *backends::<C>().choose(rng).expect("portable lanes are for all"),
            check,
            endomorphism: [None, Some(false), Some(true)][rng.gen_range(0..3)],
            edwards,
            table,
            deduplicate,
            threads: rng.gen_range(1..=THREADS),
            reload: !deduplicate && rng.gen_ratio(1, 8),
        }
    }

    /// Returns the largest number of points for which a case takes less than seconds.
    fn most<C: Curve>(&self) -> usize {
        let most = if self.table == Table::None { MOST } else { MOST_TABLED };
        most.min(most_of::<C>(self.backend, self.check))
    }

    fn prepare<C: Curve>(&self, points: &[Affine<C>]) -> Result<Bases<C>, Error> {
        let Preparation { backend, check, edwards, deduplicate, threads, .. } = *self;
        let new = || BasesOptions::new().backend(backend).edwards(edwards).threads(threads);
        let options = new().check(check).deduplicate(deduplicate);
        let options = match self.table {
            Table::None => options,
            Table::Copies(copies) => options.copies(copies),
            Table::BucketSet(copies) => options.bucket_set(copies),
            Table::Largest(k, window) => options.k_points(k, window)?,
            Table::Within(bytes) => options.memory(bytes),
        };
        let options = self.endomorphism.map_or(options, |endomorphism| options.endomorphism(endomorphism));
        let bases = options.prepare(points)?;
        assert_eq!(bases.len(), points.len());
        if !self.reload {
            return Ok(bases);
        }
        let mut file = Cursor::new(Vec::new());
        bases.write_table(&mut file).expect("memory is writable");
        new().load(file.into_inner())
    }
}

/// Options of an MSM.
#[derive(Clone, Copy, Debug)]
struct Way {
    scheduler: SchedulerKind,
    adder: AdderKind,
    threads_by: ThreadsBy,
    batch: Option<usize>,
    threads: Option<usize>,
    window: Option<u32>,
}

impl Way {
    /// Returns random options for these adders.
    fn random(adders: &[AdderKind], rng: &mut Random) -> Self {
        let scheduler = *SchedulerKind::ALL.choose(rng).expect("there are some");
        let widest = if rng.gen_ratio(1, 8) { 15 } else { 11 };
        let any_order = !scheduler.scheduler(1, 1).needs_sorted();
        Way {
            scheduler,
            adder: *adders.choose(rng).expect("affine adds all"),
            threads_by: if any_order && rng.gen() { ThreadsBy::Loop } else { ThreadsBy::Auto },
            batch: rng.gen_ratio(1, 4).then(|| 1 << rng.gen_range(0..=12)),
            threads: rng.gen::<bool>().then(|| rng.gen_range(1..=THREADS)),
            window: rng.gen::<bool>().then(|| rng.gen_range(1..=widest)),
        }
    }

    fn msm(self) -> Msm<'static> {
        let msm = Msm::new().scheduler(self.scheduler).adder(self.adder).threads_by(self.threads_by);
        let msm = self.batch.map_or(msm, |batch| msm.batch(batch));
        let msm = self.threads.map_or(msm, |threads| msm.threads(threads));
        self.window.map_or(msm, |window| msm.window(window))
    }
}

/// Returns a random check. Points outside of the subgroup are exact only after [`Check::Curve`].
fn check(outside: bool, rng: &mut Random) -> Check {
    match outside {
        true => Check::Curve,
        false => [Check::None, Check::Curve, Check::Subgroup][rng.gen_range(0..3)],
    }
}

/// True because streams convert points to Edwards form as they come.
const STREAM_HAS_EDWARDS: bool = true;

/// Returns the adders for all points that passed this check, or for points of the subgroup. `edwards` tells whether the
/// points have their Edwards form, and `outside` whether some lie outside of the subgroup.
fn adders<C: Curve>(check: Check, edwards: bool, outside: bool) -> Vec<AdderKind> {
    let fits = |adder: &AdderKind| match adder {
        AdderKind::Projective => !outside,
        AdderKind::Edwards | AdderKind::EdwardsUnified => edwards && check != Check::Curve,
        _ => true,
    };
    AdderKind::ALL.iter().copied().filter(|adder| adder.is_for::<C>() && fits(adder)).collect()
}

/// Returns the backends of this CPU with lanes for the curve's field.
fn backends<C: Curve>() -> Vec<Backend> {
    let lanes = C::BaseField::backends();
    Backend::ALL.into_iter().filter(|backend| backend.is_supported() && lanes.contains(backend)).collect()
}

fn most_of<C: Curve>(backend: Backend, check: Check) -> usize {
    // arkworks checks points of BW6-761, which takes milliseconds for each point.
    let bits = <C::BaseField as Field>::BasePrimeField::MODULUS_BIT_SIZE;
    match backend {
        Backend::Model => 100,
        _ if check == Check::Subgroup && bits > 700 => 300,
        _ => usize::MAX,
    }
}

#[track_caller]
fn assert_sum<C: Curve>(found: Result<Projective<C>, Error>, expected: &Point, what: &dyn std::fmt::Debug) {
    let name = std::any::type_name::<C>();
    match found {
        Ok(sum) => assert_eq!(&affine(sum), expected, "a wrong sum of {name}: {what:?}"),
        Err(error) => panic!("no sum of {name}, but: {error}: {what:?}"),
    }
}

fn in_memory<C: Curve>(rng: &mut Random) {
    let outside = rng.gen_ratio(1, 4);
    let preparation = Preparation::random::<C>(outside, rng);
    let way = Way::random(&adders::<C>(preparation.check, preparation.edwards, outside), rng);
    let n = size(preparation.most::<C>(), rng);
    let inputs = Inputs::<C>::random(n, outside, rng);
    let vectors: Vec<_> = (0..rng.gen_range(1..=2)).map(|_| Vector::random(n, rng)).collect();
    let what = (n, outside, preparation, way);
    let bases = match preparation.prepare(&inputs.points) {
        Ok(bases) => bases,
        Err(error) => return assert_sum::<C>(Err(error), &None, &what),
    };
    if let [vector] = &vectors[..] {
        return assert_sum(way.msm().run(&bases, vector.scalars()), &inputs.sum(&vector.values), &what);
    }
    let scalars: Vec<_> = vectors.iter().map(Vector::scalars).collect();
    let sums = way.msm().run_many(&bases, &scalars).unwrap_or_else(|error| panic!("{error}: {what:?}"));
    assert_eq!(sums.len(), vectors.len());
    for (sum, vector) in sums.into_iter().zip(&vectors) {
        assert_sum(Ok(sum), &inputs.sum(&vector.values), &what);
    }
}

fn pair_in_memory<C: Curve, D: Curve<ScalarField = C::ScalarField>>(rng: &mut Random) {
    let outside = rng.gen_ratio(1, 4);
    let one = Preparation::random::<C>(outside, rng);
    // Takes the same table more often than chance would, because the pair then shares the table.
    let other = Preparation::random::<D>(outside, rng);
    let other = match rng.gen() {
        true => Preparation {
            table: one.table,
            check: one.check,
            endomorphism: one.endomorphism,
            edwards: false,
            ..other
        },
        false => other,
    };
    let others = adders::<D>(other.check, other.edwards, outside);
    let mut common = adders::<C>(one.check, one.edwards, outside);
    common.retain(|adder| others.contains(adder));
    let way = Way::random(&common, rng);
    let n = size(one.most::<C>().min(other.most::<D>()) / 2, rng);
    let inputs = (Inputs::<C>::random(n, outside, rng), Inputs::<D>::random(n, outside, rng));
    let vector = Vector::random(n, rng);
    let what = (n, outside, one, other, way);
    let run = || {
        way.msm()
            .run_pair((&one.prepare(&inputs.0.points)?, &other.prepare(&inputs.1.points)?), vector.scalars())
    };
    let sums = run();
    assert_sum(sums.clone().map(|sums| sums.0), &inputs.0.sum(&vector.values), &what);
    assert_sum(sums.map(|sums| sums.1), &inputs.1.sum(&vector.values), &what);
}

/// Options of a stream, and its parts.
#[derive(Debug)]
struct Parts {
    options: StreamOptions,
    /// The parts, which may be empty.
    ranges: Vec<Range<usize>>,
    /// True if points are given as integers.
    integers: bool,
    /// Action after each part.
    then: Vec<Then>,
}

#[derive(Clone, Copy, Debug)]
enum Then {
    Nothing,
    /// Asks for the sum so far.
    Flush,
    /// Continues in a new stream from the sum so far.
    Resume,
}

impl Parts {
    fn random(n: usize, check: Check, backend: Backend, rng: &mut Random) -> Self {
        let mut at = vec![0, n];
        at.extend((0..rng.gen_range(0..8)).map(|_| rng.gen_range(0..=n)));
        at.sort_unstable();
        let expected = [n, 1, 5000, rng.gen_range(0..1 << 16)][rng.gen_range(0..4)];
        let ranges: Vec<_> = at.windows(2).map(|pair| pair[0]..pair[1]).collect();
        let then = [Then::Nothing, Then::Nothing, Then::Flush, Then::Resume];
        Parts {
            options: StreamOptions::new().backend(backend).check(check).points(expected),
            integers: rng.gen(),
            then: ranges.iter().map(|_| then[rng.gen_range(0..4)]).collect(),
            ranges,
        }
    }

    /// Gives the stream just enough memory, or a little more, or plenty.
    fn with_memory<T>(mut self, start: impl Fn(StreamOptions) -> Result<T, Error>, rng: &mut Random) -> Self {
        match start(self.options.memory(0)) {
            Err(Error::Memory { bytes: 0, least }) => {
                let memory = least + [0, rng.gen_range(0..1 << 22), 1 << 28][rng.gen_range(0..3)];
                self.options = self.options.memory(memory);
                self
            }
            Err(error) => panic!("without memory: {error}: {self:?}"),
            Ok(_) => panic!("a stream without memory: {self:?}"),
        }
    }
}

/// Returns a random number of points to stream.
fn streamed_size<C: Curve>(backend: Backend, check: Check, rng: &mut Random) -> usize {
    size(if rng.gen_ratio(1, 2) { MOST_STREAMED } else { 1000 }.min(most_of::<C>(backend, check)), rng)
}

/// Returns coordinates as integers, x before y; an extension starts with its constant coefficient.
fn integers<C: Curve>(points: &[Affine<C>]) -> Vec<u8> {
    let coordinates =
        points.iter().flat_map(|point| point.xy().map_or([C::BaseField::zero(); 2], |(x, y)| [x, y]));
    let elements = coordinates.flat_map(|c| c.to_base_prime_field_elements().collect::<Vec<_>>());
    elements.flat_map(|element| element.into_bigint().to_bytes_le()).collect()
}

/// Returns some of the points, in either form.
fn part<'a, C: Curve>(inputs: &'a Inputs<C>, integers: &'a [u8], range: &Range<usize>) -> Points<'a, C> {
    match integers {
        [] => Points::Affine(&inputs.points[range.clone()]),
        bytes => {
            let size = bytes.len() / inputs.points.len();
            Points::integers(&bytes[range.start * size..range.end * size]).expect("whole points")
        }
    }
}

fn streamed<C: Curve>(rng: &mut Random) {
    let outside = rng.gen_ratio(1, 4);
    let check = check(outside, rng);
    let way = Way::random(&adders::<C>(check, STREAM_HAS_EDWARDS, outside), rng);
    let backend = *backends::<C>().choose(rng).expect("portable lanes are for all");
    let n = streamed_size::<C>(backend, check, rng);
    let (inputs, vector) = (Inputs::<C>::random(n, outside, rng), Vector::<C::ScalarField>::random(n, rng));
    let start = |options| way.msm().start::<C>(options);
    let parts = Parts::random(n, check, backend, rng).with_memory(start, rng);
    let bytes = if parts.integers { integers(&inputs.points) } else { Vec::new() };
    let run = || {
        let mut stream = start(parts.options)?;
        for (range, then) in parts.ranges.iter().zip(&parts.then) {
            stream.update(part(&inputs, &bytes, range), vector.part(range.clone()))?;
            match then {
                Then::Nothing => {}
                Then::Flush => {
                    let _ = stream.flush()?;
                }
                Then::Resume => {
                    let sum = stream.flush()?;
                    stream = start(parts.options)?.resume(stream.len(), sum);
                }
            }
            assert_eq!(stream.len(), range.end);
        }
        stream.finish()
    };
    assert_sum(run(), &inputs.sum(&vector.values), &(n, outside, &parts, way));
}

fn streamed_pair<C: Curve, D: Curve<ScalarField = <C as CurveConfig>::ScalarField>>(rng: &mut Random) {
    let outside = rng.gen_ratio(1, 4);
    let check = check(outside, rng);
    let others = adders::<D>(check, STREAM_HAS_EDWARDS, outside);
    let mut common = adders::<C>(check, STREAM_HAS_EDWARDS, outside);
    common.retain(|adder| others.contains(adder));
    let way = Way::random(&common, rng);
    let mut lanes = backends::<C>();
    lanes.retain(|backend| backends::<D>().contains(backend));
    let backend = *lanes.choose(rng).expect("portable lanes are for all");
    let n = streamed_size::<C>(backend, check, rng);
    let inputs = (Inputs::<C>::random(n, outside, rng), Inputs::<D>::random(n, outside, rng));
    let vector = Vector::<C::ScalarField>::random(n, rng);
    let start = |options| way.msm().start_pair::<C, D>(options);
    let parts = Parts::random(n, check, backend, rng).with_memory(start, rng);
    let bytes = match parts.integers {
        true => (integers(&inputs.0.points), integers(&inputs.1.points)),
        false => Default::default(),
    };
    let run = || {
        let mut stream = start(parts.options)?;
        for (range, then) in parts.ranges.iter().zip(&parts.then) {
            let points = (part(&inputs.0, &bytes.0, range), part(&inputs.1, &bytes.1, range));
            stream.update(points, vector.part(range.clone()))?;
            match then {
                Then::Nothing => {}
                Then::Flush => {
                    let _ = stream.flush()?;
                }
                Then::Resume => {
                    let sums = stream.flush()?;
                    stream = start(parts.options)?.resume(stream.len(), sums);
                }
            }
            assert_eq!(stream.len(), range.end);
        }
        stream.finish()
    };
    let (sums, what) = (run(), (n, outside, &parts, way));
    assert_sum(sums.clone().map(|sums| sums.0), &inputs.0.sum(&vector.values), &what);
    assert_sum(sums.map(|sums| sums.1), &inputs.1.sum(&vector.values), &what);
}
