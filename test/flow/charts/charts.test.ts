/** Chart changes and the archive of an event against a real server, as the journal and snapshots restore them. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Answers, EventView } from '@parterre/shared/protocol/answers';
import type { Command, Reply } from '@parterre/shared/protocol/commands';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { JournalReader } from '../../../services/inventory-shard/src/journal/journal-reader.ts';
import { createEventLoader } from '../../../services/inventory-shard/src/journal/recovery.ts';
import { createSnapshotStore } from '../../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import { callId, eventConfig, hold, movedPlan, planNamed } from '../../support/inventory/house.ts';
import { foldJournals } from '../../support/partition/journal-fold.ts';
import { ownPartition } from '../../support/partition/owner.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

let server: TestNats;
let nats: NatsConnection;
let number = -1;
let eventKey = '';

beforeAll(async () => {
  server = await startNats();
  nats = await connect({ servers: server.url });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});
beforeEach(() => {
  number++;
  eventKey = `night-${number}`;
});

async function owner(name: string) {
  const own = await ownPartition({ nats, number, name });
  return { ...own, ask: (command: Command) => own.ask(eventKey, command) };
}

const update = (planHash: string, chartVersion = 2): Command => ({
  type: 'update-chart',
  acknowledgeMoved: true,
  reason: 'A new chart',
  callId: callId(),
  planHash,
  chartVersion,
});
const answerIn = <T>(reply: Reply): T => (reply as unknown as { value: T }).value;

async function ownerOnMovedPlan() {
  const one = await owner('one');
  await one.ask({ type: 'create', config: eventConfig({ eventKey }) });
  await one.ask(hold('h1', 'A-1', 'A-2'));
  await one.ask({ type: 'book', callId: callId(), holdId: 'h1', bookingRef: 'order-1', labels: ['A-1'] });
  expect((await one.ask(update('moved-plan'))).kind).toBe('ok');
  return one;
}

test('Another owner restores the event on its new chart, from the journal and from a snapshot', async () => {
  const one = await ownerOnMovedPlan();
  await one.ask(hold('h2', 'D-1'));
  const seen = answerIn<EventView>(await one.ask({ type: 'view' }));
  expect(seen).toMatchObject({ planHash: 'moved-plan', unitCount: movedPlan.unitCount });
  const client = jetstream(nats);
  const manager = await jetstreamManager(nats);
  const objects = await new Objm(client).open('SNAPSHOTS');
  const snapshots = createSnapshotStore(objects, manager, createLog('test', 'silent'), new LoopTurn(systemClock));
  await one.partition.snapshotAll(10_000);
  const two = await owner('two');
  expect(answerIn(await two.ask({ type: 'view' }))).toEqual(seen);
  // Memory use depends on the current chart, not on how the event came to it.
  expect(one.memory.bytes).toBe(two.memory.bytes);
  await objects.destroy();
  const plans = async (hash: string) => planNamed(hash);
  const folded = await createEventLoader(
    new JournalReader(nats, systemClock),
    manager,
    snapshots,
    plans,
    number,
    new LoopTurn(systemClock),
  ).load(eventKey);
  expect(folded).toMatchObject({ storedVersion: 0, state: { version: seen.version, config: { chartVersion: 2 } } });
  const three = await owner('three');
  expect(answerIn(await three.ask({ type: 'view' }))).toEqual(seen);
  expect(await three.ask({ type: 'inspect-hold', holdId: 'h1' })).toMatchObject({
    value: { items: [{ label: 'A-2', unitPrice: 40, categoryKey: 'circle' }] },
  });
});

test('An update under way when its owner closes is there for the next owner, or is not, and the journal agrees', async () => {
  const one = await ownerOnMovedPlan();
  const updated = one.ask(update('small-plan', 3));
  const held = one.ask(hold('h2', 'D-2'));
  one.partition.close();
  void Promise.all([updated, held]);
  const two = await owner('two');
  const { planHash, counts } = answerIn<Answers['count']>(await two.ask({ type: 'count' }));
  const [event] = await foldedHere();
  expect(event!.state.plan.hash).toBe(planHash);
  expect(event!.violations).toEqual([]);
  expect(event!.state.counts).toEqual([counts.free, counts.held, counts.booked, counts.blocked]);
  expect((await two.ask(update('moved-plan', 4))).kind).toBe('ok');
  expect((await two.ask(hold('h3', 'D-3'))).kind).toBe('ok');
});

async function foldedHere() {
  const all = await foldJournals(server.url, number + 1, (_key, hash) => planNamed(hash));
  return [all.get(eventKey)!];
}

test('A chart update stands alone in its commit group, and its change names the chart instead of units', async () => {
  const one = await ownerOnMovedPlan();
  const replies = [one.submit(eventKey, hold('h2', 'D-1')), one.submit(eventKey, update('small-plan', 3))];
  one.partition.pump();
  expect((await Promise.all(replies)).map(({ kind }) => kind)).toEqual(['ok', 'refused']);
  await one.ask({ type: 'release', callId: callId(), holdId: 'h2' });
  await one.ask(update('small-plan', 3));
  expect(one.changes.filter(({ plan }) => plan !== undefined)).toMatchObject([
    { plan: 'moved-plan', units: [], statuses: [] },
    { plan: 'small-plan', units: [], statuses: [] },
  ]);
  expect(one.changes.every(({ from }, i) => i === 0 || from === one.changes[i - 1]!.to)).toBe(true);
});

test('An event moves to its adjusted plan as to another chart, and another owner finds it there', async () => {
  const one = await ownerOnMovedPlan();
  const adjust: Command = { type: 'adjust-chart', callId: callId(), planHash: 'small-plan', from: 'moved-plan' };
  expect(await one.ask(adjust)).toMatchObject({ kind: 'refused', refusal: { reason: 'seats_in_use' } });
  await one.ask({ type: 'unbook', callId: callId(), bookingRef: 'order-1' });
  await one.ask({ type: 'release', callId: callId(), holdId: 'h1' });
  const adjusted = await one.ask(adjust);
  expect(adjusted).toMatchObject({ value: { updated: true, planHash: 'small-plan', chartVersion: 2 } });
  const two = await owner('two');
  // The copy changes nothing, so its answer names no version.
  const { version: _, ...repeated } = adjusted;
  expect(await two.ask(adjust)).toEqual({ ...repeated, id: expect.anything(), unchanged: true });
  expect(await two.ask({ type: 'count' })).toMatchObject({ value: { planHash: 'small-plan', chartVersion: 2 } });
});

test('An archive is answered once its snapshot is stored', async () => {
  const one = await ownerOnMovedPlan();
  const archived = await one.ask({ type: 'move', callId: callId(), move: 'archive' });
  const answer = answerIn<Answers['move']>(archived);
  expect(answer).toMatchObject({ status: 'archived', counts: { held: 1, booked: 1 } });
  const objects = await new Objm(jetstream(nats)).open('SNAPSHOTS');
  const manager = await jetstreamManager(nats);
  const snapshots = createSnapshotStore(objects, manager, createLog('test', 'silent'), new LoopTurn(systemClock));
  expect(await snapshots.head(eventKey)).toMatchObject({ groups: answer.version });
});

test('An event whose snapshot cannot be stored is archived, and its caller retries until it is stored', async () => {
  const one = await ownerOnMovedPlan();
  const archive: Command = { type: 'move', callId: callId(), move: 'archive' };
  await new Objm(jetstream(nats)).open('SNAPSHOTS').then((objects) => objects.destroy());
  expect((await one.ask(archive)).kind).toBe('moved');
  expect((await one.ask(archive)).kind).toBe('moved');
  expect(await one.ask(hold('h2', 'A-3'))).toMatchObject({ refusal: { code: 'invalid_event_state' } });
  await new Objm(jetstream(nats)).create('SNAPSHOTS');
  expect(await one.ask(archive)).toMatchObject({ kind: 'ok', value: { status: 'archived' } });
});
