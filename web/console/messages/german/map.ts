/** German of the live map. */
import type { english } from '../english/map.ts';
import type { In } from '../translation.ts';

export const german: In<typeof english> = {
  'map.title': 'Saalplan',
  'map.live': 'Der Plan ist aktuell.',
  'map.behind': 'Der Server antwortet nicht. Der Plan zeigt den letzten bekannten Stand.',
  'map.stale': 'Zurzeit wird nichts verkauft. Der Plan zeigt den letzten bekannten Stand.',
  'map.failed': 'Die Veranstaltung lässt sich nicht öffnen. Vielleicht ist sie gelöscht oder gehört zum anderen Modus.',
  'map.free': '{free} von {count} frei',
  'map.places': { one: '{count} Platz', other: '{count} Plätze' },
  'map.find': 'Einen Platz nach seiner Bezeichnung wählen',
  'map.chosen': { one: '{count} Platz ist gewählt', other: '{count} Plätze sind gewählt' },
  'map.leave': '{seat} weglassen',
  'map.reservations': 'Reservierungen',
  'map.status.free': 'frei',
  'map.status.held': 'gehalten',
  'map.status.booked': 'gebucht',
  'map.status.blocked': 'gesperrt',
  'map.status.not_for_sale': 'unverkäuflich',
};
