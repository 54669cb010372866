/**
 * Bodies that are wrong in one place each, made from a schema: a field that is missing, of another kind, too short, too
 * long, too large, or not among the known words. Nothing else in a body needs to be right.
 */
import { z } from 'zod';

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema is any JSON.
type Json = any;

export function wrongBodies(schema: z.ZodType): unknown[] {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;
  return wrongValues(root, $defs, DEPTH_MAX);
}

const DEPTH_MAX = 6;
/** One value of each kind. */
const KINDS: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  'word',
  -1,
  1.5,
  2 ** 60,
  Number.NaN,
  true,
  [],
  [null],
  {},
  { __: 1 },
];

function wrongValues(schema: Json, defs: Json, depth: number): unknown[] {
  if (depth === 0) return [];
  const inside = (part: Json) => wrongValues(part, defs, depth - 1);
  if (schema.$ref) return inside(defs[schema.$ref.replace('#/$defs/', '')] ?? {});
  const options: Json[] = schema.anyOf ?? schema.oneOf ?? [];
  const fields = Object.entries<Json>(schema.properties ?? {});
  return [
    ...KINDS,
    ...options.flatMap(inside),
    ...(schema.maxLength === undefined ? [] : ['x'.repeat(schema.maxLength + 1)]),
    ...(schema.maxItems === undefined ? [] : [Array.from({ length: schema.maxItems + 1 }, () => sample(schema.items))]),
    ...(schema.maximum === undefined ? [] : [schema.maximum + 1]),
    ...(schema.minimum === undefined ? [] : [schema.minimum - 1]),
    ...(schema.items ? inside(schema.items).map((each) => [each]) : []),
    ...(schema.additionalProperties ? inside(schema.additionalProperties).map((each) => ({ key: each })) : []),
    ...fields.flatMap(([name, part]) => inside(part).map((each) => ({ ...sample(schema), [name]: each }))),
  ];
}

/** A value of the schema's kind, with the required fields. */
function sample(schema: Json): Json {
  if (schema?.enum) return schema.enum[0];
  if (schema?.const !== undefined) return schema.const;
  if (schema?.anyOf) return sample(schema.anyOf[0]);
  if (schema?.oneOf) return sample(schema.oneOf[0]);
  if (schema?.type === 'string') return 'x'.repeat(schema.minLength ?? 1);
  if (schema?.type === 'integer' || schema?.type === 'number') return schema.minimum ?? 1;
  if (schema?.type === 'boolean') return true;
  if (schema?.type === 'array') return [];
  const required: string[] = schema?.required ?? [];
  return Object.fromEntries(required.map((name) => [name, sample(schema.properties[name])]));
}
