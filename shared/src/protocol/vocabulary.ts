/** Closed lists of public values that more than one service checks. */

/** The regions where an event may be placed. The OpenAPI description lists them. */
export const regions = [
  'western-europe',
  'eastern-europe',
  'north-america-east',
  'north-america-west',
  'south-america',
  'asia-pacific',
  'northeast-asia',
  'southeast-asia',
  'oceania',
  'africa',
  'middle-east',
] as const;

/** The occurrences that a webhook subscription may ask for. `season.*` has all occurrences of seasons' own. */
export const webhookEvents = [
  'seat.booked',
  'seat.released',
  'seat.blocked',
  'hold.created',
  'hold.expired',
  'hold.extended',
  'event.created',
  'event.soldout',
  'object.resale.sold',
  'ping',
  'season.*',
] as const;

/**
 * The occurrence of events whose subscribers hear of a season's own occurrence, too: clients that are older than
 * seasons can name no other. `season.*` hears of all.
 */
export function heardWith(seasonEvent: string): (typeof webhookEvents)[number] {
  if (seasonEvent.startsWith('season.hold.')) return 'hold.created';
  if (seasonEvent === 'season.booking.booked') return 'seat.booked';
  return seasonEvent.startsWith('season.booking.') ? 'seat.released' : 'event.created';
}
