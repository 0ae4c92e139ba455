// Writes the list of the circuits in a folder, for the page: node web/list.mjs FOLDER

import { readdir, stat, writeFile } from 'node:fs/promises';
import { argv } from 'node:process';

const known = {
    semaphore: ['Semaphore: member of a group', 'Proves that you belong to a group and vote once. The key comes from the ceremony.'],
    members: ['Members: an anonymous vote', 'Proves that you belong to a group of 64 and vote once. The smallest circuit here.'],
    merkle: ['Merkle: a leaf of a tree', 'Proves that a leaf is in a tree of depth 32.'],
    sha256: ['SHA-256: a preimage', 'Proves that you know 64 bytes with this hash.'],
};

const folder = argv[2];
const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name);
const order = Object.keys(known);
const list = [];
for (const name of names.sort((a, b) => order.indexOf(a) - order.indexOf(b))) {
    const [title, about] = known[name] ?? [name, ''];
    const { size } = await stat(`${folder}/${name}/circuit.zkey`);
    list.push({ name, title, about: `${about} Size of the key: ${(size / 1e6).toFixed(1)} MB.`.trim() });
}
await writeFile(`${folder}/list.json`, JSON.stringify(list));
