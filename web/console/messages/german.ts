/** The console in German. */
import type { Translation } from './english.ts';

export const german: Translation = {
  'console.title': 'Parterre-Konsole',
  'console.loading': 'Einen Moment …',
  'console.again': 'Noch einmal versuchen',
  'console.view.unknown': 'Diese Seite gibt es nicht. Vielleicht ist die Adresse abgeschnitten.',

  'session.title': 'Anmelden',
  'session.email': 'E-Mail',
  'session.password': 'Passwort',
  'session.enter': 'Anmelden',
  'session.leave': 'Abmelden',
  'session.ended': 'Ihre Sitzung ist zu Ende. Melden Sie sich wieder an, dann geht Ihre Arbeit weiter.',
  'session.refused': 'E-Mail und Passwort gehören nicht zusammen.',
  'session.locked': 'Zu viele Fehlversuche. Melden Sie sich in einer Viertelstunde wieder an.',
  'session.silent': 'Der Server antwortet nicht. Versuchen Sie es noch einmal.',

  'frame.mode': 'Modus',
  'frame.mode.live': 'Echt',
  'frame.mode.test': 'Test',
  'frame.workspace': 'Bereich',
  'frame.workspace.all': 'Alle Bereiche',
  'frame.views': 'Seiten',

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
