/** The notifier's flow with fakes of its own ports. */

import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import type { SigningSub } from '@parterre/shared/protocol/catalog/webhooks';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { encodePart } from '@parterre/shared/protocol/journal/messages';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { clockSkewMsMax } from '@parterre/shared/protocol/webhook-limits';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { keptDeliveryOf, noteReport } from '../../../services/catalog/src/webhooks/rules/delivery-row.ts';
import { createDeliver, type DeliverPorts } from '../../../services/notifier/src/deliveries/deliver.ts';
import { type Delivery, firstDelivery, type Retry } from '../../../services/notifier/src/deliveries/rules/delivery.ts';
import type { PostResult } from '../../../services/notifier/src/endpoints/rules/post-result.ts';
import { createFanOut, type FanOutPorts, type JournalEntry } from '../../../services/notifier/src/journal/fan-out.ts';
import { createBodySource } from '../../../services/notifier/src/occurrences/body-source.ts';
import { noLink } from '../../support/journal/links.ts';
import { event, plan } from '../../support/notifier/plan.ts';

const at = 1_700_000_000_000;
const unavailable = refuse('catalog_unavailable', 'The catalog did not answer.', { retryable: true });
const failing = refuse('internal_error', 'The server has a fault. The fault is in the log of the catalog.');
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

function sub(id: string, events: string[], workspaceId: string | null = null): SigningSub {
  return {
    id,
    url: `https://${id}.example/hook`,
    events,
    workspaceId,
    environment: null,
    createdAt: 0,
    secrets: [{ secret, until: null }],
  };
}

const notWanted = 'The subscription is paused, or no longer includes this delivery.';

function setUp(
  overrides: Partial<DeliverPorts & FanOutPorts> & { subs?: Outcome<SigningSub[]>; result?: PostResult } = {},
) {
  const queued: Retry[] = [];
  const reports: AttemptReport[] = [];
  const posted: { url: string; body: string }[] = [];
  const lost: string[] = [];
  const { subs: given, result, ...ports } = overrides;
  const subs = given ?? done([sub('whk_all', ['seat.blocked', 'seat.released']), sub('whk_b', ['seat.booked'])]);
  const directory = { event: async () => done(event), subscriptions: async () => subs };
  const clock = { now: () => at, elapsed: () => at, after: () => () => {} };
  const log = pino({ level: 'silent' });
  const fanOut = createFanOut({ directory, plans: async () => plan, clock, log, ...ports });
  const deliver = createDeliver({
    directory,
    catalog: async () => refuse('not_found', 'No such delivery.') as never,
    bodyOf: async () => 'made again',
    putRetry: async (retry) => {
      queued.push(retry);
      return 'queued';
    },
    losses: { note: (_delivery, reason) => lost.push(reason) > 0 },
    record: async (report) => void reports.push(report),
    post: async (url, _headers, body) => {
      posted.push({ url, body });
      return result ?? { kind: 'answered', status: 200, retryAfter: null, responseBody: 'noted' };
    },
    clock,
    jitter: () => 0,
    log,
    ...ports,
  });
  const attempt = async (delivery: Delivery) => {
    const attempted = await deliver.attempt(delivery);
    if (attempted.kind !== 'later') await deliver.settle(attempted);
    return attempted.kind;
  };
  return { fanOut, attempt, queued, reports, posted, lost };
}

function entryOf(...records: JournalRecord[]): JournalEntry {
  const data = encodePart({ link: noLink, event: event.key, from: 0, at, plan: plan.hash, records });
  return { partition: 0, sequence: 1, eventKey: event.key, data };
}

async function deliveriesFrom({ fanOut }: ReturnType<typeof setUp>, ...records: JournalRecord[]) {
  const fannedOut = await fanOut(entryOf(...records));
  if (fannedOut.kind !== 'deliveries') throw new Error(fannedOut.why);
  return fannedOut.deliveries;
}

const by = { source: 'server', actor: 'key_1' } as const;
const blocked: JournalRecord = { type: 'blocked', units: [0], releaseAt: null, reason: null, by };
const unblocked: JournalRecord = { type: 'unblocked', units: [0], reason: 'operator', by };
const ttlSet: JournalRecord = { type: 'hold-ttl-set', holdTtlMs: null, by };
const delivery = firstDelivery(
  {
    id: 'occ_1',
    name: 'seat.blocked',
    ref: null,
    place: { partition: 0, sequence: 1, index: 0 },
    at: 1,
    body: '{}',
  },
  { subId: 'whk_all', organisationId: 'org_1', mode: 'live', eventKey: 'gala' },
  7,
);

describe('fan-out of the journal', () => {
  it('gives one delivery for each subscription that names the occurrence, in order', async () => {
    const made = await deliveriesFrom(setUp(), blocked, unblocked);
    expect(made.map(({ name, subId, attempts }) => [name, subId, attempts])).toEqual([
      ['seat.blocked', 'whk_all', 0],
      ['seat.released', 'whk_all', 0],
    ]);
    expect(made[1]!.order).toBeGreaterThan(made[0]!.order);
    expect(made[0]!.place).toEqual({ partition: 0, sequence: 1, index: 0 });
  });

  it('gives a subscription of a workspace only events of this workspace', async () => {
    const [own, other] = [event.workspaceId, 'ws_other'].map((id) => sub(`whk_${id}`, ['seat.blocked'], id));
    const made = await deliveriesFrom(setUp({ subs: done([own!, other!]) }), blocked);
    expect(made.map(({ subId }) => subId)).toEqual([own!.id]);
  });

  it('gives a subscription no occurrence from before it was made, within the difference of two clocks', async () => {
    const subs = [
      { ...sub('whk_later', ['seat.blocked']), createdAt: at + clockSkewMsMax + 1 },
      { ...sub('whk_about', ['seat.blocked']), createdAt: at + clockSkewMsMax },
    ];
    const made = await deliveriesFrom(setUp({ subs: done(subs) }), blocked);
    expect(made.map(({ subId }) => subId)).toEqual(['whk_about']);
  });

  it('never carries an address or a secret', async () => {
    expect(JSON.stringify(await deliveriesFrom(setUp(), blocked))).not.toMatch(/whsec_|https:/);
  });

  it('fetches no plan for a group without occurrences', async () => {
    expect(await deliveriesFrom(setUp({ plans: () => Promise.reject(new Error()) }), ttlSet)).toEqual([]);
  });

  it('does not decode a group that no subscription matches', async () => {
    const unreadable = { ...entryOf(), data: new Uint8Array([0xc1]) };
    expect(await setUp({ subs: done([]) }).fanOut(unreadable)).toEqual({ kind: 'deliveries', deliveries: [] });
    await expect(setUp().fanOut(unreadable)).rejects.toThrow();
  });

  it('fetches no plan for an organisation without a matching subscription', async () => {
    const subs = done([sub('whk_b', ['seat.booked'])]);
    expect(await deliveriesFrom(setUp({ subs, plans: () => Promise.reject(new Error()) }), blocked)).toEqual([]);
  });

  it.each<[string, Parameters<typeof setUp>[0]]>([
    ['event', { directory: { event: async () => unavailable, subscriptions: async () => done([]) } }],
    ['subscriptions', { subs: unavailable }],
    ['event, as the store fails,', { directory: { event: async () => failing, subscriptions: async () => done([]) } }],
    ['subscriptions, as the store fails,', { subs: failing }],
    ['plan', { plans: () => Promise.reject(new Fault('get plan')) }],
  ])('puts the message off when the %s cannot be reached', async (_what, overrides) => {
    const { fanOut } = setUp(overrides);
    expect(await fanOut(entryOf(blocked))).toMatchObject({ kind: 'later' });
  });

  it('tells an unknown event from a catalog that is away', async () => {
    const directory = { event: async () => refuse('not_found', 'No such event.'), subscriptions: async () => done([]) };
    expect(await setUp({ directory }).fanOut(entryOf(blocked))).toMatchObject({ kind: 'unknown' });
  });
});

describe('attempting a delivery', () => {
  it("posts to the subscription's present address, and reports to the history", async () => {
    const { attempt, posted, reports, queued } = setUp();
    expect(await attempt(delivery)).toBe('posted');
    expect(posted).toEqual([{ url: 'https://whk_all.example/hook', body: '{}' }]);
    expect(queued).toEqual([]);
    const { deliveryId, subId, organisationId, occurrenceId, eventKey, ref, place, body, order } = delivery;
    const told = { deliveryId, subId, organisationId, occurrenceId, event: 'seat.blocked', eventKey, ref, place };
    const outcome = { status: 200, responseBody: 'noted', errorMessage: null, retryState: 'delivered' };
    expect(reports).toEqual([{ ...told, ...outcome, body, order, attempt: 1, manual: false, at, nextAttemptAt: null }]);
  });

  it('queues a retry after a failure, and reports when it is due', async () => {
    const { attempt, queued, reports } = setUp({ result: { kind: 'failed', error: 'ECONNREFUSED' } });
    expect(await attempt(delivery)).toBe('posted');
    expect(queued).toEqual([{ ...delivery, attempts: 1, dueAt: at + 5_000, retryQueue: 0 }]);
    const told = {
      attempt: 1,
      status: 0,
      errorMessage: 'ECONNREFUSED',
      retryState: 'scheduled',
      nextAttemptAt: at + 5_000,
    };
    expect(reports).toMatchObject([told]);
  });

  it('ends after the last attempt and at a receiver that is gone', async () => {
    const failing = setUp({ result: { kind: 'failed', error: 'ECONNREFUSED' } });
    await failing.attempt({ ...delivery, attempts: 7 });
    expect([failing.queued, failing.reports[0]]).toMatchObject([[], { attempt: 8, retryState: 'exhausted' }]);
    const gone = setUp({ result: { kind: 'answered', status: 410, retryAfter: null, responseBody: '' } });
    await gone.attempt(delivery);
    expect([gone.queued, gone.reports[0]]).toMatchObject([[], { status: 410, retryState: 'none' }]);
  });

  it('ends without a post, and reports it, when the subscription is no longer active', async () => {
    const { attempt, posted, reports } = setUp({ subs: done([]) });
    expect(await attempt(delivery)).toBe('dropped');
    expect(posted).toEqual([]);
    expect(reports).toMatchObject([{ status: 0, retryState: 'none', errorMessage: notWanted }]);
  });

  it.each<[string, SigningSub]>([
    ['event', sub('whk_all', ['seat.booked'])],
    ['workspace', sub('whk_all', ['seat.blocked'], 'ws_other')],
    ['environment', { ...sub('whk_all', ['seat.blocked']), environment: 'staging' }],
  ])('ends without a post when the subscription no longer matches its %s', async (_what, changed) => {
    const { attempt, posted, reports } = setUp({ subs: done([changed]) });
    expect(await attempt(delivery)).toBe('dropped');
    expect(posted).toEqual([]);
    expect(reports).toMatchObject([{ status: 0, retryState: 'none', errorMessage: notWanted }]);
  });

  it('waits for the event where the event decides whether the subscription matches', async () => {
    const own = async () => done([sub('whk_all', ['seat.blocked'], event.workspaceId)]);
    const known = setUp({ directory: { event: async () => done(event), subscriptions: own } });
    expect(await known.attempt(delivery)).toBe('posted');
    for (const refusal of [unavailable, failing]) {
      const away = setUp({ directory: { event: async () => refusal, subscriptions: own } });
      expect([await away.attempt(delivery), away.posted, away.reports]).toEqual(['later', [], []]);
    }
  });

  it.each([
    ['is not kept', refuse('not_found', 'No such delivery.'), 'posted'],
    ['cannot be read', failing, 'posted'],
    ['cannot be asked for', unavailable, 'posted'],
    ['says that it was delivered manually', done({ kept: { retryState: 'delivered', attempt: 1 } }), 'over'],
    ['says that another copy was attempted', done({ kept: { retryState: 'scheduled', attempt: 2 } }), 'over'],
  ])('knows whether a retry is due where its history %s', async (_what, answer, kind) => {
    const { attempt, posted } = setUp({ catalog: async () => answer as never });
    expect(await attempt({ ...delivery, attempts: 1 })).toBe(kind);
    expect(posted).toHaveLength(kind === 'posted' ? 1 : 0);
  });

  it('makes a queued retry after a notifier died before its report', async () => {
    const result = { kind: 'failed', error: 'ECONNREFUSED' } as const;
    const died = setUp({ result, record: () => new Promise(() => {}) });
    void died.attempt(delivery);
    await vi.waitFor(() => expect(died.queued).toHaveLength(1));
    // The same attempt again: the queue has its retry already, and the history gets another time.
    const other = setUp({ result, jitter: () => 1 });
    await other.attempt(delivery);
    const { row } = noteReport(null, other.reports[0]!)!;
    const { attempt, posted } = setUp({
      catalog: async () => done({ kept: keptDeliveryOf(delivery.deliveryId, row) }) as never,
    });
    const { dueAt, retryQueue, ...queued } = died.queued[0]!;
    expect(dueAt).toBeLessThan(row.nextAttemptAt!);
    expect([retryQueue, await attempt(queued), posted.length]).toEqual([0, 'posted', 1]);
  });

  it('counts no attempt while the catalog is away, or a body cannot be made', async () => {
    const away = setUp({ subs: unavailable });
    expect(await away.attempt(delivery)).toBe('later');
    const unreadable = setUp({ bodyOf: () => Promise.reject(new Error('timeout')) });
    expect(await unreadable.attempt({ ...delivery, body: null })).toBe('later');
    expect([...away.posted, ...unreadable.posted]).toEqual([]);
  });

  it('makes a body that was too long to be stored again, and ends where it is gone', async () => {
    const made = setUp();
    await made.attempt({ ...delivery, body: null });
    expect(made.posted).toMatchObject([{ body: 'made again' }]);
    expect(made.reports).toMatchObject([{ body: 'made again' }]);
    const lost = setUp({ bodyOf: async () => null });
    expect(await lost.attempt({ ...delivery, body: null })).toBe('dropped');
  });

  it('is reported as failed for good where too many retries of its subscription wait', async () => {
    const { attempt, reports, lost } = setUp({
      result: { kind: 'answered', status: 500, retryAfter: null, responseBody: 'no' },
      putRetry: async () => 'subscription',
    });
    await attempt(delivery);
    const errorMessage = 'Too many deliveries wait for this endpoint: at most 64 MiB may wait.';
    expect(reports).toMatchObject([{ status: 500, retryState: 'none', nextAttemptAt: null, errorMessage }]);
    expect(lost).toEqual(['subscription']);
  });

  it.each<[string, Partial<DeliverPorts>]>([
    ['queue', { putRetry: () => Promise.reject(new Error('timeout')) }],
    ['history', { record: () => Promise.reject(new Error('timeout')) }],
  ])('is not settled while the %s cannot be reached', async (_what, overrides) => {
    const { attempt } = setUp({ result: { kind: 'failed', error: 'ECONNREFUSED' }, ...overrides });
    await expect(attempt(delivery)).rejects.toThrow('timeout');
  });
});

describe('a body made again from the journal', () => {
  const storedGroup = async () => null;
  const bodyOf = (answer: Outcome<typeof event>) =>
    createBodySource({ storedGroup, directory: { event: async () => answer }, plans: async () => plan })(delivery);

  it('is null for an unknown event, and is put off while the catalog fails', async () => {
    expect(await bodyOf(refuse('not_found', 'No such event.'))).toBeNull();
    await expect(bodyOf(failing)).rejects.toThrow('has a fault');
    await expect(bodyOf(unavailable)).rejects.toThrow('did not answer');
  });
});
