/**
 * The records of parts, locks and reservations, beside `held`, `extended`, `released`, `expired` and `booked`, which
 * parts share with ordinary holds.
 */
import type { OperationHead, OperationOwner, PartAction } from './operation.ts';

export type OperationRecord =
  /** Follows the `held` record of the part in the same group. */
  | { type: 'part-held'; head: OperationHead; holdId: string; fingerprint: string }
  /** `units` are those of the part: viewers see them as held until the pin goes. */
  | { type: 'part-pinned'; id: string; holdId: string; action: PartAction; units: number[] }
  /**
   * The part ends at `expiresAt` again, unless it is booked or extended in the same group. `refused`: the action is
   * refused for ever.
   */
  | {
      type: 'part-unpinned';
      id: string;
      holdId: string;
      actionId: string;
      expiresAt: number;
      units: number[];
      refused?: true;
    }
  /** At the home: it never holds this operation. */
  | { type: 'operation-aborted'; head: OperationHead; createdAt: number }
  /** At the home: this action never books or extends the operation. */
  | { type: 'action-refused'; id: string; actionId: string }
  | { type: 'locked'; owner: OperationOwner; lockId: string }
  | { type: 'lock-drained'; owner: OperationOwner; lockId: string }
  | { type: 'unlocked'; owner: OperationOwner; lockId: string }
  /**
   * The units of an offer go back on sale, or with `bookingRef` to the booking whose record follows in the same group.
   * `owner` is absent where the offer had reserved nothing.
   */
  | {
      type: 'unreserved';
      offerId: string;
      callId: string;
      units: number[];
      bookingRef?: string;
      owner?: OperationOwner;
    };
