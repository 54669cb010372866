import { accessibilityKinds } from '@parterre/shared/chart/accessibility';
/** The parts that answers of several rooms have in common. */
import { regions } from '@parterre/shared/vocabulary';
import { z } from 'zod';

export const optional = z.exactOptional;

export const epochMs = z.int().min(0).describe('Epoch milliseconds.');

export const count = z.int().min(0);

export const durationMs = z.int().min(0).describe('A time span in milliseconds.');

export const holdTtlMs = durationMs
  .nullable()
  .describe('How long a hold without ttlMs lasts, in milliseconds; null means the default of 15 minutes.');

export const text = z.string();

export const textOrNull = text.nullable();

export const mode = z.enum(['live', 'test']);

export const currency = z.string().regex(/^[A-Z]{3}$/);

export const price = z.int().min(0).describe('Major units of the currency.');

/** `prefix`, `_` and 20 or more letters and digits. */
export function idOf(prefix: string) {
  return z.string().regex(new RegExp(`^${prefix}_[0-9A-Za-z]{20,}$`));
}

export const ok = z.literal(true);

/** The catalog's records type these fields as texts. The description lists the possible words. */
export const accessibilityKind: z.ZodType<string> = z.enum(accessibilityKinds);

export const region: z.ZodType<string> = z.enum(regions);

export const callSource: z.ZodType<string> = z.enum(['server', 'buyer', 'operator', 'timer']);

export const nextCursor = optional(text.describe('The cursor of the next page; absent at the end.'));

export const accessSource = z.enum(['public', 'promoter', 'partner', 'hosted_link', 'staff_override']);
