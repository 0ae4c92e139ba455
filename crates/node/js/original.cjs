"use strict";
/** The real snarkjs, an optional dependency: it has the protocols and ceremonies that this package lacks. */

const PACKAGE = "snarkjs-original";

/** Finds the real snarkjs: beside this package, or in the project that runs, since npm links this package from elsewhere. */
function find() {
    const folders = [__dirname, process.cwd(), require.main?.path].filter((folder) => folder !== undefined);
    try {
        return require.resolve(PACKAGE, { paths: folders });
    } catch (error) {
        if (error.code === "MODULE_NOT_FOUND") {
            return undefined;
        }
        throw error;
    }
}

/** True if the real snarkjs is installed. */
const isInstalled = () => find() !== undefined;

/** Returns the real snarkjs; `what` names the function that needs it. */
function original(what) {
    const found = find();
    if (found === undefined) {
        throw new Error(
            `${what} is a function of the real snarkjs, which is not installed: npm install ${PACKAGE}@npm:snarkjs@0.7.6 adds it`,
        );
    }
    return require(found);
}

/** Functions of a namespace that are passed on. */
function passOn(namespace, names) {
    const pass = (name) => async (...args) => original(`${namespace}.${name}`)[namespace][name](...args);
    return Object.fromEntries(names.map((name) => [name, pass(name)]));
}

module.exports = { find, isInstalled, original, passOn };
