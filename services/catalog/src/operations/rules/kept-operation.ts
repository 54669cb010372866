/** An operation over several events as callers see it, from its stored document. */
import type { KeptBookingAction, KeptOperation } from '@parterre/shared/protocol/catalog/operations';
import { hasBooked } from '../../projections/rules/operation-states.ts';
import type { OperationAction, OperationProjection } from '../../store/rules/records.ts';

export function keptOperation(document: OperationProjection): KeptOperation {
  const { head, parts, actions, state, isOpen, createdAt, changedAt, convergedAt } = document;
  const { sessionId, buyerRef, partnerRef, accessSource } = document;
  const home = parts[0]!;
  return {
    owner: head.owner,
    operationId: head.operationId,
    state,
    isOpen,
    selectionMode: head.selectionMode ?? 'same_seat',
    revision: head.revision ?? null,
    planActivationId: head.planActivationId ?? null,
    createdAt,
    // Without a home's record, every part has the same end.
    expiresAt: parts.find(({ expiresAt }) => expiresAt !== null)?.expiresAt ?? null,
    changedAt,
    convergedAt,
    endedAt: hasBooked(home) ? null : home.endedAt,
    parts: parts.map((part) => ({ eventKey: part.eventKey, holdId: part.holdId, state: part.state })),
    actions: actions.map((action) => bookingOf(document, action)),
    sessionId,
    buyerRef,
    partnerRef,
    accessSource,
  };
}

function bookingOf(
  { parts }: OperationProjection,
  { id, bookingRef, createdAt, isRefused }: OperationAction,
): KeptBookingAction {
  const booked = parts.filter((part) => part.action?.id === id && hasBooked(part));
  const isWhole = booked.length === parts.length;
  const bookedAt = isWhole ? Math.max(...booked.map((part) => part.bookedAt ?? 0)) : null;
  const state = isWhole ? 'booked' : isRefused ? 'refused' : 'pending';
  return { actionId: id, bookingRef, state, createdAt, bookedParts: booked.length, bookedAt };
}
