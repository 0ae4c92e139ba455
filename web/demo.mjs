// The page: a circuit, its input, a proof, and the time that snarkjs takes in the same page.

import { compile, load, Pool, verify } from './bucketwheel/index.mjs';

const $ = (id) => document.getElementById(id);
const circuits = await (await fetch('circuits/list.json')).json();
let pool;
let controller;

function say(text, isError = false) {
    $('status').textContent = text;
    $('status').classList.toggle('error', isError);
}

/** Intervals of the stages, in ms since the start. */
class Stages {
    #start = performance.now();
    list = [];

    async run(name, work) {
        const from = performance.now() - this.#start;
        const result = await work();
        this.list.push({ name, from, to: performance.now() - this.#start });
        return result;
    }

    draw() {
        const end = Math.max(...this.list.map(({ to }) => to));
        const rows = this.list.map(({ name, from, to }) => {
            const row = document.createElement('div');
            row.className = 'stage';
            const bar = document.createElement('div');
            bar.className = 'bar';
            bar.style.left = `${(100 * from) / end}%`;
            bar.style.width = `${Math.max(0.5, (100 * (to - from)) / end)}%`;
            const track = document.createElement('div');
            track.className = 'track';
            track.append(bar);
            const label = document.createElement('span');
            label.textContent = name;
            const time = document.createElement('output');
            time.textContent = `${(to - from).toFixed(0)} ms`;
            row.append(label, track, time);
            return row;
        });
        $('stages').replaceChildren(...rows);
    }
}

function showTimes(rows) {
    $('times').replaceChildren(
        ...rows.map(([name, ms]) => {
            const row = document.createElement('tr');
            for (const text of [name, `${ms.toFixed(0)} ms`]) {
                const cell = document.createElement('td');
                cell.textContent = text;
                row.append(cell);
            }
            return row;
        }),
    );
}

async function proveOurs(circuit, input, stages) {
    const { signal } = controller;
    const base = `circuits/${circuit.name}/`;
    const show = (bytes, total) => ($('progress').value = total ? bytes / total : 0);
    const key = await stages.run('key', () => load(new URL(`${base}circuit.zkey`, location), { pool, signal, onProgress: show }));
    const wasm = await stages.run('circuit', () => compile(new URL(`${base}circuit.wasm`, location), { signal }));
    const start = performance.now();
    const onProgress = (done, total) => ($('progress').value = done / total);
    const stage = (name, from, to) => stages.list.push({ name, from, to });
    const begin = stages.list.at(-1).to;
    const onStage = ({ name, from, to }) => stage(name, begin + from, begin + to);
    const { proof, publicSignals } = await key.fullProve(input, wasm, { signal, onProgress, onStage });
    const time = performance.now() - start;
    const verifies = await stages.run('verify', async () => verify(await key.verificationKey(), publicSignals, proof, { pool }));
    await key.free();
    return { proof, publicSignals, time, verifies };
}

async function proveTheirs(circuit, input) {
    if (!globalThis.snarkjs) {
        await new Promise((resolve, reject) => {
            const script = document.createElement('script');
            script.src = 'snarkjs.min.js';
            script.onload = resolve;
            script.onerror = () => reject(new Error('snarkjs.min.js is not there: tools/web.sh copies it'));
            document.head.append(script);
        });
    }
    const read = async (name) => new Uint8Array(await (await fetch(`circuits/${circuit.name}/${name}`)).arrayBuffer());
    const [wasm, zkey] = await Promise.all([read('circuit.wasm'), read('circuit.zkey')]);
    const options = { singleThread: pool.size === 1 };
    const start = performance.now();
    const result = await snarkjs.groth16.fullProve(input, wasm, zkey, undefined, undefined, options);
    return { ...result, time: performance.now() - start };
}

async function run(compare) {
    const circuit = circuits.find(({ name }) => name === $('circuit').value);
    const buttons = [$('prove'), $('compare')];
    controller = new AbortController();
    for (const button of buttons) button.disabled = true;
    $('stop').disabled = false;
    try {
        let input;
        try {
            input = JSON.parse($('input').value);
        } catch (error) {
            throw new Error(`The input is no JSON: ${error.message}`);
        }
        const workers = Number($('workers').value);
        if (pool?.size !== workers) {
            pool?.terminate();
            pool = new Pool(workers);
        }
        say('Proving…');
        const stages = new Stages();
        const ours = await proveOurs(circuit, input, stages);
        stages.draw();
        const rows = [[`Bucketwheel, witness and proof, ${workers} workers`, ours.time]];
        $('public').textContent = JSON.stringify(ours.publicSignals, null, 1);
        $('proof').textContent = JSON.stringify(ours.proof, null, 1);
        $('result').hidden = false;
        showTimes(rows);
        if (compare) {
            say('Proving with snarkjs…');
            const theirs = await proveTheirs(circuit, input);
            rows.push([`snarkjs, witness and proof, ${pool.size === 1 ? 'one thread' : 'all threads'}`, theirs.time]);
            showTimes(rows);
        }
        say(ours.verifies ? 'The proof holds.' : 'The proof does not hold.', !ours.verifies);
    } catch (error) {
        say(error.name === 'AbortError' ? 'Stopped.' : error.message, error.name !== 'AbortError');
    } finally {
        for (const button of buttons) button.disabled = false;
        $('stop').disabled = true;
    }
}

async function choose() {
    const circuit = circuits.find(({ name }) => name === $('circuit').value);
    $('about').textContent = circuit.about;
    $('input').value = JSON.stringify(await (await fetch(`circuits/${circuit.name}/input.json`)).json(), null, 1);
    say('Ready.');
}

$('circuit').append(...circuits.map(({ name, title }) => new Option(title, name)));
$('workers').value = Math.min(8, navigator.hardwareConcurrency ?? 1);
$('circuit').addEventListener('change', choose);
$('form').addEventListener('submit', (event) => {
    event.preventDefault();
    run(false);
});
$('compare').addEventListener('click', () => run(true));
$('stop').addEventListener('click', () => controller.abort());
await choose();
