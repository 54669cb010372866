/** Availability rules, as the description has them. */
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

export const availabilityDescriptions = {
  'GET /v1/events/{key}/availability': {
    operationId: 'getAvailability',
    tag: 'Inventory',
    summary: 'What of an event is hidden from buyers or closed to them',
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
