/**
 * Cancellations of the bookings of seasons and groups as the catalog stores them, and their operations. Bookings are
 * operations.
 */
import type { Caller } from '../commands.ts';
import type { CancelOutcome } from '../operations/ports.ts';

export const cancellationStates = ['cancel_pending', 'cancelled', 'cancel_failed', 'partial_terminal'] as const;
export type CancellationState = (typeof cancellationStates)[number];

/** Whether the holder keeps the right to the seats. */
export const rightDispositions = ['preserve', 'release'] as const;
export type RightDisposition = (typeof rightDispositions)[number];

/** The cancellation of one booking. The caller names it by `cancelActionId`, and the booking by `actionId`. */
export type CancellationDraft = {
  seasonKey: string;
  operationId: string;
  actionId: string;
  cancelActionId: string;
  bookingRef: string;
  planActivationId: string;
  rightDisposition: RightDisposition;
};

/** `partial_terminal`: some events refuse for good, and the others have cancelled. */
export type SeasonCancellation = CancellationDraft & {
  state: CancellationState;
  /** In the order of the operation's events. */
  outcomes: CancelOutcome[];
  createdAt: number;
  endedAt: number | null;
};

/**
 * A cancellation of a group's booking, or of a part of it. A booking may have several, and `cancelActionId` names each.
 * `askedHash` is a hash of what its caller asked for.
 */
export type GroupCancellation = Pick<
  SeasonCancellation,
  'operationId' | 'actionId' | 'cancelActionId' | 'bookingRef' | 'state' | 'outcomes' | 'createdAt' | 'endedAt'
> & { groupKey: string; askedHash: string };

/** operation → [input, output]. The caller has checked the owner's scope, and that the booking stands. */
export type SeasonSaleOperations = {
  /**
   * Cancels a booking, and waits a moment for the end. `labels` by event key: the units that the operation has booked.
   * A repetition finds the first call. Refused with `conflict` where another call has cancelled the booking.
   */
  'seasons.cancel-booking': [
    CancellationDraft & { eventKeys: readonly string[]; labels: Record<string, string[]>; by: Caller },
    { cancellation: SeasonCancellation },
  ];
  /** As of a season. `labels` by event key: the units to cancel; `eventKeys` are their events. */
  'groups.cancel-booking': [
    Omit<GroupCancellation, 'state' | 'outcomes' | 'createdAt' | 'endedAt'> & {
      eventKeys: readonly string[];
      labels: Record<string, string[]>;
      by: Caller;
    },
    { cancellation: GroupCancellation },
  ];
  /** The cancellations of this operation of the group, newest first. */
  'groups.cancellations': [{ groupKey: string; operationId: string }, { cancellations: GroupCancellation[] }];
  /** The cancellations among these operations of the season, in no order. */
  'seasons.cancellations': [
    { seasonKey: string; operationIds: readonly string[] },
    { cancellations: SeasonCancellation[] },
  ];
};
