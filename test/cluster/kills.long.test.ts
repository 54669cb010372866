/**
 * kill -9 of the shard and of NATS at any moment under load. No acknowledged call is lost, no unit is sold twice (I1,
 * I2), and every history is linearizable.
 */
import { expect, test } from 'vitest';
import { partitionsOfTests, startParterre } from '../support/servers/server.ts';
import { createEvents, violationsAfter } from './load/aftermath.ts';
import { runClients } from './load/clients.ts';

const KILLS = 18;
const CLIENTS = 12;
const EVENTS = 3;
const SEATS = 40;
/** Successes that must come between two kills, so that each kill hits a working, busy system. */
const SUCCESSES_BETWEEN_KILLS = 60;

test(`${KILLS} kills of shard and NATS under load lose no acknowledged call`, { timeout: 300_000 }, async () => {
  const parterre = await startParterre({
    env: { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m' },
  });
  try {
    const access = { url: parterre.url, token: parterre.demo.keys.secretTest };
    const { plan, eventKeys } = await createEvents(access, parterre.demo.chartId, EVENTS);
    const load = runClients({
      urls: [access.url],
      token: access.token,
      eventKeys,
      seats: plan.labels.all().slice(0, SEATS),
      clients: CLIENTS,
    });

    for (let kill = 0; kill < KILLS; kill++) {
      const service = kill % 3 === 2 ? 'nats' : 'inventory-shard';
      await load.moreSuccesses(SUCCESSES_BETWEEN_KILLS, `before kill ${kill} (${service})`);
      process.kill(parterre.pidOf(service), 'SIGKILL');
    }
    await load.moreSuccesses(SUCCESSES_BETWEEN_KILLS, 'after the last kill');
    const history = await load.stop();

    expect(
      await violationsAfter(history, {
        access,
        natsUrl: parterre.natsUrl,
        partitions: partitionsOfTests,
        planOf: () => plan,
      }),
    ).toEqual([]);
    expect(load.successes()).toBeGreaterThan(KILLS * SUCCESSES_BETWEEN_KILLS);
  } finally {
    await parterre.stop();
  }
});
