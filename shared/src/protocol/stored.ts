/**
 * Reads stored values: journal heads, snapshots, rosters, queued deliveries, leases, documents of the catalog. Another
 * build, a damaged disk or a person may have written them, so each is checked when it is read. The check covers the
 * kind of every required field. It stops garbage at the door; the hash of a snapshot or the version of a document
 * guards the rest. A fault names the operation and keeps its cause.
 *
 * Example: `readStored('read the roster of partition 3', bytes, { v: 'number', upTo: 'number', events: 'list' })`.
 */
import { Fault } from './errors.ts';
import { decodeKept } from './wire.ts';

const kinds = {
  text: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number' && !Number.isNaN(value),
  flag: (value: unknown) => typeof value === 'boolean',
  list: (value: unknown) => Array.isArray(value),
  fields: (value: unknown) => isObject(value),
  bytes: (value: unknown) => value instanceof Uint8Array,
  'text or null': (value: unknown) => value === null || typeof value === 'string',
  'number or null': (value: unknown) => value === null || typeof value === 'number',
};

type Kind = keyof typeof kinds;
type RequiredField<T> = { [F in keyof T]-?: object extends Pick<T, F> ? never : F }[keyof T];

type KindOf<V> = [V] extends [string]
  ? 'text'
  : [V] extends [number]
    ? 'number'
    : [V] extends [boolean]
      ? 'flag'
      : [V] extends [string | null]
        ? 'text or null'
        : [V] extends [number | null]
          ? 'number or null'
          : [V] extends [Uint8Array]
            ? 'bytes'
            : [V] extends [readonly unknown[]]
              ? 'list'
              : 'fields';

/** The kind of each required field of a stored value. The compiler holds a form to its type. */
export type StoredForm<T> = { readonly [F in RequiredField<T> & string]: KindOf<T[F]> };

/** Decodes stored bytes and checks the value. Throws a `Fault` that begins with `operation`. */
export function readStored<T extends object>(operation: string, bytes: Uint8Array, form: StoredForm<T>): T {
  return checkStored(operation, decodeStored(operation, bytes), form);
}

/** The same for bytes that have a list of such values. */
export function readStoredList<T extends object>(operation: string, bytes: Uint8Array, form: StoredForm<T>): T[] {
  const values = decodeStored(operation, bytes);
  if (!Array.isArray(values)) throw new Fault(`${operation}: the value is no list`);
  return values.map((value) => checkStored(operation, value, form));
}

/** The same for a JSON text. */
export function parseStored<T extends object>(operation: string, text: string, form: StoredForm<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Fault(operation, error);
  }
  return checkStored(operation, value, form);
}

function decodeStored(operation: string, bytes: Uint8Array): unknown {
  try {
    return decodeKept(bytes);
  } catch (error) {
    throw new Fault(operation, error);
  }
}

/** Checks a value that is decoded already. */
export function checkStored<T extends object>(operation: string, value: unknown, form: StoredForm<T>): T {
  if (!isObject(value)) throw new Fault(`${operation}: the value has no fields`);
  for (const [field, kind] of Object.entries<Kind>(form)) {
    if (!kinds[kind](value[field])) throw new Fault(`${operation}: the field "${field}" is not of the kind "${kind}"`);
  }
  return value as T;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
