/** Whole lists of the differences of single seats; painting/overrides.ts changes single entries. Pure. */
import type { ChartObject, Override, Row, Table } from '@parterre/shared/charts/document';

/** Rows and tables have seats with differences. */
export function hasSeats(object: ChartObject): object is Row | Table {
  return object.type === 'row' || object.type === 'table';
}

/** In the order of the seats. An entry that says nothing goes, and a list without entries too. */
export function withOverrides<T extends Row | Table>(object: T, entries: readonly Override[]): T {
  const kept = entries.filter((entry) => Object.keys(entry).length > 1).sort((a, b) => a.index - b.index);
  if (kept.length > 0) return { ...object, overrides: kept };
  const { overrides: _, ...rest } = object;
  return rest as T;
}

/** Leaves out these fields. */
export function without<T extends object, Name extends keyof T>(entry: T, ...names: readonly Name[]): T {
  const changed = { ...entry };
  for (const name of names) delete changed[name];
  return changed;
}
