/** The bodies of the event routes (wire contract 4). What is not named here is ignored. */
import { sectionIdsPerPatchMax } from '@parterre/shared/limits';
import { regions } from '@parterre/shared/vocabulary';
import { z } from 'zod';
import { byScope, currency, epochMs, externalRef, id, mode, name, optional, reason } from '../records/body-parts.ts';

/** What an event may be told when it is made and later; null is nothing, or clears. */
const details = {
  startsAt: optional(epochMs.nullable()),
  endsAt: optional(epochMs.nullable()),
  venue: optional(z.string().max(500).nullable()),
  externalRef: optional(externalRef.nullable()),
  currency: optional(currency.nullable()),
  description: optional(z.string().max(20_000).nullable()),
  timezone: optional(z.string().max(64).refine(isTimezone, 'Not an IANA time zone.').nullable()),
  locale: optional(z.string().max(64).refine(isLocale, 'Not a BCP-47 tag.').nullable()),
};

const sectionStates = byScope(z.enum(['open', 'closed', 'hidden'])).refine(
  (states) => Object.keys(states).length <= sectionIdsPerPatchMax,
  'Too many sections.',
);

export const eventBody = z
  .object({
    chartId: id,
    name: optional(name),
    slug: optional(z.string().regex(/^[a-z0-9_-]{3,64}$/, 'Lowercase letters, digits, _ and -, 3 to 64 of them.')),
    ...details,
    region: optional(z.enum(regions)),
    posterAssetId: optional(id.nullable()),
    sectionStates: optional(sectionStates),
    // Both are what a dashboard session chooses; a secret key has said them already.
    mode: optional(mode),
    ownership: optional(z.enum(['platform', 'managed'])),
  })
  .refine(({ startsAt, endsAt }) => startsAt == null || endsAt == null || endsAt >= startsAt, {
    message: 'Not before startsAt.',
    path: ['endsAt'],
  });

/** `endsAt` is compared with what will stand beside it, which the catalog knows. */
export const eventChangesBody = z.object({
  name: optional(name),
  ...details,
  sectionStates: optional(sectionStates),
});

export const chartUpdateOfEventBody = z.object({
  acknowledgeDroppedAssignments: optional(z.boolean()),
  reason: optional(reason.nullable()),
});

/** A name of the IANA's; an offset like +02:00, which the platform's library also takes, is none. */
function isTimezone(text: string): boolean {
  try {
    return /^[A-Za-z]/.test(text) && new Intl.DateTimeFormat('en', { timeZone: text }) !== null;
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
