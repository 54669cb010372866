/**
 * Opens the room of the state: the state of one event, its holders, and the small reads and writes that every other
 * room builds on. This room decides nothing. The invariants of the state are in event-state.ts.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { EventConfig } from '@parterre/shared/protocol/records';
import { PackedMap } from '../packed/packed.ts';
import { EventOffers } from '../parts/offers.ts';
import { Parts } from '../parts/parts.ts';
import { Buyers } from './buyers.ts';
import { noChannels } from './channel-table.ts';
import { DeadlineHeap } from './deadlines.ts';
import type { EventState } from './event-state.ts';
import { CancelledBookings } from './holder.ts';
import { Holds } from './holds.ts';
import { bookingPacking } from './packed-holders.ts';
import { Reservations } from './reservations.ts';
import { withheldOf } from './units.ts';
import { Visitors } from './visitors.ts';

export {
  areaIndexesKept,
  eventAheadMsMax,
  formerCurrenciesKept,
  placesAskedKept,
  reachMasksKept,
  searchOrdersKept,
  sessionsCountedMax,
  sessionsForgottenAtOnce,
  sessionUseKeepMs,
  summariesKept,
  unitColumnsBytesMax,
} from './bounds.ts';
export { Buyers, type CapturedBuyers } from './buyers.ts';
export {
  answerNoted,
  isReplaced,
  isShort,
  knownCall,
  knownNamedCall,
  nameCall,
  noteCall,
  noteNamedCall,
  noteReplaced,
  unitsOfCall,
} from './calls.ts';
export {
  addChannel,
  channelNumbered,
  channelNumberOf,
  channelOf,
  channelsFrom,
  isLive,
  publicSale,
} from './channel-table.ts';
export type { Deadline } from './deadlines.ts';
export {
  byOf,
  type CallRule,
  type CallRules,
  type Decision,
  type Fold,
  type Folds,
  keyReused,
  type Reads,
  type RecordType,
  type Rule,
  type Rules,
  type StepFold,
  type StepFolds,
  salesClosed,
} from './decision.ts';
export type {
  Channels,
  Divisions,
  EventCall,
  EventState,
  ExchangeSums,
  Listing,
  NamedCall,
  ReadState,
  SessionUse,
  ThresholdBase,
  TicketReleaseUse,
} from './event-state.ts';
export { pinnedSlot } from './event-state.ts';
export { type Booking, type Call, type ChosenUnits as Chosen, type Hold, notParted } from './holder.ts';
export {
  countsOf,
  freedOf,
  hasAnyUnit,
  hasUnit,
  heldLines,
  isBlocked,
  isFree,
  isInCheckout,
  isOffered,
  isOfOffer,
  isOnSale,
  isReserved,
  knownBooking,
  knownHold,
  leftBehind,
  listedAmong,
  listingsOf,
  offeredAmong,
  putListing,
  unitStatusName,
  unitsOfLines,
} from './holding.ts';
export { Holds } from './holds.ts';
export { bytesOfLookups, dropLookups, type Lookup, lookupOf } from './lookups.ts';
export { bookingPacking, holdPacking } from './packed-holders.ts';
export {
  cancelledInSteps,
  eachBookedLine,
  eachBookedLineInSteps,
  lineValue,
  packLines,
  quantityOfLines,
  totalOfLines,
  unpackLines,
} from './packed-lines.ts';
export { knownReservation, type Reservation, Reservations } from './reservations.ts';
export { dropStaleDeadlines, isStale, liveDeadlinesInSteps, schedule } from './schedule.ts';
export { setUnits, withheldOf } from './units.ts';
export { noVisitors, type PlaceOfVisitor, Visitors } from './visitors.ts';

/** The state of an event before its first record: `apply` of the `created` record completes it. */
export function newState(config: EventConfig, plan: Plan): EventState {
  const statuses = new Uint8Array(plan.unitCount);
  return {
    config,
    plan,
    status: 'active',
    salesPaused: false,
    formerCurrencies: [],
    exchangeCharges: null,
    sectionStates: config.sectionStates ?? {},
    availability: { rules: {}, version: 0 },
    divisions: { hidden: [], closed: [], byObject: null, nextReveal: null },
    thresholdBase: null,
    withheld: withheldOf(plan, statuses),
    releases: [],
    releaseUse: new Map(),
    channels: noChannels(),
    sessionUse: new Map(),
    visitors: new Visitors(),
    buyers: new Buyers(),
    soldOut: false,
    listings: new Map(),
    listingOf: new Map(),
    holdTtlMs: config.holdTtlMs,
    version: 0,
    groups: 0,
    at: 0,
    statuses,
    slotOf: new Int32Array(plan.unitCount),
    nextSlot: 1,
    counts: [plan.unitCount, 0, 0, 0],
    holds: new Holds(),
    bookings: new PackedMap(bookingPacking),
    cancelled: new CancelledBookings(),
    bookedValue: 0,
    blockedUntil: new Map(),
    parts: new Parts(),
    offers: new EventOffers(),
    reservations: new Reservations(),
    calls: new Map(),
    callUnits: 0,
    callBytes: 0,
    namedCalls: new Map(),
    namedCallUnits: 0,
    deadlines: new DeadlineHeap(),
  };
}
