//! gnark's hashes to scalars: `hash_to_field` of RFC 9380 with `expand_message_xmd` and SHA-256, one element.

use ark_ff::{BigInteger, PrimeField};
use sha2::{Digest, Sha256};

use super::file::scalar_bytes;

/// Bytes of an element before its reduction beyond the bytes of a scalar.
const MORE: usize = 16;
/// Bytes of a block of SHA-256.
const BLOCK: usize = 64;

/// Returns the hash of a commitment: of its point, uncompressed, and of the inputs that are hashed with it.
pub fn of_commitment<F: PrimeField>(message: &[u8]) -> F {
    hash(message, b"bsb22-commitment")
}

/// Returns the factor that folds the proofs of knowledge of commitments with these hashes.
pub fn challenge<F: PrimeField>(hashes: &[F]) -> F {
    let message: Vec<u8> = hashes.iter().flat_map(|hash| hash.into_bigint().to_bytes_be()).collect();
    hash(&message, b"G16-BSB22")
}

fn hash<F: PrimeField>(message: &[u8], domain: &[u8]) -> F {
    F::from_be_bytes_mod_order(&expand(message, domain, scalar_bytes::<F>() + MORE))
}

/// Returns `len` bytes by `expand_message_xmd` of RFC 9380, section 5.3.1, for two blocks of output, which are 33 to 64 bytes, and a
/// domain of at most 255 bytes.
fn expand(message: &[u8], domain: &[u8], len: usize) -> Vec<u8> {
    let block = |parts: &[&[u8]], number: u8| -> [u8; 32] {
        let mut digest = Sha256::new();
        parts.iter().for_each(|part| digest.update(part));
        digest.update([number]);
        digest.update(domain);
        digest.update([domain.len() as u8]);
        digest.finalize().into()
    };
    let start = block(&[&[0; BLOCK], message, &(len as u16).to_be_bytes()], 0);
    let first = block(&[&start], 1);
    let both: [u8; 32] = std::array::from_fn(|i| start[i] ^ first[i]);
    let second = block(&[&both], 2);
    [&first[..], &second[..len - first.len()]].concat()
}

#[cfg(test)]
mod tests {
    use super::expand;

    /// The expected bytes come from a Python program with `hashlib`, which gives the RFC's output (appendix K.1) for 32 bytes.
    #[test]
    fn the_expansion_is_the_standards() {
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let domain = b"QUUX-V01-CS02-with-expander-SHA256-128";
        assert_eq!(hex(&expand(b"", domain, 48)), EMPTY);
        assert_eq!(hex(&expand(b"abc", domain, 48)), ABC);
    }

    const EMPTY: &str =
        "3808e9bb0ade2df3aa6f1b459eb5058a78142f439213ddac0c97dcab92ae5a8408d86b32bbcc87de686182cbdf65901f";
    const ABC: &str =
        "2b877f5f0dfd881405426c6b87b39205ef53a548b0e4d567fc007cb37c6fa1f3b19f42871efefca518ac950c27ac4e28";
}
