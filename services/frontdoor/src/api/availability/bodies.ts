/** Request body of availability rules. Fields that a mode does not use are dropped. */
import { labelsPerBulkMax, sectionIdsPerPatchMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { moment, optional, recordById, unitLabel } from '../records/records.ts';

const labels = optional(
  z
    .array(unitLabel)
    .max(labelsPerBulkMax)
    .describe(
      "The caller's own list of the division's units. The list is stored and returned, never used: the chart decides " +
        'which units the rule covers.',
    ),
);

const rule = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('hidden'), labels }),
  z.object({ mode: z.literal('closed'), labels }),
  z.object({ mode: z.literal('timed'), labels, revealAt: moment }),
  z.object({ mode: z.literal('threshold'), labels, thresholdPct: z.number().min(1).max(100) }),
]);

export const availabilityBody = z.object({
  rules: recordById(rule)
    .refine(
      (rules) => Object.keys(rules).length <= sectionIdsPerPatchMax,
      `Must have at most ${sectionIdsPerPatchMax} rules in one call.`,
    )
    .refine(
      (rules) => Object.values(rules).reduce((sum, each) => sum + (each.labels?.length ?? 0), 0) <= labelsPerBulkMax,
      `Must have at most ${labelsPerBulkMax} labels in one call.`,
    ),
  version: optional(z.int().min(0)),
});
