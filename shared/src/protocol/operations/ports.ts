/** The coordinator's port, and the values that it takes and gives. coordinator.ts has the steps. */
import type { Answers, HeldPart, LineItem } from '../answers.ts';
import type { Caller, Command, Selection } from '../commands.ts';
import type { Outcome } from '../errors.ts';
import type { OperationHead, OperationOwner, PartState } from './operation.ts';

/**
 * `ask` sends a command to an event's actor until its answer comes or `deadlineAt`, which is of the caller's clock. An
 * answer that is retryable, or whose outcome is unknown, decides nothing. `now` is the wall clock.
 */
export type CoordinatorPorts = {
  ask<C extends Command>(
    eventKey: string,
    command: C,
    caller: Caller,
    deadlineAt: number,
  ): Promise<Outcome<Answers[C['type']]>>;
  now(): number;
  /** The end of the look of a hold, so that a silent event does not delay the refusal of another. [the deadline] */
  looksUntil?: number;
};

/** Names an operation. The home stands first in `eventKeys`. */
export type OperationRef = { owner: OperationOwner; operationId: string; eventKeys: readonly string[] };

/** `isAssumed`: the events are all of the owner's. The operation may have fewer. */
export type AssumedRef = OperationRef & { isAssumed?: boolean };

/**
 * A hold of the same operation over several events. `parts` are in the order of the owner's events: the first is the
 * home. With another total than `expectedTotal` (with all fees, of all events) the hold is refused with
 * `price_changed`.
 * [ttlMs: `holdTtlMsDefault`]
 */
export type OperationDraft = Omit<OperationHead, 'id' | 'eventKeys'> & {
  parts: readonly { eventKey: string; selections: Selection[] }[];
  ttlMs?: number;
  expectedTotal?: number;
};

export type OperationState =
  | 'preparing'
  | 'commit_pending'
  | 'committed'
  | 'expire_pending'
  | 'expired'
  | 'booked'
  | 'abort_pending'
  | 'aborted';

/** `unknown`: the event did not answer in time. `none`: it has no such part. */
export type ViewedPart = {
  eventKey: string;
  state: PartState | 'none' | 'unknown';
  /** Empty for a part that is not there, and in the answers of `book`. */
  items: LineItem[];
  /**
   * The whole part. Null for a part that is not there, and in the answers of `book`. `head`: in no answer of `hold`.
   */
  detail: (HeldPart & { head?: OperationHead }) | null;
};

export type OperationBooking = {
  actionId: string;
  bookingRef: string;
  state: 'book_pending' | 'booked';
  /** The events that have booked. */
  bookedEventKeys: string[];
};

/** An operation as its events show it. Times in epoch milliseconds; null while no event has answered. */
export type OperationView = {
  operationId: string;
  state: OperationState;
  /** Null: the home has not decided. */
  decision: 'commit' | 'abort' | null;
  expiresAt: number | null;
  createdAt: number | null;
  /** The time of the home's latest step: its booking or end, else its hold. */
  decidedAt: number | null;
  /** In the order of `eventKeys`. */
  parts: ViewedPart[];
  booking: OperationBooking | null;
};

/** `failed`: the event refuses for good, with the code of its refusal. */
export type CancelOutcome = { eventKey: string; state: 'pending' | 'cancelled' | 'failed'; code: string | null };

/** Every call is harmless when it is repeated, and may be continued by any other process with `resume`. */
export type Coordinator = {
  /**
   * Holds all parts or none. A refusal says that nothing is held and nothing will be: its `details.conflicts` name the
   * event too. A view in an unfinished state says that an event did not answer in time.
   */
  hold(draft: OperationDraft, caller: Caller, deadlineAt: number): Promise<Outcome<OperationView>>;
  /** Refused with `hold_not_found` when no event knows the operation. */
  inspect(ref: OperationRef, deadlineAt: number): Promise<Outcome<OperationView>>;
  /**
   * Changes nothing where the hold would not get longer. A repetition under the same `name` finds the first call, as
   * long as no other call has extended the hold since.
   */
  extend(
    ref: OperationRef,
    ttlMs: number | undefined,
    caller: Caller,
    deadlineAt: number,
    name?: string,
  ): Promise<Outcome<OperationView>>;
  /** An operation that was not held yet is aborted. */
  release(ref: OperationRef, caller: Caller, deadlineAt: number): Promise<Outcome<OperationView>>;
  /**
   * A refusal says that this action never books. Reason `other_events` alone says that nothing was done: the events
   * were assumed, and are others.
   */
  book(
    ref: AssumedRef,
    action: { actionId: string; bookingRef: string },
    caller: Caller,
    deadlineAt: number,
  ): Promise<Outcome<OperationView>>;
  /**
   * `labels` by event key: what the operation has booked there. The outcomes are in the order of `eventKeys`. With
   * `waitsForCheckout` an event is pending while a buyer has units of a listing in checkout.
   */
  cancelBooking(
    ref: OperationRef,
    cancel: {
      cancelActionId: string;
      bookingRef: string;
      labels: Readonly<Record<string, readonly string[]>>;
      waitsForCheckout?: boolean;
    },
    caller: Caller,
    deadlineAt: number,
  ): Promise<CancelOutcome[]>;
  /**
   * Aborts an operation that no event has answered for. Refused with `operation_stands` where the home has held it.
   * Parts that come late are given up by `resume`.
   */
  abandon(head: OperationHead, createdAt: number, deadlineAt: number): Promise<Outcome<OperationView>>;
  /** Goes on with whatever a dead coordinator left: takes decisions that are missing, and sends their consequences. */
  resume(ref: OperationRef, deadlineAt: number): Promise<Outcome<OperationView>>;
};
