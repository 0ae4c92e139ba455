// Sums over G1, ours beside ffjavascript's, in Node: node bench/browser/sums.mjs LOG_SIZES THREADS [REPETITIONS [CURVE]]
// Needs ffjavascript 0.3.1 in the current folder (npm install ffjavascript@0.3.1) and the modules of tools/wasm.sh.

import { createRequire } from 'node:module';
import { argv, exit, version } from 'node:process';
import { pathToFileURL } from 'node:url';

import { measure, options } from './measure.mjs';

const require = createRequire(pathToFileURL(`${process.cwd()}/`));
console.log(`Node ${version}`);
await measure(await import(pathToFileURL(require.resolve('ffjavascript'))), options(argv.slice(2)), console.log);
exit(0);
