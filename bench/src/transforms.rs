//! The quotient of a Groth16 proof: six transforms and the work between them, beside the same quotient with the
//! transforms of arkworks and halo2curves. One thread.

use crate::args::TransformsArgs;
use crate::cell::Distribution;
use crate::files::write_atomically;
use crate::inputs::scalars;
use crate::machine;
use crate::stats::Spread;
use anyhow::{Context, Result, ensure};
use ark_ff::PrimeField;
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use bucketwheel::CurveId as Curve;
use bucketwheel_groth16::ntt::{Domain, TransformField, TransformOptions};
use halo2curves::bn256;
use halo2curves::ff::{Field, PrimeField as _};
use halo2curves::fft::best_fft;
use rayon::ThreadPoolBuilder;
use std::time::Instant;

/// Least number of repetitions, with any duration.
const FEWEST: usize = 3;

/// The size and the library of a row, and its milliseconds.
struct Row {
    curve: Curve,
    log_size: u32,
    library: String,
    ms: Spread,
    cycles: f64,
}

/// A library with its inputs. Computes the quotient, and returns the time without copying the inputs in place.
type Job<'a, F> = Box<dyn Fn() -> Result<(f64, Vec<F>)> + 'a>;

pub fn run(args: &TransformsArgs) -> Result<()> {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().context("cannot start a thread")?;
    pool.install(|| {
        let mut rows = Vec::new();
        print!("{HEAD}");
        for &curve in &args.curves {
            for &log_size in &args.log_sizes.0 {
                match curve {
                    Curve::Bls12_381 => {
                        size::<ark_bls12_381::Fr>(args, curve, log_size, |_, _| None, &mut rows)
                    }
                    Curve::Bn254 => size(args, curve, log_size, halo2curves_job, &mut rows),
                    _ => continue,
                }?;
            }
        }
        if let Some(folder) = &args.out {
            let title = format!("Medians and quartiles on {}.\n\n", machine::processor());
            let lines = rows.iter().map(markdown_row);
            let text: String = [title, HEAD.to_owned()].into_iter().chain(lines).collect();
            write_atomically(&folder.join("ntt.md"), text.as_bytes())?;
            write_atomically(&folder.join("ntt.csv"), csv(&rows).as_bytes())?;
        }
        println!("\n{}, core clock at the end: {:.2} GHz", machine::processor(), machine::core_ghz());
        Ok(())
    })
}

/// Measures all libraries in turn, on the same values, and compares their results.
fn size<F: TransformField>(
    args: &TransformsArgs,
    curve: Curve,
    log_size: u32,
    peer: impl for<'a> Fn(&'a [F], &'a [F]) -> Option<Job<'a, F>>,
    rows: &mut Vec<Row>,
) -> Result<()> {
    let values: Vec<F> = scalars::generate(Distribution::Uniform, 1, 2 << log_size);
    let (a, b) = values.split_at(1 << log_size);
    let mut jobs = Vec::new();
    for backend in args.backends() {
        let domain = Domain::new(log_size, backend)?;
        jobs.push((backend.to_string(), Box::new(move || bucketwheel(&domain, a, b)) as Job<F>));
    }
    jobs.extend(peer(a, b).map(|job| ("halo2curves".to_owned(), job)));
    jobs.push(("arkworks".to_owned(), Box::new(move || arkworks(a, b))));
    let expected = (jobs.last().expect("arkworks").1)()?.1;
    let mut times = vec![(Vec::new(), Vec::new()); jobs.len()];
    let start = Instant::now();
    while times[0].0.len() < FEWEST || start.elapsed().as_secs_f64() < args.seconds * jobs.len() as f64 {
        for ((library, job), (ms, cycles)) in jobs.iter().zip(&mut times) {
            let (seconds, found) = job()?;
            ensure!(found == expected, "{library} computes another quotient: {curve}, 2^{log_size}");
            ms.push(1e3 * seconds);
            cycles.push(1e9 * seconds * machine::core_ghz());
        }
    }
    for ((library, _), (ms, cycles)) in jobs.into_iter().zip(times) {
        let (ms, cycles) = (Spread::quartiles(ms), Spread::quartiles(cycles).median);
        let row = Row { curve, log_size, library, ms, cycles };
        print!("{}", markdown_row(&row));
        rows.push(row);
    }
    Ok(())
}

fn bucketwheel<F: TransformField>(domain: &Domain<F>, a: &[F], b: &[F]) -> Result<(f64, Vec<F>)> {
    let mut evaluations = domain.evaluations()?;
    for (mut elements, values) in evaluations.elements().into_iter().zip([a, b]) {
        for (i, value) in values.iter().enumerate() {
            *elements.at(i) = value.montgomery_words();
        }
    }
    let start = Instant::now();
    let quotient = evaluations.quotient(&TransformOptions::default())?;
    let seconds = start.elapsed().as_secs_f64();
    let integers = quotient.values.as_ref().iter().map(|&value| F::from_bigint(value));
    Ok((seconds, integers.collect::<Option<_>>().context("an integer is not reduced")?))
}

fn arkworks<F: TransformField>(a: &[F], b: &[F]) -> Result<(f64, Vec<F>)> {
    let mut domain = Radix2EvaluationDomain::<F>::new(a.len()).context("no domain")?;
    domain.group_gen = F::root_of_unity(a.len().ilog2());
    domain.group_gen_inv = domain.group_gen.inverse().context("no root")?;
    let shift = F::coset_shift(a.len().ilog2());
    let mut vectors = [a.to_vec(), b.to_vec(), vec![F::ZERO; a.len()]];
    let start = Instant::now();
    let [a, b, c] = &mut vectors;
    c.iter_mut().zip(a.iter().zip(b.iter())).for_each(|(c, (a, b))| *c = *a * b);
    for vector in &mut vectors {
        domain.ifft_in_place(vector);
        Radix2EvaluationDomain::distribute_powers(vector, shift);
        domain.fft_in_place(vector);
    }
    let [a, b, c] = &mut vectors;
    a.iter_mut().zip(b.iter().zip(c.iter())).for_each(|(a, (b, c))| *a = *a * b - c);
    let integers: Vec<_> = a.iter().map(|x| x.into_bigint()).collect();
    let seconds = start.elapsed().as_secs_f64();
    Ok((seconds, integers.into_iter().filter_map(F::from_bigint).collect()))
}

type Element = bn256::Fr;

fn halo2curves_job<'a>(a: &'a [ark_bn254::Fr], b: &'a [ark_bn254::Fr]) -> Option<Job<'a, ark_bn254::Fr>> {
    let element = |x: &ark_bn254::Fr| {
        let mut repr = <Element as halo2curves::ff::PrimeField>::Repr::default();
        let words = x.into_bigint().0;
        repr.as_mut().chunks_exact_mut(8).zip(words).for_each(|(bytes, word)| {
            bytes.copy_from_slice(&word.to_le_bytes());
        });
        Element::from_repr(repr).into_option()
    };
    let log_size = a.len().ilog2();
    let root = element(&TransformField::root_of_unity(log_size))?;
    let shift = element(&TransformField::coset_shift(log_size))?;
    let (root_inverse, scale) =
        (root.invert().into_option()?, Element::from(a.len() as u64).invert().into_option()?);
    let [a, b] = [a, b].map(|values| values.iter().map(element).collect::<Option<Vec<_>>>());
    let (a, b) = (a?, b?);
    Some(Box::new(move || {
        let mut vectors = [a.clone(), b.clone(), vec![Element::ZERO; a.len()]];
        let start = Instant::now();
        let [a, b, c] = &mut vectors;
        c.iter_mut().zip(a.iter().zip(b.iter())).for_each(|(c, (a, b))| *c = a * b);
        for vector in &mut vectors {
            best_fft(vector, root_inverse, log_size);
            let mut power = scale;
            for x in vector.iter_mut() {
                *x *= power;
                power *= shift;
            }
            best_fft(vector, root, log_size);
        }
        let [a, b, c] = &mut vectors;
        a.iter_mut().zip(b.iter().zip(c.iter())).for_each(|(a, (b, c))| *a = *a * b - c);
        let integers: Vec<_> = a.iter().map(|x| x.to_repr()).collect();
        let seconds = start.elapsed().as_secs_f64();
        let found = integers.iter().map(|repr| ark_bn254::Fr::from_le_bytes_mod_order(repr.as_ref()));
        Ok((seconds, found.collect()))
    }))
}

/// Returns the number of butterflies of the six transforms.
fn butterflies(log_size: u32) -> f64 {
    6.0 * f64::from(log_size) * (1u64 << log_size) as f64 / 2.0
}

const HEAD: &str = "\
| curve     | size | library     |       ms |           quartiles | ns per butterfly |  cycles |\n\
|:----------|-----:|:------------|---------:|--------------------:|-----------------:|--------:|\n";

fn markdown_row(row: &Row) -> String {
    let Row { curve, log_size, library, ms, cycles } = row;
    let count = butterflies(*log_size);
    format!(
        "| {curve:<9} | 2^{log_size:<2} | {library:<11} | {:>8.3} | {:>8.3} - {:>8.3} | {:>16.2} | {:>7.1} |\n",
        ms.median,
        ms.low,
        ms.high,
        1e6 * ms.median / count,
        cycles / count,
    )
}

fn csv(rows: &[Row]) -> String {
    let mut text =
        "curve,log_size,library,median_ms,quartile1_ms,quartile3_ms,ns_per_butterfly,cycles_per_butterfly\n"
            .to_owned();
    for Row { curve, log_size, library, ms, cycles } in rows {
        let count = butterflies(*log_size);
        text += &format!(
            "{curve},{log_size},{library},{:.4},{:.4},{:.4},{:.3},{:.2}\n",
            ms.median,
            ms.low,
            ms.high,
            1e6 * ms.median / count,
            cycles / count
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use bucketwheel::Backend;

    use super::*;

    #[test]
    fn all_compute_the_same_quotient() {
        let values: Vec<ark_bn254::Fr> = scalars::generate(Distribution::Uniform, 1, 64);
        let (a, b) = values.split_at(32);
        let expected = arkworks(a, b).unwrap().1;
        assert_eq!(halo2curves_job(a, b).unwrap()().unwrap().1, expected);
        let domain = Domain::new(5, Backend::detect()).unwrap();
        assert_eq!(bucketwheel(&domain, a, b).unwrap().1, expected);
    }

    #[test]
    fn the_markdown_table_is_aligned() {
        let ms = Spread { median: 90.0, low: 80.0, high: 110.0 };
        let row = Row { curve: Curve::Bn254, log_size: 12, library: "arkworks".to_owned(), ms, cycles: 3e8 };
        let text = HEAD.to_owned() + &markdown_row(&row);
        let lines: Vec<_> = text.lines().collect();
        assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{text}");
    }
}
