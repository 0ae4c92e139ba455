//! MSMAC's instructions: encoding, assembly, programs, their faults and their time.

use ark_bn254::g1::Config;
use ark_ec::CurveGroup;
use bucketwheel::Control;
use bucketwheel_hardware::msmac::{
    assemble, disassemble, from_bytes, pippenger, to_bytes, Address, AssemblyError, Condition, Counts,
    Instruction, Operand, Padd, Parameters, Pe, MAX_INSTRUCTIONS,
};
use bucketwheel_hardware::{Error, Scalar};
use proptest::prelude::*;

use crate::points::{points, reference};
use crate::{model, uniform};

fn address() -> impl Strategy<Value = Address> {
    (0u32..1 << 20, 0u16..1 << 14, any::<bool>()).prop_map(|(base, step, counter)| Address {
        base,
        step,
        counter,
    })
}

fn padd() -> impl Strategy<Value = Instruction> {
    let operand = || {
        prop_oneof![
            Just(Operand::Zero),
            address().prop_map(Operand::Bucket),
            address().prop_map(Operand::Temp)
        ]
    };
    let destination = prop_oneof![
        Just(Operand::Output),
        address().prop_map(Operand::Bucket),
        address().prop_map(Operand::Temp)
    ];
    let stream = prop_oneof![Just(Operand::Input), Just(Operand::Conflict)];
    let plain = (operand(), operand(), destination).prop_filter("one bucket to read", |(left, right, _)| {
        !matches!((left, right), (Operand::Bucket(_), Operand::Bucket(_)))
    });
    let streamed = (address(), stream).prop_map(|(address, right)| {
        let bucket = Operand::Bucket(address);
        (bucket, right, bucket)
    });
    let any = prop_oneof![plain, streamed];
    (1u16..4096, any).prop_map(|(size, (left, right, destination))| {
        Instruction::Padd(Padd { size, left, right, destination })
    })
}

fn instruction() -> impl Strategy<Value = Instruction> {
    let jmp = (0..Condition::ALL.len(), 0u16..40)
        .prop_map(|(condition, target)| Instruction::Jmp { condition: Condition::ALL[condition], target });
    let set = (0u32..1 << 20).prop_map(Instruction::Set);
    let nop = (0u32..1 << 20).prop_map(Instruction::Nop);
    prop_oneof![padd(), jmp, set, nop]
}

proptest! {
    #[test]
    fn programs_survive_bytes_and_text(program in proptest::collection::vec(instruction(), 0..30)) {
        prop_assert_eq!(&from_bytes(&to_bytes(&program)).unwrap(), &program);
        let text = disassemble(&program);
        prop_assert_eq!(&assemble(&text).unwrap(), &program, "{}", text);
    }

    /// Any bits are an instruction or an error; valid bits are the only encoding of their instruction.
    #[test]
    fn any_bits(bits: u128, keep in 0u32..128) {
        for bits in [bits, bits & (u128::MAX >> keep)] {
            if let Ok(instruction) = Instruction::decode(bits) {
                prop_assert_eq!(instruction.encode(), bits);
                prop_assert!(instruction.check().is_ok());
            }
        }
    }

    /// No program makes the simulator panic.
    #[test]
    fn any_program(program in proptest::collection::vec(instruction(), 0..12)) {
        let mut hardware = model::<Parameters>(&[("window", "5")]).unwrap().hardware(10).unwrap();
        hardware.cycle_limit = 10_000;
        let scalars = uniform::<ark_bn254::Fr>(10, 1);
        let run = Pe::new(&hardware, &program, &[(); 10], &scalars, &Control::new(None, None, None)).unwrap().run();
        let ends = matches!(run, Ok(_) | Err(Error::Program { .. }));
        prop_assert!(ends);
    }

    #[test]
    fn any_text(text: String) {
        let _ = assemble(&text);
    }
}

#[test]
fn text_errors_name_the_line() {
    for (text, expected) in [
        ("nop 1\nadd 3", "line 2: unknown instruction \"add\""),
        ("jmp never, 3", "line 1: unknown condition \"never\""),
        ("jmp always, away", "line 1: unknown label away"),
        ("jmp always, 4096", "line 1: target"),
        ("nop 1048576", "line 1: number"),
        ("nop -1", "line 1: \"-1\": expected a number"),
        ("here:\nhere:", "line 2: label here again"),
        ("3:", "line 1: \"3\" is no label"),
        ("padd 0, zero, zero -> output", "line 1: size"),
        ("padd 1, zero, zero", "expected -> and a destination"),
        ("padd 1, input, zero -> output", "summand"),
        ("padd 1, zero, zero -> input", "destination"),
        ("padd 1, bucket[0, 4], input -> bucket[1, 4]", "input or conflict: expected the same bucket"),
        ("padd 1, bucket[1, 2, 3], zero -> output", "address [1, 2, 3]"),
        ("padd 1, temp[0, 16384], zero -> output", "address"),
        ("padd 1, bucket[0], bucket[1] -> output", "summands: expected no more than one bucket"),
        ("padd 1, heap[0], zero -> output", "unknown operand \"heap[0]\""),
    ] {
        let error = assemble(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
    assert!(from_bytes(&[0; 17]).unwrap_err().to_string().contains("17 bytes"));
    assert!(from_bytes(&[0; 16]).unwrap_err().to_string().contains("instruction 0: size"));
    // The largest number of instructions that jumps can reach.
    let longest = assemble(&"nop 1\n".repeat(MAX_INSTRUCTIONS)).unwrap();
    assert_eq!(from_bytes(&to_bytes(&longest)), Ok(longest.clone()));
    assert_eq!(assemble(&"nop 1\n".repeat(MAX_INSTRUCTIONS + 1)), Err(AssemblyError::TooLong));
    let longer = [to_bytes(&longest), to_bytes(&longest[..1])].concat();
    assert_eq!(from_bytes(&longer), Err(AssemblyError::TooLong));
    let labels: String = (0..=MAX_INSTRUCTIONS).map(|label| format!("a{label}:\n")).collect();
    let error = assemble(&labels).unwrap_err().to_string();
    assert_eq!(error, format!("line {}: expected at most 4096 labels", MAX_INSTRUCTIONS + 1));
}

/// Runs a text on a processing element with 51 windows of 5 bits. The only latency is the adder's 100 cycles.
fn run(text: &str, scalars: &[Scalar], settings: &[(&str, &str)]) -> Result<Counts, Error> {
    let settings = [&[("window", "5")], settings].concat();
    let hardware = model::<Parameters>(&settings)?.hardware(scalars.len())?;
    let program = assemble(text).unwrap();
    Pe::new(&hardware, &program, &vec![(); scalars.len()], scalars, &Control::new(None, None, None))?
        .run()
        .map(|(_, counts)| counts)
}

#[test]
fn a_jump_under_a_batch_costs_nothing() {
    let scalars = uniform::<ark_bn254::Fr>(1, 1);
    let cycles = |text: &str| run(text, &scalars, &[]).unwrap().cycles;
    let alone = cycles("padd 20, zero, zero -> temp[0, 1]\npadd 20, zero, zero -> temp[20, 1]");
    let jumps = "jmp always, a\na:\njmp conflict, a\njmp almost_full, a\n";
    let between =
        cycles(&format!("padd 20, zero, zero -> temp[0, 1]\n{jumps}padd 20, zero, zero -> temp[20, 1]"));
    assert_eq!(alone, between);
    // At the start of a program, each jump takes two cycles, and any other instruction one cycle.
    let before =
        cycles(&format!("{jumps}padd 20, zero, zero -> temp[0, 1]\npadd 20, zero, zero -> temp[20, 1]"));
    assert_eq!(before, alone + 6);
    // A batch of two additions is shorter than the jumps.
    assert!(
        cycles(&format!("padd 2, zero, zero -> temp[0, 1]\n{jumps}padd 2, zero, zero -> temp[20, 1]")) > 8
    );
}

#[test]
fn faults_are_found() {
    let scalars = vec![[0x21, 0, 0, 0]; 3];
    let fails = |text: &str, settings: &[(&str, &str)], expected: &str| {
        let error = run(text, &scalars, settings).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    };
    let dependent =
        |nop: u32| format!("padd 1, zero, zero -> temp[0]\nnop {nop}\npadd 1, temp[0], zero -> output");
    fails(
        &dependent(98),
        &[],
        "instruction 2, cycle 100: temp[0] is read before its sum is there: expected cycle 101",
    );
    assert!(run(&dependent(99), &scalars, &[]).is_ok());
    fails("padd 3, zero, temp[100, 1] -> output", &[], "temp[102] does not exist");
    fails("padd 1, zero, zero -> bucket[816]", &[], "bucket[816] does not exist");
    fails("padd 1, bucket[9999, 16], input -> bucket[9999, 16]", &[], "bucket[9999] does not exist");
    let point = "padd 51, bucket[0, 16], input -> bucket[0, 16]\n";
    assert!(run(&point.repeat(3), &scalars, &[]).is_ok());
    fails(&point.repeat(4), &[], "no point is left to come");
    fails("a:\njmp always, a", &[], "the program does not end");
    // Both digits of the second point conflict with the first point's digits, which are written before the third
    // point comes.
    let counts = run(&point.repeat(3), &scalars, &[]).unwrap();
    assert_eq!((counts.additions, counts.conflicts, counts.conflict_high_water), (4, 2, 2));
    let many = vec![[0x21, 0, 0, 0]; 300];
    let overflow =
        run(&point.repeat(300), &many, &[("latency", "9999"), ("conflict_depth", "400")]).unwrap_err();
    assert!(overflow.to_string().contains("the conflict FIFO is full"), "{overflow}");
}

#[test]
fn the_program_is_what_its_text_says() {
    let hardware = model::<Parameters>(&[]).unwrap().hardware(0).unwrap();
    let program = pippenger(&hardware).unwrap();
    assert_eq!(assemble(&disassemble(&program)).unwrap(), program);
    assert_eq!(from_bytes(&to_bytes(&program)).unwrap(), program);
    assert_eq!(program.len(), 23);
}

/// The program, read from its bytes, computes the windows' sums for any window width.
#[test]
fn the_program_computes() {
    let (points, scalars) = (points::<Config>(120, 4), uniform::<ark_bn254::Fr>(120, 5));
    let segmented = [(3, 2), (5, 4), (5, 8), (8, 64), (9, 4)];
    for (window, segments) in (2..=9u32).map(|window| (window, 1)).chain(segmented) {
        let parameters = Parameters { window, segments, card_buckets: 1 << 20, ..Parameters::default() };
        let hardware = parameters.hardware(points.len()).unwrap();
        let program = from_bytes(&to_bytes(&pippenger(&hardware).unwrap())).unwrap();
        let (sums, counts) = Pe::new(&hardware, &program, &points, &scalars, &Control::new(None, None, None))
            .unwrap()
            .run()
            .unwrap();
        let combined =
            sums.iter().rev().fold(Default::default(), |sum: ark_bn254::G1Projective, &window_sum| {
                (0..window).fold(sum, |sum, _| sum + sum) + window_sum
            });
        assert_eq!(combined.into_affine(), reference(&points, &scalars));
        assert_eq!(sums.len(), hardware.windows.count() as usize);
        assert!(
            counts.conflict_high_water
                <= u64::from(hardware.conflict_threshold + 2 * hardware.windows.count())
        );
    }
}
