/** A booking whose events have forgotten it, as its platform reads it from the journals. */
import type { KeptOperation } from '@parterre/shared/protocol/catalog/operations';
import { expect, test } from 'vitest';
import { keptBookingOf } from '../../../../services/frontdoor/src/api/group-sales.ts';

const part = (eventKey: string) => ({ eventKey, holdId: 'hld_1', state: 'booked' as const });
const operation: KeptOperation = {
  owner: { kind: 'group', key: 'pg_1' },
  operationId: 'pghop_1',
  state: 'booked',
  isOpen: false,
  selectionMode: 'same_seat',
  revision: 3,
  planActivationId: null,
  createdAt: 1,
  expiresAt: 9,
  changedAt: 7,
  convergedAt: 7,
  endedAt: null,
  parts: [part('one'), part('two')],
  actions: [
    { actionId: 'lost', bookingRef: null, state: 'refused', createdAt: 4, bookedParts: 0, bookedAt: null },
    { actionId: 'done', bookingRef: 'order-1', state: 'booked', createdAt: 5, bookedParts: 2, bookedAt: 7 },
  ],
  sessionId: null,
  buyerRef: null,
  partnerRef: null,
  accessSource: 'public',
};

test('a booking is told with every performance, a refused one as failed', () => {
  const common = { operationId: 'pghop_1', groupId: 'pg_1', totalPerformances: 2, nextRetryAt: null, attempts: 1 };
  expect(keptBookingOf(operation, 'done')).toEqual({
    ...common,
    bookActionId: 'done',
    bookingRef: 'order-1',
    state: 'booked',
    bookedPerformances: 2,
    active: ['one', 'two'],
    cancelled: [],
    cancellation: null,
    lastError: null,
    createdAt: 7,
    bookedAt: 7,
  });
  expect(keptBookingOf(operation, 'lost')).toEqual({
    ...common,
    bookActionId: 'lost',
    bookingRef: '',
    state: 'book_failed',
    bookedPerformances: 0,
    active: [],
    cancelled: [],
    cancellation: null,
    lastError: 'conflict',
    createdAt: 4,
    bookedAt: null,
  });
});
