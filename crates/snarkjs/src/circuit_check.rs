//! Checks of a key against its circuit and the powers of tau that made it.
//!
//! With the names of `setup`, each section is a linear function of the matrices. A random combination of its points,
//! with coefficients rho, is then a combination of the Lagrange basis, with coefficients from the matrices:
//! `sum_s rho_s a_s = sum_i (sum_s rho_s A_is) L_i(tau)`. An inverse transform turns them into coefficients of the
//! powers of tau, whose points are in the `.ptau`. Pairings compare sections with a factor `1 / delta` or
//! `1 / gamma`.

use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, PrimeField};
use bucketwheel::{Backend, Cancel, Progress};
use bucketwheel_transform::{Ntt, Transform, TransformField};

use super::agreement::{coefficients, same_pairing, Work, IN_SUM};
use super::coefficients::COEFFICIENTS;
use super::ptau::Ptau;
use super::zkey::{A, B1, C, H, IC};
use super::{FileError, LinearCombination, Matrix, R1cs, Zkey};
use crate::{Error, KeyFault, PairingCurve};

/// Values of the combined columns of A, B and C on the domain. The constant and the public signals are apart from the
/// private signals.
struct Columns<F> {
    public: [Vec<F>; 3],
    private: [Vec<F>; 3],
}

impl<E: PairingCurve> Zkey<'_, E> {
    /// Checks that a key belongs to this circuit and these powers of tau: its counts, its matrices and all its
    /// sections. [`check_agreement`](Self::check_agreement) must hold for the key and [`Ptau::check_powers`] for the
    /// powers. A key that passes is the result of some contributions to phase 2. Costs some MSMs over the points of
    /// the key and the powers, on all threads of the current pool. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Key`] for the first fault; [`FileError::OtherCurve`]; [`Error::Transform`], [`Error::OutOfMemory`];
    /// the engine's errors, including cancellation.
    pub fn check_circuit(
        &self,
        circuit: &R1cs<'_>,
        ptau: &Ptau<'_, E>,
        cancel: &Cancel,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        self.check_counts(circuit, ptau)?;
        let (header, size) = (&self.header, self.header.domain_size);
        let fault = |section| -> Result<(), Error> { Err(KeyFault::Section { section }.into()) };

        let rho = coefficients::<E::ScalarField>(header.signals)?;
        let columns = self.columns(circuit, &rho);
        if !self.has_rows(&columns, &rho) {
            return fault(COEFFICIENTS);
        }
        let (first, private_rho) = rho.split_at(header.public + 1);
        let Columns { public, private } = columns;
        let log_size = size.ilog2();
        let transform = |values: [Vec<E::ScalarField>; 3]| -> Result<Vec<Vec<E::ScalarField>>, Error> {
            values.into_iter().map(|values| interpolate(values, log_size)).collect()
        };
        let (public, private) = (transform(public)?, transform(private)?);
        let both = |i: usize| -> Vec<E::ScalarField> {
            public[i].iter().zip(&private[i]).map(|(one, other)| *one + other).collect()
        };
        let points = 2 * header.signals + 8 * size + (header.signals + size) + 2 * size;
        let mut work = Work { cancel, progress, done: 0, total: IN_SUM * points };

        if work.sum(&self.a, 0, &rho)? != work.sum(&ptau.tau, 0, &both(0))? {
            return fault(A);
        }
        // `check_agreement` has compared the scalars of B2 with B1's.
        if work.sum(&self.b1, 0, &rho)? != work.sum(&ptau.tau, 0, &both(1))? {
            return fault(B1);
        }
        let one_g2 = E::G2Affine::generator();
        for (points, rho, columns, divisor, section) in [
            (&self.ic, first, &public, header.gamma_g2, IC),
            (&self.c, private_rho, &private, header.delta_g2, C),
        ] {
            let k = work.sum(&ptau.beta, 0, &columns[0])?
                + work.sum(&ptau.alpha, 0, &columns[1])?
                + work.sum(&ptau.tau, 0, &columns[2])?;
            if !same_pairing::<E>(work.sum(points, 0, rho)?, divisor, k, one_g2) {
                return fault(section);
            }
        }
        // The polynomials of degree below 2 n that are 1 in one odd point and 0 in all other odd points.
        let rho = coefficients::<E::ScalarField>(size)?;
        let mut values = vec![E::ScalarField::ZERO; 2 * size];
        rho.iter().zip(values.iter_mut().skip(1).step_by(2)).for_each(|(rho, value)| *value = *rho);
        let mut h = interpolate(values, log_size + 1)?;
        // For the largest domain of a `.ptau`, its last power is missing. snarkjs leaves out that term of H, because
        // the degree of `A B - C` is below 2 n - 1.
        h.truncate(ptau.tau.len());
        let expected = work.sum(&ptau.tau, 0, &h)?;
        match same_pairing::<E>(work.sum(&self.h, 0, &rho)?, header.delta_g2, expected, one_g2) {
            true => Ok(()),
            false => fault(H),
        }
    }

    fn check_counts(&self, circuit: &R1cs<'_>, ptau: &Ptau<'_, E>) -> Result<(), Error> {
        let (key, header) = (&self.header, &circuit.header);
        if header.curve != E::ID {
            return Err(FileError::OtherCurve { expected: E::ID, found: header.curve }.into());
        }
        let rows = header.constraints + header.public() + 1;
        let domain_size = rows.next_power_of_two().max(2);
        for (what, found, expected) in [
            ("signals", key.signals, header.wires),
            ("public signals", key.public, header.public()),
            ("elements in its domain", key.domain_size, domain_size),
        ] {
            if found != expected {
                return Err(KeyFault::Count { what, found, expected }.into());
            }
        }
        let log_size = key.domain_size.ilog2();
        if log_size > ptau.power {
            return Err(KeyFault::Power { found: ptau.power, expected: log_size }.into());
        }
        for (point, same) in [
            ("alpha1", key.alpha_g1 == ptau.alpha.get(0)),
            ("beta1", key.beta_g1 == ptau.beta.get(0)),
            ("beta2", key.beta_g2 == ptau.beta_g2.get(0)),
        ] {
            if !same {
                return Err(KeyFault::Secret { point }.into());
            }
        }
        Ok(())
    }

    /// Returns the combined columns of the circuit's matrices: the column of each signal times its rho. The rows
    /// behind the constraints have a 1 in A for the constant and each public signal.
    fn columns(&self, circuit: &R1cs<'_>, rho: &[E::ScalarField]) -> Columns<E::ScalarField> {
        let (size, public) = (self.header.domain_size, self.header.public);
        let zeros = || [(); 3].map(|()| vec![E::ScalarField::ZERO; size]);
        let mut columns = Columns { public: zeros(), private: zeros() };
        for (row, constraint) in circuit.constraints().enumerate() {
            for (i, terms) in [constraint.a, constraint.b, constraint.c].into_iter().enumerate() {
                let [of_public, of_private] = combine(terms, rho, public);
                columns.public[i][row] = of_public;
                columns.private[i][row] = of_private;
            }
        }
        for (row, rho) in (circuit.header.constraints..).zip(&rho[..=public]) {
            columns.public[0][row] = *rho;
        }
        columns
    }

    /// Returns true if the key's own matrices, which the prover uses, have the same combinations.
    fn has_rows(&self, columns: &Columns<E::ScalarField>, rho: &[E::ScalarField]) -> bool {
        let mut rows = [0, 1].map(|i| {
            let (public, private) = (&columns.public[i], &columns.private[i]);
            public.iter().zip(private).map(|(one, other)| *one + other).collect::<Vec<_>>()
        });
        for entry in self.coefficients.iter() {
            let of_matrix = &mut rows[usize::from(entry.matrix == Matrix::B)];
            of_matrix[entry.constraint as usize] -=
                entry.value::<E::ScalarField>() * rho[entry.signal as usize];
        }
        rows.iter().flatten().all(|rest| *rest == E::ScalarField::ZERO)
    }
}

/// Returns the sums of the terms' coefficients times their wires' rho: over wires up to `public`, and over the
/// others.
fn combine<F: PrimeField<BigInt = ark_ff::BigInt<4>>>(
    terms: LinearCombination<'_>,
    rho: &[F],
    public: usize,
) -> [F; 2] {
    let mut sums = [F::ZERO; 2];
    for (wire, coefficient) in terms.terms() {
        let value = F::from_bigint(coefficient).expect("the reader checked it");
        sums[usize::from(wire as usize > public)] += value * rho[wire as usize];
    }
    sums
}

/// Returns the coefficients of the polynomial with these values on snarkjs' domain of `2^log_size` elements.
fn interpolate<F: TransformField>(mut values: Vec<F>, log_size: u32) -> Result<Vec<F>, Error> {
    Ntt::new(log_size, Backend::detect())?.inverse(&mut values)?;
    Ok(values)
}
