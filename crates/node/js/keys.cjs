"use strict";
/** Proving keys: their protocols, and the keys that are loaded. */

const { Cache } = require("./cache.cjs");
const { checkHead } = require("./files.cjs");
const native = require("./native.cjs");
const { plain } = require("./work.cjs");

/** snarkjs' numbers of protocols. */
const PROTOCOLS = { 1: "groth16", 2: "plonk", 10: "fflonk" };

/** The protocol that a key's first bytes tell: its first section has it, as snarkjs writes keys. */
function protocolOf(head, name) {
    checkHead(head, "zkey", 2, name);
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    if (view.byteLength < 28 || view.getUint32(12, true) !== 1) {
        return "groth16";
    }
    const protocol = PROTOCOLS[view.getUint32(24, true)];
    if (protocol === undefined) {
        throw new Error("Protocol not supported: ");
    }
    return protocol;
}

const keys = new Cache((source) => native.loadKey(source, false));
const retained = new Cache((source) => native.loadKey(source, true));

/**
 * Loads a key, or finds it among those that are kept. `cache: false` loads it anew; `retain` keeps its points in memory as the engine
 * takes them. `onProtocol(protocol)` is called before that, and may throw.
 */
async function openKey(file, { cache, retain } = {}, onProtocol = () => {}) {
    const check = (head, name) => onProtocol(protocolOf(head, name));
    try {
        return await (retain ? retained : keys).get(file, { cache, check });
    } catch (error) {
        throw plain(error);
    }
}

module.exports = { openKey };
