/** English of the live map. */
import type { Messages } from '../translation.ts';

export const english = {
  'map.title': 'Map',
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
} as const satisfies Messages;
