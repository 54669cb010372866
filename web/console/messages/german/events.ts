/** German of the list of events. */
import type { english } from '../english/events.ts';
import type { In } from '../translation.ts';

export const german: In<typeof english> = {
  'events.title': 'Veranstaltungen',
  'events.search': 'Nach Name oder Schlüssel suchen',
  'events.shown': { one: '{count} Veranstaltung', other: '{count} Veranstaltungen' },
  'events.none': 'Hier gibt es noch keine Veranstaltung.',
  'events.none.found': 'Keine Veranstaltung passt.',
  'events.failed': 'Die Veranstaltungen lassen sich nicht lesen.',
  'events.more': 'Weitere Veranstaltungen',
  'events.name': 'Veranstaltung',
  'events.date': 'Datum',
  'events.status': 'Zustand',
  'events.free': 'Frei',
  'events.held': 'Gehalten',
  'events.booked': 'Gebucht',
  'events.blocked': 'Gesperrt',
  'events.status.active': 'Im Verkauf',
  'events.status.closed': 'Geschlossen',
  'events.status.archived': 'Archiviert',
};
