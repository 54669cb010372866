/** Puts bytes that are JSON already into a JSON object as its last field, without parsing or copying them. Pure. */

/** `{...fields, name: value}` as bytes, in parts; `fields` has at least one field. */
export function spliceJson(fields: Record<string, unknown>, name: string, value: Uint8Array): readonly Uint8Array[] {
  const head = JSON.stringify(fields);
  return [Buffer.from(`${head.slice(0, -1)},${JSON.stringify(name)}:`), value, CLOSING];
}

const CLOSING = Buffer.from('}');
