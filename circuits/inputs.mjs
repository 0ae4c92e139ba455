// SPDX-License-Identifier: MIT OR Apache-2.0
// Writes input.json of a workload, always the same one, and expected.json where another implementation (Node's own
// cryptography) knows the public outputs: the first public signals.
//
//   node circuits/inputs.mjs WORKLOAD FOLDER
import crypto from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

// Bytes that look random: SHA-256 in counter mode from a fixed seed.
function generator(seed) {
  let counter = 0;
  return (length) => {
    const blocks = [];
    for (let got = 0; got < length; got += 32) {
      blocks.push(crypto.createHash("sha256").update(`${seed} ${counter++}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, length);
  };
}

const toInteger = (bytes) => BigInt("0x" + bytes.toString("hex"));
const toBytes = (integer, length) => Buffer.from(integer.toString(16).padStart(2 * length, "0"), "hex");
const base64 = (integer, length) => toBytes(integer, length).toString("base64url");
const limbs = (integer, bits, count) =>
  Array.from({ length: count }, (_, i) => ((integer >> BigInt(bits * i)) & ((1n << BigInt(bits)) - 1n)).toString());
// Below both scalar fields.
const element = (random) => toInteger(random(31)).toString();

function power(base, exponent, modulus) {
  let result = 1n;
  for (let b = base % modulus; exponent > 0n; exponent >>= 1n, b = (b * b) % modulus) {
    if (exponent & 1n) result = (result * b) % modulus;
  }
  return result;
}

function inverse(a, modulus) {
  let [r0, r1, s0, s1] = [modulus, a % modulus, 0n, 1n];
  while (r1 > 0n) {
    const quotient = r0 / r1;
    [r0, r1, s0, s1] = [r1, r0 - quotient * r1, s1, s0 - quotient * s1];
  }
  return ((s0 % modulus) + modulus) % modulus;
}

const EXPONENT = 65537n;

// A prime of 1024 bits with the two top bits set, which suits the exponent.
function prime(random) {
  for (;;) {
    const candidate = toInteger(random(128)) | (3n << 1022n) | 1n;
    if ((candidate - 1n) % EXPONENT !== 0n && crypto.checkPrimeSync(candidate)) return candidate;
  }
}

function rsaKey(random) {
  const [p, q] = [prime(random), prime(random)];
  const n = p * q;
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n));
  const jwk = {
    kty: "RSA", e: base64(EXPONENT, 3), n: base64(n, 256), d: base64(d, 256), p: base64(p, 128), q: base64(q, 128),
    dp: base64(d % (p - 1n), 128), dq: base64(d % (q - 1n), 128), qi: base64(inverse(q, p), 128),
  };
  return { n, key: crypto.createPrivateKey({ key: jwk, format: "jwk" }) };
}

const rsaLimbs = (integer) => limbs(integer, 121, 17);

const workloads = {
  aes128(random) {
    // The first block is the example of FIPS 197, appendix C.1.
    const key = Buffer.from("000102030405060708090a0b0c0d0e0f", "hex");
    const plaintext = [Buffer.from("00112233445566778899aabbccddeeff", "hex"), random(16)];
    const cipher = crypto.createCipheriv("aes-128-ecb", key, null);
    const ciphertext = cipher.update(Buffer.concat(plaintext));
    return {
      input: { key: [...key], plaintext: plaintext.map((block) => [...block]) },
      expected: [...ciphertext],
    };
  },

  sha256(random) {
    const message = random(64);
    const digest = crypto.createHash("sha256").update(message).digest();
    return {
      input: { message: [...message] },
      expected: [digest.subarray(0, 16), digest.subarray(16)].map(toInteger),
    };
  },

  "rsa-encrypt"(random) {
    const { n, key } = rsaKey(random);
    const message = toInteger(random(255));
    const padding = crypto.constants.RSA_NO_PADDING;
    const publicKey = crypto.createPublicKey(key);
    const ciphertext = crypto.publicEncrypt({ key: publicKey, padding }, toBytes(message, 256));
    return {
      input: { message: rsaLimbs(message), modulus: rsaLimbs(n) },
      expected: rsaLimbs(toInteger(ciphertext)),
    };
  },

  "rsa-verify"(random) {
    const { n, key } = rsaKey(random);
    const text = Buffer.from("bucket wheel");
    const signature = toInteger(crypto.sign("sha256", text, key));
    const digest = toInteger(crypto.createHash("sha256").update(text).digest());
    return { input: { digest: rsaLimbs(digest), modulus: rsaLimbs(n), signature: rsaLimbs(signature) } };
  },

  merkle(random) {
    return {
      input: {
        leaf: element(random),
        index: random(4).readUInt32BE(),
        siblings: Array.from({ length: 32 }, () => element(random)),
      },
    };
  },

  auction(random) {
    const bids = Array.from({ length: 128 }, () => random(8).readBigUInt64BE());
    const order = bids.map((_, i) => i).sort((i, j) => (bids[i] > bids[j] ? -1 : 1));
    return {
      input: { bids: bids.map(String), salts: bids.map(() => element(random)) },
      expectedLast: [order[0], bids[order[1]]],
    };
  },

  chain(random) {
    return { input: { start: element(random), c: element(random) } };
  },

  semaphore(random) {
    return {
      input: {
        secret: element(random),
        merkleProofLength: 20,
        merkleProofIndex: random(2).readUInt16BE(),
        merkleProofSiblings: Array.from({ length: 20 }, () => element(random)),
        message: element(random),
        scope: element(random),
      },
    };
  },

  members(random) {
    return {
      input: {
        topic: element(random),
        secret: element(random),
        index: [...random(6)].map((byte) => byte & 1),
        siblings: Array.from({ length: 6 }, () => element(random)),
      },
    };
  },
};

const [name, folder] = process.argv.slice(2);
// merkle-mimc, chain-2^16: other circuits for the same input.
const workload = Object.keys(workloads).find((key) => name === key || name?.startsWith(`${key}-`));
if (!workload || !folder) {
  console.error(`expected a workload (${Object.keys(workloads).join(", ")}) and a folder`);
  process.exit(1);
}
const { input, expected, expectedLast } = workloads[workload](generator(`bucketwheel ${workload}`));
writeFileSync(join(folder, "input.json"), JSON.stringify(input) + "\n");
const outputs = { first: expected?.map(String), last: expectedLast?.map(String) };
writeFileSync(join(folder, "expected.json"), JSON.stringify(outputs) + "\n");
