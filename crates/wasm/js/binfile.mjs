// The container of circom's and snarkjs' files: sections by number.

/** Sections of a file, each a view of its bytes. */
export function sections(bytes, type) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const fail = (reason) => {
        throw new Error(`this is no .${type} file: ${reason}`);
    };
    if (bytes.length < 12 || new TextDecoder().decode(bytes.subarray(0, 4)) !== type.padEnd(4)) {
        fail(`expected it to begin with ${JSON.stringify(type)}`);
    }
    const found = new Map();
    let offset = 12;
    for (let i = view.getUint32(8, true); i > 0; i--) {
        if (offset + 12 > bytes.length) fail('it ends in the middle of a section: was it downloaded as a whole?');
        const [id, size] = [view.getUint32(offset, true), Number(view.getBigUint64(offset + 4, true))];
        offset += 12;
        if (offset + size > bytes.length) fail(`section ${id} ends after the file: was it downloaded as a whole?`);
        if (found.has(id)) fail(`section ${id} is there twice`);
        found.set(id, bytes.subarray(offset, offset + size));
        offset += size;
    }
    return (id) => found.get(id) ?? fail(`section ${id} is missing`);
}

/**
 * Returns the curve of a .zkey, by the length of its primes; BN254 for bytes that are no key, whose fault the engine names.
 * @returns {'bn254' | 'bls12-381'}
 */
export function curveOf(zkey) {
    const view = new DataView(zkey.buffer, zkey.byteOffset, zkey.byteLength);
    let offset = 12;
    // A section has a number, a length of 8 bytes and its content; section 2 starts with the length of a coordinate.
    while (offset + 16 <= zkey.length) {
        const [id, size] = [view.getUint32(offset, true), Number(view.getBigUint64(offset + 4, true))];
        if (id === 2) return view.getUint32(offset + 12, true) === 48 ? 'bls12-381' : 'bn254';
        offset += 12 + size;
    }
    return 'bn254';
}
