/**
 * The holders of units: holds and bookings. A holder keeps its lines. The state's `slotOf` says which of their units it
 * still has, so that a unit never has two holders (I1).
 */
import type { AccessSource, Line } from '@parterre/shared/protocol/records';

/**
 * A call that changed a hold or booking, with the units that it changed. A repetition of the call is answered from it
 * (I5).
 */
export type Call = { callId: string; units: number[] };

export type Hold = {
  kind: 'hold';
  id: string;
  slot: number;
  status: 'active' | 'booked' | 'released' | 'expired';
  /** Of the first hold, where this hold replaced others. */
  createdAt: number;
  expiresAt: number;
  endedAt: number | null;
  /** Includes the renewals of the holds that this hold replaced. */
  extends: number;
  /** The id of the last `extend` call, and the last call that released a part. */
  lastExtend: string | null;
  lastRelease: Call | null;
  bookingRef: string | null;
  accessSource: AccessSource;
  fingerprint: string | null;
  /** The reach that the hold was made with, packed (reach/hold-reach.ts); null for public sale only. */
  reach: string | null;
  /** The access session that counts the hold. */
  sessionId: string | null;
  partnerRef: string | null;
  buyerRef: string | null;
  /** The session and the address of public sale that the active hold counts for; see visitors.ts. */
  visitors: readonly string[];
  /** `expiresAt` at the time the hold was made. */
  firstExpiresAt: number;
  /** Every line that was held, for as long as the hold is known: a repeated call is answered from them. */
  lines: Line[];
  parted: Parted | null;
};

/**
 * Units that left a hold while other units stayed: released by the buyer, expired after a part was booked, or booked
 * (with the reference).
 */
export type Parted = { released: number[]; expired: number[]; booked: { ref: string; units: number[] }[] };

export const notParted: Readonly<Parted> = { released: [], expired: [], booked: [] };

export type Booking = {
  kind: 'booking';
  ref: string;
  slot: number;
  bookedAt: number;
  updatedAt: number;
  accessSource: AccessSource;
  lastCall: Call | null;
  /** The best-available choice that was booked under this reference. */
  chosen: ChosenUnits | null;
  /** Lines still booked; cancelled lines stay in the journal alone. */
  lines: Line[];
};

/**
 * The bookings without units, in the order of their cancellation: references and times in epoch milliseconds. Follows
 * from the bookings and is in no snapshot. The queue also has entries that are gone, since a map whose first entries
 * were deleted takes long to find the next.
 */
export class CancelledBookings {
  readonly #byRef = new Map<string, Cancellation>();
  #queue: Cancellation[] = [];
  /** No entry before this index is left. */
  #first = 0;

  get size(): number {
    return this.#byRef.size;
  }

  /** The time of the first cancellation. Infinity without one. */
  get firstAt(): number {
    while (this.#queue[this.#first]?.isGone) this.#first++;
    return this.#queue[this.#first]?.at ?? Number.POSITIVE_INFINITY;
  }

  add(ref: string, at: number): void {
    const cancellation = { ref, at, isGone: false };
    this.#byRef.set(ref, cancellation);
    this.#queue.push(cancellation);
  }

  delete(ref: string): void {
    const cancellation = this.#byRef.get(ref);
    if (!cancellation) return;
    cancellation.isGone = true;
    this.#byRef.delete(ref);
    if (this.#queue.length < 2 * this.#byRef.size + queueSlack) return;
    this.#queue = this.#queue.filter(({ isGone }) => !isGone);
    this.#first = 0;
  }

  /** Forgets the cancellation of `firstAt` and returns its reference. */
  forgetFirst(): string {
    const { ref } = this.#queue[this.#first]!;
    this.delete(ref);
    return ref;
  }
}

type Cancellation = { readonly ref: string; readonly at: number; isGone: boolean };

const queueSlack = 64;

/** The request, and the chosen units that are still booked. A repetition is answered from them (I5). */
export type ChosenUnits = { fingerprint: string; units: number[] };
