/**
 * Overrides of single seats. An edit leaves no empty entry, and no field that repeats the object's own. An edit
 * that changes nothing returns the object itself. Pure.
 */
import type { Override, Row, Table } from '@parterre/shared/charts/document';

export type SeatObject = Row | Table;
/** Fields that the document keeps without a schema. */
export type SeatOverride = Override & { viewFromSeatUrl?: unknown; restrictedView?: unknown };

/** Indexes of the seats that stand: skipped ones are left out. */
export function liveSeats({ seatCount, overrides = [] }: SeatObject): number[] {
  const skipped = new Map(overrides.map(({ index, skip }) => [index, skip === true]));
  return Array.from({ length: seatCount }, (_, index) => index).filter((index) => !skipped.get(index));
}

/** Of several overrides for one index the last counts. */
export function overrideOf({ overrides = [] }: SeatObject, index: number): SeatOverride {
  return overrides.findLast((each) => each.index === index) ?? { index };
}

/** `change` returns the override itself where it changes nothing. Indexes beyond the last seat are passed over. */
export function changeOverrides<T extends SeatObject>(
  object: T,
  indexes: Iterable<number>,
  change: (override: SeatOverride) => SeatOverride,
): T {
  const list: readonly SeatOverride[] = object.overrides ?? [];
  const lastAt = new Map(list.map(({ index }, at) => [index, at]));
  const changed = new Map<number, SeatOverride | null>();
  for (const index of indexes) {
    if (index >= object.seatCount || changed.has(index)) continue;
    const at = lastAt.get(index);
    const before = at === undefined ? { index } : list[at]!;
    const after = change(before);
    if (after !== before) changed.set(index, Object.keys(after).length > 1 ? after : null);
  }
  if (changed.size === 0) return object;
  const kept = list.flatMap((override, at) => {
    const now = changed.get(override.index);
    if (now === undefined) return [override];
    return now === null || lastAt.get(override.index) !== at ? [] : [now];
  });
  const added = [...changed].flatMap(([index, now]) => (now === null || lastAt.has(index) ? [] : [now]));
  return withOverrides(object, inOrder(list, kept, added));
}

/** New entries go to their places in a list that is in the order of its indexes, else to its end. */
function inOrder(list: readonly Override[], kept: Override[], added: Override[]): Override[] {
  if (added.length === 0) return kept;
  const isOrdered = list.every(({ index }, at) => at === 0 || list[at - 1]!.index < index);
  const all = [...kept, ...added];
  return isOrdered ? all.sort((a, b) => a.index - b.index) : all;
}

function withOverrides<T extends SeatObject>(object: T, overrides: Override[]): T {
  if (overrides.length > 0) return { ...object, overrides };
  const { overrides: _, ...rest } = object;
  return rest as T;
}

/** The same value with one field changed; `undefined` takes the field away. The value itself where nothing changes. */
export function withField<T extends object>(value: T, name: string, to: unknown): T {
  const now = (value as Record<string, unknown>)[name];
  if (now === to || (Array.isArray(now) && JSON.stringify(now) === JSON.stringify(to))) return value;
  if (to !== undefined) return { ...value, [name]: to };
  const { [name]: _, ...rest } = value as Record<string, unknown>;
  return rest as T;
}
