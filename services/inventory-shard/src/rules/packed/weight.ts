/** What a plain value takes in memory, estimated: settings and answers that callers may make long. */
import { isLatin1 } from './packing.ts';

/** An object or list with its shape, a field or element of it, a text without its characters. */
const perObject = 40;
const perField = 12;
const perText = 20;
/** More fields than a type of ours has: their names are ids that callers gave. */
const ownNamesMax = 20;

/** By the value, which is replaced and never changed in place: it is walked through once. */
const known = new WeakMap<object, number>();

export function bytesOfKept(value: object): number {
  const bytes = known.get(value) ?? bytesOfValue(value);
  known.set(value, bytes);
  return bytes;
}

export function bytesOfValue(value: unknown): number {
  if (typeof value === 'string') return perText + (isLatin1(value) ? value.length : 2 * value.length);
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = perObject;
  if (Array.isArray(value)) {
    for (const each of value) bytes += perField + bytesOfValue(each);
    return bytes;
  }
  const fields = Object.entries(value);
  const hasIds = fields.length > ownNamesMax;
  for (const [name, each] of fields) bytes += perField + bytesOfValue(each) + (hasIds ? bytesOfValue(name) : 0);
  return bytes;
}
