/** The records of exchanges, and what their folds have in common. */
import type { Caller, ExchangeCharge } from '@parterre/shared/protocol/commands';
import type { ExchangeCharges, JournalRecord } from '@parterre/shared/protocol/records';
import { passedBy } from '../availability/availability.ts';
import { externalRefsOf, overriddenOf } from '../reach/attribution.ts';
import { noteBlocked } from '../sales/sales.ts';
import { byOf, type ReadState, unitsOfLines } from '../state/state.ts';
import type { Taken } from './sides.ts';

export type Exchanged = JournalRecord & { type: 'exchanged' | 'exchanged-with' };

type Names = Pick<Exchanged, 'exchangeId' | 'bookingRef' | 'callId' | 'reason'>;

/** The fee that the customer is asked for, and the price difference that is waived. */
export function chargesOf(
  { fee, waiveDifference }: ExchangeCharge,
  { priceDifference }: { priceDifference: number },
): ExchangeCharges {
  return {
    ...(fee !== undefined && { fee }),
    ...(waiveDifference && { waived: { amount: priceDifference, reason: waiveDifference.reason } }),
  };
}

export function exchangedRecord(
  state: ReadState,
  { exchangeId, bookingRef, callId, reason }: Names,
  units: number[],
  { lines, hold }: Taken,
  caller: Caller,
): JournalRecord & { type: 'exchanged' } {
  const accessSource = hold?.accessSource ?? caller.accessSource;
  const sides = { units, holdId: hold?.id ?? null, accessSource, lines };
  const record: JournalRecord & { type: 'exchanged' } = {
    type: 'exchanged',
    exchangeId,
    bookingRef,
    callId,
    ...sides,
    reason,
    by: byOf(caller),
  };
  // The new places belong to the buyer of the hold, else to the buyer of the places that are given up.
  const buyerRef = hold?.buyerRef ?? buyerAmong(state, units);
  if (buyerRef !== null) record.buyerRef = buyerRef;
  const channelRefs = externalRefsOf(state, lines);
  if (channelRefs) record.channelRefs = channelRefs;
  if (hold) {
    // The hold's own record has the rest.
    if (hold.partnerRef !== null) record.partnerRef = hold.partnerRef;
    return record;
  }
  noteBlocked(state, record, caller);
  const passed = passedBy(state, lines);
  if (passed) record.passed = passed;
  const overridden = overriddenOf(state, caller, unitsOfLines(lines));
  if (overridden) record.overridden = overridden;
  return record;
}

/** The buyer of the first of these units that has one. */
export function buyerAmong({ buyers }: ReadState, units: readonly number[]): string | null {
  if (buyers.size === 0) return null;
  const unit = units.find((each) => buyers.buyerOf(each) !== null);
  return unit === undefined ? null : buyers.buyerOf(unit);
}

/** The sale of the new units. */
export function saleOf(record: Exchanged): JournalRecord & { type: 'booked' } {
  const { bookingRef, callId, holdId, accessSource, lines, passed, channelRefs, by } = record;
  const { partnerRef, buyerRef, overridden, blocked } = record;
  return {
    type: 'booked',
    bookingRef,
    callId,
    holdId,
    accessSource,
    lines,
    by,
    ...(passed && { passed }),
    ...(channelRefs && { channelRefs }),
    ...(partnerRef !== undefined && { partnerRef }),
    ...(buyerRef !== undefined && { buyerRef }),
    ...(overridden && { overridden }),
    ...(blocked && { blocked }),
  };
}
