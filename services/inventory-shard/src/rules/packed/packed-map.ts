/**
 * A map of many similar values in few bytes. Each value is an entry in chunks of bytes (chunks.ts), with its key first.
 * An index finds it by its key (key-index.ts). `get` builds the value anew every time: a change to the value counts
 * only after `set`, which puts the value last. The order of values follows from the calls alone (I6).
 *
 * No call takes longer because the map has many values.
 */
import { hashText } from '@parterre/shared/runtime/text-hash';
import { Chunks } from './chunks.ts';
import { KeyIndex, noEntry } from './key-index.ts';
import { type CapturedMap, headBytes, isDead, lengthOf, livingOf } from './packed-entries.ts';
import { Packer, Unpacker } from './packing.ts';
import { finish, type Steps } from './steps.ts';

/** Writes and reads a value, without its key. */
export type Packing<V> = {
  keyOf(value: V): string;
  pack(packer: Packer, value: V): void;
  unpack(unpacker: Unpacker, key: string): V;
};

const entriesPerStep = 1_000;

const packer = new Packer();
const unpacker = new Unpacker();

export class PackedMap<V> {
  readonly #packing: Packing<V>;
  readonly #chunks: Chunks;
  readonly #index: KeyIndex;

  constructor(packing: Packing<V>) {
    this.#packing = packing;
    this.#chunks = new Chunks((key, from, to) => this.#index.move(hashText(key), from, to));
    this.#index = new KeyIndex(this.#chunks);
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
    return this.#index.size;
  }

  /** The bytes of live entries. They follow from the values set and deleted alone. */
  get liveBytes(): number {
    return this.#chunks.live;
  }

  /** The bytes that the map takes in memory. */
  get bytes(): number {
    return this.#chunks.used + this.#index.bytes;
  }

  has(key: string): boolean {
    return this.#index.find(key, hashText(key)) !== noEntry;
  }

  get(key: string): Readonly<V> | undefined {
    const at = this.#index.find(key, hashText(key));
    // The unpacker stands behind the key.
    return at === noEntry ? undefined : this.#packing.unpack(this.#chunks.unpacker, key);
  }

  set(value: V): void {
    const key = this.#packing.keyOf(value);
    const hash = hashText(key);
    this.#delete(key, hash);
    packer.length = headBytes;
    packer.text(key);
    this.#packing.pack(packer, value);
    packer.bytes.writeUInt32LE(packer.length * 2, 0);
    this.#index.add(hash, this.#chunks.append(packer.bytes, 0, packer.length));
  }

  delete(key: string): void {
    this.#delete(key, hashText(key));
  }

  /** The values in the order in which they were set. */
  *values(): Generator<Readonly<V>> {
    for (const at of this.#chunks.positions()) yield this.#valueAt(at);
  }

  /** The value that was set first. */
  first(): Readonly<V> | undefined {
    const at = this.#chunks.first;
    return at === null ? undefined : this.#valueAt(at);
  }

  /**
   * Calls a reader for every live entry. The map must not change between the steps. The unpacker stands behind the key,
   * and the reader may stop reading anywhere. `at` is an argument for `keyAt` until the map changes. Call `keyAt` after
   * the scan, not within it, because both use the one unpacker.
   */
  *scanInSteps(read: (unpacker: Unpacker, at: number) => void): Steps<void> {
    let entries = 0;
    for (const at of this.#chunks.positions()) {
      const from = this.#chunks.at(at);
      from.skipText();
      read(from, at);
      if (++entries % entriesPerStep === 0) yield;
    }
  }

  keyAt(at: number): string {
    return this.#chunks.at(at).text()!;
  }

  /** The present values, for `livingOf`. Takes microseconds. */
  capture(): CapturedMap {
    return this.#chunks.capture();
  }

  /** The live entries as bytes of their own, for `from`. */
  copyLiving(): Uint8Array {
    return finish(livingOf(this.capture()));
  }

  #valueAt(at: number): V {
    const from = this.#chunks.at(at);
    return this.#packing.unpack(from, from.text()!);
  }

  #delete(key: string, hash: number): void {
    const at = this.#index.find(key, hash);
    if (at === noEntry) return;
    this.#index.remove(hash, at);
    this.#chunks.remove(at);
  }

  /** Copies an entry of another map. */
  #take(bytes: Buffer, start: number, length: number): void {
    unpacker.bytes = bytes;
    unpacker.at = start + headBytes;
    const hash = hashText(unpacker.text()!);
    this.#index.add(hash, this.#chunks.append(bytes, start, length));
  }
}
