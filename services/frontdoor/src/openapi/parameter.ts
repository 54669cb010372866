/**
 * The parameters of a query. A parameter has a description, a schema for the API's description, and a function that
 * reads its text.
 */
import { Fault } from '@parterre/shared/protocol/errors';
import { z } from 'zod';

type Shown = { description: string; schema: z.ZodType };

const shown = new WeakMap<z.ZodType, Shown>();

/** Refuses the query: `message` for the issue of the parameter, `refusal` for the whole answer. */
export type Fail = (message: string, refusal: string) => never;

/** `read` gets undefined for an absent parameter. It returns the value, or calls `fail`. */
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

/**
 * The description and schema of each parameter, by name. Throws a `Fault` for a field that `parameter` did not make.
 */
export function shownParameters(query: z.ZodObject | null): [name: string, Shown][] {
  return Object.entries(query?.shape ?? {}).map(([name, field]) => {
    const known = shown.get(field as z.ZodType);
    if (!known) throw new Fault(`describe the parameter ${name}: it was not made by parameter()`);
    return [name, known];
  });
}
