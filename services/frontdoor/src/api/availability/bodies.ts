/** The body that sets availability rules (wire contract 5.1). What a mode does not use is not kept. */
import { labelsPerBulkMax, sectionIdsPerPatchMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { byScope, epochMs, optional, unitLabel } from '../records/body-parts.ts';

const labels = optional(
  z
    .array(unitLabel)
    .max(labelsPerBulkMax)
    .describe(
      "The caller's own list of the scope's units: kept and returned, never trusted. What the rule covers follows from the chart.",
    ),
);

const rule = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('hidden'), labels }),
  z.object({ mode: z.literal('closed'), labels }),
  z.object({ mode: z.literal('timed'), labels, revealAt: epochMs }),
  z.object({ mode: z.literal('threshold'), labels, thresholdPct: z.number().min(1).max(100) }),
]);

export const availabilityBody = z.object({
  rules: byScope(rule)
    .refine((rules) => Object.keys(rules).length <= sectionIdsPerPatchMax, 'Too many rules.')
    .refine(
      (rules) => Object.values(rules).reduce((sum, each) => sum + (each.labels?.length ?? 0), 0) <= labelsPerBulkMax,
      'Too many labels.',
    ),
  version: optional(z.int().min(0)),
});
