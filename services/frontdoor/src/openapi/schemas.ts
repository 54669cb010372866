/**
 * The named schemas of the description: zod's schemas as JSON Schema. The description has each schema once and refers
 * to it everywhere else.
 */
import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

/** zod writes the bounds of a safe integer into every integer. They tell a reader nothing. */
function withoutSafeBounds({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

const options = { io: 'input', unrepresentable: 'any', override: withoutSafeBounds } as const;

export type Schemas = {
  /** A reference to the schema, by its own name if it has one, else by `name`. */
  refer(schema: z.ZodType, name: string): { $ref: string };
  /** All schemas that were referred to, and the schemas to which they refer, by name. Call this last. */
  all(): Record<string, JsonSchema>;
};

const at = (name: string): string => `#/components/schemas/${name}`;

/** `named` are the schemas that have a name of their own. */
export function createSchemas(named: Readonly<Record<string, z.ZodType>>): Schemas {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  return {
    refer(schema, name) {
      const known = registry.get(schema)?.id;
      if (known === undefined) registry.add(schema, { id: name });
      return { $ref: at(known ?? name) };
    },
    all() {
      const { schemas } = z.toJSONSchema(registry, { ...options, uri: at });
      return Object.fromEntries(
        Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema as JsonSchema]),
      );
    },
  };
}

/** A small schema without a name. */
export function inline(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, options);
  return json as JsonSchema;
}
