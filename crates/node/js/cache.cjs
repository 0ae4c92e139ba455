"use strict";
/** What is loaded once and kept: keys and compiled circuits. The one that was not used for longest goes first. */

const fs = require("node:fs/promises");

const { bytesOf, describeFile, nameFile } = require("./files.cjs");

/** The most entries that are kept, and the most bytes of their files together. */
const MAX_ENTRIES = 16;
const MAX_BYTES = 4 * 2 ** 30;

/** The first bytes of a file that are read before it is loaded. */
const HEAD = 64;

/** Things loaded from files, by `load(source)`, which gets a path or bytes. */
class Cache {
    constructor(load) {
        this.load = load;
        /** From a path, or a `WeakRef` of an array, to what is loaded, in the order of their last uses. */
        this.entries = new Map();
        this.references = new WeakMap();
    }

    /**
     * Returns what is loaded from a file, `check(head, name)` of whose first bytes throws nothing.
     *
     * Files are the same while their path, size, times and inode are; arrays while they are the same object.
     */
    async get(file, { cache = true, check = () => {} } = {}) {
        const described = describeFile(file);
        const name = nameFile(file);
        const { source, key, stamp, head } =
            described.type === "file" ? await lookAtFile(described.fileName) : this.lookAtBytes(described);
        check(head, name);
        if (!cache || key === undefined) {
            return this.load(source);
        }
        let entry = this.entries.get(key);
        this.entries.delete(key);
        if (entry?.stamp !== stamp) {
            entry = { stamp, bytes: Number(stamp.split(" ")[0]), loaded: this.load(source) };
            // What cannot be loaded is not kept.
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

    /** Drops what is too much, and what belongs to arrays that are gone. */
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
