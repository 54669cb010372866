/**
 * Calls to the event as a whole (blocks, moves, settings), known again by their `callId`: what came of them is part of the
 * fold, so that a copy that comes late, also to another owner, gets the first answer and does nothing (I5). Calls on a hold or
 * booking are kept there.
 *
 * Names that a front door made up come again within seconds, if at all, and are forgotten by number. Those that follow from an
 * Idempotency-Key are the caller's to use again for a day: they are kept apart, where no number of other calls displaces them.
 * A call that changed nothing is noted as well: what was blocked after it would be freed by its late copy.
 */
import {
  eventCallAnswerBytesMax,
  eventCallsKept,
  eventCallUnitsKept,
  idempotencyKeepMs,
  namedCallsKept,
} from '@parterre/shared/limits';
import { weightOf } from '../packed/packed.ts';
import type { EventCall, EventState, NamedCall, ReadState } from './event-state.ts';

/** Part of the fold: the oldest calls are forgotten by number alone. */
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

/** What is longer is not kept for a repetition of its call, which is answered with what stands then. */
export function isShort(answer: object): boolean {
  return weightOf(answer) <= eventCallAnswerBytesMax;
}

/** Part of the fold too: `call.at` is a journaled time. */
export function noteNamedCall(state: EventState, callId: string, call: NamedCall): void {
  forgetNamedCall(state, callId);
  state.namedCalls.set(callId, call);
  state.namedCallUnits += call.units.length;
  for (const [oldest, { at }] of state.namedCalls) {
    if (at + idempotencyKeepMs > call.at && state.namedCalls.size <= namedCallsKept) return;
    forgetNamedCall(state, oldest);
  }
}

/** The call of this name, unless it was so long ago that the name may mean another. */
export function knownCall(state: ReadState, callId: string, now: number): EventCall | NamedCall | undefined {
  const known = state.calls.get(callId);
  if (known) return known;
  const named = state.namedCalls.get(callId);
  return named && named.at + idempotencyKeepMs > now ? named : undefined;
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
  return 'answer' in noted ? noted.answer : null;
}
