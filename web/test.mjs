// The demo page in headless Chromium: node web/test.mjs FOLDER MODULES CHROMIUM [--picture FILE]
// --picture: keeps the picture of the page, down to the times, in FILE.

import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, normalize, resolve } from 'node:path';
import { argv } from 'node:process';

const [folder, modules, executablePath] = argv.slice(2, 5).map((path) => resolve(path));
const picture = argv[5] === '--picture' ? resolve(argv[6]) : join(folder, 'desktop.png');
const { chromium } = createRequire(join(modules, 'package.json'))('playwright-core');

const types = {
    '.css': 'text/css',
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.json': 'application/json',
    '.mjs': 'text/javascript',
    '.wasm': 'application/wasm',
};

/** Starts a static server, which adds these headers to each file. Returns it with its URL. */
async function serve(headers) {
    const server = createServer(async (request, response) => {
        const path = normalize(new URL(request.url, 'http://localhost').pathname);
        const file = join(folder, path === '/' ? 'index.html' : path);
        try {
            const { size } = await stat(file);
            response.writeHead(200, {
                ...headers,
                'content-type': types[extname(file)] ?? 'application/octet-stream',
                'content-length': size,
            });
            createReadStream(file).pipe(response);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    return { server, url: `http://127.0.0.1:${server.address().port}/` };
}

const { server, url } = await serve({});
const isolating = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
const isolated = await serve(isolating);

/** Proves, stops and proves again in a page with workers that share a memory. Returns the results, or the name of the error. */
async function proveShared() {
    const { calculateWitness, compile, load, Pool, verify } = await import('./bucketwheel/index.mjs');
    let pool;
    try {
        pool = new Pool(3, { shared: true });
    } catch (error) {
        return { error: error.name };
    }
    const name = document.getElementById('circuit').value;
    const circuit = await load(new URL(`circuits/${name}/circuit.zkey`, location), { pool });
    const input = await (await fetch(`circuits/${name}/input.json`)).json();
    const wtns = await calculateWitness(input, await compile(`circuits/${name}/circuit.wasm`), { pool });
    const key = await circuit.verificationKey();
    let ticks = 0;
    const clock = setInterval(() => (ticks += 1), 1);
    const prove = async (options) => {
        const { proof, publicSignals } = await circuit.prove(wtns, options);
        return verify(key, publicSignals, proof, { pool });
    };
    const start = performance.now();
    const first = await prove();
    const ms = performance.now() - start;
    clearInterval(clock);
    const controller = new AbortController();
    const stopped = prove({ signal: controller.signal, onProgress: () => controller.abort() }).catch(({ name }) => name);
    const result = { first, ms, ticks, stopped: await stopped, second: await prove() };
    pool.terminate();
    return result;
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 1400 } });
    const problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(url);
    await page.waitForFunction(() => document.getElementById('status').textContent === 'Ready.');
    assert.equal(await page.evaluate(() => crossOriginIsolated), false, 'no special headers');

    // Waits until the page shows this text; an unexpected error ends the wait.
    const says = async (text) => {
        const said = await page.waitForFunction(
            (text) => {
                const { textContent, classList } = document.getElementById('status');
                return (textContent.includes(text) || classList.contains('error')) && textContent;
            },
            text,
            { timeout: 90000 },
        );
        assert.ok((await said.jsonValue()).includes(text), await said.jsonValue());
    };

    // Makes a proof, and snarkjs' proof beside it.
    await page.fill('#workers', '2');
    await page.click('#compare');
    await says('The proof holds.');
    const times = await page.$$eval('#times tr', (rows) => rows.map((row) => row.textContent));
    assert.equal(times.length, 2);
    const proven = await page.evaluate(async () => {
        const read = (id) => JSON.parse(document.getElementById(id).textContent);
        const name = document.getElementById('circuit').value;
        const zkey = new Uint8Array(await (await fetch(`circuits/${name}/circuit.zkey`)).arrayBuffer());
        const key = await snarkjs.zKey.exportVerificationKey(zkey);
        return snarkjs.groth16.verify(key, read('public'), read('proof'));
    });
    assert.equal(proven, true, 'snarkjs accepts the proof');
    assert.ok((await page.$$('.stage')).length > 5, 'stages are drawn');
    console.log(times.join('; '));
    const height = await page.$eval('#times', (times) => times.getBoundingClientRect().bottom + scrollY + 16);
    await page.screenshot({ path: picture, fullPage: true, clip: { x: 100, y: 0, width: 800, height } });

    // A key is kept: the second load has no server.
    const kept = await page.evaluate(async () => {
        const { forget, load } = await import('./bucketwheel/index.mjs');
        const url = new URL(`circuits/${document.getElementById('circuit').value}/circuit.zkey`, location);
        const first = (await load(url, { keep: true })).info;
        const { fetch } = globalThis;
        globalThis.fetch = () => Promise.reject(new Error('the key was fetched'));
        try {
            const second = (await load(url, { keep: true })).info;
            await forget(url);
            const third = await load(url, { keep: true }).catch((error) => error.message);
            return { first, second, third };
        } finally {
            globalThis.fetch = fetch;
        }
    });
    assert.deepEqual(kept.second, kept.first);
    assert.equal(kept.third, 'the key was fetched');

    // On the width of a phone, nothing extends beyond the page.
    await page.setViewportSize({ width: 390, height: 844 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'no horizontal scrolling');
    await page.screenshot({ path: join(folder, 'phone.png'), fullPage: true });

    // One worker; an input that is not JSON; an input that the circuit refuses; a stop.
    await page.fill('#workers', '1');
    await page.click('#prove');
    await says('The proof holds.');
    const input = await page.inputValue('#input');
    await page.fill('#input', '{');
    await page.click('#prove');
    await says('The input is no JSON');
    await page.fill('#input', '{}');
    await page.click('#prove');
    await says('Not all inputs have been set');
    await page.fill('#input', input);
    await page.click('#prove');
    await page.click('#stop');
    await says('Stopped.');
    await page.click('#prove');
    await says('The proof holds.');
    assert.deepEqual(problems, []);

    // Workers share a memory on an isolated page alone. The page's own thread goes on meanwhile.
    if (existsSync(join(folder, 'bucketwheel/bn254.shared.relaxed.wasm'))) {
        assert.deepEqual(await page.evaluate(proveShared), { error: 'SharedMemoryError' });
        await page.goto(isolated.url);
        await page.waitForFunction(() => document.getElementById('status').textContent === 'Ready.');
        assert.equal(await page.evaluate(() => crossOriginIsolated), true);
        const { ms, ticks, ...results } = await page.evaluate(proveShared);
        assert.deepEqual(results, { first: true, stopped: 'AbortError', second: true });
        // A tick takes some milliseconds; a thread that waits for a proof has one.
        assert.ok(ticks > 4, `the page's thread had ${ticks} ticks in ${ms} ms`);
        console.log(`shared memory, 3 threads: ${ms.toFixed(0)} ms, ${ticks} ticks of the page's thread`);
    } else {
        console.log('skipped: workers that share a memory, without their module');
    }
    assert.deepEqual(problems, []);
} finally {
    await browser.close();
    server.close();
    isolated.server.close();
}
