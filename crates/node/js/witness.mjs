/**
 * Calculates witnesses with circom's WebAssembly, which the host's own engine runs. Needs nothing of Node or of a browser.
 *
 * Circom has two interfaces. Circom 2 passes values through one place in its memory, one value at a time. Circom 1 leaves elements
 * of its field in its memory. Errors have the texts of snarkjs.
 */

/** Number of pages of 64 KiB that a circuit of circom 1 gets. Only the pages that the circuit touches cost memory. */
const PAGES = 32767;

/**
 * Compiles a circuit. The module serves any number of calculations.
 *
 * @param {BufferSource} wasm the bytes of circom's WebAssembly
 * @returns {Promise<WebAssembly.Module>}
 */
export function compileCircuit(wasm) {
    return WebAssembly.compile(wasm);
}

/**
 * Calculates the witness of a circuit for some inputs.
 *
 * @param {WebAssembly.Module} module the circuit
 * @param {object} inputs a value for each input signal: numbers, bigints, decimal and hexadecimal strings, nested arrays of these,
 *     or objects with the fields of a bus
 * @param {object} [options] `log(line)` receives the lines that the circuit logs, by default `console.log`; `sanityCheck` turns
 *     circom's own checks on; `memorySize` is the number of pages for circom 1; `sym.labelIdx2Name` names signals in errors of
 *     circom 1, and `logSetSignal`, `logGetSignal`, `logStartComponent` and `logFinishComponent` watch it
 * @returns {Promise<{version: number, prime: bigint, valueBytes: number, values: Uint8Array}>} the values, little-endian
 */
export async function calculateWitness(module, inputs, options = {}) {
    const host = new Host(options);
    const instance = await WebAssembly.instantiate(module, host.imports(module));
    host.exports = instance.exports;
    const version = instance.exports.getVersion?.() ?? 1;
    if (version !== 1 && version !== 2) {
        throw new Error(`Unsupported circom version: ${version}`);
    }
    const circuit = new (version === 1 ? Circom1 : Circom2)(instance.exports, host);
    host.circuit = circuit;
    circuit.start(isChecked(options) ? 1 : 0);
    circuit.setInputs(inputs);
    const { prime, valueBytes } = circuit;
    return { version, prime, valueBytes, values: circuit.readValues() };
}

/**
 * Returns the values of a witness as integers.
 *
 * @param {{valueBytes: number, values: Uint8Array}} witness
 * @returns {bigint[]}
 */
export function witnessIntegers({ valueBytes, values }) {
    const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
    return Array.from({ length: values.length / valueBytes }, (_, i) => readInteger(view, i * valueBytes, valueBytes));
}

/**
 * Returns a witness as a `.wtns` file.
 *
 * @param {{prime: bigint, valueBytes: number, values: Uint8Array}} witness
 * @returns {Uint8Array}
 */
export function encodeWtns({ prime, valueBytes, values }) {
    const headerBytes = 8 + valueBytes;
    const file = new Uint8Array(12 + 12 + headerBytes + 12 + values.length);
    const view = new DataView(file.buffer);
    file.set([..."wtns"].map((character) => character.charCodeAt(0)));
    view.setUint32(4, 2, true);
    view.setUint32(8, 2, true);
    view.setUint32(12, 1, true);
    view.setBigUint64(16, BigInt(headerBytes), true);
    view.setUint32(24, valueBytes, true);
    writeInteger(view, 28, valueBytes, prime);
    view.setUint32(28 + valueBytes, values.length / valueBytes, true);
    const section = 24 + headerBytes;
    view.setUint32(section, 2, true);
    view.setBigUint64(section + 4, BigInt(values.length), true);
    file.set(values, section + 12);
    return file;
}

/** True if circom's own checks are on: the options that watch signals switch them on, too. */
function isChecked(options) {
    const { sanityCheck, logSetSignal, logGetSignal, logStartComponent, logFinishComponent } = options;
    return Boolean(sanityCheck || logSetSignal || logGetSignal || logStartComponent || logFinishComponent);
}

/** The imports of a circuit: a log, and a function that ends the circuit with its error. */
class Host {
    constructor(options) {
        this.options = options;
        this.log = options.log ?? ((line) => console.log(line));
        /** Places of an error, each in its own line. */
        this.places = "";
        /** The beginning of the next line to log. */
        this.line = [];
    }

    /** The functions and the memory that a circuit imports. */
    imports(module) {
        const imported = WebAssembly.Module.imports(module);
        const endsLines = imported.some(({ name }) => name === "writeBufferMessage");
        if (imported.some(({ kind }) => kind === "memory")) {
            this.memory = allocateMemory(this.options.memorySize);
        }
        return {
            env: { memory: this.memory },
            runtime: {
                ...this.circom1Functions(),
                printDebug: (value) => this.log(`printDebug: ${value}`),
                exceptionHandler: (code) => {
                    throw new Error((ERRORS[code] ?? "Unknown error. ") + this.places);
                },
                printErrorMessage: () => {
                    this.places += `${this.readMessage()}\n`;
                },
                writeBufferMessage: () => {
                    const message = this.readMessage();
                    message === "\n" ? this.endLine() : this.line.push(message);
                },
                showSharedRWMemory: () => {
                    this.line.push(this.circuit.readShared());
                    // Circom before 2.0.7 does not report the ends of lines.
                    endsLines || this.endLine();
                },
            },
        };
    }

    /** The functions that circom 1 imports. */
    circom1Functions() {
        const { options } = this;
        const value = (address) => this.circuit.signedText(address);
        return {
            error: (code, what, a, b, c, d) => {
                const text = (address) => this.circuit.text(address);
                const details = {
                    5: () => options.sym?.labelIdx2Name[c] ?? `${a} ${b} ${c} ${d}`,
                    7: () => `${value(b)} != ${value(c)} ${text(d)}`,
                    9: () => `${value(b)} ${text(c)}`,
                };
                throw new Error(`${text(what)} ${(details[code] ?? (() => `${a} ${b} ${c} ${d}`))()}`);
            },
            log: (address) => this.log(value(address)),
            logGetSignal: (signal, address) => options.logGetSignal?.(signal, this.circuit.element(address)),
            logSetSignal: (signal, address) => options.logSetSignal?.(signal, this.circuit.element(address)),
            logStartComponent: (component) => options.logStartComponent?.(component),
            logFinishComponent: (component) => options.logFinishComponent?.(component),
        };
    }

    endLine() {
        this.log(this.line.join(" "));
        this.line = [];
    }

    /** Reads the circuit's message, character by character. */
    readMessage() {
        let message = "";
        for (let code = this.exports.getMessageChar(); code !== 0; code = this.exports.getMessageChar()) {
            message += String.fromCharCode(code);
        }
        return message;
    }
}

/** Texts of circom 2's errors, by their codes. */
const ERRORS = {
    1: "Signal not found. ",
    2: "Too many signals set. ",
    3: "Signal already set. ",
    4: "Assert Failed. ",
    5: "Not enough memory. ",
    6: "Input signal array access exceeds the size. ",
};

/** Allocates memory for a circuit of circom 1. Each time that the host refuses, asks for half as much. */
function allocateMemory(size) {
    let pages = size ? Number.parseInt(size, 10) : PAGES;
    if (pages < 0) {
        throw new Error("Invalid memory size");
    }
    for (;;) {
        try {
            return new WebAssembly.Memory({ initial: pages });
        } catch (error) {
            if (!(pages > 1)) {
                throw error;
            }
            pages = Math.floor(pages / 2);
        }
    }
}

/** A circuit of circom 2. */
class Circom2 {
    constructor(exports, host) {
        this.exports = exports;
        this.memory = exports.memory ?? host.memory;
        this.valueBytes = 4 * exports.getFieldNumLen32();
        this.shared = exports.getSharedRWMemoryStart();
        exports.getRawPrime();
        this.prime = this.readShared();
    }

    /** Returns a view of the memory, whose buffer changes when the memory grows. */
    get view() {
        if (this.cached?.buffer !== this.memory.buffer) {
            this.cached = new DataView(this.memory.buffer);
        }
        return this.cached;
    }

    readShared() {
        return readInteger(this.view, this.shared, this.valueBytes);
    }

    start(checks) {
        this.exports.init(checks);
    }

    setInputs(inputs) {
        const { exports, prime, valueBytes } = this;
        let count = 0;
        for (const [name, values] of namedValues(inputs)) {
            const [high, low] = hash(name);
            // Circom before 2.0.4 does not report the lengths of inputs.
            const expected = exports.getInputSignalSize?.(high, low) ?? values.length;
            if (expected < 0) {
                throw new Error(`Signal ${name} not found\n`);
            }
            if (values.length !== expected) {
                throw new Error(`${values.length < expected ? "Not enough" : "Too many"} values for input signal ${name}\n`);
            }
            values.forEach((value, index) => {
                writeInteger(this.view, this.shared, valueBytes, reduce(value, prime));
                try {
                    exports.setInputSignal(high, low, index);
                } catch (error) {
                    throw new Error(String(error), { cause: error });
                }
            });
            count += values.length;
        }
        const needed = exports.getInputSize();
        if (count < needed) {
            throw new Error(`Not all inputs have been set. Only ${count} out of ${needed}`);
        }
    }

    readValues() {
        const { exports, valueBytes } = this;
        const values = new Uint8Array(exports.getWitnessSize() * valueBytes);
        for (let at = 0, index = 0; at < values.length; at += valueBytes, index++) {
            exports.getWitness(index);
            values.set(new Uint8Array(this.memory.buffer, this.shared, valueBytes), at);
        }
        return values;
    }
}

/** The flag of an element of circom 1 whose value is the large value. */
const LONG = 0x80000000;
/** The flag of an element whose large value is in Montgomery form. */
const MONTGOMERY = 0x40000000;
/** The address at which a circuit of circom 1 stores the number of values of all inputs. */
const NEEDED = 16;

/** A circuit of circom 1. An element is a small value, flags, and a large value. */
class Circom1 {
    constructor(exports, host) {
        this.exports = exports;
        this.view = new DataView(host.memory.buffer);
        this.elementBytes = exports.getFrLen();
        this.valueBytes = this.elementBytes - 8;
        this.prime = readInteger(this.view, exports.getPRawPrime(), this.valueBytes);
    }

    /** The inverse of Montgomery's factor. */
    get inverse() {
        this.kept ??= power((1n << BigInt(8 * this.valueBytes)) % this.prime, this.prime - 2n, this.prime);
        return this.kept;
    }

    /** Returns an element of the field. */
    element(address) {
        const { view, prime, valueBytes } = this;
        const flags = view.getUint32(address + 4, true);
        if (!(flags & LONG)) {
            return reduce(view.getInt32(address, true), prime);
        }
        const large = readInteger(view, address + 8, valueBytes);
        return flags & MONTGOMERY ? (large * this.inverse) % prime : large;
    }

    /** Returns an element in decimal, with a sign if it is in the upper half of the field. */
    signedText(address) {
        const element = this.element(address);
        return String(element > this.prime >> 1n ? element - this.prime : element);
    }

    setElement(address, value) {
        const { view, prime, valueBytes } = this;
        const signed = value > prime >> 1n ? value - prime : value;
        const isSmall = signed === BigInt.asIntN(32, signed);
        view.setInt32(address, isSmall ? Number(signed) : 0, true);
        view.setUint32(address + 4, isSmall ? 0 : LONG, true);
        if (!isSmall) {
            writeInteger(view, address + 8, valueBytes, value);
        }
    }

    text(address) {
        let text = "";
        for (let code = this.view.getUint8(address); code !== 0; code = this.view.getUint8(++address)) {
            text += String.fromCharCode(code);
        }
        return text;
    }

    start(checks) {
        this.exports.init(checks);
    }

    setInputs(inputs) {
        const { exports, view, prime } = this;
        // The first free address. Memory behind it is free again when the inputs are set.
        const free = view.getUint32(0, true);
        const [offset, element] = [free, free + 8];
        view.setUint32(0, element + this.elementBytes, true);
        const needed = view.getUint32(NEEDED, true);
        let count = 0;
        for (const [name, values] of namedValues(inputs)) {
            try {
                exports.getSignalOffset32(offset, 0, ...hash(name));
            } catch (error) {
                throw new Error(`Signal ${name} is not an input of the circuit.`, { cause: error });
            }
            count += values.length;
            if (count > needed) {
                throw new Error(`Too many values for input signal ${name}\n`);
            }
            const first = view.getUint32(offset, true);
            values.forEach((value, index) => {
                this.setElement(element, reduce(value, prime));
                exports.setSignal(0, 0, first + index, element);
            });
        }
        if (count < needed) {
            throw new Error(`Not all inputs have been set. Only ${count} out of ${needed}`);
        }
        view.setUint32(0, free, true);
    }

    readValues() {
        const { exports, view, valueBytes } = this;
        const values = new Uint8Array(exports.getNVars() * valueBytes);
        const out = new DataView(values.buffer);
        for (let at = 0, index = 0; at < values.length; at += valueBytes, index++) {
            writeInteger(out, at, valueBytes, this.element(exports.getPWitness(index)));
        }
        return values;
    }
}

/** Returns the names of input signals and their values, in the order of the inputs. */
function* namedValues(inputs, prefix = "") {
    for (const key of Object.keys(inputs)) {
        yield* signalValues(prefix + key, inputs[key]);
    }
}

/** Returns a signal's values in one list. The fields of a bus are signals with longer names. */
function* signalValues(name, value) {
    if (isBus(value)) {
        yield* namedValues(value, `${name}.`);
    } else if (isList(value) && hasBus(value)) {
        for (const [index, item] of Array.from(value).entries()) {
            yield* signalValues(`${name}[${index}]`, item);
        }
    } else {
        const values = [];
        flatten(value, values);
        yield [name, values];
    }
}

function isList(value) {
    return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

function isBus(value) {
    return typeof value === "object" && value !== null && !isList(value);
}

function hasBus(list) {
    return isList(list) ? hasBus(list[0]) : isBus(list);
}

function flatten(value, values) {
    if (isList(value)) {
        value.forEach((item) => flatten(item, values));
    } else {
        values.push(value);
    }
}

/** Returns an integer of any spelling and sign modulo the prime. */
function reduce(value, prime) {
    const rest = BigInt(value) % prime;
    return rest < 0n ? rest + prime : rest;
}

/** Returns the two halves of the hash with which circom finds a signal: FNV-1a of 64 bits. */
function hash(name) {
    let hash = 0xcbf29ce484222325n;
    for (let i = 0; i < name.length; i++) {
        hash = BigInt.asUintN(64, (hash ^ BigInt(name.charCodeAt(i))) * 0x100000001b3n);
    }
    return [Number(hash >> 32n), Number(hash & 0xffffffffn)];
}

function readInteger(view, at, bytes) {
    let integer = 0n;
    for (let offset = bytes - 8; offset >= 0; offset -= 8) {
        integer = (integer << 64n) | view.getBigUint64(at + offset, true);
    }
    return integer;
}

function writeInteger(view, at, bytes, integer) {
    for (let offset = 0; offset < bytes; offset += 8) {
        // The view takes the lowest 64 bits.
        view.setBigUint64(at + offset, integer, true);
        integer >>= 64n;
    }
}

function power(base, exponent, prime) {
    let product = 1n;
    for (; exponent > 0n; exponent >>= 1n) {
        if (exponent & 1n) {
            product = (product * base) % prime;
        }
        base = (base * base) % prime;
    }
    return product;
}
