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

/** The occurrences of an event, which its journal tells. */
export const eventOccurrences = [
  'seat.booked',
  'seat.released',
  'seat.blocked',
  'hold.created',
  'hold.extended',
  'hold.released',
  'hold.expired',
  'event.created',
  'event.updated',
  'event.closed',
  'event.reopened',
  'event.archived',
  'event.deleted',
  'event.soldout',
  'resale.listed',
  'resale.removed',
  'object.resale.sold',
] as const;

/** The occurrences of seasons' own, from their outboxes. */
export const seasonOccurrences = [
  'season.activated',
  'season.activation.failed',
  'season.closed',
  'season.archived',
  'season.plan.published',
  'season.plan.superseded',
  'season.sales.closed',
  'season.sales.open',
  'season.sales.paused',
  'season.sales.ended',
  'season.occurrence.amended',
  'season.hold.committed',
  'season.booking.booked',
  'season.booking.cancelled',
  'season.booking.cancel_failed',
  'season.booking.partial_terminal',
  'season.renewal.offered',
  'season.renewal.intent_received',
  'season.renewal.extended',
  'season.renewal.committing',
  'season.renewal.renewed',
  'season.renewal.declined',
  'season.renewal.lapsed',
  'season.renewal.released',
  'season.renewal.partial_terminal',
] as const;

export type SeasonOccurrence = (typeof seasonOccurrences)[number];

/** The occurrences that a webhook subscription may ask for. `season.*` has all occurrences of seasons' own. */
export const webhookEvents = [...eventOccurrences, 'webhook.paused', 'ping', 'season.*'] as const;

/**
 * The occurrence of events whose subscribers hear of a season's own occurrence, too: clients that are older than
 * seasons can name no other. `season.*` hears of all.
 */
export function heardWith(seasonEvent: string): (typeof webhookEvents)[number] {
  if (seasonEvent.startsWith('season.hold.')) return 'hold.created';
  if (seasonEvent === 'season.booking.booked') return 'seat.booked';
  return seasonEvent.startsWith('season.booking.') ? 'seat.released' : 'event.created';
}
