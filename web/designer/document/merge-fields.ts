/**
 * One element that two sides changed, merged field by field. Fields that are true only together merge together. Pure.
 */
import { differing, type Fields, isFields, isSame } from './fields.ts';

export type Side = 'mine' | 'theirs';

/** Fields of objects that describe one thing together. */
const groups: readonly (readonly string[])[] = [
  ['capacity', 'inventorySegments'],
  ['origin', 'rotation', 'curve', 'seatSpacing', 'path'],
];

export type MergedFields = { value: Fields /** Fields that both changed, each to something else. */; fields: string[] };

/** A field that one side changed has this side's value. A field that both changed has the value of `prefer`. */
export function mergeFields(base: Fields, mine: Fields, theirs: Fields, prefer: Side): MergedFields {
  const ours = new Set(differing(base, mine));
  const others = new Set(differing(base, theirs));
  const value: Record<string, unknown> = { ...theirs };
  const conflicts: string[] = [];
  const take = (name: string): void => {
    if (mine[name] === undefined) delete value[name];
    else value[name] = mine[name];
  };
  for (const names of groupsOf(ours)) {
    const isTheirs = names.some((name) => others.has(name));
    const isEqual = names.every((name) => isSame(mine[name], theirs[name]));
    if (!isTheirs) names.forEach(take);
    else if (!isEqual && !isMergedList(names, base, mine, theirs, prefer, value, conflicts)) {
      conflicts.push(...names.filter((name) => !isSame(mine[name], theirs[name])));
      if (prefer === 'mine') names.forEach(take);
    }
  }
  return { value, fields: conflicts };
}

/** The changed fields, each with the fields that belong to it. */
function groupsOf(changed: ReadonlySet<string>): (readonly string[])[] {
  const grouped = groups.filter((names) => names.some((name) => changed.has(name)));
  const single = [...changed].filter((name) => !grouped.some((names) => names.includes(name)));
  return [...grouped, ...single.map((name) => [name])];
}

/** Overrides are merged seat by seat. Returns whether `names` are such a list. */
function isMergedList(
  names: readonly string[],
  ...[base, mine, theirs, prefer, value, conflicts]: [Fields, Fields, Fields, Side, Record<string, unknown>, string[]]
): boolean {
  if (names[0] !== 'overrides') return false;
  const old = byIndex(base.overrides);
  const one = byIndex(mine.overrides);
  const other = byIndex(theirs.overrides);
  if (!old || !one || !other) return false;
  const merged = new Map(other);
  for (const index of new Set([...old.keys(), ...one.keys()])) {
    const was = old.get(index) ?? {};
    const our = one.get(index) ?? {};
    const their = other.get(index) ?? {};
    const { value: seat, fields } = mergeFields(was, our, their, prefer);
    if (fields.length > 0) conflicts.push(...fields.map((name) => `overrides.${index}.${name}`));
    // An entry of which only the index is left says nothing.
    if (Object.keys(seat).some((name) => name !== 'index')) merged.set(index, { ...seat, index });
    else if (!isSame(was, our) || !other.has(index)) merged.delete(index);
  }
  value.overrides = [...merged.keys()].sort((a, b) => a - b).map((index) => merged.get(index)!);
  return true;
}

/** Null for a list in which an index stands twice. */
function byIndex(overrides: unknown): Map<number, Fields> | null {
  if (overrides === undefined) return new Map();
  if (!Array.isArray(overrides) || !overrides.every(isFields)) return null;
  const entries = new Map(overrides.map((each) => [Number(each.index), each]));
  return entries.size === overrides.length ? entries : null;
}
