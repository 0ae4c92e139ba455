#!/usr/bin/env node
"use strict";
// snarkjs' command is the real snarkjs': this package is a library.
const path = require("node:path");

const { find } = require("../js/original.cjs");

const found = find();
if (found === undefined) {
    console.error("the command needs the real snarkjs: npm install snarkjs-original@npm:snarkjs@0.7.6 adds it");
    process.exitCode = 1;
} else {
    require(path.join(path.dirname(found), "cli.cjs"));
}
