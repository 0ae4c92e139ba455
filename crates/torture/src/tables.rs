//! Tables of both groups in memory, as mapped keys have them, and `bw_bases_from_tables` of C reads them.

use std::io::Cursor;

use bucketwheel::{BasesOptions, CurveId, GroupId, Msm};
use bucketwheel_dynamic::{group, groups, AnyScalars, DynBases, File};
use bucketwheel_properties::explains;

/// The curves with both groups.
pub const CURVES: [CurveId; 3] = [CurveId::Bls12_381, CurveId::Bls12_377, CurveId::Bn254];

/// Alignment of a table that is used where it lies.
const ALIGN: usize = 64;

/// Returns two tables in one file: the length of the first, 8 bytes little-endian, then both.
pub fn join(first: &[u8], second: &[u8]) -> Vec<u8> {
    [&(first.len() as u64).to_le_bytes(), first, second].concat()
}

/// Checks that the pair of tables loads if each of them loads alone, and that its sums are theirs.
pub fn property(bytes: &[u8]) {
    let Some((len, tables)) = bytes.split_first_chunk::<8>() else { return };
    let len = usize::try_from(u64::from_le_bytes(*len)).unwrap_or(usize::MAX);
    let (first, second) = tables.split_at(len.min(tables.len()));
    for curve in CURVES {
        let alone = [(GroupId::G1, first), (GroupId::G2, second)].map(|(id, table)| {
            let bases = group(curve, id).expect("a group").load(options(), Aligned::boxed(table));
            bases.inspect(|bases| is_written_as(bases.as_ref(), table)).map_err(|error| explains(&error))
        });
        let tables = vec![Aligned::boxed(first), Aligned::boxed(second)];
        let pair = groups(curve, GroupId::Pair).expect("a pair").load_all(options(), tables);
        match (pair, alone) {
            (Ok(pair), [Ok(first), Ok(second)]) => {
                let scalars = |bases: &dyn DynBases| -> Vec<u8> {
                    (1..=bases.len() as u64).flat_map(|i| [i, 1, i, 0]).flat_map(u64::to_le_bytes).collect()
                };
                let run = |bases: &dyn DynBases| bases.run(Msm::new(), AnyScalars::integers(&scalars(bases)));
                match run(pair.as_ref()) {
                    Ok((sums, _)) => {
                        let [first, second] =
                            [first, second].map(|bases| run(bases.as_ref()).expect("the same scalars").0);
                        let expected = first.iter().chain(&second).map(|sum| &sum.integers);
                        assert!(sums.iter().map(|sum| &sum.integers).eq(expected));
                    }
                    Err(error) => {
                        explains(&error);
                        assert_ne!(first.len(), second.len());
                    }
                }
            }
            (Err(error), [first, second]) => {
                explains(&error.error);
                assert!(first.is_err() || second.is_err());
            }
            (Ok(_), _) => panic!("a damaged table of {curve} is loaded as one of a pair"),
        }
    }
}

fn options() -> BasesOptions<'static> {
    BasesOptions::new().threads(1)
}

fn is_written_as(bases: &dyn DynBases, table: &[u8]) {
    let mut file = Cursor::new(Vec::new());
    bases.write_table(&mut file).expect("memory is writable");
    assert_eq!(file.into_inner(), table);
}

/// Bytes at a multiple of [`ALIGN`].
struct Aligned {
    memory: Vec<u8>,
    start: usize,
}

impl Aligned {
    fn boxed(bytes: &[u8]) -> Box<dyn File> {
        let mut memory: Vec<u8> = Vec::with_capacity(bytes.len() + ALIGN);
        let start = memory.as_ptr().align_offset(ALIGN);
        memory.resize(start, 0);
        memory.extend_from_slice(bytes);
        Box::new(Aligned { memory, start })
    }
}

impl AsRef<[u8]> for Aligned {
    fn as_ref(&self) -> &[u8] {
        &self.memory[self.start..]
    }
}
