"use strict";
/** Files as snarkjs takes them: a path, bytes, `{ type: "mem", data }`, `{ type: "bigMem", data }` with pages, or `{ type: "file", fileName }`. */

const fs = require("node:fs/promises");

/** Bytes of a page of a `bigMem`. */
const PAGE = 1 << 22;

/** A file in the form of an object. */
function describeFile(file) {
    if (file instanceof Uint8Array) {
        return { type: "mem", data: file };
    }
    const described = typeof file === "string" ? { type: "file", fileName: file } : file;
    if (!["file", "mem", "bigMem"].includes(described.type)) {
        throw new Error(`Invalid FastFile type: ${described.type}`);
    }
    return described;
}

/** The name of a file in errors. */
function nameFile(file) {
    return typeof file === "string" ? file : file.fileName ?? "[object Object]";
}

/** Bytes that are in memory already. */
function bytesOf({ type, data }) {
    if (type === "mem") {
        // Like snarkjs, fails where there are no data.
        return new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
    }
    const bytes = new Uint8Array(data.reduce((length, page) => length + page.byteLength, 0));
    data.forEach((page, index) => bytes.set(page, index * PAGE));
    return bytes;
}

/** Reads all of a file. */
async function readBytes(file) {
    const described = describeFile(file);
    return described.type === "file" ? fs.readFile(described.fileName) : bytesOf(described);
}

/** Writes a file, or sets the `data` of one in memory. */
async function writeBytes(file, bytes) {
    const described = describeFile(file);
    if (described.type === "file") {
        await fs.writeFile(described.fileName, bytes);
    } else if (described.type === "mem") {
        described.data = bytes;
    } else {
        const pages = Math.ceil(bytes.length / PAGE);
        described.data = Array.from({ length: pages }, (_, page) => bytes.slice(page * PAGE, (page + 1) * PAGE));
    }
}

/** Checks the first bytes of a file: its kind, its version. */
function checkHead(head, kind, version, name) {
    if (head.length < 12 || String.fromCharCode(...head.subarray(0, 4)) !== kind) {
        throw new Error(`${name}: Invalid File format`);
    }
    if (new DataView(head.buffer, head.byteOffset).getUint32(4, true) > version) {
        throw new Error("Version not supported");
    }
}

/** Reads a file of circom's and snarkjs' container. */
async function readSections(file, kind, version) {
    const bytes = await readBytes(file);
    const name = nameFile(file);
    checkHead(bytes, kind, version, name);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const sections = new Map();
    for (let at = 12, left = view.getUint32(8, true); left > 0; left--) {
        const length = at + 12 <= bytes.length ? Number(view.getBigUint64(at + 4, true)) : Infinity;
        if (at + 12 + length > bytes.length) {
            throw new Error(`${name}: the file is cut off or damaged`);
        }
        const id = view.getUint32(at, true);
        sections.set(id, [...(sections.get(id) ?? []), bytes.subarray(at + 12, at + 12 + length)]);
        at += 12 + length;
    }
    return { bytes, name, sections };
}

/** Reads a section from its beginning on. */
class Reader {
    constructor({ name, sections }, id) {
        const found = sections.get(id);
        if (found === undefined) {
            throw new Error(`${name}: Missing section ${id}`);
        }
        if (found.length > 1) {
            throw new Error(`${name}: Section Duplicated ${id}`);
        }
        const [bytes] = found;
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.at = 0;
    }

    u32() {
        this.at += 4;
        return this.view.getUint32(this.at - 4, true);
    }

    u64() {
        this.at += 8;
        return Number(this.view.getBigUint64(this.at - 8, true));
    }

    /** An integer of so many bytes, a multiple of 8. */
    integer(bytes) {
        let integer = 0n;
        for (let offset = bytes - 8; offset >= 0; offset -= 8) {
            integer = (integer << 64n) | this.view.getBigUint64(this.at + offset, true);
        }
        this.at += bytes;
        return integer;
    }

    /** A text up to its zero byte. */
    text() {
        let text = "";
        for (let code = this.view.getUint8(this.at++); code !== 0; code = this.view.getUint8(this.at++)) {
            text += String.fromCharCode(code);
        }
        return text;
    }
}

module.exports = { Reader, bytesOf, checkHead, describeFile, nameFile, readBytes, readSections, writeBytes };
