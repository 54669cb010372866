/**
 * JSON that is text or bytes already, with the type of the value that it spells. The type exists for the compiler
 * alone: it checks a body that is joined from parts against the answer schema of the route, like any other value. Pure.
 */
import { type Body, type Header, jsonHeaders, jsonType, Prepared } from './answer.ts';
import { type Deflated, gzipBody } from './gzip-body.ts';

declare const spelled: unique symbol;

export type Spelled<Value, Form extends Body = Body> = Form & { readonly [spelled]?: Value };

type SpelledBy<Json> = Json extends { readonly [spelled]?: infer Value } ? Exclude<Value, undefined> : unknown;

export function spell<Value>(value: Value): Spelled<Value, string> {
  return JSON.stringify(value) as Spelled<Value, string>;
}

export function asBytes<Value>(json: Spelled<Value, string>): Spelled<Value, Buffer> {
  return Buffer.from(json) as Spelled<Value, Buffer>;
}

/** A success whose body is spelled already. */
export function preparedJson<Value>(
  body: Spelled<Value>,
  headers: readonly Header[] = [],
  status = 200,
): Prepared<Value> {
  return new Prepared<Value>(status, headers.length === 0 ? jsonHeaders : [jsonType, ...headers], body);
}

/**
 * `{ ...fields, ...values }` as bytes, in parts. `values` are spliced in as they are; `fields` has at least one field.
 */
export function spliceJson<Fields extends object, Values extends Record<string, Uint8Array>>(
  fields: Fields,
  values: Values,
): Spelled<Fields & { [Name in keyof Values]: SpelledBy<Values[Name]> }, readonly Uint8Array[]> {
  const parts: Uint8Array[] = [Buffer.from(spell(fields).slice(0, -1))];
  for (const [name, value] of Object.entries(values)) parts.push(Buffer.from(`,${JSON.stringify(name)}:`), value);
  return [...parts, CLOSING] as never;
}

/** As `preparedJson`, in the gzip form. */
export function preparedGzip<Value>(
  body: Spelled<Value, readonly Uint8Array[]>,
  headers: readonly Header[],
): Prepared<Value> {
  return preparedJson(body, [['Content-Encoding', 'gzip'], ...headers]);
}

/** JSON that was compressed. An object lacks its closing brace. */
export type DeflatedJson<Value> = Deflated & { readonly [spelled]?: Value };

/** The whole JSON as a gzip body. */
export function gzipWhole<Value>(json: DeflatedJson<Value>): Spelled<Value, readonly Uint8Array[]> {
  return gzipBody(json, Buffer.alloc(0)) as never;
}

/** `{ ...first, ...rest }` as a gzip body. */
export function gzipSplice<First extends object, Rest extends object>(
  first: DeflatedJson<First>,
  rest: Spelled<Rest, readonly Uint8Array[]>,
): Spelled<First & Rest, readonly Uint8Array[]> {
  const behind = Buffer.concat(rest);
  behind.write(',');
  return gzipBody(first, behind) as never;
}

const CLOSING = Buffer.from('}');
