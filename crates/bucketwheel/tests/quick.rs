use ark_ec::{short_weierstrass::*, CurveGroup, VariableBaseMSM};
use ark_std::UniformRand;
use bucketwheel::*;
use rand::{rngs::StdRng, SeedableRng};
fn t<C: Curve>() {
    let mut rng = StdRng::seed_from_u64(3);
    for n in [0usize, 1, 2, 3, 100, 1000, 5000] {
        let p: Vec<Projective<C>> = (0..n).map(|_| Projective::rand(&mut rng)).collect();
        let p = Projective::normalize_batch(&p);
        let s: Vec<C::ScalarField> = (0..n).map(|_| UniformRand::rand(&mut rng)).collect();
        let e = Projective::<C>::msm(&p, &s).unwrap();
        for b in Backend::ALL {
            let bases = BasesOptions::new().backend(b).prepare(&p).unwrap();
            for th in [1, 2] {
                let r = Msm::new().threads(th).run(&bases, Scalars::Field(&s)).unwrap();
                assert_eq!(r, e, "{b} {n} {th}");
            }
        }
    }
}
#[test]
fn a() {
    t::<ark_bls12_381::g1::Config>();
}
#[test]
fn b() {
    t::<ark_bls12_377::g1::Config>();
}
#[test]
fn c() {
    t::<ark_bn254::g1::Config>();
}
#[test]
fn d() {
    t::<ark_bls12_381::g2::Config>();
}
#[test]
fn e() {
    t::<ark_bls12_377::g2::Config>();
}
#[test]
fn f() {
    t::<ark_bn254::g2::Config>();
}
