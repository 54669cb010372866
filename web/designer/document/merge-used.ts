/** The categories and zones that objects use. Pure. */
import type { ChartObject } from '@parterre/shared/chart/document';
import { isFields } from './fields.ts';

export type Used = { readonly category: ReadonlySet<string>; readonly zone: ReadonlySet<string> };

/** Seats name categories of their own. */
export function usedBy(objects: Iterable<ChartObject>): Used {
  const used = { category: new Set<string>(), zone: new Set<string>() };
  const add = (names: Set<string>, name: unknown): void => {
    if (typeof name === 'string') names.add(name);
  };
  for (const object of objects) {
    add(used.category, object.categoryKey);
    add(used.zone, object.zone);
    if (!Array.isArray(object.overrides)) continue;
    for (const entry of object.overrides) if (isFields(entry)) add(used.category, entry.categoryKey);
  }
  return used;
}
