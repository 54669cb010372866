/** The lines of many holds and bookings in columns. Most have a unit and a price and nothing else. */
import type { Line } from '@parterre/shared/records';
import { toBytes, toFloat64, toInt32 } from './columns.ts';

export type LineColumns = {
  /** Lines of each owner. */
  lengths: Uint8Array;
  units: Uint8Array;
  prices: Uint8Array;
  /** 1 where the owner still owns the line's unit. */
  owned: Uint8Array;
  /** Lines that have more: `numbersPerRest` numbers each, the index of the line first; texts by their index in `words`. */
  rest: Uint8Array;
  words: string[];
};

const numbersPerRest = 6;
const absent = -1;

export function joinLines(lists: Line[][], isOwned: (unit: number, owner: number) => boolean): LineColumns {
  const total = lists.reduce((sum, list) => sum + list.length, 0);
  const lengths = new Int32Array(lists.length);
  const units = new Int32Array(total);
  const prices = new Float64Array(total);
  const owned = new Uint8Array(total);
  const rest: number[] = [];
  const words = new Map<string, number>();
  let at = 0;
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i]!;
    lengths[i] = list.length;
    for (const line of list) {
      units[at] = line.unit;
      prices[at] = line.price;
      owned[at] = isOwned(line.unit, i) ? 1 : 0;
      if (hasMore(line)) rest.push(at, ...moreOf(line, words));
      at++;
    }
  }
  return {
    lengths: toBytes(lengths),
    units: toBytes(units),
    prices: toBytes(prices),
    owned,
    rest: toBytes(Int32Array.from(rest)),
    words: [...words.keys()],
  };
}

function hasMore({ tierId, quantity, group, channelId, releaseId }: Line): boolean {
  return (tierId ?? quantity ?? group ?? channelId ?? releaseId) !== undefined;
}

function moreOf({ tierId, quantity, group, channelId, releaseId }: Line, words: Map<string, number>): number[] {
  const wordOf = (word: string | undefined): number => {
    if (word === undefined) return absent;
    const index = words.get(word) ?? words.size;
    words.set(word, index);
    return index;
  };
  return [wordOf(tierId), quantity ?? absent, group ?? absent, wordOf(channelId), wordOf(releaseId)];
}

/** The lines of each owner, and `owned` by line, counted through all owners. */
export function splitLines(columns: LineColumns): { lines: Line[][]; owned: Uint8Array } {
  const lengths = toInt32(columns.lengths);
  const units = toInt32(columns.units);
  const prices = toFloat64(columns.prices);
  const all = new Array<Line>(units.length);
  for (let i = 0; i < all.length; i++) all[i] = { unit: units[i]!, price: prices[i]! };
  const rest = toInt32(columns.rest);
  for (let r = 0; r < rest.length; r += numbersPerRest) {
    const [index, tier, quantity, group, channel, release] = rest.subarray(
      r,
      r + numbersPerRest,
    ) as unknown as number[];
    const line = all[index!]!;
    if (tier !== absent) line.tierId = columns.words[tier!]!;
    if (quantity !== absent) line.quantity = quantity!;
    if (group !== absent) line.group = group!;
    if (channel !== absent) line.channelId = columns.words[channel!]!;
    if (release !== absent) line.releaseId = columns.words[release!]!;
  }
  const lines = new Array<Line[]>(lengths.length);
  let at = 0;
  for (let i = 0; i < lengths.length; i++) {
    lines[i] = all.slice(at, at + lengths[i]!);
    at += lengths[i]!;
  }
  return { lines, owned: columns.owned };
}
