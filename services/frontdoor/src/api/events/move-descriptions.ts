/** The life of an event, as the description has it. */
import { missingLabelsMax } from '@parterre/shared/limits';
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

const archived = { key: standIn.archivedEvent };

export const eventMoveDescriptions = {
  'POST /v1/events/{key}/close': {
    operationId: 'closeEvent',
    tag: 'Events',
    summary: 'Stop sales',
    description: 'Reads go on, and so does what an organizer does; holds that stand can still be booked.',
    refusals: ['invalid_event_state'],
    examples: [
      { summary: 'Close it' },
      { summary: 'One that is closed', path: { key: standIn.closedEvent }, answers: 'invalid_event_state' },
    ],
  },
  'POST /v1/events/{key}/reopen': {
    operationId: 'reopenEvent',
    tag: 'Events',
    summary: 'Sell again',
    description:
      'Needs a chart that still sells something, an end that has not passed and, for a live event, credits. An unarchived event is reopened, too.',
    refusals: ['event_not_ready', 'invalid_event_state'],
    examples: [
      { summary: 'Open it again', path: { key: standIn.closedEvent } },
      { summary: 'One whose end has passed', path: { key: standIn.endedEvent }, answers: 'event_not_ready' },
    ],
  },
  'POST /v1/events/{key}/archive': {
    operationId: 'archiveEvent',
    tag: 'Events',
    summary: 'Put an event into the archive',
    description:
      'Nothing of it can be changed or sold any more, and everything can be read. The snapshot names the state of the inventory at that time, ' +
      "which the event's journal keeps for good.",
    refusals: ['invalid_event_state'],
    examples: [
      { summary: 'Archive it' },
      { summary: 'One that is in the archive', path: archived, answers: 'invalid_event_state' },
    ],
  },
  'POST /v1/events/{key}/unarchive': {
    operationId: 'unarchiveEvent',
    tag: 'Events',
    summary: 'Take an event out of the archive',
    description: 'It is active, with its sales paused until it is reopened.',
    refusals: ['invalid_event_state'],
    examples: [
      { summary: 'Unarchive it', path: archived },
      { summary: 'One that is not in the archive', answers: 'invalid_event_state' },
    ],
  },
  'POST /v1/events/{key}/update-chart': {
    operationId: 'updateEventChart',
    tag: 'Events',
    summary: 'Take the latest published version of the chart',
    description:
      'All or nothing. A seat is the same one where its label is, and who holds or has booked it keeps it at its price. `updated` ' +
      'is false where the event was on that version already. Refused with `seats_would_vanish` where held or booked seats are not ' +
      `on it: \`missingLabels\` names the first ${missingLabelsMax} of them, \`missingCount\` says how many there are. Availability ` +
      'rules and section states of scopes that it has not are gone, and what they hid or closed is open: `droppedScopes` names ' +
      'them, where there are any. Seats of channels that it has not are given up only with `acknowledgeDroppedAssignments` and a ' +
      '`reason`. Blocked seats that it has not are gone, and named in the log. What it has not any more is also missing from the ' +
      'items of holds that are over, so that one of which nothing is left there shows none.',
    refusals: ['invalid_event_state', 'chart_not_found', 'seats_would_vanish', 'assignments_would_drop'],
    examples: [
      { summary: 'Without a body' },
      { summary: 'With a reason', body: { acknowledgeDroppedAssignments: true, reason: 'New rows' } },
      { summary: 'A reason that is none', body: { reason: '' }, answers: 'invalid_request' },
      { summary: 'An event in the archive', path: archived, answers: 'invalid_event_state' },
      {
        summary: 'Where a booked seat is not on the latest version',
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
      'It is not found any more, nor are its holds, bookings, report and log: the journal keeps them, no call reads them. To end an event and read ' +
      'them still, archive it. Its slug may be used again; its key is not, so that another event gets a number.',
    refusals: ['invalid_event_state'],
    examples: [{ summary: 'Delete it' }],
  },
} as const satisfies Record<string, Description>;
