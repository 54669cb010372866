/**
 * Finds positions by the hashes of their keys. The index is cut into segments by the lower bits of the hash. A segment
 * is a hash table with the hash beside each position, so that positions move to other places without their keys. A full
 * segment is doubled, and a full segment of `placesMax` is split in two (extendible hashing). The index thus grows by
 * one small table at a time, however many keys it has.
 */

/** `table` has the position and the hash of each place. `depth` is the number of bits of the hash that all share. */
type Segment = { table: Uint32Array; size: number; depth: number };

export const noEntry = 2 ** 32 - 1;
const placesFirst = 8;
const placesMax = 1_024;
const load = 0.6;
/** Segments are chosen by the lower bits of a hash, places by the upper bits. */
const depthMax = 16;

export class KeyIndex {
  readonly #keys: { hasKey(at: number, key: string): boolean };
  /** By the lower `#depth` bits. Segments with fewer bits stand at several places. */
  #segments: Segment[] = [segmentOf(placesFirst, 0)];
  #depth = 0;
  #size = 0;
  #bytes = this.#segments[0]!.table.byteLength;

  constructor(keys: { hasKey(at: number, key: string): boolean }) {
    this.#keys = keys;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The position of the key, `noEntry` without one. */
  find(key: string, hash: number): number {
    const { table } = this.#segmentAt(hash);
    const mask = table.length - 1;
    for (let place = placeIn(hash, mask); ; place = (place + 2) & mask) {
      const at = table[place]!;
      if (at === noEntry || (table[place + 1] === hash && this.#keys.hasKey(at, key))) return at;
    }
  }

  /** Adds a key that the index does not have. */
  add(hash: number, at: number): void {
    const segment = this.#segmentAt(hash);
    put(segment.table, hash, at);
    segment.size++;
    this.#size++;
    if (2 * segment.size > load * segment.table.length) this.#makeRoom(segment, hash);
  }

  move(hash: number, from: number, to: number): void {
    const { table } = this.#segmentAt(hash);
    table[placeOf(table, hash, from)] = to;
  }

  /** Positions that stand behind the freed place because it was taken move up, so that no search stops at a gap. */
  remove(hash: number, at: number): void {
    const segment = this.#segmentAt(hash);
    const { table } = segment;
    const mask = table.length - 1;
    let gap = placeOf(table, hash, at);
    for (let place = (gap + 2) & mask; table[place] !== noEntry; place = (place + 2) & mask) {
      const home = placeIn(table[place + 1]!, mask);
      if (((place - home) & mask) < ((place - gap) & mask)) continue;
      table[gap] = table[place]!;
      table[gap + 1] = table[place + 1]!;
      gap = place;
    }
    table[gap] = noEntry;
    segment.size--;
    this.#size--;
  }

  #segmentAt(hash: number): Segment {
    return this.#segments[hash & (this.#segments.length - 1)]!;
  }

  #makeRoom(full: Segment, hash: number): void {
    if (full.table.length < 2 * placesMax || full.depth === depthMax) {
      const { table } = full;
      full.table = segmentOf(table.length, full.depth).table;
      eachIn(table, (entry, at) => put(full.table, entry, at));
      this.#bytes += table.byteLength;
    } else this.#split(full, hash);
  }

  #split(full: Segment, hash: number): void {
    const { depth, table } = full;
    if (depth === this.#depth) {
      this.#segments = [...this.#segments, ...this.#segments];
      this.#depth++;
    }
    const bit = 2 ** depth;
    const halves = [segmentOf(placesMax, depth + 1), segmentOf(placesMax, depth + 1)] as const;
    eachIn(table, (entry, at) => {
      const half = halves[entry & bit ? 1 : 0];
      put(half.table, entry, at);
      half.size++;
    });
    for (let i = hash & (bit - 1); i < this.#segments.length; i += bit) this.#segments[i] = halves[i & bit ? 1 : 0];
    this.#bytes += table.byteLength;
  }
}

function segmentOf(places: number, depth: number): Segment {
  return { table: new Uint32Array(2 * places).fill(noEntry), size: 0, depth };
}

/** The home of a hash in a table: an even number. */
function placeIn(hash: number, mask: number): number {
  return ((hash >>> depthMax) << 1) & mask;
}

function put(table: Uint32Array, hash: number, at: number): void {
  const mask = table.length - 1;
  let place = placeIn(hash, mask);
  while (table[place] !== noEntry) place = (place + 2) & mask;
  table[place] = at;
  table[place + 1] = hash;
}

/** The place of a position that the table has. */
function placeOf(table: Uint32Array, hash: number, at: number): number {
  const mask = table.length - 1;
  let place = placeIn(hash, mask);
  while (table[place] !== at) place = (place + 2) & mask;
  return place;
}

function eachIn(table: Uint32Array, visit: (hash: number, at: number) => void): void {
  for (let place = 0; place < table.length; place += 2) {
    if (table[place] !== noEntry) visit(table[place + 1]!, table[place]!);
  }
}
