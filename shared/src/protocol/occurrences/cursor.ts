/**
 * The cursor of the list of occurrences: the place behind the last occurrence that was listed, in each partition. A
 * partition's journal has one order, and several partitions have none in common, so a cursor names a place in each. A
 * partition without a place begins at its start. Pure.
 */

/**
 * The next group has at least this sequence. Of a group at this sequence, the groups before `group` were listed (a
 * message has groups of several events), and the first `bodies` of this one.
 */
export type OccurrencesPlace = { sequence: number; group: number; bodies: number };

/** By partition. */
export type OccurrencesCursor = ReadonlyMap<number, OccurrencesPlace>;

const base = 36;
/** A cursor without a place. */
const atStart = '-';

export function encodeOccurrencesCursor(cursor: OccurrencesCursor): string {
  if (cursor.size === 0) return atStart;
  const places = [...cursor].sort(([one], [other]) => one - other);
  return places
    .map(([partition, { sequence, group, bodies }]) => {
      const numbers = group + bodies === 0 ? [partition, sequence] : [partition, sequence, group, bodies];
      return numbers.map((number) => number.toString(base)).join('.');
    })
    .join('_');
}

/** An unreadable cursor starts at the beginning, like that of every list. */
export function decodeOccurrencesCursor(text: string | undefined): OccurrencesCursor {
  const places = new Map<number, OccurrencesPlace>();
  for (const place of text ? text.split('_') : []) {
    const numbers = place
      .split('.')
      .map((number) => (/^[0-9a-z]{1,11}$/.test(number) ? Number.parseInt(number, base) : -1));
    const [partition, sequence, group = 0, bodies = 0] = numbers;
    if (
      partition === undefined ||
      sequence === undefined ||
      numbers.some((number) => !Number.isSafeInteger(number) || number < 0)
    ) {
      return new Map();
    }
    places.set(partition, { sequence, group, bodies });
  }
  return places;
}

export function isBefore(one: OccurrencesPlace, other: OccurrencesPlace): boolean {
  if (one.sequence !== other.sequence) return one.sequence < other.sequence;
  return one.group !== other.group ? one.group < other.group : one.bodies < other.bodies;
}
