//! Sums over few points in every group, by arkworks and by ours.

use std::hint::black_box;

use bytemuck::TransparentWrapper;

use crate::times::{median, timed};

/// A method that computes a sum or products, for one group of one version of arkworks.
pub struct Method {
    pub version: &'static str,
    pub group: &'static str,
    pub name: &'static str,
    /// Returns arkworks' time over ours, for a number of points and of interleaved runs.
    pub ratio: fn(usize, usize) -> f64,
}

/// Returns the ratio of two medians of interleaved runs.
fn ratio<T, U>(runs: usize, original: impl Fn() -> T, ours: impl Fn() -> U) -> f64 {
    let (mut original_times, mut our_times) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        black_box(timed(&mut original_times, || black_box(original())));
        black_box(timed(&mut our_times, || black_box(ours())));
    }
    median(&mut original_times) / median(&mut our_times)
}

/// Defines the methods of one version of arkworks: the names of its crates; its sums, with the conversion of a field element to a
/// scalar of the sum; `+ batch_mul` if it has products of one point; and its groups.
macro_rules! version {
    ($module:ident, $version:literal, $ec:ident, $ff:ident, $std:ident;
        $($method:ident: $convert:expr,)+ $(+ $products:ident)?;
        $($group:literal: $original:ty, $ours:ty,)+) => {
        pub mod $module {
            #[allow(unused_imports)] // 0.4 has no products.
            use $ec::ScalarMul;
            use $ec::pairing::Pairing;
            use $ec::{CurveGroup, twisted_edwards};
            use $ff::UniformRand;
            use bucketwheel_ark::$module as ours;

            use super::*;

            $(fn $method<O, W>(len: usize, runs: usize) -> f64
            where
                O: CurveGroup,
                W: CurveGroup<ScalarField = O::ScalarField, Affine: TransparentWrapper<O::Affine>>,
            {
                let rng = &mut $std::test_rng();
                let points: Vec<_> = (0..len).map(|_| O::rand(rng).into_affine()).collect();
                let wrapped = W::Affine::wrap_slice(&points);
                let scalars: Vec<_> = (0..len).map(|_| ($convert)(O::ScalarField::rand(rng))).collect();
                ratio(runs, || O::$method(&points, &scalars), || W::$method(wrapped, &scalars))
            })+

            $(fn $products<O, W>(len: usize, runs: usize) -> f64
            where
                O: CurveGroup,
                W: CurveGroup<ScalarField = O::ScalarField>,
            {
                let rng = &mut $std::test_rng();
                let (original, ours) = (O::generator(), W::generator());
                let scalars: Vec<_> = (0..len).map(|_| O::ScalarField::rand(rng)).collect();
                ratio(runs, || original.$products(&scalars), || ours.$products(&scalars))
            })?

            fn group<O, W>(group: &'static str) -> Vec<Method>
            where
                O: CurveGroup,
                W: CurveGroup<ScalarField = O::ScalarField, Affine: TransparentWrapper<O::Affine>>,
            {
                let method = |name, ratio| Method { version: $version, group, name, ratio };
                vec![
                    $(method(stringify!($method), $method::<O, W>),)+
                    $(method(stringify!($products), $products::<O, W>))?
                ]
            }

            pub fn methods() -> Vec<Method> {
                [$(group::<$original, $ours>($group)),+].into_iter().flatten().collect()
            }
        }
    };
    // The groups that all versions have.
    ($module:ident, $version:literal, $ec:ident, $ff:ident, $std:ident, $bn254:ident, $bls12_381:ident, $bls12_377:ident,
        $bw6_761:ident, $pallas:ident, $vesta:ident, $jubjub:ident, $bandersnatch:ident; $($methods:tt)+) => {
        version!($module, $version, $ec, $ff, $std; $($methods)+;
            "BN254 G1": <$bn254::Bn254 as Pairing>::G1, <ours::Bn254 as Pairing>::G1,
            "BN254 G2": <$bn254::Bn254 as Pairing>::G2, <ours::Bn254 as Pairing>::G2,
            "BLS12-381 G1": <$bls12_381::Bls12_381 as Pairing>::G1, <ours::Bls12_381 as Pairing>::G1,
            "BLS12-381 G2": <$bls12_381::Bls12_381 as Pairing>::G2, <ours::Bls12_381 as Pairing>::G2,
            "BLS12-377 G1": <$bls12_377::Bls12_377 as Pairing>::G1, <ours::Bls12_377 as Pairing>::G1,
            "BLS12-377 G2": <$bls12_377::Bls12_377 as Pairing>::G2, <ours::Bls12_377 as Pairing>::G2,
            "BLS12-377 G1, Edwards": twisted_edwards::Projective<$bls12_377::g1::Config>,
                ours::edwards::Projective<$bls12_377::g1::Config>,
            "BW6-761 G1": <$bw6_761::BW6_761 as Pairing>::G1, <ours::BW6_761 as Pairing>::G1,
            "BW6-761 G2": <$bw6_761::BW6_761 as Pairing>::G2, <ours::BW6_761 as Pairing>::G2,
            "Pallas": $pallas::Projective, ours::Pallas,
            "Vesta": $vesta::Projective, ours::Vesta,
            "Jubjub": $jubjub::EdwardsProjective, ours::Jubjub,
            "Bandersnatch": $bandersnatch::EdwardsProjective, ours::Bandersnatch,
        );
    };
}

version!(
    v0_4, "0.4", ark_ec_0_4, ark_ff_0_4, ark_std_0_4, ark_bn254_0_4, ark_bls12_381_0_4, ark_bls12_377_0_4,
    ark_bw6_761_0_4, ark_pallas_0_4, ark_vesta_0_4, ark_ed_on_bls12_381_0_4, ark_ed_on_bls12_381_bandersnatch_0_4;
    msm_unchecked: |scalar| scalar,
);
version!(
    v0_5, "0.5", ark_ec_0_5, ark_ff_0_5, ark_std_0_5, ark_bn254_0_5, ark_bls12_381_0_5, ark_bls12_377_0_5,
    ark_bw6_761_0_5, ark_pallas_0_5, ark_vesta_0_5, ark_ed_on_bls12_381_0_5, ark_ed_on_bls12_381_bandersnatch_0_5;
    msm_unchecked: |scalar| scalar, + batch_mul
);
version!(
    v0_6, "0.6", ark_ec_0_6, ark_ff_0_6, ark_std_0_6, ark_bn254_0_6, ark_bls12_381_0_6, ark_bls12_377_0_6,
    ark_bw6_761_0_6, ark_pallas_0_6, ark_vesta_0_6, ark_ed_on_bls12_381_0_6, ark_ed_on_bls12_381_bandersnatch_0_6;
    msm_unchecked: |scalar| scalar, msm_u1: |scalar| word(scalar) % 2 == 1, msm_u8: |scalar| word(scalar) as u8,
    msm_u16: |scalar| word(scalar) as u16, msm_u32: |scalar| word(scalar) as u32, msm_u64: word, + batch_mul
);

/// Returns the lowest word of a field element.
fn word(scalar: impl ark_ff_0_6::PrimeField) -> u64 {
    scalar.into_bigint().as_ref()[0]
}

/// Prints the ratios of the methods whose names contain all of `filter`: at some sizes, and the least ratio at any size.
pub fn print(filter: &[String], sizes: &[usize], runs: usize) {
    let methods = [v0_4::methods(), v0_5::methods(), v0_6::methods()].into_iter().flatten();
    let shown = [1, 4, 16, 64, 256];
    println!("| arkworks, group, method |{} least | at |", shown.map(|size| format!(" {size} |")).concat());
    println!("|:---|{}---:|---:|", "---:|".repeat(shown.len()));
    for method in methods {
        let name = format!("{}, {}, {}", method.version, method.group, method.name);
        if !filter.iter().all(|part| name.contains(part)) {
            continue;
        }
        let ratios: Vec<_> = sizes.iter().map(|&size| (size, (method.ratio)(size, runs))).collect();
        let at = |size| {
            ratios.iter().find(|ratio| ratio.0 == size).map_or("".into(), |ratio| format!("{:.2}", ratio.1))
        };
        let Some((size, least)) = ratios.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        println!("| {name} |{} {least:.2} | {size} |", shown.map(|size| format!(" {} |", at(size))).concat());
    }
}
