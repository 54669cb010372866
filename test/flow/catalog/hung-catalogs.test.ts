/**
 * A catalog that hangs: NATS delivers to it, and it neither answers nor sends beats. Its callers pass it over within a
 * second, and no operation that may not be repeated is sent twice.
 */
import { done, refuse } from '@parterre/shared/protocol/errors';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { encode } from '@parterre/shared/protocol/wire';
import { type CatalogClient, createCatalogClient } from '@parterre/shared/runtime/catalog-client';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newSelf, type Serving, serve } from '../../../services/catalog/src/serve.ts';
import type { OperationTable } from '../../../services/catalog/src/store/operations.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

const log = createLog('catalog-test', 'silent');
let server: TestNats;
/** The connection of the catalogs, and that of their caller. */
let theirs: NatsConnection;
let nats: NatsConnection;
let ask: CatalogClient;
let clock: ManualClock;
const servings: Serving[] = [];
const ends: (() => void)[] = [];

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  theirs = await connectNats({ url: server.url, name: 'catalogs' }, log);
});
beforeEach(async () => {
  nats = await connectNats({ url: server.url, name: 'caller' }, log);
  clock = new ManualClock();
  ask = createCatalogClient(nats, log, clock);
  await nats.flush();
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await Promise.all(servings.splice(0).map((serving) => serving.drain()));
  await nats.close();
});
afterAll(async () => {
  await theirs.close();
  await server.stop();
});

/** A catalog that answers these operations, and the names of those that it was asked for. */
function catalog(operations: Record<string, () => Promise<unknown>>): string[] {
  const asked: string[] = [];
  const table = Object.fromEntries(
    Object.entries(operations).map(([name, run]) => [
      name,
      () => {
        asked.push(name);
        return run();
      },
    ]),
  );
  servings.push(serve(theirs, table as unknown as OperationTable, clock, log, () => {}));
  return asked;
}

/** A catalog that was heard, and was stopped a moment ago. Returns the operations that NATS delivered to it. */
function stoppedCatalog(): string[] {
  const id = 'cat_stopped';
  const asked: string[] = [];
  const note = (prefix: string) => ({
    callback: (_error: Error | null, { subject }: { subject: string }) => void asked.push(subject.slice(prefix.length)),
  });
  const all = [
    theirs.subscribe(subjects.catalogAll, { queue: names.catalogQueue, ...note(subjects.catalog('')) }),
    theirs.subscribe(subjects.oneCatalogAll(id), note(subjects.oneCatalog(id, ''))),
  ];
  theirs.publish(subjects.catalogBeat(id));
  ends.push(() => {
    for (const subscription of all) subscription.unsubscribe();
  });
  return asked;
}

/** What was sent so far has arrived. */
async function arrived(): Promise<void> {
  await theirs.flush();
  await nats.flush();
}

/** Lets time pass, in which catalogs send their beats. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    clock.advance(50);
    await arrived();
  }
}

const listed = done({ organisations: [] });
const list = () => ask('organisations.list', { page: { limit: 1, after: null } as never });
const organisations = { 'organisations.list': async () => listed };

test('a question to a catalog that has just stopped is answered by the other within a second', async () => {
  const atStopped = stoppedCatalog();
  await arrived();
  const asking = list();
  await arrived();
  const atOther = catalog(organisations);
  await pass(800);
  expect(await asking).toEqual(listed);
  expect([atStopped, atOther]).toEqual([['organisations.list'], ['organisations.list']]);
});

test('the log tells the silence of all catalogs once, before a request fails, and their return once', async () => {
  const lines: string[] = [];
  const tell = (_: object, line: string) => void lines.push(line);
  const listening = Object.assign(createLog('test', 'silent'), { info: tell, warn: tell });
  const asker = createCatalogClient(nats, listening, clock);
  await nats.flush();
  stoppedCatalog();
  await arrived();
  const asking = Array.from({ length: 40 }, () =>
    asker('organisations.list', { page: { limit: 1, after: null } as never }),
  );
  await pass(900);
  expect(lines).toEqual([]);
  await pass(300);
  const silence = 'no catalog answers: kept answers serve on, and other requests fail';
  expect(lines).toEqual([silence]);
  catalog(organisations);
  await pass(800);
  await Promise.all(asking);
  expect(lines).toEqual([silence, 'the catalogs answer again']);
});

test('a catalog that has been silent is not asked', async () => {
  const atStopped = stoppedCatalog();
  const atOther = catalog(organisations);
  await pass(1_000);
  for (let i = 0; i < 20; i++) expect(await list()).toEqual(listed);
  expect([atStopped.length, atOther.length]).toEqual([0, 20]);
});

test('an operation that may not be repeated goes to a catalog that says that it is there, once', async () => {
  const atOther = catalog({ 'organisations.create': async () => done({ organisation: 'A' }) });
  await pass(500);
  const atStopped = stoppedCatalog();
  await arrived();
  const created = await Promise.all(
    Array.from({ length: 4 }, () => ask('organisations.create', { name: 'A', currency: 'EUR' })),
  );
  expect(created.every(({ ok }) => ok)).toBe(true);
  expect(atOther).toEqual(Array(4).fill('organisations.create'));
  expect(new Set(atStopped)).toEqual(new Set(['here']));
});

test('a slow catalog that sends beats gets the only copy', async () => {
  let answer = (_outcome: unknown): void => {};
  const slow = new Promise((resolve) => {
    answer = resolve;
  });
  const asked = [catalog({ 'organisations.list': () => slow }), catalog({ 'organisations.list': () => slow })];
  await pass(500);
  const asking = list();
  await pass(3_000);
  expect(asked.flat()).toHaveLength(1);
  answer(listed);
  expect(await asking).toEqual(listed);
});

test('a refusal of an earlier copy does not count, since the later copy may have had an effect', async () => {
  let wakeUp = (): void => {};
  const id = 'cat_wakes';
  theirs.publish(subjects.catalogBeat(id));
  const first = theirs.subscribe(subjects.oneCatalogAll(id), {
    callback(_error, message) {
      wakeUp = () => void message.respond(encode(refuse('conflict', 'The second copy came first.')));
    },
  });
  ends.push(() => first.unsubscribe());
  await arrived();
  const asking = ask('keys.revoke', { organisationId: 'org_1', keyId: 'key_1', endsMinted: false });
  await arrived();
  let answer = (_outcome: unknown): void => {};
  const late = new Promise((resolve) => {
    answer = resolve;
  });
  const atOther = catalog({ 'keys.revoke': () => late });
  await pass(800);
  expect(atOther).toEqual(['keys.revoke']);
  wakeUp();
  await arrived();
  answer(done({ revoked: true }));
  expect(await asking).toEqual(done({ revoked: true }));
});

test('a catalog that has ended is left at once, also by an operation that may not be repeated', async () => {
  for (const id of ['cat_gone', 'cat_also_gone']) theirs.publish(subjects.catalogBeat(id));
  const atOther = catalog({ 'organisations.create': async () => done({ organisation: 'A' }), ...organisations });
  await arrived();
  expect(await list()).toEqual(listed);
  for (const id of ['cat_gone', 'cat_also_gone']) theirs.publish(subjects.catalogBeat(id));
  await arrived();
  expect((await ask('organisations.create', { name: 'A', currency: 'EUR' })).ok).toBe(true);
  expect(atOther).toEqual(['organisations.list', 'organisations.create']);
});

test('a catalog that cannot reach its store sends no beat', async () => {
  const beats: string[] = [];
  nats.subscribe(subjects.allCatalogBeats, { callback: (_error, { subject }) => void beats.push(subject) });
  await nats.flush();
  let reaches = false;
  servings.push(
    serve(theirs, {} as OperationTable, clock, log, () => {}, { ...newSelf(), reachesStore: () => reaches }),
  );
  await pass(1_000);
  expect(beats).toEqual([]);
  reaches = true;
  await pass(500);
  expect(beats).toHaveLength(2);
});
