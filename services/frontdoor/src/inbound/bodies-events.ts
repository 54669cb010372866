/** The bodies of the event routes (wire contract 4). */
import { regions } from '@parterre/shared/vocabulary';
import { z } from 'zod';
import { currency, epochMs, externalRef, id, name, optional } from './body-parts.ts';

export const eventBody = z
  .object({
    chartId: id,
    name: optional(name),
    slug: optional(z.string().regex(/^[a-z0-9_-]{3,64}$/, 'Lowercase letters, digits, _ and -, 3 to 64 of them.')),
    startsAt: optional(epochMs.nullable()),
    endsAt: optional(epochMs.nullable()),
    venue: optional(z.string().max(500).nullable()),
    externalRef: optional(externalRef.nullable()),
    currency: optional(currency.nullable()),
    description: optional(z.string().max(20_000).nullable()),
    timezone: optional(z.string().max(64).refine(isTimezone, 'Not an IANA time zone.').nullable()),
    locale: optional(z.string().max(64).refine(isLocale, 'Not a BCP-47 tag.').nullable()),
    region: optional(z.enum(regions)),
  })
  .refine(({ startsAt, endsAt }) => startsAt == null || endsAt == null || endsAt >= startsAt, {
    message: 'Not before startsAt.',
    path: ['endsAt'],
  });

function isTimezone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== null && text.length > 0;
  } catch {
    return false;
  }
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
