/**
 * The locks of an event as its document notes them. The actor's locks refuse moves and charts; these refuse changes of
 * the fields that the catalog keeps. Pure.
 */
import type { Owner } from '@parterre/shared/protocol/catalog/lifecycles';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { EventDocument, LockNote } from '../../store/rules/records.ts';

/** The document with the lock of this owner. An event is in one active group at most; a season may join it. */
export function withLock(event: EventDocument, note: LockNote): Outcome<EventDocument> {
  const { locks = [] } = event;
  const own = locks.find(({ owner }) => isSame(owner, note.owner));
  if (own) return done(own.lockId === note.lockId ? event : { ...event, locks: [...without(locks, note.owner), note] });
  const rival = locks.find(({ owner }) => owner.kind === 'group' && note.owner.kind === 'group');
  return rival ? lockedBy(rival.owner.kind) : done({ ...event, locks: [...locks, note] });
}

/** A lock with another `lockId` stays: it is of a later activation. */
export function withoutLock(event: EventDocument, { owner, lockId }: LockNote): EventDocument {
  const { locks = [] } = event;
  const left = locks.filter((each) => !isSame(each.owner, owner) || each.lockId !== lockId);
  return left.length === locks.length ? event : { ...event, locks: left };
}

const lockedFields = ['startsAt', 'endsAt', 'timezone', 'venue'] as const;

/** Refuses a change of a field that all members of a group or season rely on. */
export function checkLocks(
  { locks = [] }: EventDocument,
  changes: { [Field in (typeof lockedFields)[number]]?: unknown },
  changesCurrency: boolean,
): Outcome<true> {
  const [first] = locks;
  const changesLocked = changesCurrency || lockedFields.some((field) => changes[field] !== undefined);
  return first && changesLocked ? lockedBy(first.owner.kind) : done(true);
}

function lockedBy(kind: Owner['kind']): Outcome<never> {
  return kind === 'group'
    ? refuse('performance_group_locked', 'An active performance group has this event. Close the group first.')
    : refuse('season_event_locked', 'An active season has this event. Close the season first.');
}

function without(locks: readonly LockNote[], owner: Owner): LockNote[] {
  return locks.filter((each) => !isSame(each.owner, owner));
}

function isSame(one: Owner, other: Owner): boolean {
  return one.kind === other.kind && one.key === other.key;
}
