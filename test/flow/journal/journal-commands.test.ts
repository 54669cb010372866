/**
 * `npx parterre journal verify`, `accept` and `restore` before an owner on a real server (I9): a halted event and a
 * halted partition are listed, accepted or restored, and sell again under higher versions.
 */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { done } from '@parterre/shared/protocol/errors';
import { linkFromText, linkOf, textOfLink } from '@parterre/shared/protocol/journal/links';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { decode, encode } from '@parterre/shared/protocol/wire';
import { type Clock, systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Connected } from '../../../scripts/backup/deployment.ts';
import { acceptEvent, acceptPartition } from '../../../scripts/journal/accept.ts';
import { restoreEvent, restorePartition } from '../../../scripts/journal/restore.ts';
import { type Verified, verify } from '../../../scripts/journal/verify.ts';
import { hearAcceptances } from '../../../services/inventory-shard/src/cluster/acceptances.ts';
import { openAcceptedLosses } from '../../../services/inventory-shard/src/journal/accepted-losses.ts';
import type { HistoryPosition } from '../../../services/inventory-shard/src/journal/journal.ts';
import { StreamIdentities } from '../../../services/inventory-shard/src/journal/stream-identities.ts';
import { hasJournalStream, makeSuccessorStream } from '../../../services/inventory-shard/src/journal/streams.ts';
import { eventConfig } from '../../support/inventory/house.ts';
import { knownStream } from '../../support/journal/links.ts';
import { type CountedByEvent, catalogOf, messagesOf, partsOf, putBack } from '../../support/journal/restored-stream.ts';
import { ownPartition, type PartitionOwner } from '../../support/partition/owner.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

vi.mock('node:timers/promises', async (actual) => ({
  ...(await actual<typeof import('node:timers/promises')>()),
  // The pause between two looks.
  setTimeout: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms / 50)),
}));

const layout = { deployment: 'dep', form: 1, partitions: 1, regions: {} };
const stream = names.journalStream(0);
const lossClock: Clock = { ...systemClock, elapsed: () => systemClock.elapsed() * 50 };
const word = { reason: 'the disk burned', givesUp: false };
const silent = () => {};
const halted = { kind: 'refused', refusal: { code: 'journal_lost_records' } };

let server: TestNats;
let connected: Connected;
let identities: StreamIdentities;
let owner: PartitionOwner;
/** The catalog's position. */
let counted: { seq: number; link: string } | null;
let owners = 0;
let holds = 0;

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  const nats = await connect({ servers: server.url, inboxPrefix: '_INBOX.frontdoor' });
  connected = { nats, manager: await jetstreamManager(nats), client: jetstream(nats) };
  nats.subscribe(subjects.catalogAll, {
    callback: (_error, message) => void message.respond(encode(done(answerOf(message)))),
  });
  hearAcceptances({
    nats,
    clock: systemClock,
    log: createLog('test', 'silent'),
    find: () => owner.partition,
    hasStream: (number) => hasJournalStream(connected.manager, number),
    makeStream: (number, behind) => makeSuccessorStream(connected.manager, number, 1, behind),
    async overrule(number, above) {
      await (await openAcceptedLosses(nats)).noteStream(number, above);
      await identities.forget(number);
    },
    retake: () => void takeOver(),
  });
}, 120_000);
afterAll(async () => {
  await connected.nats.close();
  await server.stop();
});
beforeEach(async () => {
  counted = null;
  parts = new Map();
  await new Kvm(connected.nats).create(names.clusterBucket);
  identities = await StreamIdentities.open(connected.nats);
  await takeOver();
});
afterEach(async () => {
  owner.partition.close();
  const { streams } = connected.manager;
  for (const name of [stream, `KV_${names.clusterBucket}`, `OBJ_${names.snapshotBucket}`]) {
    await streams.delete(name).catch(() => {});
  }
});

async function takeOver(position: HistoryPosition | null = null): Promise<void> {
  owner?.partition.close();
  const acceptedLosses = await openAcceptedLosses(connected.nats);
  const { nats } = connected;
  const stream = { ...knownStream, counted: async () => position };
  const own = { lossClock, acceptedLosses, identities, counted: catalogOf(() => parts), stream };
  owner = await ownPartition({ nats, number: 0, name: `owner-${++owners}`, ...own });
}

const create = (eventKey: string) => owner.ask(eventKey, { type: 'create', config: eventConfig({ eventKey }) });
const hold = (eventKey: string, label: string) =>
  owner.ask(eventKey, { type: 'hold', holdId: `h-${++holds}`, ttlMs: 3_600_000, selections: [{ label }] });

/** Two events with a hold each, and snapshots; then more holds and newer snapshots of the first. */
async function sell(): Promise<{ copy: Awaited<ReturnType<typeof messagesOf>>; last: number }> {
  await create('gala');
  await create('encore');
  await hold('encore', 'A-1');
  await hold('gala', 'A-1');
  const copy = await messagesOf(connected.manager, 0);
  await hold('gala', 'A-2');
  const { version } = await hold('gala', 'A-3');
  await owner.partition.snapshotAll(5_000);
  const message = await connected.manager.streams.getMessage(stream, { seq: version! });
  counted = { seq: version!, link: textOfLink(linkOf(message!.data)) };
  return { copy, last: version! };
}

/** The catalog has counted all parts of `parts`. */
let parts: CountedByEvent;

function answerOf({ subject, data }: { subject: string; data: Uint8Array }): unknown {
  if (subject.includes('projections.events')) return { eventKeys: [...parts.keys()], isCut: false };
  if (subject.includes('history.last-part')) {
    return parts.get(decode<{ eventKey: string }>(data).eventKey)?.at(-1) ?? null;
  }
  return counted;
}

async function countParts(): Promise<void> {
  parts = await partsOf(connected.manager, 0);
}

const look = (): Promise<Verified> => verify(connected, layout, [0], silent);
const damagesOf = ({ damages }: Verified): string[] => damages.map(({ event, damage }) => `${event}: ${damage}`);

test('A whole journal is whole, also while it sells', async () => {
  await sell();
  let sells = true;
  const selling = (async () => {
    for (let seat = 1; sells && seat <= 8; seat++) await hold('encore', `B-${seat}`);
  })();
  expect(await look()).toMatchObject({ partitions: 1, events: 2, damages: [], catalog: true });
  sells = false;
  await selling;
});

test('An event behind an older copy of the stream is listed, accepted, and sells again', async () => {
  const { copy, last } = await sell();
  owner.partition.close();
  await putBack(connected.nats, connected.manager, 0, copy);
  await takeOver();
  await vi.waitFor(async () => expect(await hold('gala', 'C-8')).toMatchObject(halted), 10_000);
  expect(await hold('encore', 'A-2')).toMatchObject({ kind: 'ok' });
  expect(damagesOf(await look())).toEqual(['null: the catalog has counted more', 'gala: a snapshot knows more']);

  const [accepted] = await acceptEvent(connected, layout, { eventKey: 'gala', partition: null, ...word }, silent);
  expect(accepted).toMatchObject({ event: 'gala', lostTo: last });
  expect(accepted!.version).toBeGreaterThan(last);
  expect(await hold('gala', 'A-1')).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
  const sold = await hold('gala', 'A-2');
  expect(sold).toMatchObject({ kind: 'ok' });
  expect(sold.version).toBeGreaterThan(accepted!.version);
  // A rebuild counts the journal that is there.
  counted = null;
  expect(await look()).toMatchObject({ damages: [] });
});

test('A partition whose stream is gone is listed, accepted with its events, and sells above every old sequence', async () => {
  const { last } = await sell();
  owner.partition.close();
  await connected.manager.streams.delete(stream);
  await takeOver();
  expect(owner.partition.state).toBe('halted');
  expect(await hold('gala', 'A-1')).toMatchObject(halted);
  expect(damagesOf(await look())).toEqual(['null: the stream is missing', 'null: the catalog has counted more']);

  const { accepted } = await acceptPartition(connected, layout, { partition: 0, ...word }, silent);
  expect(accepted.map(({ event }) => event).sort()).toEqual(['encore', 'gala']);
  for (const { version } of accepted) expect(version).toBeGreaterThan(last);
  const { config, state } = await connected.manager.streams.info(stream);
  expect(config.first_seq).toBe(last + 1);
  expect(state.first_seq).toBe(last + 1);
  expect(owner.partition.epoch).toBeGreaterThan(last);
  expect(await hold('gala', 'A-1')).toMatchObject({ kind: 'ok' });
  expect(await hold('encore', 'A-1')).toMatchObject({ kind: 'ok' });
  counted = null;
  expect(await look()).toMatchObject({ damages: [] });
  // The deployment knows the new stream from here on.
  await takeOver();
  expect(owner.partition.state).toBe('serving');
  expect(await hold('gala', 'A-1')).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
});

test('A partition whose stream is gone is restored with its events, also those without a snapshot', async () => {
  const { last } = await sell();
  await create('fringe');
  await hold('fringe', 'A-1');
  await countParts();
  owner.partition.close();
  await connected.manager.streams.delete(stream);
  await takeOver();
  const word = { partition: 0, reason: 'the disk burned', givesUp: false };
  const { restored, refused } = await restorePartition(connected, layout, { ...word, isDryRun: false }, silent);
  expect(refused).toEqual([]);
  expect(restored.map(({ event, parts }) => [event, parts]).sort()).toEqual([
    ['encore', 2],
    ['fringe', 2],
    ['gala', 4],
  ]);
  for (const { version } of restored) expect(version).toBeGreaterThan(last);
  for (const event of ['gala', 'encore', 'fringe']) {
    expect(await hold(event, 'A-1')).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
  }
  expect(await hold('gala', 'B-1')).toMatchObject({ kind: 'ok' });
});

test('A partition that lacks what the catalog has counted halts, is opened, and its events are restored', async () => {
  const { copy, last } = await sell();
  await countParts();
  owner.partition.close();
  await putBack(connected.nats, connected.manager, 0, copy);
  const position = { sequence: last, link: linkFromText(counted!.link)! };
  await takeOver(position);
  const haltedBy = `the catalog has counted message ${last}, which the stream lacks`;
  expect(owner.partition.halts()).toMatchObject({ haltedBy });
  expect(await hold('encore', 'B-1')).toMatchObject(halted);
  const word = { partition: 0, reason: 'an old copy', givesUp: false };
  const shown = await restorePartition(connected, layout, { ...word, isDryRun: true }, silent);
  expect(shown.restored).toMatchObject([{ event: 'gala', version: 0, parts: 2 }]);
  const { restored } = await restorePartition(connected, layout, { ...word, isDryRun: false }, silent);
  expect(restored).toMatchObject([{ event: 'gala', parts: 2 }]);
  // Until a rebuild each takeover meets the catalog's old position.
  await takeOver(position);
  expect(await hold('encore', 'B-1')).toMatchObject({ kind: 'ok' });
  expect(await hold('gala', 'A-3')).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
  expect(await hold('gala', 'B-1')).toMatchObject({ kind: 'ok' });
}, 60_000);

test('A restoration is shown before it is written', async () => {
  const { copy } = await sell();
  await countParts();
  owner.partition.close();
  await putBack(connected.nats, connected.manager, 0, copy);
  await takeOver();
  await vi.waitFor(async () => expect(await hold('gala', 'C-8')).toMatchObject(halted), 10_000);
  const gala = { eventKey: 'gala', partition: null, reason: 'the disk burned', givesUp: false };
  const shown = await restoreEvent(connected, layout, { ...gala, isDryRun: true }, silent);
  expect(shown.restored).toMatchObject([{ event: 'gala', version: 0, parts: 2 }]);
  expect(await hold('gala', 'A-2')).toMatchObject(halted);
  await restoreEvent(connected, layout, { ...gala, isDryRun: false }, silent);
  for (const label of ['A-1', 'A-2', 'A-3']) {
    expect(await hold('gala', label)).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
  }
  expect(await hold('gala', 'B-1')).toMatchObject({ kind: 'ok' });
  counted = null;
  expect(await look()).toMatchObject({ damages: [] });
});

test('A partition with another stream in its place is accepted, and the stream is filled up', async () => {
  const { last } = await sell();
  owner.partition.close();
  await connected.manager.streams.delete(stream);
  const { nats } = connected;
  const stranger = await ownPartition({ nats, number: 0, name: `owner-${++owners}`, lossClock });
  stranger.partition.close();
  await takeOver();
  expect(owner.partition.state).toBe('halted');
  expect(damagesOf(await look())).toContain('null: the stream is another');

  const { accepted } = await acceptPartition(connected, layout, { partition: 0, ...word }, silent);
  expect(accepted.map(({ event }) => event).sort()).toEqual(['encore', 'gala']);
  for (const { version } of accepted) expect(version).toBeGreaterThan(last);
  expect(await hold('gala', 'A-1')).toMatchObject({ kind: 'ok' });
  counted = null;
  expect(await look()).toMatchObject({ damages: [] });
});

test('An event whose living owner remembers more than the journal has is accepted', async () => {
  const { copy, last } = await sell();
  await putBack(connected.nats, connected.manager, 0, copy);
  await hold('encore', 'B-1');
  await vi.waitFor(async () => expect(await hold('gala', 'C-8')).toMatchObject(halted), 20_000);
  const [accepted] = await acceptEvent(connected, layout, { eventKey: 'gala', partition: 0, ...word }, silent);
  expect(accepted!.version).toBeGreaterThan(last);
  expect(await hold('gala', 'A-2')).toMatchObject({ kind: 'ok' });
});

test('A partition whose stream is gone while its owner lives is accepted', async () => {
  const { last } = await sell();
  await connected.manager.streams.delete(stream);
  void hold('gala', 'B-1');
  await vi.waitFor(() => expect(owner.partition.state).toBe('recovering'), 10_000);
  const { accepted } = await acceptPartition(connected, layout, { partition: 0, ...word }, silent);
  expect(accepted.map(({ event }) => event).sort()).toEqual(['encore', 'gala']);
  const sold = await hold('gala', 'B-1');
  expect(sold).toMatchObject({ kind: 'ok' });
  expect(sold.version).toBeGreaterThan(last);
});

test('Parts behind a lost middle are given up, and their break in the stream is noted', async () => {
  await create('gala');
  await hold('gala', 'A-1');
  const { version: lost } = await hold('gala', 'A-2');
  await hold('gala', 'A-3');
  owner.partition.close();
  const all = await messagesOf(connected.manager, 0);
  const left = all.filter(({ seq }) => seq !== lost);
  await putBack(connected.nats, connected.manager, 0, left);
  await takeOver();
  await vi.waitFor(async () => expect(await hold('gala', 'C-8')).toMatchObject(halted), 10_000);
  const shown = { partition: 0, reason: '', givesUp: false, isDryRun: true };
  await restorePartition(connected, layout, shown, silent);
  expect(damagesOf(await look())).toEqual(['null: the stream does not follow', 'gala: a part does not follow']);
  const gala = { eventKey: 'gala', partition: null, ...word };
  await expect(acceptEvent(connected, layout, gala, silent)).rejects.toThrow(
    'the journal has later changes of gala (1)',
  );
  expect(await hold('gala', 'C-8')).toMatchObject(halted);
  const [accepted] = await acceptEvent(connected, layout, { ...gala, givesUp: true }, silent);
  expect(accepted).toMatchObject({ lostFrom: lost, passedOver: 1 });
  expect(await look()).toMatchObject({ damages: [] });
  expect(await hold('gala', 'A-3')).toMatchObject({ kind: 'ok' });
});
