//! Special points and scalars, waiting streams, resets, wrong input.

use ark_bn254::{Fq, Fr, G1Affine};
use ark_ec::AffineRepr;
use ark_ff::{Field, PrimeField};
use bucketwheel_hardware::msmac::assemble;
use bucketwheel_rtl::msmac::{End, Flow, CONTROL, START, STATUS};
use bucketwheel_rtl::{Bus, Inputs};
use num_bigint::BigUint;
use rand::Rng;

use super::{check_assertions, element, model, msm, msm_as_modelled, offer, uniform};
use crate::numbers::{random, Form};
use crate::pipeline::words;

#[test]
fn special_points_and_scalars() {
    let (points, scalars) = uniform(60);
    let (p, zero) = (points[0], G1Affine::zero());
    let window = element("msmac_pe").window();
    // Digits that are half of their range are the only digits with the last bucket's magnitude.
    let half = (0..254 / u64::from(window))
        .fold(Fr::from(0u32), |sum, w| sum + Fr::from(2u32).pow([(w + 1) * u64::from(window) - 1]));
    let one = Fr::from(1u32);
    let cases: Vec<(&str, Vec<G1Affine>, Vec<Fr>)> = vec![
        ("no point", vec![], vec![]),
        ("one point", vec![p], vec![scalars[0]]),
        ("equal scalars", points.clone(), vec![scalars[0]; 60]),
        ("zeros", points.clone(), vec![Fr::from(0u32); 60]),
        ("ones", points.clone(), vec![one; 60]),
        ("the largest", points.clone(), vec![-one; 60]),
        ("halves", points.clone(), [half, -half, half - one].repeat(20)),
        ("equal points", vec![p; 60], scalars.clone()),
        ("equal points and scalars", vec![p; 60], vec![scalars[0]; 60]),
        ("points that cancel", [p, -p].repeat(30), vec![scalars[0]; 60]),
        ("scalars that cancel", vec![p; 60], [scalars[0], -scalars[0]].repeat(30)),
        ("infinity", vec![zero; 5], scalars[..5].to_vec()),
        ("infinity now and then", [p, zero, points[1]].repeat(20), scalars.clone()),
    ];
    let mut element = element("msmac_pe");
    // Runs one task after the other, on the same RAMs.
    for (name, points, scalars) in cases {
        println!("{name}");
        msm_as_modelled(&mut element, &points, &scalars);
    }
    check_assertions(&mut element);
}

/// Streams that come or go in few cycles change the time, but not the sum.
#[test]
fn streams_that_wait() {
    let (points, scalars) = uniform(60);
    let mut element = element("msmac_pe");
    for (points_flow, scalars_flow, sums) in
        [(0.02, 1.0, 1.0), (1.0, 0.02, 1.0), (1.0, 1.0, 0.02), (0.1, 0.1, 0.1)]
    {
        element.flow = Flow { points: points_flow, scalars: scalars_flow, sums, point_cycles: 0 };
        msm(&mut element, &points, &scalars);
        let (counts, _) = element.counts().unwrap();
        assert!(counts.input_stalls > 0 || points_flow.min(scalars_flow) > 0.05, "{counts:?}");
    }
    // Points come at the model's pace, which is slower than the element's: the number of stalls is the same.
    element.flow = Flow { point_cycles: 70, ..Flow::FULL };
    let counts = msm_as_modelled(&mut element, &points, &scalars);
    assert!(counts.input_stalls > 500, "{counts:?}");
    // The RAMs are swept first, too: after a reset, and at the fifteenth start.
    element.reset().unwrap();
    for _ in 0..16 {
        msm_as_modelled(&mut element, &points[..4], &scalars[..4]);
    }
    check_assertions(&mut element);
}

/// Points of the next task may come before this task has ended; a batch waits for room in the output.
#[test]
fn tasks_in_advance() {
    let (points, scalars) = uniform(8);
    let mut element = element("msmac_pe");
    offer(&mut element, &points, &scalars);
    element.idle(100);
    msm(&mut element, &[], &[]);
    element.start(8).unwrap();
    assert_eq!(element.wait(100_000).unwrap(), End::Done);
    let (sums, counts) = model(&element, &points, &scalars).unwrap();
    assert_eq!(element.sums().unwrap(), sums);
    assert_eq!(element.counts().unwrap(), (counts, 0));

    let batch = "padd 51, zero, zero -> output\n";
    element.load(&assemble(&batch.repeat(3)).unwrap()).unwrap();
    element.flow.sums = 0.0;
    element.start(0).unwrap();
    assert_eq!(element.wait(2_000).unwrap(), End::Busy);
    assert!(element.sums().unwrap().is_empty());
    element.flow.sums = 0.3;
    assert_eq!(element.wait(2_000).unwrap(), End::Done);
    assert_eq!((element.sums().unwrap().len(), &element.lasts()[..]), (153, &[50, 101, 152][..]));
    let (counts, output_stalls) = element.counts().unwrap();
    assert!(output_stalls > 2_000 && counts.additions == 153, "{output_stalls}, {counts:?}");
    check_assertions(&mut element);
}

/// A reset in any phase drops the task, and the next task is right.
#[test]
fn resets() {
    let (points, scalars) = uniform(20);
    let mut rng = random();
    let mut element = element("msmac_pe");
    let cycles = msm_as_modelled(&mut element, &points, &scalars).cycles as u32;
    for i in 0..6 {
        offer(&mut element, &points, &scalars);
        element.start(points.len()).unwrap();
        element.idle(rng.gen_range(0..cycles));
        element.reset().unwrap();
        if i % 2 == 0 {
            // A reset by the pin clears the program and the registers' answers, too.
            element.bench().cycle(Inputs { reset: true, ..Inputs::default() });
            assert_eq!(element.read(STATUS).unwrap(), 0);
            let program = element.program.clone();
            element.load(&program).unwrap();
        }
        msm_as_modelled(&mut element, &points, &scalars);
    }
    check_assertions(&mut element);
}

/// Invalid values, and a `last` that is not with the last point.
#[test]
fn wrong_input() {
    const NO_INPUT: u32 = 4;
    const VALUE: u32 = 5;
    const LAST: u32 = 6;
    let (points, scalars) = uniform(3);
    let [x, y] = [points[0].x, points[0].y].map(|x| Form::Montgomery.encode(x));
    let good: BigUint = x + (y << 256);
    let scalar = BigUint::from(scalars[0].into_bigint());
    let prime = BigUint::from(Fq::MODULUS);
    let one = BigUint::from(1u32);
    let mut element = element("msmac_pe");
    let wrong = [
        (VALUE, prime.clone(), scalar.clone(), true),
        (VALUE, prime << 256, scalar.clone(), true),
        (VALUE, &one << 255, scalar.clone(), true),
        (VALUE, good.clone(), &one << 254, true),
        (VALUE, good.clone(), &one << 255, true),
        (LAST, good.clone(), scalar.clone(), false),
    ];
    for (code, point, scalar, last) in wrong {
        element.offer_words(&words(&point, 512), &words(&scalar, 256), last);
        element.start(1).unwrap();
        assert!(matches!(element.wait(10_000).unwrap(), End::Error(found, _) if found == code), "{code}");
        assert!(element.write(CONTROL, START).is_err(), "a start after an error");
        element.reset().unwrap();
    }
    // Two points after three were announced.
    offer(&mut element, &points[..2], &scalars[..2]);
    element.start(3).unwrap();
    assert!(matches!(element.wait(10_000).unwrap(), End::Error(LAST, _)));
    element.reset().unwrap();
    let padd = "padd 51, bucket[0, 16], input -> bucket[0, 16]\n";
    let pippenger = std::mem::take(&mut element.program);
    element.load(&assemble(&padd.repeat(2)).unwrap()).unwrap();
    offer(&mut element, &points[..1], &scalars[..1]);
    element.start(1).unwrap();
    assert_eq!(element.wait(10_000).unwrap(), End::Error(NO_INPUT, 1));
    element.reset().unwrap();
    element.load(&pippenger).unwrap();
    msm_as_modelled(&mut element, &points, &scalars);
    check_assertions(&mut element);
}
