/** Parameters that the queries of several rooms have. A number that cannot be read counts as not sent. */
import type { Page } from '@parterre/shared/catalog/scope';
import { z } from 'zod';
import { parameter } from '../../openapi/parameter.ts';

/** Rounded down; null where the text is no number. */
export function wholeNumber(text = ''): number | null {
  const trimmed = text.trim();
  const number = Math.floor(Number(trimmed));
  return trimmed === '' || Number.isNaN(number) ? null : number;
}

/** Clamped, never refused. */
export function clamped(
  description: string,
  schema: z.ZodType,
  { usual, least, most }: { usual: number; least: number; most: number },
) {
  return parameter(description, schema, (text) => Math.min(Math.max(wholeNumber(text) ?? usual, least), most));
}

export function limit({ usual, most }: { usual: number; most: number }, schema: z.ZodType = z.int().default(usual)) {
  return clamped(`At most ${most.toLocaleString('en')} on one page.`, schema, { usual, least: 1, most });
}

/** An unreadable cursor starts over; the catalog reads it. */
export const cursor = parameter(
  'The nextCursor of the page before.',
  z.string(),
  (text): string | undefined => text || undefined,
);

/** As `history.ts` of the catalog wants it: a number below 0 starts over, too. */
export const before = parameter(
  'The nextBefore of the page before: only entries with lower ids.',
  z.int(),
  (text): number | undefined => {
    const number = wholeNumber(text);
    return number !== null && number >= 0 ? number : undefined;
  },
);

/** True for `1` alone. */
export function flag(description: string, value = '1') {
  return parameter(description, z.literal(value), (text) => text === value);
}

/** The text as it was sent. */
export function text(description: string) {
  return parameter(description, z.string(), (sent) => sent);
}

/** One of `known`; the empty text counts as not sent. `none` tells a caller who names another. */
export function choice<T extends string>(description: string, known: readonly T[], none: string) {
  return parameter(description, z.enum(known), (text = '', fail): T | undefined => {
    const chosen = known.find((each) => each === text);
    return text === '' || chosen !== undefined ? chosen : fail(`Must be one of ${known.join(', ')}.`, none);
  });
}

export function pageOf({ limit, cursor }: { limit: number; cursor?: string | undefined }): Page {
  return cursor === undefined ? { limit } : { limit, cursor };
}
