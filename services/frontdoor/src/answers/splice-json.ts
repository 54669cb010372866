/** Appends JSON bytes to a JSON object as its last fields, without parsing or copying them. Pure. */

/** `{...fields, name: value}` as bytes, in parts; `fields` has at least one field. */
export function spliceJson(fields: Record<string, unknown>, name: string, value: Uint8Array): readonly Uint8Array[] {
  return spliceAll(fields, { [name]: value });
}

/** The same with several values. */
export function spliceAll(fields: Record<string, unknown>, values: Record<string, Uint8Array>): readonly Uint8Array[] {
  const parts: Uint8Array[] = [Buffer.from(JSON.stringify(fields).slice(0, -1))];
  for (const [name, value] of Object.entries(values)) parts.push(Buffer.from(`,${JSON.stringify(name)}:`), value);
  return [...parts, CLOSING];
}

const CLOSING = Buffer.from('}');
