/**
 * Opens the room of pricing: ticket releases and their use, tiers, the prices of channels, currencies. The price of a
 * unit is decided in unit-prices.ts.
 */
import { ticketReleaseCalls, ticketReleaseFolds, ticketReleaseReads } from './ticket-releases.ts';

export { changeCurrency, currencyOf } from './currencies.ts';
export { checkOverrides, isPriced } from './price-overrides.ts';
export {
  addBooked,
  countFreed,
  countTaken,
  heldByRelease,
  noteCountedOnce,
  type ReleaseRows,
} from './ticket-release-use.ts';
export { isForSome, type NoTier, tierOf } from './tiers.ts';
export {
  type ChannelPrices,
  channelPrices,
  checkSoldUnder,
  type NextTicketRelease,
  releasesFor,
} from './unit-prices.ts';

export const pricingReads = ticketReleaseReads;
export const pricingCalls = ticketReleaseCalls;
export const pricingFolds = ticketReleaseFolds;
