/**
 * Whether two answers, refusals or lists of records say the same. They are compared in the form of the wire, where a
 * field without a value is absent. A packed line may have its fields in another order.
 */

/** A view names the version of the last group, and may show more: its content counts. A pause depends on the time. */
const leftOut: ReadonlySet<string> = new Set(['version', 'retryAfterMs']);

export function isAlike(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (isList(one) || isList(other)) return isList(one) && isList(other) && areAlike(one, other);
  return hasFieldsOf(one, other) && hasFieldsOf(other, one, isPresent);
}

type List = readonly unknown[] | Uint8Array;

function isList(value: object): value is List {
  return Array.isArray(value) || value instanceof Uint8Array;
}

function areAlike(one: List, other: List): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (!isAlike(one[i], other[i])) return false;
  return true;
}

type Fields = { [name: string]: unknown };

/** Each field of `one` passes the test against the field of `other`. */
function hasFieldsOf(one: object, other: object, test = isAlike): boolean {
  for (const name of Object.keys(one)) {
    const value = (one as Fields)[name];
    if (value !== undefined && !leftOut.has(name) && !test(value, (other as Fields)[name])) return false;
  }
  return true;
}

function isPresent(_: unknown, value: unknown): boolean {
  return value !== undefined;
}
