"use strict";
/** The native part, which `install.mjs` builds, or which the environment names. */

const path = require("node:path");

const addon = process.env.BUCKETWHEEL_NODE_ADDON ?? path.join(__dirname, "..", "bucketwheel.node");

function load() {
    try {
        return require(addon);
    } catch (error) {
        if (error.code === "MODULE_NOT_FOUND") {
            const folder = path.dirname(__dirname);
            throw new Error(`${addon} is missing: build it with \`node install.mjs\` in ${folder}`, { cause: error });
        }
        throw error;
    }
}

module.exports = load();
