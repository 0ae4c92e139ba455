"use strict";
/** Proving keys: their protocols, and the keys that are loaded. */

const { Cache } = require("./cache.cjs");
const { checkHead } = require("./files.cjs");
const native = require("./native.cjs");
const { plain } = require("./work.cjs");

/** snarkjs' numbers of the other protocols. */
const OTHER_PROTOCOLS = { 2: "plonk", 10: "fflonk" };

/** A cache of keys. Keys of other protocols have only `protocol`. */
const cacheOf = (retain) =>
    new Cache(async (source, head, name) => {
        checkHead(head, "zkey", 2, name);
        const key = await native.loadKey(source, retain);
        if (typeof key !== "number") {
            return { protocol: "groth16", key };
        }
        if (OTHER_PROTOCOLS[key] === undefined) {
            throw new Error("Protocol not supported: ");
        }
        return { protocol: OTHER_PROTOCOLS[key] };
    });

const keys = cacheOf(false);
const retained = cacheOf(true);

/**
 * Loads a key, or finds it among the keys that are kept, as `{ protocol, key }`. `cache: false` loads it anew; `retain` keeps its
 * points in memory in the engine's form.
 */
async function openKey(file, { cache, retain } = {}) {
    try {
        return await (retain ? retained : keys).get(file, cache);
    } catch (error) {
        throw plain(error);
    }
}

module.exports = { openKey };
