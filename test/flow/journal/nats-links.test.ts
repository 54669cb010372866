/**
 * The link between a partition's owner and NATS is lost during each step of an owner, and a client reads so slowly that
 * the server drops it. No acknowledged command is lost, no call hangs, and every listener has the same state in the
 * end.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Reply } from '@parterre/shared/protocol/commands';
import { done } from '@parterre/shared/protocol/errors';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { subjects } from '@parterre/shared/protocol/subjects';
import { decode, encode } from '@parterre/shared/protocol/wire';
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Replica, type ReplicaPorts } from '../../../services/frontdoor/src/feeds/replica.ts';
import { Shelf } from '../../../services/frontdoor/src/feeds/shelf.ts';
import { TellingTurns } from '../../../services/frontdoor/src/feeds/telling-turns.ts';
import { serverAudience } from '../../../services/frontdoor/src/pictures/rules/audience.ts';
import { eventConfig, hold, smallPlan } from '../../support/inventory/house.ts';
import { meetPartition, ownPartition, type PartitionOwner } from '../../support/partition/owner.ts';
import { startSellers } from '../../support/partition/sellers.ts';
import { Link } from '../../support/servers/link.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

const CUTS = 10;
/** More than the server's buffer for a client and the sockets' buffers together. */
const FLOOD_BYTES = 64 * 2 ** 20;

let server: TestNats;
let link: Link;
let near: NatsConnection;
let far: NatsConnection;
let number = -1;
let eventKey = '';

beforeAll(async () => {
  server = await startNats({ sync: '2m', config: 'max_payload: 8MB\nmax_pending: 9MB\nwrite_deadline: "500ms"' });
  link = await Link.to(server.url);
  near = await connect({ servers: server.url });
  far = await connect({ servers: link.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
});
afterAll(async () => {
  await Promise.all([near?.close(), far?.close()]);
  await link?.close();
  await server?.stop();
});
beforeEach(() => {
  number++;
  eventKey = `night-${number}`;
});

const own = (nats: NatsConnection, name: string): Promise<PartitionOwner> => ownPartition({ nats, number, name });

/** Repeats a command that was answered `moved`, as a front door does. */
async function insist({ ask }: PartitionOwner, command: Parameters<PartitionOwner['ask']>[1]): Promise<Reply> {
  for (;;) {
    const reply = await ask(eventKey, command);
    if (reply.kind !== 'moved') return reply;
    await pause(10);
  }
}

async function cutFor(ms: number): Promise<void> {
  link.cut();
  await pause(ms);
  link.restore();
}

test('A takeover survives a lost link', async () => {
  const first = await own(near, 'first');
  await insist(first, { type: 'create', config: eventConfig({ eventKey }) });
  const heir = await meetPartition({ nats: far, number, name: 'heir' });
  link.freeze();
  const opened = heir.partition.open();
  await cutFor(50);
  expect(await opened).toBe(true);
  expect((await insist(heir, hold('h1', 'A-1'))).kind).toBe('ok');
  expect((await first.ask(eventKey, hold('h2', 'A-1'))).kind).toBe('moved');
  heir.partition.close();
});

test('A recovery survives a lost link', async () => {
  const owner = await own(far, 'owner');
  await insist(owner, { type: 'create', config: eventConfig({ eventKey }) });
  const held = insist(owner, hold('h1', 'A-1'));
  link.freeze();
  owner.journal.breakOff('ack lost');
  expect(owner.partition.state).toBe('recovering');
  await cutFor(50);
  expect((await held).kind).toBe('ok');
  expect(await insist(owner, hold('h2', 'A-1'))).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
  owner.partition.close();
});

test('The load of an event survives a lost link', async () => {
  const first = await own(near, 'first');
  await insist(first, { type: 'create', config: eventConfig({ eventKey }) });
  await insist(first, hold('h1', 'A-1'));
  await first.partition.handOver();
  const heir = await own(far, 'heir');
  const held = insist(heir, hold('h2', 'A-1'));
  await cutFor(50);
  expect(await held).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
  heir.partition.close();
});

test('A handover with a lost link ends, and the next owner has all acknowledged holds', async () => {
  const first = await own(far, 'first');
  await insist(first, { type: 'create', config: eventConfig({ eventKey }) });
  await insist(first, hold('h1', 'A-1'));
  link.freeze();
  const handed = first.partition.handOver();
  const [, heir] = await Promise.all([cutFor(50), own(near, 'heir')]);
  await handed;
  expect(first.partition.state).toBe('ended');
  expect(await insist(heir, hold('h2', 'A-1'))).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
  heir.partition.close();
});

test(`${CUTS} cuts under a stream of holds lose no acknowledged hold`, async () => {
  const owner = await own(far, 'owner');
  const sellers = await startSellers(owner, eventKey);
  for (let cut = 0; cut < CUTS; cut++) {
    await sellers.sold(20 + 7 * cut);
    await cutFor(5 * cut);
  }
  await sellers.sold(20);
  await sellers.stop();
  await sellers.expectAllStand(server.url, number);
  owner.partition.close();
});

/** Fills the server's buffers of the clients that listen to `flood`. */
async function flood(): Promise<void> {
  const piece = new Uint8Array(2 ** 20);
  for (let sent = 0; sent < FLOOD_BYTES; sent += piece.length) near.publish('flood', piece);
  await near.flush();
}

async function droppedAsSlow(): Promise<void> {
  const lost = (async () => {
    for await (const { type } of far.status()) if (type === 'disconnect') return;
  })();
  link.freeze('back');
  await flood();
  await pause(600);
  link.restore();
  await lost;
}

test('An owner that the server drops as a slow consumer loses no acknowledged hold, and goes on', async () => {
  far.subscribe('flood', { max: 1_000, callback: () => {} });
  const owner = await own(far, 'owner');
  const sellers = await startSellers(owner, eventKey);
  await sellers.sold(50);
  await droppedAsSlow();
  await sellers.sold(51);
  await sellers.stop();
  await sellers.expectAllStand(server.url, number);
  owner.partition.close();
});

test("A front door's replica that missed changes as a slow consumer catches up with the actor's state", async () => {
  const owner = await own(near, 'owner');
  await insist(owner, { type: 'create', config: eventConfig({ eventKey }) });
  const view = async (): Promise<Answers['view']> =>
    ((await insist(owner, { type: 'view' })) as { value: Answers['view'] }).value;
  const ports: ReplicaPorts = {
    clock: systemClock,
    turns: new TellingTurns(systemClock),
    viewOf: async () => done(await view()),
    versionOf: async () => done((await view()).version),
    planOf: async () => smallPlan,
    publish: () => {},
    batches: () => [],
    onEventStatus: () => {},
    onNews: () => {},
    onFault: (error) => {
      throw error;
    },
  };
  const replica = new Replica(eventKey, ports, new Shelf(1024 * 1024).of(eventKey));
  const callback = (_: Error | null, { data }: { data: Uint8Array }): void =>
    replica.onChange(decode<FeedChange>(data));
  far.subscribe(subjects.feed(number, eventKey), { callback });
  far.subscribe('flood', { max: 1_000, callback: () => {} });
  await far.flush();
  await replica.catchUp();
  const tell = (): void => {
    for (const change of owner.changes.splice(0)) near.publish(subjects.feed(number, eventKey), encode(change));
  };
  const dropped = droppedAsSlow();
  for (const label of ['A-1', 'A-2', 'A-3']) await insist(owner, hold(label, label));
  tell();
  await dropped;
  await far.flush();
  await insist(owner, hold('A-4', 'A-4'));
  tell();
  const { version } = await view();
  await expect.poll(() => replica.version, { timeout: 5_000 }).toBe(version);
  const { seats } = JSON.parse(replica.objects(serverAudience, false).body) as { seats: Record<string, string> };
  expect(['A-1', 'A-2', 'A-3', 'A-4'].map((label) => seats[label])).toEqual(['held', 'held', 'held', 'held']);
  replica.close();
  owner.partition.close();
});
