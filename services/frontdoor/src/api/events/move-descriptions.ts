/** The description of an event's moves. */
import { missingLabelsMax } from '@parterre/shared/limits';
import { type Description, standIn } from '../../openapi/openapi.ts';

const archived = { key: standIn.archivedEvent };

/** An active group or season keeps the life and the chart of its events. */
export const locked = ['performance_group_locked', 'season_event_locked'] as const;

export const eventMoveDescriptions = {
  'POST /v1/events/{key}/close': {
    operationId: 'closeEvent',
    tag: 'Events',
    summary: 'Stop sales',
    description: "Reads and operators' work go on. Active holds can still be booked.",
    refusals: ['invalid_event_state', ...locked],
    examples: [
      { summary: 'Close it' },
      { summary: 'A closed event', path: { key: standIn.closedEvent }, answers: 'invalid_event_state' },
    ],
  },
  'POST /v1/events/{key}/reopen': {
    operationId: 'reopenEvent',
    tag: 'Events',
    summary: 'Put an event back on sale',
    description:
      'Needs a chart that sells something, an end in the future (or none) and, for a live event, credits. An ' +
      'unarchived event is reopened the same way.',
    refusals: ['event_not_ready', 'invalid_event_state'],
    examples: [
      { summary: 'Open it again', path: { key: standIn.closedEvent } },
      { summary: 'An event whose end has passed', path: { key: standIn.endedEvent }, answers: 'event_not_ready' },
    ],
  },
  'POST /v1/events/{key}/archive': {
    operationId: 'archiveEvent',
    tag: 'Events',
    summary: 'Archive an event',
    description:
      'The event can no longer change or sell, and stays readable. The snapshot names the state of the inventory at ' +
      "that time, which the event's journal keeps for good.",
    refusals: ['invalid_event_state', ...locked],
    examples: [
      { summary: 'Archive it' },
      { summary: 'An archived event', path: archived, answers: 'invalid_event_state' },
    ],
  },
  'POST /v1/events/{key}/unarchive': {
    operationId: 'unarchiveEvent',
    tag: 'Events',
    summary: 'Take an event out of the archive',
    description: 'The event is active, with its sales paused until it is reopened.',
    refusals: ['invalid_event_state'],
    examples: [
      { summary: 'Unarchive it', path: archived },
      { summary: 'An event that is not archived', answers: 'invalid_event_state' },
    ],
  },
  'POST /v1/events/{key}/update-chart': {
    operationId: 'updateEventChart',
    tag: 'Events',
    summary: 'Move an event to the latest published version of its chart',
    description:
      'All or nothing. Seats are matched by label. Held and booked seats keep their holders and prices. `updated` is ' +
      'false if the event already had that version. Refused with `seats_would_vanish` if the new version lacks ' +
      `held or booked seats: \`missingLabels\` names the first ${missingLabelsMax} of them, \`missingCount\` gives ` +
      'their number. Availability rules and section states of divisions that the new version lacks are dropped, ' +
      'and the units that they hid or closed are open; `droppedScopes` names these divisions, if there are any. ' +
      'Seats of channels that the new version lacks are dropped only with `acknowledgeDroppedAssignments` and a ' +
      '`reason`. Blocked seats that the new version lacks are dropped and named in the log. Dropped units are also ' +
      'missing from the items of ended holds, so a hold without any unit left shows none.',
    refusals: ['invalid_event_state', ...locked, 'chart_not_found', 'seats_would_vanish', 'assignments_would_drop'],
    examples: [
      { summary: 'Without a body' },
      { summary: 'With a reason', body: { acknowledgeDroppedAssignments: true, reason: 'New rows' } },
      { summary: 'An empty reason', body: { reason: '' }, answers: 'invalid_request' },
      { summary: 'An archived event', path: archived, answers: 'invalid_event_state' },
      {
        summary: 'The latest version lacks a booked seat',
        path: { key: standIn.eventWithLostSeats },
        answers: 'seats_would_vanish',
      },
    ],
  },
  'DELETE /v1/events/{key}': {
    operationId: 'deleteEvent',
    tag: 'Events',
    summary: 'Delete an event',
    description:
      'The event is not found any more, nor are its holds, bookings, report and log: the journal keeps them, and no ' +
      'call reads them. To end an event and keep it readable, archive it. Its slug may be used again. Its key is ' +
      'never used again: another event with the slug gets a number.',
    refusals: ['invalid_event_state', ...locked],
    examples: [{ summary: 'Delete it' }],
  },
} as const satisfies Record<string, Description>;
