// Sums over G1, ours beside ffjavascript's, in headless Chromium:
//   node bench/browser/chromium.mjs CHROMIUM LOG_SIZES THREADS [REPETITIONS [CURVE]]
// Needs ffjavascript 0.3.1 and playwright-core in the current folder (npm install ffjavascript@0.3.1 playwright-core@1) and the
// modules of tools/wasm.sh.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join, normalize } from 'node:path';
import { argv, cwd } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { options } from './measure.mjs';

const require = createRequire(pathToFileURL(`${cwd()}/`));
const { chromium } = require('playwright-core');
const root = fileURLToPath(new URL('../../', import.meta.url));
const theirs = join(dirname(require.resolve('ffjavascript')), 'browser.esm.js');
const types = { '.mjs': 'text/javascript', '.js': 'text/javascript', '.wasm': 'application/wasm' };

const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    if (path === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    const file = path === '/ffjavascript.js' ? theirs : join(root, path);
    try {
        const content = await readFile(file);
        response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(content);
    } catch {
        response.writeHead(404).end();
    }
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const browser = await chromium.launch({ executablePath: argv[2], args: ['--no-sandbox'] });
try {
    console.log(`Chromium ${browser.version()}`);
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    await page.exposeFunction('report', (line) => console.log(line));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    page.setDefaultTimeout(0);
    await page.evaluate(async (options) => {
        const { measure } = await import('/bench/browser/measure.mjs');
        await measure(await import('/ffjavascript.js'), options, report);
    }, options(argv.slice(3)));
} finally {
    await browser.close();
    server.close();
}
