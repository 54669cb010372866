/** Parameters that several rooms use in queries. An unreadable number counts as absent. */
import type { Page } from '@parterre/shared/protocol/catalog/scope';
import { z } from 'zod';
import { parameter } from '../../openapi/openapi.ts';

/** Rounded down; null if the text is not a number. */
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

/** The number of entries on one page, clamped to 1 … `most`. */
export function limit(
  { usual, most }: { usual: number; most: number },
  schema: z.ZodType = z.int().min(1),
  description = `Entries on one page: ${usual} if absent, at most ${most}.`,
) {
  return clamped(description, schema, { usual, least: 1, most });
}

/** An unreadable cursor starts over; the catalog reads it. */
export const cursor = parameter(
  "The previous page's nextCursor.",
  z.string(),
  (sent): string | undefined => sent || undefined,
);

/** A number below 0 counts as not sent. */
export function before(description: string) {
  return parameter(description, z.int(), (sent): number | undefined => {
    const number = wholeNumber(sent);
    return number !== null && number >= 0 ? number : undefined;
  });
}

/** True only for `1`. */
export function isOne(description: string, schema: z.ZodType = z.enum(['0', '1'])) {
  return parameter(description, schema, (sent) => sent === '1');
}

/** The text as it was sent, the empty text included. */
export function text(description: string) {
  return parameter(description, z.string(), (sent) => sent);
}

/** One of `known`. The empty text counts as not sent; any other is refused with `none`. */
export function choice<T extends string>(description: string, known: readonly T[], none: string) {
  return parameter(description, z.enum(known), (sent = '', fail): T | undefined => {
    const chosen = known.find((each) => each === sent);
    return sent === '' || chosen !== undefined ? chosen : fail(`Must be one of ${known.join(', ')}.`, none);
  });
}

export function pageOf({ limit, cursor }: { limit: number; cursor?: string | undefined }): Page {
  return cursor === undefined ? { limit } : { limit, cursor };
}

/** The filters that a query of a list names. */
export function namedIn({
  externalRef,
  workspaceId,
}: {
  externalRef: string | undefined;
  workspaceId: string | undefined;
}) {
  return { ...(externalRef !== undefined && { externalRef }), ...(workspaceId !== undefined && { workspaceId }) };
}
