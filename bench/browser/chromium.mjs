// Sums over G1, ours beside ffjavascript's, in headless Chromium:
//   node bench/browser/chromium.mjs CHROMIUM LOG_SIZES THREADS [REPETITIONS [CURVE]]
// Needs ffjavascript 0.3.1 and playwright-core in the current folder (npm install ffjavascript@0.3.1 playwright-core@1) and the
// modules of tools/wasm.sh.

import { dirname, join } from 'node:path';
import { argv } from 'node:process';

import { options } from './measure.mjs';
import { require, runInPage } from './page.mjs';

const theirs = join(dirname(require.resolve('ffjavascript')), 'browser.esm.js');
const run = async (options) => {
    const { measure } = await import('/bench/browser/measure.mjs');
    await measure(await import('/ffjavascript.js'), options, report);
};
await runInPage(argv[2], { '/ffjavascript.js': theirs }, run, options(argv.slice(3)));
