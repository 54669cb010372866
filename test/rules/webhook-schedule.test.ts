import { describe, expect, it } from 'vitest';
import { deferred, firstDelivery, messageIdOf, retried } from '../../services/notifier/src/rules/delivery.ts';
import { laneCount, laneOf, type PostResult, verdictOf } from '../../services/notifier/src/rules/schedule.ts';

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

  it('gives each pause that differs a lane of its own', () => {
    const lanes = [0, ...pauses].map(laneOf);
    expect(lanes).toEqual([0, 1, 2, 3, 4, 5, 6, 6]);
    expect(pauses.map((pause) => laneOf(pause * 1.2))).toEqual(lanes.slice(1));
    expect(laneCount).toBe(7);
  });
});

describe('the steps of a delivery', () => {
  const occurrence = { id: 'occ_1', name: 'seat.booked', body: '{}' } as const;
  const first = firstDelivery(occurrence, { subId: 'whk_1', organisationId: 'org_1', mode: 'live' }, at);

  it('starts at once, under the id of the occurrence and the subscription', () => {
    expect(first).toMatchObject({ attempts: 0, dueAt: at, lane: 0 });
    expect(messageIdOf(first)).toBe('occ_1.whk_1');
  });

  it('counts a retry as an attempt and a deferral as none', () => {
    expect(retried(first, 5 * MINUTE, at)).toMatchObject({ attempts: 1, dueAt: at + 5 * MINUTE, lane: 2 });
    expect(deferred(first, at)).toMatchObject({ attempts: 0, deferrals: 1, dueAt: at + 5 * SECOND, lane: 1 });
  });

  it('defers less often after a minute of it', () => {
    expect(deferred({ ...first, deferrals: 12 }, at)).toMatchObject({ dueAt: at + 5 * MINUTE, lane: 2 });
  });

  it('names every step differently, and the same step alike', () => {
    const steps = [first, retried(first, 5_000, at), deferred(first, at), retried(deferred(first, at), 5_000, at)];
    expect(new Set(steps.map(messageIdOf)).size).toBe(steps.length);
    expect(messageIdOf(retried(first, 5_000, at))).toBe(messageIdOf(retried(first, 6_000, at + 1)));
  });
});
