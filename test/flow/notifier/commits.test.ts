/** The notifier reads commits of many events. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { linkOf, textOfLink } from '@parterre/shared/protocol/journal/links';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { systemClock } from '@parterre/shared/runtime/clock';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createPutPart } from '../../../services/notifier/src/journal/waiting-parts.ts';
import { createBodySource } from '../../../services/notifier/src/occurrences/body-source.ts';
import { createStoredGroup } from '../../../services/notifier/src/occurrences/stored-group.ts';
import { type Notifier, startNotifier } from '../../../services/notifier/src/start.ts';
import { type Change, change, commitMessage, type StoredMessage } from '../../support/journal/stored-messages.ts';
import { event, plan } from '../../support/notifier/plan.ts';
import { startNats } from '../../support/servers/nats.ts';

const log = pino({ level: 'silent' });
const by = { source: 'server', actor: 'key_1' } as const;
const stream = names.journalStream(0);
const waiting = { timeout: 20_000, interval: 20 };
type Body = { occurrenceId: string; eventKey: string; at: number; data: { bookingRef: string } };

let server: Awaited<ReturnType<typeof startNats>>;
let nats: NatsConnection;
let manager: JetStreamManager;
let receiver: Server;
let received: Body[] = [];
/** Events that the catalog cannot tell of now. */
let away: Set<string>;
let notifier: Notifier;

const catalog: CatalogClient = async (operation, input) => {
  if (operation === 'events.get') {
    const { eventKey } = input as { eventKey: string };
    if (away.has(eventKey)) return refuse('catalog_unavailable', 'Away.', { retryable: true });
    return done({ event: { ...event, key: eventKey } }) as never;
  }
  if (operation !== 'webhooks.matching') return done({ ok: true }) as never;
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const secrets = [{ secret: `whsec_${'A'.repeat(43)}=`, until: null }];
  const sub = {
    id: 'whk_1',
    url,
    events: ['seat.booked'],
    workspaceId: null,
    environment: null,
    createdAt: 0,
    secrets,
  };
  return done({ subs: [sub] }) as never;
};

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connectNats({ url: server.url, name: 'test' }, log);
  manager = await jetstreamManager(nats);
  receiver = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const body = JSON.parse(text) as Body;
    received.push(body);
    response.writeHead(200).end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
}, 60_000);

beforeEach(async () => {
  received = [];
  away = new Set();
  await manager.streams.add({ name: stream, subjects: [subjects.journalOfPartition(0)] });
  const ports = { nats, catalog, plans: async () => plan, clock: systemClock, jitter: () => 0, log };
  notifier = await startNotifier({ ...ports, partitions: 1, loopbackOpen: true });
});

afterEach(async () => {
  await notifier.stop();
  for (const name of [stream, names.deliveryStream, names.backlogStream]) await manager.streams.delete(name);
});

afterAll(async () => {
  receiver?.closeAllConnections();
  receiver?.close();
  await nats?.close();
  await server?.stop();
});

function sale(eventKey: string, bookingRef: string): Change {
  const lines = [{ unit: 0, price: 40 }];
  const sold = { type: 'booked', callId: 'call', bookingRef, holdId: null, accessSource: 'public', lines, by } as const;
  return { ...change(eventKey, 5_000, sold), plan: plan.hash };
}

async function append({ subject, data }: StoredMessage): Promise<number> {
  return (await jetstream(nats).publish(subject, data)).seq;
}

const ids = () => received.map(({ occurrenceId }) => occurrenceId).sort();
const refs = () => received.map(({ eventKey, data }) => `${eventKey} ${data.bookingRef}`).sort();
const untilReceived = (...wanted: string[]) => vi.waitFor(() => expect(refs()).toEqual(wanted.sort()), waiting);
const untilSettled = (sequence: number) =>
  vi.waitFor(async () => {
    expect((await manager.consumers.info(stream, 'notifier')).ack_floor.stream_seq).toBe(sequence);
  }, waiting);
const queued = async () => (await manager.streams.info(names.deliveryStream)).state.messages;

it('delivers each part of a commit once', { timeout: 60_000 }, async () => {
  await append(commitMessage(0, [sale('gala', 'one')]));
  await append(commitMessage(0, [sale('gala', 'two'), sale('ball', 'two')]));
  await append(commitMessage(0, [sale('gala', 'three')]));
  await append(commitMessage(0, [sale('ball', 'four'), sale('fest', 'four'), sale('gala', 'four')]));
  await append(commitMessage(0, [sale('gala', 'five')]));
  await untilSettled(5);
  expect(refs()).toEqual(
    ['gala one', 'gala two', 'ball two', 'gala three', 'ball four', 'fest four', 'gala four', 'gala five'].sort(),
  );
  expect(new Set(ids()).size).toBe(received.length);
});

it('a commit that is read again gives the same occurrences', { timeout: 60_000 }, async () => {
  await append(commitMessage(0, [sale('gala', 'one'), sale('ball', 'one')]));
  await untilSettled(1);
  const first = ids();
  await manager.consumers.delete(stream, 'notifier');
  await vi.waitFor(() => expect(ids()).toEqual([...first, ...first].sort()), waiting);
});

it('a part whose event the catalog cannot tell now waits by itself', { timeout: 60_000 }, async () => {
  away.add('ball');
  await append(commitMessage(0, [sale('gala', 'one'), sale('ball', 'one'), sale('fest', 'one')]));
  await append(commitMessage(0, [sale('gala', 'two')]));
  await untilReceived('gala one', 'fest one', 'gala two');
  await untilSettled(2);
  expect(await queued()).toBe(1);
  away.clear();
  await untilReceived('gala one', 'fest one', 'gala two', 'ball one');
  await vi.waitFor(async () => expect(await queued()).toBe(0), waiting);
  expect(new Set(ids()).size).toBe(received.length);
});

it('a waiting part that the journal has lost is not taken for the part at its place', { timeout: 60_000 }, async () => {
  const sequence = await append(commitMessage(0, [sale('gala', 'one')]));
  await untilReceived('gala one');
  await untilSettled(1);
  await createPutPart(jetstream(nats))({ partition: 0, sequence, event: 'gala', link: textOfLink(linkOf('lost')) });
  await vi.waitFor(async () => expect(await queued()).toBe(0), waiting);
  expect(refs()).toEqual(['gala one']);
});

it('a commit without a part that can be placed comes again as a whole', { timeout: 60_000 }, async () => {
  away.add('gala').add('ball');
  await append(commitMessage(0, [sale('gala', 'one'), sale('ball', 'one')]));
  await vi.waitFor(async () => {
    expect((await manager.consumers.info(stream, 'notifier')).num_ack_pending).toBe(1);
  }, waiting);
  expect(await queued()).toBe(0);
  away.clear();
  await untilReceived('gala one', 'ball one');
  await untilSettled(1);
});

it('the body of a part is made again byte for byte, with its id', { timeout: 60_000 }, async () => {
  const sequence = await append(commitMessage(0, [sale('ball', 'one'), sale('gala', 'one')]));
  await untilReceived('ball one', 'gala one');
  const directory = { event: async (key: string) => done({ ...event, key }) };
  const bodyOf = createBodySource({
    storedGroup: createStoredGroup(manager),
    directory,
    plans: async () => plan,
  });
  const place = { partition: 0, sequence, index: 0 };
  const told = received.find(({ eventKey }) => eventKey === 'gala')!;
  const asked = { place, name: 'seat.booked', eventKey: 'gala', occurrenceId: told.occurrenceId };
  expect(JSON.parse((await bodyOf(asked))!)).toEqual(told);
  expect(await bodyOf({ ...asked, eventKey: 'fest' })).toBeNull();
  // The journal has lost the occurrence, and has another one at its place.
  expect(await bodyOf({ ...asked, occurrenceId: 'occ_of_a_lost_sale' })).toBeNull();
});
