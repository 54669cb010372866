/**
 * The quantity that each buyer's access session uses. Sessions may be created at any time with a `maxQuantity`. The use
 * of a session counts the guests and places that its active holds have now, and those booked from its holds. Unbooking
 * gives nothing back: the sale was made. The count is part of the fold and depends on journaled times alone (I6). A
 * session is forgotten when it has nothing, when `sessionUseKeepMs` (a day) has passed since its last change (a session
 * lives for four hours), and past `sessionsCountedMax` sessions in the order of their last changes (I8). A change makes
 * a few sessions forgotten, since a hundred thousand may have been unchanged for a day. The others count as forgotten.
 */
import type { Caller } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import type { Line } from '@parterre/shared/protocol/records';
import {
  type EventState,
  type Hold,
  heldLines,
  quantityOfLines,
  type ReadState,
  type SessionUse,
  sessionsCountedMax,
  sessionsForgottenAtOnce,
  sessionUseKeepMs,
} from '../state/state.ts';

/**
 * A refusal if these lines exceed the quantity of the caller's session, otherwise null. `replaced` is the hold that
 * these lines replace.
 */
export function tooMany(
  state: ReadState,
  { session }: Caller,
  lines: readonly Line[],
  now: number,
  replaced?: Readonly<Hold>,
): ReturnType<typeof refuse> | null {
  if (session === undefined || session.maxQuantity === null) return null;
  const { id, maxQuantity } = session;
  const back = replaced?.sessionId === id ? quantityOfLines(heldLines(state, replaced)) : 0;
  const used = usedBy(state, id, now) - back;
  const asked = quantityOfLines(lines);
  if (used + asked <= maxQuantity) return null;
  const why = `This session may have ${maxQuantity} in total and has ${used}. The call asks for ${asked} more. Ask for fewer.`;
  return refuse('max_quantity_exceeded', why, { details: { maxQuantity, used } });
}

/** For folds: a hold was made. */
export function countHeld(state: EventState, { sessionId, lines }: Readonly<Hold>, at: number): void {
  if (sessionId !== null) changeUse(state, sessionId, quantityOfLines(lines), at);
}

/** For folds: runs before a hold gives up these units. */
export function countLetGo(
  state: EventState,
  { sessionId, lines }: Readonly<Hold>,
  units: readonly number[],
  at: number,
): void {
  if (sessionId === null) return;
  const gone = new Set(units);
  changeUse(state, sessionId, -quantityOfLines(lines.filter(({ unit }) => gone.has(unit))), at);
}

function usedBy({ sessionUse }: ReadState, id: string, now: number): number {
  const use = sessionUse.get(id);
  return use === undefined || use.at + sessionUseKeepMs <= now ? 0 : use.used;
}

function changeUse(state: EventState, id: string, by: number, at: number): void {
  const { sessionUse } = state;
  // The session may have been forgotten in between: it may then give back more than its count.
  const used = Math.max(usedBy(state, id, at) + by, 0);
  sessionUse.delete(id);
  if (used > 0) sessionUse.set(id, { used, at });
  for (let n = 0; n < sessionsForgottenAtOnce; n++) {
    const oldest = oldestOf(sessionUse);
    if (oldest === null) return;
    const [oldestId, use] = oldest;
    if (use.at + sessionUseKeepMs > at && sessionUse.size <= sessionsCountedMax) return;
    sessionUse.delete(oldestId);
  }
}

type Uses = EventState['sessionUse'];
type Front = { entries: Iterator<[string, SessionUse]>; oldest: [string, SessionUse] | null };

/** Where each map begins. */
const fronts = new WeakMap<Uses, Front>();

/**
 * The session whose last change is oldest. A map keeps a hole for each deleted entry, and a new walk from its front
 * would pass all holes again: 20 µs and more with 100,000 sessions. The iterator that stays passes each hole once. A
 * session that was found and has changed since stands further back, where the iterator comes later.
 */
function oldestOf(uses: Uses): [string, SessionUse] | null {
  let front = fronts.get(uses);
  if (front === undefined) {
    front = { entries: uses.entries(), oldest: null };
    fronts.set(uses, front);
  }
  while (front.oldest === null || uses.get(front.oldest[0]) !== front.oldest[1]) {
    const next = front.entries.next();
    if (next.done) {
      fronts.delete(uses);
      return null;
    }
    front.oldest = next.value;
  }
  return front.oldest;
}
