import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { decode, encode } from '@parterre/shared/protocol/wire';
import { createCatalogClient } from '@parterre/shared/runtime/catalog-client';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { createPace, type Pace } from '@parterre/shared/runtime/pace';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createHistoryOperations } from '../../../services/catalog/src/history/history.ts';
import { Halts } from '../../../services/catalog/src/projections/halts.ts';
import { startProjector } from '../../../services/catalog/src/projections/projector.ts';
import { serve } from '../../../services/catalog/src/serve.ts';
import { projections } from '../../../services/catalog/src/store/collections.ts';
import type { OperationTable } from '../../../services/catalog/src/store/operations.ts';
import { operationsAtOnceMax, projectionRestMs } from '../../../services/catalog/src/store/rules/bounds.ts';
import type { Store } from '../../../services/catalog/src/store/store.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { testCatalog } from '../../store/test-catalog.ts';
import { LinkedJournal } from '../../support/journal/linked-journal.ts';
import { change, type StoredMessage } from '../../support/journal/stored-messages.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

const log = createLog('catalog-test', 'silent');
let server: TestNats;
let nats: NatsConnection;
let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connectNats({ url: server.url, name: 'catalog-test' }, log);
  database = await embeddedDatabase([]);
  store = await database.connect();
}, 120_000);
afterAll(async () => {
  await nats.close();
  await database.remove();
  await server.stop();
});

describe('serving', () => {
  test("a message above the server's bound is refused at once", async () => {
    const small = Object.create(nats, { info: { value: { max_payload: 1024 * 1024 } } });
    const catalog = createCatalogClient(small, log);
    const refused = await catalog('credentials.resolve', { hash: 'x'.repeat(1024 * 1024) });
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'payload_too_large' } });
  });

  test('an operation is answered through the client that the services use', async () => {
    const serving = serve(nats, testCatalog(store).operations, systemClock, log, () => {});
    const catalog = createCatalogClient(nats, log);
    const created = await catalog('organisations.create', { name: 'A', currency: 'EUR' });
    expect(created).toMatchObject({ ok: true, value: { organisation: { name: 'A' } } });
    expect(await catalog('credentials.resolve', { hash: 'x' })).toMatchObject({ refusal: { code: 'unauthorized' } });
    const unknown = await nats.request('catalog.constructor', encode({}));
    expect(decode(unknown.data)).toMatchObject({ refusal: { code: 'not_found' } });
    await serving.drain();
    expect(await catalog('credentials.resolve', { hash: 'x' })).toMatchObject({
      refusal: { code: 'catalog_unavailable' },
    });
  });

  test('a bug and an unreadable message are answered as internal errors', async () => {
    const operations = {
      'credentials.resolve': () => Promise.reject(new Error('a secret detail')),
    } as unknown as OperationTable;
    const outcomes: string[] = [];
    const serving = serve(nats, operations, systemClock, log, (_operation, outcome) => outcomes.push(outcome));
    const failed = await createCatalogClient(nats, log)('credentials.resolve', { hash: 'x' });
    expect(failed).toMatchObject({ refusal: { code: 'internal_error' } });
    expect(JSON.stringify(failed)).not.toContain('detail');
    const garbled = await nats.request('catalog.credentials.resolve', new Uint8Array([0xc1]));
    expect(decode(garbled.data)).toMatchObject({ refusal: { code: 'internal_error' } });
    expect(outcomes).toEqual(['failed', 'failed']);
    await serving.drain();
  });

  test.each([
    ['an answer that cannot be read', (): Uint8Array | null => new Uint8Array([0x82, 0xa1]), 'error'],
    ['no answer', (): Uint8Array | null => null, 'warn'],
  ] as const)('%s is a refusal for the caller, and the log gets the cause', async (_name, answer, level) => {
    const garbler = nats.subscribe(subjects.catalog('credentials.resolve'), {
      callback(_error, message) {
        const bytes = answer();
        if (bytes) message.respond(bytes);
      },
    });
    const lines: { level: string; err: Error }[] = [];
    const hear = (heard: string) => (fields: { err: Error }) => void lines.push({ level: heard, err: fields.err });
    const listening = Object.assign(createLog('test', 'silent'), { warn: hear('warn'), error: hear('error') });
    const ask = createCatalogClient(nats, listening);
    const asked = await ask('credentials.resolve', { hash: 'x' }, systemClock.elapsed() + 300);
    expect(asked).toMatchObject({ ok: false, refusal: { code: 'catalog_unavailable' } });
    expect(lines).toMatchObject([{ level, err: { message: 'ask the catalog for credentials.resolve' } }]);
    expect(lines[0]!.err.cause).toBeInstanceOf(Error);
    garbler.unsubscribe();
  });

  test('past its bound it refuses at once, and a drain answers the operations under way', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const operations = {
      'credentials.resolve': () => gate.then(() => ({ ok: true, value: {} })),
    } as unknown as OperationTable;
    const serving = serve(nats, operations, systemClock, log, () => {});
    const catalog = createCatalogClient(nats, log);
    const waiting = Array.from({ length: operationsAtOnceMax }, () => catalog('credentials.resolve', { hash: 'x' }));
    const refused = await catalog('credentials.resolve', { hash: 'x' });
    expect(refused).toMatchObject({ refusal: { code: 'overloaded', retryable: true } });
    const drained = serving.drain();
    release();
    await drained;
    expect((await Promise.all(waiting)).every(({ ok }) => ok)).toBe(true);
  });
});

describe('projecting', () => {
  const sold = async () => (await store.get(projections, 'gala'))?.value.sold;

  function booked(units: number): JournalRecord {
    const lines = Array.from({ length: units }, (_, unit) => ({ unit, price: 1 }));
    const by = { source: 'server', actor: null } as const;
    return {
      type: 'booked',
      callId: 'call',
      bookingRef: 'b',
      holdId: null,
      accessSource: 'public',
      lines,
      by,
    };
  }

  const journals = [0, 1].map((partition) => new LinkedJournal(partition, `dep_test.${partition}`));

  async function publish({ subject, data }: StoredMessage, msgID: string = randomUUID()): Promise<void> {
    await jetstream(nats).publish(subject, data, { msgID });
  }

  const book = (partition: number, units: number, event = 'gala'): Promise<void> =>
    publish(journals[partition]!.commit(change(event, 1, booked(units))));

  test('waits for a journal, counts its groups and later ones, and goes on after a stop', async () => {
    // The real clock without its pause between two looks for a stream.
    const clock = { ...systemClock, after: (_delayMs: number, run: () => void) => systemClock.after(5, run) };
    const start = () =>
      startProjector(
        { nats, store, clock, pace: createPace(clock, projectionRestMs), announce: () => {}, halts: new Halts(), log },
        2,
      );
    let projector = start();
    const manager = await jetstreamManager(nats);
    await manager.streams.add({ name: names.journalStream(1), subjects: [subjects.journalOfPartition(1)] });
    await publish(journals[1]!.messages[0]!);
    for (let i = 0; i < 700; i++) await book(1, 2);
    await publish(journals[1]!.commit(change('ball', 1, booked(9)), change('gala', 1, booked(3))));
    await vi.waitUntil(async () => (await sold()) === 1_403, { timeout: 10_000 });

    await projector.stop();
    await book(1, 5);
    projector = start();
    await vi.waitUntil(async () => (await sold()) === 1_408, { timeout: 10_000 });
    await book(1, 1);
    await vi.waitUntil(async () => (await sold()) === 1_409, { timeout: 10_000 });

    // A restart of the server loses the reader's consumer, not the stored position.
    await server.restart();
    const last = journals[1]!.commit(change('gala', 1, booked(4)));
    await vi.waitUntil(
      () =>
        publish(last, 'after-restart').then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    );
    await vi.waitUntil(async () => (await sold()) === 1_413, { timeout: 15_000 });
    await projector.stop();
  }, 60_000);

  test('a read of the history that waits for its event ends the rest', async () => {
    const ends: (() => void)[] = [];
    const pace: Pace = { rest: () => new Promise((end) => ends.push(end)), hurry: () => ends.pop()?.() };
    const manager = await jetstreamManager(nats);
    await manager.streams.add({ name: names.journalStream(0), subjects: [subjects.journalOfPartition(0)] });
    await publish(journals[0]!.messages[0]!);
    await book(0, 2, 'opera');
    const halts = new Halts();
    const projector = startProjector({ nats, store, clock: systemClock, pace, announce: () => {}, halts, log }, 1);
    await vi.waitUntil(() => ends.length === 1, { timeout: 10_000 });
    await book(0, 1, 'opera');
    const ports = { store, clock: systemClock, hurryProjector: pace.hurry };
    const read = createHistoryOperations(ports)['history.bookings'];
    const found = await read({ eventKey: 'opera', version: 3, page: {} });
    expect(found).toMatchObject({ ok: true, value: { bookings: [{ entries: [{}, {}] }] } });
    await projector.stop();
  }, 60_000);
});
