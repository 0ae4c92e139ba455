//! Programs other than Pippenger's: jumps, encodings, errors, and random programs that behave as in the cycle model.

use ark_bn254::G1Projective;
use bucketwheel_hardware::msmac::{assemble, Address, Condition, Fault as Wrong, Instruction, Operand, Padd};
use bucketwheel_hardware::Error;
use bucketwheel_rtl::msmac::{
    End, CONFLICTS, CONTROL, LATENCY, LENGTH, MEMORY, PROGRAM, SHAPE, SIZE, START, STATUS,
};
use bucketwheel_rtl::{Bus, Fault, Request};
use rand::Rng;

use super::{check_assertions, element, model, offer, uniform};
use crate::numbers::random;

/// Error codes of the element.
const INSTRUCTION: u32 = 1;
const ADDRESS: u32 = 2;
const OVERFLOW: u32 = 3;
const NO_INPUT: u32 = 4;
const OUTPUT: u32 = 7;
/// Parameters of the bench `msmac_pe`: windows, buckets of each, entries of the program.
const WINDOWS: u32 = 51;
const BUCKETS: u32 = 16;
const MOST: u32 = 64;

fn program(text: &str) -> Vec<Instruction> {
    assemble(text).unwrap()
}

/// Jumps under a batch cost nothing and do not change it, even a jump to itself.
#[test]
fn jumps_under_a_batch() {
    let mut element = element("msmac_pe");
    let batch = "padd 51, zero, zero -> temp[0, 1]\n";
    let mut cycles = |text: &str| {
        element.load(&program(text)).unwrap();
        element.start(0).unwrap();
        assert_eq!(element.wait(10_000).unwrap(), End::Done, "{text}");
        let (_, expected) = model(&element, &[], &[]).unwrap();
        assert_eq!(element.counts().unwrap(), (expected, 0), "{text}");
        expected.cycles
    };
    let alone = cycles(&[batch, batch].concat());
    let jumps = "jmp always, a\na:\njmp conflict, a\njmp almost_full, a\njmp input, a\n";
    assert_eq!(cycles(&[batch, jumps, batch].concat()), alone);
    assert_eq!(cycles(&[jumps, batch, batch].concat()), alone + 8);
    let itself = "set 20\nhere:\njmp loop, here\n";
    assert_eq!(cycles(&[batch, itself, batch].concat()), alone);
    assert!(cycles(&[batch, "set 30\nhere:\njmp loop, here\n", batch].concat()) > alone);

    // A batch without end, whose sums leave all the same; then a reset.
    element.load(&program("padd 51, zero, zero -> output\nhere:\njmp always, here")).unwrap();
    element.start(0).unwrap();
    assert_eq!(element.wait(1_000).unwrap(), End::Busy);
    assert_eq!(element.sums().unwrap(), vec![G1Projective::default(); 51]);
    element.reset().unwrap();
    check_assertions(&mut element);
}

/// Bits that the assembler refuses are an error; all other bits are not.
#[test]
fn encodings() {
    let mut rng = random();
    let mut element = element("msmac_pe");
    let mut invalid = 0;
    for i in 0..200 {
        // Instructions, some of them with a changed bit or field, and random bits.
        let mut bits = random_instruction(&mut rng, 12).encode();
        match i % 4 {
            0 => {}
            1 => bits ^= 1 << rng.gen_range(0..128),
            2 => bits ^= rng.gen::<u128>() & 0x1f_ffff << rng.gen_range(0..4),
            _ => bits = rng.gen::<u128>() >> rng.gen_range(0..128),
        }
        let decoded = Instruction::decode(bits);
        element.load_words(&[bits]).unwrap();
        element.start(0).unwrap();
        let end = element.wait(2_000).unwrap();
        assert_eq!(end == End::Error(INSTRUCTION, 0), decoded.is_err(), "{bits:#x} {decoded:?}");
        invalid += usize::from(decoded.is_err());
        if end != End::Done {
            element.reset().unwrap();
        }
    }
    assert!((60..180).contains(&invalid), "{invalid}");
}

fn random_address(rng: &mut impl Rng) -> Address {
    let base = if rng.gen_bool(0.9) { rng.gen_range(0..100) } else { rng.gen_range(0..1 << 20) };
    let step = if rng.gen_bool(0.9) { rng.gen_range(0..4) } else { rng.gen_range(0..1 << 14) };
    Address { base, step, counter: rng.gen_bool(0.3) }
}

fn random_place(rng: &mut impl Rng) -> Operand {
    match rng.gen_range(0..3) {
        0 => Operand::Zero,
        1 => Operand::Bucket(random_address(rng)),
        _ => Operand::Temp(random_address(rng)),
    }
}

/// Returns a random instruction for a program with this number of instructions.
fn random_instruction(rng: &mut impl Rng, length: u16) -> Instruction {
    let instruction = match rng.gen_range(0..10) {
        0..3 => {
            let (left, right) = (random_place(rng), random_place(rng));
            let destination = match random_place(rng) {
                Operand::Zero => Operand::Output,
                place => place,
            };
            Instruction::Padd(Padd { size: rng.gen_range(1..52), left, right, destination })
        }
        3..6 => {
            let step = if rng.gen_bool(0.9) { BUCKETS as u16 } else { rng.gen_range(0..40) };
            let bucket =
                Operand::Bucket(Address { base: rng.gen_range(0..2), step, counter: rng.gen_bool(0.1) });
            let right = if rng.gen_bool(0.7) { Operand::Input } else { Operand::Conflict };
            Instruction::Padd(Padd { size: rng.gen_range(1..70), left: bucket, right, destination: bucket })
        }
        6 | 7 => {
            let condition = Condition::ALL[rng.gen_range(0..5)];
            Instruction::Jmp { condition, target: rng.gen_range(0..length + 2) }
        }
        8 => Instruction::Set(rng.gen_range(0..20)),
        _ => Instruction::Nop(rng.gen_range(0..120)),
    };
    // A second bucket is not an operand.
    instruction.check().unwrap_or(Instruction::Nop(3))
}

/// Programs end as in the cycle model, with the same sums and counters, or with the same error of the same instruction.
#[test]
fn random_programs() {
    let mut rng = random();
    let (points, mut scalars) = uniform(12);
    let mut element = element("msmac_pe");
    element.hardware.cycle_limit = 1500;
    // Conflicts.
    let first = scalars[0];
    scalars[1..7].fill(first);
    let [mut done, mut failed, mut sums] = [0; 3];
    for _ in 0..250 {
        let length = rng.gen_range(1..14);
        element.program = (0..length).map(|_| random_instruction(&mut rng, length)).collect();
        let expected = model(&element, &points, &scalars);
        if let Err(Error::Program { fault: Wrong::Hazard { .. } | Wrong::NoEnd, .. }) = expected {
            continue;
        }
        let program = std::mem::take(&mut element.program);
        element.load(&program).unwrap();
        offer(&mut element, &points, &scalars);
        element.start(points.len()).unwrap();
        let end = element.wait(6000).unwrap();
        match expected {
            Ok((expected, counts)) => {
                assert_eq!(end, End::Done, "{program:?}");
                assert_eq!(element.sums().unwrap(), expected, "{program:?}");
                // If batches follow each other to the output, it may be full.
                let (found, output_stalls) = element.counts().unwrap();
                assert!(output_stalls > 0 || found == counts, "{found:?}, {counts:?}: {program:?}");
                done += 1;
                sums += expected.len();
            }
            Err(Error::Program { pc, fault, .. }) => {
                let code = match fault {
                    Wrong::Address { .. } => ADDRESS,
                    Wrong::NoInput => NO_INPUT,
                    Wrong::Overflow => OVERFLOW,
                    other => panic!("{other:?}"),
                };
                assert_eq!(end, End::Error(code, pc as u32), "{program:?}");
                failed += 1;
            }
            Err(error) => panic!("{error}"),
        }
        element.reset().unwrap();
    }
    println!("{done} programs ended, {failed} failed, {sums} sums");
    assert!(done > 40 && failed > 40 && sums > 200, "{done}, {failed}, {sums}");
    check_assertions(&mut element);
}

#[test]
fn a_full_conflict_queue() {
    let (points, scalars) = uniform(10);
    let mut element = element("msmac_pe");
    element.load(&program(&"padd 51, bucket[0, 16], input -> bucket[0, 16]\n".repeat(10))).unwrap();
    let scalars = vec![scalars[0]; 10];
    offer(&mut element, &points, &scalars);
    element.start(10).unwrap();
    let end = element.wait(10_000).unwrap();
    let Err(Error::Program { pc, fault: Wrong::Overflow, .. }) = model(&element, &points, &scalars) else {
        panic!("the model's queue is longer");
    };
    assert_eq!(end, End::Error(OVERFLOW, pc as u32));
    check_assertions(&mut element);
}

#[test]
fn a_batch_that_the_output_cannot_hold() {
    let mut element = element("msmac_pe");
    element.load(&program("nop 3\npadd 52, zero, zero -> output")).unwrap();
    element.start(0).unwrap();
    assert_eq!(element.wait(1_000).unwrap(), End::Error(OUTPUT, 1));
}

/// A place that is read a cycle too early fails an assertion; a place that is read in time does not.
#[test]
fn hazards_fail_an_assertion() {
    let mut element = element("msmac_pe");
    for ram in ["temp", "bucket"] {
        for (nop, fails) in [(99, false), (98, true)] {
            let text = format!("padd 1, zero, zero -> {ram}[7]\nnop {nop}\npadd 1, {ram}[7], zero -> output");
            element.load(&program(&text)).unwrap();
            assert_eq!(model(&element, &[], &[]).is_err(), fails);
            element.start(0).unwrap();
            assert_eq!(element.wait(1_000).unwrap(), End::Done);
            assert_eq!(element.bench().failed(), fails, "{text}");
        }
        element = super::element("msmac_pe");
    }
}

/// An answer waits until it is taken, and so do the answers behind it.
#[test]
fn answers_wait() {
    let mut element = element("msmac_pe");
    let write = |data| Request::Write { address: SIZE, data, strobes: 0b1111 };
    // `ready` is a register, which sees the request first.
    assert!(!element.access(write(7)).takes_write);
    assert!(element.access(write(7)).takes_write);
    for _ in 0..3 {
        let reply = element.access(write(8));
        assert!(!reply.takes_write && reply.written.is_none());
    }
    assert_eq!(element.access(Request::Written).written, Some(0));
    assert!(!element.access(Request::Read { address: SIZE }).takes_read);
    assert!(element.access(Request::Read { address: SIZE }).takes_read);
    for _ in 0..3 {
        assert!(!element.access(Request::Read { address: LENGTH }).takes_read);
    }
    assert_eq!(element.access(Request::Data).data, Some((7, 0)));
}

#[test]
fn registers() {
    let mut element = element("msmac_pe");
    assert_eq!(
        [SHAPE, LATENCY, CONFLICTS, MEMORY].map(|address| element.read(address).unwrap()),
        [WINDOWS << 16 | 5, (2 * WINDOWS) << 16 | 100, 200 << 16 | 64, WINDOWS << 16 | MOST]
    );
    assert!(element.write(SIZE, 0xdead_beef).is_ok());
    assert_eq!(element.read(SIZE).unwrap(), 0xdead_beef);
    assert!(element.write(LENGTH, MOST + 1).is_err());
    assert!(element.write(LENGTH, MOST).is_ok());
    assert_eq!(element.read(LENGTH).unwrap(), MOST);
    assert!(element.write_bytes(SIZE, 1, 0b1011).is_err());
    for address in [STATUS, SHAPE, 0x48, SIZE + 2, PROGRAM + 16 * MOST, PROGRAM + 1] {
        assert!(element.write(address, 1).is_err(), "{address:#x}");
    }
    assert!(element.write(CONTROL, 4).is_err());
    for address in [CONTROL, 0x48, SIZE + 1, PROGRAM] {
        assert_eq!(element.read(address), Err(Fault::Register { address }));
    }
    assert_eq!(element.read(SIZE).unwrap(), 0xdead_beef);
    // While a task is running, only a reset may be written.
    element.load(&program("here:\njmp always, here")).unwrap();
    element.start(0).unwrap();
    for (address, value) in [(SIZE, 1), (LENGTH, 1), (CONTROL, START), (PROGRAM, 0)] {
        assert!(element.write(address, value).is_err(), "{address:#x}");
    }
    element.reset().unwrap();
    // An empty program ends at once.
    element.load(&[]).unwrap();
    element.start(5).unwrap();
    assert_eq!(element.wait(1_000).unwrap(), End::Done);
    assert_eq!(element.counts().unwrap().0.cycles, 0);
}
