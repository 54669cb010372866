/**
 * A map of many similar values in few bytes. Each value is written, with its key first, behind the values before it in
 * chunks of bytes. A hash table finds it by its key. `get` builds the value anew every time: a change to the value
 * counts only after `set`, which puts the value last. Replaced and deleted values stay as dead bytes. A chunk without
 * live values is dropped at once, and when a third of the bytes is dead, everything is rewritten. The order of values
 * follows from the calls alone (I6).
 *
 * `capture` takes the chunks by reference, without a copy. Bytes that were captured never change: new values are
 * written behind them, and a chunk that was captured is copied before an entry in it dies.
 */
import { hashText } from '@parterre/shared/text-hash';
import { type CapturedMap, headBytes, isDead, lengthOf, livingOf } from './packed-entries.ts';
import { Packer, Unpacker } from './packing.ts';
import { finish, type Steps } from './steps.ts';

/** Writes and reads a value, without its key. */
export type Packing<V> = {
  keyOf(value: V): string;
  pack(packer: Packer, value: V): void;
  unpack(unpacker: Unpacker, key: string): V;
};

/** `live` counts bytes. No entry before `from` is live. `isCaptured` says that the bytes in use may not change. */
type Chunk = { bytes: Buffer; used: number; live: number; from: number; isCaptured: boolean };

const chunkBytes = 2 ** 16;
const chunkBytesFirst = 256;
const placesFirst = 8;
const load = 0.6;
const chunksMax = 2 ** 16 - 1;
const noEntry = 2 ** 32 - 1;
const entriesPerStep = 1_000;

const packer = new Packer();
const unpacker = new Unpacker();

export class PackedMap<V> {
  readonly #packing: Packing<V>;
  /** Null for a chunk without live entries. */
  #chunks: (Chunk | null)[] = [];
  /** The first chunk that is not known to be null: values that are set first usually die first. */
  #firstChunk = 0;
  /** The positions of entries: the chunk's index in the upper 16 bits, the offset in the chunk in the lower 16 bits. */
  #table = new Uint32Array(placesFirst).fill(noEntry);
  /** By place: the hash of the entry's key, so that entries move to other places unread. */
  #hashes = new Uint32Array(placesFirst);
  #size = 0;
  #live = 0;
  #dead = 0;

  constructor(packing: Packing<V>) {
    this.#packing = packing;
  }

  /** The map of the entries that `livingOf` has copied. */
  static from<V>(packing: Packing<V>, packed: Uint8Array): PackedMap<V> {
    return finish(PackedMap.fromInSteps(packing, packed));
  }

  static *fromInSteps<V>(packing: Packing<V>, packed: Uint8Array): Steps<PackedMap<V>> {
    const map = new PackedMap(packing);
    const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
    let entries = 0;
    for (let at = 0; at < bytes.length; at += lengthOf(bytes, at)) {
      if (!isDead(bytes, at)) map.#take(bytes, at, lengthOf(bytes, at));
      if (++entries % entriesPerStep === 0) yield;
    }
    return map;
  }

  get size(): number {
    return this.#size;
  }

  /** The bytes of live entries. They follow from the values set and deleted, not from rewrites. */
  get liveBytes(): number {
    return this.#live;
  }

  /** The bytes that the map takes in memory. */
  get bytes(): number {
    return this.#live + this.#dead + this.#table.byteLength + this.#hashes.byteLength;
  }

  has(key: string): boolean {
    return this.#table[this.#placeOf(key, hashText(key))] !== noEntry;
  }

  get(key: string): Readonly<V> | undefined {
    const at = this.#table[this.#placeOf(key, hashText(key))]!;
    if (at === noEntry) return undefined;
    // `#placeOf` has left the unpacker behind the key.
    return this.#packing.unpack(unpacker, key);
  }

  set(value: V): void {
    const key = this.#packing.keyOf(value);
    const hash = hashText(key);
    let place = this.#placeOf(key, hash);
    if (this.#table[place] !== noEntry) {
      this.delete(key);
      place = this.#placeOf(key, hash);
    }
    packer.length = headBytes;
    packer.text(key);
    this.#packing.pack(packer, value);
    packer.bytes.writeUInt32LE(packer.length * 2, 0);
    this.#put(place, hash, this.#append(packer.bytes, 0, packer.length));
  }

  delete(key: string): void {
    const place = this.#placeOf(key, hashText(key));
    const at = this.#table[place]!;
    if (at === noEntry) return;
    this.#kill(at);
    this.#size--;
    this.#close(place);
    const isSparse = this.#dead > Math.max(chunkBytes, this.#live / 2);
    if (isSparse || this.#chunks.length > chunksMax / 2) this.#writeAnew();
  }

  /** The values in the order in which they were set. */
  *values(): Generator<Readonly<V>> {
    for (const { bytes, at } of this.#entries()) {
      unpacker.bytes = bytes;
      unpacker.at = at + headBytes;
      yield this.#packing.unpack(unpacker, unpacker.text()!);
    }
  }

  /** The value that was set first. */
  first(): Readonly<V> | undefined {
    for (const value of this.values()) return value;
    return undefined;
  }

  /**
   * Calls a reader for every live entry. The unpacker stands behind the key, and the reader may stop reading anywhere.
   * `at` is an argument for `keyAt` until the map changes. Call `keyAt` after the scan, not within it, because both use
   * the one unpacker.
   */
  scan(read: (unpacker: Unpacker, at: number) => void): void {
    for (const [index, chunk] of this.#chunks.entries()) {
      if (chunk === null) continue;
      const { bytes, used } = chunk;
      for (let at = chunk.from, length = 0; at < used; at += length) {
        length = lengthOf(bytes, at);
        if (isDead(bytes, at)) continue;
        unpacker.bytes = bytes;
        unpacker.at = at + headBytes;
        unpacker.skipText();
        read(unpacker, index * 2 ** 16 + at);
      }
    }
  }

  keyAt(at: number): string {
    this.#goTo(at);
    return unpacker.text()!;
  }

  /** The present values, for `livingOf`. Takes microseconds. */
  capture(): CapturedMap {
    const chunks = [];
    for (const chunk of this.#chunks) {
      if (chunk === null) continue;
      chunk.isCaptured = true;
      chunks.push({ bytes: chunk.bytes, used: chunk.used, from: chunk.from });
    }
    return { chunks, live: this.#live };
  }

  /** The live entries as bytes of their own, for `from`. */
  copyLiving(): Uint8Array {
    const chunks = this.#chunks.filter((chunk) => chunk !== null);
    return finish(livingOf({ chunks, live: this.#live }));
  }

  *#entries(): Generator<{ bytes: Buffer; at: number }> {
    while (this.#chunks[this.#firstChunk] === null) this.#firstChunk++;
    for (let index = this.#firstChunk; index < this.#chunks.length; index++) {
      const chunk = this.#chunks[index];
      if (!chunk) continue;
      for (let at = chunk.from; at < chunk.used; ) {
        if (!isDead(chunk.bytes, at)) yield { bytes: chunk.bytes, at };
        at += lengthOf(chunk.bytes, at);
      }
    }
  }

  /** The place of this key in the table, or the free place for it. Leaves `unpacker` behind a key that was found. */
  #placeOf(key: string, hash: number): number {
    const mask = this.#table.length - 1;
    let place = hash & mask;
    for (;;) {
      const at = this.#table[place]!;
      if (at === noEntry) return place;
      if (this.#hashes[place] === hash) {
        this.#goTo(at);
        if (unpacker.isText(key)) return place;
      }
      place = (place + 1) & mask;
    }
  }

  /** Puts an entry into a free place. */
  #put(place: number, hash: number, at: number): void {
    this.#table[place] = at;
    this.#hashes[place] = hash;
    this.#size++;
    this.#makeRoom();
  }

  #goTo(at: number): void {
    unpacker.bytes = this.#chunks[at >>> 16]!.bytes;
    unpacker.at = (at & 0xffff) + headBytes;
  }

  /** Copies an entry of another map. */
  #take(bytes: Buffer, start: number, length: number): void {
    unpacker.bytes = bytes;
    unpacker.at = start + headBytes;
    const key = unpacker.text()!;
    const hash = hashText(key);
    const place = this.#placeOf(key, hash);
    this.#put(place, hash, this.#append(bytes, start, length));
  }

  #append(bytes: Buffer, start: number, length: number): number {
    const chunk = this.#chunkFor(length);
    bytes.copy(chunk.bytes, chunk.used, start, start + length);
    const at = (this.#chunks.length - 1) * 2 ** 16 + chunk.used;
    chunk.used += length;
    chunk.live += length;
    this.#live += length;
    return at;
  }

  /** The last chunk if the entry fits, enlarged if necessary; otherwise a new chunk. */
  #chunkFor(length: number): Chunk {
    const last = this.#chunks.at(-1);
    const wanted = (last?.used ?? 0) + length;
    // A chunk above `chunkBytes` was made for one large entry. No other entry begins in it: 16 bits hold its offset.
    if (last && last.used < chunkBytes && wanted <= last.bytes.length) return last;
    if (last && wanted <= chunkBytes) {
      const larger = Buffer.allocUnsafeSlow(Math.min(chunkBytes, Math.max(2 * last.bytes.length, wanted)));
      last.bytes.copy(larger, 0, 0, last.used);
      [last.bytes, last.isCaptured] = [larger, false];
      return last;
    }
    if (this.#chunks.length >= chunksMax) throw new Error('a packed map has too many chunks');
    const size = Math.max(last ? chunkBytes : chunkBytesFirst, length);
    const chunk = { bytes: Buffer.allocUnsafeSlow(size), used: 0, live: 0, from: 0, isCaptured: false };
    this.#chunks.push(chunk);
    return chunk;
  }

  #kill(at: number): void {
    const index = at >>> 16;
    const chunk = this.#chunks[index]!;
    const start = at & 0xffff;
    const length = lengthOf(chunk.bytes, start);
    if (chunk.isCaptured) {
      [chunk.bytes, chunk.isCaptured] = [Buffer.allocUnsafeSlow(chunk.bytes.length).fill(chunk.bytes), false];
    }
    chunk.bytes.writeUInt32LE(2 * length + 1, start);
    chunk.live -= length;
    this.#live -= length;
    this.#dead += length;
    if (chunk.live > 0) {
      while (isDead(chunk.bytes, chunk.from)) chunk.from += lengthOf(chunk.bytes, chunk.from);
      return;
    }
    this.#dead -= chunk.used;
    if (index < this.#chunks.length - 1) this.#chunks[index] = null;
    else [chunk.used, chunk.from] = [0, 0];
  }

  /**
   * Frees a place. Entries that stand behind the place because it was taken move up, so that no search stops at a gap.
   */
  #close(freed: number): void {
    const table = this.#table;
    const hashes = this.#hashes;
    const mask = table.length - 1;
    let gap = freed;
    for (let place = (gap + 1) & mask; table[place] !== noEntry; place = (place + 1) & mask) {
      const home = hashes[place]! & mask;
      if (((place - home) & mask) < ((place - gap) & mask)) continue;
      table[gap] = table[place]!;
      hashes[gap] = hashes[place]!;
      gap = place;
    }
    table[gap] = noEntry;
  }

  #makeRoom(): void {
    if (this.#size <= load * this.#table.length) return;
    const [before, hashesBefore] = [this.#table, this.#hashes];
    const table = new Uint32Array(2 * before.length).fill(noEntry);
    const hashes = new Uint32Array(2 * before.length);
    const mask = table.length - 1;
    for (let from = 0; from < before.length; from++) {
      if (before[from] === noEntry) continue;
      const hash = hashesBefore[from]!;
      let place = hash & mask;
      while (table[place] !== noEntry) place = (place + 1) & mask;
      table[place] = before[from]!;
      hashes[place] = hash;
    }
    [this.#table, this.#hashes] = [table, hashes];
  }

  #writeAnew(): void {
    const living = [...this.#entries()];
    this.#chunks = [];
    this.#firstChunk = 0;
    this.#table.fill(noEntry);
    [this.#size, this.#live, this.#dead] = [0, 0, 0];
    for (const { bytes, at } of living) this.#take(bytes, at, lengthOf(bytes, at));
  }
}
