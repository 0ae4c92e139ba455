// A page in headless Chromium that may import any module of the repository.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';
import { cwd } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** `require` for the packages in the current folder. */
export const require = createRequire(pathToFileURL(`${cwd()}/`));

const root = fileURLToPath(new URL('../../', import.meta.url));
const types = { '.mjs': 'text/javascript', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/**
 * Runs a function in a page of a new Chromium with `options` as its argument. The page reports lines by `report`.
 * @param {string} executable the browser
 * @param {Record<string, string>} files files by their paths in URLs; other paths are in the repository
 */
export async function runInPage(executable, files, run, options) {
    const { chromium } = require('playwright-core');
    const server = createServer(async (request, response) => {
        const path = normalize(new URL(request.url, 'http://localhost').pathname);
        if (path === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
        const file = files[path] ?? join(root, path);
        try {
            const content = await readFile(file);
            response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(content);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    const browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox'] });
    try {
        console.log(`Chromium ${browser.version()}`);
        const page = await browser.newPage();
        page.on('pageerror', (error) => console.error(error));
        await page.exposeFunction('report', (line) => console.log(line));
        await page.goto(`http://127.0.0.1:${server.address().port}/`);
        page.setDefaultTimeout(0);
        await page.evaluate(run, options);
    } finally {
        await browser.close();
        server.close();
    }
}
