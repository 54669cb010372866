/** The bodies of the inventory, event and webhook routes. Unknown fields are ignored (wire contract 1). */
import { bookingRefLengthMax, gaCapacityMax, labelsPerBulkMax, labelsPerSaleMax } from '@parterre/shared/limits';
import { regions, webhookEvents } from '@parterre/shared/vocabulary';
import { z } from 'zod';

const optional = z.exactOptional;
const label = z.string().min(1).max(256);
const id = z.string().min(1).max(128);
const epochMs = z.int().min(0);
/** Clamped to an hour by the event's actor. */
const ttlMs = z.int().min(1);
const reason = z.string().min(1).max(500);
const externalRef = z.string().max(128);

/** Naming a unit twice means it once. */
function labels(most: number) {
  return z
    .array(label)
    .min(1)
    .max(most)
    .transform((named) => (named.length === 1 ? named : [...new Set(named)]));
}

const selection = z.object({
  label,
  tierId: optional(z.string().max(128).nullable()),
  quantity: optional(z.int().min(1).max(gaCapacityMax)),
});
const selections = z.array(selection).min(1).max(labelsPerSaleMax);

const access = {
  // An event has no channels yet, so that every id is an unknown one: refused, never quietly sold as public.
  channelIds: optional(z.array(id).max(0, 'Unknown channel.')),
  ignoreChannelRestrictions: optional(z.boolean()),
  reason: optional(reason),
};

/** An override of channels is written to the audit log, and needs something to write there. */
const saysWhy = (body: { ignoreChannelRestrictions?: boolean; reason?: string }): boolean =>
  body.ignoreChannelRestrictions !== true || body.reason !== undefined;
const saysWhyMessage = { message: 'Send a reason with ignoreChannelRestrictions.', path: ['reason'] };

const bookingRef = z.string().trim().min(1).max(bookingRefLengthMax);

type Named = { labels?: string[]; selections?: z.output<typeof selections> };
const namesUnitsOnce = (body: Named) => (body.labels === undefined) !== (body.selections === undefined);
const namesUnitsOnceMessage = { message: 'Send exactly one of labels and selections.', path: ['labels'] };

export const holdBody = z
  .object({
    labels: optional(labels(labelsPerSaleMax)),
    selections: optional(selections),
    ttlMs: optional(ttlMs),
    replaceHoldId: optional(id),
    ...access,
  })
  .refine(saysWhy, saysWhyMessage)
  .refine(namesUnitsOnce, namesUnitsOnceMessage);

export const extendBody = z.object({ holdId: id, ttlMs: optional(ttlMs), ...access }).refine(saysWhy, saysWhyMessage);
export const releaseBody = z.object({ holdId: id, labels: optional(labels(labelsPerSaleMax)) });

export const bookBody = z
  .object({
    holdId: optional(id),
    labels: optional(labels(labelsPerSaleMax)),
    selections: optional(selections),
    bookingRef,
    ...access,
  })
  .refine(saysWhy, saysWhyMessage)
  .refine((body) => body.holdId !== undefined || namesUnitsOnce(body), {
    message: 'Send holdId, or exactly one of labels and selections.',
    path: ['holdId'],
  })
  .refine((body) => body.holdId === undefined || body.selections === undefined, {
    message: 'A hold has its selections already; narrow it with labels.',
    path: ['selections'],
  });

export const unbookBody = z.object({ bookingRef, labels: optional(labels(labelsPerSaleMax)) });
export const blockBody = z.object({
  labels: labels(labelsPerBulkMax),
  releaseAt: optional(epochMs.nullable()),
  reason: optional(reason.nullable()),
});
export const unblockBody = z.object({ labels: labels(labelsPerBulkMax) });
export const holdTtlBody = z.object({ holdTtlMs: z.int().nullable() });

export const eventBody = z
  .object({
    chartId: id,
    name: optional(z.string().trim().min(1).max(200)),
    slug: optional(z.string().regex(/^[a-z0-9_-]{3,64}$/, 'Lowercase letters, digits, _ and -, 3 to 64 of them.')),
    startsAt: optional(epochMs.nullable()),
    endsAt: optional(epochMs.nullable()),
    venue: optional(z.string().max(500).nullable()),
    externalRef: optional(externalRef.nullable()),
    currency: optional(currency().nullable()),
    description: optional(z.string().max(20_000).nullable()),
    timezone: optional(z.string().max(64).refine(isTimezone, 'Not an IANA time zone.').nullable()),
    locale: optional(z.string().max(64).refine(isLocale, 'Not a BCP-47 tag.').nullable()),
    region: optional(z.enum(regions)),
  })
  .refine(({ startsAt, endsAt }) => startsAt == null || endsAt == null || endsAt >= startsAt, {
    message: 'Not before startsAt.',
    path: ['endsAt'],
  });

const name = z.string().trim().min(1).max(200);
const chartDocument = z.custom<object>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'A chart document is an object.',
);

export const chartBody = z.object({
  name,
  doc: optional(chartDocument),
  externalRef: optional(externalRef.nullable()),
  workspaceId: optional(id),
});
export const chartUpdateBody = z
  .object({
    doc: optional(chartDocument),
    expectedUpdatedAt: optional(z.int()),
    name: optional(name),
    externalRef: optional(externalRef.nullable()),
  })
  .refine((body) => body.doc === undefined || body.expectedUpdatedAt !== undefined, {
    message: 'A document needs expectedUpdatedAt, the updatedAt it was made from.',
    path: ['expectedUpdatedAt'],
  })
  .refine((body) => body.doc !== undefined || body.name !== undefined || body.externalRef !== undefined, {
    message: 'Send doc, name or externalRef.',
    path: ['doc'],
  });
export const duplicateBody = z.object({
  name: optional(name),
  externalRef: optional(externalRef.nullable()),
  workspaceId: optional(id),
});

export const webhookBody = z.object({
  url: z.string().max(2_048),
  events: z
    .array(z.enum(webhookEvents))
    .min(1)
    .transform((events) => [...new Set(events)]),
});

const mode = z.enum(['live', 'test']);
const environment = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'Letters, digits, dot, _ and -, 1 to 64 of them.');

export const organisationBody = z.object({ name, currency: currency(), credits: optional(z.int().min(0)) });
export const keyBody = z.object({
  kind: z.enum(['secret', 'publishable']),
  mode,
  environment: optional(environment.nullable()),
  workspaceId: optional(id.nullable()),
  origins: optional(z.array(z.string().max(300)).max(100)),
});
export const creditsBody = z.object({ delta: z.int(), reason });
export const emptyBody = z.object({});

function currency() {
  return z.string().regex(/^[A-Z]{3}$/, 'A three-letter currency code.');
}

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
