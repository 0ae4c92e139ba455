//! Runs one operation on the lanes of a backend COUNT times, to count the instructions that it takes
//! (tools/instructions.sh):
//!
//! `operations BACKEND 761|381|377|315|254 mul|square|butterfly COUNT`

use std::hint::black_box;

use bucketwheel_lanes::{
    Backend, Bls12_377Fq, Bls12_381Fq, Bls24_315Fq, Bn254Fq, Bw6_761Fq, PrimeLanes, Task, Visitor,
};

struct Operations<'a> {
    name: &'a str,
    count: usize,
}

impl<W> Visitor<W> for Operations<'_> {
    type Output = ();

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) {
        lanes.vectorize(Loop { lanes, name: self.name, count: self.count });
    }
}

struct Loop<'a, L> {
    lanes: L,
    name: &'a str,
    count: usize,
}

impl<L: PrimeLanes> Task for Loop<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Loop { lanes, name, count } = self;
        let (mut x, y) = (black_box(lanes.one()), black_box(lanes.one()));
        let (mut a, mut b) = (lanes.lift(&x), lanes.lift(&y));
        match name {
            "mul" => (0..count).for_each(|_| lanes.mul(&y, L::as_factor(&y), &mut x)),
            "square" => (0..count).for_each(|_| lanes.square(&y, &mut x)),
            "butterfly" => (0..count).for_each(|_| lanes.sum_difference(&mut a, &mut b)),
            _ => panic!("{name}: expected mul, square or butterfly"),
        }
        black_box((x, a, b));
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [backend, field, name, count] = arguments.as_slice() else {
        panic!("expected BACKEND 761|381|377|315|254 mul|square|butterfly COUNT");
    };
    let backend: Backend = backend.parse().expect("a backend");
    let operations = Operations { name, count: count.parse().expect("a number") };
    let done = match field.as_str() {
        "761" => backend.visit::<Bw6_761Fq, _>(operations).is_ok(),
        "381" => backend.visit::<Bls12_381Fq, _>(operations).is_ok(),
        "377" => backend.visit::<Bls12_377Fq, _>(operations).is_ok(),
        "315" => backend.visit::<Bls24_315Fq, _>(operations).is_ok(),
        "254" => backend.visit::<Bn254Fq, _>(operations).is_ok(),
        _ => panic!("{field}: expected 761, 381, 377, 315 or 254"),
    };
    assert!(done, "this CPU lacks backend {backend}");
}
