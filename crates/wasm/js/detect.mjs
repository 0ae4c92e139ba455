// Chooses the kind of a module that an engine can run: with relaxed SIMD or without it.

// (x, c) => x * x + c by relaxed_madd, as a separate module.
const madd = new Uint8Array([
    0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // header
    0x01, 0x07, 0x01, 0x60, 0x02, 0x7c, 0x7c, 0x01, 0x7c, // (f64, f64) -> f64
    0x03, 0x02, 0x01, 0x00, 0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00, // exported as f
    0x0a, 0x16, 0x01, 0x14, 0x00, 0x20, 0x00, 0xfd, 0x14, 0x20, 0x00, 0xfd, 0x14, 0x20, 0x01, 0xfd, 0x14, // splats
    0xfd, 0x87, 0x02, 0xfd, 0x21, 0x00, 0x0b, // f64x2.relaxed_madd, f64x2.extract_lane 0
]);

/**
 * True if relaxed SIMD is there and its multiply-add rounds once: the fast module relies on it.
 * An engine on an old processor may round the product first.
 */
export function hasFusedMadd() {
    if (!WebAssembly.validate(madd)) return false;
    const { f } = new WebAssembly.Instance(new WebAssembly.Module(madd)).exports;
    return f(1 + 2 ** -27, -(1 + 2 ** -26)) === 2 ** -54;
}

/**
 * Returns the name of a curve's module for this engine.
 * @param {'bn254' | 'bls12-381'} curve
 * @param {'sums' | 'proofs' | 'shared'} [part] the module of sums, the module of the other work of proofs and of their verification,
 * or the module of both for a shared memory
 */
export function moduleName(curve, part = 'sums') {
    return `${curve}.${part}.${hasFusedMadd() ? 'relaxed' : 'plain'}.wasm`;
}
