//! Properties of the parsers of points, scalars, tables and profiles.

use ark_ec::short_weierstrass::Affine;
use bucketwheel::{
    match_curve, with_curve, BasesOptions, Check, Curve, CurveId, GroupId, Profile, ScalarWords, TableHeader,
};
use bucketwheel_formats::{
    decode, decode_points, decode_scalars, detect, encode, encode_points, encode_scalars, padding, Failure,
    FormatError, FormatId, Header, Kind, PointsFile, ScalarsFile, Section, Target, Wanted, HEADER_BYTES,
};

use crate::explains;

/// Checks the readers of both kinds of headers.
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

/// Checks the reader of a profile: a parsed profile's text has the same meaning when it is read again.
pub fn profile(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match text.parse::<Profile>() {
        Ok(profile) => assert_eq!(profile.to_string().parse(), Ok(profile)),
        Err(error) => explains(&error),
    }
}

/// Checks the reader of a points file.
pub fn points(bytes: &[u8]) {
    match PointsFile::parse(bytes) {
        Ok(file) => {
            macro_rules! one {
                ($group:ty) => {
                    points_of::<$group, $group>(&file, bytes)
                };
            }
            macro_rules! both {
                ($g1:ty, $g2:ty) => {
                    points_of::<$g1, $g2>(&file, bytes)
                };
            }
            match_curve!(file.curve, one, both).unwrap_or_else(|missing| explains(&missing));
        }
        Err(error) => explains(&error),
    }
}

fn points_of<C: Curve, D: Curve>(file: &PointsFile<'_>, bytes: &[u8]) {
    let (g1, g2) = (decoded::<C>(GroupId::G1, file.g1), decoded::<D>(GroupId::G2, file.g2));
    if let (Some(g1), Some(g2)) = (g1, g2) {
        assert_eq!(points_file(file.curve, file.group, &g1, &g2), bytes);
    }
}

/// Returns the points if all are canonical; otherwise the error must name the first that is not canonical.
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

/// Returns the bytes of a points file; a group that the file does not hold has no points.
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

/// Checks the reader of a file in a format, with any claim about its content.
pub fn format(id: FormatId, bytes: &[u8]) {
    if let Err(error) = detect(bytes, Wanted::default()) {
        explains(&error);
    }
    let sections: Vec<_> = Section::ALL.iter().map(|&section| Some(section)).chain([None]).collect();
    for &curve in CurveId::ALL.iter().filter(|curve| curve.check().is_ok()) {
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
    let size = body.codec.bytes(body.curve, body.group);
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
    // Some formats are read only. If no section is named, a damaged file may start with a section that is not written.
    // written.
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

/// Checks the reader of a scalars file.
pub fn scalars(bytes: &[u8]) {
    match ScalarsFile::parse(bytes) {
        Ok(file) => with_curve!(file.curve, GroupId::G1, C => {
            scalars_of::<<C as ark_ec::CurveConfig>::ScalarField>(&file, bytes)
        })
        .unwrap_or_else(|missing| explains(&missing)),
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

/// Checks the reader of a table file.
pub fn table(bytes: &[u8]) {
    let header = match TableHeader::parse(bytes) {
        Ok(header) => header,
        Err(error) => return explains(&error),
    };
    for &curve in CurveId::ALL.iter().filter(|curve| curve.check().is_ok()) {
        for &group in curve.groups().iter().filter(|&&group| group != GroupId::Pair) {
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
