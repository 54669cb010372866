/**
 * Entries in chunks of bytes, one behind the other, in the order in which they were appended. A position names an
 * entry: the chunk's id in the upper 16 bits, the offset in the chunk in the lower 16 bits.
 *
 * Removed entries stay as dead bytes. A chunk without live entries is dropped. When a third of a chunk is dead, its
 * live entries move: behind those of the chunk before, or else together. Chunks that fit into one are joined. The order
 * stays, and no call moves more than two chunks, however many there are.
 *
 * `capture` takes the chunks by reference. Captured bytes never change: new entries are written behind them, and a
 * captured chunk is copied before an entry in it dies.
 */
import { type CapturedMap, headBytes, isDead, lengthOf } from './packed-entries.ts';
import { Unpacker } from './packing.ts';

/** `live` counts bytes. No entry before `from` is live; the entry at `from` is. */
type Chunk = {
  id: number;
  bytes: Buffer;
  used: number;
  live: number;
  from: number;
  isCaptured: boolean;
  before: Chunk | null;
  after: Chunk | null;
};

type Entries = Pick<Chunk, 'id' | 'bytes' | 'used' | 'from'>;

const chunkBytes = 2 ** 16;
const chunkBytesFirst = 256;
/** The last id would make a position that stands for no entry. */
const chunksMax = 2 ** 16 - 1;
/** Entries are not moved for fewer dead bytes. */
const deadBytesMin = 2 ** 10;

/** Shared by all chunks: nothing else is read between two reads of one entry. */
const unpacker = new Unpacker();

export class Chunks {
  /** Called with the key of an entry that has moved. */
  readonly #onMoved: (key: string, from: number, to: number) => void;
  readonly #byId: (Chunk | null)[] = [];
  readonly #freeIds: number[] = [];
  #first: Chunk | null = null;
  #last: Chunk | null = null;
  #live = 0;
  #used = 0;

  constructor(onMoved: (key: string, from: number, to: number) => void) {
    this.#onMoved = onMoved;
  }

  /** The bytes of live entries. */
  get live(): number {
    return this.#live;
  }

  /** The bytes of all entries. */
  get used(): number {
    return this.#used;
  }

  /** The position of the first live entry, null without one. */
  get first(): number | null {
    return this.#first && this.#first.live > 0 ? positionIn(this.#first, this.#first.from) : null;
  }

  /** Copies an entry to the end, and returns its position. */
  append(bytes: Buffer, start: number, length: number): number {
    const chunk = this.#chunkFor(length);
    bytes.copy(chunk.bytes, chunk.used, start, start + length);
    const at = positionIn(chunk, chunk.used);
    chunk.used += length;
    chunk.live += length;
    this.#used += length;
    this.#live += length;
    return at;
  }

  remove(at: number): void {
    const chunk = this.#byId[at >>> 16]!;
    const start = at & 0xffff;
    const length = lengthOf(chunk.bytes, start);
    chunk.live -= length;
    this.#live -= length;
    if (chunk.live === 0) {
      this.#empty(chunk);
      return;
    }
    if (chunk.isCaptured) this.#enlarge(chunk, chunk.bytes.length);
    chunk.bytes.writeUInt32LE(2 * length + 1, start);
    while (isDead(chunk.bytes, chunk.from)) chunk.from += lengthOf(chunk.bytes, chunk.from);
    if (this.#isSparse(chunk)) this.#tidy(chunk);
  }

  get unpacker(): Unpacker {
    return unpacker;
  }

  /** The unpacker, at the key of the entry. */
  at(at: number): Unpacker {
    unpacker.bytes = this.#byId[at >>> 16]!.bytes;
    unpacker.at = (at & 0xffff) + headBytes;
    return unpacker;
  }

  /** Whether the entry has this key. Leaves the unpacker behind a key that is equal. */
  hasKey(at: number, key: string): boolean {
    return this.at(at).isText(key);
  }

  /** The positions of live entries in their order, while nothing is changed. */
  *positions(): Generator<number> {
    for (let chunk = this.#first; chunk; chunk = chunk.after) {
      for (let at = chunk.from; at < chunk.used; at += lengthOf(chunk.bytes, at)) {
        if (!isDead(chunk.bytes, at)) yield positionIn(chunk, at);
      }
    }
  }

  /** Takes microseconds. */
  capture(): CapturedMap {
    const chunks = [];
    for (let chunk = this.#first; chunk; chunk = chunk.after) {
      chunk.isCaptured = true;
      chunks.push({ bytes: chunk.bytes, used: chunk.used, from: chunk.from });
    }
    return { chunks, live: this.#live };
  }

  /** The last chunk if the entry fits, enlarged if necessary; otherwise a new chunk. */
  #chunkFor(length: number): Chunk {
    if (this.#last && this.#fits(this.#last, length)) {
      this.#reserve(this.#last, length);
      return this.#last;
    }
    if (this.#last?.live === 0) this.#drop(this.#last);
    const last = this.#last;
    const id = this.#freeIds.pop() ?? this.#byId.length;
    if (id >= chunksMax) throw new Error('a packed map has too many chunks');
    const bytes = Buffer.allocUnsafeSlow(Math.max(last ? chunkBytes : chunkBytesFirst, length));
    const chunk: Chunk = { id, bytes, used: 0, live: 0, from: 0, isCaptured: false, before: last, after: null };
    if (last) last.after = chunk;
    else this.#first = chunk;
    this.#byId[id] = chunk;
    this.#last = chunk;
    return chunk;
  }

  /** An entry above `chunkBytes` has a chunk of its own: 16 bits hold the offset of no other entry in it. */
  #fits(chunk: Chunk, length: number): boolean {
    return chunk.used + length <= chunkBytes;
  }

  #reserve(chunk: Chunk, length: number): void {
    const wanted = chunk.used + length;
    if (wanted > chunk.bytes.length)
      this.#enlarge(chunk, Math.min(chunkBytes, Math.max(2 * chunk.bytes.length, wanted)));
  }

  #enlarge(chunk: Chunk, size: number): void {
    const bytes = Buffer.allocUnsafeSlow(size);
    chunk.bytes.copy(bytes, 0, 0, chunk.used);
    [chunk.bytes, chunk.isCaptured] = [bytes, false];
  }

  /** The chunk has no live entry. The last chunk is used again. */
  #empty(chunk: Chunk): void {
    if (chunk === this.#last && !chunk.isCaptured && chunk.bytes.length <= chunkBytes) {
      this.#used -= chunk.used;
      [chunk.used, chunk.from] = [0, 0];
      return;
    }
    const { before } = chunk;
    this.#drop(chunk);
    if (before) this.#join(before);
  }

  #drop(chunk: Chunk): void {
    const { id, used, before, after } = chunk;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    this.#byId[id] = null;
    this.#freeIds.push(id);
    this.#used -= used;
  }

  /** The first chunk is left alone while its entries die in their order: it is dropped soon. */
  #isSparse(chunk: Chunk): boolean {
    const dead = chunk.used - chunk.live;
    if (dead <= Math.max(deadBytesMin, chunk.live / 2)) return false;
    return chunk !== this.#first || dead > chunk.from;
  }

  #tidy(chunk: Chunk): void {
    const { before } = chunk;
    if (before && this.#fits(before, chunk.live)) {
      this.#moveAll(chunk, before);
      this.#join(before);
      return;
    }
    const { id, bytes, used, from, live } = chunk;
    this.#used -= used;
    [chunk.bytes, chunk.isCaptured] = [Buffer.allocUnsafeSlow(live), false];
    [chunk.used, chunk.from] = [0, 0];
    this.#copyLiving({ id, bytes, used, from }, chunk);
    this.#join(chunk);
  }

  /** Joins a chunk with the chunk behind it, if one chunk has room for both. */
  #join(chunk: Chunk): void {
    const { after } = chunk;
    if (after && this.#fits(chunk, after.live)) this.#moveAll(after, chunk);
  }

  #moveAll(chunk: Chunk, into: Chunk): void {
    this.#reserve(into, chunk.live);
    this.#copyLiving(chunk, into);
    into.live += chunk.live;
    this.#drop(chunk);
  }

  /** A moved entry stands at or before its old place, so no entry is written over another that has yet to move. */
  #copyLiving(entries: Entries, into: Chunk): void {
    const { bytes, used } = entries;
    for (let at = entries.from, length = 0; at < used; at += length) {
      length = lengthOf(bytes, at);
      if (isDead(bytes, at)) continue;
      bytes.copy(into.bytes, into.used, at, at + length);
      unpacker.bytes = bytes;
      unpacker.at = at + headBytes;
      this.#onMoved(unpacker.text()!, positionIn(entries, at), positionIn(into, into.used));
      into.used += length;
      this.#used += length;
    }
  }
}

function positionIn({ id }: Entries, at: number): number {
  return id * 2 ** 16 + at;
}
