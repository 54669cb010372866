/** The description of availability rules. */
import { type Description, standIn } from '../../openapi/openapi.ts';

export const availabilityDescriptions = {
  'GET /v1/events/{key}/availability': {
    operationId: 'getAvailability',
    tag: 'Inventory',
    summary: 'The divisions of an event that are hidden from buyers or closed to them',
    examples: [{ summary: 'The rules' }],
  },
  'POST /v1/events/{key}/availability': {
    operationId: 'setAvailability',
    tag: 'Inventory',
    summary: 'Replace all availability rules',
    description:
      'A unit is subject to its section (by its own id and its logical id) and its zone, each by rule and by section ' +
      'state. The strictest counts: hidden over closed over open. A timed division is hidden until `revealAt`. A ' +
      'threshold division is hidden until `thresholdPct` percent of all units under no hidden or threshold rule ' +
      'are booked, and then stays open. Without any such units it stays hidden. If an opened division is set again ' +
      'with the same mode and number, it stays open. Units that a buyer holds stay held. For buyers, hidden units ' +
      "are `not_for_sale`, like blocked units. The rules do not bind a server's call that names labels; the log " +
      'names the divisions. With `version` (from an earlier answer) the call is refused if the rules have changed ' +
      'since that answer. Rules of divisions that a new chart lacks are dropped. At most 50,000 labels in all.',
    refusals: ['conflict', 'invalid_event_state'],
    examples: [
      { summary: 'Close the units of no section', body: { rules: { __ungrouped__: { mode: 'closed' } } } },
      {
        summary: 'Hide them until a time',
        body: { rules: { __ungrouped__: { mode: 'timed', revealAt: 1_600_000_000_000 } } },
      },
      { summary: 'Open everything', body: { rules: {} } },
      {
        summary: 'An unknown division',
        body: { rules: { attic: { mode: 'hidden' } } },
        answers: 'invalid_request',
      },
      { summary: 'An outdated version', body: { rules: {}, version: 9_999 }, answers: 'conflict' },
      {
        summary: 'Of an archived event',
        path: { key: standIn.archivedEvent },
        body: { rules: {} },
        answers: 'invalid_event_state',
      },
    ],
  },
} as const satisfies Record<string, Description>;
