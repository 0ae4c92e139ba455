// Builds the package: witness.cjs from witness.mjs, and the native part by cargo.
//
//   node install.mjs [javascript]
//
// javascript: makes only witness.cjs, for programs that name a native part in BUCKETWHEEL_NODE_ADDON.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "..", "..");
const LIBRARIES = { darwin: "libbucketwheel_node.dylib", win32: "bucketwheel_node.dll" };

/** Returns CommonJS of a module that exports only functions by name. */
function toCommonJs(source) {
    const names = [...source.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name]) => name);
    const body = source.replace(/^export (?=(async )?function)/gm, "");
    return `"use strict";\n// Made by install.mjs from witness.mjs.\n${body}\nmodule.exports = { ${names.join(", ")} };\n`;
}

/** Replaces a file as a whole, because a process may have the old file open. */
function replace(file, write) {
    const temporary = `${file}.${process.pid}`;
    write(temporary);
    fs.renameSync(temporary, file);
}

const source = fs.readFileSync(path.join(here, "js", "witness.mjs"), "utf8");
replace(path.join(here, "js", "witness.cjs"), (file) => fs.writeFileSync(file, toCommonJs(source)));

if (process.argv[2] !== "javascript") {
    buildNative();
}

function buildNative() {
    const target = process.env.CARGO_TARGET_DIR ?? path.join(root, "target");
    const library = LIBRARIES[process.platform] ?? "libbucketwheel_node.so";
    try {
        execFileSync("cargo", ["build", "--release", "--package", "bucketwheel-node"], {
            cwd: root,
            stdio: "inherit",
            env: { ...process.env, CARGO_TARGET_DIR: target },
        });
        replace(path.join(here, "bucketwheel.node"), (file) => fs.copyFileSync(path.join(target, "release", library), file));
    } catch (error) {
        console.error(`bucketwheel: the native part cannot be built: ${error.message}`);
        console.error("Install Rust, https://rustup.rs has it, and a C compiler; then run this again.");
        process.exitCode = 1;
    }
}
