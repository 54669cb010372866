/** A message that NATS cannot read any more (I9): its bits flipped while the server was stopped. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { jetstreamManager } from '@nats-io/jetstream';
import { expect, test } from 'vitest';
import { eventConfig, hold } from '../../support/inventory/house.ts';
import { ownPartition } from '../../support/partition/owner.ts';
import { startNats } from '../../support/servers/nats.ts';
import { flippedBit } from '../../cluster/storage/faults.ts';

test('experiment', async () => {
  const storeDir = await mkdtemp(join(tmpdir(), 'parterre-test-damaged-'));
  let server = await startNats({ storeDir, sync: '2m' });
  let nats = await connect({ servers: server.url });
  const one = await ownPartition({ nats, number: 0, name: 'one' });
  for (const eventKey of ['ballet', 'circus', 'opera']) await one.ask(eventKey, { type: 'create', config: eventConfig({ eventKey }) });
  for (let n = 1; n <= 4; n++) {
    for (const eventKey of ['ballet', 'circus']) console.log(eventKey, n, (await one.ask(eventKey, hold(`h${n}`, `A-${n}`))).kind);
  }
  await one.partition.handOver();
  await nats.close();
  await server.stop();
  flippedBit.strike({ folder: storeDir, disk: null });
  server = await startNats({ storeDir, sync: '2m' });
  nats = await connect({ servers: server.url });
  const manager = await jetstreamManager(nats);
  const { state } = await manager.streams.info('JOURNAL-0');
  console.log(JSON.stringify(state));
  for (let seq = 1; seq <= state.last_seq; seq++) {
    const told = await manager.streams.getMessage('JOURNAL-0', { seq }).then((m) => m?.subject ?? 'null', (error) => `${error.code} ${error.message}`);
    console.log(seq, told);
  }
  const two = await ownPartition({ nats, number: 0, name: 'two' });
  for (const eventKey of ['opera', 'circus', 'ballet']) {
    const at = performance.now();
    const reply = await Promise.race([two.ask(eventKey, { type: 'count' }), new Promise((r) => setTimeout(r, 25_000, 'late'))]);
    console.log(eventKey, Math.round(performance.now() - at), JSON.stringify(reply), JSON.stringify(two.partition.halts()));
  }
  await new Promise((r) => setTimeout(r, 4_000));
  console.log(JSON.stringify(two.partition.halts()));
  for (const eventKey of ['opera', 'circus', 'ballet']) {
    const at = performance.now();
    const reply = await Promise.race([two.ask(eventKey, { type: 'count' }), new Promise((r) => setTimeout(r, 25_000, 'late'))]);
    console.log(eventKey, Math.round(performance.now() - at), JSON.stringify(reply), JSON.stringify(two.partition.halts()));
  }
  two.partition.close();
  await nats.close();
  await server.stop();
  await rm(storeDir, { recursive: true });
}, 150_000);
