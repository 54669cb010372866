/** Commands of the catalog to the actors of events, on a real NATS with a shard that the test plays. */

import type { Envelope, Reply, ReplyPart } from '@parterre/shared/protocol/commands';
import { subjects } from '@parterre/shared/protocol/subjects';
import { decode, encode } from '@parterre/shared/protocol/wire';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createAskEvent } from '../../../services/catalog/src/shards/ask-events.ts';
import { collections } from '../../../services/catalog/src/store/collections.ts';
import type { AskEvent } from '../../../services/catalog/src/store/operations.ts';
import type { Collection, Store } from '../../../services/catalog/src/store/store.ts';
import { createOutgoing } from '../../../services/inventory-shard/src/partition/replies.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { organisationScope, publishedChart, testCatalog } from '../../store/test-catalog.ts';
import { server as caller } from '../../support/inventory/house.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

const log = createLog('catalog-test', 'silent');
let server: TestNats;
let nats: NatsConnection;
let database: TestDatabase;
let store: Store;
let ask: AskEvent;
let shard: { unsubscribe(): void } | null = null;

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connectNats({ url: server.url, name: 'catalog' }, log);
  database = await embeddedDatabase(collections as readonly Collection<object>[]);
  store = await database.connect();
  const catalog = testCatalog(store);
  const scope = await organisationScope(catalog);
  await catalog.ask('events.create', {
    scope,
    draft: { chartId: await publishedChart(catalog, scope), slug: 'opera' },
  });
  ask = createAskEvent({ nats, store, clock: systemClock, placement: () => () => 3 });
}, 120_000);
afterEach(() => shard?.unsubscribe());
afterAll(async () => {
  await nats.close();
  await database.remove();
  await server.stop();
});

type PlayedReply = Reply | ReplyPart[] | null;

/** A shard that answers the commands in turn; null is silence. Resolves with the types of the commands so far. */
function plays(...answers: ((envelope: Envelope) => PlayedReply)[]): string[] {
  const asked: string[] = [];
  shard = nats.subscribe(subjects.commands(3), {
    callback: (_error, message) => {
      for (const envelope of decode<Envelope[]>(message.data)) {
        asked.push(envelope.command.type);
        const told = answers.shift()?.(envelope) ?? null;
        for (const each of Array.isArray(told) ? told : told ? [[told]] : []) message.respond(encode(each));
      }
    },
  });
  return asked;
}

const counted =
  (value: unknown) =>
  ({ id }: Envelope): PlayedReply => ({ id, kind: 'ok', value });
const moved = ({ id }: Envelope): PlayedReply => ({ id, kind: 'moved' });
const absent = ({ id }: Envelope): PlayedReply => ({ id, kind: 'absent' });
const within = (ms: number): number => systemClock.elapsed() + ms;

test('a command is asked again where its partition has moved', async () => {
  const asked = plays(moved, counted({ version: 4 }));
  expect(await ask('opera', { type: 'count' }, caller, within(5_000))).toEqual({ ok: true, value: { version: 4 } });
  expect(asked).toEqual(['count', 'count']);
});

test('commands at the same time each get their answer, as a shard joins its answers to one caller', async () => {
  const outgoing = createOutgoing(nats);
  const pending: Parameters<typeof outgoing.reply>[0][] = [];
  shard = nats.subscribe(subjects.commands(3), {
    callback(_error, message) {
      for (const { id } of decode<Envelope[]>(message.data))
        pending.push({ replyTo: message.reply!, reply: { id, kind: 'ok', value: 'counted' } });
      if (pending.length === 2) for (const each of pending) outgoing.reply(each);
    },
  });
  const asks = [1, 2].map(() => ask('opera', { type: 'count' }, caller, within(1_500)));
  expect(await Promise.all(asks)).toEqual([
    { ok: true, value: 'counted' },
    { ok: true, value: 'counted' },
  ]);
});

test('a silent shard is asked again', async () => {
  const asked = plays(() => null, counted('second'));
  expect(await ask('opera', { type: 'count' }, caller, within(8_000))).toEqual({ ok: true, value: 'second' });
  expect(asked).toHaveLength(2);
});

test('the inventory of a new event is made first', async () => {
  const asked = plays(absent, counted({}), counted({ version: 1 }));
  expect(await ask('opera', { type: 'count' }, caller, within(5_000))).toMatchObject({ ok: true });
  expect(asked).toEqual(['count', 'create', 'count']);
});

test('an answer in several messages is read whole', async () => {
  plays(({ id }) => {
    const bytes = Buffer.from(encode([{ id, kind: 'ok', value: ['A-1', 'A-2'] }]));
    return [
      { id, index: 0, of: 2, bytes: bytes.subarray(0, 5) },
      { id, index: 1, of: 2, bytes: bytes.subarray(5) },
    ];
  });
  expect(await ask('opera', { type: 'count' }, caller, within(5_000))).toEqual({ ok: true, value: ['A-1', 'A-2'] });
});

test('a refusal is passed on, and an unknown event asks nobody', async () => {
  const refusal = { code: 'conflict', message: 'The seats are taken.' } as const;
  const asked = plays(({ id }) => ({ id, kind: 'refused', refusal }));
  expect(await ask('opera', { type: 'count' }, caller, within(5_000))).toEqual({ ok: false, refusal });
  expect(await ask('no-such', { type: 'count' }, caller, within(5_000))).toMatchObject({
    refusal: { code: 'not_found' },
  });
  expect(asked).toHaveLength(1);
});

test('without a shard, and without a layout, the command waits for its deadline', async () => {
  const late = { ok: false, refusal: { code: 'shard_unavailable', retryable: true } };
  expect(await ask('opera', { type: 'count' }, caller, within(300))).toMatchObject(late);
  const early = createAskEvent({ nats, store, clock: systemClock, placement: () => null });
  expect(await early('opera', { type: 'count' }, caller, within(300))).toMatchObject(late);
});

test('a reply that cannot be read fails the call with its cause, and the next call is answered', async () => {
  const garbler = nats.subscribe(subjects.commands(3), {
    callback: (_error, message) => void message.respond(Uint8Array.of(0x82, 0xa1)),
  });
  const asking = ask('opera', { type: 'count' }, caller, within(5_000));
  await expect(asking).rejects.toMatchObject({ name: 'Fault', cause: expect.any(Error) });
  garbler.unsubscribe();
  plays(counted({ free: 1 }));
  expect(await ask('opera', { type: 'count' }, caller, within(5_000))).toMatchObject({ ok: true });
});
