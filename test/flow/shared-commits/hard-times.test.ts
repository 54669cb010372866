/** Shared commits in hard times, on a real server: events that cannot be served, and commits that cannot be read. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { CommitHead } from '@parterre/shared/protocol/journal/heads';
import { encodeCommit, encodePart, groupsOf, headOf, linkAfter } from '@parterre/shared/protocol/journal/messages';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { book, eventConfig, hold } from '../../support/inventory/house.ts';
import { noLink } from '../../support/journal/links.ts';
import { hastyClock, type OwnerOptions, ownPartition, type PartitionOwner } from '../../support/partition/owner.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

let server: TestNats;
let nats: NatsConnection;

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connect({ servers: server.url });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});

async function own(number: number, name: string, more: Partial<OwnerOptions> = {}): Promise<PartitionOwner> {
  return ownPartition({ nats, number, name, lossClock: hastyClock, ...more });
}

async function create(owner: PartitionOwner, ...events: string[]): Promise<void> {
  for (const eventKey of events) await owner.ask(eventKey, { type: 'create', config: eventConfig({ eventKey }) });
}

/**
 * Gives each event holds, until one commit has a hold of each: a turn may be over before the last event is cut. Returns
 * the number of holds.
 */
async function share(owner: PartitionOwner, number: number, events: readonly string[]): Promise<number> {
  const manager = await jetstreamManager(nats);
  for (let n = 1; ; n++) {
    const replies = events.map((eventKey) => owner.submit(eventKey, hold(`h${n}`, `A-${n}`)));
    owner.partition.pump();
    expect((await Promise.all(replies)).map(({ kind }) => kind)).toEqual(events.map(() => 'ok'));
    const seq = owner.journal.nextSequence - 1;
    const { subject, data } = (await manager.streams.getMessage(names.journalStream(number), { seq }))!;
    if (groupsOf(subject, data).length === events.length) return n;
  }
}

async function counted(owner: PartitionOwner, eventKey: string): Promise<unknown> {
  for (;;) {
    const reply = await owner.ask(eventKey, { type: 'count' });
    if (reply.kind !== 'moved') return reply;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Appends a commit of these events with the next number, of which no part can be read. */
async function appendUnreadable(number: number, events: string[]): Promise<number> {
  const manager = await jetstreamManager(nats);
  const stream = names.journalStream(number);
  const { last_seq: last } = (await manager.streams.info(stream)).state;
  const head = headOf((await manager.streams.getMessage(stream, { seq: last }))!.data) as CommitHead;
  const parts = events.map((event) => encodePart({ event, from: 1, at: 1, plan: 'p', link: noLink, records: [] }));
  const commit = encodeCommit({ ...head, n: head.n + 1 }, parts);
  return (await jetstream(nats).publish(subjects.commits(number), commit.subarray(0, commit.length - 5))).seq;
}

test('An event that cannot be loaded gets an anchor without records, and is served when its plan is back', async () => {
  const one = await own(0, 'one');
  await create(one, 'gala', 'opera');
  const held = await share(one, 0, ['gala', 'opera']);
  one.partition.close();
  const away = { plans: true };
  const two = await own(0, 'two', {
    unanchoredBytesMax: 1,
    beforeLoad: async (eventKey) => {
      if (eventKey === 'gala' && away.plans) throw new Error('its plan is away');
    },
  });
  const first = two.journal.nextSequence;
  for (let n = 1; two.shared.mark < first; n++) await two.ask('opera', hold(`x${n}`, 'B-1'));
  const manager = await jetstreamManager(nats);
  const stored = await manager.streams.getMessage(names.journalStream(0), {
    last_by_subj: subjects.journal(0, 'gala'),
  });
  expect(stored!.seq).toBeGreaterThanOrEqual(first);
  expect(groupsOf(stored!.subject, stored!.data).length).toBe(1);
  expect(two.changes).toContainEqual(expect.objectContaining({ eventKey: 'gala', to: stored!.seq, units: [] }));
  away.plans = false;
  expect(await counted(two, 'gala')).toMatchObject({ value: { counts: { held } } });
  expect(await two.ask('gala', book('h1', 'order-1'))).toMatchObject({ kind: 'ok' });
  await two.partition.handOver();
  const three = await own(0, 'three');
  expect(await counted(three, 'gala')).toMatchObject({ value: { counts: { held: held - 1, booked: 1 } } });
  await three.partition.handOver();
});

test('A shared commit that cannot be read keeps away only the events that may have a part in it', async () => {
  const one = await own(1, 'one');
  await create(one, 'gala', 'opera', 'circus');
  const held = await share(one, 1, ['gala', 'opera', 'circus']);
  const { mark } = one.shared;
  const unreadable = one.journal.nextSequence;
  expect(await appendUnreadable(1, ['gala', 'opera'])).toBe(unreadable);
  one.partition.close();

  // The parts behind the commit prove that gala and opera have none in it. Circus has no later part.
  const shared = [2, 3].map((n) => ['gala', 'opera'].map((event) => ({ event, n })));
  const manager = await jetstreamManager(nats);
  const stream = names.journalStream(1);
  const last = (await manager.streams.getMessage(stream, { seq: unreadable - 1 }))!;
  const before = groupsOf(last.subject, last.data);
  const versions = new Map(before.map(({ eventKey }) => [eventKey, unreadable - 1]));
  // Parts without records repeat the link of the event's last part.
  const links = new Map(before.map(({ eventKey, data }) => [eventKey, linkAfter(data)]));
  expect(versions.size).toBe(3);
  const head = headOf(last.data) as CommitHead;
  for (const parts of shared) {
    const encoded = parts.map(({ event }) =>
      encodePart({
        event,
        from: versions.get(event)!,
        at: Date.now(),
        plan: eventConfig().planHash,
        link: links.get(event)!,
        records: [],
      }),
    );
    const { seq } = await jetstream(nats).publish(
      subjects.commits(1),
      encodeCommit({ ...head, n: head.n + 9 }, encoded),
    );
    for (const { event } of parts) versions.set(event, seq);
  }

  const two = await own(1, 'two', { unanchoredBytesMax: 1 });
  await two.shared.known;
  expect(two.shared.unreadable).toBe(unreadable);
  for (const eventKey of ['gala', 'opera']) {
    expect(await counted(two, eventKey)).toMatchObject({ value: { counts: { held } } });
  }
  expect(await two.ask('gala', book('h1', 'order-1'))).toMatchObject({ kind: 'ok' });
  expect(await counted(two, 'circus')).toMatchObject({ kind: 'refused', refusal: { code: 'shard_unavailable' } });
  expect(two.shared.mark).toBe(mark);
  await two.partition.handOver();

  // The next owner meets the commit too.
  const three = await own(1, 'three');
  expect(await counted(three, 'circus')).toMatchObject({ kind: 'refused', refusal: { code: 'shard_unavailable' } });
  await three.partition.handOver();
});

test('An event whose later part names the unreadable commit is not served without it', async () => {
  const one = await own(2, 'one');
  await create(one, 'gala', 'opera');
  const held = await share(one, 2, ['gala', 'opera']);
  const unreadable = await appendUnreadable(2, ['gala']);
  one.partition.close();
  const manager = await jetstreamManager(nats);
  const before = (await manager.streams.getMessage(names.journalStream(2), { seq: unreadable - 1 }))!;
  const links = new Map(groupsOf(before.subject, before.data).map(({ eventKey, data }) => [eventKey, linkAfter(data)]));
  const part = (event: string, from: number) =>
    encodePart({
      event,
      from,
      at: Date.now(),
      plan: eventConfig().planHash,
      link: links.get(event) ?? noLink,
      records: [],
    });
  const head = headOf(before.data) as CommitHead;
  const later = encodeCommit({ ...head, n: head.n + 9 }, [part('gala', unreadable), part('opera', unreadable - 1)]);
  await jetstream(nats).publish(subjects.commits(2), later);
  const two = await own(2, 'two');
  expect(await counted(two, 'opera')).toMatchObject({ value: { counts: { held } } });
  expect(await counted(two, 'gala')).toMatchObject({ kind: 'refused', refusal: { code: 'journal_lost_records' } });
  await two.partition.handOver();
});
