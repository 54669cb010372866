/**
 * kill -9 of notifiers at any moment under load. Every occurrence of the journal reaches each subscription that wants
 * it, under one id, and no other subscription. Some receivers fail at times and one is slow, so that retries and
 * backlogs are under way when a notifier dies.
 */
import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { startCluster } from '../support/servers/cluster.ts';
import { createEvents } from './load/aftermath.ts';
import { runClients } from './load/clients.ts';
import { expectAllHeard, Receiver } from './load/receivers.ts';

const PARTITIONS = 4;
const KILLS = 4;
const SUCCESSES_BETWEEN_KILLS = 25;

test(`${KILLS} kills of notifiers under load lose no occurrence`, { timeout: 240_000 }, async () => {
  const cluster = await startCluster({
    env: {
      PARTERRE_NATS_SERVERS: '1',
      PARTERRE_CATALOGS: '1',
      PARTERRE_SHARDS: '1',
      PARTERRE_FRONTDOORS: '1',
      PARTERRE_NOTIFIERS: '2',
      JOURNAL_PARTITIONS: String(PARTITIONS),
      PARTERRE_BUDGETS: 'off',
      PARTERRE_NATS_SYNC: '2m',
    },
  });
  const receivers = [
    new Receiver(['seat.booked', 'seat.released', 'hold.created', 'hold.extended', 'hold.expired']),
    new Receiver(['seat.booked', 'hold.created'], { failEvery: 25 }),
    new Receiver(['seat.booked', 'seat.released'], { delayMs: 30 }),
    new Receiver(['seat.blocked']),
  ];
  try {
    const access = { url: cluster.urls[0]!, token: cluster.demo.keys.secretTest };
    for (const receiver of receivers) await receiver.subscribe(access);
    const { plan, eventKeys } = await createEvents(access, cluster.demo.chartId, 2);
    const seats = plan.labels.all().slice(0, 40);
    const load = runClients({ urls: [access.url], token: access.token, eventKeys, seats, clients: 8, thinkMsMax: 40 });
    for (let kill = 0; kill < KILLS; kill++) {
      await load.moreSuccesses(SUCCESSES_BETWEEN_KILLS + randomInt(20), `before kill ${kill}`);
      const name = `notifier-${1 + (kill % 2)}`;
      await cluster.untilReady(name);
      cluster.kill(name);
    }
    await load.stop();
    await Promise.all(['notifier-1', 'notifier-2'].map((name) => cluster.untilReady(name)));
    const journals = { natsUrl: cluster.natsUrls.join(','), partitions: PARTITIONS, planOf: () => plan };
    await expectAllHeard(journals, receivers, new Set(eventKeys));
    expect(receivers[0]!.bodies.size).toBeGreaterThan((KILLS * SUCCESSES_BETWEEN_KILLS) / 4);
  } finally {
    for (const receiver of receivers) await receiver.die();
    await cluster.stop();
  }
});
