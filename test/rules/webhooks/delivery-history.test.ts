/** Rows of the history, its pages, and the health of subscriptions: the order of reports does not matter. */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import {
  deliveryAttemptsMax,
  failingPauseMs,
  manualPostsPerHostAtOnce,
  manualPostsPerHostMax,
  manualPostsWindowMs,
} from '@parterre/shared/protocol/webhook-limits';
import { describe, expect, it } from 'vitest';
import type { DeliveryRow, WebhookHealth } from '../../../services/catalog/src/store/rules/webhook-records.ts';
import { cutDeliveries, orderBefore } from '../../../services/catalog/src/webhooks/rules/delivery-pages.ts';
import { deliveryOf, keptDeliveryOf, noteReport } from '../../../services/catalog/src/webhooks/rules/delivery-row.ts';
import {
  type CountedAttempt,
  enabled,
  freshHealth,
  hasFailedForLong,
  noteAttempts,
  uptimeOf,
} from '../../../services/catalog/src/webhooks/rules/subscription-health.ts';
import { attemptsMax } from '../../../services/notifier/src/deliveries/rules/schedule.ts';
import { createManualPosts } from '../../../services/notifier/src/manual-posts/rules/manual-posts.ts';

const start = 1_800_000_000_000;
const hour = 3_600_000;
const day = 24 * hour;

function reportOf(attempt: number, at: number, more: Partial<AttemptReport>): AttemptReport {
  return {
    deliveryId: 'dlv_1',
    subId: 'whk_1',
    organisationId: 'org_1',
    occurrenceId: 'occ_1',
    body: '{"data":{}}',
    event: 'seat.booked',
    eventKey: 'gala',
    ref: null,
    place: { partition: 0, sequence: 1, index: 0 },
    order: start * 1_000,
    manual: false,
    responseBody: null,
    errorMessage: null,
    nextAttemptAt: null,
    status: 500,
    retryState: 'scheduled',
    ...more,
    attempt,
    at: start + at,
  };
}

const first = reportOf(1, 10, { nextAttemptAt: start + 5_010, responseBody: 'one' });
const second = reportOf(2, 5_020, { nextAttemptAt: start + 9_000, responseBody: 'two' });
const paused = reportOf(3, 9_001, { status: 0, retryState: 'none', errorMessage: 'The subscription is paused.' });
const byHand = reportOf(3, 6_000, { manual: true, status: 503, retryState: 'none', responseBody: 'hand' });
const handDelivered = reportOf(3, 7_000, { manual: true, status: 200, retryState: 'delivered', responseBody: 'ok' });
const third = reportOf(3, 9_010, { status: 200, retryState: 'delivered', responseBody: 'three' });

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

function rowOf(reports: readonly AttemptReport[]): { row: DeliveryRow; attempts: number } {
  let row = null as DeliveryRow | null;
  let attempts = 0;
  for (const report of reports) {
    const noted = noteReport(row, report);
    if (noted) row = noted.row;
    if (noted?.attempted) attempts += 1;
  }
  return { row: row!, attempts };
}

const told = (row: DeliveryRow) => deliveryOf('dlv_1', row);

describe('a row of the history', () => {
  it.each([
    ['failed once', [first], { attempt: 1, retryState: 'scheduled', willRetry: true, nextAttemptAt: start + 5_010 }],
    ['failed twice', [first, second], { attempt: 2, status: 500, responseBody: 'two', nextAttemptAt: start + 9_000 }],
    ['delivered', [first, second, third], { attempt: 3, status: 200, retryState: 'delivered', nextAttemptAt: null }],
    [
      'failed manually too',
      [first, second, byHand],
      { attempt: 3, status: 503, retryState: 'scheduled', willRetry: true },
    ],
    ['delivered manually', [first, second, handDelivered], { attempt: 3, status: 200, retryState: 'delivered' }],
    ['delivered manually, then paused', [first, handDelivered, paused], { attempt: 2, retryState: 'delivered' }],
    ['paused', [first, second, paused], { attempt: 2, status: 500, retryState: 'none', lastAttemptAt: start + 5_020 }],
    ['never attempted', [paused], { attempt: 0, status: 0, retryState: 'none', lastAttemptAt: null }],
    ['all of it', [first, second, byHand, handDelivered, third], { attempt: 5, retryState: 'delivered' }],
  ] as const)('that %s is the same for any order and any repetition of its reports', (_name, reports, expected) => {
    const attempts = reports.filter((report) => report !== paused).length;
    const inOrder = rowOf(reports);
    expect(told(inOrder.row)).toMatchObject({ maxAttempts: 8, ...expected });
    for (const order of permutations(reports)) {
      const { row, attempts: counted } = rowOf([...order, ...order]);
      expect(counted).toBe(attempts);
      expect(told(row)).toEqual(told(inOrder.row));
    }
  });

  it('shows the notifier the state of the schedule alone', () => {
    const { row } = rowOf([first, second, byHand]);
    expect(keptDeliveryOf('dlv_1', row)).toMatchObject({
      attempt: 2,
      retryState: 'scheduled',
      nextAttemptAt: start + 9_000,
    });
  });

  it('has a bit for every attempt of the schedule', () => {
    expect(deliveryAttemptsMax).toBe(attemptsMax);
  });
});

describe('a page of the history', () => {
  it.each([
    [[9_000, 8_000], 2, { count: 2, nextBefore: null }],
    [[9_000, 8_000, 7_000], 2, { count: 2, nextBefore: 8 }],
    [[9_000, 8_002, 8_001], 2, { count: 2, nextBefore: 8_002 }],
    [[9_000, 8_001, 8_001], 2, { count: 1, nextBefore: 9 }],
    [[8_001, 8_001, 8_001, 7_000], 2, { count: 3, nextBefore: 8 }],
  ])('of %j with limit %i', (orders, limit, expected) => {
    expect(cutDeliveries(orders, limit)).toEqual(expected);
  });

  it('begins before a time in milliseconds or in microseconds', () => {
    expect([orderBefore(start), orderBefore(start * 1_000 + 7)]).toEqual([start * 1_000, start * 1_000 + 7]);
  });
});

describe('the health of a subscription', () => {
  const ok = (at: number): CountedAttempt => ({ at: start + at, status: 200, delivered: true, count: 1 });
  const failure = (at: number): CountedAttempt => ({ at: start + at, status: 500, delivered: false, count: 1 });
  const fared = (attempts: readonly CountedAttempt[], at: number) => noteAttempts(freshHealth, attempts, start + at);
  const atFailure = (attempts: readonly CountedAttempt[], at: number) => {
    const health = fared([...attempts, failure(at)], at);
    return hasFailedForLong(health, start + at);
  };

  it.each([
    ['only failures for five days', [failure(0), failure(day)], failingPauseMs, true],
    ['one millisecond less', [failure(0), failure(day)], failingPauseMs - 1, false],
    ['a success between', [failure(0), ok(day)], failingPauseMs + 1, false],
    ['five days after a success', [ok(0), failure(1)], failingPauseMs + 1, true],
    ['a first failure', [], 9 * day, false],
    ['a failure after a long silence', [ok(0)], 9 * day, false],
  ])('%s', (_name, before, at, expected) => {
    for (const order of permutations(before)) expect(atFailure(order, at)).toBe(expected);
  });

  it('begins anew when an operator enables it, also for late reports of failures', () => {
    const health = enabled(fared([failure(0)], 0), start + 6 * day);
    const late = noteAttempts(health, [failure(6 * day - 1)], start + 6 * day);
    expect(hasFailedForLong(late, start + 6 * day - 1)).toBe(false);
    const next = noteAttempts(late, [failure(6 * day + 1)], start + 6 * day + 1);
    expect(next.failingSince).toBe(start + 6 * day + 1);
  });

  it('counts the attempts of seven days by the hour, in any order of reports', () => {
    const attempts = [ok(0), failure(hour), ok(2 * hour), ok(day), failure(3 * day), ok(6 * day)];
    const uptimes = (health: WebhookHealth) =>
      [6 * day, 7 * day + hour, 9.9 * day, 20 * day].map((at) => uptimeOf(health, start + at));
    const expected = [0.6667, 0.75, 0.5, null];
    expect(uptimes(fared(attempts, 6 * day))).toEqual(expected);
    expect(uptimes(fared(attempts.toReversed(), 6 * day))).toEqual(expected);
    expect(uptimeOf(freshHealth, start)).toBeNull();
  });

  it('forgets hours that are over a week old, and takes a count back', () => {
    const old = fared([ok(0), ok(hour)], hour);
    const now = noteAttempts(old, [failure(8 * day), { ...failure(8 * day), count: -1 }, ok(8 * day)], start + 8 * day);
    expect(now.hours).toEqual([(start + 8 * day) / hour, 1, 0]);
    expect(now).toMatchObject({ lastAt: start + 8 * day, lastStatus: 200 });
  });
});

describe('manual posts', () => {
  it('are few at once to a host on any path, and other hosts have room', () => {
    const posts = createManualPosts();
    for (let at = 0; at < manualPostsPerHostAtOnce; at++) {
      expect(posts.begin('org_1', `https://shop.example/${at}`, 0)).toBe(0);
    }
    expect(posts.begin('org_1', 'https://shop.example/', manualPostsWindowMs * 2)).toBe(1_000);
    expect(posts.begin('org_2', 'https://shop.example/', 0)).toBe(0);
    expect(posts.begin('org_1', 'https://other.example/', 0)).toBe(0);
    posts.end('org_1', 'https://shop.example/any');
    expect(posts.begin('org_1', 'https://shop.example/', 0)).toBe(0);
  });

  it('have a bound to a host within a minute, and a refusal says when the minute ends', () => {
    const posts = createManualPosts();
    const begin = (now: number) => posts.begin('org_1', 'https://shop.example/', now);
    for (let at = 0; at < manualPostsPerHostMax; at++) {
      expect(begin(at)).toBe(0);
      posts.end('org_1', 'https://shop.example/');
    }
    expect(begin(20_000)).toBe(manualPostsWindowMs - 20_000);
    expect(begin(manualPostsWindowMs)).toBe(0);
  });
});
