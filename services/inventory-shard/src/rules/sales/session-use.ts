/**
 * How much buyers' access sessions have, which may be minted anew with a largest quantity at any time: guests and places that their
 * active holds have now, or that were booked from these. What is unbooked is not given back: the sale was made, whatever became of it
 * later. For folds, by journaled times alone (I6); a session is forgotten when it has nothing, when a day has passed since its
 * last change (it lives for four hours), and past `sessionsCountedMax` the one that changed first (I8).
 */
import type { Caller } from '@parterre/shared/commands';
import { refuse } from '@parterre/shared/errors';
import type { Line } from '@parterre/shared/records';
import {
  type EventState,
  type Hold,
  heldLines,
  type ReadState,
  sessionsCountedMax,
  sessionUseKeepMs,
} from '../state/state.ts';

/** Null where these lines leave the caller's session within its quantity; `replaced` is the hold that gives way to them. */
export function tooMany(
  state: ReadState,
  { session }: Caller,
  lines: readonly Line[],
  now: number,
  replaced?: Readonly<Hold>,
): ReturnType<typeof refuse> | null {
  if (session === undefined || session.maxQuantity === null) return null;
  const { id, maxQuantity } = session;
  const back = replaced?.sessionId === id ? quantityOf(heldLines(state, replaced)) : 0;
  const used = usedBy(state, id, now) - back;
  const asked = quantityOf(lines);
  if (used + asked <= maxQuantity) return null;
  const why = `This session may have ${maxQuantity}, and has ${used}; ${asked} more ${asked === 1 ? 'was' : 'were'} asked for.`;
  return refuse('max_quantity_exceeded', why, { details: { maxQuantity, used } });
}

/** For folds: a hold was made. */
export function countHeld(state: EventState, { sessionId, lines }: Readonly<Hold>, at: number): void {
  if (sessionId !== null) changeUse(state, sessionId, quantityOf(lines), at);
}

/** For folds: before a hold lets go of these units. */
export function countLetGo(
  state: EventState,
  { sessionId, lines }: Readonly<Hold>,
  units: readonly number[],
  at: number,
): void {
  if (sessionId === null) return;
  const gone = new Set(units);
  changeUse(state, sessionId, -quantityOf(lines.filter(({ unit }) => gone.has(unit))), at);
}

function usedBy({ sessionUse }: ReadState, id: string, now: number): number {
  const use = sessionUse.get(id);
  return use === undefined || use.at + sessionUseKeepMs <= now ? 0 : use.used;
}

function changeUse(state: EventState, id: string, by: number, at: number): void {
  const { sessionUse } = state;
  // Forgotten in between, it may give back more than is known of it.
  const used = Math.max(usedBy(state, id, at) + by, 0);
  sessionUse.delete(id);
  if (used > 0) sessionUse.set(id, { used, at });
  for (const [oldest, use] of sessionUse) {
    if (use.at + sessionUseKeepMs > at && sessionUse.size <= sessionsCountedMax) return;
    sessionUse.delete(oldest);
  }
}

function quantityOf(lines: readonly Line[]): number {
  let sum = 0;
  for (const { quantity = 1 } of lines) sum += quantity;
  return sum;
}
