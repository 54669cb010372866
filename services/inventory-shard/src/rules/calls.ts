/**
 * Calls to the event as a whole (blocks, moves, settings), known again by their `callId`: what came of them is part of the
 * fold, so that a copy that comes late, also to another owner, gets the first answer and does nothing (I5). Calls on a hold or
 * booking are kept there.
 */
import { eventCallsKept, eventCallUnitsKept } from '@parterre/shared/limits';
import type { EventCall, EventState } from './state.ts';
import { bytesOfValue } from './weight.ts';

/** Part of the fold: the oldest calls are forgotten by number alone. */
export function noteCall(state: EventState, callId: string | undefined, call: EventCall): void {
  if (callId === undefined) return;
  forgetCall(state, callId);
  state.calls.set(callId, call);
  state.callUnits += call.units?.length ?? 0;
  state.callBytes += bytesOfValue(call.answer);
  for (const oldest of state.calls.keys()) {
    const isWithinBounds = state.calls.size <= eventCallsKept && state.callUnits <= eventCallUnitsKept;
    if (isWithinBounds || oldest === callId) return;
    forgetCall(state, oldest);
  }
}

function forgetCall(state: EventState, callId: string): void {
  const known = state.calls.get(callId);
  if (!known) return;
  state.callUnits -= known.units?.length ?? 0;
  state.callBytes -= bytesOfValue(known.answer);
  state.calls.delete(callId);
}
