// The sums of a proof: their points in the key, and their scalars.

import { sections } from './binfile.mjs';

/** Numbers of the .zkey sections with points. */
const numbers = { a: 5, b1: 6, b2: 7, c: 8, h: 9 };

/** True if at least half of some scalars have more than 128 bits; zeros do not count. */
function areMostlyLong(scalars) {
    const view = new DataView(scalars.buffer, scalars.byteOffset, scalars.byteLength);
    const word = (offset) => view.getUint32(offset, true);
    const half = (offset) => word(offset) | word(offset + 4) | word(offset + 8) | word(offset + 12);
    let [long, short] = [0, 0];
    for (let offset = 0; offset < scalars.length; offset += 32) {
        if (half(offset + 16) !== 0) long += 1;
        else if (half(offset) !== 0) short += 1;
    }
    return long >= short;
}

/**
 * A sum over points of one group, or the sums over points of both groups with the same scalars. Points and scalars are arrays, one after
 * the other.
 * @typedef {{ group: string, points: { g1?: Uint8Array[], g2?: Uint8Array[] }, scalars: Uint8Array[], isLong: boolean }} Sum
 */

/** The sums of a proof, after a check that key and witness fit together. */
export class Terms {
    #key;
    #values;
    #privates;
    #coordinate;
    /**
     * True if the last sum is the sum over H and C: one sum has wider windows than two sums. Short scalars of C would not use the
     * images of H's points.
     */
    #joins;

    constructor(zkey, wtns, { curve, signals, public: count }) {
        this.#key = sections(zkey, 'zkey');
        const witness = sections(wtns, 'wtns');
        this.#values = witness(2);
        // Both headers state the scalars' prime behind its length; a key's header has the coordinates' prime before.
        this.#coordinate = curve === 'bn254' ? 32 : 48;
        const prime = this.#key(2).subarray(4 + this.#coordinate, 4 + this.#coordinate + 36);
        if (!prime.every((byte, i) => byte === witness(1)[i])) {
            throw new Error(`the witness is over another field than the curve ${curve}: was it made for another circuit?`);
        }
        if (this.#values.length !== 32 * signals) {
            throw new Error(
                `the witness has ${this.#values.length / 32} values, but the circuit has ${signals} signals: was it made for another circuit?`,
            );
        }
        this.#privates = this.#values.subarray(32 * (count + 1));
        this.#joins = areMostlyLong(this.#privates);
    }

    #points(name) {
        return [this.#key(numbers[name])];
    }

    /** The number of steps of the proof: the quotient, each sum, and the rest. */
    get steps() {
        return this.#joins ? 5 : 6;
    }

    /**
     * Returns the sums that need no quotient, the longest one first.
     * @returns {Sum[]}
     */
    first() {
        const all = [this.#values];
        const b = { group: 'b', points: { g1: this.#points('b1'), g2: this.#points('b2') }, scalars: all, isLong: true };
        const a = { group: 'a', points: { g1: this.#points('a') }, scalars: all, isLong: false };
        if (this.#joins) return [b, a];
        return [b, a, { group: 'c', points: { g1: this.#points('c') }, scalars: [this.#privates], isLong: false }];
    }

    /**
     * Returns the last sum, whose scalars are the quotient.
     * @returns {Sum}
     */
    last(quotient) {
        if (!this.#joins) return { group: 'h', points: { g1: this.#points('h') }, scalars: [quotient], isLong: true };
        const points = { g1: [...this.#points('h'), ...this.#points('c')] };
        return { group: 'h and c', points, scalars: [quotient, this.#privates], isLong: true };
    }

    /** Joins the sums, {@link first}'s and the last one, in the order A, B in G1, B in G2, C, H. */
    join(sums) {
        const [[b1, b2], [a], ...others] = sums;
        const infinity = new Uint8Array(2 * this.#coordinate);
        const [c, h] = this.#joins ? [infinity, ...others.flat()] : others.flat();
        // Four points of G1, and one of G2 with twice the bytes.
        const joined = new Uint8Array(12 * this.#coordinate);
        let offset = 0;
        for (const sum of [a, b1, b2, c, h]) {
            joined.set(sum, offset);
            offset += sum.length;
        }
        return joined;
    }
}
