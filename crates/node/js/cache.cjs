"use strict";
/** A cache of keys and compiled circuits. The entry that was not used for longest goes first. */

const fs = require("node:fs/promises");

const { bytesOf, describeFile, nameFile } = require("./files.cjs");

/** The most entries that are kept, and the most bytes of their files together. */
const MAX_ENTRIES = 16;
const MAX_BYTES = 4 * 2 ** 30;

/** The first bytes of a file that are read before it is loaded. */
const HEAD = 64;

/** Keeps the results of `load(source, head, name)`: the path or the bytes of a file, its first bytes, its name in errors. */
class Cache {
    constructor(load) {
        this.load = load;
        /** From a path, or a `WeakRef` of an array, to the loaded result, in the order of their last uses. */
        this.entries = new Map();
        this.references = new WeakMap();
    }

    /**
     * Returns the result for a file. `cache` is false to load it anew.
     *
     * A file is the same while its path, size, times and inode are the same, an array while it is the same object.
     */
    async get(file, cache = true) {
        const described = describeFile(file);
        const name = nameFile(file);
        const { source, key, stamp, head } =
            described.type === "file" ? await lookAtFile(described.fileName) : this.lookAtBytes(described);
        if (!cache || key === undefined) {
            return this.load(source, head, name);
        }
        let entry = this.entries.get(key);
        this.entries.delete(key);
        if (entry?.stamp !== stamp) {
            entry = { stamp, bytes: Number(stamp.split(" ")[0]), loaded: this.load(source, head, name) };
            // Failures are not kept.
            entry.loaded.catch(() => this.entries.get(key) === entry && this.entries.delete(key));
        }
        this.entries.set(key, entry);
        this.shrink();
        return entry.loaded;
    }

    lookAtBytes(described) {
        const source = bytesOf(described);
        // Pages are joined anew each time: they have no identity.
        const identity = described.type === "mem" ? described.data : undefined;
        if (identity !== undefined && !this.references.has(identity)) {
            this.references.set(identity, new WeakRef(identity));
        }
        return { source, key: this.references.get(identity), stamp: `${source.length}`, head: source.subarray(0, HEAD) };
    }

    /** Drops entries beyond the bounds, and entries of arrays that are gone. */
    shrink() {
        let bytes = 0;
        let count = 0;
        for (const [key, entry] of [...this.entries].reverse()) {
            bytes += entry.bytes;
            count++;
            const isGone = key instanceof WeakRef && key.deref() === undefined;
            if (isGone || (count > 1 && (count > MAX_ENTRIES || bytes > MAX_BYTES))) {
                this.entries.delete(key);
            }
        }
    }
}

/** A file's state, and its first bytes. */
async function lookAtFile(path) {
    const handle = await fs.open(path);
    try {
        const head = Buffer.alloc(HEAD);
        const { bytesRead } = await handle.read(head, 0, HEAD, 0);
        const { size, mtimeNs, ctimeNs, ino, dev } = await handle.stat({ bigint: true });
        const stamp = [size, mtimeNs, ctimeNs, ino, dev].join(" ");
        return { source: path, key: path, stamp, head: head.subarray(0, bytesRead) };
    } finally {
        await handle.close();
    }
}

module.exports = { Cache };
