//! Properties of the parsers of the command.

use bucketwheel::Cancel;
use bucketwheel_cli::args::formats::Operation;
use bucketwheel_cli::args::{Args, BenchCommand, Command, WitnessCommand, ZkeyCommand};
use bucketwheel_cli::commands::eip2537::{call, unhex};
use bucketwheel_cli::commands::msm::checkpoint::Checkpoint;
use bucketwheel_cli::trusted_setup::{compress, Setup};
use bucketwheel_hardware::msmac::{assemble, disassemble, from_bytes, to_bytes};
use clap::Parser;

use crate::explains;

/// Checks the parser of checkpoints.
pub fn checkpoint(bytes: &[u8]) {
    match Checkpoint::decode(bytes) {
        Ok(checkpoint) => {
            assert_eq!(checkpoint.encode().unwrap(), bytes);
            let _ = checkpoint.sums();
        }
        Err(error) => explains(&error),
    }
}

/// Checks the parsers of a program of MSMAC, as text and as bytes.
pub fn program(bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).ok().map(assemble);
    for program in text.into_iter().chain([from_bytes(bytes)]) {
        match program {
            Ok(program) => {
                assert_eq!(assemble(&disassemble(&program)).as_ref(), Ok(&program));
                assert_eq!(from_bytes(&to_bytes(&program)), Ok(program));
            }
            Err(error) => explains(&error),
        }
    }
}

/// Returns inputs of EIP-2537's own vectors, in hexadecimal: additions in G1 and multiplications in G2.
pub fn precompile_inputs() -> Vec<Vec<u8>> {
    let vectors = [
        include_str!("../../cli/tests/cli/eip2537/add_G1_bls.json"),
        include_str!("../../cli/tests/cli/eip2537/mul_G2_bls.json"),
    ];
    let input = |line: &str| {
        Some(line.trim().strip_prefix("\"Input\": \"")?.strip_suffix("\",")?.as_bytes().to_vec())
    };
    vectors.iter().flat_map(|vectors| vectors.lines()).filter_map(input).collect()
}

/// Checks the parser of the precompiles' inputs.
pub fn eip2537(bytes: &[u8]) {
    let Ok(input) = unhex(bytes) else { return };
    for operation in [Operation::G1Add, Operation::G2Add, Operation::G1Msm, Operation::G2Msm] {
        match call(operation, &input, &Cancel::new()) {
            Ok(output) => assert!([128, 256].contains(&output.len())),
            Err(error) => explains(&error),
        }
    }
}

/// Ethereum's trusted setup, as the distributed text.
pub const SETUP: &str = include_str!("../../cli/data/trusted_setup.txt");

/// Number of points in the setups that [`setup`] expects.
pub const SETUP_POINTS: usize = 4;

/// Checks the parser of a trusted setup, for a text of few points.
pub fn setup(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Setup::parse(text, SETUP_POINTS) {
        Ok(setup) => {
            let hexadecimal =
                |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            let words: Vec<String> = text.split_ascii_whitespace().map(str::to_ascii_lowercase).collect();
            assert_eq!(words[0].parse(), Ok(SETUP_POINTS));
            // Indices of two bits in reverse.
            for (i, word) in [0, 2, 1, 3].into_iter().zip(&words[2..]) {
                assert_eq!(hexadecimal(&setup.compressed[i]), *word);
                let size = setup.points.len() / SETUP_POINTS;
                assert_eq!(hexadecimal(&compress(&setup.points[size * i..][..size]).unwrap()), *word);
            }
        }
        Err(error) => explains(&error),
    }
}

/// Checks the parser of a command line, whose arguments are separated by white space.
pub fn arguments(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Args::try_parse_from(std::iter::once("bucketwheel").chain(text.split_whitespace())) {
        Ok(args) => match args.command {
            Command::Generate(args) => assert!(args.count() <= 1 << 40 && args.threads.number != Some(0)),
            Command::Bench(BenchCommand::Table(args)) => {
                assert!(args.log_size <= 29 && args.repetitions > 0 && !args.copies.contains(&0));
            }
            Command::Bench(BenchCommand::Msm(args)) => {
                let sizes = args.grid.log_sizes.0;
                assert!(!sizes.is_empty() && *sizes.end() <= 29 && args.repetitions > 0);
                assert!(!args.grid.threads.contains(&0));
            }
            Command::Compare(args) => {
                let sizes = args.grid.log_sizes.0;
                assert!(!sizes.is_empty() && *sizes.end() <= 29 && args.repetitions > 0);
                assert!(!args.grid.threads.contains(&0));
            }
            Command::Schedule(args) => {
                assert!(args.points.0 <= 1 << 29 && args.batch > 0 && args.lanes > 0);
                assert!(args.distinct != Some(0));
            }
            Command::Table(args) => assert!(args.copies > 0 && args.threads.number != Some(0)),
            Command::Demo(args) => assert!(args.log_size <= 24),
            Command::Msm(args) => {
                let windows = bucketwheel::MIN_WINDOW..=bucketwheel::MAX_WINDOW;
                assert!(
                    !args.scalars.is_empty() && args.window.is_none_or(|window| windows.contains(&window))
                );
            }
            Command::Prove(args) => assert!(args.threads.number != Some(0)),
            Command::Convert(args) => assert!(args.threads.number != Some(0)),
            Command::Check(args) => assert!(args.threads.number != Some(0)),
            Command::Witness(args) => {
                // The arguments are either a command, or the arguments of `witness calculate`.
                assert!(args.what.is_some() != args.calculate.is_some());
                assert!(
                    !matches!(args.what, Some(WitnessCommand::Check(args)) if args.threads.number == Some(0))
                );
            }
            Command::Zkey(ZkeyCommand::Check(args)) => assert!(args.threads.number != Some(0)),
            // Other commands have only paths and switches, or values that the parser's types guarantee.
            _ => {}
        },
        Err(error) => assert!([0, 2].contains(&error.exit_code())),
    }
}
