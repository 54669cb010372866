/** The notifier's reader of the outbox of seasons, with fakes of its ports. */
import type { DueOccurrence } from '@parterre/shared/protocol/catalog/season-outbox';
import type { SigningSub } from '@parterre/shared/protocol/catalog/webhooks';
import { done, Fault, refuse } from '@parterre/shared/protocol/errors';
import { clockSkewMsMax, outboxPollMs } from '@parterre/shared/protocol/webhook-limits';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import type { Delivery } from '../../../services/notifier/src/deliveries/rules/delivery.ts';
import { readOutbox } from '../../../services/notifier/src/outbox/outbox-reader.ts';
import type { Reading } from '../../../services/notifier/src/streams/keep-reading.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const at = 1_700_000_000_000;
const season = { key: 'sea_1', workspaceId: 'ws_1', environment: null };
let reading: Reading | null = null;
afterEach(() => reading?.stop());

function occurrence(id: string, more: Partial<DueOccurrence> = {}): DueOccurrence {
  const facts = { season, organisationId: 'org_1', mode: 'live', eventName: 'season.activated', at } as const;
  return { occurrenceId: id, ...facts, replayCount: 0, body: `{"occurrenceId":"${id}"}`, ...more };
}

function sub(id: string, events: string[], more: Partial<SigningSub> = {}): SigningSub {
  const facts = { url: 'https://a.example', workspaceId: null, environment: null, createdAt: 0, secrets: [] };
  return { id, events, ...facts, ...more };
}

/** `answers` are the answers to the looks, in order; later looks find nothing. */
function reader(answers: (DueOccurrence[] | 'away')[], subs: SigningSub[] | 'away', fails: string[] = []) {
  const dispatched: Delivery[] = [];
  const settled: string[] = [];
  const clock = new ManualClock(at);
  let looks = 0;
  const away = refuse('catalog_unavailable', 'Away.');
  const catalog = async (operation: string, input: { occurrenceId?: string; replayCount?: number }) => {
    if (operation === 'seasons.settle-due') {
      settled.push(`${input.occurrenceId} ${input.replayCount}`);
      return done({ ok: true });
    }
    looks += 1;
    const answer = answers.shift() ?? [];
    return answer === 'away' ? away : done({ due: answer });
  };
  const dispatch = {
    room: async () => {},
    async dispatchNew(deliveries: readonly Delivery[]) {
      dispatched.push(...deliveries);
      if (deliveries.some(({ occurrenceId }) => fails.includes(occurrenceId))) throw new Fault('the queue is away');
    },
  };
  const directory = { subscriptions: async () => (subs === 'away' ? away : done(subs)) };
  const log = pino({ level: 'silent' });
  reading = readOutbox({ catalog: catalog as never, directory, dispatch, clock, log });
  return { dispatched, settled, clock, looks: () => looks };
}

test('each subscription that hears of a season gets its occurrences', async () => {
  const subs = [
    sub('whk_all', ['season.*']),
    sub('whk_old', ['event.created']),
    sub('whk_sales', ['seat.booked']),
    sub('whk_elsewhere', ['season.*'], { workspaceId: 'ws_2' }),
    sub('whk_young', ['season.*'], { createdAt: at + 2 * clockSkewMsMax }),
  ];
  const booked = occurrence('occ_2', { eventName: 'season.booking.booked' });
  const { dispatched, settled } = reader([[occurrence('occ_1'), booked]], subs);
  await expect.poll(() => settled).toEqual(['occ_1 0', 'occ_2 0']);
  expect(dispatched.map(({ occurrenceId, subId }) => `${occurrenceId} ${subId}`)).toEqual([
    'occ_1 whk_all',
    'occ_1 whk_old',
    'occ_2 whk_all',
    'occ_2 whk_sales',
  ]);
  expect(dispatched[0]).toMatchObject({ season, eventKey: '', ref: 'sea_1', body: '{"occurrenceId":"occ_1"}' });
  expect(new Set(dispatched.map(({ order }) => order)).size).toBe(4);
});

test('a replay is a delivery of its own under the same occurrence', async () => {
  const replay = occurrence('occ_1', { replayCount: 1, at: at + 1 });
  const { dispatched, settled } = reader([[occurrence('occ_1')], [replay]], [sub('whk_1', ['season.*'])]);
  await expect.poll(() => settled).toEqual(['occ_1 0', 'occ_1 1']);
  expect(new Set(dispatched.map(({ deliveryId }) => deliveryId)).size).toBe(2);
  expect(new Set(dispatched.map(({ occurrenceId }) => occurrenceId)).size).toBe(1);
});

test('an occurrence without a receiver is settled, and one that cannot be dispatched is not', async () => {
  const { settled } = reader(
    [[occurrence('occ_bad'), occurrence('occ_ok')]],
    [sub('whk_1', ['season.*'])],
    ['occ_bad'],
  );
  await expect.poll(() => settled).toEqual(['occ_ok 0']);
  await reading!.stop();
  const nobody = reader([[occurrence('occ_1')]], []);
  await expect.poll(() => nobody.settled).toEqual(['occ_1 0']);
  expect(nobody.dispatched).toEqual([]);
});

test('a catalog that is away is asked again later, and no occurrence is settled without its subscriptions', async () => {
  const { settled, clock, looks } = reader(['away', [occurrence('occ_1')]], 'away');
  await expect.poll(looks).toBe(1);
  clock.advance(outboxPollMs);
  await expect.poll(looks).toBeGreaterThan(1);
  await reading!.stop();
  expect(settled).toEqual([]);
});
