"use strict";
/** Numbers as snarkjs spells them in JSON. */

/** Replaces strings of decimal digits, or of hexadecimal digits after `0x`, by bigints, at any depth. */
function unstringify(value) {
    if (typeof value === "string") {
        return /^([0-9]+|0x[0-9a-fA-F]+)$/.test(value) ? BigInt(value) : value;
    }
    return mapDeep(value, unstringify);
}

/** Replaces bigints by decimal strings, at any depth. */
function stringify(value) {
    return typeof value === "bigint" ? value.toString() : mapDeep(value, stringify);
}

function mapDeep(value, map) {
    if (Array.isArray(value)) {
        return value.map(map);
    }
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) {
        return value;
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item)]));
}

module.exports = { stringify, unstringify };
