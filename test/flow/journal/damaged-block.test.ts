/**
 * Messages whose bits flipped while NATS was stopped (I9). The server believes its index. It answers a damaged message
 * like one that never was, and consumers skip the message.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import { lossOfStream } from '../../../services/inventory-shard/src/journal/journal.ts';
import { flipBit, lastBlock } from '../../cluster/storage/faults.ts';
import { eventConfig, hold } from '../../support/inventory/house.ts';
import { knownStream } from '../../support/journal/links.ts';
import { type CountedByEvent, catalogOf, partsOf } from '../../support/journal/restored-stream.ts';
import { hastyClock, ownPartition } from '../../support/partition/owner.ts';
import { startNats } from '../../support/servers/nats.ts';

const keys = ['ballet', 'circus', 'opera'];
/** The catalog's parts, by event, where a test asks the catalog. */
let counted: CountedByEvent = new Map();

/**
 * A journal with two holds of each event behind one epoch record, a commit that two events share, and a hold of another
 * event. One message was damaged, of those whose subject ends in `name`: the first, the last, or the one before it.
 */
async function damagedJournal(name: string, which: 'first' | 'last' | 'before' = 'last'): Promise<NatsConnection> {
  const storeDir = await mkdtemp(join(tmpdir(), 'parterre-test-damaged-'));
  const before = await startNats({ storeDir, sync: '2m' });
  const link = await connect({ servers: before.url });
  const one = await ownPartition({ nats: link, number: 0, name: 'one' });
  for (const eventKey of keys) await one.ask(eventKey, { type: 'create', config: eventConfig({ eventKey }) });
  for (const n of [1, 2]) for (const eventKey of keys) await one.ask(eventKey, hold(`h${n}`, `A-${n}`));
  const shared = ['ballet', 'circus'].map((eventKey) => one.submit(eventKey, hold('h4', 'A-4')));
  one.partition.pump();
  await Promise.all(shared);
  await one.ask('opera', hold('h4', 'A-4'));
  one.partition.close();
  counted = await partsOf(await jetstreamManager(link), 0);
  await link.close();
  await before.stop();
  const block = lastBlock(storeDir);
  const subject = `journal.0.${name}`;
  const bytes = readFileSync(block);
  const last = bytes.lastIndexOf(subject);
  const places = { first: bytes.indexOf(subject), last, before: bytes.lastIndexOf(subject, last - 1) };
  flipBit(block, places[which] + subject.length + 20);
  const server = await startNats({ storeDir, sync: '2m' });
  const nats = await connect({ servers: server.url });
  onTestFinished(async () => {
    await nats.close();
    await server.stop();
    await rm(storeDir, { recursive: true });
  });
  return nats;
}

async function heirOf(nats: NatsConnection) {
  const manager = await jetstreamManager(nats);
  const stream = { ...knownStream, loss: () => lossOfStream(manager, hastyClock, 0) };
  return ownPartition({
    nats,
    number: 0,
    name: 'two',
    stream,
    lossClock: hastyClock,
    counted: catalogOf(() => counted),
  });
}

for (const which of ['last', 'before'] as const) {
  test(`a damaged message (${which}) halts its event, and the others are served`, async () => {
    const two = await heirOf(await damagedJournal('circus', which));
    expect(await two.ask('circus', { type: 'count' })).toMatchObject({ refusal: { code: 'journal_lost_records' } });
    for (const eventKey of ['ballet', 'opera']) {
      expect(await two.ask(eventKey, hold('h3', 'A-3')), eventKey).toMatchObject({ kind: 'ok' });
    }
    expect(two.partition.halts().events.map(({ eventKey }) => eventKey)).toEqual(['circus']);
    two.partition.close();
  });
}

for (const [what, name, which] of [
  ['last message', 'opera', 'last'],
  ['last epoch record', '_', 'first'],
] as const) {
  test(`a damaged ${what} halts the partition, and nothing is appended`, async () => {
    const nats = await damagedJournal(name, which);
    const manager = await jetstreamManager(nats);
    const lastSequence = async () => (await manager.streams.info('JOURNAL-0')).state.last_seq;
    const last = await lastSequence();
    const two = await heirOf(nats);
    expect(two.partition.halts().haltedBy).toContain(`the ${what} of the stream`);
    expect(await two.ask('ballet', hold('h3', 'A-3'))).toMatchObject({ refusal: { code: 'journal_lost_records' } });
    expect(await lastSequence()).toBe(last);
    two.partition.close();
  });
}

// NATS counts the commit and skips it, and nothing that the heir reads of the journal shows the gap.
test('a damaged shared commit halts the events that end with it, where the catalog knows it', async () => {
  const two = await heirOf(await damagedJournal('_COMMITS'));
  for (const eventKey of ['ballet', 'circus']) {
    expect(await two.ask(eventKey, hold('h5', 'A-4'))).toMatchObject({ refusal: { code: 'journal_lost_records' } });
  }
  expect(await two.ask('opera', hold('h5', 'A-5'))).toMatchObject({ kind: 'ok' });
  two.partition.close();
});
