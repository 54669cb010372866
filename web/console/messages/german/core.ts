/** German of the frame around every view. */
import type { english } from '../english/core.ts';
import type { In } from '../translation.ts';

export const german: In<typeof english> = {
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
  'session.suspended': 'Ihre Organisation ist gesperrt. Fragen Sie den Betreiber dieses Servers.',
  'session.silent': 'Der Server antwortet nicht. Versuchen Sie es noch einmal.',
  'session.token': 'Token',
  'session.token.have': 'Ich habe ein Token für ein neues Passwort',
  'session.token.title': 'Passwort setzen',
  'session.token.password': 'Neues Passwort (10 Zeichen oder mehr)',
  'session.token.set': 'Passwort setzen',
  'session.token.refused':
    'Dieses Token wurde benutzt, ersetzt, oder ist älter als 24 Stunden. Bitten Sie um ein anderes.',
  'session.token.done': 'Das Passwort ist gesetzt. Melden Sie sich damit an.',
  'frame.mode': 'Modus',
  'frame.mode.live': 'Echt',
  'frame.mode.test': 'Test',
  'frame.mode.note': 'Testmodus. Hier wird nichts wirklich verkauft.',
  'frame.workspace': 'Bereich',
  'frame.workspace.all': 'Alle Bereiche',
  'frame.workspace.unknown': 'Unbekannter Bereich',
  'frame.views': 'Seiten',

  'frame.notices': 'Was geschehen ist',
  'frame.notices.earlier': { one: '{count} früher', other: '{count} früher' },
  'frame.undo': 'Rückgängig',
  'frame.undone': 'Rückgängig gemacht.',
  'frame.close': 'Schließen',
  'frame.cancel': 'Abbrechen',

  'refused.unknown':
    'Der Server hat nicht geantwortet. Vielleicht ist es geschehen. Versuchen Sie es noch einmal: Es geschieht höchstens einmal.',
  'refused.forbidden': 'Ihre Rolle darf das nicht. Fragen Sie einen Inhaber Ihrer Organisation.',
  'refused.not_found': 'Das gibt es nicht mehr. Vielleicht hat es jemand gelöscht.',
  'refused.conflict': 'Jemand war schneller, und nichts wurde geändert.',
  'refused.rate_limited':
    'Zu viele Aufrufe in kurzer Zeit. Warten Sie einen Augenblick, und versuchen Sie es dann noch einmal.',
  'refused.in_progress': 'Dasselbe ist schon unterwegs. Warten Sie einen Augenblick.',
  'refused.mode_mismatch': 'Das gehört zum anderen Modus. Wechseln Sie den Modus, und versuchen Sie es noch einmal.',
  'refused.other': 'Der Server hat es abgelehnt ({code}).',
  'refused.places': 'Plätze: {places}.',
  'refused.more': { one: 'Und {count} weiterer.', other: 'Und {count} weitere.' },

  'console.view.failed': 'Diese Seite konnte nicht geladen werden.',

  'event.tabs': 'Teile der Veranstaltung',

  'role.owner': 'Inhaber',
  'role.admin': 'Inhaber',
  'role.manager': 'Leitung',
  'role.box_office': 'Kasse',
  'role.marketing': 'Marketing',
  'role.door': 'Einlass',
  'role.viewer': 'Leser',
  'role.member': 'Leser',
};
