/** English of the list of events. */
import type { Messages } from '../translation.ts';

export const english = {
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
} as const satisfies Messages;
