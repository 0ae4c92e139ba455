//! Commitments to blobs, against c-kzg.

use std::fs;

use ark_ff::{BigInteger, PrimeField};
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{fail, succeed};

const BLOB_BYTES: usize = c_kzg::BYTES_PER_BLOB;

#[test]
fn commitments_are_those_of_c_kzg() {
    let settings = c_kzg::ethereum_kzg_settings(0);
    let directory = tempfile::tempdir().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut random = vec![0; BLOB_BYTES];
    rng.fill_bytes(&mut random);
    random.chunks_mut(32).for_each(|element| element[0] &= 0x3f);
    let mut sparse = vec![0; BLOB_BYTES];
    sparse[32 * 1234 + 31] = 1;
    sparse[32 * 4095..].copy_from_slice(&random[..32]);
    let largest = (-ark_bls12_381::Fr::from(1u32)).into_bigint().to_bytes_be().repeat(BLOB_BYTES / 32);
    let blobs = [random, sparse, vec![0; BLOB_BYTES], largest];
    let commit = |(i, blob): (usize, &Vec<u8>)| {
        fs::write(directory.path().join(format!("blob{i}")), blob).unwrap();
        let commitment = settings.blob_to_kzg_commitment(&c_kzg::Blob::from_bytes(blob).unwrap()).unwrap();
        format!("0x{}\n", commitment.as_hex_string())
    };
    let expected: Vec<String> = blobs.iter().enumerate().map(commit).collect();
    assert_eq!(succeed(directory.path(), "kzg commit blob2"), expected[2]);
    // Over one preparation of the setup, in their order.
    assert_eq!(succeed(directory.path(), "kzg commit blob0 blob1 blob2 blob3"), expected.concat());
}

#[test]
fn blobs_that_are_none() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for len in [0, BLOB_BYTES - 1] {
        fs::write(at.join("blob"), vec![0; len]).unwrap();
        let expected = format!("blob: {len} bytes: expected 131072, 4096 elements of 32 bytes");
        assert_eq!(fail(at, "kzg commit blob"), expected);
    }
    let mut blob = vec![0; BLOB_BYTES];
    let modulus = ark_bls12_381::Fr::MODULUS.to_bytes_be();
    for index in [4095, 17] {
        blob[32 * index..][..32].copy_from_slice(&modulus);
        fs::write(at.join("blob"), &blob).unwrap();
        let message = fail(at, "kzg commit blob");
        assert!(message.starts_with(&format!("blob: element {index} is not below the order")), "{message}");
    }
    assert!(fail(at, "kzg commit missing").starts_with("cannot read missing: "));
}
