/** Availability rules, as the description has them. */
import type { AvailabilityView } from '@parterre/shared/answers';
import { z } from 'zod';
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';
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

const availabilityView = z.object({
  rules: z
    .record(text, availabilityRule)
    .describe('By the id of a section, a logical section or a zone, or `__ungrouped__`; a scope without one is open.'),
  hidden: z.array(text).describe('The scopes that are hidden just now, by a rule or a section state.'),
  closed: z.array(text),
  version: count.describe('Grows when the rules are set, and when a new chart has not all of their scopes.'),
}) satisfies z.ZodType<AvailabilityView>;

export const availability = {
  'GET /v1/events/{key}/availability': {
    operationId: 'getAvailability',
    tag: 'Inventory',
    summary: 'What of an event is hidden from buyers or closed to them',
    answer: availabilityView,
    examples: [{ summary: 'The rules' }],
  },
  'POST /v1/events/{key}/availability': {
    operationId: 'setAvailability',
    tag: 'Inventory',
    summary: 'Replace all availability rules',
    description:
      'A unit is subject to its section (by its own id and by its logical one) and its zone, each by rule and by section state, and the strictest ' +
      'counts: hidden over closed over open. A timed scope is hidden until `revealAt`; a threshold scope until `thresholdPct` of all units under no hidden or ' +
      'threshold rule are booked, and for good then: where there are no such units it stays hidden. Set again with the same mode and number, an ' +
      'open scope stays open. What a buyer holds already stays his. Buyers hear `not_for_sale` of what is hidden, as of what is blocked; a call of a ' +
      'server that names labels passes the rules, and the log says which scopes. With `version` (of the answer before) a set that was overtaken is refused. ' +
      'Rules of scopes that a new chart has not are dropped. At most 50,000 labels in all.',
    answer: availabilityView,
    refusals: ['conflict', 'invalid_event_state'],
    examples: [
      { summary: 'Close what is in no section', body: { rules: { __ungrouped__: { mode: 'closed' } } } },
      {
        summary: 'Hide it until a time',
        body: { rules: { __ungrouped__: { mode: 'timed', revealAt: 1_600_000_000_000 } } },
      },
      { summary: 'Open everything', body: { rules: {} } },
      {
        summary: 'A scope the chart has not',
        body: { rules: { attic: { mode: 'hidden' } } },
        answers: 'invalid_request',
      },
      { summary: 'A stale version', body: { rules: {}, version: 9_999 }, answers: 'conflict' },
      {
        summary: 'Of an archived event',
        path: { key: standIn.archivedEvent },
        body: { rules: {} },
        answers: 'invalid_event_state',
      },
    ],
  },
} as const satisfies Record<string, Description>;
