import type { AvailabilityView } from '@parterre/shared/answers';
import { z } from 'zod';
import { count, epochMs, optional, text } from '../records/records.ts';

export const availabilityRule = z.object({
  mode: z.enum(['hidden', 'closed', 'timed', 'threshold']),
  labels: optional(
    z
      .array(text)
      .describe(
        "The caller's own list of the scope's units: kept and returned, never trusted. What the rule covers follows from the chart.",
      ),
  ),
  revealAt: optional(epochMs.describe('Of timed.')),
  thresholdPct: optional(z.number().min(1).max(100).describe('Of threshold.')),
  revealedAt: optional(epochMs.describe('Since when a timed or threshold scope is open.')),
});

export const availabilityView = z.object({
  rules: z
    .record(text, availabilityRule)
    .describe('By the id of a section, a logical section or a zone, or `__ungrouped__`; a scope without one is open.'),
  hidden: z.array(text).describe('The scopes that are hidden just now, by a rule or a section state.'),
  closed: z.array(text),
  version: count.describe('Grows when the rules are set, and when a new chart has not all of their scopes.'),
}) satisfies z.ZodType<AvailabilityView>;
