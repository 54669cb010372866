/**
 * Calls to the event as a whole (blocks, moves, settings), remembered by their `callId`. The outcome of a call is part
 * of the fold, so that a late copy, even one that reaches another owner, gets the first answer and does nothing (I5).
 * A hold or booking remembers the last call that changed it. The next call to the same holder replaces this call, which
 * is remembered here from then on. Most holders see one call, so most sales leave nothing here.
 *
 * Front doors make up most names. A front door repeats a made-up name within seconds or never, so these names are
 * forgotten by number alone. A name from an Idempotency-Key can be repeated for a day. Calls with such a name are kept
 * apart, so that other calls do not displace them. A call that changed nothing is remembered as well: otherwise its
 * late copy would undo a later change, for example free units that were blocked after the call.
 */
import {
  eventCallAnswerBytesMax,
  eventCallsKept,
  eventCallUnitsKept,
  idempotencyKeepMs,
  namedCallsKept,
} from '@parterre/shared/protocol/limits';
import { weightOf } from '../packed/packed.ts';
import type { EventCall, EventState, NamedCall, ReadState } from './event-state.ts';
import type { Call } from './holder.ts';

/** Part of the fold. Past `eventCallsKept` calls or `eventCallUnitsKept` units, the oldest calls are forgotten. */
export function noteCall(state: EventState, callId: string | undefined, call: EventCall): void {
  if (callId === undefined) return;
  forgetCall(state, callId);
  state.calls.set(callId, call);
  state.callUnits += call.units?.length ?? 0;
  state.callBytes += weightOf(call.answer);
  for (const oldest of state.calls.keys()) {
    const isWithinBounds = state.calls.size <= eventCallsKept && state.callUnits <= eventCallUnitsKept;
    if (isWithinBounds || oldest === callId) return;
    forgetCall(state, oldest);
  }
}

/** For folds. `last` was the last call of a holder until the call `next`. */
export function noteReplaced(state: EventState, last: Readonly<Call> | null | undefined, next: string): void {
  if (last && last.callId !== next) noteCall(state, last.callId, { units: last.units, answer: null });
}

/** Whether the call changed a hold or booking that a later call has changed since. */
export function isReplaced(state: ReadState, callId: string): boolean {
  return state.calls.has(callId);
}

/** The units that this call changed, by the last call of its holder or a call before. Null for a new call. */
export function unitsOfCall(
  state: ReadState,
  last: Readonly<Call> | null | undefined,
  callId: string,
): readonly number[] | null {
  if (!last) return null;
  return last.callId === callId ? last.units : (state.calls.get(callId)?.units ?? null);
}

/**
 * Whether an answer is short enough to be remembered. A repetition of a call with a longer answer is answered from the
 * present state.
 */
export function isShort(answer: object): boolean {
  return weightOf(answer) <= eventCallAnswerBytesMax;
}

/** For folds. `call.at` is a journaled time. */
export function noteNamedCall(state: EventState, callId: string, call: NamedCall): void {
  forgetNamedCall(state, callId);
  state.namedCalls.set(callId, call);
  state.namedCallUnits += call.units.length;
  for (const [oldest, { at }] of state.namedCalls) {
    if (at + idempotencyKeepMs > call.at && state.namedCalls.size <= namedCallsKept) return;
    forgetNamedCall(state, oldest);
  }
}

/**
 * For folds: the caller has named the call. Its units and its answer are those of the record, or those that the records
 * of the call have noted before.
 */
export function nameCall(
  state: EventState,
  callId: string,
  {
    units,
    fingerprint,
    at,
    answer,
  }: { units: number[] | undefined; fingerprint: string; at: number; answer: object | undefined },
): void {
  const noted = state.calls.get(callId);
  forgetCall(state, callId);
  const first = answer ?? noted?.answer ?? undefined;
  const call: NamedCall = { units: units ?? noted?.units ?? [], fingerprint, at };
  if (first !== undefined) call.answer = first;
  noteNamedCall(state, callId, call);
}

/** The call that its caller named so, unless it is older than a day. */
export function knownNamedCall(state: ReadState, callId: string, now: number): NamedCall | undefined {
  const named = state.namedCalls.get(callId);
  return named && named.at + idempotencyKeepMs > now ? named : undefined;
}

/** The call of this name, unless it is older than a day: then the name may mean another call. */
export function knownCall(state: ReadState, callId: string, now: number): EventCall | NamedCall | undefined {
  return state.calls.get(callId) ?? knownNamedCall(state, callId, now);
}

function forgetCall(state: EventState, callId: string): void {
  const known = state.calls.get(callId);
  if (!known) return;
  state.callUnits -= known.units?.length ?? 0;
  state.callBytes -= weightOf(known.answer);
  state.calls.delete(callId);
}

function forgetNamedCall(state: EventState, callId: string): void {
  const known = state.namedCalls.get(callId);
  if (!known) return;
  state.namedCallUnits -= known.units.length;
  state.namedCalls.delete(callId);
}

/** The first answer to a call as it was noted, or null. */
export function answerNoted(noted: EventCall | NamedCall): object | null {
  return noted.answer ?? null;
}
