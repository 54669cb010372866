/** The state of an operation, from the parts that its events showed. The home decides. */
import type { HeldPart } from '../answers.ts';
import type { OperationHead, PartStanding } from './operation.ts';
import type { OperationBooking, OperationRef, OperationState, OperationView, ViewedPart } from './ports.ts';

/** A part as an event showed it. Null: the event has no such part. Undefined: the event did not answer. */
export type SeenPart = ((PartStanding | HeldPart) & { head?: OperationHead }) | null | undefined;

type StateOfPart = ViewedPart['state'];

export function stateOfPart(seen: SeenPart): StateOfPart {
  return seen === undefined ? 'unknown' : (seen?.state ?? 'none');
}

function isLive(state: StateOfPart): boolean {
  return state === 'held' || state === 'pinned';
}

/** `seen` is in the order of the events, the home first. */
export function viewOf({ operationId, eventKeys }: OperationRef, seen: readonly SeenPart[]): OperationView {
  const states = seen.map(stateOfPart);
  const known = seen.filter((part) => part != null);
  const home = seen[0];
  return {
    operationId,
    ...standingOf(states),
    expiresAt: home?.holdId ? home.expiresAt : (known.find(({ holdId }) => holdId !== null)?.expiresAt ?? null),
    createdAt: known.length === 0 ? null : Math.min(...known.map(({ createdAt }) => createdAt)),
    decidedAt: home?.endedAt ?? home?.createdAt ?? null,
    parts: eventKeys.map((eventKey, index) => {
      const part = seen[index];
      const detail = part && 'items' in part ? part : null;
      return { eventKey, state: states[index]!, items: detail?.items ?? [], detail };
    }),
    booking: bookingOf(eventKeys, seen),
  };
}

function standingOf([home, ...members]: readonly StateOfPart[]): Pick<OperationView, 'state' | 'decision'> {
  const isOpen = members.some((state) => isLive(state) || state === 'unknown');
  switch (home!) {
    case 'unknown':
      return members.includes('booked')
        ? { state: 'commit_pending', decision: 'commit' }
        : { state: 'preparing', decision: null };
    case 'none':
      return isOpen ? { state: 'preparing', decision: null } : { state: 'aborted', decision: null };
    case 'aborted':
      return { state: isOpen ? 'abort_pending' : 'aborted', decision: 'abort' };
    case 'held':
    case 'pinned':
      return { state: members.includes('unknown') ? 'commit_pending' : 'committed', decision: 'commit' };
    case 'booked':
      return { state: members.every((state) => state === 'booked') ? 'booked' : 'committed', decision: 'commit' };
    case 'released':
    case 'expired':
      return { state: isOpen ? 'expire_pending' : 'expired', decision: 'commit' };
  }
}

/** The booking that the home has made, or that pins await. */
function bookingOf(eventKeys: readonly string[], seen: readonly SeenPart[]): OperationBooking | null {
  const [home] = seen;
  const part = home?.state === 'booked' ? home : home?.state === 'held' ? seen.find(isPinnedToBook) : undefined;
  if (!part?.action) return null;
  const bookedEventKeys = eventKeys.filter((_, index) => seen[index]?.state === 'booked');
  const state = bookedEventKeys.length === eventKeys.length ? 'booked' : 'book_pending';
  return { actionId: part.action.id, bookingRef: part.action.bookingRef ?? '', state, bookedEventKeys };
}

function isPinnedToBook(seen: SeenPart): boolean {
  return seen?.state === 'pinned' && seen.action?.kind === 'book';
}

/** Whether nothing is left to do, unless a caller wants something more. */
export function isSettled({ state, booking }: OperationView): boolean {
  const finals: readonly OperationState[] = ['committed', 'booked', 'expired', 'aborted'];
  return booking ? booking.state === 'booked' : finals.includes(state);
}
