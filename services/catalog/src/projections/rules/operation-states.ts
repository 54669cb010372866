/**
 * The state of an operation over several events, from the states of its parts (docs/internals/sales-over-events.md).
 * The home decides. An operation is open while an event lacks the consequence of a decision, or the decision is
 * missing. A cancellation is not open: the actors do not know which units it still has to cancel, only its caller does.
 *
 * Each part comes from its own stream, and one stream may be counted ahead of another. So a member without a record
 * (`none`) beside a home that holds is only a lag of the counting.
 */
import type { OperationState } from '@parterre/shared/protocol/catalog/operations';
import type { OperationPart } from '../../store/rules/records.ts';

export type Standing = { state: OperationState; isOpen: boolean };

type PartOutcome = Pick<OperationPart, 'state' | 'action'>;

/** `parts` has the home first. */
export function standingOf([home, ...members]: readonly PartOutcome[]): Standing {
  switch (home!.state) {
    case 'none':
      return members.some(isLive) ? { state: 'preparing', isOpen: true } : { state: 'aborted', isOpen: false };
    case 'aborted':
      return ending('abort_pending', 'aborted', members.some(isLive));
    case 'held':
    case 'pinned':
      return ofHold(members);
    case 'booked':
      return ending('book_pending', 'booked', !members.every(hasBooked));
    case 'cancelled':
      return { state: members.some(({ state }) => state === 'booked') ? 'cancel_pending' : 'cancelled', isOpen: false };
    case 'released':
    case 'expired':
      return ending('expire_pending', 'expired', members.some(isLive));
  }
}

/** The home holds. A pin awaits the home's decision about its action, or follows a decision to extend. */
function ofHold(members: readonly PartOutcome[]): Standing {
  const pinned = members.filter(({ state }) => state === 'pinned');
  if (pinned.some(({ action }) => action?.kind === 'book')) return { state: 'book_pending', isOpen: true };
  const isLagging = members.some(({ state }) => state === 'none');
  return { state: isLagging ? 'commit_pending' : 'committed', isOpen: pinned.length > 0 };
}

function ending(pending: OperationState, over: OperationState, isOpen: boolean): Standing {
  return { state: isOpen ? pending : over, isOpen };
}

function isLive({ state }: PartOutcome): boolean {
  return state === 'held' || state === 'pinned';
}

export function hasBooked({ state }: Pick<PartOutcome, 'state'>): boolean {
  return state === 'booked' || state === 'cancelled';
}
