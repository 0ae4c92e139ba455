//! Transforms and the quotient on every backend, beside their definition and beside arkworks' transforms.

use ark_ff::FftField;
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use bucketwheel::{Backend, Cancel};
use bucketwheel_transform::{Domain, Error, Naive, Ntt, Transform, TransformField, TransformOptions, Way};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Returns values that carry and borrow, and random values.
fn values<F: TransformField>(count: usize, rng: &mut StdRng) -> Vec<F> {
    let minus_one = F::MODULUS_MINUS_ONE_DIV_TWO;
    let extremes = [F::ZERO, F::ONE, -F::ONE, F::from_bigint(minus_one).expect("reduced")];
    let value = |_| match rng.gen_range(0..4) {
        0 => extremes[rng.gen_range(0..extremes.len())],
        _ => F::rand(rng),
    };
    (0..count).map(value).collect()
}

/// Returns arkworks' domain, with snarkjs' root of unity.
fn domain<F: TransformField>(log_size: u32) -> Radix2EvaluationDomain<F> {
    let mut domain = Radix2EvaluationDomain::new(1 << log_size).expect("a domain");
    domain.group_gen = F::root_of_unity(log_size);
    domain.group_gen_inv = domain.group_gen.inverse().expect("a root");
    domain
}

/// Returns the quotient by other transforms: A B - C on the coset.
fn by_transforms<F: TransformField>(transforms: &impl Transform<F>, a: &[F], b: &[F]) -> Vec<F> {
    let c: Vec<F> = a.iter().zip(b).map(|(a, b)| *a * b).collect();
    let [a, b, c] = [a, b, &c].map(|values| {
        let mut values = values.to_vec();
        transforms.inverse(&mut values).expect("nobody cancels");
        transforms.coset_forward(&mut values).expect("nobody cancels");
        values
    });
    a.iter().zip(&b).zip(&c).map(|((a, b), c)| *a * b - c).collect()
}

/// Returns the quotient by arkworks' transforms.
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
    options: &TransformOptions,
) -> Result<Vec<F>, Error> {
    let mut evaluations = domain.evaluations().expect("memory");
    for (elements, values) in evaluations.elements().into_iter().zip([a, b]) {
        assert_eq!(elements.len(), values.len());
        // The values are written in two parts, in reverse order.
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
            // A is zero, or all of its coefficients are zero except one.
            let constant = a[0];
            a.fill(if log_size % 8 == 3 { F::ZERO } else { constant });
        }
        let expected = by_arkworks(&a, &b);
        if log_size <= 7 {
            assert_eq!(expected, by_transforms(&Naive::new(log_size).expect("a domain"), &a, &b));
        }
        for backend in backends() {
            if backend == Backend::Model && log_size > 11 {
                continue;
            }
            let domain = Domain::new(log_size, backend).expect("a domain");
            let found = quotient(&domain, [&a, &b], &TransformOptions::default()).expect("not cancelled");
            assert!(found == expected, "{backend}, 2^{log_size}");
        }
    }
}

/// Returns each direction of a transform by arkworks.
fn way_by_arkworks<F: TransformField>(way: Way, elements: &[F]) -> Vec<F> {
    let log_size = elements.len().ilog2();
    let domain = domain::<F>(log_size);
    let shift = F::coset_shift(log_size);
    let mut elements = elements.to_vec();
    match way {
        Way::Forward => domain.fft(&elements),
        Way::Inverse => domain.ifft(&elements),
        Way::CosetForward => {
            Radix2EvaluationDomain::distribute_powers(&mut elements, shift);
            domain.fft(&elements)
        }
        Way::CosetInverse => {
            let mut elements = domain.ifft(&elements);
            Radix2EvaluationDomain::distribute_powers(&mut elements, shift.inverse().expect("a shift"));
            elements
        }
    }
}

fn every_way<F: TransformField>() {
    let mut rng = StdRng::seed_from_u64(3);
    for log_size in 0..=14 {
        for way in Way::ALL {
            let elements = values::<F>(1 << log_size, &mut rng);
            let expected = way_by_arkworks(way, &elements);
            if log_size <= 7 {
                let mut found = elements.clone();
                let naive = Naive::new(log_size).expect("a domain");
                naive.transform(way, &mut found, &TransformOptions::default()).expect("nobody cancels");
                assert_eq!(found, expected, "{way:?}, 2^{log_size}");
            }
            for backend in backends().filter(|&backend| backend != Backend::Model || log_size <= 11) {
                let mut found = elements.clone();
                let ntt = Ntt::new(log_size, backend).expect("a domain");
                ntt.transform(way, &mut found, &TransformOptions::default()).expect("nobody cancels");
                assert!(found == expected, "{way:?}, {backend}, 2^{log_size}");
            }
        }
    }
}

#[test]
fn bn254() {
    every_size::<ark_bn254::Fr>();
    every_way::<ark_bn254::Fr>();
}

#[test]
fn bls12_381() {
    every_size::<ark_bls12_381::Fr>();
    every_way::<ark_bls12_381::Fr>();
}

#[cfg(feature = "bls12-377")]
#[test]
fn bls12_377() {
    every_size::<ark_bls12_377::Fr>();
    every_way::<ark_bls12_377::Fr>();
}

/// Words of another length, and on AVX2 sums of fewer terms.
#[cfg(feature = "bw6-761")]
#[test]
fn bw6_761() {
    every_size::<ark_bw6_761::Fr>();
    every_way::<ark_bw6_761::Fr>();
}

#[test]
fn other_roots_and_shifts() {
    let mut rng = StdRng::seed_from_u64(4);
    for log_size in [0, 3, 10] {
        // arkworks' root of this field differs from snarkjs'.
        let root = ark_bls12_381::Fr::get_root_of_unity(1 << log_size).expect("a root");
        let shift = ark_bls12_381::Fr::from(7);
        let mut elements = values(1 << log_size, &mut rng);
        let mut expected = elements.clone();
        let ntt = Ntt::with_root(log_size, Backend::detect(), root, shift).expect("a domain");
        let naive = Naive::with_root(log_size, root, shift).expect("a domain");
        for way in Way::ALL {
            ntt.transform(way, &mut elements, &TransformOptions::default()).expect("nobody cancels");
            naive.transform(way, &mut expected, &TransformOptions::default()).expect("nobody cancels");
            assert_eq!(elements, expected, "{way:?}, 2^{log_size}");
        }
    }
}

#[test]
fn what_is_no_domain_is_refused() {
    let [zero, one] = [0, 1].map(ark_bn254::Fr::from);
    let root = ark_bn254::Fr::root_of_unity(3);
    let with_root = |log_size, root, shift| {
        let ntt = Ntt::with_root(log_size, Backend::Portable, root, shift).map(drop);
        let naive = Naive::with_root(log_size, root, shift).map(drop);
        let quotient = Domain::with_root(log_size, Backend::Portable, root, shift).map(drop);
        [ntt, naive, quotient].map(|result| result.map_err(|error| error.to_string()))
    };
    for (log_size, root, shift) in
        [(2, root, one), (4, root, one), (3, zero, one), (3, one, one), (0, root, one), (3, root, zero)]
    {
        let message = format!(
            "no root and shift of a domain of 2^{log_size} elements: expected a root of unity of this order, and a \
             shift other than 0"
        );
        assert_eq!(with_root(log_size, root, shift), [(); 3].map(|()| Err(message.clone())));
    }
    assert_eq!(with_root(3, root, one), [(); 3].map(Ok));

    let ntt = Ntt::<ark_bn254::Fr>::new(3, Backend::Portable).expect("a domain");
    let message = ntt.forward(&mut [one; 7]).expect_err("too few elements").to_string();
    assert_eq!(message, "7 elements for a transform: expected 2^3, as many as the domain has points");
}

#[test]
fn several_threads_agree() {
    let mut rng = StdRng::seed_from_u64(2);
    let [a, b] = [(); 2].map(|()| values::<ark_bn254::Fr>(1 << 13, &mut rng));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
    let domain = Domain::new(13, Backend::detect()).expect("a domain");
    let [one, many] = [Some(1), None].map(|threads| {
        let options = TransformOptions { threads, ..Default::default() };
        pool.install(|| quotient(&domain, [&a, &b], &options)).expect("not cancelled")
    });
    assert_eq!(one, many);
    let ntt = Ntt::new(13, Backend::detect()).expect("a domain");
    let [one, many] = [Some(1), None].map(|threads| {
        let (options, mut elements) = (TransformOptions { threads, ..Default::default() }, a.clone());
        pool.install(|| ntt.transform(Way::CosetForward, &mut elements, &options)).expect("not cancelled");
        elements
    });
    assert_eq!(one, many);
}

#[test]
fn can_be_cancelled() {
    let cancel = Cancel::new();
    cancel.cancel();
    let domain = Domain::<ark_bn254::Fr>::new(10, Backend::Portable).expect("a domain");
    let options = TransformOptions { cancel: Some(&cancel), ..Default::default() };
    let result = domain.evaluations().expect("memory").quotient(&options);
    assert!(matches!(result, Err(Error::Engine(bucketwheel::Error::Cancelled))));
    for log_size in [2, 10] {
        let mut elements = vec![ark_bn254::Fr::from(1); 1 << log_size];
        let ntt = Ntt::new(log_size, Backend::Portable).expect("a domain");
        let naive = Naive::new(log_size).expect("a domain");
        for result in [
            ntt.transform(Way::Forward, &mut elements, &options),
            naive.transform(Way::Forward, &mut elements, &options),
        ] {
            assert!(matches!(result, Err(Error::Engine(bucketwheel::Error::Cancelled))));
        }
    }
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
