//! Streams of whole machines and of blocks that can wait: inputs, and the models' outputs.
//!
//! A line is a word of a stream, after a digit: 8, or 9 for the last word of a packet. The host's accesses to the
//! registers are a file of their own ([`Host`]). Golden sums are affine points, {y, x}, because a sum has many
//! representatives.

use ark_bls12_377::{Fq as Fq377, Fr as Fr377, G1TEProjective};
use ark_bn254::{Fq as Fq254, Fr as Fr254, G1Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{PrimeField, UniformRand, Zero};
use bucketwheel::Control;
use bucketwheel_hardware::{cyclone, gypsophila, msmac, reclaimer, Curve, Model, Report, Scalar};
use num_bigint::BigUint;
use rand::Rng;

use crate::numbers::{extended_affine, random, word, Form};

/// Files with their texts.
type Files = Vec<(String, String)>;

pub fn files() -> Files {
    [fifo(), schedulers(), self::cyclone(), self::msmac(), self::gypsophila(), self::reclaimer()].concat()
}

/// Returns the text of a stream: its words, their number of bits, and marks on the words that end a packet.
fn stream(bits: u64, words: impl IntoIterator<Item = (BigUint, bool)>) -> String {
    let digits = bits.div_ceil(4) as usize;
    words.into_iter().map(|(word, last)| format!("{}_{word:0>digits$x}\n", 8 + u32::from(last))).collect()
}

/// Returns the text of one packet.
fn packet(bits: u64, words: &[BigUint]) -> String {
    stream(bits, words.iter().enumerate().map(|(i, word)| (word.clone(), i + 1 == words.len())))
}

/// Packs adjacent elements, the first element lowest, in words of the field.
fn packed<F: PrimeField>(form: Form, elements: &[F]) -> BigUint {
    elements.iter().rev().fold(BigUint::default(), |all, &x| (all << word::<F>()) + form.encode(x))
}

/// Script of a host, one line per operation: an operation, an address, data, and the bits that count.
#[derive(Default)]
struct Host(String);

impl Host {
    fn line(&mut self, operation: u32, address: u32, data: u32, mask: u32) -> &mut Self {
        self.0 += &format!("{operation}_{address:08x}_{data:08x}_{mask:08x}\n");
        self
    }

    fn write(&mut self, address: u32, data: u32) -> &mut Self {
        self.line(1, address, data, u32::MAX)
    }

    /// Adds a read of a register, which must have this value.
    fn expect(&mut self, address: u32, data: u64) -> &mut Self {
        self.line(2, address, u32::try_from(data).expect("a small number"), u32::MAX)
    }

    /// Adds reads of a register until it has this value.
    fn wait_for(&mut self, address: u32, data: u32, mask: u32) -> &mut Self {
        self.line(3, address, data, mask)
    }

    /// Makes streams send words from this line on.
    fn send(&mut self) -> &mut Self {
        self.line(4, 0, 0, 0)
    }

    fn idle(&mut self, cycles: u32) -> &mut Self {
        self.line(5, 0, cycles, 0)
    }

    /// Adds a wait until all expected words have arrived.
    fn receive(&mut self) -> &mut Self {
        self.line(6, 0, 0, 0)
    }
}

fn file(block: &str, stream: &str, text: String) -> (String, String) {
    (format!("{block}.{stream}"), text)
}

fn fifo() -> Files {
    let mut rng = random();
    let words: Vec<BigUint> = (0..64).map(|_| BigUint::from(rng.gen::<u64>())).collect();
    vec![file("fifo", "in", packet(96, &words)), file("fifo", "out", packet(64, &words))]
}

/// Operations of `tb_schedule`.
const ADD: u32 = 0;
const READ: u32 = 1;
const FINISH: u32 = 2;
const NOTHING: u32 = 4;

/// Returns points that come to buckets, all sums, and the content of the buckets: a flag, and the sum.
fn schedulers() -> Files {
    let mut rng = random();
    let mut points = |keys: u32| -> Vec<(u32, u64)> {
        // Every fourth point comes to the bucket of the previous point, which is in use.
        let mut key = 0;
        (0..200)
            .map(|i| {
                key = if i % 4 == 3 { key } else { rng.gen_range(0..keys) };
                (key, rng.gen())
            })
            .collect()
    };
    let operation = |operation: u32, key: u32, value: u64| {
        let high = BigUint::from(u64::from(operation) << 32 | u64::from(key));
        (high << 64u32) + value
    };
    let scheduler = |name: &str, points: Vec<(u32, u64)>, buckets_of: &dyn Fn(u32) -> Vec<(u32, bool)>| {
        let mut sums = vec![None; 64];
        for &(key, value) in &points {
            for (bucket, negative) in buckets_of(key) {
                let value = if negative { value.wrapping_neg() } else { value };
                let sum: &mut Option<u64> = &mut sums[bucket as usize];
                *sum = Some(sum.unwrap_or(0).wrapping_add(value));
            }
        }
        let added = points.iter().map(|&(key, value)| operation(ADD, key, value));
        let read = (0..64).map(|bucket| operation(READ, bucket, 0));
        // The last sums are in flight for this number of cycles.
        let wait = (0..24).map(|_| operation(NOTHING, 0, 0));
        let words: Vec<_> = added.chain([operation(FINISH, 0, 0)]).chain(wait).chain(read).collect();
        let answers: Vec<_> = sums
            .iter()
            .map(|sum| sum.map_or(BigUint::default(), |sum| (BigUint::from(1u32) << 64u32) + sum))
            .collect();
        [file(name, "in", packet(128, &words)), file(name, "out", packet(68, &answers))]
    };
    let one = |key: u32| vec![(key, false)];
    // Five windows of 4 bits, each with 8 buckets.
    let digits = |scalar: u32| {
        let mut carry = 0;
        let digit = |w: u32| {
            let field = (scalar >> (4 * w) & 15) as i32 + carry;
            carry = i32::from(field >= 8);
            (w, field - 16 * carry)
        };
        let digits: Vec<_> = (0..5).map(digit).filter(|&(_, digit)| digit != 0).collect();
        digits.into_iter().map(|(w, digit)| (8 * w + digit.unsigned_abs() - 1, digit < 0)).collect()
    };
    [
        scheduler("delayed_scheduler", points(64), &one),
        scheduler("pairing_scheduler", points(64), &one),
        scheduler("window_batch_scheduler", points(1 << 16), &digits),
    ]
    .concat()
}

fn integers<F: PrimeField>(scalars: &[F]) -> Vec<Scalar> {
    scalars.iter().map(|x| x.into_bigint().as_ref().try_into().expect("four words")).collect()
}

/// Returns the report of the cycle model.
fn report<M: Model>(model: &M, scalars: &[Scalar]) -> Report {
    let nothing = vec![(); scalars.len()];
    model
        .simulate(&nothing, &[scalars], &Control::new(None, None, None))
        .expect("parameters that make hardware")
        .report
}

/// Returns the files of a whole sum on CycloneMSM, with the parameters of `play_cyclone`.
fn cyclone() -> Files {
    const POINTS: usize = 20;
    let mut rng = random();
    let points: Vec<_> = (0..POINTS).map(|_| G1TEProjective::rand(&mut rng)).collect();
    let mut scalars: Vec<_> = (0..POINTS).map(|_| Fr377::rand(&mut rng)).collect();
    // Equal digits, more than the on-chip queue holds.
    let equal = scalars[4];
    scalars[4..].fill(equal);
    let model = cyclone::Parameters {
        window: 4,
        multiplier_stages: 5,
        pipeline_stages: 15,
        control_stages: 5,
        link_efficiency: 1.0,
        memory: None,
        aggregation_gap: 3,
        ..cyclone::Parameters::default()
    };
    let scalars = integers(&scalars);
    let commands = cyclone::Commands::new(&model, &scalars).expect("scalars that fit");
    let windows = commands.windows().count();
    let beats = (0..windows).flat_map(|window| {
        let batches = cyclone::Commands::batches(commands.digits(window));
        let beat = |batch: &[u64; 8]| {
            batch.iter().rev().fold(BigUint::default(), |all, &word| (all << 64u32) + word)
        };
        let last = batches.len() - 1;
        batches.iter().map(beat).enumerate().map(move |(i, beat)| (beat, i == last)).collect::<Vec<_>>()
    });
    let sums: Vec<_> = (0..windows)
        .map(|window| {
            let of_one = |(&point, digit): (&G1TEProjective, i32)| match digit < 0 {
                true => -(point * Fr377::from(digit.unsigned_abs())),
                false => point * Fr377::from(digit.unsigned_abs()),
            };
            let sum = points.iter().zip(commands.digits(window)).map(of_one).sum::<G1TEProjective>();
            let sum = sum.into_affine();
            packed(Form::Montgomery, &[sum.x, sum.y])
        })
        .collect();
    let report = report(&model, &scalars);
    let counted = |name: &str| report.counters[name];
    let counters = [
        (0x10, report.phases[0].cycles),
        (0x18, report.phases[1].cycles),
        (0x20, report.phases[2].cycles),
        (0x38, counted("link_stall_cycles")),
        (0x50, counted("windows")),
        (0x58, counted("windows") * POINTS as u64),
        (0x60, counted("zero_digits")),
        (0x68, counted("additions")),
        (0x78, counted("conflicts")),
        (0x80, counted("passes") - counted("windows")),
        (0x88, report.fifos[0].high_water),
    ];
    let mut host = Host::default();
    host.expect(0, u32::from_be_bytes(*b"CYCL").into()).write(8, 1).wait_for(0xc, 0, 1).send().receive();
    for (address, count) in counters {
        host.expect(address, count).expect(address + 4, 0);
    }
    let channel = |i: usize| {
        let coordinates: Vec<_> =
            points.iter().map(|&p| Form::Montgomery.encode(extended_affine(p)[i])).collect();
        packet(512, &coordinates)
    };
    vec![
        file("cyclone", "command", stream(512, beats)),
        file("cyclone", "x", channel(0)),
        file("cyclone", "y", channel(1)),
        file("cyclone", "u", channel(2)),
        file("cyclone", "sum", packet(768, &sums)),
        file("cyclone", "host", host.0),
    ]
}

/// Returns the files of a whole sum on MSMAC's element, with the parameters of `play_msmac`, by Pippenger's program.
fn msmac() -> Files {
    const POINTS: usize = 24;
    let mut rng = random();
    let points: Vec<_> = (0..POINTS).map(|_| G1Projective::rand(&mut rng)).collect();
    let scalars: Vec<_> = (0..POINTS).map(|_| Fr254::rand(&mut rng)).collect();
    let model = msmac::Parameters {
        window: 5,
        latency: 100,
        conflict_threshold: 64,
        conflict_depth: 200,
        card_buckets: u64::MAX,
        point_cycles: 1,
        ..msmac::Parameters::default()
    };
    let (hardware, program) = model.programmed(POINTS).expect("parameters that make hardware");
    let integers = integers(&scalars);
    let control = Control::new(None, None, None);
    let element = msmac::Pe::new(&hardware, &program, &points, &integers, &control).expect("memory");
    let (sums, counts) = element.run().expect("a program that ends");

    let mut host = Host::default();
    for (i, instruction) in (0..).zip(&program) {
        let words = (0..4).map(|w| (instruction.encode() >> (32 * w)) as u32);
        for (w, word) in (0..).zip(words) {
            host.write(0x1_0000 + 16 * i + 4 * w, word);
        }
    }
    host.write(0xc, program.len() as u32).write(8, POINTS as u32).send().idle(50).write(0, 1).receive();
    host.wait_for(4, 2, 7);
    let counters = [
        counts.cycles,
        counts.instructions,
        counts.additions,
        counts.bubbles,
        counts.conflicts,
        counts.repeated_conflicts,
        counts.input_stalls,
        0,
        counts.conflict_high_water,
        counts.step_1_cycles,
    ];
    for (i, count) in (0..).zip(counters) {
        host.expect(0x20 + 4 * i, count);
    }
    let affine = |point: &G1Projective| {
        let (x, y) = point.into_affine().xy().unwrap_or_else(|| (Fq254::zero(), Fq254::zero()));
        packed(Form::Montgomery, &[x, y])
    };
    let integer = |scalar: &Fr254| scalar.into_bigint().into();
    vec![
        file("msmac", "point", packet(512, &points.iter().map(affine).collect::<Vec<_>>())),
        file("msmac", "scalar", packet(256, &scalars.iter().map(integer).collect::<Vec<_>>())),
        file("msmac", "sum", packet(512, &sums.iter().map(affine).collect::<Vec<_>>())),
        file("msmac", "host", host.0),
    ]
}

/// Returns the files of a whole sum on one element of Gypsophila, with the parameters of `play_gypsophila`.
fn gypsophila() -> Files {
    const POINTS: usize = 24;
    let mut rng = random();
    let points: Vec<_> = (0..POINTS).map(|_| G1TEProjective::rand(&mut rng).into_affine()).collect();
    let scalars: Vec<_> = (0..POINTS).map(|_| Fr377::rand(&mut rng)).collect();
    let model = gypsophila::Parameters {
        window: 4,
        pairing_queue: 16,
        collision_queue: 16,
        point_buffer: 8,
        count_aggregation: true,
        ..gypsophila::Parameters::default()
    };
    let integers = integers(&scalars);
    let windows = model.windows(POINTS).expect("parameters that make hardware");
    let indexes = (0..windows.count()).rev().flat_map(|window| {
        let index = |scalar: &Scalar| BigUint::from(windows.field(&windows.biased(scalar), window));
        let indexes: Vec<_> = integers.iter().map(index).collect();
        indexes.into_iter().enumerate().map(|(i, index)| (index, i + 1 == POINTS)).collect::<Vec<_>>()
    });
    let report = report(&model, &integers);
    let counters = [
        (0x20, report.cycles),
        (0x28, report.phases[0].cycles),
        (0x2c, report.phases[1].cycles),
        (0x30, report.phases[2].cycles),
        (0x34, report.phases[3].cycles),
        (0x38, report.counters["channel_stall_cycles"]),
        (0x40, report.counters["aggregation_additions"]),
        (0x100, report.counters["additions"]),
        (0x104, report.counters["collisions"]),
        (0x118, report.fifos[0].high_water),
        (0x11c, report.fifos[1].high_water),
        (0x120, report.fifos[2].high_water),
    ];
    let mut host = Host::default();
    host.write(4, POINTS as u32).write(8, windows.count()).write(12, 1).send().idle(40).write(0, 1).receive();
    host.wait_for(0, 2, u32::MAX);
    for (address, count) in counters {
        host.expect(address, count);
    }
    let encoded: Vec<_> =
        points.iter().map(|p| packed::<Fq377>(Form::Plain, &[p.x, p.y, p.x * p.y])).collect();
    let sum: G1TEProjective = points.iter().zip(&scalars).map(|(&point, scalar)| point * scalar).sum();
    let sum = sum.into_affine();
    vec![
        file("gypsophila", "point", packet(1152, &encoded)),
        file("gypsophila", "index", stream(8, indexes)),
        file("gypsophila", "sum", packet(768, &[packed(Form::Plain, &[sum.x, sum.y])])),
        file("gypsophila", "host", host.0),
    ]
}

/// Returns the files of a whole sum on the reclaimer, with the parameters of `play_reclaimer`. Sums are affine, so each part is
/// known to the bit.
fn reclaimer() -> Files {
    const POINTS: usize = 64;
    let mut rng = random();
    let mut points: Vec<_> = (0..POINTS).map(|_| G1Projective::rand(&mut rng)).collect();
    let mut scalars: Vec<_> = (0..POINTS).map(|_| Fr254::rand(&mut rng)).collect();
    // Equal digits, equal and opposite points, infinity.
    let equal = scalars[32];
    scalars[32..].fill(equal);
    (points[33], points[34], points[35]) = (points[32], -points[32], G1Projective::zero());
    let model = reclaimer::Parameters {
        curve: Curve::Bn254,
        window: 11,
        chains: 8,
        multiplier_stages: 7,
        ..reclaimer::Parameters::default()
    };
    let integers = integers(&scalars);
    let windows = model.windows().expect("parameters that make hardware");
    let affine = |point: &G1Projective| {
        let (x, y) = point.into_affine().xy().unwrap_or_else(|| (Fq254::zero(), Fq254::zero()));
        packed(Form::Montgomery, &[x, y])
    };
    let biased: Vec<Scalar> = integers.iter().map(|scalar| windows.biased(scalar)).collect();
    let beat = |(point, scalar): (&G1Projective, &Scalar)| {
        let scalar = scalar.iter().rev().fold(BigUint::default(), |all, &limb| (all << 64u32) + limb);
        affine(point) + (scalar << 512u32)
    };
    let beats: Vec<_> = points.iter().zip(&biased).map(beat).collect();
    let mut parts = Vec::new();
    for window in 0..windows.count() {
        let half = if window + 1 < windows.count() { 1 << (windows.width() - 1) } else { 0 };
        let digits: Vec<_> =
            biased.iter().map(|scalar| windows.field(scalar, window) as i32 - half).collect();
        // Part l is the sum of the buckets whose number has bit l, the last part the sum of all.
        for part in 0..windows.width() {
            let of_part = |&(_, &digit): &(&G1Projective, &i32)| {
                digit != 0 && (part + 1 == windows.width() || (digit.unsigned_abs() - 1) >> part & 1 == 1)
            };
            let signed = |(&point, &digit): (&G1Projective, &i32)| if digit < 0 { -point } else { point };
            let sum: G1Projective = points.iter().zip(&digits).filter(of_part).map(signed).sum();
            parts.push(affine(&sum));
        }
    }
    let report = model
        .simulate(&points, &[&integers], &Control::new(None, None, None))
        .expect("parameters that make hardware")
        .report;
    let counted = |name: &str| report.counters[name];
    let counters = [
        report.phases[0].cycles,
        report.phases[1].cycles,
        report.phases[2].cycles,
        report.phases[3].cycles,
        report.phases[4].cycles,
        POINTS as u64 * u64::from(windows.count().div_ceil(model.adders)),
        counted("zero_digits"),
        counted("windows"),
        counted("additions"),
        counted("aggregation_additions"),
        counted("doublings"),
        counted("products"),
        counted("blocked_cycles"),
        counted("adder_bubble_cycles"),
        0,
        counted("collisions"),
        report.fifos[0].high_water,
        report.fifos[1].high_water,
    ];
    let mut host = Host::default();
    host.write(4, POINTS as u32).write(8, windows.count()).send().write(0, 1).receive();
    host.wait_for(0, 2, u32::MAX);
    for (number, count) in (0..).zip(counters) {
        host.expect(0x100 + 8 * number, count).expect(0x104 + 8 * number, 0);
    }
    vec![
        file("reclaimer", "point", packet(768, &beats)),
        file("reclaimer", "part", packet(512, &parts)),
        file("reclaimer", "host", host.0),
    ]
}
