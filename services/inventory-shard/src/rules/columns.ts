/**
 * Many alike values as few large ones, since what is few and large is quick to copy, encode and decode: numbers as the
 * bytes of a typed array (little-endian, as on every platform Node runs on), texts as one text and the length of each.
 */

export type Texts = { text: string; lengths: Uint8Array };

type NumberArray = Uint8Array | Int32Array | Float64Array;

export function toBytes(column: NumberArray): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

/** Copied, since what was decoded need not be aligned (and a Buffer's `slice` copies nothing). */
export function toInt32(bytes: Uint8Array): Int32Array {
  return new Int32Array(new Uint8Array(bytes).buffer);
}

export function toFloat64(bytes: Uint8Array): Float64Array {
  return new Float64Array(new Uint8Array(bytes).buffer);
}

/** Null is told from the empty text. */
export function joinTexts(texts: readonly (string | null)[]): Texts {
  const lengths = new Int32Array(texts.length);
  for (let i = 0; i < texts.length; i++) lengths[i] = texts[i]?.length ?? -1;
  return { text: texts.join(''), lengths: toBytes(lengths) };
}

export function splitTexts({ text, lengths }: Texts): (string | null)[] {
  const each = toInt32(lengths);
  const texts = new Array<string | null>(each.length);
  let at = 0;
  for (let i = 0; i < each.length; i++) {
    const length = each[i]!;
    texts[i] = length < 0 ? null : text.slice(at, at + length);
    at += Math.max(length, 0);
  }
  return texts;
}

/** Lists of whole numbers, one after the other. */
export type Lists = { lengths: Uint8Array; items: Uint8Array };

/** Null is told from the empty list. */
export function joinLists(lists: readonly (number[] | null)[]): Lists {
  const lengths = new Int32Array(lists.length);
  let total = 0;
  for (let i = 0; i < lists.length; i++) {
    lengths[i] = lists[i]?.length ?? -1;
    total += Math.max(lengths[i]!, 0);
  }
  const items = new Int32Array(total);
  let at = 0;
  for (const list of lists) {
    if (list === null) continue;
    items.set(list, at);
    at += list.length;
  }
  return { lengths: toBytes(lengths), items: toBytes(items) };
}

export function splitLists({ lengths, items }: Lists): (number[] | null)[] {
  const each = toInt32(lengths);
  const all = toInt32(items);
  const lists = new Array<number[] | null>(each.length);
  let at = 0;
  for (let i = 0; i < each.length; i++) {
    const length = each[i]!;
    lists[i] = length < 0 ? null : Array.from(all.subarray(at, at + length));
    at += Math.max(length, 0);
  }
  return lists;
}
