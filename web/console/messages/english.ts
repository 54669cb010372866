/** The console's texts. German and Arabic have every key of this table. */
import type { Plural } from '../../src/messages/filled.ts';

export const english = {
  'console.title': 'Parterre console',
  'console.loading': 'One moment…',
  'console.again': 'Try again',
  'console.view.unknown': 'There is no such page. The address may be cut off.',

  'session.title': 'Sign in',
  'session.email': 'Email',
  'session.password': 'Password',
  'session.enter': 'Sign in',
  'session.leave': 'Sign out',
  'session.ended': 'Your session has ended. Sign in again, and your work goes on.',
  'session.refused': 'Email and password do not belong together.',
  'session.locked': 'Too many failures. Sign in again in a quarter of an hour.',
  'session.silent': 'The server does not answer. Try again.',

  'frame.mode': 'Mode',
  'frame.mode.live': 'Live',
  'frame.mode.test': 'Test',
  'frame.workspace': 'Workspace',
  'frame.workspace.all': 'All workspaces',
  'frame.views': 'Pages',

  'events.title': 'Events',
  'events.search': 'Search by name or key',
  'events.shown': { one: '{count} event', other: '{count} events' },
  'events.none': 'No event is here yet.',
  'events.none.found': 'No event matches.',
  'events.failed': 'The events cannot be read.',
  'events.more': 'More events',
  'events.name': 'Event',
  'events.date': 'Date',
  'events.status': 'State',
  'events.free': 'Free',
  'events.held': 'Held',
  'events.booked': 'Booked',
  'events.blocked': 'Blocked',
  'events.status.active': 'On sale',
  'events.status.closed': 'Closed',
  'events.status.archived': 'Archived',

  'map.live': 'The map is live.',
  'map.behind': 'The server does not answer. The map shows the last known state.',
  'map.stale': 'Nothing is sold at present. The map shows the last known state.',
  'map.failed': 'The event cannot be opened. It may be deleted, or belong to the other mode.',
  'map.free': '{free} of {count} free',
  'map.places': { one: '{count} place', other: '{count} places' },
  'map.find': 'Choose a seat by its label',
  'map.chosen': {
    zero: 'Nothing is chosen',
    one: '{count} seat is chosen',
    other: '{count} seats are chosen',
  },
  'map.leave': 'Leave {seat} out',
  'map.reservations': 'Reservations',
  'map.status.free': 'free',
  'map.status.held': 'held',
  'map.status.booked': 'booked',
  'map.status.blocked': 'blocked',
  'map.status.not_for_sale': 'not for sale',
} as const satisfies Record<string, string | Plural>;

export type MessageKey = keyof typeof english;
/** A whole language. A plural message of English is a plural message everywhere. */
export type Translation = { [Key in MessageKey]: (typeof english)[Key] extends string ? string : Plural };
