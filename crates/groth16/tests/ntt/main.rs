//! The quotient on every backend beside its definition and beside arkworks' transforms.

mod reference;

use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use bucketwheel::{Backend, Cancel};
use bucketwheel_groth16::ntt::{Domain, QuotientOptions, TransformField};
use bucketwheel_groth16::Error;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Values that carry and borrow, and random ones.
fn values<F: TransformField>(count: usize, rng: &mut StdRng) -> Vec<F> {
    let minus_one = F::MODULUS_MINUS_ONE_DIV_TWO;
    let extremes = [F::ZERO, F::ONE, -F::ONE, F::from_bigint(minus_one).expect("reduced")];
    let value = |_| match rng.gen_range(0..4) {
        0 => extremes[rng.gen_range(0..extremes.len())],
        _ => F::rand(rng),
    };
    (0..count).map(value).collect()
}

/// arkworks' domain, with snarkjs' root of unity.
fn domain<F: TransformField>(log_size: u32) -> Radix2EvaluationDomain<F> {
    let mut domain = Radix2EvaluationDomain::new(1 << log_size).expect("a domain");
    domain.group_gen = F::root_of_unity(log_size);
    domain.group_gen_inv = domain.group_gen.inverse().expect("a root");
    domain
}

/// The same as [`reference::quotient`], by arkworks' transforms.
fn by_arkworks<F: TransformField>(a: &[F], b: &[F]) -> Vec<F> {
    let log_size = a.len().ilog2();
    let domain = domain::<F>(log_size);
    let c: Vec<F> = a.iter().zip(b).map(|(a, b)| *a * b).collect();
    let [a, b, c] = [a, b, &c].map(|values| {
        let mut values = domain.ifft(values);
        Radix2EvaluationDomain::distribute_powers(&mut values, F::coset_shift(log_size));
        domain.fft(&values)
    });
    a.iter().zip(&b).zip(&c).map(|((a, b), c)| *a * b - c).collect()
}

fn quotient<F: TransformField>(
    domain: &Domain<F>,
    [a, b]: [&[F]; 2],
    options: &QuotientOptions,
) -> Result<Vec<F>, Error> {
    let mut evaluations = domain.evaluations().expect("memory");
    for (elements, values) in evaluations.elements().into_iter().zip([a, b]) {
        assert_eq!(elements.len(), values.len());
        // In two parts, the second one first.
        let middle = values.len() / 3;
        let (mut left, mut right) = elements.split_at(middle);
        for i in (middle..values.len()).rev() {
            *right.at(i - middle) = values[i].montgomery_words();
        }
        for (i, value) in values[..middle].iter().enumerate() {
            *left.at(i) = value.montgomery_words();
        }
    }
    let quotient = evaluations.quotient(options)?;
    let integer = |&value| F::from_bigint(value).expect("canonical");
    Ok(quotient.values.as_ref().iter().map(integer).collect())
}

fn backends() -> impl Iterator<Item = Backend> {
    Backend::ALL.into_iter().filter(|backend| backend.is_supported())
}

fn every_size<F: TransformField>() {
    let mut rng = StdRng::seed_from_u64(1);
    for log_size in 0..=14 {
        let [mut a, b] = [(); 2].map(|()| values::<F>(1 << log_size, &mut rng));
        if log_size % 4 == 3 {
            // A is zero, or all of its coefficients are but one.
            let constant = a[0];
            a.fill(if log_size % 8 == 3 { F::ZERO } else { constant });
        }
        let expected = by_arkworks(&a, &b);
        if log_size <= 7 {
            assert_eq!(expected, reference::quotient(&a, &b));
        }
        for backend in backends() {
            if backend == Backend::Model && log_size > 11 {
                continue;
            }
            let domain = Domain::new(log_size, backend).expect("a domain");
            let found = quotient(&domain, [&a, &b], &QuotientOptions::default()).expect("not cancelled");
            assert!(found == expected, "{backend}, 2^{log_size}");
        }
    }
}

#[test]
fn bn254() {
    every_size::<ark_bn254::Fr>();
}

#[test]
fn bls12_381() {
    every_size::<ark_bls12_381::Fr>();
}

#[test]
fn several_threads_agree() {
    let mut rng = StdRng::seed_from_u64(2);
    let [a, b] = [(); 2].map(|()| values::<ark_bn254::Fr>(1 << 13, &mut rng));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
    let domain = Domain::new(13, Backend::detect()).expect("a domain");
    let [one, many] = [Some(1), None].map(|threads| {
        let options = QuotientOptions { threads, ..Default::default() };
        pool.install(|| quotient(&domain, [&a, &b], &options)).expect("not cancelled")
    });
    assert_eq!(one, many);
}

#[test]
fn can_be_cancelled() {
    let cancel = Cancel::new();
    cancel.cancel();
    let domain = Domain::<ark_bn254::Fr>::new(10, Backend::Portable).expect("a domain");
    let options = QuotientOptions { cancel: Some(&cancel), ..Default::default() };
    let result = domain.evaluations().expect("memory").quotient(&options);
    assert!(matches!(result, Err(Error::Engine(bucketwheel::Error::Cancelled))));
}

#[test]
fn no_domain_is_larger_than_the_field_allows() {
    let result = Domain::<ark_bn254::Fr>::new(29, Backend::Portable).map(|_| ());
    let message = result.expect_err("no such root").to_string();
    assert_eq!(message, "a domain of 2^29 elements: expected at most 2^28");
    let one = ark_bn254::Fr::from(1);
    for log_size in [29, 63, 64, u32::MAX] {
        let result = Domain::with_root(log_size, Backend::Portable, one, one).map(|_| ());
        assert!(matches!(result, Err(Error::Domain { max: 28, .. })), "2^{log_size}");
    }
}
