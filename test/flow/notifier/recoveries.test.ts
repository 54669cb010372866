/** A recovery and the journal's reader make the same deliveries: each occurrence is queued by one of them. */

import { done } from '@parterre/shared/protocol/errors';
import { groupsOf } from '@parterre/shared/protocol/journal/messages';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { type JournalProgress, readRecoveries } from '../../../services/notifier/src/deliveries/recoveries.ts';
import type { Delivery } from '../../../services/notifier/src/deliveries/rules/delivery.ts';
import { change, commitMessage } from '../../support/journal/stored-messages.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { event, plan } from '../../support/notifier/plan.ts';
import { settled } from '../../support/replica.ts';

const lines = [{ unit: 0, price: 40 }];
const by = { source: 'server', actor: 'key_1' } as const;
const sold = { type: 'booked', callId: 'call', bookingRef: 'missed', holdId: null, accessSource: 'public', lines, by };
const { subject, data } = commitMessage(7, [{ ...change('gala', 5_000, sold as never), plan: plan.hash }]);
const group = { partition: 3, sequence: 7, group: 0, eventKey: 'gala', data: groupsOf(subject, data)[0]!.data };
const sub = {
  id: 'whk_1',
  url: 'https://shop.example/hooks',
  events: ['seat.booked'],
  workspaceId: null,
  environment: null,
  createdAt: 0,
  secrets: [],
};

/** A recovery of a pause in which one seat was booked, and the reader's progress with that record. */
function setUp(progress: JournalProgress) {
  const clock = new ManualClock();
  const reader = { progress, known: [] as string[] };
  const queued: Delivery[] = [];
  const asked: unknown[] = [];
  const recovery = { subId: sub.id, organisationId: 'org', mode: 'live', since: 1, asked: 1, askedAt: clock.now() };
  let next: { dueAt: number; rows: unknown; cursor: unknown } | null = { dueAt: 0, rows: 'done', cursor: null };
  const answers: Record<string, (input: never) => unknown> = {
    'webhooks.take-recoveries': () => {
      if (next === null || next.dueAt > clock.now()) return { due: [] };
      const { rows, cursor } = next;
      next = null;
      return { due: [{ ...recovery, rows, cursor }] };
    },
    'webhooks.note-recovery': ({
      rows,
      cursor,
      dueInMs,
    }: {
      rows: unknown;
      cursor: unknown;
      dueInMs?: number | null;
    }) => {
      if (typeof dueInMs === 'number') next = { dueAt: clock.now() + dueInMs, rows, cursor };
      return { ok: true };
    },
    'occurrences.page': ({ after }: { after?: string }) =>
      after === undefined
        ? { groups: [group], events: [{ ...event, key: 'gala' }], nextAt: null }
        : { groups: [], events: [], nextAt: null },
    'deliveries.known': () => ({ known: reader.known }),
  };
  const catalog: CatalogClient = async (operation, input) => done(answers[operation]!(input as never)) as never;
  const reading = readRecoveries({
    catalog,
    directory: { subscriptions: async () => done([sub]) },
    plans: async () => plan,
    queues: {
      putBacklog: async (_, piece) => {
        queued.push(...piece);
        return 'queued';
      },
    },
    backlogs: { note: () => {} },
    progressOf: async (places) => {
      asked.push(...places);
      return reader.progress;
    },
    clock,
    log: pino({ level: 'silent' }),
  });
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) {
      await settled();
      clock.advance(500);
    }
    await settled();
  };
  return { reader, queued, asked, reading, pass };
}

it('leaves an occurrence to the journal as long as no notifier has read it there', async () => {
  const { reader, queued, asked, reading, pass } = setUp('unread');
  await pass(120_000);
  expect(queued).toEqual([]);
  expect(asked[0]).toMatchObject({ partition: 3, sequence: 7 });
  reader.progress = 'settled';
  await pass(5_000);
  expect(queued.map(({ ref }) => ref)).toEqual(['missed']);
  await reading.stop();
});

it('queues nothing that the reader of the journal has brought meanwhile', async () => {
  const { reader, queued, reading, pass } = setUp('unsettled');
  await pass(5_000);
  expect(queued).toEqual([]);
  const other = setUp('settled');
  await other.pass(5_000);
  reader.known = other.queued.map(({ deliveryId }) => deliveryId);
  reader.progress = 'settled';
  await pass(60_000);
  expect([reader.known.length, queued]).toEqual([1, []]);
  await Promise.all([reading.stop(), other.reading.stop()]);
});

it('waits half a minute for a message that stays unsettled', async () => {
  const { queued, reading, pass } = setUp('unsettled');
  await pass(28_000);
  expect(queued).toEqual([]);
  await pass(5_000);
  expect(queued.map(({ ref }) => ref)).toEqual(['missed']);
  await reading.stop();
});
