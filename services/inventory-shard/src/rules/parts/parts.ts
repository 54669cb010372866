/**
 * Opens the room of parts: the event's parts of operations over several events, the locks that groups and seasons have
 * on the event, and the units of offers. Data alone; the room of operations has the rules.
 * docs/internals/sales-over-events.md has the design.
 *
 * A part is replaced, never changed in place, since captures share it. A part that has ended is known for a day, so
 * that its end can be asked for. Past `endedPartsMax`, the parts that ended first are forgotten early (I8), by the
 * records alone (I6).
 */
import { endedHoldKeepMs } from '@parterre/shared/protocol/limits';
import type {
  EventLock,
  OperationHead,
  OperationOwner,
  OperationTag,
  PartView,
} from '@parterre/shared/protocol/operations/operation';

export type EventPart = Readonly<PartView> & {
  /** Null for an aborted part: no hold was made from a content. */
  readonly fingerprint: string | null;
};

/** Ended parts that an event knows, and those that one new part makes forgotten. */
const endedPartsMax = 50_000;
const forgottenAtOnce = 8;

/** Locks that have ended, whose late copies an event knows. */
const endedLocksMax = 64;

/** The end of a pinned part, which does not expire: the last time that a date can have. */
export const neverMs = 8_640_000_000_000_000;

export class Parts {
  /** By the operation's internal id: parts that are held or pinned. */
  readonly live = new Map<string, EventPart>();
  /** The others, in the order of their ends. */
  readonly ended = new Map<string, EventPart>();
  /** The operation's internal id by hold id, of every known part. */
  readonly ofHold = new Map<string, string>();
  /** The operation's internal id by the booking that has pinned or booked it (`bookingIdOf`). */
  readonly #ofBooking = new Map<string, string>();
  /** By the owner (`lockIdOf`). */
  readonly locks = new Map<string, EventLock>();
  /** Locks that have ended (`endedLockOf`), the latest at the end. */
  readonly endedLocks = new Set<string>();
  /** No part that was made later has been forgotten. */
  forgottenUntil = 0;

  get isEmpty(): boolean {
    return this.live.size + this.ended.size + this.locks.size + this.endedLocks.size + this.forgottenUntil === 0;
  }

  get(id: string): EventPart | undefined {
    return this.live.get(id) ?? this.ended.get(id);
  }

  /** For folds: a part begins. `at` is the time of its record. */
  begin(part: EventPart, at: number): void {
    this.#forget(at);
    this.put(part);
  }

  /** For folds: puts a part in place of the part before. */
  put(part: EventPart): void {
    const { id } = part.head;
    this.#forgetBooking(this.get(id));
    this.live.delete(id);
    this.ended.delete(id);
    (part.endedAt === null ? this.live : this.ended).set(id, part);
    if (part.holdId !== null) this.ofHold.set(part.holdId, id);
    const booking = bookingOf(part);
    if (booking !== null) this.#ofBooking.set(booking, id);
  }

  /** For folds: changes fields of a live part. */
  change(id: string, fields: Partial<PartView>): void {
    const part = this.get(id);
    if (part) this.put({ ...part, ...fields });
  }

  /** For folds: the owner's lock ends. Past `endedLocksMax`, the lock that ended first is forgotten. */
  endLock(owner: OperationOwner, lockId: string): void {
    this.locks.delete(lockIdOf(owner));
    this.endedLocks.add(endedLockOf(owner, lockId));
    if (this.endedLocks.size > endedLocksMax) this.endedLocks.delete(this.endedLocks.values().next().value!);
  }

  /** Whether this lock of the owner has come and gone. */
  hasEnded(owner: OperationOwner, lockId: string): boolean {
    return this.endedLocks.has(endedLockOf(owner, lockId));
  }

  /** The live operations of an owner here. */
  liveOf({ kind, key }: OperationOwner): number {
    let live = 0;
    for (const { head } of this.live.values()) if (head.owner.key === key && head.owner.kind === kind) live++;
    return live;
  }

  /** Whether this action of the owner books another operation here. */
  booksAnother(part: EventPart, actionId: string): boolean {
    return this.#other(part, actionId) !== undefined;
  }

  /** Whether this action of the owner has booked another operation here. */
  hasBookedAnother(part: EventPart, actionId: string): boolean {
    return this.#other(part, actionId)?.state === 'booked';
  }

  /** The part of another operation that the action has pinned or booked. */
  #other({ head: { id, owner } }: EventPart, actionId: string): EventPart | undefined {
    const other = this.#ofBooking.get(bookingIdOf(owner, actionId));
    return other === undefined || other === id ? undefined : this.get(other);
  }

  #forgetBooking(part: EventPart | undefined): void {
    const booking = part === undefined ? null : bookingOf(part);
    if (booking !== null) this.#ofBooking.delete(booking);
  }

  #forget(at: number): void {
    for (let left = forgottenAtOnce; left > 0; left--) {
      const oldest = this.ended.values().next().value;
      if (!oldest) return;
      if (oldest.endedAt! + endedHoldKeepMs > at && this.ended.size < endedPartsMax) return;
      this.ended.delete(oldest.head.id);
      if (oldest.holdId !== null) this.ofHold.delete(oldest.holdId);
      this.#forgetBooking(oldest);
      this.forgottenUntil = Math.max(this.forgottenUntil, oldest.createdAt);
    }
  }
}

/** The booking that has pinned or booked the part; null without one. */
function bookingOf({ state, action, head }: EventPart): string | null {
  const isBooking = action?.kind === 'book' && (state === 'pinned' || state === 'booked');
  return isBooking ? bookingIdOf(head.owner, action.id) : null;
}

function bookingIdOf(owner: OperationOwner, actionId: string): string {
  return `${lockIdOf(owner)}/${actionId}`;
}

/** Refused actions that a part knows. Each has pins first, so an older one is over. */
const refusedActionsKept = 64;

/** The refused actions of a part with one more. */
export function withRefused(refused: readonly string[], actionId: string): string[] {
  return [...refused, actionId].slice(-refusedActionsKept);
}

/** Whether the end of this part's pin refuses its action: a booking gives its pin back behind its refusal alone. */
export function isRefusedByUnpin({ action }: EventPart): boolean {
  return action?.kind === 'book';
}

/** A member knows the refused bookings that have pinned it. */
export function afterUnpin(
  { action, refused }: EventPart,
  isRefused: boolean,
): Pick<EventPart, 'state' | 'action' | 'refused'> {
  return { state: 'held', action: null, refused: isRefused ? withRefused(refused, action!.id) : refused };
}

/** Names the operation in the records of its parts. */
export function tagOf({ head: { id, owner, operationId } }: Pick<EventPart, 'head'>, actionId?: string): OperationTag {
  return { id, owner, operationId, ...(actionId !== undefined && { actionId }) };
}

/** The part of this operation. A part that ended a day ago is forgotten. */
export function knownPart(parts: Pick<Parts, 'get'>, id: string, now: number): EventPart | undefined {
  const part = parts.get(id);
  return part && part.endedAt !== null && part.endedAt + endedHoldKeepMs <= now ? undefined : part;
}

export function lockIdOf({ kind, key }: OperationOwner): string {
  return `${kind}/${key}`;
}

function endedLockOf(owner: OperationOwner, lockId: string): string {
  return `${lockIdOf(owner)}/${lockId}`;
}

/** The part that begins with these facts. */
export function newPart(
  head: OperationHead,
  facts: Pick<EventPart, 'state' | 'holdId' | 'fingerprint' | 'createdAt' | 'expiresAt' | 'endedAt'>,
): EventPart {
  return { head, ...facts, extends: 0, action: null, lastExtend: null, refused: [] };
}
