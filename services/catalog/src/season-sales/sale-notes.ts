/**
 * The audit entries and outbox occurrences of a season's holds and bookings. They follow from the projection of the
 * operation, so any catalog may note them, any number of times. A cancellation notes itself (cancellations.ts).
 */
import type { KeptOperation } from '@parterre/shared/protocol/catalog/operations';
import type { SeasonNote } from '@parterre/shared/protocol/catalog/seasons';
import { internalIdOf } from '@parterre/shared/protocol/operations/operation';
import type { SeasonOccurrence } from '@parterre/shared/protocol/vocabulary';
import type { Follower } from '../operations/follow.ts';
import { noteSeason } from '../seasons/season-logs.ts';
import type { Store } from '../store/store.ts';

export function createSaleNotes(store: Store): Follower {
  return async (operation) => {
    const { kind, key: seasonKey } = operation.owner;
    if (kind !== 'season') return;
    // A deleted season has no audit to write to.
    for (const note of notesOf(operation)) await noteSeason(store, { seasonKey, note });
  };
}

function notesOf(operation: KeptOperation): SeasonNote[] {
  const { owner, operationId, planActivationId, createdAt, expiresAt, parts, actions } = operation;
  const id = internalIdOf(owner, operationId);
  const facts = { operationId, planActivationId, eventKeys: parts.map(({ eventKey }) => eventKey) };
  const held = { ...facts, expiresAt };
  const notes = [noteOf(`held ${id}`, 'season.hold.committed', 'buyer', held, createdAt)];
  for (const { actionId, bookingRef, bookedAt } of actions) {
    if (bookedAt === null) continue;
    const data = { ...facts, bookActionId: actionId, bookingRef };
    notes.push(noteOf(`booked ${id} ${actionId}`, 'season.booking.booked', 'server', data, bookedAt));
  }
  return notes;
}

/** A note of the sale, whose occurrence has the same name and data. */
export function noteOf(
  callId: string,
  action: SeasonOccurrence,
  actorKind: string,
  data: Record<string, unknown>,
  at: number,
): SeasonNote {
  return { callId, action, actorKind, details: data, at, occurrence: { eventName: action, data } };
}
