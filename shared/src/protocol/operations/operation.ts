/**
 * The words of operations over several events: one hold of the same seats in each event of a group or season, and
 * everything that becomes of it. docs/internals/sales-over-events.md has the design.
 *
 * A **part** is the operation's hold in one event. The **home** is the first event of `eventKeys`: its part decides.
 * The other events are **members**: a member's part is a promise or a consequence.
 */
import { derivedId } from '../ids.ts';

export type OperationOwner = { kind: 'group' | 'season'; key: string };

/** What every part knows of its operation. */
export type OperationHead = {
  /** See `internalIdOf`. */
  id: string;
  owner: OperationOwner;
  /** The caller's name of the operation, for example `pghop_…`. */
  operationId: string;
  /** The events of the operation, the home first. */
  eventKeys: string[];
  /** [same_seat] */
  selectionMode?: 'same_seat' | 'per_performance';
  /** The revision of the owner when the hold was made. */
  revision?: number;
  /** The published plan of a season that was sold. */
  planActivationId?: string;
};

/** The operation behind a record of a hold or booking. `actionId` names the call that booked. */
export type OperationTag = Pick<OperationHead, 'id' | 'owner' | 'operationId'> & { actionId?: string };

/** The call that a pin serves: a booking or an extension. Its caller names it. */
export type PartAction = { id: string; kind: 'book' | 'extend'; bookingRef: string | null };

/**
 * `pinned`: the part does not expire until its action has ended. `aborted`: the home has decided that it never holds
 * the operation.
 */
export type PartState = 'held' | 'pinned' | 'booked' | 'released' | 'expired' | 'aborted';

/** One part as its event knows it. An aborted part has no hold: its times are 0 or those of the abort. */
export type PartView = {
  head: OperationHead;
  state: PartState;
  holdId: string | null;
  createdAt: number;
  /** The common end of all parts, in epoch milliseconds. A pinned part outlives it. */
  expiresAt: number;
  endedAt: number | null;
  extends: number;
  /** The action that has pinned or booked the part. */
  action: PartAction | null;
  /** The action that last extended the part. */
  lastExtend: string | null;
  /**
   * Actions that never book or extend the operation any more. The home knows all of them, a member the bookings that
   * have pinned it.
   */
  refused: string[];
};

/** The view of a part in the answer to its command. The head is left out: the coordinator knows it. */
export type PartStanding = Omit<PartView, 'head'>;

/** A lock keeps the event's life and chart as they are while a group or season sells the event. */
export type EventLock = {
  owner: OperationOwner;
  /** Names the activation, so that a late command of an earlier one does nothing. */
  lockId: string;
  /** A draining lock lets no operation of its owner begin. */
  isDraining: boolean;
};

/** The operation's id inside Parterre. The caller's name is unique within its owner alone. */
export function internalIdOf(owner: OperationOwner, operationId: string): string {
  return derivedId('op', owner.kind, owner.key, operationId);
}

/** The hold id of the operation's part in one event. */
export function partHoldId(internalId: string, eventKey: string): string {
  return derivedId('hld', internalId, eventKey);
}

/** The name of the call that books the seats of an offer of a season. An offer is booked once. */
export function bookingCallOf(offerId: string): string {
  return `offer.${offerId}`;
}
