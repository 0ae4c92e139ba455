// Runs a program for WASI, as cargo's runner for wasm32-wasip1: node tools/wasi.mjs PROGRAM [ARGUMENT...]
import { readFile } from 'node:fs/promises';
import { argv, env, exit } from 'node:process';
import { WASI } from 'node:wasi';

const args = argv.slice(2);
const wasi = new WASI({ version: 'preview1', args, env, returnOnExit: true });
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const { instance } = await WebAssembly.instantiate(await readFile(args[0]), imports);
exit(wasi.start(instance));
