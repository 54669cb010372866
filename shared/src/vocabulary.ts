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

/** The occurrences that a webhook subscription may ask for. */
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
] as const;
