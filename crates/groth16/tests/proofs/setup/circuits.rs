//! Random circuits with witnesses that satisfy them.

use std::io::Cursor;

use ark_ff::{BigInt, Field, PrimeField, UniformRand, Zero};
use bucketwheel_groth16::file::{write_r1cs, R1csHeader};
use bucketwheel_groth16::PairingCurve;
use rand_chacha::rand_core::RngCore;
use rand_chacha::ChaCha8Rng;

/// Size of a circuit.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub wires: usize,
    pub public: usize,
    pub constraints: usize,
    /// True if the witness consists of bits.
    pub bits: bool,
}

const fn shape(wires: usize, public: usize, constraints: usize) -> Shape {
    Shape { wires, public, constraints, bits: false }
}

/// Small numbers of everything, full domains and nearly empty ones, signals without a constraint.
pub const SHAPES: [Shape; 8] = [
    shape(2, 1, 1),
    shape(50, 3, 28),
    shape(20, 3, 29),
    shape(1, 0, 1),
    shape(30, 0, 15),
    shape(30, 29, 2),
    shape(200, 5, 3),
    shape(5, 2, 300),
];

/// Returns the bytes of an `.r1cs`, and a witness of uniform values or bits.
pub fn random<E: PairingCurve>(shape: Shape, rng: &mut ChaCha8Rng) -> (Vec<u8>, Vec<E::ScalarField>) {
    let mut witness = vec![E::ScalarField::ONE];
    witness.resize_with(shape.wires, || match shape.bits {
        true => E::ScalarField::from(rng.next_u32() % 2),
        false => E::ScalarField::rand(rng),
    });
    let constraints: Vec<[Vec<_>; 3]> = (0..shape.constraints)
        .map(|_| {
            let mut combination = || -> Vec<(u32, E::ScalarField)> {
                // A combination may have no terms, and a wire may occur twice.
                let terms = rng.next_u32() % 5;
                (0..terms).map(|_| (rng.next_u32() % shape.wires as u32, coefficient(rng))).collect()
            };
            let (a, b, mut c) = (combination(), combination(), combination());
            let value = |terms: &[(u32, E::ScalarField)]| {
                terms.iter().fold(E::ScalarField::zero(), |sum, (wire, c)| sum + witness[*wire as usize] * c)
            };
            // The constant makes the constraint hold.
            c.push((0, value(&a) * value(&b) - value(&c)));
            [a, b, c].map(|terms| terms.into_iter().map(|(wire, c)| (wire, c.into_bigint())).collect())
        })
        .collect();
    let header = R1csHeader {
        curve: E::ID,
        wires: shape.wires,
        outputs: shape.public / 2,
        public_inputs: shape.public - shape.public / 2,
        private_inputs: 0,
        labels: shape.wires as u64,
        constraints: shape.constraints,
    };
    let borrowed = constraints.iter().map(|[a, b, c]: &[Vec<(u32, BigInt<4>)>; 3]| [&a[..], b, c]);
    let bytes = write_r1cs(Cursor::new(Vec::new()), &header, borrowed).unwrap().into_inner();
    (bytes, witness)
}

fn coefficient<F: PrimeField>(rng: &mut ChaCha8Rng) -> F {
    match rng.next_u32() % 4 {
        0 => F::ONE,
        1 => -F::ONE,
        2 => F::from(rng.next_u32()),
        _ => F::rand(rng),
    }
}
