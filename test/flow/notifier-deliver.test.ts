/** The notifier's flow with fakes of its own ports. */
import type { SigningSub } from '@parterre/shared/catalog/webhooks';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/errors';
import type { JournalRecord } from '@parterre/shared/records';
import { encodeKept } from '@parterre/shared/wire';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createDeliver, type DeliverPorts, type JournalEntry } from '../../services/notifier/src/deliver.ts';
import { createDirectory } from '../../services/notifier/src/outbound/directory.ts';
import { type Delivery, firstDelivery } from '../../services/notifier/src/rules/delivery.ts';
import type { PostResult } from '../../services/notifier/src/rules/schedule.ts';
import { event, plan } from '../support/notifier-plan.ts';

const at = 1_700_000_000_000;
const unavailable = refuse('catalog_unavailable', 'The catalog did not answer.', { retryable: true });
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

function sub(id: string, events: string[], workspaceId: string | null = null): SigningSub {
  return {
    id,
    url: `https://${id}.example/hook`,
    events,
    workspaceId,
    environment: null,
    secrets: [{ secret, until: null }],
  };
}

function setUp(overrides: Partial<DeliverPorts> & { subs?: Outcome<SigningSub[]>; result?: PostResult } = {}) {
  const queued: Delivery[] = [];
  const posted: string[] = [];
  const subs =
    overrides.subs ?? done([sub('whk_all', ['seat.blocked', 'seat.released']), sub('whk_b', ['seat.booked'])]);
  const deliver = createDeliver({
    directory: { event: async () => done(event), subscriptions: async () => subs },
    plans: async () => plan,
    put: async (delivery) => void queued.push(delivery),
    post: async (url) => {
      posted.push(url);
      return overrides.result ?? { kind: 'answered', status: 200, retryAfter: null, responseBody: '' };
    },
    clock: { now: () => at, elapsed: () => at, after: () => () => {} },
    jitter: () => 0,
    log: pino({ level: 'silent' }),
    ...overrides,
  });
  return { deliver, queued, posted };
}

function entryOf(...records: JournalRecord[]): JournalEntry {
  const group = { v: 1, epoch: 1, n: 1, at, plan: plan.hash, records } as const;
  return { partition: 0, sequence: 1, eventKey: event.key, data: encodeKept(group) };
}

const by = { source: 'server', actor: 'key_1' } as const;
const blocked: JournalRecord = { type: 'blocked', units: [0], releaseAt: null, reason: null, by };
const unblocked: JournalRecord = { type: 'unblocked', units: [0], reason: 'operator', by };
const ttlSet: JournalRecord = { type: 'hold-ttl-set', holdTtlMs: null, by };
const delivery = firstDelivery(
  { id: 'occ_1', name: 'seat.blocked', body: '{}' },
  { subId: 'whk_all', organisationId: 'org_1', mode: 'live' },
  at,
);

describe('hearing the journal', () => {
  it('queues one delivery for each subscription that names the occurrence', async () => {
    const { deliver, queued } = setUp();
    expect(await deliver.hear(entryOf(blocked, unblocked))).toEqual({ kind: 'done' });
    expect(queued.map(({ name, subId }) => [name, subId])).toEqual([
      ['seat.blocked', 'whk_all'],
      ['seat.released', 'whk_all'],
    ]);
  });

  it('tells a subscription of a workspace only of events of that one', async () => {
    const [own, other] = [event.workspaceId, 'ws_other'].map((id) => sub(`whk_${id}`, ['seat.blocked'], id));
    const { deliver, queued } = setUp({ subs: done([own!, other!]) });
    expect(await deliver.hear(entryOf(blocked))).toEqual({ kind: 'done' });
    expect(queued.map(({ subId }) => subId)).toEqual([own!.id]);
  });

  it('never puts an address or a secret in the queue', async () => {
    const { deliver, queued } = setUp();
    await deliver.hear(entryOf(blocked));
    expect(JSON.stringify(queued)).not.toMatch(/whsec_|https:/);
  });

  it('fetches no plan when the group tells of nothing', async () => {
    const { deliver } = setUp({ plans: () => Promise.reject(new Error()) });
    expect(await deliver.hear(entryOf(ttlSet))).toEqual({ kind: 'done' });
  });

  it('does not read a group that nobody is to hear of', async () => {
    const unreadable = { ...entryOf(), data: new Uint8Array([0xc1]) };
    expect(await setUp({ subs: done([]) }).deliver.hear(unreadable)).toEqual({ kind: 'done' });
    await expect(setUp().deliver.hear(unreadable)).rejects.toThrow();
  });

  it('fetches no plan for an organisation without a matching subscription', async () => {
    const { deliver } = setUp({
      subs: done([sub('whk_b', ['seat.booked'])]),
      plans: () => Promise.reject(new Error()),
    });
    expect(await deliver.hear(entryOf(blocked))).toEqual({ kind: 'done' });
  });

  it.each<[string, Parameters<typeof setUp>[0]]>([
    ['event', { directory: { event: async () => unavailable, subscriptions: async () => done([]) } }],
    ['subscriptions', { subs: unavailable }],
    ['plan', { plans: () => Promise.reject(new Fault('get plan')) }],
    ['queue', { put: () => Promise.reject(new Error('timeout')) }],
  ])('asks to be told again when the %s cannot be reached', async (_what, overrides) => {
    const { deliver } = setUp(overrides);
    expect(await deliver.hear(entryOf(blocked))).toMatchObject({ kind: 'later' });
  });

  it('tells an unknown event from a catalog that is away', async () => {
    const directory = { event: async () => refuse('not_found', 'No such event.'), subscriptions: async () => done([]) };
    expect(await setUp({ directory }).deliver.hear(entryOf(blocked))).toMatchObject({ kind: 'unknown' });
  });
});

describe('attempting a delivery', () => {
  it('posts to the address the subscription has now', async () => {
    const { deliver, posted } = setUp();
    expect(await deliver.attempt(delivery)).toEqual({ kind: 'delivered' });
    expect(posted).toEqual(['https://whk_all.example/hook']);
  });

  it('gives the next step after a failure', async () => {
    const { deliver } = setUp({ result: { kind: 'failed', error: 'ECONNREFUSED' } });
    const next = { ...delivery, attempts: 1, dueAt: at + 5_000, lane: 1 };
    expect(await deliver.attempt(delivery)).toEqual({ kind: 'retry', next });
  });

  it('is over after the last attempt and at a receiver that is gone', async () => {
    const failed = setUp({ result: { kind: 'failed', error: 'ECONNREFUSED' } }).deliver;
    expect(await failed.attempt({ ...delivery, attempts: 7 })).toEqual({ kind: 'over', failed: true });
    const gone = setUp({ result: { kind: 'answered', status: 410, retryAfter: null, responseBody: '' } }).deliver;
    expect(await gone.attempt(delivery)).toEqual({ kind: 'over', failed: true });
  });

  it('is over, unposted, when the subscription has been removed', async () => {
    const { deliver, posted } = setUp({ subs: done([]) });
    expect(await deliver.attempt(delivery)).toEqual({ kind: 'over', failed: false });
    expect(posted).toEqual([]);
  });

  it('counts no attempt while the catalog is away', async () => {
    const { deliver, posted } = setUp({ subs: unavailable });
    expect(await deliver.attempt(delivery)).toEqual({ kind: 'later' });
    expect(posted).toEqual([]);
  });
});

describe('what is remembered of the catalog', () => {
  function directoryOf(answers: Outcome<{ subs: SigningSub[] }>[]) {
    const asked: string[] = [];
    const clock = { time: at, now: () => clock.time, elapsed: () => clock.time, after: () => () => {} };
    const catalog = async (operation: string) => {
      asked.push(operation);
      return answers[Math.min(asked.length, answers.length) - 1] as never;
    };
    return { directory: createDirectory(catalog, clock), asked, clock };
  }
  const some = done({ subs: [sub('whk_1', ['ping'])] });

  it('is asked once for concurrent and repeated needs, and again when told of a change', async () => {
    const { directory, asked } = directoryOf([some]);
    await Promise.all([directory.subscriptions('org_1', 'live'), directory.subscriptions('org_1', 'live')]);
    expect(asked).toHaveLength(1);
    directory.drop({ kind: 'webhooks', organisationId: 'org_2' });
    await directory.subscriptions('org_1', 'live');
    expect(asked).toHaveLength(1);
    directory.drop({ kind: 'webhooks', organisationId: 'org_1' });
    await directory.subscriptions('org_1', 'live');
    expect(asked).toHaveLength(2);
  });

  it('is asked again after its time to live and after a refusal', async () => {
    const { directory, asked, clock } = directoryOf([unavailable, some]);
    expect(await directory.subscriptions('org_1', 'live')).toEqual(unavailable);
    expect(await directory.subscriptions('org_1', 'live')).toEqual(done(some.ok && some.value.subs));
    clock.time += 30_000;
    await directory.subscriptions('org_1', 'live');
    expect(asked).toHaveLength(3);
  });
});
