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

/** Reads a file from a URL, or takes its bytes. Reports the bytes done and, if the server states it, their total. */
export async function readBytes(source, { signal, onProgress } = {}) {
    if (source instanceof Uint8Array) return source;
    if (source instanceof ArrayBuffer) return new Uint8Array(source);
    const response = await fetch(source, { signal });
    if (!response.ok) throw new Error(`${source} cannot be fetched: ${response.status} ${response.statusText}`);
    // The length of compressed content is not the number of bytes that arrive.
    const encoded = response.headers.get('content-encoding');
    const total = encoded ? 0 : Number(response.headers.get('content-length') ?? 0);
    if (!response.body) return new Uint8Array(await response.arrayBuffer());
    let [bytes, length] = [new Uint8Array(total || 1 << 20), 0];
    for await (const chunk of chunks(response.body)) {
        if (length + chunk.length > bytes.length) {
            const larger = new Uint8Array(Math.max(2 * bytes.length, length + chunk.length));
            larger.set(bytes.subarray(0, length));
            bytes = larger;
        }
        bytes.set(chunk, length);
        length += chunk.length;
        onProgress?.(length, total || undefined);
    }
    return bytes.subarray(0, length);
}

/** Yields a stream's chunks, also in hosts whose streams are not iterable yet. */
async function* chunks(stream) {
    const reader = stream.getReader();
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return;
            yield value;
        }
    } finally {
        reader.releaseLock();
    }
}
