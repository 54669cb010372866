/** Request bodies of events. Unknown fields are ignored. */
import type { SelectionRules } from '@parterre/shared/chart/selection-rules';
import { labelsPerSaleMax, sectionIdsPerPatchMax, selectionLimitsMax } from '@parterre/shared/limits';
import { visibleText } from '@parterre/shared/names';
import { regions } from '@parterre/shared/vocabulary';
import { z } from 'zod';
import {
  currencyCode,
  externalRef,
  id,
  mode,
  moment,
  name,
  optional,
  publicSaleBody,
  reason,
  recordById,
} from '../records/records.ts';

/** The details of an event, for its creation and later changes. Null means none, or clears the field. */
const details = {
  startsAt: optional(moment.nullable()),
  endsAt: optional(moment.nullable()),
  venue: optional(visibleText.max(500).nullable()),
  externalRef: optional(externalRef.nullable()),
  currency: optional(currencyCode.nullable()),
  description: optional(z.string().max(20_000).nullable()),
  timezone: optional(
    z.string().max(64).refine(isTimezone, 'Must be an IANA time zone, such as Europe/Zurich.').nullable(),
  ),
  locale: optional(z.string().max(64).refine(isLocale, 'Must be a BCP-47 language tag, such as de-CH.').nullable()),
};

const sectionStates = recordById(z.enum(['open', 'closed', 'hidden'])).refine(
  (states) => Object.keys(states).length <= sectionIdsPerPatchMax,
  `Must name at most ${sectionIdsPerPatchMax} sections in one call.`,
);

const limits = (of: string) =>
  recordById(z.int().min(1).max(labelsPerSaleMax), `The chart has no such ${of}.`).refine(
    (named) => Object.keys(named).length <= selectionLimitsMax,
    `Must name at most ${selectionLimitsMax}.`,
  );

/** Rules that are off leave nothing; without any rule the value is null. */
const selectionRules = z
  .object({
    preventOrphans: optional(z.boolean()),
    categoryLimits: optional(
      limits('category').describe('The most places of a category in one hold, by category key.'),
    ),
    tierLimits: optional(limits('tier').describe('The most tickets of a tier in one hold, by tier id.')),
  })
  .nullable()
  .transform((rules): SelectionRules | null => {
    const { preventOrphans, categoryLimits = {}, tierLimits = {} } = rules ?? {};
    const named = {
      ...(preventOrphans && { preventOrphans }),
      ...(Object.keys(categoryLimits).length > 0 && { categoryLimits }),
      ...(Object.keys(tierLimits).length > 0 && { tierLimits }),
    };
    return Object.keys(named).length === 0 ? null : named;
  });

export const eventBody = z
  .object({
    chartId: id,
    name: optional(name),
    slug: optional(z.string().regex(/^[a-z0-9_-]{3,64}$/, 'Must be 3 to 64 lowercase letters, digits, _ or -.')),
    ...details,
    region: optional(z.enum(regions)),
    posterAssetId: optional(id.nullable()),
    sectionStates: optional(sectionStates),
    selectionRules: optional(selectionRules),
    // A dashboard session chooses mode and ownership. A secret key implies both.
    mode: optional(mode),
    ownership: optional(z.enum(['platform', 'managed'])),
  })
  .refine(({ startsAt, endsAt }) => startsAt == null || endsAt == null || endsAt >= startsAt, {
    message: 'Must not be before startsAt.',
    path: ['endsAt'],
  });

/** The catalog compares `endsAt` with the resulting startsAt. */
export const eventChangesBody = z.object({
  name: optional(name),
  ...details,
  sectionStates: optional(sectionStates),
  selectionRules: optional(selectionRules),
  publicSale: optional(publicSaleBody),
});

export const chartUpdateOfEventBody = z.object({
  acknowledgeDroppedAssignments: optional(z.boolean()),
  reason: optional(reason.nullable()),
});

/**
 * Whether the text names an IANA time zone. An offset like +02:00 does not, although the runtime's library takes it.
 */
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
