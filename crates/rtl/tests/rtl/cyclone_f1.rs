//! CycloneMSM for its authors' host (`hdl/rtl/card/cyclone_f1.sv`): columns by packets and registers, as the host sends
//! and reads them.

use ark_bls12_377::{Fq, Fr, G1TEAffine, G1TEProjective};
use ark_ec::{CurveGroup, VariableBaseMSM};
use ark_ff::{BigInt, UniformRand};
use bucketwheel_hardware::cyclone::Commands;
use bucketwheel_rtl::cyclone::{Cyclone, F1};
use bucketwheel_rtl::{Bus, Fault};
use rand::Rng;

use crate::numbers::random;

// Streams, and numbers of registers (docs/hardware.md).
const SET_X: u32 = 1 << 26;
const MSM: u32 = 4 << 26;
const SET_ZERO: u32 = 5 << 26;
const QUERY: u32 = 0x10;
const READ_LENGTH: u32 = 0x11;
const POINTS: u32 = 0x20;
const LAST_BUCKET: u32 = 0x21;
const FIRST_BUCKET: u32 = 0x22;
const STATISTIC: u32 = 0x20;
const WAITING: u32 = 0x21;
const AGGREGATED: u32 = 0x30;
const X: u32 = 0x31;
const T: u32 = 0x34;
const START_COLUMN: [u64; 8] = [1, 0, 0, 0, 0, 0, 0, 0];

/// A host of the card, with the number of the next packet of digits.
struct Host {
    card: F1,
    next: u32,
}

impl Host {
    /// Opens a card with these points.
    fn new(bench: &str, points: &[G1TEAffine]) -> Self {
        let mut host = Host { card: F1::new(bench), next: MSM };
        host.write(POINTS, points.len() as u32);
        for (number, &point) in points.iter().enumerate() {
            for (stream, coordinate) in (1..).zip(Cyclone::point(point)) {
                let mut packet = [0; 8];
                for (word, halves) in packet.iter_mut().zip(coordinate.chunks(2)) {
                    *word = u64::from(halves[0]) | u64::from(halves[1]) << 32;
                }
                host.card.packet(stream * SET_X + number as u32, &packet).expect("the card takes points");
            }
        }
        host
    }

    fn read(&mut self, register: u32) -> u32 {
        self.card.read(4 * register).expect("a register")
    }

    fn write(&mut self, register: u32, word: u32) {
        self.card.write(4 * register, word).expect("a register");
    }

    fn send(&mut self, packet: &[u64; 8]) {
        self.card.packet(self.next, packet).expect("the card takes commands");
        self.next += 1;
    }

    fn start(&mut self) {
        self.next = MSM;
        self.send(&START_COLUMN);
    }

    fn dropped(&mut self) -> u32 {
        self.write(QUERY, 0);
        self.read(STATISTIC)
    }

    /// Waits for the column's sum.
    fn sum(&mut self) -> G1TEProjective {
        let done = (0..1 << 20).any(|_| self.read(AGGREGATED) == 1);
        assert!(done, "the column does not end");
        let [x, y, z, t] = [X, X + 1, X + 2, T].map(|register| {
            let mut word = |number| {
                self.write(QUERY, number);
                u64::from(self.read(register))
            };
            // The coordinates are Montgomery forms. The host takes them as integers: the same point, because they are
            // homogeneous.
            Fq::from(BigInt::new(std::array::from_fn(|i| word(2 * i as u32) | word(2 * i as u32 + 1) << 32)))
        });
        assert!(!self.card.failed(), "an assertion of the RTL failed");
        G1TEProjective::new(x, y, t, z)
    }

    /// Runs a column.
    fn column(&mut self, digits: &[i32]) -> G1TEProjective {
        self.start();
        for packet in Commands::batches(digits.iter().copied()) {
            self.send(&packet);
        }
        self.sum()
    }
}

fn points(count: usize, rng: &mut impl Rng) -> Vec<G1TEAffine> {
    let points: Vec<_> = (0..count).map(|_| G1TEProjective::rand(rng)).collect();
    G1TEProjective::normalize_batch(&points)
}

fn expected(points: &[G1TEAffine], digits: &[i32]) -> G1TEProjective {
    let digits: Vec<_> = digits.iter().map(|&digit| Fr::from(digit)).collect();
    G1TEProjective::msm_unchecked(points, &digits)
}

#[test]
fn columns() {
    let mut rng = random();
    // The queue of digits has four packets, so the longest columns wait; the last packet of some is not full.
    for count in [1, 2, 8, 43, 64] {
        let points = points(count, &mut rng);
        let mut host = Host::new("cyclone_f1_short", &points);
        host.write(LAST_BUCKET, 7);
        host.write(FIRST_BUCKET, 0);
        host.write(READ_LENGTH, 64);
        host.card.packet(SET_ZERO, &[7; 8]).expect("the card takes the neutral element");
        assert_eq!(host.read(AGGREGATED), 0);
        for bound in [8, 1] {
            let digits: Vec<_> = (0..count).map(|_| rng.gen_range(-bound..=bound)).collect();
            assert_eq!(host.column(&digits), expected(&points, &digits), "{count} points");
        }
        assert_eq!([host.dropped(), host.read(WAITING)], [0; 2]);
    }
}

/// Packets and digits without a place are dropped and counted, and change no sum.
#[test]
fn dropped() {
    let mut rng = random();
    let points = points(12, &mut rng);
    let mut host = Host::new("cyclone_f1_short", &points);
    let digits = |digits: &[i32]| Commands::batches(digits.iter().copied())[0];
    host.send(&digits(&[1; 8]));
    assert_eq!(host.dropped(), 8, "digits without a column");
    host.start();
    host.send(&digits(&[1, 2, 3]));
    host.send(&START_COLUMN);
    host.send(&digits(&[-1; 8]));
    host.send(&digits(&[5; 8]));
    let sum = expected(&points, &[1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1, 5]);
    assert_eq!(host.sum(), sum);
    assert_eq!(host.dropped(), 8 + 1 + 7, "a start in the column, and digits beyond it");
    for index in [0, SET_X + 64, 6 << 26, 7 << 26] {
        host.card.packet(index, &[1; 8]).expect("the card takes anything");
    }
    assert_eq!(host.dropped(), 16 + 4, "a point beyond the RAM, and streams that do not exist");
    assert_eq!(host.column(&[1; 12]), expected(&points, &[1; 12]));
    // Digits behind a gap.
    host.start();
    let mut gap = digits(&[2; 8]);
    gap[3] = 0;
    host.send(&gap);
    host.send(&digits(&[3; 8]));
    host.send(&digits(&[4; 1]));
    assert_eq!(host.sum(), expected(&points, &[2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4]));
    assert_eq!(host.dropped(), 20 + 4);
    // Other statistics are of a memory that is not there.
    host.write(QUERY, 1);
    assert_eq!(host.read(STATISTIC), 0);
}

#[test]
fn refused() {
    let mut card = F1::new("cyclone_f1_short");
    for (register, word) in [(POINTS, 65), (LAST_BUCKET, 6), (FIRST_BUCKET, 1), (AGGREGATED, 0), (0, 0)] {
        let address = 4 * register;
        assert_eq!(card.write(address, word), Err(Fault::Register { address }), "{word}");
    }
    for address in [0, 4 * QUERY, 4 * (X - 2), 4 * (T + 1)] {
        assert_eq!(card.read(address), Err(Fault::Register { address }));
    }
    // No points, no column.
    card.packet(MSM, &START_COLUMN).expect("the card takes anything");
    card.write(4 * QUERY, 0).expect("a register");
    assert_eq!(card.read(4 * STATISTIC), Ok(1));
    assert!(!card.failed());
}

/// Digits of 16 bits, the authors' window, with both ends of their range.
#[test]
#[ignore = "takes minutes to compile: make test-long"]
fn authors_window() {
    let mut rng = random();
    let points = points(1 << 10, &mut rng);
    let mut host = Host::new("cyclone_f1", &points);
    let mut digits: Vec<_> = points.iter().map(|_| rng.gen::<i16>().into()).collect();
    digits[..4].copy_from_slice(&[i16::MIN.into(), i16::MAX.into(), 0, -1]);
    assert_eq!(host.column(&digits), expected(&points, &digits));
    assert_eq!(host.dropped(), 0);
}
