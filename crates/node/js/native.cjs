"use strict";
/**
 * The native part, which `install.mjs` builds, or which the environment names. Where none is built, the package for browsers stands in
 * for it (`portable.cjs`).
 */

const path = require("node:path");

const named = process.env.BUCKETWHEEL_NODE_ADDON;
const addon = named ?? path.join(__dirname, "..", "bucketwheel.node");

function load() {
    try {
        return require(addon);
    } catch (error) {
        if (error.code !== "MODULE_NOT_FOUND") {
            throw error;
        }
        const reason = `${addon} is missing: build it with \`node install.mjs\` in ${path.dirname(__dirname)}`;
        const instead = named === undefined && require("./portable.cjs");
        if (!instead) {
            throw new Error(reason, { cause: error });
        }
        instead.check(reason);
        process.emitWarning(`${reason}; until then proofs run as WebAssembly, several times slower`);
        return instead;
    }
}

module.exports = load();
