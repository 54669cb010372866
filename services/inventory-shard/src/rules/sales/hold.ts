/** Holds units: free units, and units of a hold that the new hold replaces. */

import { labelsOf } from '@parterre/shared/charts/plan';
import type { HeldAnswer } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { type LineFacts, lineItemsOf } from '@parterre/shared/protocol/line-items';
import { unitOf } from '@parterre/shared/protocol/money';
import { holdTtlMsMax } from '@parterre/shared/protocol/page-limits';
import { priceChanged } from '@parterre/shared/protocol/price-changed';
import type { JournalRecord, Line } from '@parterre/shared/protocol/records';
import { passedBy } from '../availability/availability.ts';
import { currencyOf } from '../pricing/pricing.ts';
import { noteAttribution } from '../reach/attribution.ts';
import { unpackReach } from '../reach/hold-reach.ts';
import { holdFor } from '../reach/reach.ts';
import { linesFor, type MayTake, oneByOne } from '../selection/selection.ts';
import { rulesBroken, rulesTold } from '../selection-rules/selection-rules.ts';
import {
  byOf,
  type Decision,
  freedOf,
  type Hold,
  heldLines,
  isFree,
  isOffered,
  keyReused,
  knownCall,
  knownHold,
  type ReadState,
  totalOfLines,
  unitsOfLines,
} from '../state/state.ts';
import { noteReason } from './book.ts';
import { beyondBuyerLimit } from './buyer-limit.ts';
import { ttlOf } from './hold-changes.ts';
import { beginningOf, beyondPublicSale, visitorsOf } from './public-sale.ts';
import { beforeOwnStart, notOnSale } from './sale-times.ts';
import { tooMany } from './session-use.ts';

type HoldCommand = Command & { type: 'hold' };
type HeldRecord = JournalRecord & { type: 'held' };

export function hold(state: ReadState, command: HoldCommand, caller: Caller, now: number): Decision<'hold'> {
  const known = knownHold(state, command.holdId, now);
  if (known) return firstHeldAnswer(state, known, command.fingerprint, caller);
  if (command.fingerprint !== undefined && knownCall(state, command.holdId, now)) return keyReused;
  const closed = notOnSale(state, caller, now);
  if (closed) return closed;
  const { replaceHoldId } = command;
  const replaced = replaceHoldId === undefined ? undefined : holdFor(state, replaceHoldId, caller, now);
  const mine = replaced?.status === 'active' ? replaced.slot : -1;
  const mayTake: MayTake = (unit) => isFree(state, unit) || state.slotOf[unit] === mine || isOffered(state, unit, mine);
  const back = mine === -1 ? undefined : replaced;
  const terms = { caller, now, replaced: back };
  const lines = linesFor(state, oneByOne(state.plan, command.selections), mayTake, terms);
  if (!lines.ok) return lines;
  const decision = heldInPlace(state, command, lines.value, caller, now, back);
  if (!decision.ok) return decision;
  const broken = rulesBroken(state, caller, lines.value, back);
  if (broken) return broken;
  const changed = atOtherPrice(state, lines.value, decision.answer, command.expectedTotal);
  if (changed || state.config.selectionRules?.highlightOnly !== true) return changed ?? decision;
  return { ...decision, answer: { ...decision.answer, ...rulesTold(state, caller, lines.value, back) } };
}

/** A new hold of these lines, in place of an active hold if there is one. Both records are of one group. */
export function heldInPlace(
  state: ReadState,
  command: Parameters<typeof held>[1] & { ttlMs?: number },
  lines: Line[],
  caller: Caller,
  now: number,
  replaced: Readonly<Hold> | undefined,
): Decision<'hold'> {
  const times = timesOf(state, command.ttlMs, lines, caller, now, replaced);
  const excess =
    tooMany(state, caller, lines, now, replaced) ??
    beforeOwnStart(state, caller, lines, now) ??
    beyondPublicSale(state, caller, lines, times, replaced);
  if (excess) return excess;
  const decision = held(state, command, lines, caller, times, replaced);
  if (!replaced) return beyondBuyerLimit(state, caller.buyerRef, lines) ?? decision;
  const units = unitsOfLines(heldLines(state, replaced));
  const released: JournalRecord = { type: 'released', holdId: replaced.id, units, by: byOf(caller) };
  const taken = new Set(unitsOfLines(lines));
  const kept = units.filter((unit) => taken.has(unit) || state.listingOf.has(unit));
  if (kept.length > 0) released.kept = kept;
  const freed = freedOf(replaced, units, kept);
  if (freed) released.freed = freed;
  const record = decision.records[0] as HeldRecord;
  carryAttribution(state, record, replaced, caller);
  const overLimit = beyondBuyerLimit(state, record.buyerRef, lines, replaced);
  if (overLimit) return overLimit;
  decision.records.unshift(released);
  return decision;
}

/** The refusal of lines that cost another total; null where the caller takes their price. A replaced hold stays. */
export function atOtherPrice(
  { config }: ReadState,
  lines: readonly Line[],
  { items, currency }: HeldAnswer,
  expectedTotal?: number,
) {
  if (expectedTotal === undefined) return null;
  const total = totalOfLines(lines);
  if (total === expectedTotal) return null;
  return priceChanged({ items, total, expectedTotal, currency, priceUnit: unitOf(config) });
}

/** A server that replaces a buyer's hold, without a reach or override of its own, keeps the buyer's attribution. */
function carryAttribution(
  { channels }: ReadState,
  record: JournalRecord & { type: 'held' },
  { reach, sessionId, partnerRef, buyerRef }: Readonly<Hold>,
  caller: Caller,
): void {
  if (caller.source === 'buyer' || caller.reach || caller.override) return;
  if (reach !== null) record.reach = unpackReach(channels, reach);
  if (sessionId !== null) record.sessionId = sessionId;
  if (partnerRef !== null) record.partnerRef = partnerRef;
  if (buyerRef !== null) record.buyerRef ??= buyerRef;
}

/** The times of a hold: its beginning, which may lie in an earlier hold, its end, and now. */
type HoldTimes = { beganAt: number; expiresAt: number; now: number };

function timesOf(
  state: ReadState,
  ttlMs: number | undefined,
  lines: readonly Line[],
  caller: Caller,
  now: number,
  replaced: Readonly<Hold> | undefined,
): HoldTimes {
  const beganAt = beginningOf(state, caller, lines, now, replaced);
  return { beganAt, expiresAt: Math.min(now + ttlOf(state, ttlMs, caller), beganAt + holdTtlMsMax), now };
}

/**
 * The record and answer for a new hold of these lines. A chain of replacements counts as one hold: the new hold carries
 * on the first creation and the renewals of the active hold that it replaces.
 */
export function held(
  state: ReadState,
  { holdId, fingerprint }: { holdId: string; fingerprint?: string },
  lines: Line[],
  caller: Caller,
  { beganAt, expiresAt, now }: HoldTimes,
  replaced?: Readonly<Hold>,
): Extract<Decision<'hold'>, { ok: true }> {
  const { accessSource } = caller;
  const record: JournalRecord & { type: 'held' } = {
    type: 'held',
    holdId,
    expiresAt,
    accessSource,
    lines,
    by: byOf(caller),
  };
  if (replaced || beganAt < now) record.createdAt = beganAt;
  if (replaced && replaced.extends > 0) record.extends = replaced.extends;
  const passed = passedBy(state, lines);
  if (passed) record.passed = passed;
  noteAttribution(state, record, caller, lines);
  noteReason(state, record, caller);
  if (fingerprint !== undefined) record.fingerprint = fingerprint;
  const visitors = visitorsOf(state, caller);
  if (visitors.length > 0) record.visitors = [...visitors];
  const facts = { currency: state.config.currency, accessSource };
  return { ok: true, records: [record], answer: heldAnswer(state, holdId, expiresAt, lines, facts) };
}

/** A repeated hold call gets its first answer, even after the hold has changed (I5). */
export function firstHeldAnswer(
  state: ReadState,
  known: Readonly<Hold>,
  fingerprint: string | undefined,
  caller: Caller,
): Decision<'hold'> {
  if (known.fingerprint !== (fingerprint ?? null)) return keyReused;
  const facts = { currency: currencyOf(state, known), accessSource: known.accessSource };
  const answer = heldAnswer(state, known.id, known.firstExpiresAt, known.lines, facts);
  return { ok: true, records: [], answer: { ...answer, ...rulesTold(state, caller, known.lines, known) } };
}

function heldAnswer(state: ReadState, holdId: string, expiresAt: number, lines: Line[], facts: LineFacts): HeldAnswer {
  const items = lineItemsOf(state.plan, lines, facts);
  return { holdId, expiresAt, items, labels: labelsOf(state.plan, unitsOfLines(lines)), currency: facts.currency };
}
