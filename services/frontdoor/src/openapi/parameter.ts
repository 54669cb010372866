/** The parameters of a query: each says how its text is read and how the description shows it. */
import { z } from 'zod';

type Shown = { description: string; schema: z.ZodType };

const shown = new WeakMap<z.ZodType, Shown>();

/** A message for the whole refusal, beside the issue of the parameter itself. */
export type Fail = (message: string, refusal: string) => never;

/** `read` gets undefined for a parameter that the query does not have. It answers with the value, or calls `fail`. */
export function parameter<Value>(
  description: string,
  schema: z.ZodType,
  read: (text: string | undefined, fail: Fail) => Value,
) {
  const field = z
    .string()
    .optional()
    .transform((text, context): Value => {
      return read(text, (message, refusal): never => {
        context.addIssue({ code: 'custom', message, params: { refusal } });
        return z.NEVER;
      });
    });
  shown.set(field, { description, schema });
  return field;
}

/** Name → what the description says of the parameter. */
export function shownParameters(query: z.ZodObject | null): [name: string, Shown][] {
  return Object.entries(query?.shape ?? {}).map(([name, field]) => [name, shown.get(field as z.ZodType)!]);
}
