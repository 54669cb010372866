/**
 * The named schemas of the description: zod's schemas as JSON Schema. The description has each schema once and refers
 * to it everywhere else.
 */
import { z } from 'zod';
import { capital, type JsonSchema, referenceTo, withNestedNames } from './nested-names.ts';

/**
 * zod writes the bounds of a safe integer into every integer, which tell a reader nothing. It calls a constant integer
 * a number, of which generators make a fraction. Java's generator makes a wrong enum of a constant boolean.
 */
function forReaders({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const constants = (jsonSchema.enum ?? [jsonSchema.const]) as unknown[];
  if (jsonSchema.type === 'number' && constants.every(Number.isInteger)) jsonSchema.type = 'integer';
  if (jsonSchema.type === 'boolean') delete jsonSchema.const;
}

const options = { io: 'input', unrepresentable: 'any', override: forReaders } as const;

export type Schemas = {
  /** A reference to the schema, by its own name if it has one, else by `name`. */
  refer(schema: z.ZodType, name: string): { $ref: string };
  /** A reference to the Error with one of these codes. The operation is the first that answers so. */
  refusal(codes: readonly string[], operationId: string, status: number): { $ref: string };
  /** All schemas that were referred to, and the schemas to which they refer, by name. Call this last. */
  all(): Record<string, JsonSchema>;
};

/** `named` are the schemas that have a name of their own. */
export function createSchemas(named: Readonly<Record<string, z.ZodType>>): Schemas {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  /** By the codes. */
  const refusals = new Map<string, { name: string; schema: JsonSchema }>();
  return {
    refusal(codes, operationId, status) {
      const text = codes.join();
      const refusal = refusals.get(text) ?? { name: refusalName(codes, operationId, status), schema: errorWith(codes) };
      refusals.set(text, refusal);
      return referenceTo(refusal.name);
    },
    refer(schema, name) {
      const known = registry.get(schema)?.id;
      if (known === undefined) registry.add(schema, { id: name });
      return referenceTo(known ?? name);
    },
    all() {
      const { schemas } = z.toJSONSchema(registry, { ...options, uri: (name) => referenceTo(name).$ref });
      const own = Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema] as const);
      const all = withNestedNames(Object.fromEntries(own));
      for (const { name, schema } of refusals.values()) all[name] = schema;
      return all;
    },
  };
}

/** Few codes are a name. A longer list has the name of the first operation: `HoldSeatsConflict`. */
function refusalName(codes: readonly string[], operationId: string, status: number): string {
  const joined = `${codes.map(capital).join('')}Error`;
  if (joined.length <= 56) return joined;
  return `${capital(operationId)}${nameOfStatus[status] ?? `Status${status}`}`;
}

const nameOfStatus: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  422: 'Unprocessable',
  503: 'Unavailable',
};

/** OpenAPI's tools read nothing beside a `$ref`, so the codes are a second schema of the same answer. */
function errorWith(codes: readonly string[]): JsonSchema {
  const code = { type: 'string', enum: codes };
  return { allOf: [referenceTo('Error'), { type: 'object', properties: { code } }] };
}

/** A small schema without a name. */
export function inline(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, options);
  return json as JsonSchema;
}
