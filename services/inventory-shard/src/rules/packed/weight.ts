/** Estimates the memory of plain values: settings and answers that callers may make long. */
import { isLatin1 } from './packing.ts';

/** Bytes of an object or list with its shape, of a field or element, and of a text without its characters. */
const perObject = 40;
const perField = 12;
const perText = 20;
/** No type of ours has more fields. The names of an object with more fields are ids that callers gave. */
const ownNamesMax = 20;

/** By value. Values are replaced, never changed in place, so each is measured once. */
const known = new WeakMap<object, number>();

export function weightOfKept(value: object): number {
  const bytes = known.get(value) ?? weightOf(value);
  known.set(value, bytes);
  return bytes;
}

export function weightOf(value: unknown): number {
  if (typeof value === 'string') return perText + (isLatin1(value) ? value.length : 2 * value.length);
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = perObject;
  if (Array.isArray(value)) {
    for (const each of value) bytes += perField + weightOf(each);
    return bytes;
  }
  const fields = Object.entries(value);
  const hasIds = fields.length > ownNamesMax;
  for (const [name, each] of fields) bytes += perField + weightOf(each) + (hasIds ? weightOf(name) : 0);
  return bytes;
}
