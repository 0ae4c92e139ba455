//! Properties of every parser, for any bytes: no panic, and an error in one line that says what was expected. Parsed
//! content is written back to the same bytes.
//!
//! One function a parser. `fuzz.rs` beside this file calls them with a bounded number of damaged files, the targets
//! in `fuzz/` with the inputs of libFuzzer.

use std::fmt::Display;

use ark_ec::short_weierstrass::Affine;
use bucketwheel::{
    with_curve, BasesOptions, Cancel, Check, Curve, CurveId, GroupId, Profile, ScalarWords, TableHeader,
};
use bucketwheel_cli::args::formats::Operation;
use bucketwheel_cli::args::{Args, BenchCommand, Command, WitnessCommand, ZkeyCommand};
use bucketwheel_cli::commands::eip2537::{call, unhex};
use bucketwheel_cli::commands::msm::checkpoint::Checkpoint;
use bucketwheel_cli::format::{
    decode, decode_points, decode_scalars, detect, encode, encode_points, encode_scalars, padding, Failure,
    FormatError, FormatId, Header, Kind, PointsFile, ScalarsFile, Section, Target, Wanted, HEADER_BYTES,
};
use bucketwheel_cli::trusted_setup::{compress, Setup};
use bucketwheel_hardware::msmac::{assemble, disassemble, from_bytes, to_bytes};
use clap::Parser;

/// A header of either kind.
pub fn header(bytes: &[u8]) {
    for kind in [Kind::Points, Kind::Scalars] {
        match Header::parse(bytes, kind) {
            Ok((header, payload)) => {
                assert_eq!((header.kind(), payload), (kind, &bytes[HEADER_BYTES..]));
                assert_eq!(header.encode(), bytes[..HEADER_BYTES]);
            }
            Err(error) => explains(&error),
        }
    }
}

/// A checkpoint.
pub fn checkpoint(bytes: &[u8]) {
    match Checkpoint::decode(bytes) {
        Ok(checkpoint) => {
            assert_eq!(checkpoint.encode().unwrap(), bytes);
            let _ = checkpoint.sums();
        }
        Err(error) => explains(&error),
    }
}

/// A profile: if it parses, its text means the same again.
pub fn profile(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match text.parse::<Profile>() {
        Ok(profile) => assert_eq!(profile.to_string().parse(), Ok(profile)),
        Err(error) => explains(&error),
    }
}

/// A program of MSMAC, as text and as bytes.
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

/// A points file.
pub fn points(bytes: &[u8]) {
    match PointsFile::parse(bytes) {
        Ok(file) => match file.curve {
            CurveId::Bls12_381 => {
                points_of::<ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>(&file, bytes)
            }
            CurveId::Bls12_377 => {
                points_of::<ark_bls12_377::g1::Config, ark_bls12_377::g2::Config>(&file, bytes)
            }
            CurveId::Bn254 => points_of::<ark_bn254::g1::Config, ark_bn254::g2::Config>(&file, bytes),
            curve => with_curve!(curve, GroupId::G1, C => points_of::<C, C>(&file, bytes)).unwrap(),
        },
        Err(error) => explains(&error),
    }
}

fn points_of<C: Curve, D: Curve>(file: &PointsFile<'_>, bytes: &[u8]) {
    let (g1, g2) = (decoded::<C>(GroupId::G1, file.g1), decoded::<D>(GroupId::G2, file.g2));
    if let (Some(g1), Some(g2)) = (g1, g2) {
        assert_eq!(points_file(file.curve, file.group, &g1, &g2), bytes);
    }
}

/// The points, if all are canonical; otherwise the named one is the first that is not.
fn decoded<C: Curve>(group: GroupId, bytes: &[u8]) -> Option<Vec<Affine<C>>> {
    let error = match decode_points::<C>(group, bytes) {
        Ok(points) => return Some(points),
        Err(error) => error,
    };
    explains(&error);
    let FormatError::Coordinate { group: named, index } = error else { panic!("{error}") };
    let size = {
        let mut point = Vec::new();
        encode_points(&[Affine::<C>::identity()], &mut point).unwrap();
        point.len()
    };
    assert_eq!(named, group);
    assert!(decode_points::<C>(group, &bytes[..index * size]).is_ok());
    assert!(decode_points::<C>(group, &bytes[index * size..][..size]).is_err());
    None
}

/// The bytes of a points file; a group that it does not hold has no points.
pub fn points_file<C: Curve, D: Curve>(
    curve: CurveId,
    group: GroupId,
    g1: &[Affine<C>],
    g2: &[Affine<D>],
) -> Vec<u8> {
    let count = g1.len().max(g2.len()) as u64;
    let mut bytes = Header { curve, group: Some(group), count }.encode().to_vec();
    encode_points(g1, &mut bytes).unwrap();
    if group == GroupId::Pair {
        bytes.resize(bytes.len() + padding(curve, count), 0);
    }
    encode_points(g2, &mut bytes).unwrap();
    bytes
}

/// A file of points in a format, with any claim about its content.
pub fn format(id: FormatId, bytes: &[u8]) {
    if let Err(error) = detect(bytes, Wanted::default()) {
        explains(&error);
    }
    let sections: Vec<_> = Section::ALL.iter().map(|&section| Some(section)).chain([None]).collect();
    for &curve in CurveId::ALL {
        for group in [GroupId::G1, GroupId::G2] {
            for &section in &sections {
                let wanted = Wanted { curve: Some(curve), group: Some(group), section };
                with_curve!(curve, group, C => format_of::<C>(id, wanted, bytes)).unwrap();
            }
        }
    }
}

fn format_of<C: Curve>(id: FormatId, wanted: Wanted, bytes: &[u8]) {
    let format = id.format();
    let body = match format.open(bytes, wanted) {
        Ok(body) => body,
        Err(error) => return explains(&error),
    };
    let size = body.codec.bytes(body.group);
    assert_eq!((Some(body.curve), Some(body.group)), (wanted.curve, wanted.group));
    assert_eq!((body.count() * size, size), (body.bytes.len(), body.codec.point_bytes::<C>()));
    let points = match decode::<C>(&body.codec, &body.bytes, Check::Curve) {
        Ok(points) => points,
        Err(Failure::Point(index, reason)) => {
            explains(&reason);
            let (before, rest) = body.bytes.split_at(index * size);
            assert!(decode::<C>(&body.codec, before, Check::Curve).is_ok());
            let failure = decode::<C>(&body.codec, &rest[..size], Check::Curve);
            assert_eq!(failure, Err(Failure::Point(0, reason)));
            return;
        }
        Err(failure) => panic!("{failure:?}"),
    };
    let encoded = encode(&body.codec, &points).unwrap();
    assert_eq!(encoded, *body.bytes);
    let target =
        Target { curve: body.curve, group: body.group, section: wanted.section, count: points.len() as u64 };
    // Some formats are read only. Where no section is named, the first one that a damaged file still has may not be written.
    let Ok(mut written) = format.start(target) else {
        let is_read_only = !FormatId::WRITTEN.contains(&id);
        return assert!(is_read_only || wanted.section.is_none() && id == FormatId::Ptau);
    };
    written.extend(format.wrap(encoded, size).unwrap());
    if wanted.section.is_none() && ![FormatId::Ptau, FormatId::Kzg].contains(&id) && bytes.get(13) != Some(&3)
    {
        assert_eq!(written, bytes);
    }
    assert_eq!(format.open(&written, wanted), Ok(body));
}

/// The input of a precompile.
pub fn eip2537(bytes: &[u8]) {
    let Ok(input) = unhex(bytes) else { return };
    for operation in [Operation::G1Add, Operation::G2Add, Operation::G1Msm, Operation::G2Msm] {
        match call(operation, &input, &Cancel::new()) {
            Ok(output) => assert!([128, 256].contains(&output.len())),
            Err(error) => explains(&error),
        }
    }
}

/// A scalars file.
pub fn scalars(bytes: &[u8]) {
    match ScalarsFile::parse(bytes) {
        Ok(file) => with_curve!(file.curve, GroupId::G1, C => {
            scalars_of::<<C as ark_ec::CurveConfig>::ScalarField>(&file, bytes)
        })
        .unwrap(),
        Err(error) => explains(&error),
    }
}

fn scalars_of<F: ScalarWords>(file: &ScalarsFile<'_>, bytes: &[u8]) {
    match decode_scalars::<F>(file.payload) {
        Ok(scalars) => {
            let header = Header { curve: file.curve, group: None, count: file.count as u64 };
            let mut written = header.encode().to_vec();
            encode_scalars(&scalars, &mut written).unwrap();
            assert_eq!(written, bytes);
        }
        Err(error) => {
            explains(&error);
            let FormatError::Scalar { index } = error else { panic!("{error}") };
            assert!(decode_scalars::<F>(file.bytes(&(0..index))).is_ok());
            assert!(decode_scalars::<F>(file.bytes(&(index..index + 1))).is_err());
        }
    }
}

/// The text of Ethereum's trusted setup, as it is distributed.
pub const SETUP: &str = include_str!("../../data/trusted_setup.txt");

/// The points in the setups that [`setup`] expects.
pub const SETUP_POINTS: usize = 4;

/// The text of a trusted setup, of few points.
pub fn setup(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Setup::parse(text, SETUP_POINTS) {
        Ok(setup) => {
            let hexadecimal =
                |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            let words: Vec<String> = text.split_ascii_whitespace().map(str::to_ascii_lowercase).collect();
            assert_eq!(words[0].parse(), Ok(SETUP_POINTS));
            // Two bits, reversed.
            for (i, word) in [0, 2, 1, 3].into_iter().zip(&words[2..]) {
                assert_eq!(hexadecimal(&setup.compressed[i]), *word);
                let size = setup.points.len() / SETUP_POINTS;
                assert_eq!(hexadecimal(&compress(&setup.points[size * i..][..size]).unwrap()), *word);
            }
        }
        Err(error) => explains(&error),
    }
}

/// A table file.
pub fn table(bytes: &[u8]) {
    let header = match TableHeader::parse(bytes) {
        Ok(header) => header,
        Err(error) => return explains(&error),
    };
    for curve in [CurveId::Bls12_381, CurveId::Bls12_377, CurveId::Bn254] {
        for group in [GroupId::G1, GroupId::G2] {
            with_curve!(curve, group, C => {
                match BasesOptions::new().threads(1).load::<C>(bytes.to_vec()) {
                    Ok(bases) => {
                        let mut file = std::io::Cursor::new(Vec::new());
                        bases.write_table(&mut file).expect("memory is writable");
                        assert!(header.is_of::<C>() && file.into_inner() == bytes);
                    }
                    Err(error) => explains(&error),
                }
            })
            .unwrap();
        }
    }
}

/// A command line, its arguments separated by white space.
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
                assert!(!args.json || args.plot.is_none());
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
                // Either a command, or the arguments of `witness calculate`.
                assert!(args.what.is_some() != args.calculate.is_some());
                assert!(
                    !matches!(args.what, Some(WitnessCommand::Check(args)) if args.threads.number == Some(0))
                );
            }
            Command::Zkey(ZkeyCommand::Check(args)) => assert!(args.threads.number != Some(0)),
            // Only paths and switches, or values that the parser's own types ensure.
            _ => {}
        },
        Err(error) => assert!([0, 2].contains(&error.exit_code())),
    }
}

/// One line that says what was expected.
#[track_caller]
fn explains(error: &impl Display) {
    let message = error.to_string();
    assert!(message.contains("expected") && message.lines().count() == 1, "{message:?}");
}
