// Bytes of files: from memory, or from URLs, in one piece or in parts, and kept by the browser.

/** Name of the store in Cache Storage. */
const STORE = 'bucketwheel';

/** Returns the browser's store of files, or undefined where there is none, as in Node or on a page without HTTPS. */
async function store() {
    return globalThis.caches?.open(STORE);
}

/** Deletes a file, or each part of a file, that the option `keep` has stored. */
export async function forget(source) {
    const files = await store();
    for (const part of [source].flat()) await files?.delete(part);
}

function isBytes(source) {
    return source instanceof Uint8Array || source instanceof ArrayBuffer;
}

/** Fetches a file; answers other than a success are errors. */
async function request(url, options) {
    const response = await fetch(url, options);
    if (!response.ok) throw new Error(`${url} cannot be fetched: ${response.status} ${response.statusText}`);
    return response;
}

/** Returns the number of bytes that a server states, or 0. The length of compressed content is not the number that arrives. */
function statedLength({ headers }) {
    return headers.get('content-encoding') ? 0 : Number(headers.get('content-length') ?? 0);
}

/** Asks a server for the length of a file: 0 if the server does not state it. */
async function askLength(url, options) {
    const response = await fetch(url, { ...options, method: 'HEAD' });
    return response.ok ? statedLength(response) : 0;
}

/** Appends chunks to an array that grows, and stops at a limit. */
class Collector {
    #bytes;
    #length = 0;
    #check;

    constructor(expected, check) {
        this.#bytes = new Uint8Array(expected || 1 << 20);
        this.#check = check;
    }

    get length() {
        return this.#length;
    }

    append(chunk) {
        const length = this.#length + chunk.length;
        if (length > this.#bytes.length) {
            this.#check(length);
            const larger = new Uint8Array(Math.max(2 * this.#bytes.length, length));
            larger.set(this.#bytes.subarray(0, this.#length));
            this.#bytes = larger;
        }
        this.#bytes.set(chunk, this.#length);
        this.#length = length;
    }

    get bytes() {
        return this.#bytes.subarray(0, this.#length);
    }
}

/**
 * Reads a file: bytes, a URL, or a list of either, whose parts are joined. Reports the bytes done and, if known, their total.
 * `check` gets the length before the download if the servers state it, else as the file grows, and throws if that is too long.
 * `keep` stores files in the browser, once they are there as a whole, and takes them from its store.
 */
export async function readBytes(source, { signal, onProgress, keep = false, check = () => {} } = {}) {
    if (isBytes(source)) {
        check(source.byteLength);
        return source instanceof ArrayBuffer ? new Uint8Array(source) : source;
    }
    const parts = [source].flat();
    if (parts.length === 0) throw new RangeError('a file has no parts: expected at least one');
    const files = keep ? await store() : undefined;
    const stored = await Promise.all(parts.map((part) => (isBytes(part) ? undefined : files?.match(part))));
    // A single file needs no question: its answer has the length before its content.
    const first = parts.length === 1 && !isBytes(parts[0]) ? (stored[0] ?? (await request(parts[0], { signal }))) : undefined;
    const lengths = await Promise.all(
        parts.map((part, i) => {
            if (isBytes(part)) return part.byteLength;
            const response = first ?? stored[i];
            return response ? statedLength(response) : askLength(part, { signal });
        }),
    );
    const total = lengths.includes(0) ? 0 : lengths.reduce((sum, length) => sum + length);
    try {
        check(total);
    } catch (error) {
        await first?.body?.cancel();
        throw error;
    }
    const collector = new Collector(total, check);
    for (const [i, part] of parts.entries()) {
        if (isBytes(part)) {
            collector.append(new Uint8Array(part));
            continue;
        }
        const begin = collector.length;
        const response = first ?? stored[i] ?? (await request(part, { signal }));
        for await (const chunk of chunks(response, signal)) {
            collector.append(chunk);
            onProgress?.(collector.length, total || undefined);
        }
        if (files && !stored[i]) await put(files, part, collector.bytes.subarray(begin));
    }
    return collector.bytes;
}

/** Stores a file. A browser may refuse it for want of space: then the next call fetches the file again. */
async function put(files, url, bytes) {
    try {
        await files.put(url, new Response(bytes, { headers: { 'content-length': String(bytes.length) } }));
    } catch (error) {
        if (error.name !== 'QuotaExceededError') throw error;
    }
}

/** Yields a response's chunks, also in hosts whose streams are not iterable yet. */
async function* chunks(response, signal) {
    if (!response.body) {
        yield new Uint8Array(await response.arrayBuffer());
        return;
    }
    const reader = response.body.getReader();
    let isOver = false;
    try {
        for (;;) {
            // A stored response knows no signal.
            signal?.throwIfAborted();
            const { done, value } = await reader.read();
            isOver = done;
            if (done) return;
            yield value;
        }
    } finally {
        // Ends a download that is no longer wanted. It may have failed by itself.
        if (!isOver) await reader.cancel().catch(() => {});
    }
}
