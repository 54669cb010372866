/**
 * The sequential model of one event for checks of histories, written from the API's description and apart from the
 * shard's own rules: every seat is free, held by a hold until its time, booked under a reference, or blocked. The model
 * has no time: a hold ends only by an `expired` change, whose place the journal decides.
 *
 * `answerIn` is the whole specification. For a state, a call and the system's free choices (the hold's id, a time to
 * expire) it gives the only right answer and its change. `stepIn` compares this with the given answer.
 */
import { holdExtendsMax } from '@parterre/shared/protocol/page-limits';
import type { Answer, Call, Operation, Outcome } from './history.ts';
import { say } from './history.ts';

/** `free`, `blocked`, `held <holdId>` or `booked <bookingRef>`. */
type Owner = string;

export type HoldState = {
  status: 'active' | 'booked' | 'released' | 'expired';
  labels: string[];
  expiresAt: number;
  extends: number;
  bookingRef: string | null;
};

/** A record of the journal in the model's words. Labels are sorted. */
export type Change =
  | { type: 'held'; holdId: string; labels: string[]; expiresAt: number }
  | { type: 'extended'; holdId: string; expiresAt: number }
  | { type: 'released'; holdId: string; labels: string[] }
  | { type: 'expired'; holdId: string; labels: string[]; expiresAt: number }
  | { type: 'booked'; bookingRef: string; holdId: string; labels: string[] }
  | { type: 'unbooked'; bookingRef: string; labels: string[] }
  | { type: 'blocked'; labels: string[]; reason: string }
  | { type: 'unblocked'; labels: string[] };

/** One state of an event, in any representation. */
export type SeatView = {
  owner(label: string): Owner;
  hold(holdId: string): HoldState | undefined;
  /** The seats ever booked under a reference, or undefined for an unknown one. */
  booking(bookingRef: string): string[] | undefined;
  /** `label status` of every seat that is not free, sorted. */
  taken(): string[];
  /** Units of the plan. */
  seatTotal: number;
  /** `version` when a map of that version may show this state, else a version that may. */
  version(version: number): number;
};

type ChosenHold = { holdId: string; expiresAt: number; version: number };
export type Step = { fits: true; change: Change | null } | { fits: false; instead: string };

/** Whether an operation may take effect in this state, and its change. */
export function stepIn(view: SeatView, operation: Operation, effect?: Change): Step {
  const { call, outcome } = operation;
  const right = answerIn(view, call, chosenIn(operation, effect));
  if (outcome.kind === 'unknown') {
    const happens = right.change !== null && (effect === undefined || sameChange(right.change, effect));
    return happens ? { fits: true, change: right.change } : { fits: false, instead: say(right.outcome) };
  }
  if (JSON.stringify(right.outcome) !== JSON.stringify(outcome)) return { fits: false, instead: say(right.outcome) };
  return { fits: true, change: right.change };
}

/** True when an answered operation claims a change: only these stand in the journal. */
export function claimsChange({ outcome }: Operation): boolean {
  if (outcome.kind !== 'ok') return false;
  const { answer } = outcome;
  if (answer.type === 'inspect' || answer.type === 'count' || answer.type === 'map') return false;
  return answer.labels.length > 0;
}

export function sameChange(one: Change, other: Change): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The reason why a hold cannot expire in this way, or null. */
export function whyNotExpired(view: SeatView, change: Change & { type: 'expired' }): string | null {
  const hold = view.hold(change.holdId);
  if (hold?.status !== 'active') return `${change.holdId} is ${hold?.status ?? 'unknown'}`;
  if (hold.expiresAt !== change.expiresAt) return `${change.holdId} lasts until ${hold.expiresAt}`;
  const owned = ownedBy(view, `held ${change.holdId}`, hold.labels);
  return String(owned) === String(change.labels) ? null : `${change.holdId} has ${owned}`;
}

/** The system's choice: from the answer, or from the journal. */
function chosenIn({ id, outcome }: Operation, effect: Change | undefined): ChosenHold {
  const chosen: ChosenHold = { holdId: `hold of #${id}`, expiresAt: Number.POSITIVE_INFINITY, version: 0 };
  if (effect) return { ...chosen, ...effect };
  return outcome.kind === 'ok' ? { ...chosen, ...outcome.answer } : chosen;
}

type Right = { outcome: Outcome; change: Change | null };

export function answerIn(view: SeatView, call: Call, chosen: ChosenHold): Right {
  switch (call.type) {
    case 'hold':
      return holdIn(view, call.labels, chosen);
    case 'extend':
      return extendIn(view, call.holdId, chosen);
    case 'release': {
      const { holdId } = call;
      const hold = view.hold(holdId);
      if (!hold) return refused('hold_not_found');
      const labels = ownedBy(view, `held ${holdId}`, hold.labels);
      return answered({ type: 'release', labels }, { type: 'released', holdId, labels });
    }
    case 'book':
      return bookIn(view, call.holdId, call.bookingRef);
    case 'unbook': {
      const { bookingRef } = call;
      const lines = view.booking(bookingRef);
      if (!lines) return refused('booking_not_found');
      const labels = ownedBy(view, `booked ${bookingRef}`, lines);
      return answered({ type: 'unbook', labels }, { type: 'unbooked', bookingRef, labels });
    }
    case 'block': {
      const conflicts = conflictsOf(view, call.labels, (status) => status !== 'free' && status !== 'blocked');
      if (conflicts.length > 0) return refused('conflict', null, conflicts);
      const labels = call.labels.toSorted();
      return answered({ type: 'block', labels }, { type: 'blocked', labels, reason: call.reason });
    }
    case 'unblock': {
      const labels = ownedBy(view, 'blocked', call.labels);
      return answered({ type: 'unblock', labels }, { type: 'unblocked', labels });
    }
    case 'inspect': {
      const hold = view.hold(call.holdId);
      if (!hold) return refused('hold_not_found');
      const { status, expiresAt, extends: renewals, bookingRef } = hold;
      const labels = itemsOf(view, call.holdId, hold);
      return answered({ type: 'inspect', status, labels, expiresAt, extends: renewals, bookingRef });
    }
    case 'count': {
      const counts = { held: 0, booked: 0, blocked: 0 };
      const taken = view.taken();
      for (const seat of taken) counts[seat.slice(seat.lastIndexOf(' ') + 1) as keyof typeof counts]++;
      return answered({ type: 'count', free: view.seatTotal - taken.length, ...counts });
    }
    case 'map':
      return answered({ type: 'map', seats: view.taken(), version: view.version(chosen.version) });
    default:
      return call satisfies never;
  }
}

function holdIn(view: SeatView, named: string[], { holdId, expiresAt }: ChosenHold): Right {
  if (view.hold(holdId)) return refused('conflict', `${holdId} is known already`);
  const conflicts = conflictsOf(view, named, (status) => status !== 'free');
  if (conflicts.length > 0) return refused('conflict', null, conflicts);
  const labels = named.toSorted();
  return answered({ type: 'hold', holdId, labels, expiresAt }, { type: 'held', holdId, labels, expiresAt });
}

function extendIn(view: SeatView, holdId: string, chosen: ChosenHold): Right {
  const hold = view.hold(holdId);
  if (!hold) return refused('cannot_extend', 'not_found');
  if (hold.status === 'expired') return refused('cannot_extend', 'expired');
  if (hold.status !== 'active') return refused('cannot_extend', 'not_active');
  if (hold.extends >= holdExtendsMax) return refused('cannot_extend', 'extend_limit');
  // A renewal never takes time away. One that adds none uses no renewal: the load asks for none of that kind.
  const expiresAt = Math.max(hold.expiresAt, chosen.expiresAt);
  const labels = ownedBy(view, `held ${holdId}`, hold.labels);
  const answer: Answer = { type: 'extend', labels, expiresAt, extends: hold.extends + 1 };
  return answered(answer, { type: 'extended', holdId, expiresAt });
}

function bookIn(view: SeatView, holdId: string, bookingRef: string): Right {
  const hold = view.hold(holdId);
  if (!hold) return refused('hold_not_found');
  // A repetition books nothing, even after a cancellation.
  const isAgain = hold.status === 'booked' && hold.bookingRef === bookingRef;
  const isOpen = (label: string): boolean => !isAgain && view.owner(label) !== `booked ${bookingRef}`;
  const open = itemsOf(view, holdId, hold).filter(isOpen);
  if (open.length > 0 && hold.status !== 'active') {
    return refused(
      'conflict',
      `hold_${hold.status}`,
      conflictsOf(view, open, () => true),
    );
  }
  return answered({ type: 'book', labels: open }, { type: 'booked', bookingRef, holdId, labels: open });
}

/** A change without seats is no change. */
function answered(answer: Answer, change: Change | null = null): Right {
  const changes = change !== null && (!('labels' in change) || change.labels.length > 0);
  return { outcome: { kind: 'ok', answer }, change: changes ? change : null };
}

function refused(code: string, reason: string | null = null, conflicts: string[] = []): Right {
  return { outcome: { kind: 'refused', code, reason, conflicts }, change: null };
}

function conflictsOf(view: SeatView, labels: string[], isInTheWay: (status: string) => boolean): string[] {
  const seats = labels.map((label) => ({ label, status: statusOf(view.owner(label)) }));
  return seats
    .filter(({ status }) => isInTheWay(status))
    .map(({ label, status }) => `${label} ${status}`)
    .sort();
}

/** The seats of an active hold, or the former seats of an ended one. */
function itemsOf(view: SeatView, holdId: string, hold: HoldState): string[] {
  return hold.status === 'active' ? ownedBy(view, `held ${holdId}`, hold.labels) : hold.labels;
}

function ownedBy(view: SeatView, owner: Owner, labels: string[]): string[] {
  return labels.filter((label) => view.owner(label) === owner).sort();
}

/** The status in a holder's name: its first word. */
export function statusOf(owner: Owner): string {
  const end = owner.indexOf(' ');
  return end < 0 ? owner : owner.slice(0, end);
}
