/** The names of categories in formats that know them by their labels alone, which must differ. */
import type { Category } from '../document.ts';

/** By key. */
export function categoryNames(categories: readonly Category[]): Map<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const { key, label } of categories) {
    let name = label === '' ? key : label;
    while (taken.has(name)) name += ` (${key})`;
    taken.add(name);
    names.set(key, name);
  }
  return names;
}
