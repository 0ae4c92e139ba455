//! Verifiers for Ethereum: a contract in Solidity, and the arguments of its call.
//!
//! The contract has the interface of the contracts that snarkjs makes, and so have the arguments:
//!
//! ```text
//! contract Groth16Verifier {
//!     function verifyProof(uint256[2] calldata _pA, uint256[2][2] calldata _pB, uint256[2] calldata _pC,
//!                          uint256[N] calldata _pubSignals) public view returns (bool)
//! }
//! ```
//!
//! Without public signals, `_pubSignals` is a list of any length, since Solidity has no arrays of length 0; a list that is not
//! empty is refused.
//!
//! Ethereum's precompiled contracts 0x06, 0x07 and 0x08 (EIP-196, EIP-197) add, multiply and pair points of BN254. They refuse
//! coordinates that are not below the field's modulus and points that are not in their groups. They multiply by any scalar:
//! the contract itself refuses public signals that are not below the groups' order, since a signal plus the order would be a
//! second name of the signal. Points at infinity are (0, 0). In an element of the quadratic extension, the coefficient of u
//! comes first.
//!
//! ```
//! use bucketwheel_groth16::solidity::{calldata, contract, proof_arguments, public_argument};
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../snarkjs/tests/data/bn254");
//! let read = |name: &str| std::fs::read(format!("{folder}/{name}"));
//! assert!(contract(&read("power.zkey")?)?.contains("function verifyProof"));
//! let (public, proof) = (read("public.json")?, read("proof.json")?);
//! let arguments = calldata(&public, &proof)?;
//! assert!(arguments.starts_with(&proof_arguments(&proof)?) && arguments.ends_with(&public_argument(&public)?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::Write;
use std::ops::Neg;

use ark_ec::short_weierstrass::Affine;
use ark_ec::{AdditiveGroup, AffineRepr};
use ark_ff::{BigInteger, Field, PrimeField};
use bucketwheel::Curve;

use super::{Proof, VerifyingKey};
use crate::file::{public_from_json, zkey_curve, FileError, ProofJson, VerifyingKeyJson, Zkey};
use crate::{snarkjs_name, with_pairing, CurveId, Error, PairingCurve};

/// First bytes of a `.zkey` file.
const ZKEY_MAGIC: &[u8] = b"zkey";

/// Returns the contract that verifies proofs by a key: a `.zkey` file or a `verification_key.json`.
///
/// The [example](crate::solidity) uses it.
///
/// # Errors
/// The key reader's errors; [`FileError::Unsupported`] for a curve without precompiled contracts.
pub fn contract(key: &[u8]) -> Result<String, Error> {
    if key.starts_with(ZKEY_MAGIC) {
        let curve = supported(zkey_curve(key)?)?;
        return with_pairing!(curve, E => Ok(contract_of(&Zkey::<E>::parse(key)?.verifying_key()?)))?;
    }
    let key = VerifyingKeyJson::parse(key)?;
    let curve = supported(key.curve()?)?;
    with_pairing!(curve, E => Ok(contract_of(&key.decode::<E>()?)))?
}

/// Returns the arguments of a call of `verifyProof`, as snarkjs prints them: hexadecimal strings in lists. Takes a
/// `public.json` and a `proof.json`.
///
/// The [example](crate::solidity) uses it.
///
/// # Errors
/// The errors of [`proof_arguments`] and [`public_argument`].
pub fn calldata(public: &[u8], proof: &[u8]) -> Result<String, Error> {
    Ok(format!("{},{}", proof_arguments(proof)?, public_argument(public)?))
}

/// Returns the first three arguments, the points of a `proof.json`. A proof that does not name its curve is for BN254.
///
/// The [example](crate::solidity) uses it.
///
/// # Errors
/// The text reader's errors; [`FileError::Unsupported`] for a curve without precompiled contracts.
pub fn proof_arguments(proof: &[u8]) -> Result<String, Error> {
    let proof = ProofJson::parse(proof)?;
    let curve = supported(proof.curve()?.unwrap_or(CurveId::Bn254))?;
    with_pairing!(curve, E => {
        let Proof { a, b, c } = proof.decode::<E>()?;
        let [a, c] = [a, c].map(|point| list(&coordinates(&point), ", "));
        let b = coordinates(&b);
        Ok(format!("{a},[{},{}],{c}", list(&b[..2], ", "), list(&b[2..], ", ")))
    })?
}

/// Returns the last argument, the signals of a `public.json`.
///
/// The [example](crate::solidity) uses it.
///
/// # Errors
/// The text reader's errors.
pub fn public_argument(public: &[u8]) -> Result<String, Error> {
    type Scalar<E> = <E as ark_ec::pairing::Pairing>::ScalarField;
    with_pairing!(CurveId::Bn254, E => Ok(list(&public_from_json::<Scalar<E>>(public)?, ",")))?
}

/// Returns the curve if Ethereum has precompiled contracts with this interface for it.
fn supported(curve: CurveId) -> Result<CurveId, FileError> {
    match curve {
        CurveId::Bn254 => Ok(curve),
        _ => Err(FileError::Unsupported {
            found: format!("curve {}", snarkjs_name(curve)),
            expected: "bn128, the curve of Ethereum's precompiled contracts 0x06 to 0x08",
        }),
    }
}

/// Returns a point's coordinates as the precompiled contracts take them.
fn coordinates<C: Curve>(point: &Affine<C>) -> Vec<<C::BaseField as Field>::BasePrimeField> {
    let zero = C::BaseField::ZERO;
    let (x, y) = point.xy().unwrap_or((zero, zero));
    let reversed = |element: C::BaseField| {
        let mut coefficients: Vec<_> = element.to_base_prime_field_elements().collect();
        coefficients.reverse();
        coefficients
    };
    [reversed(x), reversed(y)].concat()
}

/// Returns a list of numbers, each as its 32 bytes in hexadecimal digits.
fn list<F: PrimeField>(numbers: &[F], separator: &str) -> String {
    let string = |number: &F| {
        let digits = hex::encode(number.into_bigint().to_bytes_be());
        format!("\"0x{digits:0>64}\"")
    };
    format!("[{}]", numbers.iter().map(string).collect::<Vec<_>>().join(separator))
}

/// The contract before its constants.
const HEAD: &str = "\
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity >=0.7.0 <0.9.0;

/// Verifies Groth16 proofs of one circuit over BN254. Made by Bucketwheel from the circuit's verifying key.
///
/// A proof (A, B, C) of public signals x_1, x_2, ... holds if
///
///     e(A, B) e(-alpha, beta) e(X, -gamma) e(C, -delta) = 1, where X = IC_0 + x_1 IC_1 + x_2 IC_2 + ...
///
/// The constants are the key's points, with the signs of this equation. Points in G2 have the coefficient of u first.
contract Groth16Verifier {
    /// The order of the groups. Public signals are below it.
";

/// The contract's sum over public signals.
const ADD_TERM: &str = "
    /// Adds signal * (x, y) to the sum, the first two words. The others are scratch memory.
    /// Returns false if the signal is not below the order.
    function addTerm(uint256[5] memory sum, uint256 x, uint256 y, uint256 signal) private view returns (bool success) {
        if (signal >= ORDER) {
            return false;
        }
        sum[2] = x;
        sum[3] = y;
        sum[4] = signal;
        assembly {
            // The product takes the point's place, then the sum takes its own.
            success := staticcall(gas(), 0x07, add(sum, 0x40), 0x60, add(sum, 0x40), 0x40)
            if success {
                success := staticcall(gas(), 0x06, sum, 0x80, sum, 0x40)
            }
        }
    }
";

/// The contract's verification behind the sum.
const PAIRINGS: &str = "        uint256[24] memory pairs = [
            _pA[0], _pA[1], _pB[0][0], _pB[0][1], _pB[1][0], _pB[1][1],
            ALPHA_X, ALPHA_Y, BETA_X1, BETA_X0, BETA_Y1, BETA_Y0,
            sum[0], sum[1], GAMMA_X1, GAMMA_X0, GAMMA_Y1, GAMMA_Y0,
            _pC[0], _pC[1], DELTA_X1, DELTA_X0, DELTA_Y1, DELTA_Y0
        ];
        bool success;
        assembly {
            // A chain without the precompiled contract writes no result: it is 0 then.
            mstore(0, 0)
            success := staticcall(gas(), 0x08, pairs, 0x300, 0, 0x20)
            success := and(success, eq(mload(0), 1))
        }
        return success;
    }
}
";

fn contract_of<E: PairingCurve>(key: &VerifyingKey<E>) -> String {
    let mut text = HEAD.to_owned();
    let public = key.public();
    let mut line = |line: std::fmt::Arguments<'_>| {
        writeln!(text, "    {line}").expect("memory takes any text");
    };
    line(format_args!("uint256 private constant ORDER = {};\n", E::ScalarField::MODULUS));
    let g1 = [("ALPHA", key.alpha_g1.neg())].into_iter();
    let ic = key.ic.iter().enumerate().map(|(index, point)| (format!("IC{index}"), *point));
    let g1 = g1.map(|(name, point)| (name.to_owned(), point)).chain(ic);
    for (name, point) in g1 {
        for (axis, number) in ["X", "Y"].iter().zip(coordinates(&point)) {
            line(format_args!("uint256 private constant {name}_{axis} = {number};"));
        }
    }
    for (name, point) in [("BETA", key.beta_g2), ("GAMMA", key.gamma_g2.neg()), ("DELTA", key.delta_g2.neg())]
    {
        for (axis, number) in ["X1", "X0", "Y1", "Y0"].iter().zip(coordinates(&point)) {
            line(format_args!("uint256 private constant {name}_{axis} = {number};"));
        }
    }
    if public > 0 {
        text += ADD_TERM;
    }
    text += "
    /// Returns true if the proof holds. Bad points and bad signals make it false.
    function verifyProof(
        uint256[2] calldata _pA,
        uint256[2][2] calldata _pB,
        uint256[2] calldata _pC,
";
    // There are no arrays of length 0.
    let length = if public > 0 { public.to_string() } else { String::new() };
    text += &format!("        uint256[{length}] calldata _pubSignals\n    ) public view returns (bool) {{\n");
    if public == 0 {
        text += "        if (_pubSignals.length != 0) {\n            return false;\n        }\n";
    }
    text += "        uint256[5] memory sum = [IC0_X, IC0_Y, 0, 0, 0];\n";
    for signal in 0..public {
        let term = signal + 1;
        text += &format!("        if (!addTerm(sum, IC{term}_X, IC{term}_Y, _pubSignals[{signal}])) {{\n");
        text += "            return false;\n        }\n";
    }
    text + PAIRINGS
}
