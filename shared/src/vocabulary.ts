/** Closed lists of the contract that more than one service checks against. */

/** Where an event may be placed (wire contract 4). */
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

/** What a webhook subscription may ask for (specification, Events). */
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
