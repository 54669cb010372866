/** Answers of availability rules. */
import type { AvailabilityView } from '@parterre/shared/answers';
import { z } from 'zod';
import { count, epochMs, optional, text } from '../records/records.ts';

export const availabilityRule = z.object({
  mode: z.enum(['hidden', 'closed', 'timed', 'threshold']),
  labels: optional(
    z
      .array(text)
      .describe(
        "The caller's own list of the division's units. The list is stored and returned, never used: the chart " +
          'decides which units the rule covers.',
      ),
  ),
  revealAt: optional(epochMs.describe('For mode timed.')),
  thresholdPct: optional(z.number().min(1).max(100).describe('For mode threshold.')),
  revealedAt: optional(epochMs.describe('The time at which a timed or threshold division opened.')),
});

export const availabilityView = z.object({
  rules: z
    .record(text, availabilityRule)
    .describe(
      'By the id of a section, a logical section or a zone, or `__ungrouped__`. A division without a rule is open.',
    ),
  hidden: z.array(text).describe('The divisions that are hidden now, by a rule or a section state.'),
  closed: z.array(text),
  version: count.describe('Grows when the rules are set, and when a new chart lacks divisions that rules name.'),
}) satisfies z.ZodType<AvailabilityView>;
