/** Extends, releases and inspects a hold. */

import { labelsOf } from '@parterre/shared/charts/plan';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { lineItemsOf } from '@parterre/shared/protocol/line-items';
import { holdExtendsMax, holdTtlMsDefault, holdTtlMsMax } from '@parterre/shared/protocol/page-limits';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { currencyOf } from '../pricing/pricing.ts';
import { holdFor } from '../reach/reach.ts';
import { listingIsWhole, placesAmong, unitsNamed } from '../selection/selection.ts';
import {
  byOf,
  type Decision,
  freedOf,
  type Hold,
  hasUnit,
  heldLines,
  isReplaced,
  leftBehind,
  listedAmong,
  type ReadState,
  unitsOfCall,
  unitsOfLines,
} from '../state/state.ts';
import { noSuchHold } from './book.ts';

/** A call that would not lengthen the hold changes nothing, and uses no renewal. */
export function extend(
  state: ReadState,
  command: Command & { type: 'extend' },
  caller: Caller,
  now: number,
): Decision<'extend'> {
  const found = holdFor(state, command.holdId, caller, now);
  if (!found) return caller.source === 'buyer' ? noSuchHold : cannotExtend('not_found');
  const items = itemsOf(state, found);
  const { id: holdId } = found;
  // A repeated call gets its first answer, even if the hold has ended since (I5).
  const { lastExtend } = found;
  if (lastExtend !== null && (lastExtend === command.callId || isReplaced(state, command.callId))) {
    return { ok: true, records: [], answer: { holdId, expiresAt: found.expiresAt, extends: found.extends, items } };
  }
  if (found.status === 'expired') return cannotExtend('expired', found.status);
  if (found.status !== 'active') return cannotExtend('not_active', found.status);
  if (found.extends >= holdExtendsMax) return cannotExtend('extend_limit', found.status);
  const expiresAt = Math.min(now + ttlOf(state, command.ttlMs, caller), found.createdAt + holdTtlMsMax);
  if (expiresAt <= found.expiresAt) {
    return { ok: true, records: [], answer: { holdId, expiresAt: found.expiresAt, extends: found.extends, items } };
  }
  const units = unitsOfLines(heldLines(state, found));
  return {
    ok: true,
    records: [{ type: 'extended', holdId, callId: command.callId, expiresAt, units, by: byOf(caller) }],
    answer: { holdId, expiresAt, extends: found.extends + 1, items },
  };
}

const whyNotExtended = {
  not_found: 'The event has no hold with this id. Hold the seats again.',
  expired: 'This hold has expired. Hold the seats again.',
  not_active: 'This hold has been booked or released.',
  extend_limit: `This hold has been extended ${holdExtendsMax} times, the most that is allowed.`,
};

/** `status` is the status of the hold. [the event does not know the hold] */
function cannotExtend(reason: keyof typeof whyNotExtended, status?: Hold['status']): Decision<'extend'> {
  return refuse('cannot_extend', whyNotExtended[reason], { reason, ...(status && { details: { status } }) });
}

/**
 * Releases the named labels, or all units if the call names no labels, as far as the hold still has them. A call that
 * finds nothing left to release succeeds.
 */
export function release(
  state: ReadState,
  command: Command & { type: 'release' },
  caller: Caller,
  now: number,
): Decision<'release'> {
  const found = holdFor(state, command.holdId, caller, now);
  if (!found) return noSuchHold;
  const { callId } = command;
  const before = unitsOfCall(state, found.lastRelease, callId);
  if (before) return { ok: true, records: [], answer: { released: labelsOf(state.plan, before) } };
  let units = unitsOfLines(heldLines(state, found));
  if (command.labels) {
    const has = units;
    const places = placesAmong(state.plan, () => has);
    const named = unitsNamed(state.plan, command.labels, places);
    if (!named.ok) return named;
    units = named.value.units.filter((unit) => hasUnit(state, found, unit));
    const left = leftBehind(state, units);
    if (left.length > 0) return listingIsWhole(state, left, caller);
  }
  const answer = { released: labelsOf(state.plan, units) };
  if (units.length === 0) return { ok: true, records: [], answer };
  const record: JournalRecord = { type: 'released', holdId: found.id, callId, units, by: byOf(caller) };
  const kept = listedAmong(state, units);
  if (kept) record.kept = kept;
  const freed = freedOf(found, units, kept);
  if (freed) record.freed = freed;
  return { ok: true, records: [record], answer };
}

export function inspectHold(
  state: ReadState,
  { holdId }: Command & { type: 'inspect-hold' },
  caller: Caller,
  now: number,
): Decision<'inspect-hold'> {
  const hold = holdFor(state, holdId, caller, now);
  if (!hold) {
    return refuse(
      'hold_not_found',
      'The event has no hold with this id, or the hold ended more than a day ago. Check the id.',
    );
  }
  return {
    ok: true,
    records: [],
    answer: {
      holdId,
      status: hold.status,
      items: itemsOf(state, hold),
      expiresAt: hold.expiresAt,
      currency: currencyOf(state, hold),
      extends: hold.extends,
      bookingRef: hold.bookingRef,
      accessSource: hold.accessSource,
      ...(hold.partnerRef !== null && { partnerRef: hold.partnerRef }),
      ...(hold.buyerRef !== null && { buyerRef: hold.buyerRef }),
    },
  };
}

/**
 * The call's TTL, otherwise the event's, otherwise the default, at most `holdTtlMsMax` (one hour). A visitor of public
 * sale gets no more than the event's.
 */
export function ttlOf(state: ReadState, ttlMs: number | undefined, { visitor }: Caller): number {
  const usual = state.holdTtlMs ?? holdTtlMsDefault;
  const asked = ttlMs ?? usual;
  return Math.min(visitor === undefined ? asked : Math.min(asked, usual), holdTtlMsMax);
}

/**
 * The items of a hold. An active hold shows the units that it still has, a booked hold its booked units, and a hold
 * that was released or expired as a whole the units that it had at its end.
 */
export function itemsOf(state: ReadState, found: Readonly<Hold>): ReturnType<typeof lineItemsOf> {
  const { parted } = found;
  const left = new Set(parted && [...parted.released, ...parted.expired]);
  const lines = found.status === 'active' ? heldLines(state, found) : found.lines.filter(({ unit }) => !left.has(unit));
  return lineItemsOf(state.plan, lines, { currency: currencyOf(state, found), accessSource: found.accessSource });
}
