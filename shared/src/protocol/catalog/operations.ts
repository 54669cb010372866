/**
 * Operations over several events, as the journals show them. The catalog projects each operation from the records of
 * its parts. docs/internals/sales-over-events.md has the words and the states.
 */
import type { OperationHead, OperationOwner } from '../operations/operation.ts';
import type { AccessSource } from '../records.ts';
import type { Page } from './scope.ts';

export const operationStates = [
  'preparing',
  'commit_pending',
  'committed',
  'book_pending',
  'booked',
  'expire_pending',
  'expired',
  'abort_pending',
  'aborted',
  'cancel_pending',
  'cancelled',
] as const;
export type OperationState = (typeof operationStates)[number];

/** The state of one event's part. `pinned` is held, and does not expire. `none`: no record of this event yet. */
export type KeptPart = {
  eventKey: string;
  holdId: string | null;
  state: 'none' | 'held' | 'pinned' | 'booked' | 'cancelled' | 'released' | 'expired' | 'aborted';
};

/** A booking. `refused`: the home never books it. The reference is null where the home refused it before any pin. */
export type KeptBookingAction = {
  actionId: string;
  bookingRef: string | null;
  state: 'pending' | 'booked' | 'refused';
  createdAt: number;
  /** The events that have booked, and the time at which the last of all events had. */
  bookedParts: number;
  bookedAt: number | null;
};

export type KeptOperation = {
  owner: OperationOwner;
  /** The caller's own id. */
  operationId: string;
  state: OperationState;
  /** Some event lacks the consequence of a decision, or the decision is missing. */
  isOpen: boolean;
  selectionMode: 'same_seat' | 'per_performance';
  /** The owner's revision at the hold. */
  revision: number | null;
  planActivationId: string | null;
  createdAt: number;
  /** The end of the hold, as the home has it. */
  expiresAt: number | null;
  /** The time of the latest record. */
  changedAt: number;
  /** The time since which nothing is left to do; null while the operation is open. */
  convergedAt: number | null;
  /** The time at which the home's part was released or expired, or the operation was aborted. */
  endedAt: number | null;
  /** In the order of the operation's events, the home first. */
  parts: KeptPart[];
  /** The bookings that were tried. */
  actions: KeptBookingAction[];
  sessionId: string | null;
  buyerRef: string | null;
  partnerRef: string | null;
  accessSource: AccessSource;
};

/** The read waits a moment until these versions of events are counted. */
type Counted = { owner: OperationOwner; versions: readonly { eventKey: string; version: number }[] };

/** operation → [input, output]. The caller has checked the right to the owner. */
export type OverEventsOperations = {
  /** Refused with `not_found`. */
  'operations.get': [Counted & { operationId: string }, { operation: KeptOperation }];
  /**
   * The operation that an action books or has booked; else the latest that refused it. Without `isCounted`, the
   * journals may have later records. Refused with `not_found`, or with `catalog_unavailable` where the versions are not
   * counted.
   */
  'operations.by-action': [Counted & { actionId: string }, { operation: KeptOperation; isCounted: boolean }];
  /** The newest operations of a season whose bookings have this reference, or were tried with it. */
  'operations.by-booking-ref': [Counted & { bookingRef: string }, { operations: KeptOperation[] }];
  /**
   * Notes an operation that a caller was told of before any event had answered. The catalog aborts the operation,
   * unless an event knows it by then, so that the address that was told ends in a terminal state.
   */
  'operations.note': [{ head: OperationHead; sessionId: string }, { ok: true }];
  /** The note of the operation that one of these sessions was told of. Refused with `not_found`. */
  'operations.noted': [{ id: string; sessionIds: string[] }, { head: OperationHead; isOpen: boolean }];
  /** Newest first. */
  'operations.list': [Counted & { page: Page }, { operations: KeptOperation[]; nextCursor?: string }];
  /** Everything that follows from the operation's present state stands at the end: the occurrences of its season. */
  'operations.settle': [Counted & { operationId: string }, { ok: true }];
};
