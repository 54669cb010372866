/**
 * JSON that is text or bytes already, with the type of the value that it spells. The type exists for the compiler
 * alone: it checks a body that is joined from parts against the answer schema of the route, like any other value. Pure.
 */
import { type Body, type Header, jsonHeaders, jsonType, Prepared } from './answer.ts';
import { type Compressed, compressedBody } from './compressed-body.ts';

declare const spelled: unique symbol;

export type Spelled<Value, Form extends Body = Body> = Form & { readonly [spelled]?: Value };

/** The value that this JSON spells. */
export type SpelledBy<Json> = Json extends { readonly [spelled]?: infer Value } ? Exclude<Value, undefined> : unknown;

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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether JSON spells this short text as it is, between quotation marks. Quotation marks, backslashes, control
 * characters and halves of pairs are for the library. A loop over a label takes 50 ns less than an expression.
 */
export function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === QUOTE || code === BACKSLASH || (code >= 0xd800 && code <= 0xdfff)) return false;
  }
  return true;
}

/** The JSON of a short text, in half the time of `spell`. */
export const quoted = (text: string): string => (isPlain(text) ? `"${text}"` : spell(text));

/** As `spell`, for a few short texts, in half the time. */
export function spellTexts(texts: readonly string[]): Spelled<string[], string> {
  let json = '[';
  for (const text of texts) json += json.length === 1 ? quoted(text) : `,${quoted(text)}`;
  return `${json}]` as Spelled<string[], string>;
}

/** JSON that was compressed. An object lacks its closing brace. */
export type CompressedJson<Value> = Compressed & { readonly [spelled]?: Value };

/** As `preparedJson`, of the whole compressed JSON. */
export function preparedWhole<Value>(json: CompressedJson<Value>, headers: readonly Header[]): Prepared<Value> {
  return preparedForm<Value>(json, Buffer.alloc(0), headers);
}

/** As `preparedJson`, of `{ ...first, ...rest }`. */
export function preparedSplice<First extends object, Rest extends object>(
  first: CompressedJson<First>,
  rest: Spelled<Rest, readonly Uint8Array[]>,
  headers: readonly Header[],
): Prepared<First & Rest> {
  const behind = Buffer.concat(rest);
  behind.write(',');
  return preparedForm<First & Rest>(first, behind, headers);
}

function preparedForm<Value>(first: Compressed, rest: Buffer, headers: readonly Header[]): Prepared<Value> {
  const body = compressedBody(first, rest) as Spelled<Value, readonly Uint8Array[]>;
  return preparedJson(body, [['Content-Encoding', first.encoding], ...headers]);
}

const CLOSING = Buffer.from('}');
