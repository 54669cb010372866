import { describe, expect, it } from 'vitest';
import {
  backlogIdOf,
  type Delivery,
  firstDelivery,
  isStillDue,
  piecesOf,
  retryIdOf,
  retryOf,
} from '../../../services/notifier/src/deliveries/rules/delivery.ts';
import { retryQueueCount, retryQueueOf, verdictOf } from '../../../services/notifier/src/deliveries/rules/schedule.ts';
import type { PostResult } from '../../../services/notifier/src/endpoints/rules/post-result.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const at = Date.parse('2026-05-01T12:00:00Z');
const pauses = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

function answered(status: number, retryAfter: string | null = null): PostResult {
  return { kind: 'answered', status, retryAfter, responseBody: '' };
}

describe('the schedule of attempts', () => {
  it.each(pauses.map((pause, index) => [index + 1, pause]))('waits after attempt %i for %i ms', (attempts, pause) => {
    expect(verdictOf(answered(500), attempts, at, 0)).toEqual({ kind: 'retry', delayMs: pause });
    expect(verdictOf(answered(500), attempts, at, 1)).toEqual({ kind: 'retry', delayMs: pause * 1.2 });
  });

  it('ends after the eighth attempt', () => {
    expect(verdictOf(answered(500), 8, at, 0)).toEqual({ kind: 'exhausted' });
  });

  it.each([
    [answered(200), 'delivered'],
    [answered(204), 'delivered'],
    [answered(301), 'retry'],
    [answered(404), 'retry'],
    [answered(410), 'gone'],
    [answered(503), 'retry'],
    [{ kind: 'failed', error: 'ECONNREFUSED' } as const, 'retry'],
  ])('takes %o as %s', (result, kind) => {
    expect(verdictOf(result, 1, at, 0).kind).toBe(kind);
  });

  it.each([
    ['seconds on 429', answered(429, '120'), 120 * SECOND],
    ['seconds on 503', answered(503, '120'), 120 * SECOND],
    ['a date', answered(503, 'Fri, 01 May 2026 12:10:00 GMT'), 10 * MINUTE],
    ['a shorter pause than the schedule', answered(429, '1'), 5 * SECOND],
    ['a date gone by', answered(429, 'Fri, 01 May 2026 11:00:00 GMT'), 5 * SECOND],
    ['another status', answered(500, '120'), 5 * SECOND],
    ['nonsense', answered(429, 'soon'), 5 * SECOND],
    ['a year', answered(429, '31536000'), 10 * HOUR],
  ])('reads Retry-After with %s', (_what, result, delayMs) => {
    expect(verdictOf(result, 1, at, 0)).toEqual({ kind: 'retry', delayMs });
  });

  it('each different pause has a retry queue of its own', () => {
    const queues = pauses.map(retryQueueOf);
    expect(queues).toEqual([0, 1, 2, 3, 4, 5, 5]);
    expect(pauses.map((pause) => retryQueueOf(pause * 1.2))).toEqual(queues);
    expect(retryQueueCount).toBe(6);
  });

  it('a retry that a receiver puts off goes into the queue of a longer pause', () => {
    expect([7 * SECOND, 290 * SECOND, 7 * MINUTE, 100 * MINUTE].map(retryQueueOf)).toEqual([1, 1, 2, 3]);
    expect(retryQueueOf(13 * HOUR)).toBe(retryQueueCount - 1);
  });
});

describe('the steps of a delivery', () => {
  const place = { partition: 1, sequence: 2, index: 3 };
  const occurrence = { id: 'occ_1', name: 'seat.booked', ref: 'order-1', place, at: 1, body: '{}' } as const;
  const to = { subId: 'whk_1', organisationId: 'org_1', mode: 'live', eventKey: 'gala' } as const;
  const first = firstDelivery(occurrence, to, 7);
  const withBody = (body: string, attempts = 0): Delivery => ({ ...first, body, attempts });

  it('has the same id for the same occurrence and subscription, and no other', () => {
    const again = firstDelivery(occurrence, to, 8);
    expect(again.deliveryId).toBe(first.deliveryId);
    expect(firstDelivery(occurrence, { ...to, subId: 'whk_2' }, 7).deliveryId).not.toBe(first.deliveryId);
    expect(firstDelivery({ ...occurrence, id: 'occ_2' }, to, 7).deliveryId).not.toBe(first.deliveryId);
  });

  it('a retry counts its attempt and goes into the queue of its pause', () => {
    expect(retryOf(first, 5 * MINUTE, at)).toMatchObject({ attempts: 1, dueAt: at + 5 * MINUTE, retryQueue: 1 });
  });

  it('each attempt has its own retry id, and the same attempt the same id', () => {
    const steps = [first, retryOf(first, 5_000, at), retryOf(retryOf(first, 5_000, at), 5_000, at)];
    expect(new Set(steps.map(retryIdOf)).size).toBe(steps.length);
    expect(retryIdOf(retryOf(first, 5_000, at))).toBe(retryIdOf(retryOf(first, 6_000, at + 1)));
  });

  it('waits in its backlog in order, in pieces that fit into a message, without bodies that are too long', () => {
    const long = 'x'.repeat(65 * 1024);
    const deliveries = [
      withBody(long),
      ...Array.from({ length: 100 }, (_, index) => withBody('y'.repeat(3_000), index)),
    ];
    const pieces = piecesOf(deliveries);
    expect(pieces.flat().map(({ attempts }) => attempts)).toEqual(deliveries.map(({ attempts }) => attempts));
    expect(pieces[0]![0]!.body).toBeNull();
    for (const piece of pieces) {
      expect(piece.length).toBeLessThanOrEqual(64);
      expect(piece.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)).toBeLessThanOrEqual(128 * 1024);
    }
    expect(new Set(pieces.map(backlogIdOf)).size).toBe(pieces.length);
    expect(piecesOf(deliveries).map(backlogIdOf)).toEqual(pieces.map(backlogIdOf));
  });

  it("is no longer due after a manual delivery, an end, or another copy's attempt", () => {
    const retry = retryOf({ ...first, attempts: 1 }, 5_000, at);
    expect(isStillDue({ retryState: 'scheduled', attempt: 2 }, retry)).toBe(true);
    // The history may lag by one attempt.
    expect(isStillDue({ retryState: 'scheduled', attempt: 1 }, retry)).toBe(true);
    expect(isStillDue({ retryState: 'scheduled', attempt: 3 }, retry)).toBe(false);
    expect(isStillDue({ retryState: 'delivered', attempt: 2 }, retry)).toBe(false);
    expect(isStillDue({ retryState: 'none', attempt: 2 }, retry)).toBe(false);
  });
});
