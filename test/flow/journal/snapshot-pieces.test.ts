/** A snapshot of several stored pieces comes back whole, and a damaged one counts as none. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { encodeKept } from '@parterre/shared/protocol/wire';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snapshotChunkBytesMax } from '../../../services/inventory-shard/src/journal/bounds.ts';
import { createSnapshotStore, freeze } from '../../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import { capture, toSnapshot } from '../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { hold, house, START } from '../../support/inventory/house.ts';
import { noLink } from '../../support/journal/links.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

let server: TestNats;
let nats: NatsConnection;

beforeAll(async () => {
  server = await startNats();
  nats = await connect({ servers: server.url });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});

function largeEvent() {
  const event = house();
  event.ok(hold('h', 'A-1'));
  const made = event.state.holds.active.get('h')!;
  const piece = 'f'.repeat(snapshotChunkBytesMax / 5);
  for (let n = 0; n < 12; n++) {
    event.state.holds.end({ ...made, id: `h${n}`, fingerprint: `${piece}${n}` }, 'released', START + n);
  }
  return event.state;
}

test('a snapshot of several pieces comes back whole, and without a piece it counts as none', async () => {
  const state = largeEvent();
  const { eventKey } = state.config;
  const manager = await jetstreamManager(nats);
  const objects = await new Objm(jetstream(nats)).create('SNAPSHOTS');
  const store = createSnapshotStore(objects, manager, createLog('test', 'silent'), new LoopTurn(systemClock));
  const load = async () =>
    (await store.load(eventKey, { judge: async () => true, willNeed: () => {} }))?.snapshot ?? null;
  expect(await store.store(freeze(state, noLink))).toBe(true);
  const [info] = await objects.list();
  expect(info!.chunks).toBeGreaterThan(2);
  expect(Buffer.compare(encodeKept(await load()), encodeKept(toSnapshot(capture(state))))).toBe(0);
  const { streams } = manager;
  const last = await streams.getMessage('OBJ_SNAPSHOTS', { last_by_subj: `$O.SNAPSHOTS.C.${info!.nuid}` });
  await streams.deleteMessage('OBJ_SNAPSHOTS', last!.seq);
  expect(await load()).toBeNull();
});
