//! Keys for development: Groth16's set-up by a single party, who could forge proofs.
//!
//! The key follows all conventions of snarkjs. The constraints are rows of A, B and C. Behind them comes a row for the
//! constant and for each public signal, with a 1 of this signal in A. The domain `v^i` has n elements, the least power
//! of two that has room for all rows. The root w has `w^2 = v`. `L` is the Lagrange basis of a domain. The secrets tau,
//! alpha, beta and delta are random, and gamma = 1:
//!
//! ```text
//! A, B1, B2   a_s = sum_i A_is L_i(tau), and b_s likewise, for each signal s
//! IC          k_s = beta a_s + alpha b_s + c_s, for the constant and the public signals
//! C           k_s / delta, for the private ones
//! H           L_(2 i + 1)(tau) / delta in the domain w^j of 2 n elements, for each i < n
//! ```
//!
//! The values of `A B - C` on the odd coset `w^(2 i + 1)` are the scalars of H: `A B - C = h Z` has a degree below 2 n
//! and vanishes on the even points, so the values on the odd points determine `h(tau) Z(tau) / delta`.
//!
//! ```
//! # struct Silent;
//! # impl bucketwheel::Progress for Silent {
//! #     fn report(&self, _: usize, _: usize) {}
//! # }
//! use std::io::Cursor;
//!
//! use bucketwheel::Cancel;
//! use bucketwheel_groth16::file::{R1cs, Zkey};
//! use bucketwheel_groth16::{setup::Setup, Bn254};
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../snarkjs/tests/data/bn254");
//! let circuit = std::fs::read(format!("{folder}/power.r1cs"))?;
//! let setup = Setup::<Bn254>::new(R1cs::parse(&circuit)?)?;
//! let file = setup.write_zkey(Cursor::new(Vec::new()), &Cancel::new(), &Silent)?.into_inner();
//! assert!(Zkey::<Bn254>::parse(&file)?.verifying_key()?.alpha_g1 == setup.verifying_key().alpha_g1);
//!
//! // The key of a seed, for tests.
//! let key = |seed| Setup::<Bn254>::insecure_seed(R1cs::parse(&circuit)?, seed).map(|setup| setup.verifying_key().alpha_g1);
//! assert!(key(1)? == key(1)? && key(1)? != key(2)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fixed_base;
mod polynomials;

use std::io::{self, Seek, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use ark_ff::{Field, PrimeField, UniformRand, Zero};
use blake2::{Blake2b512, Digest};
use bucketwheel::{Cancel, Curve, Progress};
use rand::{CryptoRng, RngCore, SeedableRng};
use zeroize::{Zeroize, Zeroizing};

use crate::file::{
    Coefficient, Constraint, FileError, LinearCombination, Matrix, R1cs, ZkeyHeader, ZkeyWriter,
};
use crate::ntt::{self, TransformField};
use crate::{parallel, Error, PairingCurve, VerifyingKey};
use fixed_base::FixedBase;
use polynomials::{column_sums, lagrange};

/// Points that are computed before they are written.
const BLOCK: usize = 1 << 15;

/// Cost of one point over the extension, in points over the prime field.
const G2_COST: usize = 3;

/// The secrets, with which anybody can forge proofs. They are wiped when dropped, and so are all scalars that are made of them.
#[derive(Zeroize)]
struct Secrets<F: Zeroize> {
    tau: F,
    alpha: F,
    beta: F,
    delta: F,
}

/// A key before its points are computed: all its scalars.
pub struct Setup<'a, E: PairingCurve> {
    circuit: R1cs<'a>,
    log_size: u32,
    secrets: Zeroizing<Secrets<E::ScalarField>>,
    a: Zeroizing<Vec<E::ScalarField>>,
    b: Zeroizing<Vec<E::ScalarField>>,
    /// Scalars of IC, then of C.
    k: Zeroizing<Vec<E::ScalarField>>,
}

impl<'a, E: PairingCurve<ScalarField: TransformField>> Setup<'a, E> {
    /// Draws the secrets from the operating system and evaluates the circuit's polynomials, on all threads of the
    /// current pool.
    ///
    /// Memory: three scalars for each wire, 96 bytes. The [example](crate::setup) uses it.
    ///
    /// # Errors
    /// [`ntt::Error::Domain`] if the circuit is too large for the field; [`FileError::OtherCurve`] if it is for another
    /// curve; [`Error::OutOfMemory`].
    pub fn new(circuit: R1cs<'a>) -> Result<Self, Error> {
        Self::draw(circuit, &mut rand::rngs::OsRng)
    }

    /// Makes a key from a seed. Anybody who knows the seed knows the secrets. For tests. The [example](crate::setup) uses it.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn insecure_seed(circuit: R1cs<'a>, seed: u64) -> Result<Self, Error> {
        Self::draw(circuit, &mut rand::rngs::StdRng::seed_from_u64(seed))
    }

    fn draw(circuit: R1cs<'a>, rng: &mut (impl RngCore + CryptoRng)) -> Result<Self, Error> {
        if circuit.header.curve != E::ID {
            return Err(FileError::OtherCurve { expected: E::ID, found: circuit.header.curve }.into());
        }
        let rows = circuit.header.constraints + circuit.header.public() + 1;
        // snarkjs has no domain of one element.
        let log_size = rows.next_power_of_two().trailing_zeros().max(1);
        // The domain of twice the size is needed, too.
        let max = <E::ScalarField as ark_ff::FftField>::TWO_ADICITY - 1;
        if log_size > max {
            return Err(ntt::Error::Domain { log_size, max }.into());
        }
        let mut draw = || loop {
            let secret = E::ScalarField::rand(rng);
            // A secret is neither zero nor an element of a domain.
            if !secret.is_zero() && secret.pow([2 << log_size]) != E::ScalarField::ONE {
                break secret;
            }
        };
        let secrets = Secrets { tau: draw(), alpha: draw(), beta: draw(), delta: draw() };
        Self::evaluate(circuit, log_size, Zeroizing::new(secrets))
    }

    fn evaluate(
        circuit: R1cs<'a>,
        log_size: u32,
        secrets: Zeroizing<Secrets<E::ScalarField>>,
    ) -> Result<Self, Error> {
        let (constraints, public) = (circuit.header.constraints, circuit.header.public());
        let root = E::ScalarField::root_of_unity(log_size);
        let rows = constraints + public + 1;
        let basis = lagrange(log_size, E::ScalarField::ONE, root, rows, secrets.tau)?;
        let sides: [for<'b> fn(Constraint<'b>) -> LinearCombination<'b>; 3] =
            [|row| row.a, |row| row.b, |row| row.c];
        let sums = parallel::map(sides.len(), |i| column_sums(&circuit, &basis, sides[i]));
        let sums = sums.into_iter().collect::<Result<Vec<_>, _>>()?;
        let [mut a, b, mut k] = <[_; 3]>::try_from(sums).expect("three sides");
        a.iter_mut().zip(&basis[constraints..]).for_each(|(a, row)| *a += row);
        let delta_inverse = Zeroizing::new(secrets.delta.inverse().expect("delta is not zero"));
        for (signal, (k, (a, b))) in k.iter_mut().zip(a.iter().zip(b.iter())).enumerate() {
            *k += secrets.beta * a + secrets.alpha * b;
            if signal > public {
                *k *= *delta_inverse;
            }
        }
        Ok(Setup { circuit, log_size, secrets, a, b, k })
    }

    /// Computes all points and writes the key, on all threads of the current pool. The [example](crate::setup) uses it.
    ///
    /// # Errors
    /// The output's errors; an error of the kind `Interrupted` if cancelled.
    pub fn write_zkey<W: Write + Seek>(
        &self,
        out: W,
        cancel: &Cancel,
        progress: &dyn Progress,
    ) -> io::Result<W> {
        let written =
            self.write(out, &Meter { cancel, progress, done: AtomicUsize::new(0), total: self.cost() });
        match cancel.is_cancelled() {
            true => Err(io::Error::from(io::ErrorKind::Interrupted)),
            false => written,
        }
    }

    /// Returns the verifying key of the key's proofs. The [example](crate::setup) uses it.
    pub fn verifying_key(&self) -> VerifyingKey<E> {
        let (ic, _) = self.k.split_at(self.circuit.header.public() + 1);
        let g1 = FixedBase::<E::G1Curve>::new(E::G1Affine::generator(), ic.len());
        let times = |secret| (E::G2Affine::generator() * secret).into();
        VerifyingKey {
            alpha_g1: g1.multiples(&[self.secrets.alpha])[0],
            beta_g2: times(self.secrets.beta),
            gamma_g2: E::G2Affine::generator(),
            delta_g2: times(self.secrets.delta),
            ic: g1.multiples(ic),
        }
    }

    /// Returns the cost of all points, in points over the prime field.
    fn cost(&self) -> usize {
        self.a.len() + self.b.len() * (1 + G2_COST) + self.k.len() + (1 << self.log_size)
    }

    fn write<W: Write + Seek>(&self, out: W, meter: &Meter<'_>) -> io::Result<W> {
        let header = &self.circuit.header;
        let domain_size = 1 << self.log_size;
        let g1 = FixedBase::<E::G1Curve>::new(E::G1Affine::generator(), header.wires * 3 + domain_size);
        let g2 = FixedBase::<E::G2Curve>::new(E::G2Affine::generator(), header.wires);
        let Secrets { tau, alpha, beta, delta } = &*self.secrets;
        let of_g1 = g1.multiples(&[*alpha, *beta, *delta]);
        let of_g2 = g2.multiples(&[*beta, *delta]);
        let mut key = ZkeyWriter::<W, E>::new(
            out,
            ZkeyHeader {
                signals: header.wires,
                public: header.public(),
                domain_size,
                alpha_g1: of_g1[0],
                beta_g1: of_g1[1],
                beta_g2: of_g2[0],
                gamma_g2: E::G2Affine::generator(),
                delta_g1: of_g1[2],
                delta_g2: of_g2[1],
            },
        )?;
        key.coefficients(self.coefficients())?;
        let (ic, c) = self.k.split_at(header.public() + 1);
        key.ic(meter.points(&g1, ic, 1))?;
        let root = E::ScalarField::root_of_unity(self.log_size + 1);
        let h = lagrange(self.log_size + 1, root, root.square(), domain_size, *tau);
        let mut h = h.map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        let delta_inverse = Zeroizing::new(delta.inverse().expect("delta is not zero"));
        h.iter_mut().for_each(|h| *h *= *delta_inverse);
        key.h(meter.points(&g1, &h, 1))?;
        key.c(meter.points(&g1, c, 1))?;
        key.a(meter.points(&g1, &self.a, 1))?;
        key.b1(meter.points(&g1, &self.b, 1))?;
        key.b2(meter.points(&g2, &self.b, G2_COST))?;
        key.finish(&self.circuit_hash())
    }

    /// Returns the entries of A and B by rows, then the rows of the constant and the public signals.
    fn coefficients(&self) -> impl Iterator<Item = Coefficient> + use<'a, '_, E> {
        let value = |integer| E::ScalarField::from_bigint(integer).expect("the reader checked it");
        let of_row = move |(row, constraint): (u32, Constraint<'a>)| {
            let of_matrix = move |matrix, terms: LinearCombination<'a>| {
                terms.terms().map(move |(signal, c)| Coefficient::new(matrix, row, signal, value(c)))
            };
            of_matrix(Matrix::A, constraint.a).chain(of_matrix(Matrix::B, constraint.b))
        };
        let first = self.circuit.header.constraints as u32;
        let public = (0..=self.circuit.header.public() as u32)
            .map(move |signal| Coefficient::new(Matrix::A, first + signal, signal, E::ScalarField::ONE));
        (0..).zip(self.circuit.constraints()).flat_map(of_row).chain(public)
    }

    /// Returns the hash that names the circuit in the key: BLAKE2b of its counts and constraints. (snarkjs uses the
    /// hash of the key before its first contribution, a state that this key never had.)
    fn circuit_hash(&self) -> [u8; 64] {
        let header = &self.circuit.header;
        let mut hasher = Blake2b512::new();
        for count in [header.wires, header.outputs, header.public_inputs, header.private_inputs] {
            hasher.update((count as u64).to_le_bytes());
        }
        hasher.update(self.circuit.constraint_bytes());
        hasher.finalize().into()
    }
}

/// Progress of a set-up.
struct Meter<'a> {
    cancel: &'a Cancel,
    progress: &'a dyn Progress,
    done: AtomicUsize,
    total: usize,
}

impl Meter<'_> {
    /// Returns the multiples of a point by these scalars, computed in blocks as they are taken. Ends early if cancelled.
    fn points<'s, G: Curve>(
        &'s self,
        base: &'s FixedBase<G>,
        scalars: &'s [G::ScalarField],
        cost: usize,
    ) -> impl Iterator<Item = Affine<G>> + 's {
        scalars.chunks(BLOCK).take_while(|_| !self.cancel.is_cancelled()).flat_map(move |scalars| {
            let points = base.multiples(scalars);
            let done = self.done.fetch_add(cost * scalars.len(), Ordering::Relaxed) + cost * scalars.len();
            self.progress.report(done.min(self.total), self.total);
            points
        })
    }
}
