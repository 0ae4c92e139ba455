//! The quotient by definition: sums over all points.

use bucketwheel_groth16::ntt::TransformField;

/// `sum x[j] w^jk` for all k.
fn transform<F: TransformField>(x: &[F], w: F) -> Vec<F> {
    let value = |k: u64| {
        let point = w.pow([k]);
        x.iter().rev().fold(F::ZERO, |sum, x| sum * point + x)
    };
    (0..x.len() as u64).map(value).collect()
}

/// A B - C on the coset of the domain.
pub fn quotient<F: TransformField>(a: &[F], b: &[F]) -> Vec<F> {
    let log_size = a.len().ilog2();
    let root = F::root_of_unity(log_size);
    let scale = F::from(a.len() as u64).inverse().expect("a power of 2");
    let to_coset = |values: &[F]| {
        let mut coefficients = transform(values, root.inverse().expect("a root"));
        let mut power = scale;
        for coefficient in &mut coefficients {
            *coefficient *= power;
            power *= F::coset_shift(log_size);
        }
        transform(&coefficients, root)
    };
    let c: Vec<F> = a.iter().zip(b).map(|(a, b)| *a * b).collect();
    let [a, b, c] = [a, b, &c].map(to_coset);
    a.iter().zip(&b).zip(&c).map(|((a, b), c)| *a * b - c).collect()
}
