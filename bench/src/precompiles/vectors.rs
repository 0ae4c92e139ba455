//! The calls: EIP-2537's own vectors, and sums over more pairs than these have.

use crate::cell::Distribution;
use crate::inputs::{encoding, points, scalars};
use anyhow::{Context, Result};
use ark_ec::VariableBaseMSM;
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::PrimeField;
use serde::Deserialize;

/// Calls of one precompile with the same number of pairs.
pub struct Cell {
    pub precompile: String,
    pub pairs: usize,
    pub calls: Vec<Call>,
}

/// A call, in hexadecimal.
pub struct Call {
    pub name: String,
    pub input: String,
    pub output: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Vector {
    name: String,
    input: String,
    expected: String,
}

/// Numbers of pairs of the sums that are made here.
const MADE: [usize; 5] = [2, 8, 32, 64, 128];
/// Bytes of a coordinate: 16 zeros, and 48 of the field's integer.
const PADDED: usize = 64;

macro_rules! vectors {
    ($name:literal) => {
        include_str!(concat!("../../../crates/cli/tests/cli/eip2537/", $name, "_bls.json"))
    };
}

/// Returns all calls. A multiplication counts as a sum over one pair, as in EIP-2537.
pub fn cells() -> Result<Vec<Cell>> {
    let mut cells =
        vec![of_vectors("g1add", 2, vectors!("add_G1"))?, of_vectors("g1msm", 1, vectors!("mul_G1"))?];
    cells.extend(MADE.map(|pairs| made::<ark_bls12_381::g1::Config>("g1msm", pairs)));
    cells.push(of_vectors("g2add", 2, vectors!("add_G2"))?);
    cells.push(of_vectors("g2msm", 1, vectors!("mul_G2"))?);
    cells.extend(MADE.map(|pairs| made::<ark_bls12_381::g2::Config>("g2msm", pairs)));
    Ok(cells)
}

fn of_vectors(precompile: &str, pairs: usize, text: &str) -> Result<Cell> {
    let vectors: Vec<Vector> = serde_json::from_str(text).context("unreadable vectors")?;
    let calls =
        vectors.into_iter().map(|Vector { name, input, expected }| Call { name, input, output: expected });
    Ok(Cell { precompile: precompile.into(), pairs, calls: calls.collect() })
}

/// Returns a sum over random points with uniform scalars.
fn made<C: SWCurveConfig<ScalarField: PrimeField>>(precompile: &str, pairs: usize) -> Cell {
    let points = points::generate::<C>(1, pairs);
    let scalars: Vec<C::ScalarField> = scalars::generate(Distribution::Uniform, 1, pairs);
    let sum = ark_ec::short_weierstrass::Projective::<C>::msm(&points, &scalars).expect("equal lengths");
    let input: Vec<u8> = points
        .iter()
        .zip(&scalars)
        .flat_map(|(point, scalar)| {
            let scalar = encoding::encode_scalars(&[*scalar]);
            [padded(point), scalar.into_iter().rev().collect()].concat()
        })
        .collect();
    let call = Call {
        name: format!("{precompile} of {pairs} random pairs"),
        input: hex::encode(input),
        output: hex::encode(padded(&Affine::from(sum))),
    };
    Cell { precompile: precompile.into(), pairs, calls: vec![call] }
}

/// Returns a point as the precompiles have it: big-endian coordinates, each after 16 zeros.
fn padded<C: SWCurveConfig>(point: &Affine<C>) -> Vec<u8> {
    let coordinates = encoding::encode_points(&[*point]);
    let coordinate =
        |bytes: &[u8]| [vec![0; PADDED - bytes.len()], bytes.iter().rev().copied().collect()].concat();
    coordinates.chunks(48).flat_map(coordinate).collect()
}
