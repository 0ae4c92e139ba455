//! Proving keys as the prover reads them, wherever they lie.

use ark_ff::{BigInt, BigInteger};

use super::trace::Stage;
use crate::file::{Coefficient, Matrix, Montgomery, Zkey};
use crate::{Error, PairingCurve, VerifyingKey};

/// Convention by which a key was made from its circuit: the root of unity that spans the domain, and the form of the
/// points for the quotient `h = (a b - c) / z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// The root of the least integer that is not a square; points for the values of `a b - c` on the odd coset.
    Snarkjs,
    /// arkworks' root, which differs for BLS12-381; points for the coefficients of `h`.
    Arkworks,
}

/// Counts of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The length of the witness, the constant 1 included.
    pub signals: usize,
    /// Number of public signals, without the constant: signals 1 to this number.
    pub public: usize,
    /// The size of the domain, a power of two.
    pub domain_size: usize,
    /// The points for the quotient: at most the size of the domain.
    pub quotient: usize,
}

/// A proving key. Points are read one by one, as they are needed, so that a key may stay in its file.
pub trait ProvingKey<E: PairingCurve>: Sync {
    /// Convention of the key.
    const CONVENTION: Convention;

    /// Returns the counts. The [example](crate::Prover) uses it.
    fn counts(&self) -> Counts;

    /// Returns the verifying key of the proofs. The [example](crate) uses it.
    ///
    /// # Errors
    /// If a point of the verifying key is not in its group.
    fn verifying_key(&self) -> Result<VerifyingKey<E>, Error>;

    /// Returns the secrets beta and delta in G1. See the [example](crate::Prover).
    fn beta_delta_g1(&self) -> [E::G1Affine; 2];

    /// Computes `A_i(tau)` in G1 for signal i. See the [example](crate::Prover).
    fn a(&self, i: usize) -> E::G1Affine;

    /// Computes `B_i(tau)` in G1 for signal i. See the [example](crate::Prover).
    fn b1(&self, i: usize) -> E::G1Affine;

    /// Computes `B_i(tau)` in G2 for signal i. See the [example](crate::Prover).
    fn b2(&self, i: usize) -> E::G2Affine;

    /// Computes `(beta A_i(tau) + alpha B_i(tau) + C_i(tau)) / delta` for private signal i, counted from the first
    /// private signal. See the [example](crate::Prover).
    fn c(&self, i: usize) -> E::G1Affine;

    /// Returns point i for the quotient. See the [example](crate::Prover).
    fn h(&self, i: usize) -> E::G1Affine;

    /// Adds `(A w)_i` and `(B w)_i` to `a[i - first]` and `b[i - first]`, for each element of these slices. No other
    /// call has the same rows at the same time. The witness w consists of canonical integers.
    /// See the [example](crate::Prover).
    fn evaluate(&self, first: usize, w: &[BigInt<4>], a: &mut [E::ScalarField], b: &mut [E::ScalarField]);

    /// Learns that a stage has read its part of the key, or of a pass over it: the rows' entries, or the points of a sum.
    /// See the [example](crate::Prover).
    fn release(&self, _stage: Stage) {}
}

impl<E: PairingCurve> ProvingKey<E> for Zkey<'_, E> {
    const CONVENTION: Convention = Convention::Snarkjs;

    fn counts(&self) -> Counts {
        let header = &self.header;
        Counts {
            signals: header.signals,
            public: header.public,
            domain_size: header.domain_size,
            quotient: self.h.len(),
        }
    }

    fn verifying_key(&self) -> Result<VerifyingKey<E>, Error> {
        Ok(Zkey::verifying_key(self)?)
    }

    fn beta_delta_g1(&self) -> [E::G1Affine; 2] {
        [self.header.beta_g1, self.header.delta_g1]
    }

    fn a(&self, i: usize) -> E::G1Affine {
        self.a.get(i)
    }

    fn b1(&self, i: usize) -> E::G1Affine {
        self.b1.get(i)
    }

    fn b2(&self, i: usize) -> E::G2Affine {
        self.b2.get(i)
    }

    fn c(&self, i: usize) -> E::G1Affine {
        self.c.get(i)
    }

    fn h(&self, i: usize) -> E::G1Affine {
        self.h.get(i)
    }

    fn evaluate(&self, first: usize, w: &[BigInt<4>], a: &mut [E::ScalarField], b: &mut [E::ScalarField]) {
        let rows = first..first + a.len();
        let factor = |words: &[u64; 4]| E::ScalarField::from_montgomery_words(words);
        let add = |entry: Coefficient| {
            let value = w[entry.signal as usize];
            if !value.is_zero() {
                let row = entry.constraint as usize - first;
                // (v R^2) w / R: the product's Montgomery form.
                let product = factor(&entry.scaled) * factor(&value.0);
                match entry.matrix {
                    Matrix::A => a[row] += product,
                    Matrix::B => b[row] += product,
                }
            }
        };
        self.coefficients.rows(rows).for_each(add);
    }

    fn release(&self, stage: Stage) {
        let parts: &[&[u8]] = match stage {
            Stage::Rows => &[self.coefficients.bytes()],
            Stage::A => &[self.a.bytes()],
            Stage::B => &[self.b1.bytes(), self.b2.bytes()],
            Stage::C => &[self.c.bytes()],
            Stage::H => &[self.h.bytes()],
            _ => &[],
        };
        parts.iter().for_each(|part| Zkey::release(self, part));
    }
}
