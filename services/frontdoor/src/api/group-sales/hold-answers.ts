/** Answers of group holds and bookings. */
import type { LineItem } from '@parterre/shared/answers';
import type { EventRecord } from '@parterre/shared/catalog/events';
import type { GroupRecord } from '@parterre/shared/catalog/groups';
import type { KeptOperation } from '@parterre/shared/catalog/operations';
import type { OperationOwner } from '@parterre/shared/operations/operation';
import type { OperationView } from '@parterre/shared/operations/ports';
import { z } from 'zod';
import { holdState, ownerHoldId } from '../operations/operations.ts';
import { count, currency, epochMs, idOf, lineItem, price, text, textOrNull } from '../records/records.ts';

const decision = z.enum(['commit', 'abort']).nullable().describe('Null while nothing is decided.');
const items = z.array(lineItem);

const groupOperation = z.object({
  operationId: text,
  state: holdState,
  decision,
  hold: z.object({
    id: idOf('hld'),
    expiresAt: epochMs.nullable(),
    items: items.describe('The places of all performances.'),
    allocations: z.array(z.object({ eventKey: text, items })),
  }),
});
export const oneOperation = z.object({ operation: groupOperation });

export const groupHold = z.object({
  operationId: text,
  groupId: idOf('pg').describe("The group's key."),
  holdId: idOf('hld'),
  state: holdState,
  decision,
  active: z.boolean().describe('Committed and not expired.'),
  expiresAt: epochMs.nullable(),
  createdAt: epochMs,
  convergedAt: epochMs.nullable().describe('The time at which every performance held its places.'),
  expiredAt: epochMs.nullable(),
  buyerSessionId: textOrNull,
  selectionMode: z.enum(['same_seat', 'per_performance']),
  buyerRef: textOrNull,
  partnerRef: textOrNull,
  currency,
  groupRevision: count,
  allocations: z.array(
    z.object({
      eventKey: text,
      name: text,
      startsAt: epochMs,
      endsAt: epochMs.nullable(),
      configuredValue: price,
      items,
    }),
  ),
});
export const oneHold = z.object({ hold: groupHold });

export const groupBooking = z.object({
  bookActionId: text,
  operationId: text,
  groupId: idOf('pg').describe("The group's key."),
  bookingRef: text,
  state: z.enum(['book_pending', 'booked', 'book_failed']),
  totalPerformances: count,
  bookedPerformances: count,
  nextRetryAt: epochMs.nullable(),
  attempts: count,
  lastError: textOrNull,
  createdAt: epochMs,
  bookedAt: epochMs.nullable(),
});
export type GroupBooking = z.output<typeof groupBooking>;
export const oneBooking = z.object({ booking: groupBooking });

export function operationOf(owner: OperationOwner, view: OperationView): z.output<typeof groupOperation> {
  const { operationId, state, decision, expiresAt, parts } = view;
  const allocations = parts.map(({ eventKey, items }) => ({ eventKey, items }));
  const id = ownerHoldId(owner, operationId);
  const hold = { id, expiresAt, items: allocations.flatMap((each) => each.items), allocations };
  return { operationId, state, decision, hold };
}

export function groupHoldOf(
  group: GroupRecord,
  events: ReadonlyMap<string, EventRecord>,
  view: OperationView,
): z.output<typeof groupHold> {
  const owner = { kind: 'group' as const, key: group.key };
  const { operationId, state, decision, expiresAt, parts } = view;
  const details = parts.flatMap(({ detail }) => detail ?? []);
  const [first] = details;
  const home = parts[0]?.detail ?? null;
  const isOver = state === 'expired' || state === 'expire_pending';
  return {
    ...{ operationId, groupId: group.key, holdId: ownerHoldId(owner, operationId), state, decision },
    active: state === 'committed',
    expiresAt,
    createdAt: view.createdAt ?? 0,
    convergedAt: decision === 'commit' && home !== null ? home.createdAt : null,
    expiredAt: isOver ? (home?.endedAt ?? null) : null,
    buyerSessionId: first?.sessionId ?? null,
    selectionMode: first?.head?.selectionMode ?? 'same_seat',
    buyerRef: first?.buyerRef ?? null,
    partnerRef: first?.partnerRef ?? null,
    currency: group.currency,
    groupRevision: first?.head?.revision ?? group.revision,
    allocations: parts.flatMap(({ eventKey, items }) => {
      const event = events.get(eventKey);
      if (!event) return [];
      const { name, startsAt, endsAt } = event;
      return [{ eventKey, name, startsAt: startsAt ?? 0, endsAt, configuredValue: configuredValueOf(items), items }];
    }),
  };
}

/** A booking that its events have forgotten, from the records of their journals. */
export function keptBookingOf({ owner, operationId, parts, actions }: KeptOperation, actionId: string): GroupBooking {
  const action = actions.find((each) => each.actionId === actionId)!;
  const isBooked = action.state === 'booked';
  return {
    ...{ bookActionId: actionId, operationId, groupId: owner.key, bookingRef: action.bookingRef ?? '' },
    state: isBooked ? 'booked' : 'book_failed',
    totalPerformances: parts.length,
    bookedPerformances: action.bookedParts,
    nextRetryAt: null,
    attempts: 1,
    lastError: isBooked ? null : 'conflict',
    createdAt: action.bookedAt ?? action.createdAt,
    bookedAt: action.bookedAt,
  };
}

/** Major units. The price of a table or area counts for each guest or place. */
function configuredValueOf(items: readonly LineItem[]): number {
  return items.reduce((sum, { unitPrice, quantity = 1 }) => sum + unitPrice * quantity, 0);
}
