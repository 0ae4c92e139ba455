//! The interface for devices: a provider that computes nothing and counts the points that it would add.

use std::sync::Mutex;

use ark_bls12_381::{g1::Config, Fr, G1Affine, G1Projective};
use ark_ec::short_weierstrass::Projective;
use ark_ff::{UniformRand, Zero};
use bucketwheel::provider::*;
use bucketwheel::{
    default_backend, BasesOptions, Check, CoordinateField, Costs, Error, Msm, SchedulerKind, StreamOptions,
};
use rand::rngs::StdRng;
use rand::SeedableRng;

type Field = ark_bls12_381::Fq;
type Words = <Field as CoordinateField>::Words;

/// The calls of a counting device.
#[derive(Clone, Debug, Default, PartialEq)]
struct Counts {
    points: usize,
    /// Points in buckets, and whether they came sorted.
    accumulated: Vec<(usize, bool)>,
    /// Buckets that are not empty.
    buckets: usize,
}

/// A device that counts.
struct Counter {
    takes: Takes,
    costs: Costs,
    counts: &'static Mutex<Counts>,
}

impl Counter {
    fn new(takes: Takes) -> Self {
        let costs = Costs::of::<Config>(default_backend().unwrap());
        Counter { takes, costs, counts: Box::leak(Box::default()) }
    }

    fn counts(&self) -> Counts {
        self.counts.lock().unwrap().clone()
    }
}

/// Bytes of a point of the device, which no CPU has.
const POINT_BYTES: usize = 100;

impl Provider<Field> for Counter {
    fn abilities(&self) -> Result<Abilities, Error> {
        let Counter { takes, costs, .. } = *self;
        Ok(Abilities { backend: default_backend()?, takes, point_bytes: POINT_BYTES, few_points: 0, costs })
    }

    fn engine(&self) -> Result<Box<dyn Engine<Words>>, Error> {
        let cpu: &dyn Provider<Field> = &Cpu(default_backend()?);
        Ok(Box::new(Counting { counts: self.counts, cpu: cpu.engine()? }))
    }
}

/// The device's engine, which leaves checks and square roots to the CPU.
struct Counting {
    counts: &'static Mutex<Counts>,
    cpu: Box<dyn Engine<Words>>,
}

impl Engine<Words> for Counting {
    fn point_bytes(&self) -> usize {
        POINT_BYTES
    }

    fn prepare(&self, points: Source<'_, Words>) -> PreparedResult<Words> {
        for index in 0..points.len {
            let _: Coordinates<Words> = (points.point)(index);
        }
        self.counts.lock().unwrap().points += points.len;
        Ok(Box::new(Memory(self.counts)))
    }

    fn restore(&self, points: Restored<'_, Words>) -> PreparedResult<Words> {
        self.cpu.restore(points)
    }

    fn accumulator(&self, opening: Opening<Words>) -> AccumulatorResult<Words> {
        Ok(Box::new(Blocks { counts: self.counts, shape: opening.shape }))
    }

    fn examine(&self, examination: &Examination<'_, Words>) -> Option<(usize, Failure)> {
        self.cpu.examine(examination)
    }

    fn ordinates(&self, abscissas: &Abscissas<'_, Words>) -> Vec<Option<Words>> {
        self.cpu.ordinates(abscissas)
    }
}

/// Counts points by bucket.
fn count(counts: &Mutex<Counts>, points: &Arranged<'_>, shape: Shape) {
    let mut buckets = vec![0; shape.window_count * shape.per_window];
    points.for_each(shape.per_window, &mut |set, bucket, point| {
        assert_eq!(point.place(), bucketwheel::schedule::Place::Input);
        buckets[set * shape.per_window + bucket] += 1;
    });
    let mut counts = counts.lock().unwrap();
    counts.accumulated.push((buckets.iter().sum(), points.is_sorted()));
    counts.buckets += buckets.iter().filter(|&&points| points > 0).count();
}

/// Returns sums of nothing: the point at infinity for each bit of each set.
fn nothing(shape: Shape) -> BitSums<Words> {
    vec![vec![None; shape.per_window.ilog2() as usize + 1]; shape.window_count]
}

/// Points in the device's memory.
struct Memory(&'static Mutex<Counts>);

impl Prepared<Words> for Memory {
    fn bit_sums(
        &self,
        work: Accumulation<'_>,
        _control: &bucketwheel::Control<'_>,
    ) -> Result<BitSums<Words>, Error> {
        work.parts.iter().for_each(|points| count(self.0, points, work.shape));
        Ok(nothing(work.shape))
    }

    fn canonical(
        &self,
        _range: std::ops::Range<usize>,
        _bytes: &mut Vec<u8>,
        _visit: &mut dyn FnMut(usize, &Coordinates<Words>),
    ) {
        panic!("no table is written");
    }
}

/// Buckets in the device's memory.
struct Blocks {
    counts: &'static Mutex<Counts>,
    shape: Shape,
}

impl Accumulator<Words> for Blocks {
    fn load(&mut self, points: Source<'_, Words>) -> Result<(), Error> {
        self.counts.lock().unwrap().points += points.len;
        Ok(())
    }

    fn accumulate(
        &mut self,
        points: &Arranged<'_>,
        _first: usize,
        _infinities: Infinities,
        _control: &bucketwheel::Control<'_>,
    ) -> Result<(), Error> {
        count(self.counts, points, self.shape);
        Ok(())
    }

    fn empty(&mut self) {}

    fn collect(&mut self, _control: &bucketwheel::Control<'_>) -> Result<BitSums<Words>, Error> {
        Ok(nothing(self.shape))
    }
}

fn inputs(n: usize) -> (Vec<G1Affine>, Vec<Fr>) {
    let rng = &mut StdRng::seed_from_u64(1);
    ((0..n).map(|_| G1Affine::rand(rng)).collect(), (0..n).map(|_| Fr::rand(rng)).collect())
}

#[test]
fn a_device_gets_every_digit_of_every_point() {
    let (points, scalars) = inputs(100);
    // Digits have eight bits: about one digit in 256 is zero.
    let msm = Msm::new().window(8);
    let mut all = Vec::new();
    for takes in [Takes::WholeRuns, Takes::InOrder] {
        let device = Counter::new(takes);
        let options = BasesOptions::new().endomorphism(false).check(Check::Subgroup);
        let bases = options.prepare_by::<Config>(&device, &points).unwrap();
        assert_eq!(device.counts().points, points.len());
        let (sum, report) = msm.run_reported(&bases, &scalars).unwrap();
        // The device counts, and adds nothing.
        assert_eq!(sum, G1Projective::zero());
        let counts = device.counts();
        let accumulated: usize = counts.accumulated.iter().map(|(points, _)| points).sum();
        let digits = report.plan.windows * points.len();
        assert!(accumulated <= digits && accumulated > digits - digits / 16, "{accumulated} of {digits}");
        assert!(counts.accumulated.iter().all(|&(_, sorted)| sorted == (takes == Takes::WholeRuns)));
        all.push((accumulated, counts.buckets));
    }
    // The counts do not depend on the order of the points.
    assert_eq!(all[0], all[1]);
}

#[test]
fn a_scheduler_decides_on_the_order_only_where_the_device_has_none() {
    let (points, scalars) = inputs(20);
    for (takes, scheduler, expected) in [
        (Takes::AsScheduled, SchedulerKind::Tree, true),
        (Takes::AsScheduled, SchedulerKind::Delayed, false),
        (Takes::WholeRuns, SchedulerKind::Delayed, true),
        (Takes::InOrder, SchedulerKind::Tree, false),
    ] {
        let device = Counter::new(takes);
        let bases = BasesOptions::new().prepare_by::<Config>(&device, &points).unwrap();
        let _ = Msm::new().scheduler(scheduler).run(&bases, &scalars).unwrap();
        assert!(
            device.counts().accumulated.iter().all(|&(_, sorted)| sorted == expected),
            "{takes:?} {scheduler}"
        );
    }
}

#[test]
fn plans_are_made_with_what_the_device_says() {
    let (points, scalars) = inputs(1000);
    let usual = Counter::new(Takes::WholeRuns);
    let costs = Costs { aggregation: 1000.0 * usual.costs.aggregation, ..usual.costs };
    let dear = Counter { costs, ..Counter::new(Takes::WholeRuns) };
    let [usual, dear] = [usual, dear].map(|device| {
        let bases = BasesOptions::new().prepare_by::<Config>(&device, &points).unwrap();
        let plan = BasesOptions::new().copies(4).plan_by::<Config>(&device, 1000).unwrap();
        assert_eq!(plan.bytes % POINT_BYTES, 0, "{plan:?}");
        Msm::new().run_reported(&bases, &scalars).unwrap().1.plan.window
    });
    assert!(dear < usual, "windows of {dear} bits, where buckets are dear, and {usual}");
}

#[test]
fn checks_find_bad_points_before_the_device_sees_them() {
    let (mut points, _) = inputs(10);
    let x = points[7].x;
    points[7].y += x;
    let device = Counter::new(Takes::InOrder);
    let bases = BasesOptions::new().check(Check::Curve).prepare_by::<Config>(&device, &points);
    assert_eq!(bases.map(drop), Err(Error::NotOnCurve { index: 7 }));
    assert_eq!(device.counts(), Counts::default());
}

#[test]
fn streams_are_counted_too() {
    let (points, scalars) = inputs(500);
    let device = Counter::new(Takes::WholeRuns);
    let mut stream = Msm::new().start_by::<Config>(&device, StreamOptions::new()).unwrap();
    stream.update(&points, &scalars).unwrap();
    assert_eq!(stream.finish().unwrap(), Projective::<Config>::zero());
    let counts = device.counts();
    let accumulated: usize = counts.accumulated.iter().map(|(points, _)| points).sum();
    assert!(counts.points == 500 && accumulated > 500, "{counts:?}");
}
