/** The whole schedule of attempts, more than ten hours, on a clock of the test and queues in memory. */

import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import type { SigningSub } from '@parterre/shared/protocol/catalog/webhooks';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { encodePart } from '@parterre/shared/protocol/journal/messages';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createBacklogs } from '../../../services/notifier/src/deliveries/backlogs.ts';
import { createDeliver } from '../../../services/notifier/src/deliveries/deliver.ts';
import { createDispatch } from '../../../services/notifier/src/deliveries/dispatch.ts';
import { readRetryQueues } from '../../../services/notifier/src/deliveries/retry-queues.ts';
import { whyFull } from '../../../services/notifier/src/deliveries/rules/loss.ts';
import type { PostResult } from '../../../services/notifier/src/endpoints/rules/post-result.ts';
import { createFanOut } from '../../../services/notifier/src/journal/fan-out.ts';
import { noLink } from '../../support/journal/links.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { createMemoryQueue } from '../../support/notifier/memory-queue.ts';
import { event, plan } from '../../support/notifier/plan.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const pauses = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
const log = pino({ level: 'silent' });
const by = { source: 'server', actor: 'key_1' } as const;
const sub: SigningSub = {
  id: 'whk_1',
  url: 'https://receiver.example/hook',
  events: ['seat.blocked'],
  workspaceId: null,
  environment: null,
  createdAt: 0,
  secrets: [{ secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, until: null }],
};

function answered(status: number, retryAfter: string | null = null): PostResult {
  return { kind: 'answered', status, retryAfter, responseBody: '' };
}

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

function setUp({ jitter = 0, backlogMax }: { jitter?: number; backlogMax?: number } = {}) {
  const clock = new ManualClock(1_700_000_000_000);
  const queue = createMemoryQueue(clock, backlogMax);
  const world = {
    subs: [sub],
    answer: (_attempt: number): PostResult | Promise<PostResult> => answered(500),
    posts: [] as number[],
    reports: [] as AttemptReport[],
  };
  const directory = { event: async () => done(event), subscriptions: async () => done(world.subs) };
  const fanOut = createFanOut({ directory, plans: async () => plan, clock, log });
  const deliver = createDeliver({
    directory,
    catalog: async (_operation, input) => {
      const { deliveryId } = input as { deliveryId: string };
      const report = world.reports.findLast((each) => each.deliveryId === deliveryId);
      return (report ? done({ kept: report, delivery: {} }) : refuse('not_found', 'Not kept.')) as never;
    },
    bodyOf: async () => null,
    putRetry: queue.putRetry,
    losses: { note: () => true },
    record: async (report) => void world.reports.push(report),
    post: async () => {
      world.posts.push(clock.now());
      return world.answer(world.posts.length);
    },
    clock,
    jitter: () => jitter,
    log,
  });
  const backlogs = createBacklogs({
    queues: queue,
    dispatchWaiting: (delivery) => dispatch.dispatchWaiting(delivery),
    clock,
    log,
  });
  const dispatch = createDispatch({
    deliver,
    backlogs,
    clock,
    putBacklog: queue.putBacklog,
    hasBacklog: queue.hasBacklog,
  });
  const retryQueues = readRetryQueues({ queues: queue, dispatch, clock, log });
  backlogs.start();
  running.push(async () => {
    dispatch.stop();
    const stopped = Promise.all([retryQueues.stop(), backlogs.stop()]);
    for (let i = 0; i < 20; i++) await tick(clock, 3 * SECOND);
    await stopped;
  });

  async function happen(sequence = 1): Promise<void> {
    const blocked: JournalRecord = { type: 'blocked', units: [0], releaseAt: null, reason: null, by };
    const data = encodePart({
      link: noLink,
      event: event.key,
      from: sequence - 1,
      at: clock.now(),
      plan: plan.hash,
      records: [blocked],
    });
    const fannedOut = await fanOut({ partition: 0, sequence, eventKey: event.key, data });
    if (fannedOut.kind === 'deliveries') void dispatch.dispatchNew(fannedOut.deliveries).catch(() => {});
    await tick(clock, 0);
  }

  /** Steps of two seconds at first, then wider: each due retry is made within a step. */
  async function pass(ms: number): Promise<void> {
    const step = Math.max(2 * SECOND, ms / 600);
    for (let passed = 0; passed < ms; passed += step) await tick(clock, Math.min(step, ms - passed));
  }

  return { clock, queue, world, happen, pass };
}

/** Moves the clock, and lets every consequence happen. */
async function tick(clock: ManualClock, ms: number): Promise<void> {
  clock.advance(ms);
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}

const notWanted = 'The subscription is paused, or no longer includes this delivery.';

describe('the schedule, from the first attempt to the last', () => {
  it.each([0, 1])('makes eight attempts and gives up, each pause longer by %d of a fifth', async (jitter) => {
    const { world, queue, happen, pass } = setUp({ jitter });
    await happen();
    for (const pause of pauses) await pass(pause * 1.25);
    await pass(HOUR);
    expect(world.posts).toHaveLength(8);
    const gaps = world.posts.slice(1).map((at, index) => at - world.posts[index]!);
    for (const [index, gap] of gaps.entries()) {
      const due = pauses[index]! * (1 + jitter / 5);
      expect(gap).toBeGreaterThanOrEqual(due);
      expect(gap).toBeLessThan(due * 1.01 + 10 * SECOND);
    }
    expect(world.reports.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(world.reports.map(({ retryState }) => retryState)).toEqual([...Array(7).fill('scheduled'), 'exhausted']);
    expect(new Set(world.reports.map(({ deliveryId }) => deliveryId)).size).toBe(1);
    expect(queue.left()).toBe(0);
  });

  it('ends with the attempt that succeeds', async () => {
    const { world, queue, happen, pass } = setUp();
    world.answer = (attempt) => answered(attempt < 3 ? 500 : 204);
    await happen();
    await pass(HOUR);
    expect(world.posts).toHaveLength(3);
    expect(world.reports.at(-1)).toMatchObject({ attempt: 3, retryState: 'delivered', nextAttemptAt: null });
    expect(queue.left()).toBe(0);
  });

  it.each([
    [429, 600 * SECOND],
    [503, 600 * SECOND],
    [500, 5 * SECOND],
  ])('follows Retry-After with a %i by waiting %i ms', async (status, pause) => {
    const { world, happen, pass } = setUp();
    world.answer = (attempt) => answered(attempt === 1 ? status : 200, '600');
    await happen();
    await pass(700 * SECOND);
    expect(world.posts[1]! - world.posts[0]!).toBeGreaterThanOrEqual(pause);
    expect(world.posts[1]! - world.posts[0]!).toBeLessThan(pause + 30 * SECOND);
  });

  it('makes no other attempt at a receiver that is gone', async () => {
    const { world, queue, happen, pass } = setUp();
    world.answer = () => answered(410);
    await happen();
    await pass(HOUR);
    expect(world.reports).toMatchObject([{ attempt: 1, status: 410, retryState: 'none' }]);
    expect(queue.left()).toBe(0);
  });

  it('gives up, and says so, when the subscription is paused or deleted between two attempts', async () => {
    const { world, queue, happen, pass } = setUp();
    await happen();
    world.subs = [];
    await pass(HOUR);
    expect(world.posts).toHaveLength(1);
    expect(world.reports.at(-1)).toMatchObject({ retryState: 'none', errorMessage: notWanted });
    expect(queue.left()).toBe(0);
  });

  it('makes no other attempt after a manual retry has delivered it', async () => {
    const { world, queue, happen, pass } = setUp();
    await happen();
    const byHand = { attempt: 2, manual: true, status: 200, retryState: 'delivered', nextAttemptAt: null } as const;
    world.reports.push({ ...world.reports[0]!, ...byHand });
    await pass(HOUR);
    expect(world.posts).toHaveLength(1);
    expect(queue.left()).toBe(0);
  });
});

describe('an endpoint without free slots', () => {
  it('makes later deliveries wait, attempts one at a time while it fails, and all in order once it answers', async () => {
    const { world, queue, happen, pass } = setUp();
    const hanging: ((result: PostResult) => void)[] = [];
    world.answer = () => new Promise((resolve) => hanging.push(resolve));
    for (let sequence = 1; sequence <= 40; sequence++) await happen(sequence);
    expect(hanging).toHaveLength(1);
    await pass(4 * SECOND);
    expect(queue.left()).toBeGreaterThan(0);
    world.answer = () => answered(200);
    for (const end of hanging.splice(0)) end({ kind: 'failed', error: 'no answer within 15 s' });
    await pass(MINUTE);
    expect(queue.left()).toBe(0);
    const firsts = world.reports.filter(({ attempt }) => attempt === 1).map(({ place }) => place.sequence);
    expect(firsts).toHaveLength(40);
    const waited = firsts.filter((sequence) => sequence > 1);
    expect(waited).toEqual([...waited].sort((a, b) => a - b));
    const delivered = world.reports.filter(({ retryState }) => retryState === 'delivered');
    expect(new Set(delivered.map(({ place }) => place.sequence)).size).toBe(40);
  });

  it("reports deliveries past the backlog's bound as failed, for a manual retry", async () => {
    const { world, happen, pass } = setUp({ backlogMax: 3 });
    world.answer = () => new Promise(() => {});
    for (let sequence = 1; sequence <= 30; sequence++) await happen(sequence);
    await pass(4 * SECOND);
    const told = world.reports.filter(({ retryState }) => retryState === 'none');
    expect(told.length).toBeGreaterThan(0);
    expect(told[0]).toMatchObject({ status: 0, errorMessage: whyFull.subscription });
  });
});
