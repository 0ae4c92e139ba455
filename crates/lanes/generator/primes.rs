//! The list of primes, and numbers derived from a prime and a radix.
//!
//! All code for a prime follows from the prime's entry in [`PRIMES`]: type, numbers, kernels, backends, tests.

use std::fmt::Display;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

pub struct Prime {
    /// Name of the Rust type.
    pub name: &'static str,
    /// Name of the field (`Prime::NAME`).
    pub title: &'static str,
    /// Description of the field, in the type's documentation.
    pub field: &'static str,
    /// Beta, 1 or 5: curves are over the extension by a root of -beta. 0 if no curve is over an extension.
    pub beta: u32,
    /// The prime in hexadecimal.
    pub hex: &'static str,
}

#[derive(Clone, Copy)]
pub struct Radix {
    /// Bits of a digit.
    pub width: usize,
    /// Number of digits.
    pub digits: usize,
    /// Maximum number of terms of a second factor (`PrimeLanes::TERMS`).
    pub terms: usize,
}

pub const PRIMES: [Prime; 16] = [
    Prime {
        name: "Bls12_381Fq",
        title: "BLS12-381 Fq",
        field: "base field of BLS12-381",
        beta: 1,
        hex: "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
    },
    Prime {
        name: "Bls12_377Fq",
        title: "BLS12-377 Fq",
        field: "base field of BLS12-377",
        beta: 5,
        hex: "01ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001",
    },
    Prime {
        name: "Bn254Fq",
        title: "BN254 Fq",
        field: "base field of BN254, alias BN128 and alt_bn128",
        beta: 1,
        hex: "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47",
    },
    Prime {
        name: "Bls12_381Fr",
        title: "BLS12-381 Fr",
        field: "scalar field of BLS12-381",
        beta: 0,
        hex: "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
    },
    Prime {
        name: "Bls12_377Fr",
        title: "BLS12-377 Fr",
        field: "scalar field of BLS12-377",
        beta: 0,
        hex: "12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001",
    },
    Prime {
        name: "Bn254Fr",
        title: "BN254 Fr",
        field: "scalar field of BN254",
        beta: 0,
        hex: "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
    },
    Prime {
        name: "PallasFp",
        title: "Pallas Fp",
        field: "base field of Pallas, the scalar field of Vesta",
        beta: 0,
        hex: "40000000000000000000000000000000224698fc094cf91b992d30ed00000001",
    },
    Prime {
        name: "VestaFp",
        title: "Vesta Fp",
        field: "base field of Vesta, the scalar field of Pallas",
        beta: 0,
        hex: "40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001",
    },
    Prime {
        name: "Bls24_315Fq",
        title: "BLS24-315 Fq",
        field: "base field of BLS24-315",
        beta: 0,
        hex: "04c23a02b586d650d3f7498be97c5eafdec1d01aa27a1ae0421ee5da52bde5026fe802ff40300001",
    },
    Prime {
        name: "Bw6_761Fq",
        title: "BW6-761 Fq",
        field: "base field of BW6-761",
        beta: 0,
        hex: concat!(
            "0122e824fb83ce0ad187c94004faff3eb926186a81d14688528275ef8087be41707ba638e584e91903cebaff25b42304",
            "8689c8ed12f9fd9071dcd3dc73ebff2e98a116c25667a8f8160cf8aeeaf0a437e6913e6870000082f49d00000000008b"
        ),
    },
    Prime {
        name: "TweedledumFp",
        title: "Tweedledum Fp",
        field: "base field of Tweedledum, the scalar field of Tweedledee",
        beta: 0,
        hex: "40000000000000000000000000000000038aa1276c3f59b9a14064e200000001",
    },
    Prime {
        name: "TweedledeeFp",
        title: "Tweedledee Fp",
        field: "base field of Tweedledee, the scalar field of Tweedledum",
        beta: 0,
        hex: "40000000000000000000000000000000038aa127696286c9842cafd400000001",
    },
    Prime {
        name: "Mnt4_298Fq",
        title: "MNT4-298 Fq",
        field: "base field of MNT4-298, the scalar field of MNT6-298",
        beta: 0,
        hex: "000003bcf7bcd473a266249da7b0548ecaeec9635d1330ea41a9e35e51200e12c90cd65a71660001",
    },
    Prime {
        name: "Mnt6_298Fq",
        title: "MNT6-298 Fq",
        field: "base field of MNT6-298, the scalar field of MNT4-298",
        beta: 0,
        hex: "000003bcf7bcd473a266249da7b0548ecaeec9635cf44194fb494c07925d6ad3bb4334a400000001",
    },
    Prime {
        name: "Mnt4_753Fq",
        title: "MNT4-753 Fq",
        field: "base field of MNT4-753, the scalar field of MNT6-753",
        beta: 0,
        hex: concat!(
            "0001c4c62d92c41110229022eee2cdadb7f997505b8fafed5eb7e8f96c97d87307fdb925e8a0ed8d99d124d9a15af79",
            "db117e776f218059db80f0da5cb537e38685acce9767254a4638810719ac425f0e39d54522cdd119f5e9063de245e8001"
        ),
    },
    Prime {
        name: "Mnt6_753Fq",
        title: "MNT6-753 Fq",
        field: "base field of MNT6-753, the scalar field of MNT4-753",
        beta: 0,
        hex: concat!(
            "0001c4c62d92c41110229022eee2cdadb7f997505b8fafed5eb7e8f96c97d87307fdb925e8a0ed8d99d124d9a15af79",
            "db26c5c28c859a99b3eebca9429212636b9dff97634993aa4d6c381bc3f0057974ea099170fa13a4fd90776e240000001"
        ),
    },
];

impl Prime {
    /// Refuses a prime that no backend can take.
    ///
    /// # Panics
    /// If no backend can take it, with the prime's name.
    pub fn check(&self) {
        assert!(
            self.bits() < 64 * self.limbs(),
            "{}: its {} bits leave no spare bit in {} words (docs/kernels.md)",
            self.name,
            self.bits(),
            self.limbs()
        );
    }

    pub fn bits(&self) -> usize {
        self.modulus().bits() as usize
    }

    /// Returns the number of 64-bit limbs.
    pub fn limbs(&self) -> usize {
        self.bits().div_ceil(64)
    }

    pub fn modulus(&self) -> BigUint {
        BigUint::parse_bytes(self.hex.as_bytes(), 16).expect("hexadecimal prime")
    }

    /// Returns `-p^-1 mod 2^width`, for `width <= 64`.
    pub fn negated_inverse(&self, width: usize) -> u64 {
        let low = (self.modulus() % (BigUint::one() << 64usize)).to_u64().expect("64 bits");
        // Newton's iteration doubles the number of correct low bits; p * p = 1 mod 8 starts it with 3.
        let inverse = (0..5).fold(low, |x, _| x.wrapping_mul(2u64.wrapping_sub(low.wrapping_mul(x))));
        inverse.wrapping_neg() & (u64::MAX >> (64 - width))
    }

    /// Returns `N' = (k p + 1) / 2^width` with `k = -p^-1 mod 2^width`. Adding `m (k p + 1) - m` instead of `m' p`
    /// clears the low digit `m` without the multiplication that computes `m'`.
    pub fn shifted_multiple(&self, width: usize) -> BigUint {
        (self.modulus() * self.negated_inverse(width) + 1u32) >> width
    }

    /// Returns `-p^-1 mod 2^bits`, for any number of bits.
    pub fn negated_inverse_wide(&self, bits: usize) -> BigUint {
        let radix = BigUint::one() << bits;
        let inverse = self.modulus().modinv(&radix).expect("p is odd");
        radix - inverse
    }

    /// Returns true if `p = 1 mod 2^width`.
    pub fn is_one_modulo(&self, width: usize) -> bool {
        self.negated_inverse(width) == u64::MAX >> (64 - width)
    }

    /// Returns [`shifted_multiple`](Self::shifted_multiple) in signed digits. If `k = -1` suffices, it is
    /// `(1 - p) / 2^width`, a digit shorter.
    pub fn signed_shifted_multiple(&self, width: usize) -> BigInt {
        if self.is_one_modulo(width) {
            return -BigInt::from(self.modulus() >> width);
        }
        self.shifted_multiple(width).into()
    }

    /// Returns `2^exponent mod p`.
    pub fn power_of_two(&self, exponent: usize) -> BigUint {
        BigUint::from(2u32).modpow(&exponent.into(), &self.modulus())
    }
}

/// Returns the unsigned digits of `x`. The last digit holds the rest of the value.
pub fn digits(x: &BigUint, radix: Radix) -> Vec<u64> {
    let mask = (BigUint::one() << radix.width) - 1u32;
    (0..radix.digits)
        .map(|i| {
            let rest = x >> (radix.width * i);
            let digit = if i + 1 < radix.digits { rest & &mask } else { rest };
            digit.to_u64().expect("digits hold the value")
        })
        .collect()
}

/// Returns the balanced digits of `x`, each but the last in `[-2^(width-1), 2^(width-1))`.
pub fn balanced_digits(x: &BigInt, radix: Radix) -> Vec<i64> {
    let base = BigInt::one() << radix.width;
    let half = BigInt::one() << (radix.width - 1);
    let mut rest = x.clone();
    (0..radix.digits)
        .map(|i| {
            if i + 1 == radix.digits {
                return rest.to_i64().expect("digits hold the value");
            }
            let mut digit = ((&rest % &base) + &base) % &base;
            if digit >= half {
                digit -= &base;
            }
            rest = (&rest - &digit) >> radix.width;
            digit.to_i64().expect("a digit fits")
        })
        .collect()
}

/// Returns the sum of `digits` in `radix`, the lowest first, to check the functions above.
pub fn recombine(digits: &[i64], radix: Radix) -> BigInt {
    digits.iter().rev().fold(BigInt::zero(), |sum, &digit| (sum << radix.width) + digit)
}

/// Returns the numbers as an array of Rust.
pub fn list<T: Display>(items: &[T]) -> String {
    format!("[{}]", items.iter().map(T::to_string).collect::<Vec<_>>().join(", "))
}
